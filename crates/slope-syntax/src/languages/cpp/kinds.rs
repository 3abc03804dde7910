//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};

pub(super) const KINDS: KindRows = &[
    (
        Construct::Identifier,
        Roles::NONE,
        &["namespace_identifier"],
    ),
    (Construct::String, Roles::NONE, &["raw_string_literal"]),
    (Construct::Lambda, Roles::CLONE_UNIT, &["lambda_expression"]),
    (Construct::Class, Roles::NONE, &["class_specifier"]),
    (
        Construct::Param,
        Roles::PARAMETER,
        &["optional_parameter_declaration"],
    ),
    (
        Construct::ParamSplat,
        Roles::PARAMETER,
        &["variadic_parameter_declaration"],
    ),
    (Construct::New, Roles::NONE, &["new_expression"]),
    (Construct::For, Roles::STATEMENT, &["for_range_loop"]),
    (Construct::Try, Roles::STATEMENT, &["try_statement"]),
    (Construct::Catch, Roles::NONE, &["catch_clause"]),
    (Construct::Raise, Roles::NONE, &["throw_statement"]),
    (
        Construct::Other,
        Roles::CLASS.and(Roles::NAMESPACE),
        &["namespace_definition"],
    ),
    (
        Construct::Other,
        Roles::RETURN.and(Roles::STATEMENT),
        &["co_return_statement"],
    ),
    (Construct::Other, Roles::IMPORT, &["using_declaration"]),
    (Construct::Other, Roles::STATEMENT, &["co_yield_statement"]),
];

pub(super) const TOKENS: TokenRows =
    &[(Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT), &["and", "or"])];

pub(super) const LITERALS: LiteralRows = &[(
    LiteralClass::String,
    &["raw_string_literal", "user_defined_literal"],
)];
