//! Checks of Go.

use super::{Checks, Look};

pub(crate) static CHECKS: Checks = Checks {
    at,
    order,
    names: |look, parameter, identifiers| match look.kind(parameter) {
        "parameter_declaration" => identifiers.to_vec(),
        _ => Vec::new(),
    },
};

/// Declarations that a file may have after its package and its imports.
const DECLARATIONS: &[&str] = &[
    "function_declaration",
    "method_declaration",
    "type_declaration",
    "const_declaration",
    "var_declaration",
];

/// A file begins with its package; imports and declarations follow, in this order.
fn order(look: &Look<'_>) -> Option<(u32, String)> {
    let mut parts = look.parts(0);
    let first = parts.next()?;
    if look.kind(first) != "package_clause" {
        return Some((first, "the package must come first".to_owned()));
    }
    let mut is_behind = false;
    for part in parts {
        match look.kind(part) {
            "package_clause" => return Some((part, "the package is named twice".to_owned())),
            "import_declaration" if is_behind => {
                return Some((part, "imports must come before declarations".to_owned()));
            }
            "import_declaration" => {}
            kind if DECLARATIONS.contains(&kind) => is_behind = true,
            _ => return Some((part, "a statement is outside of a function".to_owned())),
        }
    }
    None
}

fn at(look: &Look<'_>, node: u32) -> Option<String> {
    match look.kind(node) {
        "expression_statement" => {
            let value = look.parts(node).next()?;
            let is_unused = matches!(
                look.kind(value),
                "binary_expression"
                    | "int_literal"
                    | "float_literal"
                    | "interpreted_string_literal"
                    | "identifier"
                    | "selector_expression"
                    | "index_expression"
                    | "func_literal"
                    | "composite_literal"
            );
            is_unused.then(|| "a value is not used".to_owned())
        }
        "const_spec" => {
            let first = look.parts(look.parent(node)).next();
            let has_value = look.has_child(node, "=");
            (first == Some(node) && !has_value).then(|| "a constant has no value".to_owned())
        }
        "parameter_list" => mixed(look, node),
        _ => None,
    }
}

/// Parameters of which some have names and others none, or of which one before the last takes many values.
fn mixed(look: &Look<'_>, list: u32) -> Option<String> {
    let parts: Vec<u32> = look.parts(list).collect();
    let before_last = parts.split_last().map_or(&[][..], |(_, before)| before);
    let takes_many = |&part: &u32| look.kind(part) == "variadic_parameter_declaration";
    if before_last.iter().any(takes_many) {
        return Some("only the last parameter may take many values".to_owned());
    }
    None
}
