//! Workflow commands that GitHub shows at changed lines.

use std::cmp::Reverse;
use std::fmt::Write;

use slope_model::finding::Severity;

use super::Subject;
use super::digest;
use super::issues::{self, Issue, severity_word};
use crate::format::clean_path;

/// GitHub shows at most ten annotations of each level from one step and drops the rest unsaid.
const MOST_OF_A_LEVEL: usize = 10;

/// Errors first, then warnings, then hints; silenced findings are left out.
pub(super) fn render(subject: &Subject<'_>) -> String {
    let mut issues = issues::issues(subject);
    issues.retain(|issue| issue.suppressed.is_none());
    issues.sort_by_key(|issue| Reverse(issue.severity));
    let mut out = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Hint] {
        let level = issues.iter().filter(|issue| issue.severity == severity);
        // The last notice is the summary's.
        let most = MOST_OF_A_LEVEL - usize::from(severity == Severity::Hint);
        for issue in level.take(most) {
            annotation(&mut out, subject, issue);
        }
    }
    let shown = out.lines().count();
    let mut text = digest::one_line(subject.measurement);
    if issues.len() > shown {
        let rest = issues.len() - shown;
        let _ = write!(
            text,
            "; {rest} more places are not annotated, because GitHub shows only \
             {MOST_OF_A_LEVEL} of each level: --format sarif has all"
        );
    }
    let definitions = digest::definitions_line(subject.measurement);
    let text = data(&format!("{text}; definitions {definitions}"));
    let title = property(&format!(
        "slope, profile {}",
        digest::profile(subject.measurement)
    ));
    // Writing to a String cannot fail.
    let _ = writeln!(out, "::notice title={title}::{text}");
    out
}

fn annotation(out: &mut String, subject: &Subject<'_>, issue: &Issue<'_>) {
    let command = severity_word(issue.severity, ["notice", "warning", "error"]);
    let span = issue.span;
    let mut place = format!(
        "file={},line={},endLine={}",
        property(&clean_path(&subject.path(issue.path))),
        span.start_line,
        span.end_line
    );
    // Columns of several lines would be refused.
    if span.start_line == span.end_line {
        let _ = write!(
            place,
            ",col={},endColumn={}",
            span.start_column, span.end_column
        );
    }
    let title = property(&format!("slope {}", issue.rule));
    let _ = writeln!(
        out,
        "::{command} {place},title={title}::{}",
        data(&issue.message)
    );
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
