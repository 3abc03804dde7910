//! What the kinds of the Zig grammar mean.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LOOP, SWITCH};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "zig",
    suffixes: &["zig"],
    grammar: "tree-sitter-zig",
    grammar_version: "1.1.2",
    grammar_fn: || tree_sitter_zig::LANGUAGE.into(),
    kinds: &[KINDS],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

const KINDS: RoleRows = &[
    (FUNCTION.and(Roles::CONTEXT), &["function_declaration"]),
    (FUNCTION, &["test_declaration"]),
    (
        Roles::CLASS,
        &[
            "struct_declaration",
            "enum_declaration",
            "union_declaration",
            "opaque_declaration",
        ],
    ),
    (BRANCH, &["if_statement", "if_expression"]),
    (
        LOOP,
        &[
            "for_statement",
            "for_expression",
            "while_statement",
            "while_expression",
        ],
    ),
    (SWITCH, &["switch_expression"]),
    (Roles::ARM, &["switch_case"]),
    (CATCH, &["catch_expression"]),
    (Roles::DECISION, &["null_coercion_expression"]),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["block", "source_file"]),
    (Roles::COMMENT, &["comment"]),
    (Roles::IDENTIFIER, &["identifier"]),
    (
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_expression", "continue_expression"],
    ),
    (Roles::RETURN, &["return_expression"]),
    (Roles::PARAMETERS, &["parameters"]),
    (Roles::PARAMETER, &["parameter"]),
    (Roles::STRING, &["string", "multiline_string"]),
    (Roles::CALL, &["call_expression", "builtin_function"]),
    (Roles::ARGUMENTS, &["arguments"]),
    (Roles::ASSIGNMENT, &["assignment_expression"]),
    (Roles::DECLARATION, &["variable_declaration"]),
    (Roles::MEMBER, &["field_expression"]),
    (
        Roles::STATEMENT,
        &[
            "defer_statement",
            "errdefer_statement",
            "expression_statement",
            "for_statement",
            "if_statement",
            "nosuspend_statement",
            "suspend_statement",
            "while_statement",
            "variable_declaration",
        ],
    ),
];

const TOKENS: RoleRows = &[
    (Roles::LOGICAL_OPERATOR, &["and", "or"]),
    (Roles::CONTEXT, &["else"]),
];

const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string", "multiline_string", "character"],
    ),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float"]),
    (LiteralClass::Bool, &["boolean"]),
];
