//! Tables of constants, in a form that is equal for a copy under another name or in another layout.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::alike::{Alike, is_compared};
use crate::facts::{FileSignals, Table};
use crate::gather::Gatherer;
use crate::keys::{Key, Kind};
use crate::value_rows::is_series;
use crate::value_sets;
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Minimum number of different values of a table.
const MIN_VALUES: usize = 10;

/// Minimum number of values of a table with few different ones, such as classes of characters.
const MIN_CLASSES: u32 = 64;

/// Minimum number of numbers whose order alone is a table, such as the lengths of months, and
/// minimum number of different ones among them.
const MIN_NUMBERS: u32 = 12;
const MIN_NUMBERS_SEEN: usize = 3;

/// Maximum number of tokens read of one table; longer ones are cut.
const MAX_TOKENS: usize = 20_000;

/// A table that a change adds and that exists elsewhere too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedTable {
    /// Path of its file.
    pub path: String,
    /// Its first line, from 1.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Constants and names in it.
    pub entries: u32,
    /// Number of entries that the other table also has.
    pub shared: u32,
    /// Whether the other has all of them, and in the same order.
    pub is_same_order: bool,
    /// Hash of them.
    pub hash: u64,
    /// Path of the other's file.
    pub other_path: String,
    /// The other's first line.
    pub other_line: u32,
}

/// Notes the outermost tables of a file.
pub(crate) fn note(gatherer: &Gatherer<'_>, facts: &mut FileSignals) {
    let view = &gatherer.view;
    let mut done = 0;
    for (node, kind) in view.all() {
        if node >= done && matches!(kind, Construct::List | Construct::Dict | Construct::Tuple) {
            done = view.end(node);
            facts.tables.extend(table(view, node));
        }
    }
}

/// State while a table is read.
#[derive(Default)]
struct Reading<'a> {
    hash: u64,
    entries: u32,
    constants: u32,
    seen: Map<&'a str, ()>,
    /// Number of entries that are integers of at least two digits.
    numbers: u32,
    /// The values of all numbers, in order.
    values: Vec<f64>,
}

impl<'a> Reading<'a> {
    fn take(&mut self, text: &'a str, is_constant: bool) {
        let value = text.trim_matches(['"', '\'', '`']);
        self.hash = xxh3_64_with_seed(value.as_bytes(), self.hash);
        self.entries += 1;
        if is_constant {
            self.constants += 1;
            self.values.extend(value.parse::<f64>());
            let is_whole = value.bytes().all(|byte| byte.is_ascii_digit());
            self.numbers += u32::from(is_whole && value.len() >= 2);
            self.seen.insert(value, ());
        }
    }

    fn is_table(&self) -> bool {
        let is_series = self.values.len() == self.entries as usize && is_series(&self.values);
        if is_series {
            return false;
        }
        let has_order = self.numbers >= MIN_NUMBERS && self.seen.len() >= MIN_NUMBERS_SEEN;
        let is_varied = self.seen.len() >= MIN_VALUES
            || self.constants >= MIN_CLASSES && self.seen.len() > 1
            || has_order && self.numbers == self.entries;
        is_varied && self.constants * 2 >= self.entries
    }
}

fn table(view: &View<'_>, node: u32) -> Option<Table> {
    let mut reading = Reading::default();
    let mut below = values(view, node);
    // In a function a list of names is more often one of arguments than a table.
    let is_global = view.function(node).is_none();
    while below < view.end(node) && (reading.entries as usize) < MAX_TOKENS {
        let after = match view.k(below) {
            Construct::Function
            | Construct::Lambda
            | Construct::Interpolation
            | Construct::Comprehension => return None,
            Construct::String | Construct::Comment => view.end(below),
            _ => below + 1,
        };
        let is_leaf = after == view.end(below) && view.tree.node(below).named;
        if is_leaf && view.k(below) != Construct::Comment {
            // The sign of a number is before it.
            let sign = view.parent(below);
            let is_signed =
                view.k(below) == Construct::Number && view.k(sign) == Construct::UnaryOp;
            let text = view.text(if is_signed { sign } else { below });
            reading.take(text, is_global || is_constant(view, below));
        }
        below = after;
    }
    reading.is_table().then(|| Table {
        hash: reading.hash,
        entries: reading.entries,
        place: view.place(node),
    })
}

