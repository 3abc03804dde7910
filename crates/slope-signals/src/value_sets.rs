//! Tables by what they hold, whatever their order and form: a list, a set, the keys of a dictionary, an
//! enumeration, the branches of a `switch`.
//!
//! Each table is read as rows. A row has a text alone, or a key with a value. Two tables repeat each
//! other if they share most texts, or most pairs of keys and values.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::declared_rows;
use crate::facts::FileSignals;
use crate::gather::Gatherer;
use crate::kind::K;
use crate::reimplementation::is_example;
use crate::snapshot::is_test;
use crate::tables::CopiedTable;
use crate::view::{Place, View};
use crate::words::Map;

/// Fewest different texts of a table.
const MIN_TEXTS: usize = 6;

/// The same for a table in a function, which is more often a list of arguments.
const MIN_TEXTS_IN_FUNCTION: usize = 8;

/// So many shared texts are a repeated table, however much more the other one has.
const MANY_TEXTS: usize = 12;

/// Most other declarations that one is like, if it is a copy and not one of a family.
const MOST_DECLARED_ALIKE: usize = 2;

/// Most rows that are read of a table.
const MAX_ROWS: usize = 2000;

/// Most leaves of a row; what has more is no row of a table.
const MAX_LEAVES: usize = 6;

/// Values that say only that a key is there.
const TRIVIAL: &[&str] = &["true", "True", "None", "null", "nil", "undefined", "1", "0"];

/// A table as the sets of what it holds, in ascending order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ValueSet {
    /// Hashes of texts that stand alone, or of keys.
    names: Vec<u32>,
    /// Hashes of the texts that keys lead to.
    values: Vec<u32>,
    /// Hashes of keys with their values.
    pairs: Vec<u32>,
    is_list: bool,
    is_switch: bool,
    is_in_function: bool,
    /// Rows, of which one may have several pairs.
    rows: usize,
    /// Whether it is a declaration, as of a structure.
    is_declared: bool,
    place: Place,
}

/// Notes the tables of a file.
pub(crate) fn note(gatherer: &Gatherer<'_>, facts: &mut FileSignals) {
    let view = &gatherer.view;
    let mut done = 0;
    for (node, kind) in view.all() {
        if node < done || !is_container(view, node, kind) {
            continue;
        }
        if let Some(set) = read(view, node, kind) {
            done = view.end(node);
            facts.value_sets.push(set);
        }
    }
    declared_rows::note(view, &mut facts.value_sets);
    facts.value_sets.extend(split_texts(view));
}

/// Lists that are written as the words of one text: `"a b c".split()`.
fn split_texts(view: &View<'_>) -> Vec<ValueSet> {
    let calls = view.of_kind(K::Call).iter();
    let texts = calls.filter_map(|&call| {
        let callee = Some(call + 1).filter(|&callee| view.k(callee) == K::Attribute)?;
        let text = view.first(callee).filter(|&text| view.is_constant(text))?;
        let splits = [".split", ".split_whitespace", ".splitlines"];
        let is_split = splits.iter().any(|end| view.text(callee).ends_with(end));
        (is_split && view.k(text) == K::String).then_some(text)
    });
    let sets = texts.filter_map(|text| {
        let mut reading = Reading::default();
        for word in view.text(text).split_whitespace().take(MAX_ROWS) {
            let text = word.trim_matches(['"', '\'', ',', ';', '|']);
            let leaf = Leaf {
                text,
                is_text: true,
            };
            reading.take(&[leaf][..usize::from(!text.is_empty())]);
        }
        reading.into_set(view, text)
    });
    sets.collect()
}

fn is_container(view: &View<'_>, node: u32, kind: K) -> bool {
    let name = view.tree.kind_name(node);
    let is_words = matches!(name, "string_array" | "symbol_array");
    let is_literal = matches!(kind, K::List | K::Dict | K::Tuple | K::Tokens | K::Switch);
    is_literal && !is_words || name == "enum_body"
}

/// A leaf of a row.
#[derive(Clone, Copy)]
struct Leaf<'a> {
    text: &'a str,
    is_text: bool,
}

fn read(view: &View<'_>, node: u32, kind: K) -> Option<ValueSet> {
    if is_list_of_exports(view, node) {
        return None;
    }
    let mut reading = Reading::default();
    match kind {
        K::Switch => {
            let cases = view.kind_within(K::Case, node + 1, view.end(node));
            // Those of a switch within another one would count twice.
            let cases = cases.iter().take(MAX_ROWS);
            for &case in cases {
                let leaves = leaves(view, case + 1, view.end(case), false);
                reading.take_case(&leaves);
            }
        }
        _ => {
            let has_keys = kind != K::Tokens && !matches!(kind, K::List | K::Tuple);
            for (first, end) in rows(view, node) {
                reading.take(&leaves(view, first, end, has_keys));
            }
        }
    }
    reading.into_set(view, node)
}

