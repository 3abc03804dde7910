//! A function's steps, in a form that is equal for different ways to write them.
//!
//! A loop that appends and a comprehension are the same: one iteration, one collecting. A guard
//! that returns early and the inverted condition around the rest are the same: one condition.
//! Evidence counts as well: callees, attributes, strings and numbers.

use crate::facts::{Evidence, FileSignals, Returns, Summary, Traits};
use crate::gather::Gatherer;
use crate::occurrences::Use;
use crate::words::{split, stem};
use slope_syntax::Construct;
use slope_syntax::conventions::Comparison;
use slope_syntax::view::View;

/// Constructs of the normalised form; positions in `Summary::shape`.
const CONSTRUCTS: usize = 14;

/// Minimum number of constructs of a function that is kept.
const MIN_CONSTRUCTS: u32 = 3;

/// Minimum number of pieces of evidence.
const MIN_EVIDENCE: usize = 2;

/// Pieces of evidence that keep a function of any size.
const ENOUGH_EVIDENCE: usize = 4;

/// Names for ways of collecting, independent of the content.
const NEUTRAL: &[&str] = &[
    "append",
    "add",
    "extend",
    "items",
    "keys",
    "values",
    "get",
    "len",
    "str",
    "int",
    "list",
    "dict",
    "set",
    "isinstance",
    "format",
    "join",
    "push",
    "map",
    "filter",
    "forEach",
    "unwrap",
    "clone",
    "into",
    "to_string",
    "iter",
    "collect",
    "range",
    "self",
    "print",
];

/// Numbers that are everywhere.
const PLAIN_NUMBERS: &[&str] = &["0", "1", "-1", "2", "0.0", "1.0", "10", "100"];

/// Maximum characters of a string that is evidence. Longer ones are prose.
const MAX_TEXT: usize = 60;

/// Adds the summaries of functions to the facts of a file.
pub(crate) fn summarize(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    if facts.conventions().wrappers.comparison == Comparison::None {
        return;
    }
    let view = &gatherer.view;
    let nodes = view.nodes_by_name();
    let mut renumbered = Renumbered::new(gatherer.names.names.len());
    let mut from = 0;
    for function in &mut facts.functions {
        let barred = Traits::NESTED | Traits::STUB | Traits::ABSTRACT | Traits::SPECIAL;
        let Some(&node) = nodes.get(&function.place.start_byte) else {
            continue;
        };
        if function.traits & barred != 0 {
            continue;
        }
        let list = &gatherer.names.list;
        from += list[from..].partition_point(|o| o.node < node);
        let mut summary = constructs(gatherer, &mut renumbered, node);
        let evidence = evidence(gatherer, from, node);
        let says_enough = summary.size >= MIN_CONSTRUCTS || evidence.len() >= ENOUGH_EVIDENCE;
        if !says_enough || evidence.len() < MIN_EVIDENCE {
            continue;
        }
        summary.evidence = evidence;
        let name = gatherer.names.names.get(function.name);
        summary.words = split(name)
            .iter()
            .map(|w| crate::gather::symbol_hash("", &stem(w)))
            .collect();
        function.summary = Some(Box::new(summary));
    }
}

/// Evidence of a function, ascending and each once; occurrences before `from` are before it.
pub(crate) fn evidence(
    gatherer: &mut Gatherer<'_>,
    from: usize,
    node: u32,
) -> Vec<(Evidence, u32)> {
    let mut evidence: Vec<(Evidence, u32)> = Vec::new();
    let end = gatherer.view.end(node);
    let list = gatherer.names.list[from..].iter();
    for occurrence in list.take_while(|o| o.node < end) {
        let text = gatherer.view.text(occurrence.node);
        let kind = match occurrence.how {
            Use::Called | Use::MemberCalled => Evidence::Call,
            Use::Member => Evidence::Member,
            // Types and constants.
            Use::Load if text.len() > 2 && text.starts_with(char::is_uppercase) => Evidence::Member,
            _ => continue,
        };
        if text.len() > 1 && !NEUTRAL.contains(&text) {
            evidence.push((kind, occurrence.name));
        }
    }
    literals(gatherer, node, &mut evidence);
    evidence.sort_unstable();
    evidence.dedup();
    evidence
}

