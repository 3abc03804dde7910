//! Locals that nothing reads.

use crate::construct::Construct;
use crate::conventions::Locals;
use crate::view::View;

pub(super) static LOCALS: Locals = Locals {
    is_local: |view, stored| is_declared(view, stored.node),
    // A variable without any read does not compile.
    may_be_idle: is_lone_constant,
    ..Locals::PLAIN
};

/// Whether a local is a constant that is declared alone. Of several one may be there for its number.
fn is_lone_constant(view: &View<'_>, local: u32) -> bool {
    let spec = view.parent(local);
    let is_alone = view.only(view.parent(spec)) == Some(spec);
    view.tree.kind_name(spec) == "const_spec" && is_alone
}

fn is_declared(view: &View<'_>, node: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node));
    let mut above = std::iter::successors(Some(view.parent(node)), outer).take(3);
    above.any(|node| matches!(view.k(node), Construct::Declarator | Construct::Declaration))
        || is_lone_constant(view, node)
}
