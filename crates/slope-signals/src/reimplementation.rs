//! Functions that duplicate the behaviour of another one in the code base.
//!
//! Two functions are compared if they share rare evidence. They are duplicates if nearly all rare
//! evidence of each is in the other, and their normalised forms, parameters and results are
//! similar. Clones are not reported here, because other rules report them.

use crate::catalogue::Signal;
use crate::facts::{
    Evidence, FileSignals, Function, NO_NAME, Op, Returns, Summary, Traits, family,
};
use crate::gather::symbol_hash;
use crate::signal_finding::SignalFinding;
use crate::snapshot::Snapshot;
use crate::words::{Map, stem};
use slope_syntax::conventions::Comparison;
use slope_syntax::paths::{self, is_translation};

/// Maximum number of functions with a piece of evidence that is used to find candidates.
const RARE: usize = 6;

/// As [`RARE`], for functions of a change.
pub(crate) const MAX_RELATIVES: usize = 12;

/// Minimum number of pieces of rare evidence in common.
const MIN_RARE: u32 = 2;

/// Share of the evidence's weight that has to be in the other function, for both.
const CONTAINED: f64 = 0.75;

/// Minimum weight of the common evidence: about three names that one function in a hundred uses.
const LEAST_WEIGHT: f64 = 14.0;

/// A smaller code base is weighed as if it had this many functions: with few
/// functions every name is shared by a large part of them.
const MIN_FUNCTIONS: usize = 200;

/// Minimum likeness of the normalised forms (cosine).
const ALIKE: f64 = 0.85;

/// Minimum number of constructs, and pieces of evidence, of a function that is compared by its
/// behaviour
/// alone.
const MIN_CONSTRUCTS: u32 = 12;
const MIN_EVIDENCE: usize = 4;

/// A function that may be compared.
pub(crate) struct Entry<'a, Token> {
    pub(crate) file: usize,
    pub(crate) function: &'a Function,
    pub(crate) summary: &'a Summary,
    /// Evidence across files, ascending.
    pub(crate) tokens: Vec<Token>,
    /// The sum of its rarities.
    pub(crate) weight: u64,
}

/// Parts of one in a weight. Weights are whole numbers, so that a sum does not depend on its order.
const PARTS: f64 = 4_294_967_296.0;

/// Weight of what some of all functions have, larger for rarer ones.
pub(crate) fn rarity(holders: usize, all: usize) -> u64 {
    weight((1.0 + all.max(MIN_FUNCTIONS) as f64 / holders.max(1) as f64).ln())
}

/// A weight as a whole number.
pub(crate) fn weight(value: f64) -> u64 {
    (value * PARTS) as u64
}

/// The value of a weight.
pub(crate) fn value(weight: u64) -> f64 {
    weight as f64 / PARTS
}

pub(crate) fn find(snapshot: &Snapshot<'_>, found: &mut Vec<SignalFinding>) {
    let mut index = Index::new(snapshot);
    index.weigh();
    let mut pairs = Vec::new();
    let mut shared: Vec<u32> = vec![0; index.entries.len()];
    for one in 0..index.entries.len() {
        let mut candidates = Vec::new();
        let mut best: Option<(f64, usize)> = None;
        for &token in &index.entries[one].tokens {
            let holders = &index.holders[token as usize];
            if holders.len() > RARE {
                continue;
            }
            for &other in holders.iter().take_while(|&&other| (other as usize) < one) {
                if shared[other as usize] == 0 {
                    candidates.push(other as usize);
                }
                shared[other as usize] += 1;
            }
        }
        for other in candidates {
            let enough = shared[other] >= MIN_RARE;
            shared[other] = 0;
            if !enough {
                continue;
            }
            if let Some(score) = index.likeness(snapshot, other, one)
                && best.is_none_or(|(before, _)| score > before)
            {
                best = Some((score, other));
            }
        }
        pairs.extend(best.map(|(_, other)| (one, other)));
    }
    for (one, other) in pairs {
        found.push(index.finding(snapshot, one, other));
    }
}

/// Functions that are large enough to be compared by their behaviour alone.
struct Index<'a> {
    entries: Vec<Entry<'a, u32>>,
    /// Functions by token, ascending.
    holders: Vec<Vec<u32>>,
    /// For each token its kind and name.
    names: Vec<(Evidence, usize, u32)>,
}

