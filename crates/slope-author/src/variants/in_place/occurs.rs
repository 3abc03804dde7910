//! Check that each word and each place of `variants.toml` is in the published form, and counts there.

use std::collections::BTreeSet;
use std::path::Path;

use super::spots::{Spot, laid, stands, whole};
use super::{Change, Piece, parts};
use crate::Error;
use crate::variants::Source;
use crate::workspace::Workspace;

/// Part of a published file in which words and places are searched.
struct Part<'a> {
    path: &'a Path,
    /// Its first line in the file.
    line: usize,
    text: String,
}

/// Checks that each word and each place of `variants.toml` occurs in the published form.
///
/// # Errors
/// If one is missing, or other places cover all occurrences of a place.
pub(super) fn everything_occurs(
    source: &Source,
    first: &Change,
    spots: &[Spot<'_>],
    published: &Workspace,
) -> Result<(), Error> {
    let all = open_parts(published);
    words_occur(source, first, published, &all)?;
    let mut counts = vec![false; spots.len()];
    for part in &all {
        find_counting(spots, part, &mut counts);
    }
    match counts.iter().position(|counts| !counts) {
        None => Ok(()),
        Some(at) => {
            let why = why_not(source, spots, at, published, &all);
            Err(source.bad(&spots[at].place.find, &why))
        }
    }
}

fn open_parts(published: &Workspace) -> Vec<Part<'_>> {
    let mut all = Vec::new();
    for (path, file) in &published.files {
        let text = std::str::from_utf8(&file.bytes).unwrap_or_default();
        let mut line = 1;
        for part in parts(path, text) {
            let lines = part.text().matches('\n').count();
            if let Piece::Open(text) = part {
                all.push(Part { path, line, text });
            }
            line += lines;
        }
    }
    all
}

fn words_occur(
    source: &Source,
    first: &Change,
    published: &Workspace,
    all: &[Part<'_>],
) -> Result<(), Error> {
    let mut words = BTreeSet::new();
    for path in published.files.keys() {
        first.words.replace(&path.to_string_lossy(), &mut words);
    }
    for part in all {
        first.words.replace(&part.text, &mut words);
    }
    let absent = (0..)
        .zip(&source.variants.words)
        .find(|(at, _)| !words.contains(at));
    let Some((_, (word, of))) = absent else {
        return Ok(());
    };
    let why =
        format!("the word `{word}` occurs nowhere as a whole part of a name\nhelp: remove it");
    Err(source.bad(of, &why))
}

/// Marks the places that take effect somewhere in a part, if all places apply that apply whenever
/// they do.
fn find_counting(spots: &[Spot<'_>], part: &Part<'_>, counts: &mut [bool]) {
    let all = stands(spots, part.path, &part.text, |_| true);
    for spot in all.iter().map(|stand| stand.spot) {
        if !counts[spot] {
            let beside = all.iter().filter(|s| holds_with(spots, s.spot, spot));
            counts[spot] = laid(beside).any(|stand| stand.spot == spot);
        }
    }
}

/// Whether `other` applies whenever `spot` does, judging by their `when`: it has none, or the same.
fn holds_with(spots: &[Spot<'_>], other: usize, spot: usize) -> bool {
    let when = |at: usize| spots[at].place.when.as_ref().map(toml::Spanned::get_ref);
    when(other).is_none() || when(other) == when(spot)
}

/// Reason that the place at `at` never takes effect, with a remedy.
fn why_not(
    source: &Source,
    spots: &[Spot<'_>],
    at: usize,
    published: &Workspace,
    all: &[Part<'_>],
) -> String {
    let spot = &spots[at];
    if !published.files.keys().any(|path| spot.files.is_match(path)) {
        return "no file of the problem matches its `files`\nhelp: give them relative to the problem's folder"
            .to_owned();
    }
    let find = spot.place.find.get_ref();
    let there = || all.iter().filter(|part| spot.files.is_match(part.path));
    let taken = there().find_map(|part| Some((part, taken_by(spots, at, part)?)));
    if let Some((part, (from, by))) = taken {
        let line = source.line(&spots[by].place.find);
        return format!(
            "the place of line {line} takes every {find:?} (first in {}), since it starts earlier, \
             is longer or is listed first\nhelp: remove one of them, or separate them by `files` or `when`",
            part.point(from)
        );
    }
    let open = there().find_map(|part| Some((part, whole(&part.text, find).next()?.0)));
    if let (Some((part, from)), Some(until)) = (open, &spot.place.until) {
        return format!(
            "{find:?} is in {}, but its `until` {until:?} does not follow it\nhelp: write `until` as in the \
             published form, in the same file",
            part.point(from)
        );
    }
    match there().find_map(|part| Some((part, part.text.find(find.as_str())?))) {
        Some((part, from)) => format!(
            "{find:?} occurs only inside longer words or numbers (first in {})\nhelp: write the whole words",
            part.point(from)
        ),
        None => {
            format!("{find:?} is not in its files\nhelp: write it as in the published form")
        }
    }
}

/// First position of a place in a part, and the place that covers it there.
fn taken_by(spots: &[Spot<'_>], at: usize, part: &Part<'_>) -> Option<(usize, usize)> {
    let all = stands(spots, part.path, &part.text, |other| {
        holds_with(spots, other, at)
    });
    let ours = all.iter().find(|stand| stand.spot == at)?;
    let by = laid(&all).find(|stand| stand.to > ours.from)?;
    Some((ours.from, by.spot))
}

impl Part<'_> {
    /// A point of the part as `file:line`.
    fn point(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        let line = self.line + before.matches('\n').count();
        format!("{}:{line}", self.path.display())
    }
}
