//! Workflow commands that GitHub shows at changed lines.

use std::cmp::Reverse;
use std::fmt::Write;

use slope_model::finding::Severity;

use super::{Diagnostic, Report, severity_word};
use crate::format::clean_path;

/// GitHub shows at most ten annotations of each level from one step and silently drops the rest.
const MAX_OF_A_LEVEL: usize = 10;

/// Errors first, then warnings, then hints. Silenced diagnostics are left out.
pub(crate) fn render(report: &Report<'_>) -> String {
    let all = report.diagnostics.iter();
    let mut open: Vec<_> = all.filter(|d| d.silenced.is_none()).collect();
    open.sort_by_key(|d| Reverse(d.severity));
    let mut out = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Hint] {
        let of_level = open.iter().filter(|d| d.severity == severity);
        // The last notice is the summary's.
        let most = MAX_OF_A_LEVEL - usize::from(severity == Severity::Hint);
        for diagnostic in of_level.take(most) {
            annotation(&mut out, report, diagnostic);
        }
    }
    let mut text = report.summary.clone();
    let rest = open.len() - out.lines().count();
    // Writing to a String cannot fail.
    if rest > 0 {
        let _ = write!(
            text,
            "; {rest} more are not annotated, because GitHub shows only {MAX_OF_A_LEVEL} of \
             each level: --format sarif has all"
        );
    }
    if let Some(definitions) = &report.definitions {
        let _ = write!(text, "; definitions {definitions}");
    }
    let title = property(&report.title);
    let _ = writeln!(out, "::notice title={title}::{}", data(&text));
    out
}

fn annotation(out: &mut String, report: &Report<'_>, diagnostic: &Diagnostic<'_>) {
    let command = severity_word(diagnostic.severity, ["notice", "warning", "error"]);
    let mut place = String::new();
    if let Some(super::Place { path, span }) = diagnostic.place {
        let _ = write!(
            place,
            "file={},line={},endLine={},",
            property(&clean_path(&report.shown(path))),
            span.start_line.max(1),
            span.end_line.max(span.start_line).max(1)
        );
        // Columns of several lines would be refused.
        if span.start_line == span.end_line && span.start_column > 0 {
            let _ = write!(
                place,
                "col={},endColumn={},",
                span.start_column, span.end_column
            );
        }
    }
    let title = property(&format!("slope {}", diagnostic.rule));
    let _ = writeln!(
        out,
        "::{command} {place}title={title}::{}",
        data(&diagnostic.message)
    );
}

/// Text of a command, in which a line end would start another command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A value of a command's property, which `:` and `,` would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