/// Overlap of two functions.
pub(crate) struct Overlap {
    /// Pieces of evidence in both.
    pub(crate) shared: usize,
    /// Their weight.
    pub(crate) weight: f64,
    /// Their share of the smaller function, 0 to 1.
    pub(crate) contained: f64,
    /// Similarity of the shapes, 0 to 1.
    pub(crate) alike: f64,
}

impl Overlap {
    /// Similarity of the functions, 0 to 1.
    pub(crate) fn likeness(&self) -> f64 {
        self.contained * self.alike
    }
}

impl<'a> Index<'a> {
    fn new(snapshot: &Snapshot<'a>) -> Self {
        let is_compared = |summary: &&Summary| {
            summary.size >= MIN_CONSTRUCTS && summary.evidence.len() >= MIN_EVIDENCE
        };
        let mut known: Map<(Evidence, u32), u32> = Map::default();
        let mut this = Self {
            entries: Vec::new(),
            holders: Vec::new(),
            names: Vec::new(),
        };
        for (file, (_, facts)) in snapshot.files.iter().enumerate() {
            // Examples repeat each other so that each can be read on its own.
            if snapshot.tests[file] || paths::is_example(snapshot.files[file].0) {
                continue;
            }
            for function in &facts.functions {
                let summary = function.summary.as_deref();
                let Some(summary) = summary.filter(is_compared) else {
                    continue;
                };
                if function.traits & Traits::TEST != 0 {
                    continue;
                }
                let entry = u32::try_from(this.entries.len()).unwrap_or(u32::MAX);
                let mut tokens = Vec::with_capacity(summary.evidence.len());
                for &(kind, name) in &summary.evidence {
                    let Some(number) = snapshot.number(file, name) else {
                        continue;
                    };
                    let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
                    let token = *known.entry((kind, number)).or_insert(next);
                    if token == next {
                        this.holders.push(Vec::new());
                        this.names.push((kind, file, name));
                    }
                    this.holders[token as usize].push(entry);
                    tokens.push(token);
                }
                tokens.sort_unstable();
                this.entries.push(Entry {
                    file,
                    function,
                    summary,
                    tokens,
                    weight: 0,
                });
            }
        }
        this
    }

    /// Weight of a token, larger for rarer ones.
    fn rarity(&self, token: u32) -> u64 {
        rarity(self.holders[token as usize].len(), self.entries.len())
    }

    fn weigh(&mut self) {
        let weights: Vec<u64> = self
            .entries
            .iter()
            .map(|entry| entry.tokens.iter().map(|&t| self.rarity(t)).sum())
            .collect();
        for (entry, weight) in self.entries.iter_mut().zip(weights) {
            entry.weight = weight;
        }
    }

    /// Similarity of two functions; `None` if they are not duplicates.
    fn likeness(&self, snapshot: &Snapshot<'_>, one: usize, other: usize) -> Option<f64> {
        let (a, b) = (&self.entries[one], &self.entries[other]);
        let (small, large) = (
            a.summary.size.min(b.summary.size),
            a.summary.size.max(b.summary.size),
        );
        // Clones are reported by other rules.
        let is_clone = a.summary.clone == b.summary.clone;
        if is_clone || small * 10 < large * 6 || !may_be_one(snapshot, a, b) {
            return None;
        }
        let by_deeds =
            snapshot.files[a.file].1.conventions().wrappers.comparison == Comparison::ByDeeds;
        let is_call = |&token: &u32| self.names[token as usize].0 == Evidence::Call;
        // A table of names and texts, such as a switch over kinds, is not enough evidence of
        // behaviour.
        if !by_deeds && common(&a.tokens, &b.tokens).filter(is_call).count() < 2 {
            return None;
        }
        let overlap = overlap(a, b, |token| self.rarity(token));
        let is_same = overlap.weight >= LEAST_WEIGHT
            && overlap.contained >= CONTAINED
            && overlap.alike >= ALIKE;
        is_same.then(|| overlap.likeness())
    }

    fn finding(&self, snapshot: &Snapshot<'_>, one: usize, other: usize) -> SignalFinding {
        let (entry, existing) = (&self.entries[one], &self.entries[other]);
        let path = snapshot.files[existing.file].0;
        let line = existing.function.place.span.start_line;
        let mut finding = SignalFinding::new(
            entry.file,
            Signal::Reimplementation,
            entry.function.place,
            &entry.function.callable,
            format!(
                "`{}` does what `{}` does already ({path}:{line}).",
                entry.function.callable, existing.function.callable
            ),
            &entry.function.callable,
        );
        let mut tokens: Vec<u32> = common(&entry.tokens, &existing.tokens).collect();
        tokens.sort_by_key(|&t| (self.holders[t as usize].len(), t));
        finding.evidence = tokens
            .iter()
            .take(8)
            .map(|&t| self.evidence(snapshot, t))
            .collect();
        finding.related = Some((existing.file, existing.function.place.span));
        finding
    }

