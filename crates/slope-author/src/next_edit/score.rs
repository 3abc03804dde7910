//! Similarity of an answer to the expected edit.
//!
//! Three texts are compared: the file before (*base*), the file with the expected edit, and the
//! answered file. All are first brought to the form of [`normal`]. Two scores result.
//!
//! **Exact**: the answered file is the expected one.
//!
//! **Edit F** ([`DEFINITION`]): overlap of the text that the two edits insert and delete, in
//! characters.
//!
//! 1. The lines at the start of all three texts, and those at the end of all three, are left out.
//! 2. The rest is split into words: a run of letters, digits and underscores, a run of white space
//!    within a line, a line end, or any other single character. A word counts for its characters.
//!    White space counts for one, whatever its width, so that indentation earns little.
//! 3. Each edit is the shortest change of the base's words (Myers' algorithm): deleted words, and
//!    words inserted before a word of the base.
//! 4. In common are: words that both delete, and, before each word of the base, the heaviest common
//!    subsequence of the insertions of both.
//! 5. With the characters *c* in common, *e* of the expected edit and *p* of the answered one,
//!    precision is c / p, recall c / e, and F is 2c / (e + p).
//!
//! F is within 0 and 1, and 1 exactly for the expected file. An answer without changes has F 0 and
//! no precision. Expected and answered are interchangeable in F. Words are compared as units: half
//! of a correct name is a wrong name. If any of the three texts has more than [`MAX_WORDS`] words
//! after step 1, none is aligned: F is 0 unless the answer is exact.

use serde::Serialize;
use slope_problem::next_edit::normal;

use super::words::{Change, change, weight, words};

/// Version of the definition of both scores.
pub const DEFINITION: &str = "slope.edit-f/1";
/// Maximum number of words of each text, from the first to the last line in which they differ, for
/// an alignment.
pub const MAX_WORDS: usize = 20_000;

/// Scores of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// Whether the answered file equals the expected one.
    pub exact: bool,
    /// Share of the answered edit that is expected; `None` if the answer changed nothing.
    pub precision: Option<f64>,
    /// Share of the expected edit that was answered; `None` if no edit is expected.
    pub recall: Option<f64>,
    /// Their harmonic mean.
    pub f: f64,
}

impl Score {
    /// The scores of an unusable answer.
    pub const NOTHING: Self = Self {
        exact: false,
        precision: None,
        recall: Some(0.0),
        f: 0.0,
    };

    /// The scores of the expected file; `is_edited` says whether it differs from the base.
    fn exact(is_edited: bool) -> Self {
        let whole = is_edited.then_some(1.0);
        Self {
            exact: true,
            precision: whole,
            recall: whole,
            f: 1.0,
        }
    }
}

/// Scores an answer, from the complete texts before the edit, as expected and as answered.
#[must_use]
pub fn score(base: &str, expected: &str, answered: &str) -> Score {
    let [base, expected, answered] = [base, expected, answered].map(normal);
    if expected == answered {
        return Score::exact(base != expected);
    }
    let [base, expected, answered] = differing([&base, &expected, &answered]);
    let (is_edited, is_answered) = (base != expected, base != answered);
    let [base, expected, answered] = [&base, &expected, &answered].map(|text| words(text));
    let most = base.len().max(expected.len()).max(answered.len());
    if most > MAX_WORDS {
        return Score {
            precision: is_answered.then_some(0.0),
            recall: is_edited.then_some(0.0),
            ..Score::NOTHING
        };
    }
    let expected = change(&base, &expected);
    let answered = change(&base, &answered);
    let [e, p] = [&expected, &answered].map(|change| size(&base, change));
    let common = common(&base, &expected, &answered);
    let share = |of: usize| (of > 0).then(|| float(common) / float(of));
    Score {
        exact: false,
        precision: share(p),
        recall: share(e),
        // Not both are 0: files that are not the same are not both the base.
        f: 2.0 * float(common) / float(e + p),
    }
}

/// Texts without the lines that begin all of them, and those that end all of them.
fn differing(texts: [&str; 3]) -> [String; 3] {
    let lines = texts.map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let shortest = lines.iter().map(Vec::len).min().unwrap_or_default();
    let [first, others @ ..] = &lines;
    let alike = |back: bool, index: usize| {
        let place = |lines: &[&str]| if back { lines.len() - 1 - index } else { index };
        others
            .iter()
            .all(|other| other[place(other)] == first[place(first)])
    };
    let head = (0..shortest).take_while(|at| alike(false, *at)).count();
    let tail = (0..shortest - head)
        .take_while(|at| alike(true, *at))
        .count();
    lines.map(|lines| lines[head..lines.len() - tail].concat())
}

/// Characters that a change deletes and inserts.
fn size(base: &[&str], change: &Change<'_>) -> usize {
    let deleted = change.deleted.iter().map(|index| weight(base[*index]));
    let inserted = change.inserted.values().flatten().map(|word| weight(word));
    deleted.chain(inserted).sum()
}

