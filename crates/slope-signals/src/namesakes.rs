//! Functions of a change that duplicate the behaviour of another one.
//!
//! Candidates have names that share a distinctive word, or rare evidence in common. Names with the
//! same meaning require less evidence.

use crate::background::Background;
use crate::copies::Resemblance;
use crate::facts::FileSignals;
use crate::operations::Bags;
use crate::reimplementation::{Entry, Index, Overlap};
use crate::similar::FILLERS;
use crate::snapshot::Snapshot;
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
#[must_use]
pub fn reimplementations(
    files: &[(&str, &FileSignals)],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<Resemblance> {
    let background = Background::new(files);
    let snapshot = Snapshot::whole(&background, files);
    let mut index = Index::new(&snapshot, |_| true);
    index.weigh();
    let namesakes = Namesakes::of(&snapshot, &index);
    let wanted =
        (0..index.entries.len()).filter(|&one| is_wanted(files[index.entries[one].file].0));
    let nearest = |one: usize| {
        let mut candidates = namesakes.of_function(&snapshot, &index.entries[one], one);
        candidates.extend(index.relatives(one));
        candidates.sort_unstable();
        candidates.dedup();
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
    let mut all = Bags::new(&snapshot).find(is_wanted);
    let known: Map<(String, String, u32), ()> = all.iter().map(|like| (place(like), ())).collect();
    all.extend(found.filter(|like| !known.contains_key(&place(like))));
    all
}

/// Location of a function that resembles another one.
fn place(like: &Resemblance) -> (String, String, u32) {
    (like.path.clone(), like.callable.clone(), like.line)
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

    /// Other functions whose names have the same meaning as a function's, or the same in fewer or
    /// more words.
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

/// Beginnings of the distinctive words of a function's name, in order.
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

/// Similarity of two functions; `None` if they are not duplicates.
fn likeness(snapshot: &Snapshot<'_>, index: &Index<'_>, one: usize, other: usize) -> Option<f64> {
    let (a, b) = (&index.entries[one], &index.entries[other]);
    let (small, large) = (
        a.summary.size.min(b.summary.size),
        a.summary.size.max(b.summary.size),
    );
    if small * 5 < large * 2 || !index.may_be_one(snapshot, a, b) {
        return None;
    }
    let (words, others) = (telling(snapshot, a), telling(snapshot, b));
    let names = said_by_both(&words, &others);
    let overlap = index.overlap(a, b);
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