    fn evidence(&self, snapshot: &Snapshot<'_>, token: u32) -> String {
        let (kind, file, name) = self.names[token as usize];
        let what = match kind {
            Evidence::Call => "both call",
            Evidence::Member => "both use",
            Evidence::Text => "both contain the text",
            Evidence::Number => "both contain the number",
        };
        let others = self.holders[token as usize].len();
        format!(
            "{what} `{}`, as {others} functions do",
            snapshot.name(file, name)
        )
    }
}

/// Whether two functions may be duplicates, judging by their places.
pub(crate) fn may_be_one<T>(snapshot: &Snapshot<'_>, a: &Entry<'_, T>, b: &Entry<'_, T>) -> bool {
    comparable(snapshot, a, b) && !has_counterpart(snapshot, a, b)
}

/// Overlap of two functions, given the weight of evidence.
pub(crate) fn overlap<T: Ord + Copy>(
    a: &Entry<'_, T>,
    b: &Entry<'_, T>,
    rarity: impl Fn(T) -> u64,
) -> Overlap {
    let shared: Vec<T> = common(&a.tokens, &b.tokens).collect();
    let weight: u64 = shared.iter().map(|&token| rarity(token)).sum();
    let weight = value(weight);
    Overlap {
        shared: shared.len(),
        weight,
        contained: (weight / value(a.weight)).min(weight / value(b.weight)),
        alike: cosine(&a.summary.shape, &b.summary.shape),
    }
}

/// Whether one of two functions of different names has its namesake in the other's file: then
/// the files are parallel, and the two are different members of them.
fn has_counterpart<T>(snapshot: &Snapshot<'_>, a: &Entry<'_, T>, b: &Entry<'_, T>) -> bool {
    let name = |entry: &Entry<'_, T>| snapshot.number(entry.file, entry.function.name);
    let (Some(one), Some(other)) = (name(a), name(b)) else {
        return true;
    };
    let defines = |file: usize, number: u32| {
        let mut functions = snapshot.files[file].1.functions.iter();
        functions.any(|function| snapshot.number(file, function.name) == Some(number))
    };
    one != other && (defines(b.file, one) || defines(a.file, other))
}

/// Whether two functions may be duplicates: they are not overrides of one method, neither calls the
/// other, and parameters and results are similar.
fn comparable<T>(snapshot: &Snapshot<'_>, a: &Entry<'_, T>, b: &Entry<'_, T>) -> bool {
    let name = |entry: &Entry<'_, T>| snapshot.number(entry.file, entry.function.name);
    let member = |entry: &Entry<'_, T>| {
        entry.function.class.is_some() || entry.function.traits & Traits::OVERRIDE != 0
    };
    // Methods of one name share an interface; every program has its own entry.
    let entry_point = matches!(snapshot.name(a.file, a.function.name), "main" | "run");
    let siblings = name(a) == name(b) && (member(a) && member(b) || entry_point);
    let takes = a
        .function
        .parameters
        .len()
        .abs_diff(b.function.parameters.len());
    // Builds for different systems have functions of the same name.
    let facts = |entry: &Entry<'_, T>| snapshot.files[entry.file].1;
    let wrappers = &facts(a).conventions().wrappers;
    // Modules that export the same name share an interface, as methods do.
    let exported = a.function.traits & b.function.traits & Traits::EXPORTED != 0;
    let variant = wrappers.comparison != Comparison::ByDeeds
        && (name(a) == name(b) && exported
            || is_family(&a.summary.words, &b.summary.words)
            || exported && is_its_file(snapshot, a) && is_its_file(snapshot, b)
            || [a, b]
                .iter()
                .any(|entry| is_translation(snapshot.files[entry.file].0)));
    // Similar functions of one file are variants written together on purpose.
    let apart = a.file != b.file;
    let gives = !wrappers.return_by_keyword
        || (a.summary.returns == Returns::Nothing) == (b.summary.returns == Returns::Nothing);
    apart
        && !siblings
        && !variant
        && family(&facts(a).language) == family(&facts(b).language)
        && !opposed(&a.summary.words, &b.summary.words)
        && takes <= 1
        && gives
        && (a.function.traits ^ b.function.traits) & Traits::ASYNC == 0
        && !calls(snapshot, a, b)
        && !calls(snapshot, b, a)
}

