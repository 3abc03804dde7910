//! How likely it is that one function does what another one does.
//!
//! The score is a logistic regression over what is known of the two functions. It was fitted to pairs
//! in which a coding agent wrote a helper of the code base again, and to the new functions of commits
//! of well-kept repositories; `docs/metrics/precision.md` tells how, and how well it does.

use crate::facts::{Function, Op, Traits};

use crate::snapshot::folder;

use super::compare::Side;
use super::names::Relation;

/// Weights and numbers of operations: of both functions, of the first one only, of the second one only.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BySide {
    pub(super) weights: [f64; 3],
    pub(super) counts: [u32; 3],
}

impl BySide {
    pub(super) fn add(&mut self, side: Side, weight: f64) {
        self.weights[side as usize] += weight;
        self.counts[side as usize] += 1;
    }

    /// How many there are of both functions together.
    fn count(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The weight, as a logarithm, of operations that only one function has.
    fn in_one(&self) -> f64 {
        (self.weights[1] + self.weights[2]).ln_1p()
    }

    /// Whether the functions have much of this, and nothing in common.
    fn are_other(&self) -> bool {
        self.counts[0] == 0 && self.weights[1] + self.weights[2] > MAX_OTHER_TEXTS
    }

    /// The share of operations that are of both functions; a half if there are none.
    fn share(&self) -> f64 {
        match self.count() {
            0 => 0.5,
            all => f64::from(self.counts[0]) / f64::from(all),
        }
    }
}

/// The operations of two functions.
#[derive(Debug, Default)]
pub(super) struct Sums {
    all: BySide,
    texts: BySide,
    numbers: BySide,
    signs: BySide,
    types: BySide,
    /// Those of the program, and not of the language or its libraries.
    pub(super) own: BySide,
    /// Names of functions of the code base.
    pub(super) defined: BySide,
}

impl Sums {
    pub(super) fn add(&mut self, side: Side, op: Op, weight: f64) {
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

/// A function, and another one that it may do the job of.
pub(super) struct Pair<'p> {
    pub(super) sums: Sums,
    pub(super) relation: Relation,
    /// Share of the weight of what both have in what either has, 0 to 1.
    pub(super) likeness: f64,
    /// That of the nearest other function.
    pub(super) nearest_other: f64,
    pub(super) paths: (&'p str, &'p str),
    pub(super) functions: (&'p Function, &'p Function),
    pub(super) topics: (&'p [u32], &'p [u32]),
    /// Whether a function of the code base uses the other one.
    pub(super) is_used: bool,
}

/// Least likeness and weight of what both have in functions that are the same but for their form.
const MIN_SAME: f64 = 0.7;
const MIN_SAME_WEIGHT: f64 = 12.0;

/// Weight of texts that make functions differ if none is in both.
const MAX_OTHER_TEXTS: f64 = 8.0;

/// How near the nearest other function is taken to be at least.
const MIN_NEAREST: f64 = 0.2;

/// Most of a lead that counts.
const MAX_LEAD: f64 = 0.3;

/// How many things are known of a pair.
const FEATURES: usize = 30;

/// Words in paths of files for helpers.
const HELPERS: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "support", "tool", "tools", "misc", "string",
    "strings", "shared", "lib",
];

/// How likely it is that the first function does what the second one does, 0 to 1.
pub(super) fn score(pair: &Pair<'_>) -> f64 {
    if pair.sums.texts.are_other() {
        return 0.0;
    }
    if pair.is_same() {
        return 1.0;
    }
    let features = pair.features();
    let terms = features.iter().zip(&WEIGHTS);
    let sum: f64 = terms.map(|(feature, (_, weight))| feature * weight).sum();
    1.0 / (1.0 + (-(sum + BIAS)).exp())
}

impl Pair<'_> {
    /// Whether nearly all of each function is in the other, and nothing of the program is in one only.
    fn is_same(&self) -> bool {
        let Sums {
            own,
            texts,
            numbers,
            ..
        } = &self.sums;
        let differ = [own, texts, numbers];
        self.likeness >= MIN_SAME
            && self.sums.all.weights[0] >= MIN_SAME_WEIGHT
            && self.relation != Relation::Siblings
            && differ.iter().all(|of| of.counts[1] + of.counts[2] == 0)
    }

