//! Finds the function whose operations are most similar to those of another one.
//!
//! The weight of an operation grows with its rarity. The functions with the most common weight are
//! examined closely: a score estimates the probability that one duplicates the other.

use std::cmp::Ordering;

use slope_model::time_limit;

use crate::alike::is_compared;
use crate::changed_tree::ChangedTree;
use crate::copies::Resemblance;
use crate::facts::family;
use crate::facts::{FileSignals, Function, Op, Traits};
use crate::gather::symbol_hash;
use crate::layers::holder;
use crate::reimplementation::{calls_by_name, opposed, value, weight};
use crate::snapshot::Snapshot;
use crate::words::{Map, stem};
use slope_syntax::paths::is_translation;

use super::index::{Bag, Operations, Token};
use super::names::{Relation, relation, words_of};
use super::score::{OperationSums, Pair, score};

/// A smaller code base is weighed as if it had this many functions.
const MIN_FUNCTIONS: usize = 200;

/// Minimum similarity of a candidate whose name gives no hint.
const MIN_LIKENESS: f64 = 0.08;

/// Number of common topics in two names that makes a candidate, regardless of the bodies.
const MIN_TOPICS: usize = 2;

/// Maximum number of functions that are examined, most similar first, and of candidates among them.
const MAX_NEAREST: usize = 30;
const MAX_CANDIDATES: usize = 12;

/// Minimum score of a duplicate, and of a possible one.
const DOES: f64 = 0.9;
const MAY_DO: f64 = 0.25;

/// A code base with fewer functions shows little about the rarity of operations, so it requires
/// more evidence.
const FEW_FUNCTIONS: usize = 30;
const MAY_DO_OF_FEW: f64 = 0.6;

/// Maximum number of common parts in a message.
const MAX_SHARED: usize = 3;

/// Weight of an operation by its kind.
fn kind_weight(op: Op) -> f64 {
    match op {
        Op::Name | Op::Text | Op::Number => 1.0,
        Op::Word => 0.8,
        Op::Sign | Op::Form => 0.6,
        Op::Type => 0.4,
    }
}

/// The functions of a changed tree with their operations.
pub(crate) struct Bags<'t, 'a> {
    snapshot: &'t Snapshot<'a>,
    base: &'t Operations,
    /// Those of new files. Their numbers come after those of the base.
    own: Operations,
    /// How many functions have an operation.
    counts: Vec<u32>,
    /// How many functions have an operation as their name.
    defined: Vec<u32>,
    /// Functions of new files by operation.
    holders: Map<u32, Vec<u32>>,
    /// Number of functions.
    functions: usize,
    /// Weights of operations by their rarity.
    rarities: Vec<u64>,
    /// Weights of functions: the sums of their operations.
    weights: Vec<u64>,
}

impl<'t, 'a> Bags<'t, 'a> {
    /// The functions outside of tests and examples.
    pub(crate) fn new(tree: &'t ChangedTree<'a>, base: &'t Operations) -> Self {
        let snapshot = &tree.snapshot;
        let mut own = Operations::default();
        for &file in snapshot.new_files() {
            let numbered = snapshot.numbered(file);
            if is_compared(&numbered) {
                let number = u32::try_from(file).unwrap_or(u32::MAX);
                own.add_file(Some(base), number, numbered.facts);
            }
        }
        own.list_topics();
        let mut this = Self {
            snapshot,
            base,
            counts: (0..base.token_count())
                .map(|token| u32::try_from(base.holders(token).len()).unwrap_or(u32::MAX))
                .collect(),
            defined: base.defined.clone(),
            holders: Map::default(),
            functions: base.len(),
            rarities: Vec::new(),
            weights: Vec::new(),
            own,
        };
        for (file, _) in &tree.old {
            this.take_out(*file);
        }
        this.put_in();
        this.weigh();
        this
    }

    /// Takes the functions of a file of the base out.
    fn take_out(&mut self, file: usize) {
        for number in self.base.of_file(file) {
            let bag = self.base.bag(number);
            for &token in bag.tokens {
                self.counts[token as usize] -= 1;
            }
            self.defined[bag.name as usize] -= 1;
            self.functions -= 1;
        }
    }

