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
    (Construct::TypeName, Roles::NONE, &["type_identifier"]),
    (Construct::String, Roles::NONE, &["string_literal"]),
    (
        Construct::Number,
        Roles::NONE,
        &[
            "decimal_integer_literal",
            "hex_integer_literal",
            "decimal_floating_point_literal",
        ],
    ),
    (Construct::True, Roles::NONE, &["true"]),
    (Construct::False, Roles::NONE, &["false"]),
    (Construct::Null, Roles::NONE, &["null_literal"]),
    (Construct::Module, Roles::NONE, &["program"]),
    (
        Construct::Block,
        Roles::BLOCK,
        &["block", "constructor_body"],
    ),
    (Construct::ExprStmt, Roles::NONE, &["expression_statement"]),
    (
        Construct::Function,
        Roles::METHOD.and(Roles::CONTEXT),
        &["method_declaration", "constructor_declaration"],
    ),
    (Construct::Lambda, Roles::CLONE_UNIT, &["lambda_expression"]),
    (
        Construct::Class,
        Roles::NONE,
        &[
            "class_declaration",
            "enum_declaration",
            "record_declaration",
        ],
    ),
    (
        Construct::Interface,
        Roles::NONE,
        &["interface_declaration"],
    ),
    (Construct::Modifiers, Roles::NONE, &["modifiers"]),
    (
        Construct::Parameters,
        Roles::PARAMETERS,
        &["formal_parameters"],
    ),
    (Construct::Param, Roles::PARAMETER, &["formal_parameter"]),
    (
        Construct::ParamSplat,
        Roles::PARAMETER,
        &["spread_parameter"],
    ),
    (Construct::Import, Roles::NONE, &["import_declaration"]),
    (Construct::DottedName, Roles::NONE, &["scoped_identifier"]),
    (Construct::Wildcard, Roles::NONE, &["asterisk"]),
    (Construct::Assign, Roles::NONE, &["assignment_expression"]),
    (Construct::Declarator, Roles::NONE, &["variable_declarator"]),
    (Construct::Attribute, Roles::NONE, &["field_access"]),
    (Construct::Subscript, Roles::NONE, &["array_access"]),
    (Construct::Call, Roles::NONE, &["method_invocation"]),
    (
        Construct::New,
        Roles::CONTEXT,
        &["object_creation_expression"],
    ),
    (Construct::Arguments, Roles::NONE, &["argument_list"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "enhanced_for_statement", "do_statement"],
    ),
    (Construct::While, Roles::STATEMENT, &["while_statement"]),
    (Construct::Try, Roles::STATEMENT, &["try_statement"]),
    (Construct::Catch, Roles::NONE, &["catch_clause"]),
    (Construct::Finally, Roles::NONE, &["finally_clause"]),
    (
        Construct::With,
        Roles::TRY,
        &["try_with_resources_statement"],
    ),
    (Construct::Switch, Roles::NONE, &["switch_expression"]),
    (Construct::Return, Roles::STATEMENT, &["return_statement"]),
    (Construct::Raise, Roles::NONE, &["throw_statement"]),
    (
        Construct::Break,
        Roles::STATEMENT.and(Roles::CONTEXT),
        &["break_statement"],
    ),
    (
        Construct::Continue,
        Roles::STATEMENT.and(Roles::CONTEXT),
        &["continue_statement"],
    ),
    (Construct::Ternary, Roles::NONE, &["ternary_expression"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["unary_expression"]),
    (Construct::List, Roles::NONE, &["array_initializer"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (
        Construct::Heritage,
        Roles::NONE,
        &["superclass", "super_interfaces"],
    ),
    (
        Construct::Declaration,
        Roles::NONE,
        &["local_variable_declaration"],
    ),
    (
        Construct::Other,
        METHOD.and(Roles::CONTEXT),
        &["compact_constructor_declaration"],
    ),
    (
        Construct::Other,
        Roles::CLASS,
        &["annotation_type_declaration"],
    ),
    (Construct::Other, Roles::ARM, &["switch_label"]),
    (Construct::Other, Roles::DECISION, &["guard"]),
    (
        Construct::Other,
        Roles::DECISION.and(Roles::STATEMENT),
        &["assert_statement"],
    ),
    (
        Construct::Other,
        Roles::NESTING.and(Roles::STATEMENT),
        &["synchronized_statement"],
    ),
    (
        Construct::Other,
        Roles::RETURN.and(Roles::STATEMENT),
        &["yield_statement"],
    ),
    (
        Construct::Other,
        Roles::PARAMETERS,
        &["inferred_parameters"],
    ),
    (
        Construct::Other,
        Roles::STATEMENT.and(Roles::CALL),
        &["explicit_constructor_invocation"],
    ),
    (Construct::Other, Roles::ASSIGNMENT, &["update_expression"]),
    (
        Construct::Other,
        Roles::ANNOTATION,
        &["annotation", "marker_annotation"],
    ),
    (Construct::Other, Roles::STATEMENT, &["labeled_statement"]),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||"]),
    (Roles::HYBRID, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string_literal", "character_literal"],
    ),
    (
        LiteralClass::Integer,
        &[
            "decimal_integer_literal",
            "hex_integer_literal",
            "octal_integer_literal",
            "binary_integer_literal",
        ],
    ),
    (
        LiteralClass::Float,
        &[
            "decimal_floating_point_literal",
            "hex_floating_point_literal",
        ],
    ),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["null_literal"]),
];
