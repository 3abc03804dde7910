//! The operations of the functions of a tree, by number.

use crate::facts::{FileSignals, Function, Op};
use crate::gather::symbol_hash;
use crate::numbers::Numbers;
use crate::words::stem;

use super::names::{topics, words_of};
use super::table::is_operation;

/// A function with its operations, as ranges of the lists of all functions.
#[derive(Debug, Clone, Copy)]
struct Range {
    file: u32,
    position: u32,
    /// Ends in the lists of operations and of topics.
    tokens: u32,
    topics: u32,
    /// The token of a call of it.
    name: u32,
}

/// An operation across functions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) op: Op,
    /// Whether it is of the program, and not of the language or its libraries.
    pub(super) is_own: bool,
}

/// A function with its operations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bag<'o> {
    pub(super) file: usize,
    pub(super) position: usize,
    /// Ascending.
    pub(super) tokens: &'o [u32],
    /// Topics of its name, ascending.
    pub(super) topics: &'o [u32],
    /// The token of a call of it.
    pub(super) name: u32,
}

/// The functions of a tree with their operations.
#[derive(Debug, Default)]
pub(crate) struct Operations {
    /// Kinds of operations with their names.
    names: Numbers,
    tokens: Vec<Token>,
    /// In order of file and position.
    ranges: Vec<Range>,
    token_list: Vec<u32>,
    topic_list: Vec<u32>,
    /// Functions by token: starts, and the functions in order.
    starts: Vec<u32>,
    holders: Vec<u32>,
    /// Topics of names with the functions that have them, ascending.
    topic_holders: Vec<(u32, u32)>,
    /// By token, how many functions have its name.
    pub(super) defined: Vec<u32>,
}

impl Operations {
    /// Adds the functions of a file. Numbers of operations are those of `base`, if it has them.
    pub(crate) fn add_file(&mut self, base: Option<&Self>, file: u32, facts: &FileSignals) {
        for (position, function) in (0..).zip(&facts.functions) {
            if !function.operations.is_empty() {
                self.add(base, (file, position), facts, function);
            }
        }
    }

    fn add(
        &mut self,
        base: Option<&Self>,
        (file, position): (u32, u32),
        facts: &FileSignals,
        function: &Function,
    ) {
        let names = &facts.names;
        let mut tokens = Vec::with_capacity(function.operations.len());
        for operation in &function.operations {
            let name = names.get(operation.name as usize).unwrap_or_default();
            tokens.push(match operation.op {
                Op::Word => self.number(base, operation.op, &stem(&name.to_lowercase())),
                op => self.number(base, op, name),
            });
        }
        tokens.sort_unstable();
        tokens.dedup();
        self.token_list.extend(tokens);
        let own = names.get(function.name as usize).unwrap_or_default();
        self.topic_list.extend(numbered(&topics(&words_of(own))));
        let end = |list: &[u32]| u32::try_from(list.len()).unwrap_or(u32::MAX);
        let name = self.number(base, Op::Name, own);
        self.ranges.push(Range {
            file,
            position,
            tokens: end(&self.token_list),
            topics: end(&self.topic_list),
            name,
        });
    }

    /// The number of an operation, which is new if the operation is.
    fn number(&mut self, base: Option<&Self>, op: Op, name: &str) -> u32 {
        let key = key(op, name);
        if let Some(number) = base.and_then(|base| base.names.get(&key)) {
            return number;
        }
        let number = self.names.intern(&key);
        if number as usize == self.tokens.len() {
            self.tokens.push(Token::new(op, name));
        }
        number + base.map_or(0, |base| base.names.count())
    }

    /// Lists the functions of each operation and topic. Only for functions without a base.
    pub(crate) fn finish(&mut self) {
        self.list_topics();
        let count = self.tokens.len();
        self.defined = vec![0; count];
        for range in &self.ranges {
            self.defined[range.name as usize] += 1;
        }
        let mut starts = vec![0_u32; count + 1];
        for &token in &self.token_list {
            starts[token as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut holders = vec![0; self.token_list.len()];
        for number in 0..self.len() {
            for &token in self.bag(number).tokens {
                let at = &mut next[token as usize];
                holders[*at as usize] = u32::try_from(number).unwrap_or(u32::MAX);
                *at += 1;
            }
        }
        (self.starts, self.holders) = (starts, holders);
    }

    /// Lists the functions of each topic.
    pub(super) fn list_topics(&mut self) {
        let functions = 0..self.len();
        let pairs = functions.flat_map(|number| {
            let holder = u32::try_from(number).unwrap_or(u32::MAX);
            let topics = self.bag(number).topics.iter();
            topics.map(move |&topic| (topic, holder))
        });
        let mut pairs: Vec<(u32, u32)> = pairs.collect();
        pairs.sort_unstable();
        self.topic_holders = pairs;
    }

    /// Functions with a topic in their names, in order.
    pub(super) fn of_topic(&self, topic: u32) -> impl Iterator<Item = usize> {
        let start = self.topic_holders.partition_point(|&(own, _)| own < topic);
        let pairs = self.topic_holders[start..].iter();
        pairs
            .take_while(move |&&(own, _)| own == topic)
            .map(|&(_, holder)| holder as usize)
    }

    /// Number of functions.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Number of operations.
    pub(super) fn token_count(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn token(&self, token: usize) -> Token {
        self.tokens[token]
    }

    /// The name of an operation.
    pub(super) fn name(&self, token: usize) -> &str {
        let key = self.names.name(u32::try_from(token).unwrap_or(u32::MAX));
        key.get(1..).unwrap_or_default()
    }

    pub(super) fn bag(&self, number: usize) -> Bag<'_> {
        let before = number.checked_sub(1).map(|before| &self.ranges[before]);
        let start = |of: fn(&Range) -> u32| before.map_or(0, of) as usize;
        let range = &self.ranges[number];
        Bag {
            file: range.file as usize,
            position: range.position as usize,
            tokens: &self.token_list[start(|range| range.tokens)..range.tokens as usize],
            topics: &self.topic_list[start(|range| range.topics)..range.topics as usize],
            name: range.name,
        }
    }

    /// Functions with an operation, in order; of one without a list none.
    pub(super) fn holders(&self, token: usize) -> &[u32] {
        match (self.starts.get(token), self.starts.get(token + 1)) {
            (Some(&start), Some(&end)) => &self.holders[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Numbers of the functions of a file.
    pub(super) fn of_file(&self, file: usize) -> std::ops::Range<usize> {
        let start = self
            .ranges
            .partition_point(|range| (range.file as usize) < file);
        let end = self
            .ranges
            .partition_point(|range| range.file as usize <= file);
        start..end
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
        Self { op, is_own }
    }
}

/// A kind of operation with its name, as one text.
fn key(op: Op, name: &str) -> String {
    let kind = match op {
        Op::Name => 'n',
        Op::Text => 't',
        Op::Word => 'w',
        Op::Number => 'd',
        Op::Sign => 's',
        Op::Form => 'f',
        Op::Type => 'y',
    };
    let mut key = String::with_capacity(name.len() + 1);
    key.push(kind);
    key.push_str(name);
    key
}

/// Words as numbers, ascending.
fn numbered(words: &[String]) -> Vec<u32> {
    let words = words.iter().map(|word| symbol_hash("", word));
    let mut numbers: Vec<u32> = words.collect();
    numbers.sort_unstable();
    numbers
}
