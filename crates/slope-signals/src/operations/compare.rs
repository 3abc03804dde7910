//! Finds the function whose operations are most similar to those of another one.
//!
//! The weight of an operation grows with its rarity. The functions with the most common weight are
//! examined closely: a score estimates the probability that one duplicates the other.

use crate::copies::Resemblance;
use crate::facts::{FileSignals, Function, Op, Traits};
use crate::gather::symbol_hash;
use crate::layers::holder;
use crate::reimplementation::{calls_by_name, family, opposed};
use crate::snapshot::Snapshot;
use crate::words::{Map, stem};
use slope_syntax::paths::is_translation;

use super::names::{Relation, relation, topics, words_of};
use super::score::{OperationSums, Pair, score};
use super::table::is_operation;
use slope_syntax::paths;

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

/// A function with its operations by number across files.
struct Bag<'a> {
    file: usize,
    function: &'a Function,
    /// Ascending.
    tokens: Vec<u32>,
    weight: f64,
    words: Vec<String>,
    /// Topics of its name.
    topics: Vec<u32>,
}

/// An operation across functions.
struct Token {
    op: Op,
    name: String,
    /// Whether it is of the program, and not of the language or its libraries.
    is_own: bool,
    /// Whether it is the name of a function of the code base.
    is_defined: bool,
    holders: Vec<u32>,
}

/// The functions of a code base with their operations.
pub(crate) struct Bags<'a> {
    files: Vec<(&'a str, &'a FileSignals)>,
    bags: Vec<Bag<'a>>,
    tokens: Vec<Token>,
    /// Operations by name.
    known: Map<(Op, String), u32>,
}

impl<'a> Bags<'a> {
    /// The functions outside of tests and examples.
    pub(crate) fn new(snapshot: &Snapshot<'a>) -> Self {
        let mut this = Self {
            files: snapshot.files.to_vec(),
            bags: Vec::new(),
            tokens: Vec::new(),
            known: Map::default(),
        };
        for (file, (path, facts)) in snapshot.files.iter().enumerate() {
            if snapshot.tests[file] || paths::is_example(path) {
                continue;
            }
            for function in &facts.functions {
                if !function.operations.is_empty() {
                    this.add(file, function);
                }
            }
        }
        for bag in &this.bags {
            let name = own_name(this.files[bag.file].1, bag.function);
            if let Some(&token) = this.known.get(&(Op::Name, name.to_owned())) {
                this.tokens[token as usize].is_defined = true;
            }
        }
        let weights: Vec<f64> = this.tokens.iter().map(|token| this.rarity(token)).collect();
        for bag in &mut this.bags {
            bag.weight = bag
                .tokens
                .iter()
                .map(|&token| weights[token as usize])
                .sum();
        }
        this
    }

    fn add(&mut self, file: usize, function: &'a Function) {
        let number = u32::try_from(self.bags.len()).unwrap_or(u32::MAX);
        let names = &self.files[file].1.names;
        let mut tokens = Vec::with_capacity(function.operations.len());
        for operation in &function.operations {
            let name = names.get(operation.name as usize).unwrap_or_default();
            let name = match operation.op {
                Op::Word => stem(&name.to_lowercase()),
                _ => name.to_owned(),
            };
            let next = u32::try_from(self.tokens.len()).unwrap_or(u32::MAX);
            let key = (operation.op, name);
            let token = self.known.get(&key).copied().unwrap_or(next);
            if token == next {
                self.tokens.push(Token::new(key.0, &key.1));
                self.known.insert(key, token);
            }
            tokens.push(token);
        }
        tokens.sort_unstable();
        tokens.dedup();
        for &token in &tokens {
            self.tokens[token as usize].holders.push(number);
        }
        let name = names.get(function.name as usize).unwrap_or_default();
        let words = words_of(name);
        self.bags.push(Bag {
            file,
            function,
            tokens,
            weight: 0.0,
            topics: numbered(&topics(&words)),
            words,
        });
    }

    /// Weight of an operation by its rarity.
    fn rarity(&self, token: &Token) -> f64 {
        let all = self.bags.len().max(MIN_FUNCTIONS) as f64;
        kind_weight(token.op) * (1.0 + all / token.holders.len().max(1) as f64).ln()
    }

    /// Functions of the wanted files that duplicate another one.
    pub(crate) fn find(&self, is_wanted: &dyn Fn(&str) -> bool) -> Vec<Resemblance> {
        let mut shared = vec![0.0; self.bags.len()];
        let wanted = (0..self.bags.len()).filter(|&one| is_wanted(self.path(one)));
        wanted
            .filter_map(|one| self.nearest(one, &mut shared))
            .collect()
    }

