//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};

pub(super) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (Construct::Identifier, Roles::NONE, &["variable_name"]),
    (
        Construct::String,
        Roles::NONE,
        &["string", "raw_string", "ansi_c_string", "translated_string"],
    ),
    (Construct::Heredoc, Roles::NONE, &["heredoc_body"]),
    (Construct::Number, Roles::NONE, &["number"]),
    (Construct::Module, Roles::NONE, &["program"]),
    (
        Construct::Block,
        Roles::BLOCK,
        &["compound_statement", "subshell", "do_group"],
    ),
    (Construct::Function, Roles::NONE, &["function_definition"]),
    (
        Construct::Declaration,
        Roles::DECLARATION,
        &["declaration_command"],
    ),
    (Construct::Assign, Roles::NONE, &["variable_assignment"]),
    (Construct::Subscript, Roles::NONE, &["subscript"]),
    (Construct::Call, Roles::CONTEXT, &["command"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (Construct::Elif, Roles::NONE, &["elif_clause"]),
    (Construct::Else, Roles::HYBRID, &["else_clause"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "c_style_for_statement"],
    ),
    (Construct::While, Roles::STATEMENT, &["while_statement"]),
    (Construct::Switch, Roles::STATEMENT, &["case_statement"]),
    (Construct::Case, Roles::NONE, &["case_item"]),
    (Construct::Delete, Roles::NONE, &["unset_command"]),
    (Construct::Ternary, Roles::NONE, &["ternary_expression"]),
    (
        Construct::BinaryOp,
        Roles::LOGICAL,
        &["binary_expression", "list", "heredoc_redirect"],
    ),
    (
        Construct::UnaryOp,
        Roles::NONE,
        &["unary_expression", "negated_command"],
    ),
    (Construct::List, Roles::NONE, &["array"]),
    (Construct::Other, Roles::CONTEXT, &["test_operator"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &[
            "{", "}", "(", ")", "[", "]", "((", "))", "[[", "]]", ";", ";;", ";&", ";;&", "then",
            "fi", "do", "done", "esac",
        ],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||"]),
];

/// Words are texts: a command is known by its name, not by the place of it.
pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "word",
            "string",
            "raw_string",
            "ansi_c_string",
            "translated_string",
            "heredoc_content",
            "regex",
            "extglob_pattern",
        ],
    ),
    (LiteralClass::Integer, &["number"]),
];
