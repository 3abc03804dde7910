//! What the kinds of the C++ grammar mean.

use super::plain::{CATCH, LAMBDA, LOOP, TRY};
use super::{c, plain};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "cpp",
    suffixes: &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx"],
    grammar: "tree-sitter-cpp",
    grammar_version: "0.23.4",
    grammar_fn: || tree_sitter_cpp::LANGUAGE.into(),
    kinds: &[c::KINDS, KINDS],
    tokens: &[c::TOKENS, TOKENS],
    literals: &[c::LITERALS, LITERALS],
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

const KINDS: RoleRows = &[
    (LAMBDA, &["lambda_expression"]),
    (Roles::CLASS, &["class_specifier"]),
    (
        Roles::CLASS.and(Roles::NAMESPACE),
        &["namespace_definition"],
    ),
    (LOOP, &["for_range_loop"]),
    (TRY, &["try_statement"]),
    (CATCH, &["catch_clause"]),
    (Roles::IDENTIFIER, &["namespace_identifier"]),
    (Roles::THROW, &["throw_statement"]),
    (Roles::RETURN, &["co_return_statement"]),
    (Roles::IMPORT, &["using_declaration"]),
    (
        Roles::PARAMETER,
        &[
            "optional_parameter_declaration",
            "variadic_parameter_declaration",
        ],
    ),
    (Roles::STRING, &["raw_string_literal"]),
    (Roles::CALL, &["new_expression"]),
    (
        Roles::STATEMENT,
        &[
            "co_return_statement",
            "co_yield_statement",
            "for_range_loop",
            "throw_statement",
            "try_statement",
        ],
    ),
];

const TOKENS: RoleRows = &[(Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT), &["and", "or"])];

const LITERALS: LiteralRows = &[(
    LiteralClass::String,
    &["raw_string_literal", "user_defined_literal"],
)];