/// Whether a list says what a module gives away, which modules around it often repeat.
fn is_list_of_exports(view: &View<'_>, node: u32) -> bool {
    let parent = view.parent(node);
    view.k(parent) == K::Assign && view.text(parent).starts_with("__all__")
}

/// The elements of a literal, as ranges of nodes: what is between its commas.
fn rows(view: &View<'_>, node: u32) -> Vec<(u32, u32)> {
    let container = body(view, node);
    let mut rows = Vec::new();
    let mut first = None;
    for child in view.children(container) {
        let is_separator = !view.tree.node(child).named && view.text(child) == ",";
        if is_separator {
            rows.extend(first.take().map(|first| (first, child)));
        } else if first.is_none() && view.tree.node(child).named && view.k(child) != K::Comment {
            first = Some(child);
        }
        if rows.len() >= MAX_ROWS {
            break;
        }
    }
    rows.extend(first.map(|first| (first, view.end(container))));
    rows
}

/// The node that holds the elements: in Go a literal's type is before them.
fn body(view: &View<'_>, node: u32) -> u32 {
    let last = view.parts(node).last();
    last.filter(|&last| view.tree.kind_name(last) == "literal_value")
        .unwrap_or(node)
}

/// The leaves from one node to before another; one more than a row may have at most.
fn leaves<'a>(view: &View<'a>, first: u32, end: u32, has_keys: bool) -> Vec<Leaf<'a>> {
    let mut found: Vec<Leaf<'_>> = Vec::new();
    let mut node = first;
    while node < end && found.len() <= MAX_LEAVES {
        let kind = view.k(node);
        let is_whole = matches!(kind, K::String | K::Comment);
        let after = if is_whole { view.end(node) } else { node + 1 };
        let is_leaf = view.tree.node(node).named && after == view.end(node);
        if is_leaf && kind != K::Comment {
            let text = view.text(node).trim_matches(['"', '\'', '`']);
            let is_key = has_keys && found.is_empty() && kind != K::Number;
            let is_text = kind == K::String && view.is_constant(node) || is_key;
            found.push(Leaf { text, is_text });
        }
        node = after;
    }
    found
}

/// Whether a text is long enough to be a name of something.
fn is_word(leaf: &Leaf<'_>) -> bool {
    let has_letters = leaf.text.len() >= 2 && leaf.text.contains(char::is_alphabetic);
    leaf.is_text && (has_letters || leaf.text.len() >= 4)
}

#[derive(Default)]
struct Reading {
    names: Vec<u32>,
    values: Vec<u32>,
    pairs: Vec<u32>,
    singles: usize,
    rows: usize,
    /// Rows that are none of a table.
    others: usize,
}

