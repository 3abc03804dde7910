//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};

pub(super) const KINDS: KindRows = &[
    (
        Construct::Comment,
        Roles::NONE,
        &["line_comment", "block_comment"],
    ),
    (
        Construct::Identifier,
        Roles::NONE,
        &["identifier", "shorthand_field_identifier"],
    ),
    (Construct::Member, Roles::NONE, &["field_identifier"]),
    (Construct::TypeName, Roles::NONE, &["type_identifier"]),
    (
        Construct::String,
        Roles::NONE,
        &["string_literal", "raw_string_literal"],
    ),
    (
        Construct::Number,
        Roles::NONE,
        &["integer_literal", "float_literal"],
    ),
    (Construct::Module, Roles::NONE, &["source_file"]),
    (Construct::Block, Roles::BLOCK, &["block"]),
    (Construct::ExprStmt, Roles::NONE, &["expression_statement"]),
    (Construct::Function, Roles::NONE, &["function_item"]),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT,
        &["closure_expression"],
    ),
    (Construct::Interface, Roles::NONE, &["trait_item"]),
    (Construct::Impl, Roles::NONE, &["impl_item"]),
    (Construct::Decorator, Roles::NONE, &["attribute_item"]),
    (Construct::Parameters, Roles::PARAMETERS, &["parameters"]),
    (Construct::Param, Roles::PARAMETER, &["parameter"]),
    (Construct::Import, Roles::STATEMENT, &["use_declaration"]),
    (Construct::Alias, Roles::NONE, &["use_as_clause"]),
    (Construct::DottedName, Roles::NONE, &["scoped_identifier"]),
    (Construct::Wildcard, Roles::NONE, &["use_wildcard"]),
    (Construct::Assign, Roles::NONE, &["assignment_expression"]),
    (
        Construct::AugAssign,
        Roles::NONE,
        &["compound_assignment_expr"],
    ),
    (
        Construct::Declarator,
        Roles::STATEMENT,
        &["let_declaration"],
    ),
    (Construct::Attribute, Roles::NONE, &["field_expression"]),
    (Construct::Subscript, Roles::NONE, &["index_expression"]),
    (Construct::Call, Roles::NONE, &["call_expression"]),
    (Construct::Arguments, Roles::NONE, &["arguments"]),
    (Construct::If, Roles::NONE, &["if_expression"]),
    (Construct::Else, Roles::NONE, &["else_clause"]),
    (
        Construct::For,
        Roles::NONE,
        &["for_expression", "loop_expression"],
    ),
    (Construct::While, Roles::NONE, &["while_expression"]),
    (Construct::Switch, Roles::NONE, &["match_expression"]),
    (Construct::Case, Roles::NONE, &["match_arm"]),
    (Construct::Return, Roles::NONE, &["return_expression"]),
    (Construct::Break, Roles::CONTEXT, &["break_expression"]),
    (
        Construct::Continue,
        Roles::CONTEXT,
        &["continue_expression"],
    ),
    (Construct::Await, Roles::NONE, &["await_expression"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["unary_expression"]),
    (Construct::Tuple, Roles::NONE, &["tuple_expression"]),
    (Construct::List, Roles::NONE, &["array_expression"]),
    (
        Construct::PatternList,
        Roles::PARAMETERS,
        &["closure_parameters"],
    ),
    (
        Construct::PatternList,
        Roles::NONE,
        &[
            "tuple_pattern",
            "tuple_struct_pattern",
            "captured_pattern",
            "reference_pattern",
            "match_pattern",
        ],
    ),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Macro, Roles::NONE, &["macro_invocation"]),
    (Construct::Propagate, Roles::NONE, &["try_expression"]),
    (Construct::Tokens, Roles::NONE, &["token_tree"]),
    (
        Construct::Other,
        Roles::CLASS,
        &["struct_item", "enum_item", "union_item"],
    ),
    (
        Construct::Other,
        Roles::CLASS.and(Roles::NAMESPACE),
        &["mod_item"],
    ),
    (Construct::Other, Roles::LOGICAL, &["let_chain"]),
    (
        Construct::Other,
        Roles::IMPORT,
        &["extern_crate_declaration"],
    ),
    (Construct::Other, Roles::PARAMETER, &["variadic_parameter"]),
    (
        Construct::Other,
        Roles::STATEMENT.and(Roles::DECLARATION),
        &["const_item", "static_item"],
    ),
    (
        Construct::Other,
        Roles::ANNOTATION,
        &["inner_attribute_item"],
    ),
    (Construct::Other, Roles::STATEMENT, &["empty_statement"]),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT), &["&&", "||"]),
    (Roles::CONTEXT, &["else", "if", "while", "for", "loop"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string_literal", "raw_string_literal", "char_literal"],
    ),
    (LiteralClass::Integer, &["integer_literal"]),
    (LiteralClass::Float, &["float_literal"]),
    (LiteralClass::Bool, &["boolean_literal"]),
];
