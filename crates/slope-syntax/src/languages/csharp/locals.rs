//! Locals that nothing reads.

use crate::construct::Construct;
use crate::conventions::Locals;
use crate::text::identifiers;
use crate::view::View;

pub(super) static LOCALS: Locals = Locals {
    // The grammar takes some structs with parameters for local functions.
    owner: |view, node| {
        let scope = view.scope(node);
        match view.k(scope) {
            Construct::Function if is_type(view, scope) => None,
            Construct::Function | Construct::Lambda => Some(scope),
            _ => None,
        }
    },
    // CS0168, CS0219 and IDE0059.
    asks_to_leave: |text| {
        text.lines()
            .filter(|line| line.trim_start().starts_with("#pragma warning disable"))
            .any(|line| ["168", "219", "IDE0059"].iter().any(|id| line.contains(id)))
    },
    ..Locals::PLAIN
};

/// Whether what looks like a function is a type with parameters: `struct Point(int x) { … }`.
fn is_type(view: &View<'_>, function: u32) -> bool {
    let head = view.text(function).split(['(', '{']).next();
    let mut words = identifiers(head.unwrap_or_default());
    words.any(|word| matches!(word, "struct" | "class" | "record"))
}
