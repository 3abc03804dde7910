//! The function whose operations are nearest to those of another one.
//!
//! An operation weighs the more, the fewer functions have it. Two functions are alike by the share of
//! what both have in what either has. How alike they have to be goes by how they are related, how much
//! the weight is, and what only one of them has: a helper that is written again in other words differs
//! in what libraries offer, a sibling that does another job in names and texts of the program.

use crate::copies::Resemblance;
use crate::facts::{FileSignals, Function, Op, Traits};
use crate::layers::holder;
use crate::reimplementation::{calls_by_name, family, is_example, opposed};
use crate::snapshot::Snapshot;
use crate::words::{Map, stem};

use super::names::{Relation, relation, topics, words_of};
use super::table::is_operation;

/// A smaller code base is weighed as if it had this many functions.
const MIN_FUNCTIONS: usize = 200;

/// Least likeness that is looked at.
const MIN_LIKENESS: f64 = 0.3;

/// The same for functions whose names say the same.
const MIN_NAMED: f64 = 0.2;

/// Candidates that are looked at, nearest first.
const MAX_CANDIDATES: usize = 4;

/// Most things that a message names.
const MAX_SHARED: usize = 3;

/// How much an operation of a kind says.
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
    topics: Vec<String>,
}

/// An operation across functions.
struct Token {
    op: Op,
    name: String,
    /// Whether it is of the program, and not of the language or its libraries.
    is_own: bool,
    holders: Vec<u32>,
}

/// The functions of a code base with their operations.
pub(crate) struct Bags<'a> {
    files: &'a [(&'a str, &'a FileSignals)],
    bags: Vec<Bag<'a>>,
    tokens: Vec<Token>,
}

impl<'a> Bags<'a> {
    /// The functions outside of tests and examples.
    pub(crate) fn new(snapshot: &Snapshot<'a>) -> Self {
        let mut this = Self {
            files: snapshot.files,
            bags: Vec::new(),
            tokens: Vec::new(),
        };
        let mut known: Map<(Op, String), u32> = Map::default();
        for (file, (path, facts)) in snapshot.files.iter().enumerate() {
            if snapshot.tests[file] || is_example(path) {
                continue;
            }
            for function in &facts.functions {
                if !function.operations.is_empty() {
                    this.add(file, function, &mut known);
                }
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

    fn add(&mut self, file: usize, function: &'a Function, known: &mut Map<(Op, String), u32>) {
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
            let token = known.get(&key).copied().unwrap_or(next);
            if token == next {
                self.tokens.push(Token::new(key.0, &key.1));
                known.insert(key, token);
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
            topics: topics(&words),
            words,
        });
    }

    /// How telling an operation is.
    fn rarity(&self, token: &Token) -> f64 {
        let all = self.bags.len().max(MIN_FUNCTIONS) as f64;
        kind_weight(token.op) * (1.0 + all / token.holders.len().max(1) as f64).ln()
    }

    /// Functions of some files that do what another one does.
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
        let mut near: Vec<(f64, usize, Relation)> = Vec::new();
        for (other, (sum, bag)) in shared.iter_mut().zip(&self.bags).enumerate() {
            let both = std::mem::take(sum);
            let likeness = both / (this.weight + bag.weight - both).max(f64::EPSILON);
            if other != one
                && likeness >= self.least(one, other)
                && let Some(relation) = self.relation(one, other)
            {
                near.push((likeness, other, relation));
            }
        }
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        (0..near.len().min(MAX_CANDIDATES)).find_map(|at| {
            let (likeness, other, relation) = near[at];
            let lead = likeness - near.get(at + 1).map_or(0.0, |next| next.0);
            let pair = self.pair(one, other, relation, (likeness, lead));
            let bar = BARS.iter().find(|bar| bar.is_passed(&pair))?;
            Some(self.resemblance(one, other, &pair, bar.is_hint))
        })
    }

    /// Least likeness of two functions that are looked at.
    fn least(&self, one: usize, other: usize) -> f64 {
        let (a, b) = (&self.bags[one].topics, &self.bags[other].topics);
        if said_by_both(a, b) == Names::SaySame {
            MIN_NAMED
        } else {
            MIN_LIKENESS
        }
    }

    fn resemblance(&self, one: usize, other: usize, pair: &Pair, is_hint: bool) -> Resemblance {
        let likeness = (pair.likeness * 1000.0) as u32;
        let mut found = Resemblance::new(
            (self.path(one), self.bags[one].function),
            (self.path(other), self.bags[other].function),
            likeness,
        );
        found.is_hint = is_hint;
        found.shared = self.telling(one, other);
        found
    }

    /// How two functions are related, `None` if they do different jobs or are of one interface.
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
        let is_one_job = language(a) == language(b)
            && takes <= 1
            && (a.function.traits ^ b.function.traits) & Traits::ASYNC == 0
            && !(are_methods
                && (in_one_file || is_override || holder(a.function) == holder(b.function)))
            && a.words != b.words
            && !opposed(&stems_of(&a.words), &stems_of(&b.words))
            && !calls_by_name(facts(a), a.function, own_name(facts(b), b.function))
            && !calls_by_name(facts(b), b.function, own_name(facts(a), a.function));
        is_one_job.then(|| relation(&a.words, &b.words, in_one_file, are_methods))
    }

