//! Tables by content, independent of order and form: a list, a set, the keys of a dictionary, an
//! enumeration, the branches of a `switch`.
//!
//! Each table is read as rows. A row has a single text, or a key with a value. Two tables repeat
//! each other if they share most texts, or most pairs of keys and values.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use crate::alike::{Alike, is_compared};
use crate::case_rows;
use crate::declared_rows;
use crate::facts::{FileSignals, ValueSet};
use crate::gather::Gatherer;
use crate::keys::{Key, Kind};
use crate::tables::CopiedTable;
use crate::value_rows::{Leaf, MAX_ROWS, Reading, key_of, read, value_of};
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::view::{Place, View};

/// Minimum number of different texts of a table.
const MIN_TEXTS: usize = 6;

/// The same for a table in a function, which is more often a list of arguments.
const MIN_TEXTS_IN_FUNCTION: usize = 8;

/// Minimum number of rows of a table that may have one unshared row.
const MIN_LONG: usize = 9;

/// Number of shared texts that makes a repeated table, however large the other one is.
const MANY_TEXTS: usize = 12;

/// Maximum number of similar declarations of a copy; more are a family.
const MAX_DECLARED_ALIKE: usize = 2;

/// Maximum number of tables with a value that counts: each new table is compared with all of them.
const MAX_HOLDERS: usize = 300;

/// Maximum number of tables of changed files whose structures are compared with all others.
const MAX_DECLARED: usize = 2_000;

/// Number of shared pairs that is enough if the copy has a few additional rows.
const MIN_PAIRS_OF_EDITED: usize = 10;

/// Minimum number of rows that share their value with another row, if only the groups of two tables
/// are compared.
const MIN_GROUPED: usize = 4;

/// Notes the tables of a file.
pub(crate) fn note(gatherer: &Gatherer<'_>, facts: &mut FileSignals) {
    let view = &gatherer.view;
    let mut done = 0;
    for (node, kind) in view.all() {
        if node < done || !is_container(view, node, kind) {
            continue;
        }
        if let Some(set) = read(view, node, kind).and_then(|reading| set_of(reading, view, node)) {
            done = view.end(node);
            facts.value_sets.push(set);
        }
    }
    declared_rows::note(view, &mut facts.value_sets);
    facts.value_sets.extend(split_texts(view));
    let cases = case_rows::read(view).into_iter();
    facts.value_sets.extend(cases.filter_map(|case| {
        let set = set_of(case.reading, view, case.node)?;
        Some(ValueSet {
            is_case: true,
            is_in_function: false,
            is_named: (case.is_named, false),
            ..set
        })
    }));
}

/// Lists written as the words of one text: `"a b c".split()`.
fn split_texts(view: &View<'_>) -> Vec<ValueSet> {
    let calls = view.of_kind(Construct::Call).iter();
    let texts = calls.filter_map(|&call| {
        let callee = Some(call + 1).filter(|&callee| view.k(callee) == Construct::Attribute)?;
        let text = view.first(callee).filter(|&text| view.is_constant(text))?;
        let splits = [".split", ".split_whitespace", ".splitlines"];
        let is_split = splits.iter().any(|end| view.text(callee).ends_with(end));
        (is_split && view.k(text) == Construct::String).then_some(text)
    });
    let sets = texts.filter_map(|text| {
        let mut reading = Reading::default();
        for word in view.text(text).split_whitespace().take(MAX_ROWS) {
            let text = word.trim_matches(['"', '\'', ',', ';', '|']);
            reading.take(&[Leaf::of_text(text)][..usize::from(!text.is_empty())]);
        }
        set_of(reading, view, text)
    });
    sets.collect()
}

fn is_container(view: &View<'_>, node: u32, kind: Construct) -> bool {
    let name = view.tree.kind_name(node);
    let is_words = matches!(name, "string_array" | "symbol_array");
    let is_literal = matches!(
        kind,
        Construct::List
            | Construct::Dict
            | Construct::Tuple
            | Construct::Tokens
            | Construct::Switch
    );
    is_literal && !is_words || name == "enum_body"
}

/// The table read from a node, if it is large enough.
fn set_of(reading: Reading, view: &View<'_>, node: u32) -> Option<ValueSet> {
    let (names, values, pairs) = reading.columns();
    let is_list = reading.singles > pairs.len();
    let (most, others) = if is_list {
        (names.len(), pairs.len() + reading.others())
    } else {
        // A key or a value must have a meaning: pairs of numbers name nothing.
        (
            pairs.len().min(names.len().max(values.len())),
            reading.singles + reading.others(),
        )
    };
    let is_table = most >= MIN_TEXTS && others * 5 <= most && !reading.is_series();
    is_table.then(|| ValueSet {
        names,
        values,
        pairs,
        is_list,
        is_switch: view.k(node) == Construct::Switch,
        is_in_function: view.function(node).is_some(),
        rows: reading.rows,
        has_sentences: reading.has_sentences(),
        is_declared: false,
        is_case: false,
        is_named: reading.is_named(),
        place: view.place(node),
    })
}

