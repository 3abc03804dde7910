//! The rows of tables: the leaves of each row, and their contribution to the table.

use xxhash_rust::xxh3::xxh3_64;

use crate::table_places::{is_declared, is_list_of_exports, is_of_attribute};
use crate::words::{self, is_constant_name};
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Maximum number of rows read of a table.
pub(crate) const MAX_ROWS: usize = 2000;

/// Maximum number of leaves of a row of a table.
const MAX_LEAVES: usize = 6;

/// Values that only mark a key as present.
const TRIVIAL: &[&str] = &[
    "true",
    "True",
    "false",
    "False",
    "None",
    "null",
    "nil",
    "undefined",
    "1",
    "0",
];

/// Empty values.
const EMPTY: &[&str] = &["{}", "()", "[]", "struct{}"];

/// Nodes of a row that have the name of a field before its value.
const FIELDS: &[&str] = &[
    "pair",
    "keyed_element",
    "keyword_argument",
    "field_initializer",
    "initializer_pair",
];

/// Nodes that have the name of a type before its values.
const LITERALS: &[&str] = &[
    "struct_expression",
    "composite_literal",
    "new_expression",
    "object_creation_expression",
];

/// The kind of a leaf.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Text,
    /// A constant or a type that the code names: `tls.VersionTLS12`, `Kind::Red`, `MAX_SIZE`.
    Name,
    Number,
    Other,
}

/// A leaf of a row.
#[derive(Clone, Copy)]
pub(crate) struct Leaf<'a> {
    text: &'a str,
    sort: Sort,
    /// Whether it is the name of a constant, as a key that is no field.
    is_constant: bool,
}

impl<'a> Leaf<'a> {
    pub(crate) const fn of_text(text: &'a str) -> Self {
        Self {
            text,
            sort: Sort::Text,
            is_constant: false,
        }
    }

    pub(crate) const fn of_name(text: &'a str) -> Self {
        Self {
            text,
            sort: Sort::Name,
            is_constant: false,
        }
    }

    pub(crate) fn is_name(&self) -> bool {
        self.sort == Sort::Name
    }

    /// Whether it is long enough to be a name of something.
    fn is_word(&self) -> bool {
        let has_letters = self.text.len() >= 2 && self.text.contains(char::is_alphabetic);
        match self.sort {
            Sort::Number => self.text.len() >= 3,
            Sort::Other => false,
            _ => has_letters || self.text.len() >= 4,
        }
    }

    /// Whether it is a single letter or sign, which is a table only in large numbers.
    fn is_letter(&self) -> bool {
        let sign = self.text.strip_prefix('\\').unwrap_or(self.text);
        self.sort == Sort::Text && sign.chars().nth(1).is_none()
    }

    /// The hash of a column. A text differs from a name with the same letters: an enumeration has a
    /// name for each text that is parsed into it.
    fn hash(&self) -> u32 {
        if self.sort == Sort::Number {
            return short_hash(self.text);
        }
        let salt = u32::from(self.sort == Sort::Name);
        hash(self.text).wrapping_add(salt)
    }
}

/// Reads the rows of a literal or a `switch`.
pub(crate) fn read(view: &View<'_>, node: u32, kind: Construct) -> Option<Reading> {
    if is_list_of_exports(view, node) || is_of_attribute(view, node) {
        return None;
    }
    let mut reading = Reading::default();
    if kind == Construct::Switch {
        let cases = view.kind_within(Construct::Case, node + 1, view.end(node));
        for &case in cases.iter().take(MAX_ROWS) {
            let form = Form::default();
            reading.take_case(&leaves(view, case + 1, view.end(case), form));
        }
    } else {
        let form = Form {
            has_keys: kind != Construct::Tokens
                && !matches!(kind, Construct::List | Construct::Tuple),
            is_global: view.function(node).is_none() && is_declared(view, node),
        };
        let rows = rows(view, node).into_iter();
        let mut rows: Vec<Vec<Leaf<'_>>> = rows
            .map(|(first, end)| leaves(view, first, end, form))
            .collect();
        drop_prefix(&mut rows);
        for row in &rows {
            reading.take(row);
        }
    }
    Some(reading)
}

