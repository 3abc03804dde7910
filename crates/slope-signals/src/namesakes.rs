//! Functions of a change that duplicate the behaviour of another one.
//!
//! Candidates have names that share a distinctive word, or rare evidence in common. Names with the
//! same meaning require less evidence.

use crate::alike::{Alike, is_compared, is_summed_up};
use crate::changed_tree::ChangedTree;
use crate::copies::Resemblance;
use crate::keys::{Key, Kind};
use crate::operations::{Bags, Operations};
use crate::reimplementation::{self, Entry, MAX_RELATIVES, Overlap, may_be_one, overlap};
use crate::resemblances::Wanted;
use crate::similar::FILLERS;
use crate::words::{Map, split};

/// Maximum number of functions with a word that is used to find namesakes.
const MAX_NAMESAKES: usize = 40;

/// Number of equal letters at the start of words that count as the same: `slug` and `slugify`.
const WORD_START: usize = 4;

/// Words that are too common in names to describe a function.
const COMMON: &[&str] = &[
    "make", "build", "create", "compute", "helper", "each", "handle", "process", "values", "data",
    "item", "items", "text", "list", "dict", "file", "files", "check", "parse", "load", "save",
    "read", "write", "find", "update", "convert", "render", "format", "name", "init", "setup",
    "test", "main", "call", "self", "type", "error",
];

/// Functions of the wanted files that seem to duplicate another one with a similar name.
pub(crate) fn reimplementations(
    alike: &Alike<'_, '_>,
    tree: &ChangedTree<'_>,
    (base, candidates): (&Operations, &[usize]),
    wanted: &Wanted<'_>,
) -> Vec<Resemblance> {
    let mut functions: Vec<Place> = Vec::new();
    for &file in candidates {
        let numbered = alike.snapshot.numbered(file);
        if !is_compared(&numbered) || !(wanted.paths)(numbered.path) {
            continue;
        }
        let all = numbered.facts.functions.iter().enumerate();
        let all = all.filter(|(_, function)| wanted.has(numbered.path, function));
        functions.extend(all.map(|(position, _)| (file, position)));
    }
    if functions.is_empty() {
        return Vec::new();
    }
    let mut all = Bags::new(tree, base).find(&functions);
    let known: Map<(String, String, u32), ()> = all.iter().map(|like| (place(like), ())).collect();
    let found = functions.into_iter().filter_map(|one| nearest(alike, one));
    all.extend(found.filter(|like| !known.contains_key(&place(like))));
    all
}

/// Location of a function that resembles another one.
fn place(like: &Resemblance) -> (String, String, u32) {
    (like.path.clone(), like.callable.clone(), like.line)
}

/// A function: its file, and its position in it.
type Place = (usize, usize);

/// The most similar function that passes.
fn nearest(alike: &Alike<'_, '_>, at: Place) -> Option<Resemblance> {
    let this = Function::of(alike, at)?;
    let snapshot = alike.snapshot;
    let mut candidates: Vec<Place> = Vec::new();
    for word in &this.words {
        let key = Key::of_hash(Kind::Word, word);
        if (2..=MAX_NAMESAKES).contains(&alike.of(key).take(MAX_NAMESAKES + 1).count()) {
            candidates.extend(alike.of(key));
        }
    }
    for &token in &this.entry.tokens {
        if alike.of(token).take(MAX_RELATIVES + 1).count() <= MAX_RELATIVES {
            candidates.extend(alike.of(token));
        }
    }
    candidates.retain(|&other| other != at);
    candidates.sort_unstable();
    candidates.dedup();
    let compared = candidates.into_iter().filter_map(|place| {
        let other = Function::of(alike, place)?;
        let score = likeness(alike, &this, &other)?;
        Some((score, place, other))
    });
    let (score, place, other) = compared.max_by(|one, other| {
        let by_order = || snapshot.order(other.1, one.1);
        one.0.total_cmp(&other.0).then_with(by_order)
    })?;
    let path = |(file, _): Place| snapshot.files[file].0;
    Some(Resemblance::new(
        (path(at), this.entry.function),
        (path(place), other.entry.function),
        (score * 1000.0) as u32,
    ))
}

