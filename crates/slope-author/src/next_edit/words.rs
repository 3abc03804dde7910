//! Texts as words, and the difference between two texts.

use std::collections::BTreeMap;

use similar::{Algorithm, DiffOp};

/// Splits a text into words: a run of letters, digits and underscores; a run of white space within a line; a
/// line end; and each other character by itself.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let kind = Kind::of(first);
        let alone = matches!(kind, Kind::LineEnd | Kind::Sign);
        let end = if alone {
            first.len_utf8()
        } else {
            rest.find(|c| Kind::of(c) != kind).unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(end);
        found.push(word);
        rest = after;
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Space,
    LineEnd,
    Sign,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            '\n' => Self::LineEnd,
            c if c.is_alphanumeric() || c == '_' => Self::Name,
            c if c.is_whitespace() => Self::Space,
            _ => Self::Sign,
        }
    }
}

/// Whether a word is a name or a number: has letters, digits or underscores.
pub(super) fn is_name(word: &str) -> bool {
    word.chars()
        .next()
        .is_some_and(|c| Kind::of(c) == Kind::Name)
}

/// Number of characters of a word; white space of any width counts as one.
pub(super) fn weight(word: &str) -> usize {
    if word.trim().is_empty() {
        1
    } else {
        word.chars().count()
    }
}

/// An edit of a list of words: which are deleted, and which are inserted before which.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Change<'a> {
    /// Indices of deleted words, ascending.
    pub(super) deleted: Vec<usize>,
    /// Inserted words by the index of the word after them.
    pub(super) inserted: BTreeMap<usize, Vec<&'a str>>,
}

/// The change from `old` to `new`, by Myers' algorithm.
pub(super) fn change<'a>(old: &[&str], new: &[&'a str]) -> Change<'a> {
    let mut change = Change::default();
    for op in similar::capture_diff_slices(Algorithm::Myers, old, new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        change.deleted.extend(op.old_range());
        let inserted = &new[op.new_range()];
        if !inserted.is_empty() {
            let at = change.inserted.entry(op.old_range().start).or_default();
            at.extend(inserted);
        }
    }
    change
}
