//! Support for language versions that are newer than the grammar.
//!
//! If a text does not parse, slope rewrites new syntax to older syntax of the same length and parses again, so that all
//! offsets stay valid. Names come from the original text. slope keeps the new tree only if it has fewer errors, so a
//! pattern that matches too much does no harm.
//!
//! The folders of languages define the rewrites. Languages with a preprocessor share `conditionals`, and `patterns`
//! applies replacements.

pub(crate) mod conditionals;
mod patterns;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use patterns::Replacement;

use crate::language::Language;

/// A text with newer syntax rewritten. Borrowed if there is nothing to rewrite.
pub(crate) fn repaired(language: Language, text: &str) -> Cow<'_, str> {
    let mut out = Rewriter::new(text);
    for repair in language.spec().repairs {
        repair(&mut out);
    }
    patterns::rewrite(language, &mut out);
    out.finish()
}

/// Rewrites what a grammar lacks.
pub(crate) type Repair = fn(&mut Rewriter<'_>);

/// A range of a text and its replacement.
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    /// In ASCII, and no longer than the range.
    pub(crate) with: String,
}

impl Edit {
    pub(crate) fn new(range: Range<usize>, with: impl Into<String>) -> Self {
        Self {
            range,
            with: with.into(),
        }
    }

    pub(crate) fn blank(range: Range<usize>) -> Self {
        Self::new(range, "")
    }
}

/// Rewrites parts of a text, byte for byte.
pub(crate) struct Rewriter<'t> {
    written: &'t str,
    /// The rewritten text, if it differs.
    changed: Option<String>,
}

impl<'t> Rewriter<'t> {
    pub(crate) fn new(written: &'t str) -> Self {
        Self {
            written,
            changed: None,
        }
    }

    /// The current text.
    pub(crate) fn text(&self) -> &str {
        self.changed.as_deref().unwrap_or(self.written)
    }

    /// Replaces ranges by text, padded with spaces. Line ends stay. Ranges that are too short for their text, or
    /// that cut a character, stay unchanged.
    pub(crate) fn replace(&mut self, edits: &[Edit]) {
        let text = self.text();
        let fits = |edit: &&Edit| {
            let old = text.get(edit.range.clone());
            edit.with.is_ascii() && old.is_some_and(|old| edit.with.len() <= old.len())
        };
        let edits: Vec<&Edit> = edits.iter().filter(fits).collect();
        if edits.is_empty() {
            return;
        }
        let mut bytes = text.as_bytes().to_vec();
        for edit in edits {
            let mut with = edit.with.bytes();
            for byte in &mut bytes[edit.range.clone()] {
                if *byte != b'\n' {
                    *byte = with.next().unwrap_or(b' ');
                }
            }
        }
        // Whole characters were replaced, by ASCII.
        if let Ok(changed) = String::from_utf8(bytes) {
            self.changed = Some(changed);
        }
    }

    /// Replaces each of these line ends by spaces.
    pub(crate) fn join_lines(&mut self, ends: &[Range<usize>]) {
        if ends.is_empty() {
            return;
        }
        let mut bytes = self.text().as_bytes().to_vec();
        for end in ends {
            bytes[end.clone()].fill(b' ');
        }
        self.changed = String::from_utf8(bytes).ok().or(self.changed.take());
    }

    /// Replaces ranges by spaces.
    pub(crate) fn blank(&mut self, ranges: Vec<Range<usize>>) {
        let edits: Vec<Edit> = ranges.into_iter().map(Edit::blank).collect();
        self.replace(&edits);
    }

    pub(crate) fn finish(self) -> Cow<'t, str> {
        match self.changed {
            Some(changed) => Cow::Owned(changed),
            None => Cow::Borrowed(self.written),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewriting_keeps_length_and_lines() {
        let text = "a ää\nb\n";
        let mut out = Rewriter::new(text);
        out.replace(&[
            Edit::new(2..8, "x"),
            Edit::new(0..1, "too long"),
            Edit::new(3..4, "y"),
            Edit::blank(100..101),
        ]);
        assert_eq!(out.finish(), "a x   \n \n");
    }

    #[test]
    fn unrepaired_text_is_borrowed() {
        for language in Language::all() {
            let text = repaired(language, "x = 1\n");
            assert!(matches!(text, Cow::Borrowed(_)), "{}", language.id());
        }
    }
}
