//! Functions that are copies of others with a few statements changed.
//!
//! Candidates share rare statements. For the best candidates, the statements in the same order are
//! counted.

use crate::facts::{FileSignals, Function, Line, Traits};
use crate::reimplementation::family;
use crate::snapshot::is_test;
use crate::words::Map;
use slope_syntax::paths;

/// Minimum number of statements of a function that may be a copy. One of six may be missing.
const MIN_LINES: usize = 5;
const MIN_TOKENS: u32 = 40;

/// Minimum number of tokens of a statement that distinguishes functions.
const MIN_TELLING: u8 = 4;

/// Maximum number of functions with a distinctive statement; with more, it is common.
const MAX_HOLDERS: u32 = 40;

/// Minimum number of rare statements in common.
const MIN_SHARED: u32 = 2;

/// Maximum number of candidates that a function is compared with.
const MAX_COMPARED: usize = 8;

/// Minimum share of the tokens in common statements, in thousandths.
const MIN_LIKENESS: u32 = 740;

/// The same if only one statement differs.
const MIN_LIKENESS_OF_ONE: u32 = 500;
const MIN_LINES_OF_ONE: usize = 8;

/// A function that resembles another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resemblance {
    /// Path of its file.
    pub path: String,
    /// Its dotted name.
    pub callable: String,
    /// Line of its name, from 1.
    pub line: u32,
    /// Path of the other's file.
    pub other_path: String,
    /// The other's dotted name.
    pub other: String,
    /// Line of the other's name.
    pub other_line: u32,
    /// Similarity, in thousandths.
    pub likeness: u32,
    /// Whether the evidence is only a hint.
    pub is_hint: bool,
    /// The most distinctive common parts, as code; may be empty.
    pub shared: Vec<String>,
}

impl Resemblance {
    /// Compares a function with another one; both with the path of their file.
    pub(crate) fn new(one: (&str, &Function), other: (&str, &Function), likeness: u32) -> Self {
        Self {
            path: one.0.to_owned(),
            callable: one.1.callable.clone(),
            line: one.1.place.span.start_line,
            other_path: other.0.to_owned(),
            other: other.1.callable.clone(),
            other_line: other.1.place.span.start_line,
            likeness,
            is_hint: false,
            shared: Vec::new(),
        }
    }
}

/// A function that may be a copy, or the original of one.
struct Entry<'a> {
    file: usize,
    function: &'a Function,
}

/// Functions of the wanted files that nearly duplicate a function of any file.
#[must_use]
pub fn near_copies(
    files: &[(&str, &FileSignals)],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<Resemblance> {
    let entries = entries(files);
    let wanted: Vec<bool> = entries.iter().map(|e| is_wanted(files[e.file].0)).collect();
    let mut holders: Map<u32, Vec<u32>> = Map::default();
    for (entry, _) in entries.iter().zip(&wanted).filter(|(_, wanted)| **wanted) {
        for line in telling(entry.function) {
            holders.entry(line).or_default();
        }
    }
    let mut counts: Map<u32, u32> = Map::default();
    for (number, entry) in (0..).zip(&entries) {
        for line in telling(entry.function) {
            let Some(holders) = holders.get_mut(&line) else {
                continue;
            };
            *counts.entry(line).or_default() += 1;
            if holders.len() <= MAX_HOLDERS as usize {
                holders.push(number);
            }
        }
    }
    holders.retain(|line, _| counts.get(line).is_some_and(|&count| count <= MAX_HOLDERS));
    let numbers = (0..entries.len()).filter(|&number| wanted[number]);
    let found = numbers.filter_map(|number| nearest(files, &entries, &holders, &wanted, number));
    found.collect()
}

/// The functions that are compared.
fn entries<'a>(files: &[(&str, &'a FileSignals)]) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for (file, (path, facts)) in files.iter().enumerate() {
        if is_test(path, facts) || paths::is_example(path) {
            continue;
        }
        let functions = facts.functions.iter().chain(&facts.plain_functions);
        let large = functions.filter(|f| f.body.len() >= MIN_LINES && tokens(f) >= MIN_TOKENS);
        entries.extend(large.map(|function| Entry { file, function }));
    }
    entries
}

fn tokens(function: &Function) -> u32 {
    function
        .body
        .iter()
        .map(|line| u32::from(line.tokens))
        .sum()
}

