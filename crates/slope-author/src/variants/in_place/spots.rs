//! Occurrences of the places of `variants.toml` in a text, and those that take effect.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::{Globs, Place};
use crate::Error;
use crate::variants::Source;

/// Place with the files in which it is searched.
pub(super) struct Spot<'a> {
    pub(super) place: &'a Place,
    pub(super) files: GlobSet,
}

/// Bytes of a text that a place takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stand {
    /// Its first byte.
    pub(super) from: usize,
    /// The first byte behind it.
    pub(super) to: usize,
    /// Position of the place in `variants.toml`.
    pub(super) spot: usize,
}

/// Search from increasing positions. A match after the position is reused, so a text is read once
/// for any number of positions.
struct Ahead<F> {
    search: F,
    /// Result of the last search; absent before the first.
    found: Option<Option<usize>>,
}

impl<F: FnMut(usize) -> Option<usize>> Ahead<F> {
    fn new(search: F) -> Self {
        Self {
            search,
            found: None,
        }
    }

    /// The first point at `from` or behind it.
    fn from(&mut self, from: usize) -> Option<usize> {
        match self.found {
            Some(None) => None,
            Some(Some(at)) if at >= from => Some(at),
            _ => *self.found.insert((self.search)(from)),
        }
    }
}

impl Spot<'_> {
    /// Ranges of the place in a text, as start and end.
    pub(super) fn ranges<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (usize, usize)> + 't {
        let until = self.place.until.as_deref();
        let mut ahead =
            Ahead::new(move |from| text[from..].find(until?).map(|behind| from + behind));
        whole(text, self.place.find.get_ref()).filter_map(move |(from, end)| match until {
            None => Some((from, end)),
            Some(_) => Some((from, ahead.from(end)?)),
        })
    }
}

/// Occurrences of a text at borders of words and numbers, in order.
pub(super) fn whole<'t>(text: &'t str, find: &'t str) -> impl Iterator<Item = (usize, usize)> + 't {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let from = at + text[at..].find(find)?;
            let end = from + find.len();
            if !goes_on(&text[..from], &text[from..]) && !goes_on(&text[..end], &text[end..]) {
                at = end;
                return Some((from, end));
            }
            at = from + text[from..].chars().next()?.len_utf8();
        }
    })
}

/// Whether a word or a number continues across the border of `before` and `behind`. A capital after
/// a small letter begins a new word, and the letter of an escape such as `\n` belongs to none.
fn goes_on(before: &str, behind: &str) -> bool {
    let (Some(last), Some(next)) = (before.chars().next_back(), behind.chars().next()) else {
        return false;
    };
    if last.is_numeric() || next.is_numeric() {
        return last.is_numeric() && next.is_numeric();
    }
    let capital = last.is_lowercase() && next.is_uppercase();
    last.is_alphabetic() && next.is_alphabetic() && !capital && !ends_in_escape(before)
}

/// Whether the last character is escaped: preceded by an odd number of backslashes.
fn ends_in_escape(text: &str) -> bool {
    let slashes = text.chars().rev().skip(1).take_while(|c| *c == '\\');
    slashes.count() % 2 == 1
}

/// Occurrences of the chosen places in a text of a file, in the order of application: at the same
/// position the longest first, and of several with the same text the first declared one.
pub(super) fn stands(
    spots: &[Spot<'_>],
    path: &Path,
    text: &str,
    chosen: impl Fn(usize) -> bool,
) -> Vec<Stand> {
    let mut all = Vec::new();
    for (spot, of) in spots.iter().enumerate() {
        if chosen(spot) && of.files.is_match(path) {
            let ranges = of.ranges(text);
            all.extend(ranges.map(|(from, to)| Stand { from, to, spot }));
        }
    }
    all.sort_by_key(|stand| (stand.from, std::cmp::Reverse(stand.to)));
    all
}

/// The occurrences that take effect, from sorted ones: no two overlap.
pub(super) fn laid<'s>(stands: impl IntoIterator<Item = &'s Stand>) -> impl Iterator<Item = Stand> {
    let mut at = 0;
    stands.into_iter().copied().filter(move |stand| {
        let counts = stand.from >= at;
        if counts {
            at = stand.to;
        }
        counts
    })
}

/// Every place of `variants.toml` with its files.
///
/// # Errors
/// If a place has no text, or its `files` are invalid.
pub(super) fn spots(source: &Source) -> Result<Vec<Spot<'_>>, Error> {
    let spot = |place| {
        Ok(Spot {
            place,
            files: globs(source, place)?,
        })
    };
    source.variants.places.iter().map(spot).collect()
}

fn globs(source: &Source, place: &Place) -> Result<GlobSet, Error> {
    if place.find.get_ref().is_empty() {
        return Err(source.bad(
            &place.find,
            "`find` is empty\nhelp: give it a text of the published form",
        ));
    }
    let patterns = match &place.files {
        Globs::One(one) => std::slice::from_ref(one),
        Globs::Several(several) => several,
    };
    let bad = |e: globset::Error| source.bad(&place.find, &format!("its `files`: {e}"));
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        builder.add(glob.map_err(bad)?);
    }
    builder.build().map_err(bad)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

    use super::*;

    #[test]
    fn search_ahead_reads_text_once() {
        for text in ["a".repeat(1000), "a".repeat(999) + "b", "ab".repeat(500)] {
            let mut searched = 0;
            let mut ahead = Ahead::new(|from: usize| {
                let at = text[from..].find('b').map(|behind| from + behind);
                searched += at.unwrap_or(text.len()) - from;
                at
            });
            for from in 0..text.len() {
                let wanted = text[from..].find('b').map(|behind| from + behind);
                assert_eq!(ahead.from(from), wanted);
            }
            assert!(searched <= text.len(), "{searched}");
        }
    }

    #[test]
    fn places_match_whole_words_and_numbers() {
        for (text, find, wanted) in [
            ("at most 400, at most 40", "at most 40", vec![13]),
            ("140 grams 40 grams", "40 grams", vec![10]),
            ("grammar gram", "gram", vec![8]),
            ("kilogram perGram gram_2", "gram", vec![17]),
            ("perGram", "Gram", vec![3]),
            (r#""\ngram" "\\ngram""#, "gram", vec![3]),
            ("40m x40", "40", vec![0, 5]),
            ("ba-a-a", "a-a", vec![3]),
            ("(40)", "(40)", vec![0]),
        ] {
            let found: Vec<usize> = whole(text, find).map(|(from, _)| from).collect();
            assert_eq!(found, wanted, "{find} in {text}");
        }
    }
}
