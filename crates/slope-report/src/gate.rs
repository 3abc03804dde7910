//! Judgements of the gate as text, JSON, SARIF and formats for continuous integration.

mod diagnostics;
mod human;
mod markdown;
mod replay;

use schemars::Schema;
use slope_model::gate::{Judgement, Level};
use slope_model::ledger::Amounts;

use crate::format::{clean, plural, signed};
use crate::formats::{Format, JUDGEMENT_FORMATS, RenderError};
use crate::measurement::schema_of;

pub use replay::{render_replay, replay_schema};

/// Amount and style of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JudgementDetail {
    /// Whether to show the evidence of each violation as well.
    pub evidence: bool,
    /// Whether colours are used.
    pub color: bool,
}

/// Renders a judgement in a format.
///
/// # Errors
/// If the format is not one of [`JUDGEMENT_FORMATS`], or JSON cannot be written.
pub fn render_judgement(
    format: Format,
    judgement: &Judgement,
    detail: &JudgementDetail,
) -> Result<String, RenderError> {
    Ok(match format {
        Format::Human => human::render(judgement, detail),
        Format::Json => serde_json::to_string_pretty(judgement)? + "\n",
        Format::Jsonl => jsonl(judgement)?,
        Format::Markdown => markdown::render(judgement, detail),
        _ => crate::diagnostics::render(format, &diagnostics::report(judgement))?
            .ok_or_else(|| RenderError::new("a judgement", format, JUDGEMENT_FORMATS))?,
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
        // A user who named a commit knows this.
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

/// The additions of the change, in one line; those by reformatting come last. A ratchet judges the
/// whole tree instead of a change.
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
