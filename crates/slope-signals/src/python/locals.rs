//! Locals and nested functions that nothing reads.

use super::hints::Hints;
use super::symbols::sees_all_names;
use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::kind::K;
use crate::locals::filled;
use crate::occurrences::Use;
use crate::texts::TextWords;
use crate::view::View;
use crate::words::Map;

/// Reports locals that are assigned and never read, and nested functions that nothing mentions.
pub(super) fn find(gatherer: &mut Gatherer<'_>) {
    let mut blind: Map<u32, bool> = Map::default();
    let mut reported: Map<(u32, u32), ()> = Map::default();
    // A row may hold very many of them.
    let mut for_linters: Map<u32, bool> = Map::default();
    let hints = Hints::default();
    let texts = TextWords::of(&gatherer.view);
    for position in 0..gatherer.names.list.len() {
        let occurrence = gatherer.names.list[position];
        let view = &gatherer.view;
        let node = occurrence.node;
        let (function, signal) = match occurrence.how {
            Use::Store => (plain_store(gatherer, node), Signal::UnusedLocal),
            Use::Bind => (caught(gatherer, node), Signal::UnusedLocal),
            Use::Definition => (nested(gatherer, node), Signal::UnusedPrivateFunction),
            _ => continue,
        };
        let Some(function) = function else { continue };
        let text = view.text(node);
        let is_blind = *blind
            .entry(function)
            .or_insert_with(|| sees_all_names(view, function));
        let end = view.end(function);
        let row = view.tree.node(node).start_row;
        let mut is_for_a_linter = || {
            let known = for_linters.entry(row);
            *known.or_insert_with(|| is_for_a_linter(view, row))
        };
        if text.starts_with('_') || is_blind || is_for_a_linter() {
            continue;
        }
        let is_local = signal == Signal::UnusedLocal;
        let reads = gatherer.names.reads(occurrence.name, function, end);
        let is_filled = is_local && filled::is_only_filled(view, node, reads);
        // A type may be named by a text only.
        let is_named = is_local && texts.has(text, function, end);
        if !(reads.is_empty() || is_filled)
            || is_named
            || reported.insert((function, occurrence.name), ()).is_some()
        {
            continue;
        }
        if !is_local && hints.spare(view, view.parent(node), text) {
            continue;
        }
        let tried = view.has_below(view.parent(node), K::Call);
        let message = match is_filled {
            true => format!("`{text}` is filled and never read."),
            false => message(is_local, text),
        };
        gatherer.report(signal, node, message, text);
        if let Some(local) = gatherer.local.last_mut() {
            local.tried = tried;
        }
    }
}

fn message(is_local: bool, name: &str) -> String {
    if is_local {
        format!("`{name}` is assigned and never read.")
    } else {
        format!("The nested function `{name}` is never used.")
    }
}

/// Whether a line tells a linter to leave it alone.
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
    (has_value && view.k(view.parent(assign)) == K::ExprStmt && view.k(scope) == K::Function)
        .then_some(scope)
}

/// The function of `except E as name`.
fn caught(gatherer: &Gatherer<'_>, node: u32) -> Option<u32> {
    let view = &gatherer.view;
    let target = view.parent(node);
    let pattern = view.parent(target);
    let scope = view.scope(node);
    (view.k(target) == K::AsTarget
        && view.k(view.parent(pattern)) == K::Catch
        && view.k(scope) == K::Function)
        .then_some(scope)
}

/// The function around the definition of a plain nested function.
fn nested(gatherer: &Gatherer<'_>, node: u32) -> Option<u32> {
    let view = &gatherer.view;
    let definition = view.parent(node);
    let scope = view.scope(definition);
    (view.k(definition) == K::Function
        && !view.decorated(definition)
        && view.k(scope) == K::Function)
        .then_some(scope)
}