    /// Counts the functions of new files.
    fn put_in(&mut self) {
        let tokens = self.base.token_count() + self.own.token_count();
        self.counts.resize(tokens, 0);
        self.defined.resize(tokens, 0);
        for number in 0..self.own.len() {
            let bag = self.own.bag(number);
            let joint = u32::try_from(self.base.len() + number).unwrap_or(u32::MAX);
            for &token in bag.tokens {
                self.counts[token as usize] += 1;
                self.holders.entry(token).or_default().push(joint);
            }
            self.defined[bag.name as usize] += 1;
            self.functions += 1;
        }
    }

    /// Weighs operations by their rarity, and functions by their operations.
    fn weigh(&mut self) {
        let all = self.functions.max(MIN_FUNCTIONS) as f64;
        // Most operations are as frequent as many others.
        let mut known: Vec<Option<f64>> = vec![None; self.functions + 1];
        let tokens = 0..self.counts.len();
        let rarities = tokens.map(|token| {
            let count = self.counts[token] as usize;
            let rarity =
                *known[count].get_or_insert_with(|| (1.0 + all / count.max(1) as f64).ln());
            weight(kind_weight(self.token(token).op) * rarity)
        });
        self.rarities = rarities.collect();
        let weights = (0..self.base.len() + self.own.len()).map(|number| {
            let tokens = self.bag(number).tokens.iter();
            tokens.map(|&token| self.rarities[token as usize]).sum()
        });
        self.weights = weights.collect();
    }

    fn token(&self, token: usize) -> Token {
        match token.checked_sub(self.base.token_count()) {
            Some(own) => self.own.token(own),
            None => self.base.token(token),
        }
    }

    fn token_name(&self, token: usize) -> &str {
        match token.checked_sub(self.base.token_count()) {
            Some(own) => self.own.name(own),
            None => self.base.name(token),
        }
    }