impl ValueSet {
    /// The names of a declaration, and the pairs of names and their values. It needs as many common
    /// texts as a table in a function: declarations share a few names without being copied.
    pub(crate) fn declared(reading: &Reading, is_list: bool, place: Place) -> Self {
        let (names, values, pairs) = reading.columns();
        Self {
            rows: names.len(),
            names,
            values,
            pairs,
            is_list,
            is_switch: false,
            is_in_function: true,
            has_sentences: false,
            is_declared: true,
            is_case: false,
            is_named: (false, false),
            place,
        }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        if self.is_list {
            self.names.len()
        } else {
            self.pairs.len()
        }
    }

    /// The content to compare with another table.
    fn own(&self) -> Vec<u64> {
        if self.is_list {
            self.names.iter().map(|&name| u64::from(name)).collect()
        } else {
            self.pairs.clone()
        }
    }

    /// Number of its values that another table has; `None` if it does not repeat it.
    fn shared_with(&self, other: &Self) -> Option<usize> {
        // The variants of an enumeration are in every table about it.
        let is_about = |one: &Self, table: &Self| {
            one.is_declared
                && one.is_list
                && (table.is_named.0 || table.is_named.1 || !table.is_list)
        };
        // Each list of all variants repeats most of each branch.
        let is_part = other.is_case && other.is_named.0 && self.names.len() != other.names.len();
        if is_about(self, other)
            || is_about(other, self)
            || self.is_case && other.is_case
            || is_part
        {
            return None;
        }
        // A function that fills a structure names its fields, as lists of fields do.
        let is_filled = |set: &Self| set.is_in_function && set.is_named.0 && !set.is_declared;
        if self.is_list && !other.is_list && is_filled(other) && !self.is_named.0 {
            return self.repeats(&self.names, &other.values, other);
        }
        let columns = if self.is_list {
            [(&self.names, &other.names), (&self.names, &other.values)]
        } else if other.is_list {
            [(&self.values, &other.names), (&self.names, &other.names)]
        } else {
            return self.shared_pairs(other).or_else(|| self.inverts(other));
        };
        let shared = columns.map(|(own, column)| self.repeats(own, column, other));
        shared.into_iter().max().flatten()
    }

    /// Number of values of a column that another one has, if those are most.
    fn repeats<T: Ord>(&self, own: &[T], column: &[T], other: &Self) -> Option<usize> {
        let shared = common(own, column);
        let fewest = if self.is_in_function {
            MIN_TEXTS_IN_FUNCTION
        } else {
            MIN_TEXTS
        };
        // An additional row does not hide a copy of a long table. Structures of one kind share many
        // fields.
        let is_long = own.len() >= MIN_LONG && !self.is_declared;
        let least = if is_long { 85 } else { 90 };
        let is_most = shared * 100 >= own.len() * least;
        let others = column.len().min(other.rows.max(1));
        // A few of the values may be chosen for a reason.
        let most = if self.is_list { 8 } else { 6 };
        let is_much = shared * 10 >= others * most || shared >= MANY_TEXTS;
        (shared >= fewest && is_most && is_much).then_some(shared)
    }

    fn shared_pairs(&self, other: &Self) -> Option<usize> {
        // `"red" => Red` and `Red => "red"` are two directions between the same texts and names.
        let ((key, value), (other_key, other_value)) = (self.is_named, other.is_named);
        let is_way_back = key != value && (key, value) == (other_value, other_key);
        if is_way_back {
            return None;
        }
        let shared = || common(&self.pairs, &other.pairs);
        self.repeats(&self.pairs, &other.pairs, other)
            .or_else(|| Some(shared()).filter(|&shared| self.is_edited(shared)))
            .or_else(|| self.groups_as(other))
            .or_else(|| self.has_values_of(other))
    }

    /// Number of its values that another table has under other keys, if they are sentences.
    fn has_values_of(&self, other: &Self) -> Option<usize> {
        // Two maps to the same short words, such as names of settings, are not copies.
        let is_of_sentences = |set: &Self| {
            set.pairs.len() <= set.rows
                && set.has_sentences
                && set.values.len() >= MIN_TEXTS_IN_FUNCTION
                && !set.is_named.1
        };
        if !is_of_sentences(self) || !is_of_sentences(other) {
            return None;
        }
        self.repeats(&self.values, &other.values, other)
            .filter(|&shared| shared >= MIN_TEXTS_IN_FUNCTION)
    }

