//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};

pub(super) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (Construct::Identifier, Roles::NONE, &["identifier"]),
    (
        Construct::String,
        Roles::NONE,
        &["string", "multiline_string"],
    ),
    (
        Construct::Function,
        Roles::CONTEXT,
        &["function_declaration"],
    ),
    (Construct::Function, Roles::NONE, &["test_declaration"]),
    (
        Construct::Class,
        Roles::NONE,
        &[
            "struct_declaration",
            "enum_declaration",
            "union_declaration",
            "opaque_declaration",
        ],
    ),
    (Construct::Assign, Roles::NONE, &["assignment_expression"]),
    (
        Construct::Declarator,
        Roles::STATEMENT,
        &["variable_declaration"],
    ),
    (Construct::Attribute, Roles::NONE, &["field_expression"]),
    (
        Construct::Call,
        Roles::NONE,
        &["call_expression", "builtin_function"],
    ),
    (Construct::Arguments, Roles::NONE, &["arguments"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (Construct::If, Roles::NONE, &["if_expression"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "while_statement"],
    ),
    (
        Construct::For,
        Roles::NONE,
        &["for_expression", "while_expression"],
    ),
    (Construct::Catch, Roles::NONE, &["catch_expression"]),
    (Construct::Switch, Roles::NONE, &["switch_expression"]),
    (Construct::Case, Roles::NONE, &["switch_case"]),
    (Construct::Return, Roles::NONE, &["return_expression"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Other, Roles::LOGICAL, &["binary_expression"]),
    (Construct::Other, Roles::BLOCK, &["block", "source_file"]),
    (
        Construct::Other,
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_expression", "continue_expression"],
    ),
    (Construct::Other, Roles::PARAMETERS, &["parameters"]),
    (Construct::Other, Roles::PARAMETER, &["parameter"]),
    (
        Construct::Other,
        Roles::STATEMENT,
        &[
            "defer_statement",
            "errdefer_statement",
            "expression_statement",
            "nosuspend_statement",
            "suspend_statement",
        ],
    ),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR, &["and", "or"]),
    (Roles::DECISION, &["orelse"]),
    (Roles::HYBRID.and(Roles::CONTEXT), &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string", "multiline_string", "character"],
    ),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float"]),
    (LiteralClass::Bool, &["boolean"]),
];