/// Characters that two changes both delete or insert.
fn common(base: &[&str], a: &Change<'_>, b: &Change<'_>) -> usize {
    let both = a
        .deleted
        .iter()
        .filter(|index| b.deleted.binary_search(index).is_ok());
    let deleted: usize = both.map(|index| weight(base[*index])).sum();
    let inserted = a.inserted.iter().filter_map(|(at, words)| {
        let others = b.inserted.get(at)?;
        Some(heaviest(words, others))
    });
    deleted + inserted.sum::<usize>()
}

/// Weight of the heaviest common subsequence.
fn heaviest(a: &[&str], b: &[&str]) -> usize {
    let mut above = vec![0; b.len() + 1];
    for word in a {
        let mut row = vec![0; b.len() + 1];
        for (at, other) in b.iter().enumerate() {
            row[at + 1] = if word == other {
                above[at] + weight(word)
            } else {
                row[at].max(above[at + 1])
            };
        }
        above = row;
    }
    above[b.len()]
}

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "def total(lots):\n    return sum(lots)\n\nprint(total(load(path)))\n";
    const EXPECTED: &str =
        "def total(lots):\n    return sum(lots)\n\nprint(total(load_all(path, day)))\n";

    fn f(expected: &str, answered: &str) -> f64 {
        score(BASE, expected, answered).f
    }

    #[test]
    fn expected_file_scores_one_unchanged_zero() {
        let all = Score {
            exact: true,
            precision: Some(1.0),
            recall: Some(1.0),
            f: 1.0,
        };
        assert_eq!(score(BASE, EXPECTED, EXPECTED), all);
        let padded = format!("{}\n\n", EXPECTED.replace("\n", "  \r\n"));
        assert_eq!(score(BASE, EXPECTED, &padded), all, "white space at ends");
        assert_eq!(score(BASE, EXPECTED, BASE), Score::NOTHING);
        assert_eq!(f(BASE, BASE), 1.0);
    }

    #[test]
    fn partial_score_counts_whole_words() {
        // Expected: `load` (4) is replaced by `load_all` (8), and `, day` (5) is inserted, 17 in
        // all.
        let half = EXPECTED.replace(", day", "");
        let found = score(BASE, EXPECTED, &half);
        assert_eq!(
            (found.precision, found.recall),
            (Some(1.0), Some(12.0 / 17.0))
        );
        assert_eq!(found.f, 24.0 / 29.0);
        // `date` is not `day`: of `, date` (6) the comma and the space are right.
        let other = EXPECTED.replace("day", "date");
        let found = score(BASE, EXPECTED, &other);
        assert_eq!(
            (found.precision, found.recall),
            (Some(14.0 / 18.0), Some(14.0 / 17.0))
        );
    }

    #[test]
    fn misplaced_insertion_scores_zero() {
        let above = format!("import os\n{BASE}");
        let below = format!("{BASE}import os\n");
        assert_eq!(f(&above, &below), 0.0);
        let found = f(&above, &format!("import re\n{BASE}"));
        assert!((found - 16.0 / 20.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn wrong_indentation_prevents_exact_match() {
        let wider = EXPECTED.replace("print", "    print");
        let found = score(BASE, EXPECTED, &wider);
        assert!(!found.exact);
        assert_eq!(
            (found.recall, found.precision),
            (Some(1.0), Some(17.0 / 18.0))
        );
    }

    #[test]
    fn overlong_answer_scores_without_alignment() {
        let endless = "again ".repeat(MAX_WORDS);
        assert_eq!(score(BASE, EXPECTED, &endless).f, 0.0);
        assert_eq!(score(BASE, &endless, &endless).f, 1.0);
    }

    #[test]
    fn overlong_texts_are_not_aligned() {
        // Myers' algorithm is slow on texts without similarity.
        let endless = |word: &str| format!("{word} ").repeat(100 * MAX_WORDS);
        let (base, other) = (endless("base"), endless("other"));
        let nothing = Score {
            precision: Some(0.0),
            ..Score::NOTHING
        };
        assert_eq!(score(&base, EXPECTED, BASE), nothing);
        assert_eq!(score(&base, &other, BASE), nothing);
        assert_eq!(score(BASE, &other, EXPECTED), nothing);
        assert_eq!(score(&base, EXPECTED, &base), Score::NOTHING);
        let unasked = score(&base, &base, EXPECTED);
        assert_eq!((unasked.precision, unasked.recall), (Some(0.0), None));
        // The part common to all three texts does not count.
        let with = |text: &str| format!("{base}\n{text}{other}\n");
        let half = EXPECTED.replace(", day", "");
        let found = score(&with(BASE), &with(EXPECTED), &with(&half));
        assert_eq!(found, score(BASE, EXPECTED, &half));
    }
}
