//! Functions that do what another one of like name does.
//!
//! Names that share a telling word ask for less evidence than the signal of reimplementation does alone.

use crate::copies::Resemblance;
use crate::facts::FileSignals;
use crate::reimplementation::{Entry, Index};
use crate::similar::FILLERS;
use crate::snapshot::Snapshot;
use crate::words::{Map, split};

/// What functions of like names share at least: pieces of evidence, their share of the weight in both,
/// and likeness of the normalised forms.
const NAMED_EVIDENCE: usize = 3;
const NAMED_CONTAINED: f64 = 0.6;
const NAMED_ALIKE: f64 = 0.7;

/// Most functions that share a word by which namesakes are looked for.
const MAX_NAMESAKES: usize = 40;

/// Letters by which words of names are the same: `slug` and `slugify`.
const WORD_START: usize = 4;

/// Words that many functions do to many things, so that they do not tell what a function is about.
const COMMON: &[&str] = &[
    "make", "build", "create", "compute", "helper", "each", "handle", "process", "values", "data",
    "item", "items", "text", "list", "dict", "file", "files", "check", "parse", "load", "save",
    "read", "write", "find", "update", "convert", "render", "format", "name", "init", "setup",
    "test", "main", "call", "self", "type", "error",
];

/// Functions of some files that do what another one of all files does, which one of like name may be.
#[must_use]
pub fn reimplementations(
    files: &[(&str, &FileSignals)],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<Resemblance> {
    let snapshot = Snapshot::new(files);
    let mut index = Index::new(&snapshot, |_| true);
    index.weigh();
    let namesakes = Namesakes::of(&snapshot, &index);
    let wanted =
        (0..index.entries.len()).filter(|&one| is_wanted(files[index.entries[one].file].0));
    let nearest = |one: usize| {
        let candidates = namesakes.of_function(&snapshot, &index.entries[one], one);
        let alike = candidates.into_iter().filter_map(|other| {
            let score = likeness(&snapshot, &index, one, other)?;
            Some((score, std::cmp::Reverse(other)))
        });
        let best = alike.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        best.map(|(score, std::cmp::Reverse(other))| (one, other, score))
    };
    let path = |entry: &Entry<'_>| files[entry.file].0;
    let found = wanted.filter_map(nearest).map(|(one, other, score)| {
        let (one, other) = (&index.entries[one], &index.entries[other]);
        let likeness = (score * 1000.0) as u32;
        Resemblance::new(
            (path(one), one.function),
            (path(other), other.function),
            likeness,
        )
    });
    found.collect()
}

/// Functions by the words of their names.
struct Namesakes {
    holders: Map<String, Vec<usize>>,
}

impl Namesakes {
    fn of(snapshot: &Snapshot<'_>, index: &Index<'_>) -> Self {
        let mut holders: Map<String, Vec<usize>> = Map::default();
        for (number, entry) in index.entries.iter().enumerate() {
            for word in telling(snapshot, entry) {
                holders.entry(word).or_default().push(number);
            }
        }
        holders.retain(|_, holders| (2..=MAX_NAMESAKES).contains(&holders.len()));
        Self { holders }
    }

    /// Other functions whose names say the same as a function's, or say it in fewer or more words.
    fn of_function(&self, snapshot: &Snapshot<'_>, entry: &Entry<'_>, one: usize) -> Vec<usize> {
        let words = telling(snapshot, entry);
        let lists = words.iter().filter_map(|word| self.holders.get(word));
        let mut all: Vec<usize> = lists
            .flatten()
            .copied()
            .filter(|&other| other != one)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Beginnings of the words of a function's name that say what it is about, in order.
fn telling(snapshot: &Snapshot<'_>, entry: &Entry<'_>) -> Vec<String> {
    let words = split(snapshot.name(entry.file, entry.function.name)).into_iter();
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

/// How alike two functions are whose names share a word, if they are the same.
fn likeness(snapshot: &Snapshot<'_>, index: &Index<'_>, one: usize, other: usize) -> Option<f64> {
    let (a, b) = (&index.entries[one], &index.entries[other]);
    let (words, others) = (telling(snapshot, a), telling(snapshot, b));
    let within = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
    let says_same = within(&words, &others) || within(&others, &words);
    if !says_same || !index.may_be_one(snapshot, a, b) {
        return None;
    }
    let overlap = index.overlap(a, b);
    let is_same = overlap.shared >= NAMED_EVIDENCE
        && overlap.contained >= NAMED_CONTAINED
        && overlap.alike >= NAMED_ALIKE;
    is_same.then(|| overlap.likeness())
}
