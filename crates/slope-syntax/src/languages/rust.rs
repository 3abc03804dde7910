//! What the kinds of the Rust grammar mean.

use super::plain;
use super::plain::{BRANCH, FUNCTION, LAMBDA, LOOP, SWITCH};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "rust",
    suffixes: &["rs"],
    grammar: "tree-sitter-rust",
    grammar_version: "0.24.2",
    grammar_fn: || tree_sitter_rust::LANGUAGE.into(),
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
    (FUNCTION, &["function_item"]),
    (LAMBDA, &["closure_expression"]),
    (
        Roles::CLASS,
        &[
            "impl_item",
            "trait_item",
            "struct_item",
            "enum_item",
            "union_item",
        ],
    ),
    (Roles::CLASS.and(Roles::NAMESPACE), &["mod_item"]),
    (BRANCH, &["if_expression"]),
    (
        LOOP,
        &["for_expression", "while_expression", "loop_expression"],
    ),
    (SWITCH, &["match_expression"]),
    (Roles::ARM, &["match_arm"]),
    (Roles::LOGICAL, &["binary_expression", "let_chain"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["block", "source_file"]),
    (Roles::COMMENT, &["line_comment", "block_comment"]),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "field_identifier",
            "type_identifier",
            "shorthand_field_identifier",
        ],
    ),
    (
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_expression", "continue_expression"],
    ),
    (Roles::RETURN, &["return_expression"]),
    (
        Roles::IMPORT,
        &["use_declaration", "extern_crate_declaration"],
    ),
    (Roles::PARAMETERS, &["parameters", "closure_parameters"]),
    (Roles::PARAMETER, &["parameter", "variadic_parameter"]),
    (Roles::STRING, &["string_literal", "raw_string_literal"]),
    (Roles::CALL, &["call_expression", "macro_invocation"]),
    (Roles::ARGUMENTS, &["arguments"]),
    (
        Roles::ASSIGNMENT,
        &["assignment_expression", "compound_assignment_expr"],
    ),
    (
        Roles::DECLARATION,
        &["let_declaration", "const_item", "static_item"],
    ),
    (Roles::MEMBER, &["field_expression"]),
    (
        Roles::ANNOTATION,
        &["attribute_item", "inner_attribute_item"],
    ),
    (
        Roles::STATEMENT,
        &[
            "expression_statement",
            "let_declaration",
            "empty_statement",
            "const_item",
            "static_item",
            "use_declaration",
        ],
    ),
];

const TOKENS: RoleRows = &[
    (Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT), &["&&", "||"]),
    (
        Roles::CONTEXT,
        &["else", "if", "while", "for", "loop", "=>"],
    ),
];

const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string_literal", "raw_string_literal", "char_literal"],
    ),
    (LiteralClass::Integer, &["integer_literal"]),
    (LiteralClass::Float, &["float_literal"]),
    (LiteralClass::Bool, &["boolean_literal"]),
];
