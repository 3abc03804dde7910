//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};
use crate::languages::plain::{CATCH, TRY};

pub(in crate::languages) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (Construct::Identifier, Roles::NONE, &["identifier"]),
    (Construct::Member, Roles::NONE, &["field_identifier"]),
    (Construct::TypeName, Roles::NONE, &["type_identifier"]),
    (Construct::String, Roles::NONE, &["string_literal"]),
    (Construct::Number, Roles::NONE, &["number_literal"]),
    (Construct::True, Roles::NONE, &["true"]),
    (Construct::False, Roles::NONE, &["false"]),
    (Construct::Module, Roles::NONE, &["translation_unit"]),
    (
        Construct::Block,
        Roles::BLOCK.and(Roles::CONTEXT),
        &["compound_statement"],
    ),
    (Construct::ExprStmt, Roles::NONE, &["expression_statement"]),
    (
        Construct::Function,
        Roles::CONTEXT,
        &["function_definition"],
    ),
    (
        Construct::Parameters,
        Roles::PARAMETERS,
        &["parameter_list"],
    ),
    (
        Construct::Param,
        Roles::PARAMETER,
        &["parameter_declaration"],
    ),
    (Construct::Import, Roles::NONE, &["preproc_include"]),
    (Construct::Assign, Roles::NONE, &["assignment_expression"]),
    (Construct::Declarator, Roles::NONE, &["init_declarator"]),
    (Construct::Attribute, Roles::NONE, &["field_expression"]),
    (Construct::Subscript, Roles::NONE, &["subscript_expression"]),
    (Construct::Call, Roles::NONE, &["call_expression"]),
    (Construct::Arguments, Roles::NONE, &["argument_list"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (Construct::Else, Roles::NONE, &["else_clause"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "while_statement", "do_statement"],
    ),
    (Construct::Switch, Roles::STATEMENT, &["switch_statement"]),
    (Construct::Case, Roles::NONE, &["case_statement"]),
    (Construct::Return, Roles::STATEMENT, &["return_statement"]),
    (Construct::Break, Roles::STATEMENT, &["break_statement"]),
    (
        Construct::Break,
        Roles::LABEL_JUMP.and(Roles::STATEMENT),
        &["goto_statement"],
    ),
    (
        Construct::Continue,
        Roles::STATEMENT,
        &["continue_statement"],
    ),
    (Construct::Ternary, Roles::NONE, &["conditional_expression"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["unary_expression"]),
    (Construct::List, Roles::NONE, &["initializer_list"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Declaration, Roles::DECLARATION, &["declaration"]),
    (Construct::Signature, Roles::NONE, &["function_declarator"]),
    (
        Construct::Pointer,
        Roles::NONE,
        &["pointer_declarator", "array_declarator"],
    ),
    (Construct::Label, Roles::NONE, &["labeled_statement"]),
    (
        Construct::Other,
        Roles::CLASS,
        &["struct_specifier", "union_specifier"],
    ),
    (Construct::Other, TRY, &["seh_try_statement"]),
    (Construct::Other, CATCH, &["seh_except_clause"]),
    (
        Construct::Other,
        Roles::IDENTIFIER,
        &["statement_identifier"],
    ),
    (Construct::Other, Roles::STRING, &["concatenated_string"]),
    (Construct::Other, Roles::ASSIGNMENT, &["update_expression"]),
    (
        Construct::Other,
        Roles::ANNOTATION,
        &["attribute_specifier", "attribute_declaration"],
    ),
];

/// Other names in C++.
pub(in crate::languages) const ONLY_C: KindRows =
    &[(Construct::Other, Roles::PARAMETER, &["variadic_parameter"])];

pub(in crate::languages) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT), &["&&", "||"]),
    (Roles::HYBRID, &["else"]),
];

pub(in crate::languages) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string_literal", "concatenated_string", "char_literal"],
    ),
    (LiteralClass::Integer, &["number_literal"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["null"]),
];