    fn bag(&self, number: usize) -> Bag<'_> {
        match number.checked_sub(self.base.len()) {
            Some(own) => self.own.bag(own),
            None => self.base.bag(number),
        }
    }

    /// Whether a function is one of an old file.
    fn is_gone(&self, number: usize) -> bool {
        number < self.base.len() && self.snapshot.is_replaced(self.bag(number).file)
    }

    /// The functions at these places that duplicate another one, in the same order.
    pub(crate) fn find(&self, places: &[(usize, usize)]) -> Vec<Resemblance> {
        let mut shared = vec![0; self.weights.len()];
        let numbers = places.iter().filter_map(|&place| self.number(place));
        numbers
            .filter_map(|one| self.nearest(one, &mut shared))
            .collect()
    }

    /// The number of the function at a place.
    fn number(&self, (file, position): (usize, usize)) -> Option<usize> {
        let find = |of: &Operations| of.of_file(file).find(|&at| of.bag(at).position == position);
        let own = find(&self.own).map(|own| own + self.base.len());
        own.or_else(|| find(self.base).filter(|&number| !self.is_gone(number)))
    }

    fn facts(&self, bag: &Bag<'_>) -> &'a FileSignals {
        self.snapshot.files[bag.file].1
    }

    fn function(&self, bag: &Bag<'_>) -> &'a Function {
        &self.facts(bag).functions[bag.position]
    }

    fn path(&self, bag: &Bag<'_>) -> &'a str {
        self.snapshot.files[bag.file].0
    }

    /// Functions by path and position.
    fn order(&self, one: usize, other: usize) -> Ordering {
        let place = |number: usize| (self.bag(number).file, self.bag(number).position);
        self.snapshot.order(place(one), place(other))
    }

    /// The functions that are most similar to one, most similar first. `shared` is 0 for all functions before and
    /// after.
    fn most_similar(&self, one: usize, shared: &mut [u64]) -> Vec<(f64, usize)> {
        let seen = self.sum_up(one, shared);
        let topical = self.with_one_topic(one).into_iter();
        let topical = topical.map(|other| (self.likeness(one, other, shared[other]), other));
        let topical = topical.filter(|&(likeness, _)| likeness <= MIN_LIKENESS);
        let mut near: Vec<(f64, usize)> = topical.collect();
        for other in seen {
            let likeness = self.likeness(one, other, std::mem::take(&mut shared[other]));
            near.extend((likeness > MIN_LIKENESS).then_some((likeness, other)));
        }
        near.retain(|&(_, other)| other != one && !self.is_gone(other));
        let order = |a: &(f64, usize), b: &(f64, usize)| {
            let by_order = || self.order(a.1, b.1);
            b.0.total_cmp(&a.0).then_with(by_order)
        };
        if near.len() > MAX_NEAREST {
            near.select_nth_unstable_by(MAX_NEAREST, order);
            near.truncate(MAX_NEAREST);
        }
        near.sort_unstable_by(order);
        near
    }

    /// Adds the weights of the operations of one to `shared`, for each function that has them too. Returns these.
    fn sum_up(&self, one: usize, shared: &mut [u64]) -> Vec<usize> {
        let mut seen: Vec<usize> = Vec::new();
        for &token in self.bag(one).tokens {
            let weight = self.rarities[token as usize];
            let own = self.holders.get(&token).into_iter().flatten();
            for &holder in self.base.holders(token as usize).iter().chain(own) {
                let sum = &mut shared[holder as usize];
                if *sum == 0 {
                    seen.push(holder as usize);
                }
                *sum += weight;
            }
        }
        seen
    }

    /// Functions whose names have the topics of one.
    fn with_one_topic(&self, one: usize) -> Vec<usize> {
        let topics = self.bag(one).topics;
        let of_topic = |&topic: &u32| {
            let own = self.own.of_topic(topic);
            let own = own.map(|number| number + self.base.len());
            self.base.of_topic(topic).chain(own)
        };
        let mut found: Vec<usize> = topics.iter().flat_map(of_topic).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|&other| have_one_topic(topics, self.bag(other).topics));
        found
    }

    /// Share of common operations, by weight.
    fn likeness(&self, one: usize, other: usize, both: u64) -> f64 {
        let all = self.weights[one] + self.weights[other] - both;
        value(both) / value(all).max(f64::EPSILON)
    }

    /// The nearest function that passes.
    fn nearest(&self, one: usize, shared: &mut [u64]) -> Option<Resemblance> {
        time_limit::check();
        let near = self.most_similar(one, shared).into_iter();
        let near = near
            .filter_map(|(likeness, other)| Some((likeness, other, self.relation(one, other)?)));
        let near: Vec<_> = near.take(MAX_CANDIDATES).collect();
        let scores = near
            .iter()
            .enumerate()
            .map(|(at, &(likeness, other, relation))| {
                let next = near.iter().enumerate().find(|&(next, _)| next != at);
                let next = next.map_or(0.0, |(_, near)| near.0);
                let pair = self.pair((one, other), relation, (likeness, next));
                (score(&pair), other)
            });
        let best = |a: &(f64, usize), b: &(f64, usize)| {
            let by_order = || self.order(b.1, a.1);
            a.0.total_cmp(&b.0).then_with(by_order)
        };
        let (score, other) = scores.max_by(best)?;
        let least = match self.functions {
            ..FEW_FUNCTIONS => MAY_DO_OF_FEW,
            _ => MAY_DO,
        };
        (score >= least).then(|| self.resemblance(one, other, score))
    }

    fn resemblance(&self, one: usize, other: usize, score: f64) -> Resemblance {
        let (a, b) = (self.bag(one), self.bag(other));
        let mut found = Resemblance::new(
            (self.path(&a), self.function(&a)),
            (self.path(&b), self.function(&b)),
            (score * 1000.0) as u32,
        );
        found.is_hint = score < DOES;
        found.shared = self.telling(&a, &b);
        found
    }

    /// Relation of two functions; `None` if they have different jobs or belong to one interface.
    fn relation(&self, one: usize, other: usize) -> Option<Relation> {
        let (a, b) = (self.bag(one), self.bag(other));
        let (first, second) = (self.function(&a), self.function(&b));
        let (facts, others) = (self.facts(&a), self.facts(&b));
        let takes = first.parameters.len().abs_diff(second.parameters.len());
        let has_class =
            |function: &Function| function.class.is_some() || function.callable.contains('.');
        let are_methods = has_class(first) && has_class(second);
        let in_one_file = a.file == b.file;
        let is_override = (first.traits | second.traits) & Traits::OVERRIDE != 0;
        let is_translated = [&a, &b].iter().any(|bag| is_translation(self.path(bag)));
        let (own, name) = (own_name(facts, first), own_name(others, second));
        let (words, other_words) = (words_of(own), words_of(name));
        let is_one_job = family(&facts.language) == family(&others.language)
            && takes <= 1
            && !is_translated
            && (first.traits ^ second.traits) & Traits::ASYNC == 0
            && !(are_methods && (in_one_file || is_override || holder(first) == holder(second)))
            && words != other_words
            && !opposed(&stems_of(&words), &stems_of(&other_words))
            && !calls_by_name(facts, first, name)
            && !calls_by_name(others, second, own);
        is_one_job.then(|| relation(&words, &other_words, in_one_file, are_methods))
    }

    /// Compares the operations of two functions. `near` is how near they are, and how near the nearest
    /// other function is.
    fn pair(&self, (one, other): (usize, usize), relation: Relation, near: (f64, f64)) -> Pair<'_> {
        let (a, b) = (self.bag(one), self.bag(other));
        let mut sums = OperationSums::default();
        for (number, side) in merged(a.tokens, b.tokens) {
            let token = self.token(number as usize);
            let weight = self.rarities[number as usize];
            sums.add(side, token.op, weight);
            if token.is_own {
                sums.own.add(side, weight);
            }
            if token.op == Op::Name && self.defined[number as usize] > 0 {
                sums.defined.add(side, weight);
            }
        }
        Pair {
            sums,
            relation,
            likeness: near.0,
            nearest_other: near.1,
            paths: (self.path(&a), self.path(&b)),
            functions: (self.function(&a), self.function(&b)),
            topics: (a.topics, b.topics),
            is_used: self.counts[b.name as usize] > 0,
        }
    }

    /// The rarest common parts, as a message names them.
    fn telling(&self, a: &Bag<'_>, b: &Bag<'_>) -> Vec<String> {
        let named = common(a.tokens, b.tokens).map(|number| {
            let number = number as usize;
            (
                self.token(number),
                self.token_name(number),
                self.counts[number],
            )
        });
        let mut telling: Vec<(Token, &str, u32)> = named
            .filter(|(token, name, _)| {
                matches!(token.op, Op::Name | Op::Text | Op::Number) && !name.contains('`')
            })
            .collect();
        telling.sort_by_key(|&(token, name, count)| (count, !token.is_own, name));
        let texts = telling.iter().take(MAX_SHARED);
        let texts = texts.map(|(token, name, _)| match token.op {
            Op::Text => format!("\"{name}\""),
            _ => (*name).to_owned(),
        });
        texts.collect()
    }
}