    /// Whether the number of shared pairs shows a copy, even if it has additional rows or is a part
    /// of a larger table.
    fn is_edited(&self, shared: usize) -> bool {
        let is_simple = self.pairs.len() <= self.rows && self.values.len() >= MIN_TEXTS;
        let is_part = shared >= MIN_TEXTS_IN_FUNCTION && shared * 10 >= self.pairs.len() * 9;
        let is_most = shared >= MIN_PAIRS_OF_EDITED && shared * 10 >= self.pairs.len() * 7;
        is_simple && (is_part || is_most)
    }

    /// Number of keys shared with another table that has the same value for the same groups of
    /// keys: both express the same in other units.
    fn groups_as(&self, other: &Self) -> Option<usize> {
        let is_simple = |set: &Self| set.pairs.len() <= set.rows && !set.is_named.0;
        let shared = self.repeats(&self.names, &other.names, other)?;
        if !is_simple(self) || !is_simple(other) {
            return None;
        }
        let theirs: Map<u32, u32> = other
            .pairs
            .iter()
            .map(|&p| (key_of(p), value_of(p)))
            .collect();
        let mut there: Map<u32, u32> = Map::default();
        let mut back: Map<u32, u32> = Map::default();
        let mut rows = 0;
        for (own, value) in self
            .pairs
            .iter()
            .filter_map(|&p| Some((value_of(p), *theirs.get(&key_of(p))?)))
        {
            rows += 1;
            if *there.entry(own).or_insert(value) != value
                || *back.entry(value).or_insert(own) != own
            {
                return None;
            }
        }
        let is_grouped = there.len() >= MIN_GROUPED && rows >= there.len() + MIN_GROUPED;
        is_grouped.then_some(shared)
    }

    /// Number of its pairs that another table has reversed.
    fn inverts(&self, other: &Self) -> Option<usize> {
        let is_text = |set: &Self| !set.is_list && set.is_named == (false, false);
        if !is_text(self) || !is_text(other) {
            return None;
        }
        let mut turned: Vec<u64> = self.pairs.iter().map(|&p| p.rotate_left(32)).collect();
        turned.sort_unstable();
        self.repeats(&turned, &other.pairs, other)
            .filter(|&shared| shared >= MIN_TEXTS_IN_FUNCTION)
    }

    /// Whether two tables are versions of one. A declaration keeps its names if the name of a type
    /// changes.
    fn is_version_of(&self, other: &Self) -> bool {
        let shared = if self.is_list || self.is_declared && other.is_declared {
            common(&self.names, &other.names)
        } else {
            common(&self.pairs, &other.pairs)
        };
        self.is_list == other.is_list && shared * 10 >= self.len().min(other.len()) * 6
    }

    /// All hashes of its content.
    pub(crate) fn contents(&self) -> impl Iterator<Item = u64> + '_ {
        let texts = self.names.iter().chain(&self.values);
        texts
            .map(|&text| u64::from(text))
            .chain(self.pairs.iter().copied())
    }
}

/// Number of common values of two ascending lists.
fn common<T: Ord>(one: &[T], other: &[T]) -> usize {
    one.iter()
        .filter(|value| other.binary_search(value).is_ok())
        .count()
}

