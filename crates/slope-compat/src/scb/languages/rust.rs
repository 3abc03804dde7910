//! Rust, tree-sitter-rust 0.24.2. Code in macros is opaque to the grammar.

use super::Spec;

const BRANCHES: &[&str] = &[
    "if_expression",
    "match_expression",
    "for_expression",
    "loop_expression",
    "while_expression",
];

pub(crate) const SPEC: Spec = Spec {
    id: "rust",
    suffixes: &["rs"],
    comments: &["line_comment", "block_comment"],
    functions: &["function_item"],
    borrowed_functions: &[],
    name_lenders: &[],
    classes: &["struct_item", "enum_item", "trait_item", "impl_item"],
    decisions: BRANCHES,
    booleans: &["binary_expression"],
    operators: &["&&", "||"],
    flows: BRANCHES,
    jumps: &["break_expression", "continue_expression"],
    clone_units: &[
        "function_item",
        "if_expression",
        "match_expression",
        "for_expression",
        "loop_expression",
        "while_expression",
    ],
    identifiers: &["identifier", "field_identifier", "type_identifier"],
    literals: &[
        "boolean_literal",
        "char_literal",
        "float_literal",
        "integer_literal",
        "raw_string_literal",
        "string_literal",
    ],
};
