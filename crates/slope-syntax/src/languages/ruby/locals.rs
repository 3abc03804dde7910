//! Locals that nothing reads.

use std::collections::HashSet;

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
    passed_on: passed_to_super,
    blinding: &["binding", "eval", "instance_eval", "local_variables"],
    may_read_past: false,
    asks_to_leave: |text| text.contains("Lint/UselessAssignment"),
    ..Locals::PLAIN
};

/// The names that a method passes on by `super` without arguments, which passes the current values of all parameters.
fn passed_to_super<'a>(view: &View<'a>, scope: u32) -> HashSet<&'a str> {
    let tree = &view.tree;
    let nodes = || scope..view.end(scope);
    let is_implicit = |node: u32| {
        let parent = view.parent(node);
        let mut siblings = view.children(parent);
        (tree.kind_name(node) == "super")
            && !((tree.kind_name(parent) == "call")
                && siblings.any(|sibling| tree.kind_name(sibling) == "argument_list"))
    };
    if !nodes().any(is_implicit) {
        return HashSet::new();
    }
    let lists = nodes().filter(|&node| tree.kind_name(node) == "method_parameters");
    let below = lists.flat_map(|list| list..view.end(list));
    let names = below.filter(|&node| view.k(node) == Construct::Identifier);
    names.map(|node| view.text(node)).collect()
}
