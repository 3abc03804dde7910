//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};
use crate::languages::plain::LAMBDA;

pub(super) const KINDS: KindRows = &[
    (
        Construct::Comment,
        Roles::NONE,
        &["comment", "block_comment"],
    ),
    (Construct::Identifier, Roles::NONE, &["identifier"]),
    (Construct::TypeName, Roles::NONE, &["type_identifier"]),
    (
        Construct::String,
        Roles::NONE,
        &["string", "interpolated_string_expression"],
    ),
    (Construct::Interpolation, Roles::NONE, &["interpolation"]),
    (
        Construct::Number,
        Roles::NONE,
        &["integer_literal", "floating_point_literal"],
    ),
    (Construct::Null, Roles::NONE, &["null_literal"]),
    (Construct::Module, Roles::NONE, &["compilation_unit"]),
    (
        Construct::Block,
        Roles::BLOCK.and(Roles::CONTEXT),
        &["block"],
    ),
    (
        Construct::Block,
        Roles::BLOCK,
        &["indented_block", "template_body", "with_template_body"],
    ),
    (Construct::Function, Roles::NONE, &["function_definition"]),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT.and(Roles::BLOCK).and(Roles::CONTEXT),
        &["lambda_expression"],
    ),
    (
        Construct::Class,
        Roles::NONE,
        &[
            "class_definition",
            "object_definition",
            "enum_definition",
            "full_enum_case",
            "package_object",
        ],
    ),
    (Construct::Interface, Roles::NONE, &["trait_definition"]),
    (Construct::Impl, Roles::NONE, &["given_definition"]),
    (Construct::Impl, Roles::NONE, &["extension_definition"]),
    (Construct::Decorator, Roles::NONE, &["annotation"]),
    (Construct::Modifiers, Roles::NONE, &["modifiers"]),
    (
        Construct::Parameters,
        Roles::PARAMETERS,
        &["parameters", "class_parameters", "bindings"],
    ),
    (
        Construct::Param,
        Roles::PARAMETER,
        &["parameter", "class_parameter", "binding"],
    ),
    (Construct::Import, Roles::NONE, &["import_declaration"]),
    (Construct::DottedName, Roles::NONE, &["stable_identifier"]),
    (Construct::Assign, Roles::NONE, &["assignment_expression"]),
    (Construct::Attribute, Roles::NONE, &["field_expression"]),
    (Construct::Call, Roles::NONE, &["call_expression"]),
    (
        Construct::New,
        Roles::CLASS.and(Roles::CONTEXT),
        &["instance_expression"],
    ),
    (Construct::Arguments, Roles::NONE, &["arguments"]),
    (Construct::If, Roles::NONE, &["if_expression"]),
    (
        Construct::For,
        Roles::NONE,
        &["for_expression", "do_while_expression"],
    ),
    (Construct::While, Roles::NONE, &["while_expression"]),
    (Construct::Try, Roles::NONE, &["try_expression"]),
    (Construct::Catch, Roles::CONTEXT, &["catch_clause"]),
    (Construct::Finally, Roles::NONE, &["finally_clause"]),
    (Construct::Switch, Roles::NONE, &["match_expression"]),
    (Construct::Case, Roles::BLOCK, &["case_clause"]),
    (Construct::Return, Roles::NONE, &["return_expression"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["infix_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["prefix_expression"]),
    (Construct::Tuple, Roles::NONE, &["tuple_expression"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Heritage, Roles::NONE, &["extends_clause"]),
    (
        Construct::Declaration,
        Roles::DECLARATION,
        &["val_definition", "var_definition"],
    ),
    (
        Construct::Other,
        LAMBDA.and(Roles::CONTEXT),
        &["case_block", "colon_argument"],
    ),
    (Construct::Other, Roles::DECISION, &["guard"]),
    (Construct::Other, Roles::CONTEXT, &["operator_identifier"]),
    (Construct::Other, Roles::THROW, &["throw_expression"]),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::HYBRID, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "string",
            "interpolated_string_expression",
            "character_literal",
        ],
    ),
    (LiteralClass::Integer, &["integer_literal"]),
    (LiteralClass::Float, &["floating_point_literal"]),
    (LiteralClass::Bool, &["boolean_literal"]),
    (LiteralClass::None, &["null_literal"]),
];
