//! Checks of Rust.

use super::{Checks, Look};

pub(crate) static CHECKS: Checks = Checks {
    at,
    order,
    names: |look, parameter, identifiers| {
        // A pattern is not looked into.
        let first = look.parts(parameter).next();
        let is_name = first.is_some_and(|first| identifiers.contains(&first));
        let names = identifiers.first().filter(|_| is_name).copied();
        let is_parameter = look.kind(parameter) == "parameter";
        names.into_iter().filter(|_| is_parameter).collect()
    },
};

/// Statements that no file may have, also not one that is included.
const STATEMENTS: &[&str] = &[
    "if_expression",
    "for_expression",
    "while_expression",
    "loop_expression",
    "return_expression",
    "assignment_expression",
    "compound_assignment_expr",
    "call_expression",
];

/// A file has items only.
fn order(look: &Look<'_>) -> Option<(u32, String)> {
    let is_wrong = |&part: &u32| match look.kind(part) {
        "let_declaration" => true,
        "expression_statement" => look
            .parts(part)
            .any(|value| STATEMENTS.contains(&look.kind(value))),
        _ => false,
    };
    let part = look.parts(0).find(is_wrong)?;
    Some((part, "a statement is outside of a function".to_owned()))
}

fn at(look: &Look<'_>, node: u32) -> Option<String> {
    match look.kind(node) {
        "let_declaration" if look.kind(look.parent(node)) == "declaration_list" => {
            Some("a statement is outside of a function".to_owned())
        }
        "let_declaration" => {
            let is_twice =
                look.has_child(node, "mutable_specifier") && look.has_child(node, "mut_pattern");
            is_twice.then(|| "`mut` is written twice".to_owned())
        }
        "function_signature_item" if is_product(look, node) => {
            Some("a function has no body".to_owned())
        }
        "const_item" | "static_item" if !look.has_child(node, "=") && is_product(look, node) => {
            Some("a constant has no value".to_owned())
        }
        "binary_expression" => {
            let first = look.parts(node).next()?;
            let is_chain = compares(look, node) && compares(look, first);
            is_chain.then(|| "comparisons cannot be chained".to_owned())
        }
        "await_expression" => waits(look, node),
        "parameters" => parameters(look, node),
        _ => None,
    }
}

/// Whether an item needs a body: it is outside traits and `extern` blocks, and nothing changes or removes it
/// before it is compiled.
fn is_product(look: &Look<'_>, node: u32) -> bool {
    let is_free = |outer: u32| {
        !matches!(
            look.kind(outer),
            "trait_item" | "foreign_mod_item" | "macro_invocation"
        )
    };
    look.around(node).all(is_free) && !has_attributes(look, node)
}

/// Whether a node or one around it has attributes.
fn has_attributes(look: &Look<'_>, node: u32) -> bool {
    let has = |at: u32| {
        let before = look.tree.previous_sibling(at);
        before.is_some_and(|before| look.kind(before) == "attribute_item")
    };
    has(node)
        || look
            .around(node)
            .any(|outer| has(outer) || look.has_inner_attribute(outer))
}

fn compares(look: &Look<'_>, node: u32) -> bool {
    look.kind(node) == "binary_expression"
        && look.tree.children(node).any(|part| {
            !look.tree.node(part).named
                && matches!(look.text(part), "<" | ">" | "<=" | ">=" | "==" | "!=")
        })
}

/// `.await` in a function that is not async.
fn waits(look: &Look<'_>, node: u32) -> Option<String> {
    let borders = [
        "function_item",
        "closure_expression",
        "async_block",
        "gen_block",
        "macro_invocation",
        "const_block",
    ];
    let border = look
        .around(node)
        .find(|&outer| borders.contains(&look.kind(outer)))?;
    let is_plain = look.kind(border) == "function_item"
        && !look.has_modifier(border, "async")
        && !has_attributes(look, border);
    is_plain.then(|| "`.await` is outside of an async function".to_owned())
}

/// Parameters without a type, and `self` outside of methods.
fn parameters(look: &Look<'_>, list: u32) -> Option<String> {
    let function = look.parent(list);
    if look.kind(function) != "function_item" {
        return None;
    }
    let is_of_type = look.around(function).any(|outer| {
        matches!(
            look.kind(outer),
            "trait_item" | "impl_item" | "macro_invocation"
        )
    });
    let known = [
        "parameter",
        "self_parameter",
        "variadic_parameter",
        "attribute_item",
    ];
    for (index, part) in look.parts(list).enumerate() {
        let kind = look.kind(part);
        if !known.contains(&kind) && !is_of_type {
            return Some("a parameter has no type".to_owned());
        }
        let is_first = index == 0
            || look
                .parts(list)
                .take(index)
                .all(|part| look.kind(part) == "attribute_item");
        if kind == "self_parameter" && (!is_first || !is_of_type && !has_attributes(look, function))
        {
            return Some("`self` is not allowed here".to_owned());
        }
    }
    None
}
