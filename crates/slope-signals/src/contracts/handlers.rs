//! Handlers of errors, as promises.

use slope_syntax::Construct;
use slope_syntax::view::View;

use super::refusals::shown;
use crate::facts::{CheckCost, Promise, PromiseKind as Kind};

/// What a handler takes on itself.
pub(super) fn promise(view: &View<'_>, node: u32) -> Option<Promise> {
    let callable = view.callable(node);
    let block = view.last_child(node, Construct::Block)?;
    if callable.is_empty() || (view.conventions.tests.hold)(view, node) {
        return None;
    }
    let start = view.tree.node(node).start_byte as usize;
    let end = view.tree.node(block).start_byte as usize;
    let head = view.tree.text().get(start..end)?.trim_end();
    let raises = view.kind_within(Construct::Raise, block, view.end(block));
    let is_broad = (view.conventions.handlers.is_broad)(head);
    Some(Promise {
        kind: match (raises.is_empty(), is_broad) {
            (true, true) => Kind::BroadHandler,
            (true, false) => Kind::Handler,
            (false, true) => Kind::BroadTranslator,
            (false, false) => Kind::Translator,
        },
        callable: callable.to_owned(),
        line: view.tree.node(node).start_row + 1,
        error: shown(head),
        condition: 0,
        shown: String::new(),
        cost: CheckCost::default(),
    })
}