impl Reading {
    fn take(&mut self, row: &[Leaf<'_>]) {
        self.rows += usize::from(!row.is_empty());
        let rest = row.get(1..).unwrap_or_default();
        match row {
            [] => {}
            [name, ..] if rest.iter().all(|leaf| TRIVIAL.contains(&leaf.text)) => {
                match is_word(name) {
                    true => self.names.push(hash(name.text)),
                    false => self.others += 1,
                }
                self.singles += 1;
            }
            [.., last] if row.len() <= MAX_LEAVES => self.take_pairs(&row[..row.len() - 1], last),
            _ => self.others += 1,
        }
    }

    /// Takes a branch of a `switch`; one that leads to nothing is the default.
    fn take_case(&mut self, row: &[Leaf<'_>]) {
        self.rows += usize::from(row.len() > 1);
        match row {
            [.., last] if (2..=MAX_LEAVES).contains(&row.len()) => {
                self.take_pairs(&row[..row.len() - 1], last);
            }
            [] | [_] => {}
            _ => self.others += 1,
        }
    }

    fn take_pairs(&mut self, before: &[Leaf<'_>], value: &Leaf<'_>) {
        let texts = || before.iter().filter(|leaf| leaf.is_text);
        let keys: Vec<&Leaf<'_>> = match texts().next() {
            Some(_) => texts().collect(),
            None => before.iter().take(1).collect(),
        };
        for key in keys {
            if is_word(key) {
                self.names.push(hash(key.text));
            }
            self.pairs
                .push(hash(&format!("{}\0{}", key.text, value.text)));
        }
        if is_word(value) {
            self.values.push(hash(value.text));
        }
    }

    fn into_set(mut self, view: &View<'_>, node: u32) -> Option<ValueSet> {
        for set in [&mut self.names, &mut self.values, &mut self.pairs] {
            set.sort_unstable();
            set.dedup();
        }
        let is_in_function = view.function(node).is_some();
        let is_list = self.singles > self.pairs.len();
        let (most, others) = match is_list {
            true => (self.names.len(), self.pairs.len() + self.others),
            // A key or a value must say something: pairs of numbers are no names.
            false => (
                self.pairs
                    .len()
                    .min(self.names.len().max(self.values.len())),
                self.singles + self.others,
            ),
        };
        (most >= MIN_TEXTS && others * 5 <= most).then(|| ValueSet {
            names: self.names,
            values: self.values,
            pairs: self.pairs,
            is_list,
            is_switch: view.k(node) == K::Switch,
            is_in_function,
            rows: self.rows,
            is_declared: false,
            place: view.place(node),
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "half of a hash is enough for the few texts of tables"
)]
pub(crate) fn hash(text: &str) -> u32 {
    // A copy may write its names in another case.
    xxh3_64(text.to_lowercase().as_bytes()) as u32
}

impl ValueSet {
    /// The names of a declaration, and the pairs of its names with what they are. It asks for as much as a table in a
    /// function: declarations share a few names without being copied.
    pub(crate) fn declared(
        (mut names, mut pairs): (Vec<u32>, Vec<u32>),
        is_list: bool,
        place: Place,
    ) -> Option<Self> {
        for set in [&mut names, &mut pairs] {
            set.sort_unstable();
            set.dedup();
        }
        Some(Self {
            rows: names.len(),
            names,
            values: Vec::new(),
            pairs,
            is_list,
            is_switch: false,
            is_in_function: true,
            is_declared: true,
            place,
        })
    }

    /// How many rows it has.
    pub(crate) fn len(&self) -> usize {
        self.own().len()
    }

    /// What of it another table is compared with.
    fn own(&self) -> &[u32] {
        if self.is_list {
            &self.names
        } else {
            &self.pairs
        }
    }

    /// How many of its values another table has; `None` if it does not repeat it.
    fn shared_with(&self, other: &Self) -> Option<usize> {
        let columns = if self.is_list {
            [(&self.names, &other.names), (&self.names, &other.values)]
        } else if other.is_list {
            [(&self.values, &other.names), (&self.names, &other.names)]
        } else {
            [(&self.pairs, &other.pairs), (&self.pairs, &other.pairs)]
        };
        let shared = columns.iter().filter_map(|(own, column)| {
            let shared = common(own, column);
            let fewest = match self.is_in_function {
                true => MIN_TEXTS_IN_FUNCTION,
                false => MIN_TEXTS,
            };
            let is_most = shared * 10 >= own.len() * 9;
            let others = column.len().min(other.rows.max(1));
            let is_much = shared * 10 >= others * 6 || shared >= MANY_TEXTS;
            (shared >= fewest && is_most && is_much).then_some(shared)
        });
        shared.max().or_else(|| self.inverts(other))
    }

    /// How many of its names are values of another table, if that has its values as names.
    fn inverts(&self, other: &Self) -> Option<usize> {
        let shared = common(&self.names, &other.values).min(common(&self.values, &other.names));
        let rows = self.rows.max(other.rows);
        let is_pairs = !self.is_list && !other.is_list;
        (is_pairs && shared >= MIN_TEXTS_IN_FUNCTION && shared * 10 >= rows * 8).then_some(shared)
    }

    /// Whether two versions of a table are one.
    fn is_version_of(&self, other: &Self) -> bool {
        let (own, others) = (self.own(), other.own());
        let shared = common(own, others);
        self.is_list == other.is_list && shared * 10 >= own.len().min(others.len()) * 6
    }
}

/// How many numbers two ascending lists share.
fn common(one: &[u32], other: &[u32]) -> usize {
    one.iter()
        .filter(|value| other.binary_search(value).is_ok())
        .count()
}

/// The tables of changed files that a change adds and that repeat what another one has.
///
/// `before` has the facts of changed files as they were, `after` those of all files as they are.
pub(crate) fn repeated(
    before: &[&FileSignals],
    after: &[(&str, &FileSignals)],
    is_changed: &dyn Fn(&str) -> bool,
) -> Vec<CopiedTable> {
    let old: Vec<&ValueSet> = before.iter().flat_map(|facts| &facts.value_sets).collect();
    let product = after
        .iter()
        .filter(|(path, facts)| !is_test(path, facts) && !is_example(path));
    let all: Vec<(&str, &ValueSet)> = product
        .flat_map(|&(path, facts)| facts.value_sets.iter().map(move |set| (path, set)))
        .collect();
    let changed: Vec<usize> = (0..all.len()).filter(|&at| is_changed(all[at].0)).collect();
    let new = added(&all, &changed, &old);
    let holders = holders(&all, &new);
    let mut found = Vec::new();
    let mut taken: Vec<usize> = Vec::new();
    for at in new.into_iter().rev() {
        let others = candidates(&all, &holders, at).into_iter();
        let alike = others.filter_map(|other| {
            let shared = all[at].1.shared_with(all[other].1)?;
            Some((is_changed(all[other].0), std::cmp::Reverse(shared), other))
        });
        let alike: Vec<_> = alike.collect();
        // Many declarations of one form are a convention.
        if all[at].1.is_declared && alike.len() > MOST_DECLARED_ALIKE {
            continue;
        }
        let repeated = alike
            .into_iter()
            .filter(|(_, _, other)| !taken.contains(other));
        if let Some((_, shared, other)) = repeated.min() {
            taken.push(at);
            found.push(copied(all[at], all[other], shared.0));
        }
    }
    found
}

/// The tables of changed files of which there are more versions than before: what was there may be moved
/// or edited, but not be there once more.
fn added(all: &[(&str, &ValueSet)], changed: &[usize], old: &[&ValueSet]) -> Vec<usize> {
    let now = changed.iter().map(|&at| all[at]);
    let pool: Vec<(&str, &ValueSet)> = now.chain(old.iter().map(|&set| ("", set))).collect();
    let own: Vec<usize> = (0..changed.len()).collect();
    let holders = holders(&pool, &own);
    let is_added = |&own: &usize| {
        let others = candidates(&pool, &holders, own);
        let versions = others
            .iter()
            .filter(|&&other| pool[other].1.is_version_of(pool[own].1));
        let (then, now): (Vec<usize>, Vec<usize>) =
            versions.partition(|&&other| other >= changed.len());
        let form = |at: usize| (pool[at].1.own(), pool[at].1.is_switch);
        let is_same = |other: &usize| form(*other) == form(own);
        let same_before = then.iter().filter(|other| is_same(other)).count();
        let same_now = now.iter().filter(|other| is_same(other)).count() + 1;
        now.len() + 1 > then.len() && same_now > same_before
    };
    own.into_iter()
        .filter(is_added)
        .map(|own| changed[own])
        .collect()
}

/// The tables that hold each value of the new ones.
fn holders(all: &[(&str, &ValueSet)], new: &[usize]) -> Map<u32, Vec<usize>> {
    let mut holders: Map<u32, Vec<usize>> = Map::default();
    for &at in new {
        let set = all[at].1;
        for &value in set.names.iter().chain(&set.values).chain(&set.pairs) {
            holders.entry(value).or_default();
        }
    }
    for (at, (_, set)) in all.iter().enumerate() {
        for value in set.names.iter().chain(&set.values).chain(&set.pairs) {
            if let Some(holders) = holders.get_mut(value) {
                holders.push(at);
            }
        }
    }
    holders
}

/// The other tables that hold enough of a table's values.
fn candidates(all: &[(&str, &ValueSet)], holders: &Map<u32, Vec<usize>>, at: usize) -> Vec<usize> {
    let set = all[at].1;
    let mut counts: Map<usize, usize> = Map::default();
    let names = set.names.iter().filter(|_| !set.is_list);
    for value in set.own().iter().chain(&set.values).chain(names) {
        for &holder in holders.get(value).into_iter().flatten() {
            *counts.entry(holder).or_default() += 1;
        }
    }
    counts.retain(|&holder, count| holder != at && *count >= MIN_TEXTS);
    counts.into_keys().collect()
}

fn copied(
    (path, set): (&str, &ValueSet),
    (other_path, other): (&str, &ValueSet),
    shared: usize,
) -> CopiedTable {
    let narrow = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let values: Vec<u8> = set
        .own()
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    CopiedTable {
        path: path.to_owned(),
        line: set.place.span.start_line,
        end_line: set.place.span.end_line,
        entries: narrow(set.own().len()),
        shared: narrow(shared),
        is_same_order: false,
        hash: xxh3_64(&values),
        other_path: other_path.to_owned(),
        other_line: other.place.span.start_line,
    }
}
