//! Diffs that points have.

use minijinja::{Value, context};
use slope_model::series::PlaceDiff;

use super::trial::numbered;
use crate::format::code_line;

/// The hunks of a diff, line by line.
pub(super) fn value(diff: &PlaceDiff) -> Value {
    let line = |(text, number): (&str, Option<u32>)| {
        let tone = match text.chars().next() {
            Some('+') => "add",
            Some('-') => "del",
            _ => "same",
        };
        context! { text => code_line(text), tone, number }
    };
    let hunks = diff.hunks.iter();
    let hunks = hunks.map(|hunk| numbered(hunk).map(line).collect::<Vec<_>>());
    let count = |sign: char| {
        let lines = diff.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.starts_with(sign)).count()
    };
    context! {
        hunks => hunks.collect::<Vec<_>>(),
        left_out => diff.left_out,
        added => count('+'),
        removed => count('-'),
    }
}
