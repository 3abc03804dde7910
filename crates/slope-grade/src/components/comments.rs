//! Comments that an edit adds: code of the file, and single ones that only name the statement below.

use std::borrow::Cow;
use std::collections::HashSet;

use slope_measure::{FileView, names_statement};
use slope_model::grade::Evidence;

use super::judged::{Judged, number, place};
use crate::edit::Text;
use crate::lines::Line;

/// Minimum letters of a line of code in a comment.
const MIN_LETTERS: usize = 4;
/// Largest distance of lines of code in one run of comments.
const MAX_GAP: u32 = 3;
/// Signs of code. `else` alone could be prose.
const CODE: &[char] = &['(', ')', '=', ';', '{', '}', '[', '<', '.', ':'];

/// A file of production code before and after the edit, and the lines that it adds.
struct Changed<'a> {
    view: &'a FileView,
    before: Option<&'a FileView>,
    old: Cow<'a, str>,
    new: Cow<'a, str>,
    added: &'a [Line<'a>],
}

impl<'a> Changed<'a> {
    fn all(judged: &'a Judged<'a>) -> impl Iterator<Item = Self> {
        let files = judged.product_files();
        files.filter_map(|(before, after)| {
            let view = after?;
            let (old, new) = judged.edit.files.get(view.path())?;
            Some(Self {
                view,
                before,
                old: shown(old),
                new: shown(new),
                added: judged.lines.gained(view.path()),
            })
        })
    }

    /// Comments that the edit adds on rows of their own: the line from 1, and the text without markers.
    fn comments(&self) -> impl Iterator<Item = (u32, &str)> {
        self.added.iter().filter_map(|(line, text)| {
            let is_code = self.view.source().contains(line.saturating_sub(1));
            Some((*line, inner(text).filter(|_| !is_code)?))
        })
    }
}

impl Changed<'_> {
    /// Lines of code without space, before and after.
    fn code(&self) -> HashSet<String> {
        let sides = [(self.before, &self.old), (Some(self.view), &self.new)];
        let sides = sides
            .into_iter()
            .filter_map(|(view, text)| Some((view?, text)));
        let lines = sides.flat_map(|(view, text)| {
            let rows = text.lines().zip(0..);
            let rows = rows.filter(|(_, row)| view.source().contains(*row));
            rows.filter_map(|(line, _)| plain(line))
        });
        lines.collect()
    }

    /// Runs of comments with code of the file: first and last line, and the number of lines of code.
    fn runs(&self) -> Vec<(u32, u32, u32)> {
        let code = self.code();
        let is_code = |text: &str| plain(text).is_some_and(|text| code.contains(&text));
        let mut runs: Vec<(u32, u32, u32)> = Vec::new();
        for (line, _) in self.comments().filter(|(_, text)| is_code(text)) {
            match runs.last_mut() {
                Some((_, last, count)) if line <= *last + MAX_GAP => {
                    (*last, *count) = (line, *count + 1);
                }
                _ => runs.push((line, line, 1)),
            }
        }
        runs
    }
}

fn shown(text: &Text) -> Cow<'_, str> {
    String::from_utf8_lossy(text.as_deref().unwrap_or_default())
}

/// The text of a line that is a comment and not documentation.
fn inner(line: &str) -> Option<&str> {
    let line = line.trim();
    let is_documentation = ["///", "//!", "/**", "#!", "##"]
        .iter()
        .any(|mark| line.starts_with(mark));
    if is_documentation {
        return None;
    }
    if let Some(rest) = line.strip_prefix("/*") {
        return Some(rest.strip_suffix("*/").unwrap_or(rest).trim());
    }
    let rest = ["//", "#", "--"]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))?;
    Some(rest.trim())
}

/// A line of code without space, if it is enough to recognise it.
fn plain(line: &str) -> Option<String> {
    let text: String = line.split_whitespace().collect();
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    (letters >= MIN_LETTERS && text.contains(CODE)).then_some(text)
}

/// Runs of comments with code that the file has, or had before the edit. The amount is the number of such lines.
pub(super) fn with_old_code(judged: &Judged<'_>, signal: &str, kind: &str) -> Vec<Evidence> {
    let mut found = Vec::new();
    for file in Changed::all(judged) {
        if file.comments().next().is_none() {
            continue;
        }
        found.extend(file.runs().into_iter().map(|(first, last, count)| Evidence {
            signal: signal.to_owned(),
            kind: kind.to_owned(),
            at: place(file.view.path(), first, last),
            of: None,
            message: format!(
                "{count} lines of comments are code of the file; version control remembers it."
            ),
            amount: number(i64::from(count)),
        }));
    }
    found
}

/// Single comments in functions that only name the statement below.
pub(super) fn narrating(
    judged: &Judged<'_>,
    signal: &str,
    kind: &str,
    amount: f64,
) -> Vec<Evidence> {
    let mut found = Vec::new();
    for file in Changed::all(judged) {
        let rows: Vec<&str> = file.new.lines().collect();
        for (line, text) in file.comments() {
            let at = line as usize;
            let is_comment = |row: Option<&&str>| row.is_some_and(|row| inner(row).is_some());
            let is_alone = !is_comment(at.checked_sub(2).and_then(|row| rows.get(row)));
            let below = rows.get(at).filter(|_| file.view.source().contains(line));
            let is_inside = file
                .view
                .callables()
                .iter()
                .any(|one| one.span.start_line < line && line <= one.span.end_line);
            if is_alone && is_inside && below.is_some_and(|code| names_statement(text, code)) {
                found.push(Evidence {
                    signal: signal.to_owned(),
                    kind: kind.to_owned(),
                    at: place(file.view.path(), line, line),
                    of: None,
                    message: format!("`{text}` only names the statement below."),
                    amount,
                });
            }
        }
    }
    found
}
