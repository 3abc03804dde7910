//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};

pub(super) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (Construct::Identifier, Roles::NONE, &["identifier"]),
    (Construct::String, Roles::NONE, &["string"]),
    (Construct::Number, Roles::NONE, &["number"]),
    (Construct::True, Roles::NONE, &["true"]),
    (Construct::False, Roles::NONE, &["false"]),
    (Construct::Null, Roles::NONE, &["nil"]),
    (Construct::Ellipsis, Roles::NONE, &["vararg_expression"]),
    (Construct::Module, Roles::NONE, &["chunk"]),
    (Construct::Block, Roles::BLOCK, &["block"]),
    (
        Construct::Function,
        Roles::CONTEXT,
        &["function_declaration"],
    ),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT,
        &["function_definition"],
    ),
    (Construct::Parameters, Roles::PARAMETERS, &["parameters"]),
    (
        Construct::Declaration,
        Roles::DECLARATION,
        &["variable_declaration"],
    ),
    (
        Construct::Assign,
        Roles::STATEMENT.and(Roles::CONTEXT),
        &["assignment_statement"],
    ),
    (Construct::Attribute, Roles::NONE, &["dot_index_expression"]),
    (
        Construct::Attribute,
        Roles::NONE,
        &["method_index_expression"],
    ),
    (
        Construct::Subscript,
        Roles::NONE,
        &["bracket_index_expression"],
    ),
    (Construct::Call, Roles::NONE, &["function_call"]),
    (Construct::Arguments, Roles::NONE, &["arguments"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (Construct::Elif, Roles::NONE, &["elseif_statement"]),
    (Construct::Else, Roles::NONE, &["else_statement"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "repeat_statement"],
    ),
    (Construct::While, Roles::STATEMENT, &["while_statement"]),
    (Construct::Return, Roles::STATEMENT, &["return_statement"]),
    (Construct::Break, Roles::STATEMENT, &["break_statement"]),
    (Construct::Pass, Roles::NONE, &["empty_statement"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["unary_expression"]),
    (Construct::Dict, Roles::NONE, &["table_constructor"]),
    (Construct::Pair, Roles::NONE, &["field"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Label, Roles::NONE, &["label_statement"]),
    (
        Construct::Other,
        Roles::JUMP.and(Roles::LABEL_JUMP).and(Roles::STATEMENT),
        &["goto_statement"],
    ),
    (Construct::Other, Roles::COMMENT, &["hash_bang_line"]),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", "end", "then", "do"],
    ),
    (Roles::LOGICAL_OPERATOR, &["and", "or"]),
    (Roles::HYBRID, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (LiteralClass::String, &["string"]),
    (LiteralClass::Integer, &["number"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["nil"]),
];