/// Strings and numbers of a function, its documentation left out.
fn literals(gatherer: &mut Gatherer<'_>, function: u32, evidence: &mut Vec<(Evidence, u32)>) {
    let Gatherer { view, names, .. } = gatherer;
    let mut node = function + 1;
    while node < view.end(function) {
        match view.k(node) {
            Construct::String => {
                let text = view.text(node);
                let alone = view.k(view.parent(node)) == Construct::ExprStmt;
                let inner = text
                    .trim_start_matches(|c: char| c.is_alphabetic())
                    .trim_matches(['"', '\'', '`']);
                if !alone && inner.len() > 1 && text.len() <= MAX_TEXT {
                    evidence.push((Evidence::Text, names.names.number(inner)));
                }
                if !view.has_below(node, Construct::Interpolation) {
                    node = view.end(node);
                    continue;
                }
            }
            Construct::Number => {
                let text = view.text(node);
                if !PLAIN_NUMBERS.contains(&text) {
                    evidence.push((Evidence::Number, names.names.number(text)));
                }
            }
            Construct::Other if is_telling(view, node) => {
                evidence.push((Evidence::Text, names.names.number(view.text(node))));
                node = view.end(node);
                continue;
            }
            _ => {}
        }
        node += 1;
    }
}

/// Whether a node is a pattern, a character, or an operator on bits: few functions have the same.
fn is_telling(view: &View<'_>, node: u32) -> bool {
    let is_named = view.tree.node(node).named;
    match view.tree.kind_name(node) {
        "regex" | "char_literal" | "rune_literal" if is_named => view.text(node).len() <= MAX_TEXT,
        "^" | "<<" | ">>" | ">>>" | "|=" | "^=" | "&=" => !is_named,
        _ => false,
    }
}

/// Numbers names separately for each function, without clearing the table.
pub(crate) struct Renumbered {
    /// By name, the function that it was numbered for, and its number there.
    known: Vec<(u32, u32)>,
    next: u32,
}

impl Renumbered {
    /// For a file with this many names.
    pub(crate) fn new(names: usize) -> Self {
        Self {
            // No function is the root.
            known: vec![(0, 0); names],
            next: 0,
        }
    }

    fn number(&mut self, function: u32, name: u32) -> u32 {
        let slot = &mut self.known[name as usize];
        if slot.0 != function {
            *slot = (function, self.next);
            self.next += 1;
        }
        slot.1
    }
}

pub(crate) fn constructs(
    gatherer: &Gatherer<'_>,
    renumbered: &mut Renumbered,
    function: u32,
) -> Summary {
    let view = &gatherer.view;
    renumbered.next = 0;
    let mut shape = vec![0u8; CONSTRUCTS];
    let mut size = 0;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut returns = Returns::Nothing;
    for (node, kind) in view.below(function) {
        let mixed = match kind {
            Construct::Comment => continue,
            Construct::Identifier | Construct::Member | Construct::TypeName => {
                let name = gatherer.names.name_at(node);
                u64::from(renumbered.number(function, name)) + 1_000
            }
            Construct::Other => u64::from(view.tree.node(node).kind) + 1_000_000,
            _ => kind as u64,
        };
        hash = (hash ^ mixed).wrapping_mul(0x0100_0000_01b3);
        if kind == Construct::Return {
            returns = joined(returns, given_back(view, node));
        }
        for &construct in construct(view, node, kind) {
            shape[construct] = shape[construct].saturating_add(1);
            size += 1;
        }
    }
    Summary {
        shape,
        size,
        clone: hash,
        returns,
        ..Summary::default()
    }
}

/// The constructs of the normalised form of a node.
fn construct(view: &View<'_>, node: u32, kind: Construct) -> &'static [usize] {
    match kind {
        Construct::For | Construct::While | Construct::Loop => &[0],
        Construct::Comprehension => &[0, 1],
        Construct::If | Construct::Elif | Construct::Ternary | Construct::Case => &[2],
        Construct::Return => &[3],
        Construct::Raise => &[4],
        Construct::Try => &[5],
        Construct::With => &[6],
        Construct::Assign | Construct::Declarator => &[7],
        Construct::AugAssign => &[8],
        Construct::Call => {
            let text = view.text(node + 1);
            let collects = [".append", ".add", ".push", ".extend"]
                .iter()
                .any(|end| text.ends_with(end));
            if collects { &[1] } else { &[9] }
        }
        Construct::Subscript => &[10],
        Construct::Compare | Construct::BoolOp => &[11],
        Construct::BinaryOp => &[12],
        Construct::Yield => &[13],
        _ => &[],
    }
}

fn given_back(view: &View<'_>, node: u32) -> Returns {
    let Some(value) = view.only(node) else {
        return Returns::Nothing;
    };
    match view.k(value) {
        Construct::True | Construct::False | Construct::Compare | Construct::Not => Returns::Truth,
        Construct::List | Construct::Dict | Construct::Tuple | Construct::Comprehension => {
            Returns::Items
        }
        Construct::Null => Returns::Nothing,
        _ => Returns::Value,
    }
}

/// The common part of two returns.
fn joined(one: Returns, other: Returns) -> Returns {
    match (one, other) {
        (Returns::Nothing, any) | (any, Returns::Nothing) => any,
        (a, b) if a == b => a,
        _ => Returns::Value,
    }
}