/// The tables that a change adds to changed files and that repeat another one.
///
/// `before` has the facts of changed files before the change; `files` are those that may be changed, in path
/// order.
pub(crate) fn repeated(
    alike: &Alike<'_, '_>,
    files: &[usize],
    before: &[&FileSignals],
    is_changed: &dyn Fn(&str) -> bool,
) -> Vec<CopiedTable> {
    let old = before.iter().flat_map(|facts| &facts.value_sets);
    let old: Vec<&ValueSet> = old.collect();
    let snapshot = alike.snapshot;
    let at = |&(file, position): &(usize, usize)| {
        let (path, facts) = snapshot.files[file];
        (path, &facts.value_sets[position])
    };
    let places = changed_sets(alike, files, is_changed);
    let changed: Vec<(&str, &ValueSet)> = places.iter().map(at).collect();
    let own: Vec<usize> = (0..places.len()).collect();
    let new: Vec<(usize, usize)> = added(&changed, &own, &old)
        .into_iter()
        .map(|own| places[own])
        .collect();
    if new.is_empty() {
        return Vec::new();
    }
    // All tables that have a value of a new one, in order.
    let values = new.iter().flat_map(|place| at(place).1.contents());
    let near = values.flat_map(|value| alike.of(Key::of_hash(Kind::Value, value)));
    let mut near: Vec<(usize, usize)> = near.collect();
    near.sort_unstable();
    near.dedup();
    near.sort_by(|one, other| snapshot.order(*one, *other));
    let all: Vec<(&str, &ValueSet)> = near.iter().map(at).collect();
    let number = |place| {
        near.binary_search_by(|own| snapshot.order(*own, place))
            .ok()
    };
    let new: Vec<usize> = new.into_iter().filter_map(number).collect();
    let holders = holders(&all, &new);
    let mut found = Vec::new();
    let mut taken: HashSet<usize> = HashSet::new();
    for at in new.into_iter().rev() {
        let others = candidates(&all, &holders, at).into_iter();
        let alike = others.filter_map(|other| {
            let shared = all[at].1.shared_with(all[other].1)?;
            Some((is_changed(all[other].0), std::cmp::Reverse(shared), other))
        });
        let alike: Vec<_> = alike.collect();
        // Many declarations of one form are a convention.
        if all[at].1.is_declared && alike.len() > MAX_DECLARED_ALIKE {
            continue;
        }
        let repeated = alike
            .into_iter()
            .filter(|(_, _, other)| !taken.contains(other));
        if let Some((_, shared, other)) = repeated.min() {
            taken.insert(at);
            found.push(copied(all[at], all[other], shared.0));
        }
    }
    found
}

/// Files and positions of the tables of changed files, in order.
fn changed_sets(
    alike: &Alike<'_, '_>,
    files: &[usize],
    is_changed: &dyn Fn(&str) -> bool,
) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for &file in files {
        let numbered = alike.snapshot.numbered(file);
        if !is_compared(&numbered) || !is_changed(numbered.path) {
            continue;
        }
        let sets = numbered.facts.value_sets.iter().enumerate();
        // Each function about an enumeration names its variants.
        let own = sets.filter(|(_, set)| !(set.is_case && set.is_named.0));
        places.extend(own.map(|(position, _)| (file, position)));
    }
    places
}

/// The tables of changed files that have more versions than before: an existing table may be moved
/// or edited, but not duplicated.
fn added(all: &[(&str, &ValueSet)], changed: &[usize], old: &[&ValueSet]) -> Vec<usize> {
    let now = changed.iter().map(|&at| all[at]);
    let pool: Vec<(&str, &ValueSet)> = now.chain(old.iter().map(|&set| ("", set))).collect();
    let own: Vec<usize> = (0..changed.len()).collect();
    let holders = holders(&pool, &own);
    let is_added = |&own: &usize| {
        // Very many structures may share the names of one, so that these do not show the nearest.
        let others = if pool[own].1.is_declared && pool.len() <= MAX_DECLARED {
            (0..pool.len()).filter(|&other| other != own).collect()
        } else {
            candidates(&pool, &holders, own)
        };
        let set = pool[own].1;
        // An old condition cannot be a version of a new table.
        let may_be = |other: usize| set.is_case || other < changed.len() || !pool[other].1.is_case;
        let versions = others
            .iter()
            .filter(|&&other| may_be(other) && pool[other].1.is_version_of(set));
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

/// The tables that contain each value of the new ones, without values that very many tables
/// contain.
fn holders(all: &[(&str, &ValueSet)], new: &[usize]) -> Map<u64, Vec<usize>> {
    let mut holders: Map<u64, Vec<usize>> = Map::default();
    for &at in new {
        let set = all[at].1;
        for value in set.contents() {
            holders.entry(value).or_default();
        }
    }
    for (at, (_, set)) in all.iter().enumerate() {
        for value in set.contents() {
            if let Some(holders) = holders.get_mut(&value) {
                holders.push(at);
            }
        }
    }
    holders.retain(|_, all| all.len() <= MAX_HOLDERS);
    holders
}

/// The other tables that contain enough of a table's values.
fn candidates(all: &[(&str, &ValueSet)], holders: &Map<u64, Vec<usize>>, at: usize) -> Vec<usize> {
    let set = all[at].1;
    let mut counts: Map<usize, usize> = Map::default();
    for value in set.contents() {
        for &holder in holders.get(&value).into_iter().flatten() {
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
    let values: Vec<u8> = set.own().into_iter().flat_map(u64::to_le_bytes).collect();
    CopiedTable {
        path: path.to_owned(),
        line: set.place.span.start_line,
        end_line: set.place.span.end_line,
        entries: narrow(set.len()),
        shared: narrow(shared),
        is_same_order: false,
        hash: xxh3_64(&values),
        other_path: other_path.to_owned(),
        other_line: other.place.span.start_line,
    }
}
