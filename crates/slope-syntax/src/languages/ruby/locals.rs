//! Locals that nothing reads.

use crate::construct::Construct;
use crate::conventions::{Locals, is_last};
use crate::view::View;

pub(super) static LOCALS: Locals = Locals {
    is_local: |view, stored| stored.around == Construct::Block && !is_last(view, stored.statement),
    // Blocks and lambdas assign to the locals of their method.
    owner: |view, node| {
        let scope = view.scope(node);
        match view.k(scope) {
            Construct::Function => Some(scope),
            Construct::Lambda => view.function(node),
            _ => None,
        }
    },
    is_passed_on: is_passed_to_super,
    blinding: &["binding", "eval", "instance_eval", "local_variables"],
    may_read_past: false,
    asks_to_leave: |text| text.contains("Lint/UselessAssignment"),
    ..Locals::PLAIN
};

/// Whether a method passes a name on by `super` without arguments, which passes the current values
/// of all parameters.
fn is_passed_to_super(view: &View<'_>, scope: u32, name: u32) -> bool {
    let tree = &view.tree;
    let nodes = || scope..view.end(scope);
    let is_implicit = |node: u32| {
        let parent = view.parent(node);
        let mut siblings = view.children(parent);
        (tree.kind_name(node) == "super")
            && !((tree.kind_name(parent) == "call")
                && siblings.any(|sibling| tree.kind_name(sibling) == "argument_list"))
    };
    let is_parameter = |node: u32| {
        (tree.kind_name(node) == "method_parameters")
            && (node..view.end(node)).any(|below| {
                view.k(below) == Construct::Identifier && view.text(below) == view.text(name)
            })
    };
    nodes().any(is_parameter) && nodes().any(is_implicit)
}