/// A function that may be compared.
struct Function<'a> {
    entry: Entry<'a, Key>,
    /// Beginnings of the distinctive words of its name.
    words: Vec<String>,
}

impl<'a> Function<'a> {
    fn of(alike: &Alike<'_, 'a>, (file, position): Place) -> Option<Self> {
        let function = alike.snapshot.files[file].1.functions.get(position)?;
        let summary = function.summary.as_deref()?;
        if !is_summed_up(function) {
            return None;
        }
        let tokens = alike.evidence(file, function);
        let weight = tokens.iter().map(|&token| rarity(alike, token)).sum();
        Some(Self {
            entry: Entry {
                file,
                function,
                summary,
                tokens,
                weight,
            },
            words: telling(alike.snapshot.name(file, function.name)),
        })
    }
}

/// Weight of a piece of evidence, larger for rarer ones.
fn rarity(alike: &Alike<'_, '_>, token: Key) -> u64 {
    reimplementation::rarity(alike.of(token).count(), alike.functions)
}

/// Beginnings of the distinctive words of a function's name, in order.
pub(crate) fn telling(name: &str) -> Vec<String> {
    let words = split(name).into_iter();
    let telling = words.filter(|word| {
        word.len() >= WORD_START
            && ![FILLERS, COMMON]
                .iter()
                .any(|list| list.contains(&word.as_str()))
    });
    let mut words: Vec<String> = telling
        .map(|word| word.chars().take(WORD_START).collect())
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Similarity of two functions; `None` if they are not duplicates.
fn likeness(alike: &Alike<'_, '_>, one: &Function<'_>, other: &Function<'_>) -> Option<f64> {
    let (a, b) = (&one.entry, &other.entry);
    let (small, large) = (
        a.summary.size.min(b.summary.size),
        a.summary.size.max(b.summary.size),
    );
    if small * 5 < large * 2 || !may_be_one(alike.snapshot, a, b) {
        return None;
    }
    let names = said_by_both(&one.words, &other.words);
    let overlap = overlap(a, b, |token| rarity(alike, token));
    let mut bars = BARS.iter().filter(|bar| names >= bar.names);
    bars.find(|bar| bar.is_passed(&overlap))?;
    Some(overlap.likeness())
}

/// The overlap of two names in their distinctive words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Names {
    Unlike,
    ShareWord,
    SaySame,
}

fn said_by_both(a: &[String], b: &[String]) -> Names {
    let shared = a.iter().filter(|word| b.contains(word)).count();
    match shared {
        0 => Names::Unlike,
        _ if shared == a.len() || shared == b.len() => Names::SaySame,
        _ => Names::ShareWord,
    }
}

/// The least overlap of two equal functions.
struct Bar {
    /// The overlap of the names.
    names: Names,
    /// Pieces of evidence.
    shared: usize,
    weight: f64,
    /// Share of the weight in both.
    contained: f64,
    /// Likeness of the normalised forms.
    alike: f64,
}

/// Weak evidence of one kind requires more of the others. Unrelated functions rarely share half of
/// their evidence.
const BARS: &[Bar] = &[
    Bar {
        names: Names::SaySame,
        shared: 3,
        weight: 0.0,
        contained: 0.6,
        alike: 0.7,
    },
    Bar {
        names: Names::SaySame,
        shared: 2,
        weight: 6.0,
        contained: 0.5,
        alike: 0.85,
    },
    Bar {
        names: Names::ShareWord,
        shared: 2,
        weight: 8.0,
        contained: 0.5,
        alike: 0.85,
    },
    Bar {
        names: Names::Unlike,
        shared: 3,
        weight: 13.0,
        contained: 0.6,
        alike: 0.8,
    },
    Bar {
        names: Names::Unlike,
        shared: 3,
        weight: 12.0,
        contained: 0.5,
        alike: 0.95,
    },
    Bar {
        names: Names::Unlike,
        shared: 2,
        weight: 9.0,
        contained: 0.6,
        alike: 0.9,
    },
];

impl Bar {
    fn is_passed(&self, overlap: &Overlap) -> bool {
        overlap.shared >= self.shared
            && overlap.weight >= self.weight
            && overlap.contained >= self.contained
            && overlap.alike >= self.alike
    }
}
