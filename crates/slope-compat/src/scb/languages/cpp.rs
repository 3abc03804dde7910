//! C++, tree-sitter-cpp 0.23.4.

use super::Spec;

const BRANCHES: &[&str] = &[
    "if_statement",
    "switch_statement",
    "conditional_expression",
    "catch_clause",
    "for_statement",
    "for_range_loop",
    "while_statement",
    "do_statement",
];

pub(crate) const SPEC: Spec = Spec {
    id: "cpp",
    suffixes: &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx"],
    comments: &["comment"],
    functions: &["function_definition"],
    borrowed_functions: &[],
    name_lenders: &[],
    classes: &["class_specifier", "struct_specifier"],
    decisions: BRANCHES,
    booleans: &["binary_expression"],
    operators: &["&&", "||"],
    flows: BRANCHES,
    jumps: &["break_statement", "continue_statement"],
    clone_units: &[
        "function_definition",
        "catch_clause",
        "conditional_expression",
        "if_statement",
        "switch_statement",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "do_statement",
    ],
    identifiers: &["identifier", "field_identifier", "type_identifier"],
    literals: &[
        "char_literal",
        "false",
        "null",
        "number_literal",
        "raw_string_literal",
        "string_content",
        "string_literal",
        "true",
    ],
};
