//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};
use crate::languages::plain::{BRANCH, CATCH, LAMBDA, LOOP, SWITCH};

pub(super) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (
        Construct::Identifier,
        Roles::NONE,
        &["identifier", "constant"],
    ),
    (Construct::String, Roles::NONE, &["string"]),
    (Construct::Interpolation, Roles::NONE, &["interpolation"]),
    (Construct::Number, Roles::NONE, &["integer", "float"]),
    (Construct::True, Roles::NONE, &["true"]),
    (Construct::False, Roles::NONE, &["false"]),
    (Construct::Null, Roles::NONE, &["nil"]),
    (Construct::Module, Roles::NONE, &["program"]),
    (Construct::Block, Roles::BLOCK, &["body_statement", "then"]),
    (Construct::Function, Roles::NONE, &["method"]),
    (Construct::Function, Roles::METHOD, &["singleton_method"]),
    (Construct::Lambda, Roles::CLONE_UNIT, &["lambda"]),
    (Construct::Class, Roles::NONE, &["class"]),
    (
        Construct::Parameters,
        Roles::PARAMETERS,
        &["method_parameters"],
    ),
    (Construct::Param, Roles::PARAMETER, &["optional_parameter"]),
    (
        Construct::ParamSplat,
        Roles::PARAMETER,
        &["splat_parameter", "hash_splat_parameter"],
    ),
    (Construct::Assign, Roles::NONE, &["assignment"]),
    (Construct::AugAssign, Roles::NONE, &["operator_assignment"]),
    (Construct::Subscript, Roles::NONE, &["element_reference"]),
    (Construct::Call, Roles::NONE, &["call"]),
    (Construct::Arguments, Roles::NONE, &["argument_list"]),
    (Construct::If, Roles::NONE, &["if"]),
    (Construct::Elif, Roles::NONE, &["elsif"]),
    (Construct::Else, Roles::CONTEXT, &["else"]),
    (Construct::For, Roles::NONE, &["while", "until", "for"]),
    (Construct::Try, Roles::CONTEXT, &["begin"]),
    (Construct::Catch, Roles::NONE, &["rescue"]),
    (Construct::Finally, Roles::NONE, &["ensure"]),
    (Construct::Switch, Roles::NONE, &["case"]),
    (Construct::Return, Roles::NONE, &["return"]),
    (Construct::Break, Roles::NONE, &["break"]),
    (Construct::Continue, Roles::NONE, &["next"]),
    (Construct::Yield, Roles::CALL, &["yield"]),
    (Construct::Ternary, Roles::NONE, &["conditional"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary"]),
    (Construct::List, Roles::NONE, &["array"]),
    (Construct::Dict, Roles::NONE, &["hash"]),
    (Construct::Pair, Roles::NONE, &["pair"]),
    (Construct::Heritage, Roles::NONE, &["superclass"]),
    (Construct::Heredoc, Roles::NONE, &["heredoc_body"]),
    (
        Construct::Other,
        LAMBDA.and(Roles::CONTEXT),
        &["block", "do_block"],
    ),
    (
        Construct::Other,
        Roles::CLASS,
        &["module", "singleton_class"],
    ),
    (
        Construct::Other,
        BRANCH,
        &["unless", "if_modifier", "unless_modifier"],
    ),
    (
        Construct::Other,
        LOOP,
        &["while_modifier", "until_modifier"],
    ),
    (Construct::Other, SWITCH, &["case_match"]),
    (Construct::Other, Roles::ARM, &["when", "in_clause"]),
    (
        Construct::Other,
        Roles::DECISION,
        &["if_guard", "unless_guard"],
    ),
    (Construct::Other, CATCH, &["rescue_modifier"]),
    (
        Construct::Other,
        Roles::PARENTHESES,
        &["parenthesized_statements"],
    ),
    (Construct::Other, Roles::BLOCK, &["block_body", "do"]),
    (Construct::Other, Roles::COMMENT, &["uninterpreted"]),
    (
        Construct::Other,
        Roles::IDENTIFIER,
        &["instance_variable", "class_variable", "global_variable"],
    ),
    (Construct::Other, Roles::JUMP, &["redo", "retry"]),
    (
        Construct::Other,
        Roles::PARAMETERS,
        &["lambda_parameters", "block_parameters"],
    ),
    (
        Construct::Other,
        Roles::PARAMETER,
        &[
            "keyword_parameter",
            "block_parameter",
            "destructured_parameter",
        ],
    ),
    (Construct::Other, Roles::STRING, &["chained_string"]),
    (Construct::Other, Roles::CALL, &["super"]),
    (Construct::Other, Roles::MEMBER, &["scope_resolution"]),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":", "end"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "and", "or"]),
    (Roles::DECISION, &["&&=", "||="]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "string",
            "chained_string",
            "string_array",
            "symbol_array",
            "simple_symbol",
            "delimited_symbol",
            "character",
            "subshell",
            "regex",
        ],
    ),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float", "rational", "complex"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["nil"]),
];
