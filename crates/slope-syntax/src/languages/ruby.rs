//! What the kinds of the Ruby grammar mean.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LAMBDA, LOOP, METHOD, SWITCH, TERNARY, TRY};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "ruby",
    suffixes: &["rb"],
    grammar: "tree-sitter-ruby",
    grammar_version: "0.23.1",
    grammar_fn: || tree_sitter_ruby::LANGUAGE.into(),
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
    (FUNCTION, &["method"]),
    (METHOD, &["singleton_method"]),
    (LAMBDA, &["lambda"]),
    (Roles::LAMBDA.and(Roles::CLONE_UNIT), &["block", "do_block"]),
    (Roles::CLASS, &["class", "module", "singleton_class"]),
    (BRANCH, &["if", "unless", "if_modifier", "unless_modifier"]),
    (Roles::DECISION.and(Roles::HYBRID), &["elsif"]),
    (Roles::CONTEXT, &["else"]),
    (
        LOOP,
        &["while", "until", "for", "while_modifier", "until_modifier"],
    ),
    (SWITCH, &["case", "case_match"]),
    (Roles::ARM, &["when", "in_clause"]),
    (Roles::DECISION, &["if_guard", "unless_guard"]),
    (TRY, &["begin"]),
    (CATCH, &["rescue", "rescue_modifier"]),
    (TERNARY, &["conditional"]),
    (Roles::LOGICAL, &["binary"]),
    (Roles::PARENTHESES, &["parenthesized_statements"]),
    (
        Roles::BLOCK,
        &[
            "body_statement",
            "block_body",
            "program",
            "then",
            "do",
            "parenthesized_statements",
        ],
    ),
    (Roles::COMMENT, &["comment"]),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "constant",
            "instance_variable",
            "class_variable",
            "global_variable",
        ],
    ),
    (Roles::JUMP, &["break", "next", "redo", "retry"]),
    (Roles::RETURN, &["return"]),
    (
        Roles::PARAMETERS,
        &["method_parameters", "lambda_parameters", "block_parameters"],
    ),
    (
        Roles::PARAMETER,
        &[
            "optional_parameter",
            "keyword_parameter",
            "splat_parameter",
            "hash_splat_parameter",
            "block_parameter",
            "destructured_parameter",
        ],
    ),
    (Roles::STRING, &["string", "chained_string", "heredoc_body"]),
    (Roles::CALL, &["call", "yield", "super"]),
    (Roles::ARGUMENTS, &["argument_list"]),
    (Roles::ASSIGNMENT, &["assignment", "operator_assignment"]),
    (Roles::MEMBER, &["scope_resolution"]),
];

const TOKENS: RoleRows = &[
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "and", "or"]),
    (Roles::DECISION, &["&&=", "||="]),
];

const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "string",
            "chained_string",
            "string_array",
            "symbol_array",
            "simple_symbol",
            "delimited_symbol",
            "character",
            "subshell",
            "regex",
        ],
    ),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float", "rational", "complex"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["nil"]),
];
