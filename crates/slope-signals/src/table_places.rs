//! Place of a table: the value of a name, a list of exports, or an argument of an attribute.

use slope_syntax::Construct;
use slope_syntax::view::View;

/// Maximum number of ancestors of a table that are examined.
const MAX_AROUND: usize = 6;

/// Calls that build a collection from another.
const COLLECTIONS: &[&str] = &[
    "frozenset",
    "list",
    "new Map",
    "new Set",
    "Object.freeze",
    "set",
    "tuple",
];

/// Whether a table is the value of a name, and not an argument of a call or a decorator.
pub(crate) fn is_declared(view: &View<'_>, node: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node)).filter(|&node| node != 0);
    for above in std::iter::successors(outer(&node), outer).take(MAX_AROUND) {
        let text = view.text(above);
        let name = view.tree.kind_name(above);
        match view.k(above) {
            Construct::Assign | Construct::Declarator => {
                return view
                    .first(above)
                    .is_some_and(|target| view.k(target) == Construct::Identifier);
            }
            Construct::Call | Construct::New
                if COLLECTIONS.iter().any(|maker| text.starts_with(maker)) => {}
            _ if name.ends_with("_spec") || name.ends_with("_item") => return true,
            _ if name.ends_with("_expression") || name.ends_with("_list") => {}
            Construct::Arguments | Construct::Paren | Construct::Other => {}
            _ => return false,
        }
    }
    false
}

/// Whether a list contains a module's exports, which neighbouring modules often repeat.
pub(crate) fn is_list_of_exports(view: &View<'_>, node: u32) -> bool {
    let parent = view.parent(node);
    view.k(parent) == Construct::Assign && view.text(parent).starts_with("__all__")
}

/// Whether it is the argument of a Rust attribute, such as the traits of `#[derive(...)]`.
pub(crate) fn is_of_attribute(view: &View<'_>, node: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node));
    let mut around = std::iter::successors(Some(node), outer);
    let above = around.find(|&node| view.k(node) != Construct::Tokens);
    view.k(node) == Construct::Tokens
        && above.is_some_and(|above| view.tree.kind_name(above) == "attribute")
}
