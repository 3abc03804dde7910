//! Functions whose comments narrate the code: above each line they say what it does.

use crate::catalogue::Signal;
use crate::restating::is_action;
use crate::view::View;
use crate::words::{Map, split, stem, words};

/// Fewest comments that say exactly what the next line says.
const MIN_EXACT: usize = 3;

/// Fewest comments that say roughly what the next line says.
const MIN_ROUGH: usize = 3;

/// At most so many source lines of a function for each comment that narrates.
const LINES_PER_COMMENT: usize = 4;

/// Longest comment that narrates, in words.
const LONGEST: usize = 14;

/// Words of comments that say why, or what else has to be known.
const REASONS: &[&str] = &[
    "because",
    "since",
    "so",
    "otherwise",
    "avoid",
    "ensure",
    "must",
    "should",
    "cannot",
    "never",
    "always",
    "only",
    "unless",
    "instead",
    "note",
    "why",
    "todo",
    "fixme",
    "hack",
    "bug",
    "issue",
    "prevent",
    "needed",
    "required",
    "might",
    "may",
    "would",
    "could",
    "e",
    "see",
    "assume",
];

/// Comments of one function.
#[derive(Default)]
pub(crate) struct Narration {
    /// All that are on lines of their own.
    all: usize,
    /// Those that say exactly what the next line says, and the first of them.
    exact: usize,
    /// Those that say roughly so.
    rough: usize,
    first: Option<u32>,
}

/// Comments of functions, by the function's node.
pub(crate) type Narrations = Map<u32, Narration>;

/// How a comment is like the line below it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    Exact,
    Rough,
    None,
}

/// Counts a comment on a line of its own.
pub(crate) fn note(narrations: &mut Narrations, function: u32, comment: u32, likeness: Likeness) {
    let narration = narrations.entry(function).or_default();
    narration.all += 1;
    narration.exact += usize::from(likeness == Likeness::Exact);
    narration.rough += usize::from(likeness != Likeness::None);
    if likeness != Likeness::None {
        narration.first.get_or_insert(comment);
    }
}

/// Whether a comment says roughly what a line of code does, with a name that is in the line.
pub(crate) fn is_rough(comment: &str, code: &str) -> bool {
    let said: Vec<String> = words(comment).collect();
    let begins = said.first().is_some_and(|first| is_action(first));
    let explains = || said.iter().any(|word| REASONS.contains(&word.as_str()));
    if !begins
        || said.len() < 2
        || said.len() > LONGEST
        || comment.contains(['`', ':'])
        || explains()
    {
        return false;
    }
    let names: Vec<String> = split(code).iter().map(|word| stem(word)).collect();
    said.iter()
        .any(|word| word.len() > 2 && names.contains(&stem(word)))
}

/// The functions that are narrated: the first comment of each, and how many there are.
pub(crate) fn narrated(view: &View<'_>, narrations: Narrations) -> Vec<(Signal, u32, String)> {
    let mut found: Vec<(u32, usize)> = Vec::new();
    for (function, narration) in narrations {
        let Narration {
            all,
            exact,
            rough,
            first,
        } = narration;
        let at = view.tree.node(function);
        let rows = at.start_row..=at.end_row;
        let lines = rows
            .filter(|&row| view.source.contains(row))
            .take(all * LINES_PER_COMMENT + 1);
        let is_dense = || lines.count() <= rough * LINES_PER_COMMENT;
        let is_narrated =
            exact >= MIN_EXACT || rough >= MIN_ROUGH && rough * 4 >= all * 3 && is_dense();
        if let Some(first) = first.filter(|_| is_narrated) {
            found.push((first, rough));
        }
    }
    found.sort_unstable();
    let message =
        |count| format!("{count} comments of the function only say what the next line says.");
    let found = found.into_iter();
    found
        .map(|(first, count)| (Signal::NarratedCode, first, message(count)))
        .collect()
}