/// Hashes of a function's distinctive statements, each once.
fn telling(function: &Function) -> Vec<u32> {
    let lines = function.body.iter();
    let telling = lines.filter(|line| line.tokens >= MIN_TELLING);
    let mut hashes: Vec<u32> = telling.map(|line| line.hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The most similar function, if it is similar enough; one outside the wanted files is preferred.
fn nearest(
    files: &[(&str, &FileSignals)],
    entries: &[Entry<'_>],
    holders: &Map<u32, Vec<u32>>,
    wanted: &[bool],
    number: usize,
) -> Option<Resemblance> {
    let this = &entries[number];
    let mut shared: Map<u32, u32> = Map::default();
    for line in telling(this.function) {
        for &other in holders.get(&line).into_iter().flatten() {
            *shared.entry(other).or_default() += 1;
        }
    }
    let mut candidates: Vec<(u32, u32)> = shared.into_iter().collect();
    candidates.retain(|&(other, shared)| other as usize != number && shared >= MIN_SHARED);
    candidates.sort_unstable_by_key(|&(other, shared)| (std::cmp::Reverse(shared), other));
    candidates.truncate(MAX_COMPARED);
    let compared = candidates.iter().filter_map(|&(other, _)| {
        let other = other as usize;
        let is_one = is_comparable(files, this, &entries[other]);
        let likeness = is_one.then(|| likeness(&this.function.body, &entries[other].function.body));
        Some((likeness??, other))
    });
    let key =
        |&(likeness, other): &(u32, usize)| (likeness, !wanted[other], std::cmp::Reverse(other));
    let (likeness, other) = compared.max_by_key(key)?;
    let other = &entries[other];
    let path = |entry: &Entry<'_>| files[entry.file].0;
    Some(Resemblance::new(
        (path(this), this.function),
        (path(other), other.function),
        likeness,
    ))
}

/// Whether one function may be a copy of another. Methods of sibling classes, counterparts and
/// asynchronous variants are not.
fn is_comparable(files: &[(&str, &FileSignals)], a: &Entry<'_>, b: &Entry<'_>) -> bool {
    let (one, other) = (a.function, b.function);
    let language = |entry: &Entry<'_>| family(&files[entry.file].1.language).to_owned();
    let own = |entry: &Entry<'_>| {
        let name = &entry.function.callable;
        name.rsplit('.').next().unwrap_or(name).to_owned()
    };
    let is_method =
        |function: &Function| function.class.is_some() || function.traits & Traits::OVERRIDE != 0;
    let siblings = own(a) == own(b) && is_method(one) && is_method(other);
    let nested = a.file == b.file && (is_inside(one, other) || is_inside(other, one));
    language(a) == language(b)
        && !siblings
        && !nested
        && (one.traits ^ other.traits) & Traits::ASYNC == 0
}

/// Whether a function is defined inside another one of its file.
fn is_inside(inner: &Function, outer: &Function) -> bool {
    let rest = inner.callable.strip_prefix(&outer.callable);
    rest.is_some_and(|rest| rest.starts_with('.'))
}

/// Share of the tokens in common statements in the same order, in thousandths, if only a few
/// statements differ.
fn likeness(a: &[Line], b: &[Line]) -> Option<u32> {
    let most = a.len().max(b.len());
    let allowed = match most {
        0..6 => return None,
        6..8 => 1,
        8..20 => 2,
        _ => most / 8,
    };
    if a.len().abs_diff(b.len()) > allowed {
        return None;
    }
    let (lines, tokens) = common(a, b);
    if most - lines > allowed {
        return None;
    }
    let sum = |lines: &[Line]| lines.iter().map(|l| u32::from(l.tokens)).sum::<u32>();
    let likeness = tokens * 1000 / sum(a).max(sum(b)).max(1);
    let least = match most - lines {
        ..=1 if most >= MIN_LINES_OF_ONE => MIN_LIKENESS_OF_ONE,
        _ => MIN_LIKENESS,
    };
    (likeness >= least).then_some(likeness)
}

/// Statements that are in both in the same order, and their tokens.
fn common(a: &[Line], b: &[Line]) -> (usize, u32) {
    let mut row = vec![(0usize, 0u32); b.len() + 1];
    for one in a {
        let mut diagonal = (0, 0);
        for (at, other) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if one.hash == other.hash {
                (diagonal.0 + 1, diagonal.1 + u32::from(one.tokens))
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    row[b.len()]
}
