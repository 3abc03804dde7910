//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};
use crate::languages::plain::{BRANCH, METHOD};

pub(super) const KINDS: KindRows = &[
    (
        Construct::Comment,
        Roles::NONE,
        &["comment", "multiline_comment", "shebang_line"],
    ),
    (Construct::Identifier, Roles::NONE, &["simple_identifier"]),
    (Construct::TypeName, Roles::NONE, &["type_identifier"]),
    (
        Construct::String,
        Roles::NONE,
        &[
            "line_string_literal",
            "multi_line_string_literal",
            "raw_string_literal",
        ],
    ),
    (
        Construct::Interpolation,
        Roles::NONE,
        &["interpolated_expression"],
    ),
    (
        Construct::Number,
        Roles::NONE,
        &[
            "integer_literal",
            "hex_literal",
            "bin_literal",
            "oct_literal",
            "real_literal",
        ],
    ),
    (Construct::Null, Roles::NONE, &["nil_literal"]),
    (Construct::Module, Roles::NONE, &["source_file"]),
    (Construct::Statements, Roles::NONE, &["statements"]),
    (
        Construct::Function,
        Roles::CONTEXT,
        &["function_declaration"],
    ),
    (
        Construct::Function,
        Roles::METHOD.and(Roles::CONTEXT),
        &["init_declaration", "deinit_declaration"],
    ),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT.and(Roles::CONTEXT),
        &["lambda_literal"],
    ),
    (Construct::Class, Roles::NONE, &["class_declaration"]),
    (Construct::Interface, Roles::NONE, &["protocol_declaration"]),
    (Construct::Decorator, Roles::NONE, &["attribute"]),
    (Construct::Modifiers, Roles::NONE, &["modifiers"]),
    (
        Construct::Param,
        Roles::PARAMETER,
        &["parameter", "lambda_parameter"],
    ),
    (Construct::Import, Roles::NONE, &["import_declaration"]),
    (Construct::Assign, Roles::STATEMENT, &["assignment"]),
    (
        Construct::Attribute,
        Roles::NONE,
        &["navigation_expression"],
    ),
    (Construct::Call, Roles::NONE, &["call_expression"]),
    (Construct::New, Roles::NONE, &["constructor_expression"]),
    (Construct::Arguments, Roles::NONE, &["value_arguments"]),
    (
        Construct::If,
        Roles::STATEMENT.and(Roles::CONTEXT),
        &["if_statement"],
    ),
    (
        Construct::Else,
        Roles::HYBRID.and(Roles::CONTEXT),
        &["else"],
    ),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "repeat_while_statement"],
    ),
    (Construct::While, Roles::STATEMENT, &["while_statement"]),
    (
        Construct::Try,
        Roles::STATEMENT.and(Roles::CONTEXT),
        &["do_statement"],
    ),
    (Construct::Catch, Roles::NONE, &["catch_block"]),
    (Construct::Switch, Roles::STATEMENT, &["switch_statement"]),
    (Construct::Case, Roles::NONE, &["switch_entry"]),
    (Construct::Await, Roles::NONE, &["await_expression"]),
    (Construct::Ternary, Roles::NONE, &["ternary_expression"]),
    (
        Construct::BinaryOp,
        Roles::LOGICAL,
        &[
            "conjunction_expression",
            "disjunction_expression",
            "nil_coalescing_expression",
        ],
    ),
    (
        Construct::BinaryOp,
        Roles::NONE,
        &[
            "additive_expression",
            "multiplicative_expression",
            "comparison_expression",
            "equality_expression",
            "infix_expression",
        ],
    ),
    (Construct::UnaryOp, Roles::NONE, &["prefix_expression"]),
    (Construct::Tuple, Roles::PARENTHESES, &["tuple_expression"]),
    (Construct::List, Roles::NONE, &["array_literal"]),
    (Construct::Dict, Roles::NONE, &["dictionary_literal"]),
    (Construct::Heritage, Roles::NONE, &["inheritance_specifier"]),
    (
        Construct::Declaration,
        Roles::DECLARATION.and(Roles::CONTEXT),
        &["property_declaration"],
    ),
    (Construct::Other, Roles::CLASS, &["subscript_declaration"]),
    (
        Construct::Other,
        METHOD,
        &[
            "computed_getter",
            "computed_setter",
            "computed_modify",
            "didset_clause",
            "willset_clause",
        ],
    ),
    (
        Construct::Other,
        METHOD.and(Roles::CONTEXT),
        &["computed_property"],
    ),
    (
        Construct::Other,
        BRANCH.and(Roles::STATEMENT),
        &["guard_statement"],
    ),
    (
        Construct::Other,
        Roles::DECISION.and(Roles::CONTEXT),
        &["where_keyword"],
    ),
    (
        Construct::Other,
        Roles::STATEMENT.and(Roles::CONTEXT),
        &["control_transfer_statement"],
    ),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "??"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "line_string_literal",
            "multi_line_string_literal",
            "raw_string_literal",
            "regex_literal",
        ],
    ),
    (
        LiteralClass::Integer,
        &[
            "integer_literal",
            "hex_literal",
            "bin_literal",
            "oct_literal",
        ],
    ),
    (LiteralClass::Float, &["real_literal"]),
    (LiteralClass::Bool, &["boolean_literal"]),
    (LiteralClass::None, &["nil_literal"]),
];
