//! Probability that one function duplicates another one.
//!
//! The score is a logistic regression over features of the two functions. It was fitted to pairs in
//! which a coding agent rewrote a helper of the code base, and to the new functions of commits of
//! well-kept repositories; `docs/lab/precision-in-changes.md` describes the fit and its quality.

use crate::facts::{Function, Op, Traits};
use crate::file_paths::folder;
use crate::reimplementation::value;

use super::compare::Side;
use super::names::Relation;

/// Weights and numbers of operations: of both functions, of the first one only, of the second one
/// only.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BySide {
    weights: [u64; 3],
    pub(super) counts: [u32; 3],
}

impl BySide {
    pub(super) fn add(&mut self, side: Side, weight: u64) {
        self.weights[side as usize] += weight;
        self.counts[side as usize] += 1;
    }

    fn weight(&self, side: Side) -> f64 {
        value(self.weights[side as usize])
    }

    /// Total number in both functions.
    fn count(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The weight, as a logarithm, of operations that only one function has.
    fn in_one(&self) -> f64 {
        value(self.weights[1] + self.weights[2]).ln_1p()
    }

    /// Whether the functions have many operations of this kind, and none in common.
    fn are_other(&self) -> bool {
        self.counts[0] == 0 && value(self.weights[1] + self.weights[2]) > MAX_OTHER_TEXTS
    }

    /// The share of operations that are of both functions; 0.5 without operations.
    fn share(&self) -> f64 {
        match self.count() {
            0 => 0.5,
            all => f64::from(self.counts[0]) / f64::from(all),
        }
    }
}

/// The operations of two functions.
#[derive(Debug, Default)]
pub(super) struct OperationSums {
    all: BySide,
    texts: BySide,
    numbers: BySide,
    signs: BySide,
    types: BySide,
    /// Operations of the program, without those of the language and its libraries.
    pub(super) own: BySide,
    /// Names of functions of the code base.
    pub(super) defined: BySide,
}

impl OperationSums {
    pub(super) fn add(&mut self, side: Side, op: Op, weight: u64) {
        self.all.add(side, weight);
        let of_kind = match op {
            Op::Text => &mut self.texts,
            Op::Sign => &mut self.signs,
            Op::Type => &mut self.types,
            Op::Number => &mut self.numbers,
            Op::Name | Op::Form | Op::Word => return,
        };
        of_kind.add(side, weight);
    }
}

/// A function, and another one that it may duplicate.
pub(super) struct Pair<'p> {
    pub(super) sums: OperationSums,
    pub(super) relation: Relation,
    /// Weight of the common operations divided by that of all, 0 to 1.
    pub(super) likeness: f64,
    /// The similarity of the next best function.
    pub(super) nearest_other: f64,
    pub(super) paths: (&'p str, &'p str),
    pub(super) functions: (&'p Function, &'p Function),
    pub(super) topics: (&'p [u32], &'p [u32]),
    /// Whether a function of the code base uses the other one.
    pub(super) is_used: bool,
}

/// Minimum similarity and common weight of functions that differ only in form.
const MIN_SAME: f64 = 0.7;
const MIN_SAME_WEIGHT: f64 = 12.0;

/// Weight of texts that makes functions differ if none is in common.
const MAX_OTHER_TEXTS: f64 = 8.0;

/// Lower bound for the similarity of the next best function.
const MIN_NEAREST: f64 = 0.2;

/// Upper bound of a lead.
const MAX_LEAD: f64 = 0.3;

/// The log odds of a pair without any features.
const BIAS: f64 = -9.308;

/// Words in paths of files for helpers.
const HELPERS: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "support", "tool", "tools", "misc", "string",
    "strings", "shared", "lib",
];

/// Probability that the first function duplicates the second one, 0 to 1.
pub(super) fn score(pair: &Pair<'_>) -> f64 {
    if pair.sums.texts.are_other() {
        return 0.0;
    }
    if pair.is_same() {
        return 1.0;
    }
    let sum = BIAS + pair.of_operations() + pair.of_names() + pair.of_places();
    1.0 / (1.0 + (-sum).exp())
}

