//! Text as the grammar sees it, without parts that it cannot read, or would read repeatedly.

use std::borrow::Cow;

use super::flatten::Flat;
use super::{Limits, ParseError, parse_flat, runs};
use crate::language::Language;
use crate::repair;

/// The grammar's view of a text.
pub(super) struct Shown<'t> {
    /// As long as the text.
    pub(super) text: Cow<'t, str>,
    /// Parts of it; nothing for all.
    pub(super) ranges: Vec<tree_sitter::Range>,
}

impl<'t> Shown<'t> {
    /// The text as written.
    pub(super) fn as_written(text: &'t str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            ranges: Vec::new(),
        }
    }

    pub(super) fn of(language: Language, text: &'t str, line_starts: &[u32]) -> Self {
        Self {
            text: match language.spec().blanked {
                Some(blanked) => blanked(text),
                None => Cow::Borrowed(text),
            },
            ranges: runs::seen(language, text, line_starts),
        }
    }
}

/// The nodes of a text. If it does not parse, slope also tries rewritten texts, and keeps the tree with the fewest
/// errors.
pub(super) fn parse_best(
    language: Language,
    text: &str,
    line_starts: &[u32],
    limits: &Limits,
) -> Result<(Flat, bool), ParseError> {
    let shown = Shown::of(language, text, line_starts);
    let is_plain = matches!(shown.text, Cow::Borrowed(_));
    let first = match language.spec().shown {
        Some(rewrite) => Shown {
            text: rewrite(text),
            ranges: Vec::new(),
        },
        None if is_plain => shown,
        None => Shown::as_written(text),
    };
    let mut best = parse_flat(language, &first, line_starts, limits)?;
    let count = |flat: &Flat| flat.errors.map_or(0, |errors| errors.count);
    let mut forms = Vec::new();
    if count(&best.0) > 0 {
        if let Some(blanked) = language.spec().blanked.filter(|_| !is_plain) {
            forms.push(blanked(text));
        }
        forms.push(repaired(language, &first.text));
    }
    for form in forms {
        if count(&best.0) == 0 || matches!(form, Cow::Borrowed(_)) {
            continue;
        }
        let shown = Shown {
            text: form,
            ranges: first.ranges.clone(),
        };
        let other = parse_flat(language, &shown, line_starts, limits).ok();
        let better = other.filter(|other| count(&other.0) < count(&best.0));
        best = better.unwrap_or(best);
    }
    Ok(best)
}

/// A repaired text, also without what the grammar takes for names.
fn repaired(language: Language, text: &str) -> Cow<'_, str> {
    let Some(blanked) = language.spec().blanked else {
        return repair::repaired(language, text);
    };
    let blanked = blanked(text);
    match repair::repaired(language, &blanked) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(repaired) => Cow::Owned(repaired),
    }
}