/// Removes the first word that all keys share: `TOKEN_EOF` and `TOKEN_DATA` are `"eof"` and `"data"` in a table
/// of texts.
fn drop_prefix(rows: &mut [Vec<Leaf<'_>>]) {
    let keys = || rows.iter().filter_map(|row| row.first());
    let Some(first) = keys().next().map(|leaf| leaf.text) else {
        return;
    };
    let is_prefix = |prefix: &str| {
        keys().all(|leaf| {
            let rest = leaf.text.strip_prefix(prefix);
            leaf.is_constant && rest.is_some_and(|rest| !rest.is_empty())
        })
    };
    // Only the first word: a part of the table may share more.
    let prefix = first.find('_').map(|at| &first[..=at]);
    let Some(prefix) = prefix.filter(|prefix| is_prefix(prefix)) else {
        return;
    };
    // Each enumeration has its own names as texts.
    let names_itself = |row: &Vec<Leaf<'_>>| match row[..] {
        [key, .., last] => hash(&key.text[prefix.len()..]) == hash(last.text),
        _ => false,
    };
    if rows.iter().filter(|row| names_itself(row)).count() * 2 > rows.len() {
        return;
    }
    for row in rows.iter_mut().filter(|row| !row.is_empty()) {
        row[0].text = &row[0].text[prefix.len()..];
        row[0].sort = Sort::Text;
    }
}

/// Determines how the leaves of a row are read.
#[derive(Clone, Copy, Default)]
struct Form {
    /// Whether the first leaf is the name of the row.
    has_keys: bool,
    /// Whether the table is the value of a name outside functions, where a name in it is no variable.
    is_global: bool,
}

/// The elements of a literal, as ranges of nodes between its commas.
fn rows(view: &View<'_>, node: u32) -> Vec<(u32, u32)> {
    let container = body(view, node);
    let mut rows = Vec::new();
    let mut first = None;
    for child in view.children(container) {
        let is_separator = !view.tree.node(child).named && view.text(child) == ",";
        if is_separator {
            rows.extend(first.take().map(|first| (first, child)));
        } else if first.is_none()
            && view.tree.node(child).named
            && view.k(child) != Construct::Comment
        {
            first = Some(child);
        }
        if rows.len() >= MAX_ROWS {
            break;
        }
    }
    rows.extend(first.map(|first| (first, view.end(container))));
    rows
}

/// The node that contains the elements: in Go it follows a literal's type.
fn body(view: &View<'_>, node: u32) -> u32 {
    let last = view.parts(node).last();
    last.filter(|&last| view.tree.kind_name(last) == "literal_value")
        .unwrap_or(node)
}

/// The leaves of the nodes from `first` to before `end`; at most one more than a row may have.
fn leaves<'a>(view: &View<'a>, first: u32, end: u32, form: Form) -> Vec<Leaf<'a>> {
    let mut found: Vec<Leaf<'_>> = Vec::new();
    let mut before = None;
    let mut node = first;
    while node < end && found.len() <= MAX_LEAVES {
        if let Some(after) = skipped(view, node, first) {
            node = after;
            continue;
        }
        let kind = view.k(node);
        let is_whole = matches!(kind, Construct::String | Construct::Comment);
        let after = if is_whole { view.end(node) } else { node + 1 };
        let is_leaf = view.tree.node(node).named && after == view.end(node);
        if is_leaf
            && !matches!(
                kind,
                Construct::Comment | Construct::Break | Construct::Continue
            )
        {
            let is_part = before.is_some_and(|before| is_part_of(view, before, node));
            before = Some(node);
            let is_key = form.has_keys && found.len() == usize::from(is_part);
            let role = Role {
                is_part,
                is_key,
                is_global: form.is_global,
            };
            take_leaf(view, node, role, &mut found);
        }
        node = after;
    }
    found
}

