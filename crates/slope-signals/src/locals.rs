//! Unread locals in all languages except Python, which has separate rules.
//!
//! The name of a declaration (in Ruby: an assignment) is searched among the reads of its function.
//! The few names without any are then searched in text without name nodes, such as macros and
//! shorthand keys.

pub(crate) mod filled;

use std::cell::RefCell;
use std::collections::HashSet;

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::conventions::{Locals, Stored, TextNames};
use slope_syntax::view::View;

/// A name that is stored in a function and not read there.
struct Candidate {
    name: u32,
    node: u32,
    scope: u32,
}

/// Reports locals that are declared in a function and never read in it.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let Some(locals) = gatherer.view.conventions.locals else {
        return;
    };
    let mut candidates = unread(gatherer, locals);
    let text = gatherer.view.tree.text();
    if candidates.is_empty() || (locals.asks_to_leave)(text) || is_cited(text) {
        return;
    }
    let errors = errors(&gatherer.view);
    let unseen = unseen_words(gatherer, &candidates);
    candidates.retain(|c| {
        let view = &gatherer.view;
        let scope = view.tree.node(c.scope);
        let bytes = if locals.has_macros {
            // A macro anywhere in the file may name it.
            0..u32::MAX
        } else {
            scope.start_byte..scope.end_byte
        };
        let places = unseen.get(&c.name).map_or(&[][..], Vec::as_slice);
        let nodes = c.scope..scope.end;
        !any_within(places, bytes) && !any_within(&errors, nodes)
    });
    for Candidate { name, node, scope } in candidates {
        let view = &gatherer.view;
        let text = view.text(node);
        let end = view.end(scope);
        let reads = gatherer.names.reads(name, scope, end);
        let uses = (reads, gatherer.names.writes(name, scope, end));
        let is_filled = filled::is_only_filled(view, node, uses);
        let verb = if is_filled {
            "filled"
        } else if reads.is_empty() && !has_value(view, node) {
            "declared"
        } else {
            "assigned"
        };
        let message = format!("`{text}` is {verb} and never read.");
        let tried = is_tried(view, node, locals);
        gatherer.report(Signal::UnusedLocal, node, message, text);
        if let Some(local) = gatherer.local.last_mut() {
            local.tried = tried;
        }
    }
}

/// Whether in a test the declaration itself may be the check: its call does not fail, its value has
/// the declared type, or a comment below it shows the value.
fn is_tried(view: &View<'_>, node: u32, locals: &Locals) -> bool {
    let statement = statement_of(view, node);
    let end = view.end(statement);
    let runs = [Construct::Call, Construct::New, Construct::Await];
    let is_typed =
        locals.types_check && !view.kind_within(Construct::Type, statement, end).is_empty();
    let below = view.tree.node(statement).end_row + 1;
    let below = view.tree.row_text(below).trim_start();
    is_typed
        || below.starts_with("//")
        || runs
            .iter()
            .any(|&kind| !view.kind_within(kind, statement, end).is_empty())
}

/// Locals without a visible read, each once per function, in order of position.
fn unread(gatherer: &Gatherer<'_>, locals: &Locals) -> Vec<Candidate> {
    let Gatherer { view, names, .. } = gatherer;
    let blinding: Vec<u32> = locals
        .blinding
        .iter()
        .filter_map(|name| names.names.known(name))
        .collect();
    let mut seen: Map<(u32, u32), ()> = Map::default();
    let mut blind: Map<u32, bool> = Map::default();
    let kept = KeptRows::default();
    let mut effects = Effects::default();
    let mut passed_on: Map<u32, HashSet<&str>> = Map::default();
    let mut found = Vec::new();
    for (name, node) in names.stored(view.conventions.naming.lists_declare) {
        let Some(scope) = (locals.owner)(view, node) else {
            continue;
        };
        if !is_local(view, node, locals)
            || effects.comes_before(view, node, locals)
            || seen.insert((scope, name), ()).is_some()
        {
            continue;
        }
        let passed_on = passed_on
            .entry(scope)
            .or_insert_with(|| (locals.passed_on)(view, scope));
        if passed_on.contains(view.text(node)) {
            continue;
        }
        let end = read_until(view, scope, locals);
        let uses = (
            names.reads(name, scope, end),
            names.writes(name, scope, end),
        );
        let is_read = is_read(view, node, uses, locals);
        let row = view.tree.node(node).start_row;
        if is_read || kept.has(view, row) || locals.may_read_past && steps_on(view, node) {
            continue;
        }
        let is_blind = *blind.entry(scope).or_insert_with(|| {
            let mut all = blinding.iter();
            all.any(|&name| !names.reads(name, scope, end).is_empty())
                || locals.has_macros && calls_a_macro(view, scope)
        });
        if !is_blind {
            found.push(Candidate { name, node, scope });
        }
    }
    found
}