/// A weight, and the feature that it weighs.
type Term = (f64, f64);

fn total(terms: &[Term]) -> f64 {
    terms.iter().map(|(weight, feature)| weight * feature).sum()
}

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn share(part: f64, of: f64) -> f64 {
    part / of.max(f64::EPSILON)
}

impl Pair<'_> {
    /// Whether nearly all of each function is in the other, and nothing of the program is in one
    /// only.
    fn is_same(&self) -> bool {
        let OperationSums {
            own,
            texts,
            numbers,
            ..
        } = &self.sums;
        let differ = [own, texts, numbers];
        self.likeness >= MIN_SAME
            && self.sums.all.weight(Side::Both) >= MIN_SAME_WEIGHT
            && self.relation != Relation::Siblings
            && differ.iter().all(|of| of.counts[1] + of.counts[2] == 0)
    }

    /// The lead of the other function over the next best. In a small code base there may be no
    /// similar one.
    fn lead(&self) -> f64 {
        (self.likeness - self.nearest_other.max(MIN_NEAREST)).clamp(0.0, MAX_LEAD)
    }

    /// Contribution of the operations.
    fn of_operations(&self) -> f64 {
        let OperationSums {
            all,
            texts,
            numbers,
            signs,
            own,
            defined,
            ..
        } = &self.sums;
        let [both, first, second] = all.weights.map(value);
        let (small, large) = (both + first.min(second), both + first.max(second));
        let count = |of: u32| f64::from(of).ln_1p();
        total(&[
            (0.768, both.ln_1p()),
            (-2.729, share(both, both + first + second)),
            (0.316, first.ln_1p()),
            (0.320, second.ln_1p()),
            (1.821, share(small, large)),
            (1.298, count(texts.counts[0])),
            (-0.134, texts.in_one()),
            (0.018, numbers.in_one()),
            (-0.789, count(signs.counts[0])),
            (-0.377, own.weight(Side::First).ln_1p()),
            (-0.336, own.weight(Side::Second).ln_1p()),
            (-0.850, defined.weight(Side::Both).ln_1p()),
            (-0.672, defined.weight(Side::First).ln_1p()),
            (-0.191, defined.weight(Side::Second).ln_1p()),
            (11.089, self.lead()),
            (2.194, flag(self.likeness >= self.nearest_other)),
        ])
    }

    /// Contribution of the names and signatures.
    fn of_names(&self) -> f64 {
        let types = &self.sums.types;
        let (one, other) = self.functions;
        let (topics, others) = self.topics;
        let shared = topics.iter().filter(|topic| others.contains(topic)).count();
        let all = topics.len() + others.len() - shared;
        total(&[
            (2.316, types.share()),
            (-1.161, flag(types.count() == 0)),
            (1.978, share(shared as f64, all as f64)),
            (1.834, flag(one.parameters.len() == other.parameters.len())),
        ])
    }

    /// Contribution of the functions' places and visibility.
    fn of_places(&self) -> f64 {
        let (one, other) = self.functions;
        let is_method = |function: &Function| function.callable.contains('.');
        let is_exported = |function: &Function| function.traits & Traits::EXPORTED != 0;
        total(&[
            (0.782, flag(is_of_helpers(self.paths.1))),
            (-0.700, flag(!self.is_used)),
            (-4.380, flag(self.paths.0 == self.paths.1)),
            (0.548, flag(folder(self.paths.0) == folder(self.paths.1))),
            (-1.123, flag(self.relation == Relation::Methods)),
            (-3.195, flag(self.relation == Relation::Siblings)),
            (-1.945, flag(is_method(one))),
            (-0.948, flag(is_method(other))),
            (-3.293, flag(is_exported(one))),
            (0.820, flag(is_exported(other))),
        ])
    }
}

/// Whether a path is that of a file for helpers.
fn is_of_helpers(path: &str) -> bool {
    let mut words = path.split(['/', '_', '-', '.']);
    words.any(|word| HELPERS.contains(&word.to_ascii_lowercase().as_str()))
}