/// Position of a leaf.
#[derive(Clone, Copy)]
struct Role {
    /// Whether it is the next part of a path.
    is_part: bool,
    is_key: bool,
    is_global: bool,
}

fn take_leaf<'a>(view: &View<'a>, node: u32, role: Role, found: &mut Vec<Leaf<'a>>) {
    let text = view.text(node).trim_matches(['"', '\'', '`']);
    if EMPTY.contains(&text) {
        return;
    }
    let sort = sort_of(view, node, role);
    let parent = view.parent(node);
    let is_signed = sort == Sort::Number && view.k(parent) == Construct::UnaryOp;
    let leaf = Leaf {
        text: if is_signed { view.text(parent) } else { text },
        sort,
        is_constant: view.tree.kind_name(node) == "identifier" && is_constant_name(text),
    };
    match found.last_mut() {
        Some(last) if role.is_part => {
            // `"a".to_owned()` is the text.
            if last.sort != Sort::Text || role.is_key {
                *last = leaf;
            }
        }
        _ => found.push(leaf),
    }
}

fn sort_of(view: &View<'_>, node: u32, role: Role) -> Sort {
    let text = view.text(node);
    if view.k(node) == Construct::Number {
        Sort::Number
    } else if is_text(view, node) {
        Sort::Text
    } else if is_name(text, role) {
        Sort::Name
    } else if role.is_key {
        Sort::Text
    } else {
        Sort::Other
    }
}

fn is_text(view: &View<'_>, node: u32) -> bool {
    let is_string = view.k(node) == Construct::String;
    let is_letter = view.text(node).starts_with('\'') && !is_string;
    let is_pattern = view.tree.kind_name(node) == "regex_pattern";
    is_letter || is_pattern || is_string && view.is_constant(node)
}

/// Whether a leaf is the name of a constant, a type or a function. The key of a row is one only as
/// part of a path.
fn is_name(text: &str, role: Role) -> bool {
    let is_capital = text.starts_with(char::is_uppercase);
    if role.is_key {
        return role.is_part && is_capital;
    }
    // Outside functions no name is that of a variable.
    let is_global = role.is_global && !TRIVIAL.contains(&text);
    is_capital && role.is_part || is_constant_name(text) || is_global && words::is_name(text)
}

/// Whether a leaf is the next part of a path, such as `Red` of `Kind::Red`.
fn is_part_of(view: &View<'_>, before: u32, node: u32) -> bool {
    let (start, end) = (
        view.tree.node(before).end_byte,
        view.tree.node(node).start_byte,
    );
    let gap = view.tree.text().get(start as usize..end as usize);
    matches!(gap, Some("." | "::"))
}

/// The node after the boilerplate of a row, which is the same in each table of its form: the
/// constructor, the type of a literal, and the names of fields.
fn skipped(view: &View<'_>, node: u32, row: u32) -> Option<u32> {
    let parent = view.parent(node);
    let is_first = node > row && view.first(parent) == Some(node);
    let is_in_row = is_first && parent >= row;
    if !is_in_row {
        return None;
    }
    let name = view.tree.kind_name(parent);
    let (end, last) = (view.end(node), view.end(parent));
    let is_maker = view.k(parent) == Construct::Call || LITERALS.contains(&name);
    let has_constants = || {
        let below = |kind, first, end| !view.kind_within(kind, first, end).is_empty();
        let is_constant =
            below(Construct::String, end, last) || below(Construct::Number, end, last);
        is_constant && !below(Construct::String, node, end)
    };
    let is_field = parent > row && FIELDS.contains(&name);
    (is_field || is_maker && has_constants()).then_some(end)
}

/// The columns of a table while it is read.
#[derive(Default)]
pub(crate) struct Reading {
    /// Hashes of texts without a value and of keys, each with the hash of its exact letters.
    names: Vec<(u32, u32)>,
    values: Vec<u32>,
    pairs: Vec<u64>,
    /// Hashes of single letters and signs.
    letters: Vec<u32>,
    /// Values that are several words, or a pattern.
    sentences: usize,
    /// Numbers that are separate rows, in order.
    numbers: Vec<f64>,
    pub(crate) singles: usize,
    pub(crate) rows: usize,
    others: usize,
    /// Number of rows whose key is a name, and of rows whose value is one.
    named: (usize, usize),
}