    fn path(&self, bag: usize) -> &'a str {
        self.files[self.bags[bag].file].0
    }

    /// The nearest function that passes; `shared` is 0 for all functions before and after.
    fn nearest(&self, one: usize, shared: &mut [f64]) -> Option<Resemblance> {
        let this = &self.bags[one];
        for &token in &this.tokens {
            let token = &self.tokens[token as usize];
            let weight = self.rarity(token);
            for &holder in &token.holders {
                shared[holder as usize] += weight;
            }
        }
        let mut near: Vec<(f64, usize)> = Vec::new();
        for (other, (sum, bag)) in shared.iter_mut().zip(&self.bags).enumerate() {
            let both = std::mem::take(sum);
            let likeness = both / (this.weight + bag.weight - both).max(f64::EPSILON);
            if other != one
                && (likeness > MIN_LIKENESS || have_one_topic(&this.topics, &bag.topics))
            {
                near.push((likeness, other));
            }
        }
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let near = near.into_iter().take(MAX_NEAREST);
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
        let (score, other) = scores.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
        let least = match self.bags.len() {
            ..FEW_FUNCTIONS => MAY_DO_OF_FEW,
            _ => MAY_DO,
        };
        (score >= least).then(|| self.resemblance(one, other, score))
    }

    fn resemblance(&self, one: usize, other: usize, score: f64) -> Resemblance {
        let mut found = Resemblance::new(
            (self.path(one), self.bags[one].function),
            (self.path(other), self.bags[other].function),
            (score * 1000.0) as u32,
        );
        found.is_hint = score < DOES;
        found.shared = self.telling(one, other);
        found
    }

    /// Relation of two functions; `None` if they have different jobs or belong to one interface.
    fn relation(&self, one: usize, other: usize) -> Option<Relation> {
        let (a, b) = (&self.bags[one], &self.bags[other]);
        let language = |bag: &Bag<'_>| family(&self.files[bag.file].1.language);
        let takes = a
            .function
            .parameters
            .len()
            .abs_diff(b.function.parameters.len());
        let has_class =
            |bag: &Bag<'_>| bag.function.class.is_some() || bag.function.callable.contains('.');
        let are_methods = has_class(a) && has_class(b);
        let in_one_file = a.file == b.file;
        let is_override = (a.function.traits | b.function.traits) & Traits::OVERRIDE != 0;
        let facts = |bag: &Bag<'a>| self.files[bag.file].1;
        let is_translated = [one, other]
            .iter()
            .any(|&bag| is_translation(self.path(bag)));
        let is_one_job = language(a) == language(b)
            && takes <= 1
            && !is_translated
            && (a.function.traits ^ b.function.traits) & Traits::ASYNC == 0
            && !(are_methods
                && (in_one_file || is_override || holder(a.function) == holder(b.function)))
            && a.words != b.words
            && !opposed(&stems_of(&a.words), &stems_of(&b.words))
            && !calls_by_name(facts(a), a.function, own_name(facts(b), b.function))
            && !calls_by_name(facts(b), b.function, own_name(facts(a), a.function));
        is_one_job.then(|| relation(&a.words, &b.words, in_one_file, are_methods))
    }

    /// Compares the operations of two functions. `near` is how near they are, and how near the nearest
    /// other function is.
    fn pair(&self, (one, other): (usize, usize), relation: Relation, near: (f64, f64)) -> Pair<'_> {
        let (a, b) = (&self.bags[one], &self.bags[other]);
        let mut sums = OperationSums::default();
        for (number, side) in merged(&a.tokens, &b.tokens) {
            let token = &self.tokens[number as usize];
            sums.add(side, token.op, self.rarity(token));
            if token.is_own {
                sums.own.add(side, self.rarity(token));
            }
            if token.op == Op::Name && token.is_defined {
                sums.defined.add(side, self.rarity(token));
            }
        }
        let name = own_name(self.files[b.file].1, b.function);
        Pair {
            sums,
            relation,
            likeness: near.0,
            nearest_other: near.1,
            paths: (self.path(one), self.path(other)),
            functions: (a.function, b.function),
            topics: (&a.topics, &b.topics),
            is_used: self.known.contains_key(&(Op::Name, name.to_owned())),
        }
    }

    /// The rarest common parts, as a message names them.
    fn telling(&self, one: usize, other: usize) -> Vec<String> {
        let (a, b) = (&self.bags[one].tokens, &self.bags[other].tokens);
        let both = merged(a, b).filter(|(_, side)| *side == Side::Both);
        let tokens = both.map(|(number, _)| &self.tokens[number as usize]);
        let mut telling: Vec<&Token> = tokens
            .filter(|token| {
                matches!(token.op, Op::Name | Op::Text | Op::Number) && !token.name.contains('`')
            })
            .collect();
        telling.sort_by(|a, b| {
            let key = |token: &Token| (token.holders.len(), !token.is_own);
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        let named = telling.iter().take(MAX_SHARED).map(|token| match token.op {
            Op::Text => format!("\"{}\"", token.name),
            _ => token.name.clone(),
        });
        named.collect()
    }
}

impl Token {
    fn new(op: Op, name: &str) -> Self {
        let is_own = match op {
            Op::Text | Op::Word => true,
            Op::Name => !is_operation(name),
            Op::Number => !matches!(name, "0" | "1" | "2"),
            Op::Sign | Op::Form | Op::Type => false,
        };
        Self {
            op,
            name: name.to_owned(),
            is_own,
            is_defined: false,
            holders: Vec::new(),
        }
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

/// Words as numbers, ascending.
fn numbered(words: &[String]) -> Vec<u32> {
    let words = words.iter().map(|word| symbol_hash("", word));
    let mut numbers: Vec<u32> = words.collect();
    numbers.sort_unstable();
    numbers
}

/// Whether two names have the same topic.
fn have_one_topic(a: &[u32], b: &[u32]) -> bool {
    let shared = a.iter().filter(|topic| b.contains(topic)).count();
    shared >= MIN_TOPICS || !a.is_empty() && a == b
}
