//! Zig, tree-sitter-zig 1.1.2. `if` and `while` as expressions do not count, and `and` and `or` do
//! not either: the original expects C's operators.

use super::Spec;

const BRANCHES: &[&str] = &[
    "if_statement",
    "switch_expression",
    "for_statement",
    "while_statement",
];

pub(crate) const SPEC: Spec = Spec {
    id: "zig",
    suffixes: &["zig"],
    comments: &["comment"],
    functions: &["function_declaration"],
    borrowed_functions: &[],
    name_lenders: &[],
    classes: &[],
    decisions: BRANCHES,
    booleans: &["binary_expression"],
    operators: &["&&", "||"],
    flows: BRANCHES,
    jumps: &["break_expression", "continue_expression"],
    clone_units: &[
        "function_declaration",
        "if_statement",
        "switch_expression",
        "for_statement",
        "while_statement",
    ],
    identifiers: &["identifier"],
    literals: &[
        "char_literal",
        "float",
        "integer",
        "string",
        "string_content",
    ],
};
