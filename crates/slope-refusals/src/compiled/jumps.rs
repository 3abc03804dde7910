//! `break` and `continue` without a loop around them.

use super::Look;

/// Loops, which allow both.
const LOOPS: &[&str] = &[
    "for_statement",
    "enhanced_for_statement",
    "foreach_statement",
    "while_statement",
    "do_statement",
    "loop_expression",
    "while_expression",
    "for_expression",
];

/// Where `break` may be too.
const SWITCHES: &[&str] = &[
    "switch_statement",
    "switch_expression",
    "switch_block",
    "switch_body",
    "switch_section",
    "expression_switch_statement",
    "type_switch_statement",
    "select_statement",
];

/// Code of its own: what is around it does not count.
const BORDERS: &[&str] = &[
    "function_declaration",
    "method_declaration",
    "func_literal",
    "function_item",
    "closure_expression",
    "async_block",
    "lambda_expression",
    "anonymous_method_expression",
    "local_function_statement",
    "constructor_declaration",
    "compact_constructor_declaration",
    "class_body",
    "declaration_list",
    "accessor_declaration",
    "static_initializer",
    "source_file",
    "program",
    "compilation_unit",
];

pub(super) fn at(look: &Look<'_>, node: u32) -> Option<String> {
    let word = match look.kind(node) {
        "break_statement" | "break_expression" => "break",
        "continue_statement" | "continue_expression" => "continue",
        _ => return None,
    };
    // A label names what is left; it may be a block, and the label may be wrong, which is rare.
    if look.parts(node).any(|part| {
        matches!(
            look.kind(part),
            "label" | "label_name" | "identifier" | "lifetime"
        )
    }) {
        return None;
    }
    for outer in look.around(node) {
        let kind = look.kind(outer);
        if LOOPS.contains(&kind) || word == "break" && SWITCHES.contains(&kind) {
            return None;
        }
        if kind.starts_with("preproc") || kind == "ERROR" {
            return None;
        }
        if BORDERS.contains(&kind) {
            return Some(format!("`{word}` is outside of a loop"));
        }
    }
    None
}
