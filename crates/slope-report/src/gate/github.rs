//! Workflow commands that GitHub shows at changed lines.

use std::fmt::Write;

use slope_model::gate::{Judgement, Level};

use super::{balance, compared, verdict};
use crate::format::{clean, clean_path};

/// GitHub shows at most ten annotations of each level from one step and drops the rest unsaid.
const MOST_OF_A_LEVEL: usize = 10;

pub(super) fn render(judgement: &Judgement) -> String {
    let mut out = String::new();
    let mut shown = 0;
    for level in [Level::Error, Level::Warning] {
        let of = judgement.violations.iter().filter(|v| v.level == level);
        for violation in of.take(MOST_OF_A_LEVEL) {
            shown += 1;
            let mut place = String::new();
            if !violation.path.is_empty() {
                // Writing to a String cannot fail.
                let _ = write!(
                    place,
                    "file={},line={},endLine={},",
                    property(&clean_path(&violation.path)),
                    violation.line.max(1),
                    violation.end_line.max(violation.line).max(1)
                );
            }
            let title = property(&format!("slope {}", violation.rule.id()));
            let text = format!("{} {}", clean(&violation.message), clean(&violation.advice));
            let _ = writeln!(
                out,
                "::{} {place}title={title}::{}",
                level.id(),
                data(&text)
            );
        }
    }
    let mut text = format!("{} {}", verdict(judgement), compared(judgement));
    if let Some(added) = balance(judgement) {
        let _ = write!(text, "; {added}");
    }
    let rest = judgement.violations.len() - shown;
    if rest > 0 {
        let _ = write!(
            text,
            "; {rest} more are not annotated, because GitHub shows only {MOST_OF_A_LEVEL} of \
             each level: --format sarif has all"
        );
    }
    let _ = writeln!(out, "::notice title=slope check::{}", data(&text));
    out
}

/// Text of a command, in which a line end would begin another command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A value of a command's property, which `:` and `,` would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
