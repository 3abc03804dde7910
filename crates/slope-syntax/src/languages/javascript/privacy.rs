//! Functions that a file keeps to itself.

use crate::construct::Construct;
use crate::view::View;

/// Whether a function is private to its module, or a `#private` method.
pub(super) fn is_of_module(view: &View<'_>, function: u32, name: u32) -> bool {
    if view.text(name).starts_with('#') {
        return true;
    }
    let root = view.tree.nodes().len() > 1;
    let is_module =
        !view.of_kind(Construct::Import).is_empty() || !view.of_kind(Construct::Export).is_empty();
    // A declaration is in the program; a lambda in a declarator in a declaration.
    let statement = match view.k(function) {
        Construct::Lambda => view.parent(view.parent(function)),
        _ => function,
    };
    let quiet = view.text(name).starts_with('_');
    let row = view.tree.node(statement).start_row;
    let directed = |row: u32| {
        view.tree.row_text(row).contains("eslint") || view.tree.row_text(row).contains("@ts-")
    };
    root && is_module
        && view.parent(statement) == 0
        && view.tree.node(statement).parent == 0
        && statement != 0
        && !quiet
        && !directed(row)
        && !directed(row.saturating_sub(1))
}
