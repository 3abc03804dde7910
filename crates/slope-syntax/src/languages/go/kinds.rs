//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};

pub(super) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (
        Construct::Identifier,
        Roles::NONE,
        &["identifier", "package_identifier"],
    ),
    (Construct::Member, Roles::NONE, &["field_identifier"]),
    (Construct::TypeName, Roles::NONE, &["type_identifier"]),
    (
        Construct::String,
        Roles::NONE,
        &["interpreted_string_literal", "raw_string_literal"],
    ),
    (
        Construct::Number,
        Roles::NONE,
        &["int_literal", "float_literal"],
    ),
    (Construct::True, Roles::NONE, &["true"]),
    (Construct::False, Roles::NONE, &["false"]),
    (Construct::Null, Roles::NONE, &["nil"]),
    (Construct::Module, Roles::NONE, &["source_file"]),
    (Construct::Block, Roles::NONE, &["block"]),
    (Construct::Statements, Roles::NONE, &["statement_list"]),
    (Construct::ExprStmt, Roles::NONE, &["expression_statement"]),
    (
        Construct::Function,
        Roles::CONTEXT,
        &["function_declaration"],
    ),
    (Construct::Function, Roles::METHOD, &["method_declaration"]),
    (Construct::Lambda, Roles::CLONE_UNIT, &["func_literal"]),
    (Construct::Parameters, Roles::NONE, &["parameter_list"]),
    (
        Construct::Param,
        Roles::PARAMETER,
        &["parameter_declaration"],
    ),
    (
        Construct::ParamSplat,
        Roles::PARAMETER,
        &["variadic_parameter_declaration"],
    ),
    (Construct::Import, Roles::NONE, &["import_declaration"]),
    (
        Construct::Assign,
        Roles::STATEMENT,
        &["assignment_statement"],
    ),
    (
        Construct::Declarator,
        Roles::STATEMENT,
        &["short_var_declaration"],
    ),
    (Construct::Attribute, Roles::NONE, &["selector_expression"]),
    (Construct::Subscript, Roles::NONE, &["index_expression"]),
    (Construct::Call, Roles::NONE, &["call_expression"]),
    (Construct::Arguments, Roles::NONE, &["argument_list"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (Construct::For, Roles::STATEMENT, &["for_statement"]),
    (
        Construct::Switch,
        Roles::STATEMENT,
        &[
            "expression_switch_statement",
            "type_switch_statement",
            "select_statement",
        ],
    ),
    (Construct::Case, Roles::NONE, &["expression_case"]),
    (Construct::Return, Roles::STATEMENT, &["return_statement"]),
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
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["unary_expression"]),
    (Construct::ForIn, Roles::NONE, &["range_clause"]),
    (Construct::Dict, Roles::NONE, &["composite_literal"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Declaration, Roles::NONE, &["var_declaration"]),
    (Construct::Label, Roles::NONE, &["labeled_statement"]),
    (Construct::Other, Roles::CLASS, &["type_spec"]),
    (
        Construct::Other,
        Roles::ARM,
        &["type_case", "communication_case"],
    ),
    (Construct::Other, Roles::IDENTIFIER, &["label_name"]),
    (
        Construct::Other,
        Roles::JUMP.and(Roles::LABEL_JUMP).and(Roles::STATEMENT),
        &["goto_statement"],
    ),
    (
        Construct::Other,
        Roles::STATEMENT.and(Roles::ASSIGNMENT),
        &["inc_statement", "dec_statement"],
    ),
    (
        Construct::Other,
        Roles::DECLARATION,
        &["var_spec", "const_spec"],
    ),
    (
        Construct::Other,
        Roles::STATEMENT,
        &[
            "const_declaration",
            "defer_statement",
            "empty_statement",
            "fallthrough_statement",
            "go_statement",
            "send_statement",
            "type_declaration",
        ],
    ),
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
        &[
            "interpreted_string_literal",
            "raw_string_literal",
            "rune_literal",
        ],
    ),
    (LiteralClass::Integer, &["int_literal"]),
    (LiteralClass::Float, &["float_literal", "imaginary_literal"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["nil"]),
];
