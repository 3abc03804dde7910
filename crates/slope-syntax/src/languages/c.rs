//! What the kinds of the C grammar mean.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LOOP, SWITCH, TERNARY, TRY};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "c",
    suffixes: &["c", "h"],
    grammar: "tree-sitter-c",
    grammar_version: "0.24.2",
    grammar_fn: || tree_sitter_c::LANGUAGE.into(),
    kinds: &[KINDS, ONLY_C],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

pub(super) const KINDS: RoleRows = &[
    (FUNCTION.and(Roles::CONTEXT), &["function_definition"]),
    (Roles::CLASS, &["struct_specifier", "union_specifier"]),
    (BRANCH, &["if_statement"]),
    (LOOP, &["for_statement", "while_statement", "do_statement"]),
    (SWITCH, &["switch_statement"]),
    (Roles::ARM, &["case_statement"]),
    (TERNARY, &["conditional_expression"]),
    (TRY, &["seh_try_statement"]),
    (CATCH, &["seh_except_clause"]),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["compound_statement", "translation_unit"]),
    (Roles::COMMENT, &["comment"]),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "field_identifier",
            "type_identifier",
            "statement_identifier",
        ],
    ),
    (Roles::JUMP, &["break_statement", "continue_statement"]),
    (Roles::JUMP.and(Roles::LABEL_JUMP), &["goto_statement"]),
    (Roles::RETURN, &["return_statement"]),
    (Roles::IMPORT, &["preproc_include"]),
    (Roles::PARAMETERS, &["parameter_list"]),
    (Roles::PARAMETER, &["parameter_declaration"]),
    (Roles::STRING, &["string_literal", "concatenated_string"]),
    (Roles::CALL, &["call_expression"]),
    (Roles::ARGUMENTS, &["argument_list"]),
    (
        Roles::ASSIGNMENT,
        &["assignment_expression", "update_expression"],
    ),
    (Roles::DECLARATION, &["declaration", "init_declarator"]),
    (Roles::MEMBER, &["field_expression"]),
    (
        Roles::ANNOTATION,
        &["attribute_specifier", "attribute_declaration"],
    ),
    (
        Roles::STATEMENT,
        &[
            "break_statement",
            "continue_statement",
            "declaration",
            "do_statement",
            "expression_statement",
            "for_statement",
            "goto_statement",
            "if_statement",
            "labeled_statement",
            "return_statement",
            "switch_statement",
            "while_statement",
        ],
    ),
];

/// What C++ calls otherwise.
const ONLY_C: RoleRows = &[(Roles::PARAMETER, &["variadic_parameter"])];

pub(super) const TOKENS: RoleRows = &[
    (Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT), &["&&", "||"]),
    (Roles::CONTEXT, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string_literal", "concatenated_string", "char_literal"],
    ),
    (LiteralClass::Integer, &["number_literal"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["null"]),
];
