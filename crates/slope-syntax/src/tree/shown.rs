//! What the grammar sees of a text: not what it cannot read, or reads again and again.

use std::borrow::Cow;

use super::flatten::Flat;
use super::{Limits, ParseError, parse_flat, runs};
use crate::exports;
use crate::language::Language;

/// What the grammar sees of a text.
pub(super) struct Shown<'t> {
    /// As long as the text.
    pub(super) text: Cow<'t, str>,
    /// Parts of it; nothing for all.
    pub(super) ranges: Vec<tree_sitter::Range>,
}

impl<'t> Shown<'t> {
    /// The text as it is written.
    pub(super) fn as_written(text: &'t str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            ranges: Vec::new(),
        }
    }

    pub(super) fn of(language: Language, text: &'t str, line_starts: &[u32]) -> Self {
        Self {
            text: match language.id() {
                "cpp" => exports::blanked(text),
                _ => Cow::Borrowed(text),
            },
            ranges: runs::seen(language, text, line_starts),
        }
    }
}

/// The nodes of a text of which the grammar may be shown another form, if it cannot read it as it is
/// written: what is read better is taken.
pub(super) fn parse_best(
    language: Language,
    text: &str,
    line_starts: &[u32],
    limits: &Limits,
) -> Result<(Flat, bool), ParseError> {
    let shown = Shown::of(language, text, line_starts);
    if matches!(shown.text, Cow::Borrowed(_)) {
        return parse_flat(language, &shown, line_starts, limits);
    }
    let written = Shown::as_written(text);
    let written = parse_flat(language, &written, line_starts, limits)?;
    let count = |flat: &Flat| flat.errors.map_or(0, |errors| errors.count);
    if count(&written.0) == 0 {
        return Ok(written);
    }
    let other = parse_flat(language, &shown, line_starts, limits).ok();
    let better = other.filter(|other| count(&other.0) < count(&written.0));
    Ok(better.unwrap_or(written))
}
