//! A judgement as a comment of a pull request. The first line is a mark for finding and updating
//! the comment.

use std::fmt::Write;

use slope_model::gate::{Judgement, Violation};

use super::{JudgementDetail, balance, compared, verdict};
use crate::format::clean;
use crate::markdown::escape;

/// Marks a comment of an earlier run.
const MARK: &str = "<!-- slope-check -->";

/// Most listed violations; a comment must be short.
const MOST: usize = 25;

pub(super) fn render(judgement: &Judgement, detail: &JudgementDetail) -> String {
    let mut out = format!("{MARK}\n");
    let sign = if judgement.passes { "✅" } else { "❌" };
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "### {sign} slope check\n\n{}\n",
        line(&verdict(judgement))
    );
    if !judgement.violations.is_empty() {
        out.push_str("| | place | problem | remedy |\n|---|---|---|---|\n");
        for violation in judgement.violations.iter().take(MOST) {
            row(&mut out, violation);
        }
        let rest = judgement.violations.len().saturating_sub(MOST);
        if rest > 0 {
            let _ = writeln!(out, "\n{rest} more; `slope check` lists them.");
        }
        out.push('\n');
    }
    for waived in &judgement.waived {
        let _ = writeln!(
            out,
            "* waived: {} ({})",
            line(&waived.violation.message),
            line(&waived.reason)
        );
    }
    for note in &judgement.notes {
        let _ = writeln!(out, "* note: {}", line(note));
    }
    let added = balance(judgement).map_or_else(String::new, |added| format!(" · {added}"));
    let _ = writeln!(out, "\n<sub>{}{added}</sub>", escape(&compared(judgement)));
    if detail.evidence {
        let _ = writeln!(
            out,
            "\n<sub>definitions {}</sub>",
            escape(&judgement.definitions.hash)
        );
    }
    out
}

fn row(out: &mut String, violation: &Violation) {
    let place = match violation.path.is_empty() {
        true => "the change".to_owned(),
        false => escape(&format!("{}:{}", violation.path, violation.line.max(1))),
    };
    let _ = writeln!(
        out,
        "| {} `{}` | {place} | {} | {} |",
        violation.level.id(),
        violation.rule.id(),
        line(&violation.message),
        line(&violation.advice),
    );
}

/// Text on one line, whatever lines it has.
fn line(text: &str) -> String {
    escape(&clean(text))
}
