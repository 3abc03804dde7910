//! Unread locals and nested functions.

use super::hints::Hints;
use super::symbols::sees_all_names;
use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::locals::filled;
use crate::occurrences::{Occurrence, Use};
use crate::texts::TextWords;
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Reports locals that are assigned and never read, and nested functions that are never mentioned.
pub(super) fn find(gatherer: &mut Gatherer<'_>) {
    let mut excuses = Excuses::default();
    let mut asked: Map<(u32, u32, bool), ()> = Map::default();
    let hints = Hints::default();
    let texts = TextWords::of(&gatherer.view);
    for position in 0..gatherer.names.list.len() {
        let occurrence = gatherer.names.list[position];
        let node = occurrence.node;
        let Some((function, signal)) = definition(gatherer, occurrence.how, node) else {
            continue;
        };
        let view = &gatherer.view;
        let text = view.text(node);
        if text.starts_with('_') || excuses.has(view, function, node) {
            continue;
        }
        let is_local = signal == Signal::UnusedLocal;
        // The reads of a name are the same for each of its stores.
        if asked
            .insert((function, occurrence.name, is_local), ())
            .is_some()
        {
            continue;
        }
        // A type may occur only in a text.
        let is_named = is_local && texts.has(text, function, view.end(function));
        let idle = idle_message(gatherer, &occurrence, function, is_local).filter(|_| !is_named);
        let Some(message) = idle else { continue };
        if is_local || !hints.spare(view, view.parent(node), text) {
            report(gatherer, signal, node, message);
        }
    }
}

/// The message about a name that its function never reads; `None` if it does.
fn idle_message(
    gatherer: &Gatherer<'_>,
    occurrence: &Occurrence,
    function: u32,
    is_local: bool,
) -> Option<String> {
    let view = &gatherer.view;
    let text = view.text(occurrence.node);
    let reads = gatherer
        .names
        .reads(occurrence.name, function, view.end(function));
    if reads.is_empty() {
        return Some(message(is_local, text));
    }
    let uses = (
        reads,
        gatherer
            .names
            .writes(occurrence.name, function, view.end(function)),
    );
    let is_filled = is_local && filled::is_only_filled(view, occurrence.node, uses);
    is_filled.then(|| format!("`{text}` is filled and never read."))
}

/// Excuses for names that seem unread.
#[derive(Default)]
struct Excuses {
    /// Functions that see all of their names.
    blind: Map<u32, bool>,
    /// Rows that speak to a linter. A row may have very many names.
    for_linters: Map<u32, bool>,
}

impl Excuses {
    fn has(&mut self, view: &View<'_>, function: u32, node: u32) -> bool {
        let blind = self.blind.entry(function);
        let row = view.tree.node(node).start_row;
        *blind.or_insert_with(|| sees_all_names(view, function))
            || *self
                .for_linters
                .entry(row)
                .or_insert_with(|| is_for_a_linter(view, row))
    }
}

/// The function in which a name is defined, and the signal to report if it is never read.
fn definition(gatherer: &Gatherer<'_>, how: Use, node: u32) -> Option<(u32, Signal)> {
    let (function, signal) = match how {
        Use::Store => (plain_store(gatherer, node), Signal::UnusedLocal),
        Use::Bind => (caught(gatherer, node), Signal::UnusedLocal),
        Use::Definition => (nested(gatherer, node), Signal::UnusedPrivateFunction),
        _ => return None,
    };
    Some((function?, signal))
}

/// Reports a name. In a test, that its value can be made may be the check.
fn report(gatherer: &mut Gatherer<'_>, signal: Signal, node: u32, message: String) {
    let view = &gatherer.view;
    let text = view.text(node);
    let tried = view.has_below(view.parent(node), Construct::Call);
    gatherer.report(signal, node, message, text);
    if let Some(local) = gatherer.local.last_mut() {
        local.tried = tried;
    }
}

fn message(is_local: bool, name: &str) -> String {
    if is_local {
        format!("`{name}` is assigned and never read.")
    } else {
        format!("The nested function `{name}` is never used.")
    }
}

/// Whether a line has a directive for a linter.
fn is_for_a_linter(view: &View<'_>, row: u32) -> bool {
    let row = view.tree.row_text(row).to_ascii_lowercase();
    row.contains("noqa") || row.contains("pylint:")
}

/// The function of a statement `name = value`.
fn plain_store(gatherer: &Gatherer<'_>, node: u32) -> Option<u32> {
    let view = &gatherer.view;
    let assign = view.parent(node);
    let has_value = view.children(assign).any(|c| view.text(c) == "=");
    let scope = view.scope(node);
    (has_value
        && view.k(view.parent(assign)) == Construct::ExprStmt
        && view.k(scope) == Construct::Function)
        .then_some(scope)
}

/// The function of `except E as name`.
fn caught(gatherer: &Gatherer<'_>, node: u32) -> Option<u32> {
    let view = &gatherer.view;
    let target = view.parent(node);
    let pattern = view.parent(target);
    let scope = view.scope(node);
    (view.k(target) == Construct::AsTarget
        && view.k(view.parent(pattern)) == Construct::Catch
        && view.k(scope) == Construct::Function)
        .then_some(scope)
}

/// The function around the definition of a plain nested function.
fn nested(gatherer: &Gatherer<'_>, node: u32) -> Option<u32> {
    let view = &gatherer.view;
    let definition = view.parent(node);
    let scope = view.scope(definition);
    (view.k(definition) == Construct::Function
        && !view.decorated(definition)
        && view.k(scope) == Construct::Function)
        .then_some(scope)
}
