//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};
use crate::languages::plain::LAMBDA;

pub(in crate::languages) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (
        Construct::Identifier,
        Roles::NONE,
        &[
            "identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
        ],
    ),
    (
        Construct::Member,
        Roles::NONE,
        &["property_identifier", "private_property_identifier"],
    ),
    (
        Construct::String,
        Roles::NONE,
        &["string", "template_string"],
    ),
    (
        Construct::Interpolation,
        Roles::NONE,
        &["template_substitution"],
    ),
    (Construct::Number, Roles::NONE, &["number"]),
    (Construct::True, Roles::NONE, &["true"]),
    (Construct::False, Roles::NONE, &["false"]),
    (Construct::Null, Roles::NONE, &["null", "undefined"]),
    (Construct::Module, Roles::NONE, &["program"]),
    (Construct::Block, Roles::BLOCK, &["statement_block"]),
    (Construct::ExprStmt, Roles::NONE, &["expression_statement"]),
    (
        Construct::Function,
        Roles::NONE,
        &["function_declaration", "generator_function_declaration"],
    ),
    (Construct::Function, Roles::METHOD, &["method_definition"]),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT,
        &["function_expression", "arrow_function"],
    ),
    (Construct::Class, Roles::NONE, &["class_declaration"]),
    (Construct::Decorator, Roles::NONE, &["decorator"]),
    (
        Construct::Parameters,
        Roles::PARAMETERS,
        &["formal_parameters"],
    ),
    (Construct::Param, Roles::NONE, &["assignment_pattern"]),
    (Construct::ParamSplat, Roles::NONE, &["rest_pattern"]),
    (Construct::Import, Roles::STATEMENT, &["import_statement"]),
    (
        Construct::Alias,
        Roles::NONE,
        &["import_specifier", "namespace_import"],
    ),
    (Construct::DottedName, Roles::NONE, &["import_clause"]),
    (Construct::Assign, Roles::NONE, &["assignment_expression"]),
    (
        Construct::AugAssign,
        Roles::NONE,
        &["augmented_assignment_expression"],
    ),
    (Construct::Declarator, Roles::NONE, &["variable_declarator"]),
    (Construct::Attribute, Roles::NONE, &["member_expression"]),
    (
        Construct::Subscript,
        Roles::MEMBER,
        &["subscript_expression"],
    ),
    (Construct::Call, Roles::NONE, &["call_expression"]),
    (Construct::New, Roles::NONE, &["new_expression"]),
    (Construct::Arguments, Roles::NONE, &["arguments"]),
    (Construct::Splat, Roles::NONE, &["spread_element"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (Construct::Else, Roles::NONE, &["else_clause"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "for_in_statement", "do_statement"],
    ),
    (Construct::While, Roles::STATEMENT, &["while_statement"]),
    (Construct::Try, Roles::STATEMENT, &["try_statement"]),
    (Construct::Catch, Roles::NONE, &["catch_clause"]),
    (Construct::Finally, Roles::NONE, &["finally_clause"]),
    (Construct::Switch, Roles::STATEMENT, &["switch_statement"]),
    (Construct::Case, Roles::NONE, &["switch_case"]),
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
    (Construct::Pass, Roles::NONE, &["empty_statement"]),
    (Construct::Yield, Roles::NONE, &["yield_expression"]),
    (Construct::Await, Roles::NONE, &["await_expression"]),
    (Construct::Ternary, Roles::NONE, &["ternary_expression"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["unary_expression"]),
    (Construct::List, Roles::NONE, &["array"]),
    (Construct::Dict, Roles::NONE, &["object"]),
    (Construct::Pair, Roles::NONE, &["pair"]),
    (
        Construct::PatternList,
        Roles::NONE,
        &["object_pattern", "array_pattern"],
    ),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Heritage, Roles::NONE, &["class_heritage"]),
    (Construct::Export, Roles::NONE, &["export_statement"]),
    (
        Construct::Declaration,
        Roles::NONE,
        &["lexical_declaration", "variable_declaration"],
    ),
    (Construct::Other, LAMBDA, &["generator_function"]),
    (Construct::Other, Roles::CLASS, &["class"]),
    (
        Construct::Other,
        Roles::NESTING.and(Roles::STATEMENT),
        &["with_statement"],
    ),
    (
        Construct::Other,
        Roles::COMMENT,
        &["html_comment", "hash_bang_line"],
    ),
    (
        Construct::Other,
        Roles::IDENTIFIER,
        &["statement_identifier"],
    ),
    (
        Construct::Other,
        Roles::STATEMENT,
        &["debugger_statement", "labeled_statement"],
    ),
];

pub(in crate::languages) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "??"]),
    (Roles::DECISION, &["&&=", "||=", "??="]),
    (Roles::HYBRID, &["else"]),
];

pub(in crate::languages) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string", "template_string", "regex"],
    ),
    (LiteralClass::Integer, &["number"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["null", "undefined"]),
];
