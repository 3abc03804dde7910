//! What the kinds of the Go grammar mean.

use super::plain;
use super::plain::{BRANCH, FUNCTION, LAMBDA, LOOP, METHOD, SWITCH};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "go",
    suffixes: &["go"],
    grammar: "tree-sitter-go",
    grammar_version: "0.25.0",
    grammar_fn: || tree_sitter_go::LANGUAGE.into(),
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
    (FUNCTION, &["function_declaration"]),
    (METHOD, &["method_declaration"]),
    (LAMBDA, &["func_literal"]),
    (Roles::CLASS, &["type_spec"]),
    (BRANCH, &["if_statement"]),
    (LOOP, &["for_statement"]),
    (
        SWITCH,
        &[
            "expression_switch_statement",
            "type_switch_statement",
            "select_statement",
        ],
    ),
    (
        Roles::ARM,
        &["expression_case", "type_case", "communication_case"],
    ),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["statement_list", "source_file"]),
    (Roles::COMMENT, &["comment"]),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "field_identifier",
            "type_identifier",
            "package_identifier",
            "label_name",
        ],
    ),
    (
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_statement", "continue_statement"],
    ),
    (Roles::JUMP.and(Roles::LABEL_JUMP), &["goto_statement"]),
    (Roles::RETURN, &["return_statement"]),
    (Roles::IMPORT, &["import_declaration"]),
    (
        Roles::PARAMETER,
        &["parameter_declaration", "variadic_parameter_declaration"],
    ),
    (
        Roles::STRING,
        &["interpreted_string_literal", "raw_string_literal"],
    ),
    (Roles::CALL, &["call_expression"]),
    (Roles::ARGUMENTS, &["argument_list"]),
    (
        Roles::ASSIGNMENT,
        &["assignment_statement", "inc_statement", "dec_statement"],
    ),
    (
        Roles::DECLARATION,
        &["short_var_declaration", "var_spec", "const_spec"],
    ),
    (Roles::MEMBER, &["selector_expression"]),
    (
        Roles::STATEMENT,
        &[
            "assignment_statement",
            "break_statement",
            "const_declaration",
            "continue_statement",
            "dec_statement",
            "defer_statement",
            "empty_statement",
            "expression_statement",
            "expression_switch_statement",
            "fallthrough_statement",
            "for_statement",
            "go_statement",
            "goto_statement",
            "if_statement",
            "inc_statement",
            "labeled_statement",
            "return_statement",
            "select_statement",
            "send_statement",
            "short_var_declaration",
            "type_declaration",
            "type_switch_statement",
            "var_declaration",
        ],
    ),
];

const TOKENS: RoleRows = &[
    (Roles::LOGICAL_OPERATOR, &["&&", "||"]),
    (Roles::CONTEXT, &["else"]),
];

const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "interpreted_string_literal",
            "raw_string_literal",
            "rune_literal",
        ],
    ),
    (LiteralClass::Integer, &["int_literal"]),
    (LiteralClass::Float, &["float_literal", "imaginary_literal"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["nil"]),
];