    /// How much nearer the other function is than the rest. In a small code base nothing else may be near.
    fn lead(&self) -> f64 {
        (self.likeness - self.nearest_other.max(MIN_NEAREST)).clamp(0.0, MAX_LEAD)
    }

    /// Features of the pair, in the order of [`WEIGHTS`].
    fn features(&self) -> [f64; FEATURES] {
        let Sums {
            all,
            texts,
            numbers,
            signs,
            types,
            own,
            defined,
        } = &self.sums;
        let [both, first, second] = all.weights;
        let flag = |is: bool| f64::from(u8::from(is));
        let count = |of: u32| f64::from(of).ln_1p();
        let share = |part: f64, of: f64| part / of.max(f64::EPSILON);
        let (one, other) = self.functions;
        let has = |function: &Function, traits: u32| function.traits & traits != 0;
        let is_method = |function: &Function| function.callable.contains('.');
        let shared = self
            .topics
            .0
            .iter()
            .filter(|topic| self.topics.1.contains(topic));
        let shared = shared.count();
        let all_topics = self.topics.0.len() + self.topics.1.len() - shared;
        let (small, large) = (both + first.min(second), both + first.max(second));
        [
            both.ln_1p(),
            share(both, both + first + second),
            first.ln_1p(),
            second.ln_1p(),
            share(small, large),
            count(texts.counts[0]),
            texts.in_one(),
            numbers.in_one(),
            count(signs.counts[0]),
            types.share(),
            flag(types.count() == 0),
            own.weights[1].ln_1p(),
            own.weights[2].ln_1p(),
            defined.weights[0].ln_1p(),
            defined.weights[1].ln_1p(),
            defined.weights[2].ln_1p(),
            share(shared as f64, all_topics as f64),
            flag(one.parameters.len() == other.parameters.len()),
            self.lead(),
            flag(self.likeness >= self.nearest_other),
            flag(is_of_helpers(self.paths.1)),
            flag(!self.is_used),
            flag(self.paths.0 == self.paths.1),
            flag(folder(self.paths.0) == folder(self.paths.1)),
            flag(self.relation == Relation::Methods),
            flag(self.relation == Relation::Siblings),
            flag(is_method(one)),
            flag(is_method(other)),
            flag(has(one, Traits::EXPORTED)),
            flag(has(other, Traits::EXPORTED)),
        ]
    }
}

/// Whether a path is that of a file for helpers.
fn is_of_helpers(path: &str) -> bool {
    let mut words = path.split(['/', '_', '-', '.']);
    words.any(|word| HELPERS.contains(&word.to_ascii_lowercase().as_str()))
}

/// Added to the sum.
const BIAS: f64 = -9.308;

/// How much each thing that is known of a pair speaks for it.
const WEIGHTS: [(&str, f64); FEATURES] = [
    ("weight of both", 0.768),
    ("share of both in all", -2.729),
    ("weight of the first only", 0.316),
    ("weight of the second only", 0.320),
    ("ratio of the weights", 1.821),
    ("texts of both", 1.298),
    ("texts of one only", -0.134),
    ("numbers of one only", 0.018),
    ("signs of both", -0.789),
    ("share of types of both", 2.316),
    ("no types", -1.161),
    ("own of the first only", -0.377),
    ("own of the second only", -0.336),
    ("defined of both", -0.850),
    ("defined of the first only", -0.672),
    ("defined of the second only", -0.191),
    ("share of topics of both", 1.978),
    ("as many parameters", 1.834),
    ("lead", 11.089),
    ("nearest", 2.194),
    ("file of helpers", 0.782),
    ("not used", -0.700),
    ("one file", -4.380),
    ("one folder", 0.548),
    ("methods", -1.123),
    ("siblings", -3.195),
    ("first is a method", -1.945),
    ("second is a method", -0.948),
    ("first is exported", -3.293),
    ("second is exported", 0.820),
];