impl Reading {
    pub(crate) fn take(&mut self, row: &[Leaf<'_>]) {
        self.rows += usize::from(!row.is_empty());
        let rest = row.get(1..).unwrap_or_default();
        match row {
            [] => {}
            [name, ..] if rest.iter().all(|leaf| TRIVIAL.contains(&leaf.text)) => {
                if name.sort == Sort::Number {
                    self.numbers.extend(name.text.parse::<f64>());
                }
                if name.is_word() {
                    self.push_name(name);
                } else if name.is_letter() {
                    self.letters.push(name.hash());
                } else {
                    self.others += 1;
                }
                self.singles += 1;
            }
            _ if row.len() <= MAX_LEAVES => self.take_row(row),
            _ => self.others += 1,
        }
    }

    /// Reads a branch of a `switch`. A branch without a result is the default.
    fn take_case(&mut self, row: &[Leaf<'_>]) {
        self.rows += usize::from(row.len() > 1);
        match row {
            [before @ .., last] if (2..=MAX_LEAVES).contains(&row.len()) => {
                let texts = before.iter().filter(|leaf| leaf.sort == Sort::Text);
                let keys: Vec<Leaf<'_>> = match texts.clone().next() {
                    Some(_) => texts.copied().collect(),
                    None => before[..1].to_vec(),
                };
                for key in &keys {
                    // Every `match` on an enumeration names its variants.
                    if key.sort == Sort::Text && key.is_word() {
                        self.push_name(key);
                    }
                    self.pairs.push(pair(key.text, last.text));
                }
                self.note_named(&keys[0], last);
                if last.sort == Sort::Text && last.is_word() {
                    self.values.push(last.hash());
                }
            }
            [] | [_] => {}
            _ => self.others += 1,
        }
    }

    /// Takes a row of a literal: each two of its leaves are a pair, as a table with fewer columns has them.
    fn take_row(&mut self, row: &[Leaf<'_>]) {
        let [first, .., last] = row else { return };
        let is_constant = |leaf: &Leaf<'_>| matches!(leaf.sort, Sort::Text | Sort::Name);
        let before = self.pairs.len();
        for (at, key) in row.iter().enumerate() {
            for value in &row[at + 1..] {
                if is_constant(key) || is_constant(value) {
                    self.pairs.push(pair(key.text, value.text));
                }
            }
        }
        if self.pairs.len() == before {
            self.pairs.push(pair(first.text, last.text));
        }
        let is_word = |leaf: &&Leaf<'_>| leaf.is_word() && leaf.sort != Sort::Number;
        for name in row[..row.len() - 1].iter().filter(is_word) {
            self.push_name(name);
        }
        if is_word(&last) {
            self.values.push(last.hash());
            self.sentences += usize::from(last.text.contains([' ', '\\', '[']));
        }
        self.note_named(first, last);
    }

    /// Takes a row of a declaration that has no value.
    pub(crate) fn take_name(&mut self, name: &str) {
        self.push_name(&Leaf::of_text(name));
    }

    /// Takes a row of a declaration with its values.
    pub(crate) fn take_declared(&mut self, name: &str, values: &[&str]) {
        let quotes = ['"', '\'', '`'];
        let row = std::iter::once(Leaf::of_text(name));
        let values = values.iter().map(|value| Leaf {
            text: value.trim_matches(quotes),
            sort: if value.starts_with(quotes) {
                Sort::Text
            } else {
                Sort::Other
            },
            is_constant: false,
        });
        self.take_row(&row.chain(values).collect::<Vec<_>>());
    }

    fn push_name(&mut self, name: &Leaf<'_>) {
        self.names.push((name.hash(), short_hash(name.text)));
    }

    fn note_named(&mut self, key: &Leaf<'_>, value: &Leaf<'_>) {
        let is_named = |leaf: &Leaf<'_>| {
            leaf.sort == Sort::Name
                || leaf.sort == Sort::Other && leaf.text.starts_with(char::is_alphabetic)
        };
        self.named.0 += usize::from(is_named(key));
        self.named.1 += usize::from(is_named(value));
    }

    /// Whether its rows are a series of numbers, which is likely to be written independently.
    pub(crate) fn is_series(&self) -> bool {
        self.numbers.len() * 2 > self.rows && is_series(&self.numbers)
    }

    /// Whether most values are several words or patterns, which two tables hardly share by chance.
    pub(crate) const fn has_sentences(&self) -> bool {
        self.sentences * 10 >= self.rows * 8
    }

    /// Rows that do not belong to a table.
    pub(crate) const fn others(&self) -> usize {
        let letters = self.letters.len();
        self.others + if letters < MIN_LETTERS { letters } else { 0 }
    }

    /// Whether most keys, and most values, are names of the code.
    pub(crate) const fn is_named(&self) -> (bool, bool) {
        (self.named.0 * 2 > self.rows, self.named.1 * 2 > self.rows)
    }

    /// The names, the values and the pairs, each in ascending order and once.
    pub(crate) fn columns(&self) -> (Vec<u32>, Vec<u32>, Vec<u64>) {
        let mut exact = self.names.clone();
        if self.letters.len() >= MIN_LETTERS {
            exact.extend(self.letters.iter().map(|&letter| (letter, letter)));
        }
        exact.sort_unstable();
        exact.dedup();
        let mut names: Vec<u32> = Vec::with_capacity(exact.len());
        let mut variant = 0_u32;
        for (at, &(name, _)) in exact.iter().enumerate() {
            // `README` and `readme` are two rows within one table, but equal texts between two
            // tables.
            let is_variant = at > 0 && exact[at - 1].0 == name;
            variant = if is_variant { variant + 1 } else { 0 };
            names.push(name.wrapping_add(variant.wrapping_mul(VARIANT)));
        }
        let (mut values, mut pairs) = (self.values.clone(), self.pairs.clone());
        names.sort_unstable();
        names.dedup();
        values.sort_unstable();
        values.dedup();
        pairs.sort_unstable();
        pairs.dedup();
        (names, values, pairs)
    }
}

/// Whether numbers have a constant difference or ratio, such as 100, 200, 300 and 16, 32, 64.
pub(crate) fn is_series(numbers: &[f64]) -> bool {
    let all_same = |step: fn(f64, f64) -> f64| {
        let steps = numbers.windows(2).map(|pair| step(pair[0], pair[1]));
        let mut steps = steps.map(|step| (step * 1e6).round());
        let first = steps.next();
        first.is_some_and(|first| steps.all(|step| step.total_cmp(&first).is_eq()))
    };
    all_same(|one, next| next - one) || all_same(|one, next| next / one)
}

/// Minimum number of single letters and signs of a table.
const MIN_LETTERS: usize = 8;

/// Distance between the hashes of texts that differ only in case and signs.
const VARIANT: u32 = 0x9E37_79B1;

/// A key with its value: its upper half is the key's hash, its lower half the value's.
pub(crate) fn pair(key: &str, value: &str) -> u64 {
    u64::from(hash(key)) << 32 | u64::from(hash(value))
}

pub(crate) const fn key_of(pair: u64) -> u32 {
    (pair >> 32) as u32
}

#[expect(clippy::cast_possible_truncation, reason = "it is half of a pair")]
pub(crate) const fn value_of(pair: u64) -> u32 {
    pair as u32
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "half of a hash is enough for the few texts of tables"
)]
fn short_hash(text: &str) -> u32 {
    xxh3_64(text.as_bytes()) as u32
}

/// The hash of a text's letters and digits: a copy may use another case, or other signs around and
/// between its words. A text of signs alone is hashed verbatim.
fn hash(text: &str) -> u32 {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    if plain.is_empty() {
        short_hash(text.trim())
    } else {
        short_hash(&plain)
    }
}