/// The first node of a table's values, which its type may be before.
fn values(view: &View<'_>, node: u32) -> u32 {
    let mut parts = view.parts(node);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(body), None) if view.text(body).starts_with('{') => body + 1,
        _ => node + 1,
    }
}

/// Whether a leaf is a literal, a key, or named as constants and types are.
fn is_constant(view: &View<'_>, leaf: u32) -> bool {
    let parent = view.parent(leaf);
    let is_key = || view.k(parent) == Construct::Pair && view.first(parent) == Some(leaf);
    // Rust and other languages have character literals without a separate construct.
    view.is_constant(leaf)
        || view.tree.kind_name(leaf).ends_with("literal")
        || view.text(leaf).starts_with(char::is_uppercase)
        || is_key()
}

/// The tables of changed files that the change adds and that are elsewhere too.
///
/// `before` has the facts of changed files before the change; `candidates` are files that may be changed, in path
/// order.
pub(crate) fn copied_tables(
    alike: &Alike<'_, '_>,
    candidates: &[usize],
    before: &[&FileSignals],
    is_changed: &dyn Fn(&str) -> bool,
) -> Vec<CopiedTable> {
    let mut old: Map<u64, usize> = Map::default();
    for table in before.iter().flat_map(|facts| &facts.tables) {
        *old.entry(table.hash).or_default() += 1;
    }
    let snapshot = alike.snapshot;
    let at = |(file, position): (usize, usize)| {
        let (path, facts) = snapshot.files[file];
        (path, &facts.tables[position])
    };
    let mut places: Map<u64, Vec<(usize, usize)>> = Map::default();
    for &file in candidates {
        let numbered = snapshot.numbered(file);
        if is_compared(&numbered) && is_changed(numbered.path) {
            for (position, table) in numbered.facts.tables.iter().enumerate() {
                places.entry(table.hash).or_default().push((file, position));
            }
        }
    }
    // Old values may be moved, but must not occur more often.
    places.retain(|hash, new| new.len() > old.get(hash).copied().unwrap_or(0));
    let mut found = Vec::new();
    for (hash, new) in places {
        let added = new.len() - old.get(&hash).copied().unwrap_or(0);
        // A table outside the change is preferred.
        let same = alike.of(Key::of_hash(Kind::Table, hash));
        let original = same.min_by(|&one, &other| {
            let key = |place| is_changed(at(place).0);
            let by_order = || snapshot.order(one, other);
            key(one).cmp(&key(other)).then_with(by_order)
        });
        let Some(original) = original else { continue };
        let copies = new
            .iter()
            .rev()
            .filter(|&&copy| copy != original)
            .take(added);
        found.extend(copies.map(|&copy| copied(at(copy), at(original))));
    }
    let repeated = value_sets::repeated(alike, candidates, before, is_changed);
    let is_known = |table: &CopiedTable| {
        let mut known = found.iter();
        known.any(|one| {
            one.path == table.path && one.line <= table.end_line && table.line <= one.end_line
        })
    };
    let other: Vec<CopiedTable> = repeated.into_iter().filter(|one| !is_known(one)).collect();
    found.extend(other);
    let key = |table: &CopiedTable| (table.path.clone(), table.line, table.hash);
    found.sort_by_cached_key(key);
    found
}

fn copied((path, table): (&str, &Table), (other_path, other): (&str, &Table)) -> CopiedTable {
    CopiedTable {
        path: path.to_owned(),
        line: table.place.span.start_line,
        end_line: table.place.span.end_line,
        entries: table.entries,
        shared: table.entries,
        is_same_order: true,
        hash: table.hash,
        other_path: other_path.to_owned(),
        other_line: other.place.span.start_line,
    }
}