    /// Compares the operations of two functions.
    fn pair(&self, one: usize, other: usize, relation: Relation, near: (f64, f64)) -> Pair {
        let (a, b) = (&self.bags[one], &self.bags[other]);
        let mut pair = Pair {
            relation,
            likeness: near.0,
            lead: near.1,
            ..Pair::default()
        };
        let (mut own, mut types) = ((0.0, 0.0), (0.0, 0.0));
        for (number, in_both) in merged(&a.tokens, &b.tokens) {
            let token = &self.tokens[number as usize];
            let weight = self.rarity(token);
            let side = |sums: &mut (f64, f64), weight: f64| {
                if in_both {
                    sums.0 += weight;
                } else {
                    sums.1 += weight;
                }
            };
            if token.op == Op::Type {
                side(&mut types, 1.0);
            }
            if token.is_own {
                side(&mut own, weight);
            }
            if in_both {
                pair.whole += weight;
                let tells = !matches!(token.op, Op::Form | Op::Sign | Op::Type);
                pair.weight += if tells { weight } else { 0.0 };
                pair.pieces += usize::from(tells);
            }
        }
        let has_types = |bag: &Bag<'_>| {
            let mut tokens = bag.tokens.iter();
            tokens.any(|&token| self.tokens[token as usize].op == Op::Type)
        };
        pair.types = (has_types(a) && has_types(b)).then(|| types.0 / (types.0 + types.1));
        pair.foreign = if own.1 > 0.0 {
            own.1 / (own.0 + own.1)
        } else {
            0.0
        };
        pair.names = said_by_both(&a.topics, &b.topics);
        pair.has_same_arity = a.function.parameters.len() == b.function.parameters.len();
        pair
    }

    /// The rarest things in both, as a message names them.
    fn telling(&self, one: usize, other: usize) -> Vec<String> {
        let (a, b) = (&self.bags[one].tokens, &self.bags[other].tokens);
        let both = merged(a, b).filter(|(_, in_both)| *in_both);
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
            holders: Vec::new(),
        }
    }
}

fn own_name<'b>(facts: &'b FileSignals, function: &Function) -> &'b str {
    facts.names.get(function.name as usize).unwrap_or_default()
}

fn stems_of(words: &[String]) -> Vec<u32> {
    let stems = words
        .iter()
        .map(|word| crate::gather::symbol_hash("", &stem(word)));
    stems.collect()
}

/// The tokens of two ascending lists in order, and whether each is in both.
fn merged<'t>(a: &'t [u32], b: &'t [u32]) -> impl Iterator<Item = (u32, bool)> + 't {
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    std::iter::from_fn(move || match (a.peek().copied(), b.peek().copied()) {
        (Some(x), Some(y)) if x == y => {
            b.next();
            a.next().map(|token| (token, true))
        }
        (Some(x), Some(y)) if x > y => b.next().map(|token| (token, false)),
        (Some(_), _) => a.next().map(|token| (token, false)),
        (None, _) => b.next().map(|token| (token, false)),
    })
}

/// Likeness of the names of two functions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Names {
    #[default]
    Unlike,
    SaySame,
}

fn said_by_both(a: &[String], b: &[String]) -> Names {
    if !a.is_empty() && a == b {
        Names::SaySame
    } else {
        Names::Unlike
    }
}

/// Two functions, compared.
#[derive(Default)]
struct Pair {
    relation: Relation,
    /// Share of what both have in what either has, 0 to 1.
    likeness: f64,
    /// How much nearer it is than the next one.
    lead: f64,
    /// Weight of all that both have.
    whole: f64,
    /// Weight of the names, texts and numbers of that, and how many they are.
    weight: f64,
    pieces: usize,
    /// Share of what only one has in what is of the program.
    foreign: f64,
    /// Share of types of the signature in both, if both have types.
    types: Option<f64>,
    names: Names,
    has_same_arity: bool,
}

