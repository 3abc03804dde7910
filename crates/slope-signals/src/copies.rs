//! Functions that are copies of others with a few statements changed.
//!
//! Candidates share rare statements. For the best candidates, the statements in the same order are
//! counted.

use crate::alike::{Alike, is_compared};
use crate::facts::family;
use crate::facts::{Function, Line, Traits};
use crate::keys::{Key, Kind};
use crate::resemblances::Wanted;
use crate::words::Map;

/// Minimum number of statements of a function that may be a copy. One of six may be missing.
const MIN_LINES: usize = 5;
const MIN_TOKENS: u32 = 40;

/// Minimum number of tokens of a statement that distinguishes functions.
const MIN_TELLING: u8 = 4;

/// Maximum number of functions with a distinctive statement; with more, it is common.
const MAX_HOLDERS: usize = 40;

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

/// A function: its file, and its position in it.
type Place = (usize, usize);

/// Functions of the wanted files that nearly duplicate a function of any file.
pub(crate) fn near_copies(
    alike: &Alike<'_, '_>,
    candidates: &[usize],
    wanted: &Wanted<'_>,
) -> Vec<Resemblance> {
    let mut found = Vec::new();
    for &file in candidates {
        let numbered = alike.snapshot.numbered(file);
        if !is_compared(&numbered) || !(wanted.paths)(numbered.path) {
            continue;
        }
        let functions = numbered.facts.functions.iter();
        let functions = functions.chain(&numbered.facts.plain_functions).enumerate();
        let functions =
            functions.filter(|(_, one)| is_large(one) && wanted.has(numbered.path, one));
        found
            .extend(functions.filter_map(|(position, _)| nearest(alike, wanted, (file, position))));
    }
    found
}

/// The function at a place.
fn function<'a>(alike: &Alike<'_, 'a>, (file, position): Place) -> Option<&'a Function> {
    let facts = alike.snapshot.files[file].1;
    let plain = || facts.plain_functions.get(position - facts.functions.len());
    facts.functions.get(position).or_else(plain)
}

fn is_large(function: &Function) -> bool {
    function.body.len() >= MIN_LINES && tokens(function) >= MIN_TOKENS
}

fn tokens(function: &Function) -> u32 {
    function
        .body
        .iter()
        .map(|line| u32::from(line.tokens))
        .sum()
}

/// Hashes of a function's distinctive statements, each once; none if it is too small to be compared.
pub(crate) fn telling(function: &Function) -> Vec<u32> {
    if !is_large(function) {
        return Vec::new();
    }
    let lines = function.body.iter();
    let telling = lines.filter(|line| line.tokens >= MIN_TELLING);
    let mut hashes: Vec<u32> = telling.map(|line| line.hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The most similar function, if it is similar enough; one outside the wanted files is preferred.
fn nearest(alike: &Alike<'_, '_>, wanted: &Wanted<'_>, at: Place) -> Option<Resemblance> {
    let this = function(alike, at)?;
    let mut shared: Map<Place, u32> = Map::default();
    for line in telling(this) {
        let key = Key::of(Kind::Line, line);
        if alike.of(key).take(MAX_HOLDERS + 1).count() > MAX_HOLDERS {
            continue;
        }
        for other in alike.of(key) {
            *shared.entry(other).or_default() += 1;
        }
    }
    let snapshot = alike.snapshot;
    let mut candidates: Vec<(Place, u32)> = shared.into_iter().collect();
    candidates.retain(|&(other, shared)| other != at && shared >= MIN_SHARED);
    candidates.sort_unstable_by(|one, other| {
        let by_order = || snapshot.order(one.0, other.0);
        other.1.cmp(&one.1).then_with(by_order)
    });
    candidates.truncate(MAX_COMPARED);
    let compared = candidates.iter().filter_map(|&(place, _)| {
        let other = function(alike, place)?;
        let is_one = is_comparable(alike, (at.0, this), (place.0, other));
        let likeness = is_one.then(|| likeness(&this.body, &other.body));
        Some((likeness??, place, other))
    });
    let path = |(file, _): Place| snapshot.files[file].0;
    let (likeness, place, other) = compared.max_by(|one, other| {
        let key = |likeness: u32, place: Place| (likeness, !(wanted.paths)(path(place)));
        let by_order = || snapshot.order(other.1, one.1);
        key(one.0, one.1)
            .cmp(&key(other.0, other.1))
            .then_with(by_order)
    })?;
    Some(Resemblance::new(
        (path(at), this),
        (path(place), other),
        likeness,
    ))
}

/// Whether one function may be a copy of another. Methods of sibling classes, counterparts and
/// asynchronous variants are not.
fn is_comparable(
    alike: &Alike<'_, '_>,
    (file, one): (usize, &Function),
    (other_file, other): (usize, &Function),
) -> bool {
    let language = |file: usize| family(&alike.snapshot.files[file].1.language);
    let own = |function: &Function| {
        let name = &function.callable;
        name.rsplit('.').next().unwrap_or(name).to_owned()
    };
    let is_method =
        |function: &Function| function.class.is_some() || function.traits & Traits::OVERRIDE != 0;
    let siblings = own(one) == own(other) && is_method(one) && is_method(other);
    let nested = file == other_file && (is_inside(one, other) || is_inside(other, one));
    language(file) == language(other_file)
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
