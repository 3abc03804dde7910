//! JavaScript, tree-sitter-javascript 0.25.0, and TypeScript, tree-sitter-typescript 0.23.2.
//!
//! Function expressions do not count: the original searches for a kind that these versions of the
//! grammars do not have.

use super::Spec;

const BRANCHES: &[&str] = &[
    "if_statement",
    "switch_statement",
    "ternary_expression",
    "catch_clause",
    "for_statement",
    "for_in_statement",
    "while_statement",
    "do_statement",
];

pub(crate) const SPEC: Spec = Spec {
    id: "javascript",
    suffixes: &["js", "mjs", "cjs"],
    comments: &["comment"],
    functions: &[
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
    ],
    borrowed_functions: &["arrow_function", "generator_function"],
    name_lenders: &[
        "assignment_expression",
        "variable_declarator",
        "lexical_declaration",
        "variable_declaration",
    ],
    classes: &["class_declaration"],
    decisions: BRANCHES,
    booleans: &["binary_expression"],
    operators: &["&&", "||"],
    flows: BRANCHES,
    jumps: &["break_statement", "continue_statement"],
    clone_units: &[
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "arrow_function",
        "generator_function",
        "catch_clause",
        "if_statement",
        "switch_statement",
        "ternary_expression",
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
    ],
    identifiers: &["identifier", "property_identifier"],
    literals: &[
        "false",
        "null",
        "number",
        "regex",
        "string",
        "string_fragment",
        "template_string",
        "true",
        "undefined",
    ],
};

pub(crate) const TYPESCRIPT: Spec = Spec {
    id: "typescript",
    suffixes: &["ts"],
    identifiers: &["identifier", "property_identifier", "type_identifier"],
    ..SPEC
};
