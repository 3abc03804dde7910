//! Judgements of the gate about a change.
//!
//! A change is judged by its additions, never by existing code.

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
    /// A file that no longer parses.
    BrokenSyntax,
    /// A new function that is highly complex.
    NewComplexity,
    /// A function that was highly complex, or nearly, and became more so.
    ComplexityGrowth,
    /// New code that stands in the code base already.
    NewClone,
    /// A new function that does what another one does already.
    Reimplementation,
    /// New code that nothing uses or reaches, and code that the change left without use.
    DeadCode,
    /// A new finding of a rule in code that was changed.
    NewFinding,
    /// The change as a whole adds more than it may.
    ChangeBudget,
    /// The change and those of the last seven days add more than they may.
    WeekBudget,
    /// The change changes what is judged, or how.
    GateSetup,
    /// Something that the committed ratchet does not hold, or not as bad.
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
const RULES: [Row; 11] = [
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

    /// Its name in configuration and outputs.
    #[must_use]
    pub fn id(self) -> &'static str {
        RULES[self as usize].1
    }

    /// The rule of a name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().find(|rule| rule.id() == id)
    }

    /// Its requirement, in one sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        RULES[self as usize].2
    }

    /// The keys of `[check]` in `slope.toml` by which it is set.
    #[must_use]
    pub fn keys(self) -> &'static [&'static str] {
        RULES[self as usize].3
    }
}

/// What a violation does to the judgement.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// It is told, and the change passes all the same.
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
    /// Path relative to the top of what is judged, `/`-separated.
    pub path: String,
    /// Dotted name of the function; `None` for code outside of functions.
    pub function: Option<String>,
    /// Line, from 1.
    pub line: u32,
}

/// What a violation rests on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// The entry of the ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<LedgerEntry>,
    /// The findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Where the same code stands, or what could be called instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<GatePlace>,
}

/// One thing that a change makes worse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Violation {
    /// The rule.
    pub rule: GateRule,
    /// What it does to the judgement.
    pub level: Level,
    /// Part of the code base.
    pub part: Part,
    /// Path after the change; empty for the change as a whole.
    pub path: String,
    /// Dotted name of the function; `None` for code outside of functions.
    pub function: Option<String>,
    /// First line, from 1; 0 for the change as a whole.
    pub line: u32,
    /// Last line, from 1; 0 for the change as a whole.
    pub end_line: u32,
    /// The number before; `None` if there was nothing.
    pub before: Option<f64>,
    /// The number after.
    pub after: f64,
    /// The number that it may be, as far as a number is limited.
    pub limit: Option<f64>,
    /// 16 hexadecimal digits that stay when lines shift: of rule, path, function and what was found.
    pub fingerprint: String,
    /// What is worse, with the numbers before and after, in one sentence.
    pub message: String,
    /// What to do about it, in one sentence.
    pub advice: String,
    /// What it rests on.
    #[serde(default)]
    pub evidence: Evidence,
}

/// A violation that does not count, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Waived {
    /// The violation.
    pub violation: Violation,
    /// The reason that somebody gave.
    pub reason: String,
    /// Last day that the waiver holds, `YYYY-MM-DD`; `None` for one in a comment without an end.
    pub until: Option<String>,
}

/// One side of what was compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// What it is called: a revision, a folder, `working tree`, `index`.
    pub name: String,
    /// The commit, if it is one.
    pub commit: Option<String>,
}

impl Side {
    /// The first digits of the commit; `None` if there is no commit, or the name contains them.
    #[must_use]
    pub fn short_commit(&self) -> Option<&str> {
        let commit = self.commit.as_deref()?;
        // A branch may be called by a few letters that are digits, too.
        let is_named = self.name.len() >= 7 && commit.starts_with(&self.name);
        (!is_named).then(|| commit.get(..10).unwrap_or(commit))
    }
}

/// What a change adds to the whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Balance {
    /// The whole before it; `None` where no more than what the change concerns was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Amounts>,
    /// The whole after it; `None` as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Amounts>,
    /// What it adds, exactly; mass is rounded once.
    pub change: Amounts,
    /// The part of `change` that only reformatting makes.
    #[serde(default)]
    pub layout: Amounts,
}

/// What the gate says of a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// [`crate::schema::JUDGEMENT`].
    pub schema: String,
    /// Where the numbers came from.
    pub definitions: Definitions,
    /// What the change is held against.
    pub base: Side,
    /// What was judged.
    pub head: Side,
    /// How the base was chosen, in a few words.
    pub chosen: String,
    /// Files that differ and are measured.
    pub files: usize,
    /// Whether the change passes: there is no violation of level error.
    pub passes: bool,
    /// What the change adds to the whole.
    pub balance: Balance,
    /// What it adds to each part.
    pub parts: BTreeMap<Part, Amounts>,
    /// What the commits of the last seven days and this change add, if a budget asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub week: Option<Amounts>,
    /// What is worse, errors first, then by path and line.
    pub violations: Vec<Violation>,
    /// What is worse and does not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<Waived>,
    /// What a reader should know, such as files that could not be measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Paths of changed files that were not judged, or only in part, because they do not parse or cannot be read; in
    /// order.
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
