//! Judgements of the gate about a change. It judges additions, never existing code.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::ledger::{Amounts, LedgerEntry};
use crate::measurement::{Definitions, Part};

/// A rule of the gate.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum GateRule {
    /// A file no longer parses.
    BrokenSyntax,
    /// A new function is highly complex.
    NewComplexity,
    /// A highly or almost highly complex function became more complex.
    ComplexityGrowth,
    /// New code repeats code of the code base.
    NewClone,
    /// A new function does what an existing function does.
    Reimplementation,
    /// New code is unused or unreachable, or the change removed the last use of existing code.
    DeadCode,
    /// A rule has a new finding in changed code.
    NewFinding,
    /// The change as a whole adds more than its budget.
    ChangeBudget,
    /// The changes of the last seven days, with this one, add more than their budget.
    WeekBudget,
    /// The changes since the last point of a series, with this one, add more than its limit of growth.
    TrackGrowth,
    /// The change alters the settings of the gate.
    GateSetup,
    /// The code is worse than the committed ratchet, or has debt that the ratchet does not list.
    Ratchet,
}

/// A rule with its name, its requirement, and the keys of `[check]` that configure it.
type Row = (
    GateRule,
    &'static str,
    &'static str,
    &'static [&'static str],
);

/// The rules in the order of [`GateRule`].
const RULES: [Row; 12] = [
    (
        GateRule::BrokenSyntax,
        "broken-syntax",
        "No file stops parsing.",
        &["broken-syntax"],
    ),
    (
        GateRule::NewComplexity,
        "new-complexity",
        "No new function is highly complex.",
        &["new-complexity", "complexity"],
    ),
    (
        GateRule::ComplexityGrowth,
        "complexity-growth",
        "No highly complex function becomes more complex.",
        &["complexity-growth", "complexity", "growth"],
    ),
    (
        GateRule::NewClone,
        "new-clone",
        "No new code repeats code that is there already.",
        &["new-clone", "clone-lines", "clone-lines-outside"],
    ),
    (
        GateRule::Reimplementation,
        "reimplementation",
        "No new function does what another one does already.",
        &["reimplementation"],
    ),
    (
        GateRule::DeadCode,
        "dead-code",
        "No code is added, or left behind, that nothing uses or reaches.",
        &["dead-code"],
    ),
    (
        GateRule::NewFinding,
        "new-finding",
        "No rule finds anything new in code that was changed.",
        &["new-finding", "severity"],
    ),
    (
        GateRule::ChangeBudget,
        "change-budget",
        "A change adds no more than its budget.",
        &["budget", "change"],
    ),
    (
        GateRule::WeekBudget,
        "week-budget",
        "The changes of seven days add no more than their budget.",
        &["budget", "week"],
    ),
    (
        GateRule::TrackGrowth,
        "track-growth",
        "The changes since the last point of a series add no more than its limit of growth.",
        &["track-growth"],
    ),
    (
        GateRule::GateSetup,
        "gate-setup",
        "A change does not alter the rules that judge it.",
        &["gate-setup"],
    ),
    (
        GateRule::Ratchet,
        "ratchet",
        "Nothing is worse than the committed ratchet says.",
        &["ratchet-file"],
    ),
];

/// The findings and metrics that a rule of the gate compares: ids, and categories of findings.
const SUBJECTS: [(GateRule, &[&str]); 6] = [
    (
        GateRule::BrokenSyntax,
        &["syntax-error", "files_with_syntax_errors"],
    ),
    (
        GateRule::NewComplexity,
        &[
            "high-complexity",
            "high_complexity_callables",
            "max_complexity",
        ],
    ),
    (
        GateRule::ComplexityGrowth,
        &[
            "high-complexity",
            "high_complexity_callables",
            "max_complexity",
        ],
    ),
    (GateRule::NewClone, &["clone", "clone_lines"]),
    (GateRule::Reimplementation, &["reimplementation"]),
    (GateRule::DeadCode, &["dead-code", "dead_code"]),
];

impl GateRule {
    /// The rules that compare findings of this id or category, or the metric of this id.
    pub fn about<'a>(names: &'a [&str]) -> impl Iterator<Item = Self> + 'a {
        let is_about = |subjects: &[&str]| names.iter().any(|name| subjects.contains(name));
        let found = SUBJECTS
            .iter()
            .filter(move |(_, subjects)| is_about(subjects));
        found.map(|(rule, _)| *rule)
    }

    /// All rules.
    pub fn all() -> impl Iterator<Item = Self> {
        RULES.iter().map(|(rule, ..)| *rule)
    }

    /// The name in configuration and outputs.
    #[must_use]
    pub fn id(self) -> &'static str {
        RULES[self as usize].1
    }

    /// The rule with this name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().find(|rule| rule.id() == id)
    }

    /// The requirement, in one sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        RULES[self as usize].2
    }

    /// The keys of `[check]` in `slope.toml` that configure the rule.
    #[must_use]
    pub fn keys(self) -> &'static [&'static str] {
        RULES[self as usize].3
    }
}

/// Effect of a violation on the judgement.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The violation is reported, but the change passes.
    Warning,
    /// The change does not pass.
    Error,
}