/// Thresholds for pairs of functions with some relations.
struct Bar {
    relations: &'static [Relation],
    likeness: f64,
    lead: f64,
    whole: f64,
    weight: f64,
    pieces: usize,
    foreign: f64,
    /// Least share of types; functions without any pass if `may_lack_types`.
    types: f64,
    may_lack_types: bool,
    names: Names,
    is_hint: bool,
}

const ANY: Bar = Bar {
    relations: &[Relation::Apart],
    likeness: 0.0,
    lead: 0.0,
    whole: 0.0,
    weight: 0.0,
    pieces: 0,
    foreign: 1.0,
    types: 0.0,
    may_lack_types: true,
    names: Names::Unlike,
    is_hint: true,
};

/// Functions that take and give back the same types.
const TYPED: Bar = Bar {
    types: 1.0,
    may_lack_types: false,
    ..ANY
};

/// The less one thing says, the more others have to.
const BARS: &[Bar] = &[
    // Most of what is in both is in both, and little of the program is in one only.
    Bar {
        likeness: 0.48,
        weight: 12.0,
        pieces: 2,
        foreign: 0.5,
        is_hint: false,
        ..ANY
    },
    Bar {
        likeness: 0.5,
        weight: 6.0,
        pieces: 2,
        foreign: 0.35,
        is_hint: false,
        ..ANY
    },
    Bar {
        relations: &[Relation::Family, Relation::Beside],
        likeness: 0.5,
        weight: 6.0,
        pieces: 2,
        foreign: 0.25,
        ..ANY
    },
    Bar {
        relations: &[Relation::Methods],
        likeness: 0.6,
        weight: 6.0,
        pieces: 2,
        foreign: 0.2,
        ..ANY
    },
    Bar {
        relations: &[Relation::Siblings],
        likeness: 0.95,
        weight: 6.0,
        pieces: 2,
        foreign: 0.0,
        ..ANY
    },
    // No other function is as near by far.
    Bar {
        likeness: 0.5,
        lead: 0.25,
        weight: 15.0,
        foreign: 0.6,
        ..ANY
    },
    Bar {
        relations: &[Relation::Apart, Relation::Family],
        likeness: 0.6,
        lead: 0.25,
        weight: 12.0,
        ..ANY
    },
    Bar {
        likeness: 0.4,
        lead: 0.12,
        weight: 10.0,
        foreign: 0.6,
        types: 0.5,
        ..ANY
    },
    // The constructs and operators say it.
    Bar {
        relations: &[Relation::Apart, Relation::Beside, Relation::Family],
        likeness: 0.7,
        lead: 0.2,
        whole: 9.0,
        foreign: 0.0,
        ..ANY
    },
    // Small functions of one signature.
    Bar {
        relations: &[Relation::Apart, Relation::Beside],
        likeness: 0.7,
        lead: 0.3,
        whole: 3.4,
        foreign: 0.0,
        ..TYPED
    },
    Bar {
        likeness: 0.6,
        lead: 0.2,
        whole: 9.0,
        foreign: 0.0,
        ..TYPED
    },
    Bar {
        likeness: 0.55,
        lead: 0.12,
        weight: 7.0,
        foreign: 0.7,
        ..TYPED
    },
    Bar {
        likeness: 0.45,
        lead: 0.15,
        weight: 9.0,
        foreign: 0.8,
        ..TYPED
    },
    Bar {
        likeness: 0.35,
        lead: 0.15,
        weight: 4.5,
        foreign: 0.62,
        ..TYPED
    },
    Bar {
        relations: &[Relation::Apart, Relation::Beside, Relation::Family],
        whole: 3.0,
        names: Names::SaySame,
        ..TYPED
    },
];

impl Bar {
    fn is_passed(&self, pair: &Pair) -> bool {
        let types = pair
            .types
            .map_or(self.may_lack_types, |types| types >= self.types);
        self.relations.contains(&pair.relation)
            && pair.likeness >= self.likeness
            && pair.lead >= self.lead
            && pair.whole >= self.whole
            && pair.weight >= self.weight
            && pair.pieces >= self.pieces
            && pair.foreign <= self.foreign
            && pair.names >= self.names
            && (self.names < Names::SaySame || pair.has_same_arity)
            && types
    }
}