fn own_name<'b>(facts: &'b FileSignals, function: &Function) -> &'b str {
    facts.names.get(function.name as usize).unwrap_or_default()
}

fn stems_of(words: &[String]) -> Vec<u32> {
    let stems = words.iter().map(|word| symbol_hash("", &stem(word)));
    stems.collect()
}

/// Presence of an operation in two functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Both,
    First,
    Second,
}

/// The tokens that two ascending lists share.
fn common<'t>(a: &'t [u32], b: &'t [u32]) -> impl Iterator<Item = u32> + 't {
    merged(a, b).filter_map(|(token, side)| (side == Side::Both).then_some(token))
}

/// The tokens of two ascending lists in order, and where they are.
fn merged<'t>(a: &'t [u32], b: &'t [u32]) -> impl Iterator<Item = (u32, Side)> + 't {
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    std::iter::from_fn(move || match (a.peek().copied(), b.peek().copied()) {
        (Some(x), Some(y)) if x == y => {
            b.next();
            a.next().map(|token| (token, Side::Both))
        }
        (Some(x), Some(y)) if x > y => b.next().map(|token| (token, Side::Second)),
        (Some(_), _) => a.next().map(|token| (token, Side::First)),
        (None, _) => b.next().map(|token| (token, Side::Second)),
    })
}

/// Whether two names have the same topic.
fn have_one_topic(a: &[u32], b: &[u32]) -> bool {
    let shared = a.iter().filter(|topic| b.contains(topic)).count();
    shared >= MIN_TOPICS || !a.is_empty() && a == b
}