impl Level {
    /// Its name in configuration and outputs.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place in code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct GatePlace {
    /// Path relative to the judged folder, `/`-separated.
    pub path: String,
    /// Dotted name of the function; `null` for code outside of functions.
    pub function: Option<String>,
    /// Line, from 1.
    pub line: u32,
}

/// Evidence of a violation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Ledger entry of the function. Absent if the violation has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<LedgerEntry>,
    /// Findings. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Places of equal code, or functions to call instead. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<GatePlace>,
}

/// Something that a change makes worse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Violation {
    /// The rule.
    pub rule: GateRule,
    /// Effect on the judgement.
    pub level: Level,
    /// Part of the code base.
    pub part: Part,
    /// Path after the change; empty for the change as a whole.
    pub path: String,
    /// Dotted name of the function; `null` for code outside of functions.
    pub function: Option<String>,
    /// First line, from 1; 0 for the change as a whole.
    pub line: u32,
    /// Last line, from 1; 0 for the change as a whole.
    pub end_line: u32,
    /// Number before the change, in the unit of the rule; `null` for new code.
    pub before: Option<f64>,
    /// Number after the change.
    pub after: f64,
    /// Highest allowed number; `null` if the rule has no limit.
    pub limit: Option<f64>,
    /// Hash of rule, path, function and finding, as 16 hexadecimal digits. It does not change when lines shift.
    pub fingerprint: String,
    /// One sentence that says what is worse, with the numbers before and after.
    pub message: String,
    /// One sentence that says how to fix it.
    pub advice: String,
    /// Evidence of the violation.
    #[serde(default)]
    pub evidence: Evidence,
}

/// A violation that does not count, and the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Waived {
    /// The violation.
    pub violation: Violation,
    /// Reason in the waiver.
    pub reason: String,
    /// Last day of the waiver, `YYYY-MM-DD`; `null` for a comment without a date.
    pub until: Option<String>,
}

/// One side of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// Name: a revision, a folder, `working tree` or `index`.
    pub name: String,
    /// Hash of the commit; `null` if the side is not a commit.
    pub commit: Option<String>,
}

impl Side {
    /// The first digits of the commit; `None` if there is no commit, or the name contains them.
    #[must_use]
    pub fn short_commit(&self) -> Option<&str> {
        let commit = self.commit.as_deref()?;
        // A short branch name may consist of hexadecimal digits.
        let is_named = self.name.len() >= 7 && commit.starts_with(&self.name);
        (!is_named).then(|| commit.get(..10).unwrap_or(commit))
    }
}

/// Totals before and after a change, and their difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Balance {
    /// Totals before the change. Absent if slope measured only the files that the change concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Amounts>,
    /// Totals after the change. Absent if slope measured only the files that the change concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Amounts>,
    /// Exact difference. Mass is rounded once.
    pub change: Amounts,
    /// Part of `change` that reformatting alone causes.
    #[serde(default)]
    pub layout: Amounts,
}

/// Judgement of the gate about a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// Name and version of this format: `slope.judgement/1`.
    pub schema: String,
    /// Definitions behind the numbers.
    pub definitions: Definitions,
    /// Earlier side of the comparison.
    pub base: Side,
    /// Later side of the comparison, which slope judged.
    pub head: Side,
    /// Short explanation of how slope chose the base.
    pub chosen: String,
    /// Number of measured files that differ.
    pub files: usize,
    /// Whether the change passes: no violation has level `error`.
    pub passes: bool,
    /// Totals before and after, and their difference.
    pub balance: Balance,
    /// Change of each part of the code base.
    pub parts: BTreeMap<Part, Amounts>,
    /// Change of the last seven days, including this change. Absent without a weekly budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub week: Option<Amounts>,
    /// Change since the last point of a series, including this change. Absent without a limit of growth, or without a
    /// point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Amounts>,
    /// Violations: errors first, then by path and line.
    pub violations: Vec<Violation>,
    /// Waived violations. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<Waived>,
    /// Other messages, for example about files that slope could not measure. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Changed files that slope did not judge, or only in part, because they do not parse or cannot be read. Sorted by
    /// path. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gate_rules_match_their_ids() {
        for (index, rule) in GateRule::all().enumerate() {
            assert_eq!(rule as usize, index);
            let written = serde_json::to_value(rule).unwrap();
            assert_eq!(written, rule.id());
        }
        assert_eq!(GateRule::Ratchet as usize, RULES.len() - 1);
    }

    #[test]
    fn commit_is_omitted_if_already_named() {
        let short = |name: &str, commit: Option<&str>| {
            let side = Side {
                name: name.to_owned(),
                commit: commit.map(str::to_owned),
            };
            side.short_commit().map(str::to_owned)
        };
        let id = "de2a22cf80aa11";
        assert_eq!(short("main", Some(id)).as_deref(), Some("de2a22cf80"));
        assert_eq!(short("de2a22c", Some(id)), None);
        assert_eq!(short("de", Some(id)).as_deref(), Some("de2a22cf80"));
        assert_eq!(short("index", None), None);
    }
}
