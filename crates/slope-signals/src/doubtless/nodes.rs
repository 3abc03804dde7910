//! Nodes without brackets and wrappers.

use slope_syntax::Construct;
use slope_syntax::view::View;

/// Maximum number of statements between a value and a check of it.
pub(super) const MAX_BETWEEN: usize = 12;

/// An expression without brackets around it.
pub(super) fn bare(view: &View<'_>, mut node: u32) -> Option<u32> {
    while view.k(node) == Construct::Paren {
        node = view.only(node)?;
    }
    Some(node)
}

/// The node of a kind that a statement is, or the only one in a wrapper around it.
pub(super) fn wrapped(
    view: &View<'_>,
    statement: u32,
    (wrapper, kind): (Construct, Construct),
) -> Option<u32> {
    let inner = if view.k(statement) == wrapper {
        view.only(statement)
    } else {
        Some(statement)
    };
    inner.filter(|&node| view.k(node) == kind)
}
