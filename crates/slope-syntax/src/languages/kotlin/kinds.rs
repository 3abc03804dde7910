//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};
use crate::languages::plain::METHOD;

pub(super) const KINDS: KindRows = &[
    (
        Construct::Comment,
        Roles::NONE,
        &["line_comment", "block_comment"],
    ),
    (Construct::Identifier, Roles::NONE, &["identifier"]),
    (
        Construct::String,
        Roles::NONE,
        &["string_literal", "multiline_string_literal"],
    ),
    (Construct::Interpolation, Roles::NONE, &["interpolation"]),
    (
        Construct::Number,
        Roles::NONE,
        &["number_literal", "float_literal"],
    ),
    (Construct::Module, Roles::NONE, &["source_file"]),
    (Construct::Block, Roles::BLOCK, &["block"]),
    (
        Construct::Function,
        Roles::CONTEXT,
        &["function_declaration"],
    ),
    (
        Construct::Function,
        Roles::METHOD.and(Roles::CONTEXT),
        &["secondary_constructor"],
    ),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT.and(Roles::BLOCK),
        &["lambda_literal"],
    ),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT,
        &["anonymous_function"],
    ),
    (
        Construct::Class,
        Roles::NONE,
        &[
            "class_declaration",
            "object_declaration",
            "companion_object",
            "object_literal",
            "enum_entry",
        ],
    ),
    (Construct::Modifiers, Roles::NONE, &["modifiers"]),
    (
        Construct::Parameters,
        Roles::PARAMETERS,
        &[
            "function_value_parameters",
            "class_parameters",
            "lambda_parameters",
        ],
    ),
    (
        Construct::Param,
        Roles::PARAMETER,
        &["parameter", "class_parameter"],
    ),
    (Construct::Import, Roles::NONE, &["import"]),
    (
        Construct::DottedName,
        Roles::NONE,
        &["qualified_identifier"],
    ),
    (Construct::Assign, Roles::STATEMENT, &["assignment"]),
    (
        Construct::Attribute,
        Roles::NONE,
        &["navigation_expression"],
    ),
    (Construct::Subscript, Roles::NONE, &["index_expression"]),
    (Construct::Call, Roles::NONE, &["call_expression"]),
    (Construct::Arguments, Roles::NONE, &["value_arguments"]),
    (Construct::If, Roles::NONE, &["if_expression"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "do_while_statement"],
    ),
    (Construct::While, Roles::STATEMENT, &["while_statement"]),
    (Construct::Try, Roles::NONE, &["try_expression"]),
    (Construct::Catch, Roles::NONE, &["catch_block"]),
    (Construct::Finally, Roles::NONE, &["finally_block"]),
    (Construct::Switch, Roles::NONE, &["when_expression"]),
    (Construct::Case, Roles::NONE, &["when_entry"]),
    (Construct::Return, Roles::NONE, &["return_expression"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["unary_expression"]),
    (Construct::List, Roles::NONE, &["collection_literal"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Heritage, Roles::NONE, &["delegation_specifiers"]),
    (
        Construct::Declaration,
        Roles::DECLARATION.and(Roles::CONTEXT),
        &["property_declaration"],
    ),
    (
        Construct::Other,
        METHOD.and(Roles::CONTEXT),
        &["anonymous_initializer", "getter", "setter"],
    ),
    (
        Construct::Other,
        Roles::JUMP.and(Roles::LABEL_JUMP).and(Roles::CONTEXT),
        &["labeled_expression"],
    ),
    (Construct::Other, Roles::THROW, &["throw_expression"]),
    (Construct::Other, Roles::COMMENT, &["shebang"]),
    (
        Construct::Other,
        Roles::ANNOTATION,
        &["annotation", "file_annotation"],
    ),
    (
        Construct::Other,
        Roles::CALL,
        &["constructor_delegation_call"],
    ),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "?:"]),
    (Roles::HYBRID.and(Roles::CONTEXT), &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "string_literal",
            "multiline_string_literal",
            "character_literal",
        ],
    ),
    (LiteralClass::Integer, &["number_literal"]),
    (LiteralClass::Float, &["float_literal"]),
];
