//! What the kinds of the JavaScript grammar mean.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LAMBDA, LOOP, METHOD, SWITCH, TERNARY, TRY};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "javascript",
    suffixes: &["js", "mjs", "cjs", "jsx"],
    grammar: "tree-sitter-javascript",
    grammar_version: "0.25.0",
    grammar_fn: || tree_sitter_javascript::LANGUAGE.into(),
    kinds: &[KINDS],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

pub(super) const KINDS: RoleRows = &[
    (
        FUNCTION,
        &["function_declaration", "generator_function_declaration"],
    ),
    (METHOD, &["method_definition"]),
    (
        LAMBDA,
        &[
            "function_expression",
            "arrow_function",
            "generator_function",
        ],
    ),
    (Roles::CLASS, &["class_declaration", "class"]),
    (BRANCH, &["if_statement"]),
    (
        LOOP,
        &[
            "for_statement",
            "for_in_statement",
            "while_statement",
            "do_statement",
        ],
    ),
    (SWITCH, &["switch_statement"]),
    (Roles::ARM, &["switch_case"]),
    (TRY, &["try_statement"]),
    (CATCH, &["catch_clause"]),
    (TERNARY, &["ternary_expression"]),
    (Roles::NESTING, &["with_statement"]),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["statement_block", "program"]),
    (
        Roles::COMMENT,
        &["comment", "html_comment", "hash_bang_line"],
    ),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "property_identifier",
            "private_property_identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
            "statement_identifier",
        ],
    ),
    (
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_statement", "continue_statement"],
    ),
    (Roles::RETURN, &["return_statement"]),
    (Roles::THROW, &["throw_statement"]),
    (Roles::IMPORT, &["import_statement"]),
    (Roles::PARAMETERS, &["formal_parameters"]),
    (Roles::STRING, &["string", "template_string"]),
    (Roles::CALL, &["call_expression", "new_expression"]),
    (Roles::ARGUMENTS, &["arguments"]),
    (
        Roles::ASSIGNMENT,
        &["assignment_expression", "augmented_assignment_expression"],
    ),
    (Roles::DECLARATION, &["variable_declarator"]),
    (
        Roles::MEMBER,
        &["member_expression", "subscript_expression"],
    ),
    (Roles::ANNOTATION, &["decorator"]),
    (
        Roles::STATEMENT,
        &[
            "break_statement",
            "continue_statement",
            "debugger_statement",
            "do_statement",
            "empty_statement",
            "export_statement",
            "expression_statement",
            "for_in_statement",
            "for_statement",
            "if_statement",
            "import_statement",
            "labeled_statement",
            "lexical_declaration",
            "return_statement",
            "switch_statement",
            "throw_statement",
            "try_statement",
            "variable_declaration",
            "while_statement",
            "with_statement",
        ],
    ),
];

pub(super) const TOKENS: RoleRows = &[
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "??"]),
    (Roles::DECISION, &["&&=", "||=", "??="]),
    (Roles::CONTEXT, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string", "template_string", "regex"],
    ),
    (LiteralClass::Integer, &["number"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["null", "undefined"]),
];
