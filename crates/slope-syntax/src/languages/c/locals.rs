//! Locals that nothing reads.

use crate::construct::Construct;
use crate::conventions::{Locals, Stored};
use crate::view::View;

pub(super) static LOCALS: Locals = OF_C;

pub(in crate::languages) const OF_C: Locals = Locals {
    is_local,
    // A class behind a macro looks like a function without parameters.
    owner: |view, node| {
        let scope = view.scope(node);
        match view.k(scope) {
            Construct::Function => view.signature(scope).map(|_| scope),
            Construct::Lambda => Some(scope),
            _ => None,
        }
    },
    with_effects: WITH_EFFECTS,
    has_macros: true,
    ..Locals::PLAIN
};

/// Whether a statement declares a name.
pub(in crate::languages) fn is_local(view: &View<'_>, stored: &Stored<'_>) -> bool {
    view.k(stored.statement) == Construct::Declaration
        && matches!(stored.around, Construct::Block | Construct::Case)
}

/// Static storage, an attribute, and a clean-up at the end of the block.
const WITH_EFFECTS: &[&str] = &[
    "static",
    "extern",
    "volatile",
    "auto",
    "clean",
    "guard",
    "attribute",
    "[[",
    "defer",
];