/// Whether two names begin the same and then differ in meaning, as members of a family do:
/// `newServer` and `newClient`.
fn is_family(a: &[u32], b: &[u32]) -> bool {
    let differs = |x: &[u32], y: &[u32]| x.iter().any(|word| !y.contains(word));
    a.first() == b.first() && differs(a, b) && differs(b, a)
}

/// Whether a function has the name of its file, as its main content: such files are parallel.
fn is_its_file<T>(snapshot: &Snapshot<'_>, entry: &Entry<'_, T>) -> bool {
    let stem = crate::file_paths::stem(snapshot.files[entry.file].0);
    let name = snapshot.name(entry.file, entry.function.name);
    let start = name.get(..stem.len()).unwrap_or(name);
    start.eq_ignore_ascii_case(stem) && (name.len() == stem.len() || stem.len() >= 4)
}

/// Words of names with opposite or parallel meanings.
const OPPOSITES: &[&[&str]] = &[
    &["encode", "decode"],
    &["read", "write"],
    &["load", "dump", "save", "store"],
    &["min", "max", "sum", "mean"],
    &["lower", "upper"],
    &["local", "global", "zoned"],
    &["even", "odd"],
    &["prefix", "suffix"],
    &["show", "hide"],
    &["lock", "unlock"],
    &["width", "height"],
    &["old", "new"],
    &["left", "right"],
    &["first", "last"],
    &["get", "set", "delete", "update", "create"],
    &["add", "remove", "insert", "delete"],
    &["start", "stop", "end"],
    &["open", "close"],
    &["push", "pull", "pop"],
    &["upload", "download"],
    &["before", "after"],
    &["request", "response"],
    &["input", "output"],
    &["row", "column"],
    &["train", "test", "evaluate", "fit", "val"],
    &["import", "export"],
    &["serialize", "deserialize"],
    &["up", "down"],
    &["source", "target"],
    &["client", "server"],
    &["enable", "disable"],
    &["upgrade", "downgrade"],
    &["visit", "leave", "enter", "exit"],
];

/// Whether two names, as hashes of stems, differ by words with opposite meanings.
pub(crate) fn opposed(a: &[u32], b: &[u32]) -> bool {
    let only_in = |x: &[u32], y: &[u32]| -> Vec<u32> {
        x.iter().copied().filter(|word| !y.contains(word)).collect()
    };
    let (a, b) = (only_in(a, b), only_in(b, a));
    let hash = |word: &str| symbol_hash("", &stem(word));
    let asynchronous = [hash("async"), hash("sync")];
    if a.iter().chain(&b).any(|word| asynchronous.contains(word)) {
        return true;
    }
    OPPOSITES.iter().any(|group| {
        let group: Vec<u32> = group.iter().map(|word| hash(word)).collect();
        a.iter().any(|w| group.contains(w)) && b.iter().any(|w| group.contains(w))
    })
}

/// Whether one function calls another by name.
fn calls<T>(snapshot: &Snapshot<'_>, caller: &Entry<'_, T>, called: &Entry<'_, T>) -> bool {
    let wanted = snapshot
        .number(called.file, called.function.name)
        .unwrap_or(NO_NAME);
    caller.summary.evidence.iter().any(|&(kind, name)| {
        kind == Evidence::Call && snapshot.number(caller.file, name) == Some(wanted)
    })
}

/// Whether a function calls or uses something of this name.
pub(crate) fn calls_by_name(facts: &FileSignals, function: &Function, wanted: &str) -> bool {
    let mut names = function.operations.iter();
    names.any(|operation| {
        operation.op == Op::Name && facts.names.get(operation.name as usize) == Some(wanted)
    })
}

/// Elements of both ascending lists.
fn common<'a, T: Ord + Copy>(a: &'a [T], b: &'a [T]) -> impl Iterator<Item = T> + 'a {
    let mut rest = b;
    a.iter().copied().filter(move |token| {
        let skip = rest.partition_point(|other| other < token);
        rest = &rest[skip..];
        rest.first() == Some(token)
    })
}

pub(crate) fn cosine(a: &[u8], b: &[u8]) -> f64 {
    let dot = |x: &[u8], y: &[u8]| -> f64 {
        x.iter()
            .zip(y)
            .map(|(&p, &q)| f64::from(p) * f64::from(q))
            .sum()
    };
    let length = (dot(a, a) * dot(b, b)).sqrt();
    if length > 0.0 {
        dot(a, b) / length
    } else {
        0.0
    }
}