/// Whether one of the reads of a local uses its value.
fn is_read(view: &View<'_>, local: u32, uses: filled::Uses<'_>, locals: &Locals) -> bool {
    let (reads, _) = uses;
    let is_idle =
        (locals.may_be_idle)(view, local) && reads.iter().all(|&read| is_written(view, read));
    !is_idle && !filled::is_only_filled(view, local, uses)
}

/// Whether a function of C has a call or a statement in capitals, a macro that may name any
/// of its locals.
fn calls_a_macro(view: &View<'_>, function: u32) -> bool {
    let end = view.end(function);
    let calls = view.kind_within(Construct::Call, function, end).iter();
    let mut all = calls.chain(view.kind_within(Construct::ExprStmt, function, end));
    all.any(|&node| {
        if view.end(node) == node + 1 {
            return false;
        }
        let name = view.text(node + 1);
        let is_name = view.k(node + 1) == Construct::Identifier && name.len() > 1;
        is_name && !name.contains(|c: char| c.is_lowercase())
    })
}

/// Whether a name is marked as unused on purpose, or hides a name of the environment: `var define,
/// module, exports;` around a bundle.
fn is_on_purpose(name: &str, locals: &Locals) -> bool {
    let starts = ["_", "ignore", "unused", "dummy"];
    starts.iter().any(|start| name.starts_with(start)) || locals.hiding.contains(&name)
}

/// Whether a stored name is a local that has a meaning only through its reads.
fn is_local(view: &View<'_>, node: u32, locals: &Locals) -> bool {
    if is_on_purpose(view.text(node), locals) {
        return false;
    }
    let statement = statement_of(view, node);
    let head_end = view.tree.node(node).start_byte as usize;
    let head_start = view.tree.node(statement).start_byte as usize;
    let head = view.tree.text().get(head_start..head_end);
    let head = head.unwrap_or_default().trim_start();
    let stored = Stored {
        node,
        statement,
        around: view.k(view.parent(statement)),
        head,
    };
    (locals.is_local)(view, &stored)
}

/// For each statement that was asked, the end of its first word with side effects, in bytes of the file. A statement may
/// declare very many names.
#[derive(Default)]
struct Effects(Map<u32, Option<usize>>);

impl Effects {
    /// Whether a word before a name gives its declaration side effects.
    fn comes_before(&mut self, view: &View<'_>, node: u32, locals: &Locals) -> bool {
        if locals.with_effects.is_empty() {
            return false;
        }
        let statement = statement_of(view, node);
        let first = || {
            let text = view.text(statement).to_ascii_lowercase();
            let words = locals.with_effects.iter();
            let ends = words.filter_map(|word| Some(text.find(word)? + word.len()));
            let start = view.tree.node(statement).start_byte as usize;
            ends.min().map(|end| start + end)
        };
        let first = *self.0.entry(statement).or_insert_with(first);
        first.is_some_and(|end| end <= view.tree.node(node).start_byte as usize)
    }
}

/// The statement that declares a name: declarators and their parents are skipped.
fn statement_of(view: &View<'_>, node: u32) -> u32 {
    let mut above = view.parent(node);
    for _ in 0..8 {
        let outer = view.parent(above);
        let goes_on = match view.k(above) {
            Construct::Declarator => view.k(outer) != Construct::Block,
            Construct::Pointer => true,
            // In C#, the declarators of a declaration are in a separate node.
            Construct::Other => view.k(outer) == Construct::Declaration,
            _ => false,
        };
        if !goes_on {
            break;
        }
        above = outer;
    }
    above
}

/// Whether a name is only assigned: `name = value;`.
fn is_written(view: &View<'_>, node: u32) -> bool {
    let assign = view.parent(node);
    view.k(assign) == Construct::Assign
        && view.first(assign) == Some(node)
        && view.text(node + 1) == "="
        && view.k(view.parent(assign)) == Construct::ExprStmt
}

/// Whether a declaration has an initial value.
fn has_value(view: &View<'_>, node: u32) -> bool {
    let mut above = view.parent(node);
    while view.k(above) == Construct::Pointer {
        above = view.parent(above);
    }
    let is_set = matches!(view.k(above), Construct::Declarator | Construct::Assign);
    is_set && view.text(above).contains('=')
}

/// Whether the value is the next item of a stream (`reader.ReadInt32()`): it is read in order to
/// skip it, and the name documents it.
fn steps_on(view: &View<'_>, node: u32) -> bool {
    // Its own declarator only: a statement may contain very many.
    let declarator = view.parent(node);
    let calls = view.kind_within(Construct::Call, declarator, view.end(declarator));
    calls.iter().any(|&call| {
        let called = view.text(call).strip_suffix("()").unwrap_or_default();
        let name = called.rsplit(['.', '>']).next().unwrap_or_default();
        let is_method = name.len() < called.len();
        let steps = ["read", "Read", "next", "Next", "skip", "Skip"];
        is_method && steps.iter().any(|step| name.starts_with(step))
    })
}

