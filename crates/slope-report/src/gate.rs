//! Judgements of the gate as text, JSON, SARIF and what continuous integration reads.

mod github;
mod gitlab;
mod human;
mod markdown;
mod sarif;

use schemars::Schema;
use slope_model::gate::{Judgement, Level};
use slope_model::ledger::Amounts;

use crate::format::{clean, plural, signed};
use crate::measurement::schema_of;

/// Form of a judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgementFormat {
    /// Lines for a terminal.
    Human,
    /// The judgement as one JSON document.
    Json,
    /// One JSON object a violation, and one of the rest at the end.
    Jsonl,
    /// SARIF 2.1.0.
    Sarif,
    /// GitHub workflow annotations.
    Github,
    /// GitLab Code Quality.
    Gitlab,
    /// A comment for a pull request.
    Markdown,
}

impl JudgementFormat {
    /// All forms.
    pub const ALL: [Self; 7] = [
        Self::Human,
        Self::Json,
        Self::Jsonl,
        Self::Sarif,
        Self::Github,
        Self::Gitlab,
        Self::Markdown,
    ];

    /// The form's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Markdown => "markdown",
        }
    }

    /// Whether it shows the whole before and after, besides what the change adds.
    #[must_use]
    pub fn tells_whole(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl)
    }

    /// The form of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The form that a file of this name is in, if its suffix says so.
    #[must_use]
    pub fn of_file(name: &str) -> Option<Self> {
        let suffixes = [
            (".sarif", Self::Sarif),
            (".sarif.json", Self::Sarif),
            ("gl-code-quality-report.json", Self::Gitlab),
            (".json", Self::Json),
            (".jsonl", Self::Jsonl),
            (".md", Self::Markdown),
            (".txt", Self::Human),
        ];
        let name = name.to_ascii_lowercase();
        let found = suffixes.iter().find(|(suffix, _)| name.ends_with(suffix));
        found.map(|(_, format)| *format)
    }
}

/// How much to show, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JudgementDetail {
    /// Whether to show the evidence of each violation as well.
    pub evidence: bool,
    /// Whether colours are used.
    pub color: bool,
}

/// A judgement in a form.
///
/// # Errors
/// If it cannot be written as JSON, which no judgement of slope's own is.
pub fn render_judgement(
    format: JudgementFormat,
    judgement: &Judgement,
    detail: &JudgementDetail,
) -> Result<String, serde_json::Error> {
    Ok(match format {
        JudgementFormat::Human => human::render(judgement, detail),
        JudgementFormat::Json => serde_json::to_string_pretty(judgement)? + "\n",
        JudgementFormat::Jsonl => jsonl(judgement)?,
        JudgementFormat::Sarif => sarif::render(judgement)?,
        JudgementFormat::Github => github::render(judgement),
        JudgementFormat::Gitlab => gitlab::render(judgement)?,
        JudgementFormat::Markdown => markdown::render(judgement, detail),
    })
}

/// The JSON schema of a judgement.
#[must_use]
pub fn judgement_schema() -> Schema {
    schema_of::<Judgement>()
}

fn jsonl(judgement: &Judgement) -> Result<String, serde_json::Error> {
    let mut out = String::new();
    for violation in &judgement.violations {
        out.push_str(&serde_json::to_string(violation)?);
        out.push('\n');
    }
    let rest = Judgement {
        violations: Vec::new(),
        ..judgement.clone()
    };
    out.push_str(&serde_json::to_string(&rest)?);
    out.push('\n');
    Ok(out)
}

/// The comparison, in one line.
fn compared(judgement: &Judgement) -> String {
    let commit = judgement.base.short_commit();
    let commit = commit.map_or_else(String::new, |id| format!(" {id}"));
    let files = plural(judgement.files, "file");
    format!(
        "{} against {}{commit} ({}), {files}",
        clean(&judgement.head.name),
        clean(&judgement.base.name),
        clean(&judgement.chosen),
    )
}

/// The outcome in one line.
fn verdict(judgement: &Judgement) -> String {
    let is_silent = judgement.violations.is_empty() && judgement.waived.is_empty();
    if judgement.files == 0 && is_silent {
        let nothing = "Nothing to judge: no measured file differs.";
        // Whoever names a commit knows how.
        return match &judgement.head.commit {
            Some(_) => nothing.to_owned(),
            None => format!(
                "{nothing} To judge the last commit, run `slope check --base HEAD~1 --head HEAD`."
            ),
        };
    }
    let count = |level| {
        let of = judgement.violations.iter().filter(|v| v.level == level);
        of.count()
    };
    let (errors, warnings) = (count(Level::Error), count(Level::Warning));
    let mut parts = Vec::new();
    if errors > 0 {
        parts.push(plural(errors, "error"));
    }
    if warnings > 0 {
        parts.push(plural(warnings, "warning"));
    }
    if !judgement.waived.is_empty() {
        parts.push(format!("{} waived", judgement.waived.len()));
    }
    let told = match parts.is_empty() {
        true => "Nothing is worse".to_owned(),
        false => parts.join(", "),
    };
    let end = match judgement.passes {
        true => "the change passes",
        false => "the change does not pass",
    };
    let unjudged = match judgement.unjudged.len() {
        0 => String::new(),
        files => format!(" {} could not be judged in full.", plural(files, "file")),
    };
    format!("{told}: {end}.{unjudged}")
}

/// What the change adds, in one line. What only reformatting adds comes last. A ratchet judges the whole tree and no
/// change.
fn balance(judgement: &Judgement) -> Option<String> {
    let balance = &judgement.balance;
    if judgement.parts.is_empty() {
        return None;
    }
    let code = amounts(&(balance.change - balance.layout));
    if balance.layout.is_zero() && balance.layout.sloc == 0 {
        return Some(code);
    }
    let layout = amounts(&balance.layout);
    Some(format!("{code}. Reformatting adds: {layout}"))
}

fn amounts(amounts: &Amounts) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let count = |n: i64| signed(n as f64, 0);
    format!(
        "mass {}, clone lines {}, flagged lines {}, dead code {}, source lines {}",
        signed(amounts.mass, 1),
        count(amounts.clone_lines),
        count(amounts.flagged_lines),
        count(amounts.dead_code),
        count(amounts.sloc),
    )
}