/// Words in or above a declaration that mark it as intentional or are directives for a linter.
const DIRECTIVES: &[&str] = &[
    "eslint",
    "biome",
    "@ts-",
    "noinspection",
    "nosonar",
    "nopmd",
    "nolint",
    "rubocop",
    "unused",
    "resharper",
    "#[allow",
    "#[expect",
    "tslint",
    "jshint",
];

/// Rows that were asked for directives. A row may have very many names.
#[derive(Default)]
pub(crate) struct KeptRows(RefCell<Map<u32, bool>>);

impl KeptRows {
    /// Whether a comment, an attribute or a directive in the row of a declaration, or above it, marks it as intentional.
    pub(crate) fn has(&self, view: &View<'_>, row: u32) -> bool {
        let mut known = self.0.borrow_mut();
        let is_kept = || {
            (row.saturating_sub(1)..=row).any(|row| {
                let text = view.tree.row_text(row).to_ascii_lowercase();
                DIRECTIVES.iter().any(|word| text.contains(word))
            })
        };
        *known.entry(row).or_insert_with(is_kept)
    }
}

/// Whether documentation includes parts of a file, marked in Asciidoctor's way (`// tag::name[]`):
/// a local there shows the reader a result.
fn is_cited(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.any(|line| {
        let comment = line.trim_start_matches(['/', '#', '*', ' ']);
        comment.len() < line.len() && comment.starts_with("tag::") && comment.ends_with(']')
    })
}

/// End of the nodes in which a name is searched: the end of its function. In a C file with errors
/// it is the end of the file, because directives make functions end too soon there.
fn read_until(view: &View<'_>, scope: u32, locals: &Locals) -> u32 {
    if locals.has_macros && !view.tree.is_whole() {
        return u32::MAX;
    }
    view.end(scope)
}

/// Nodes outside the language, ascending.
fn errors(view: &View<'_>) -> Vec<u32> {
    if view.tree.is_whole() {
        return Vec::new();
    }
    (0u32..)
        .zip(view.tree.nodes())
        .filter(|(_, node)| node.is_error() || node.is_missing())
        .map(|(index, _)| index)
        .collect()
}

/// Whether an ascending list has something in a range.
fn any_within(ascending: &[u32], range: std::ops::Range<u32>) -> bool {
    let first = ascending.partition_point(|&at| at < range.start);
    ascending.get(first).is_some_and(|&at| at < range.end)
}

/// Positions of candidates' names in text that is neither a name node nor a comment's prose nor a
/// string (except in languages whose strings name formatted values): bytes, ascending.
fn unseen_words(gatherer: &Gatherer<'_>, candidates: &[Candidate]) -> Map<u32, Vec<u32>> {
    let Gatherer { view, names, .. } = gatherer;
    let mut found: Map<u32, Vec<u32>> = candidates.iter().map(|c| (c.name, Vec::new())).collect();
    let mut from = 0u32;
    for (node, kind) in view.all() {
        let skipped = match kind {
            Construct::Identifier | Construct::Member | Construct::TypeName => true,
            // Locals that commented-out code reads are kept for it.
            Construct::Comment => !view.text(node).contains(['(', '=', ';']),
            Construct::String => view.conventions.text_names == TextNames::None,
            _ => false,
        };
        let at = view.tree.node(node);
        // Names in interpolations come later: they are occurrences already.
        if !skipped || at.start_byte < from {
            continue;
        }
        words(view, from..at.start_byte, &mut |word, byte| {
            if let Some(places) = names.names.known(word).and_then(|n| found.get_mut(&n)) {
                places.push(byte);
            }
        });
        from = at.end_byte;
    }
    let end = view.tree.node(0).end_byte;
    words(view, from..end, &mut |word, byte| {
        if let Some(places) = names.names.known(word).and_then(|n| found.get_mut(&n)) {
            places.push(byte);
        }
    });
    found
}

/// Calls `each` with the words of a range of the text and where they begin.
fn words(view: &View<'_>, bytes: std::ops::Range<u32>, each: &mut dyn FnMut(&str, u32)) {
    let range = bytes.start as usize..bytes.end as usize;
    let text = view.tree.text().get(range).unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (begin, is_part(c)) {
            (None, true) => begin = Some(at),
            (Some(start), false) => {
                let offset = u32::try_from(start).unwrap_or(u32::MAX);
                let place = bytes.start.saturating_add(offset);
                let word = &text[start..at];
                each(word, place);
                // In formats, `$` follows a name, and zeros may precede it: `{value:0width$.digits$}`.
                let plain = word.trim_matches('$');
                let plain = plain.trim_start_matches(|c: char| c.is_ascii_digit());
                if plain != word && !plain.is_empty() {
                    each(plain, place);
                }
                begin = None;
            }
            _ => {}
        }
    }
}
