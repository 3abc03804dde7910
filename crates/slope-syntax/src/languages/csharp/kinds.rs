//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};
use crate::languages::plain::{LAMBDA, METHOD, SWITCH};

pub(super) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (Construct::Identifier, Roles::NONE, &["identifier"]),
    (
        Construct::String,
        Roles::NONE,
        &[
            "string_literal",
            "verbatim_string_literal",
            "raw_string_literal",
            "interpolated_string_expression",
        ],
    ),
    (Construct::Interpolation, Roles::NONE, &["interpolation"]),
    (
        Construct::Number,
        Roles::NONE,
        &["integer_literal", "real_literal"],
    ),
    (Construct::True, Roles::NONE, &["boolean_literal"]),
    (Construct::Null, Roles::NONE, &["null_literal"]),
    (Construct::Module, Roles::NONE, &["compilation_unit"]),
    (Construct::Block, Roles::BLOCK, &["block"]),
    (Construct::ExprStmt, Roles::NONE, &["expression_statement"]),
    (
        Construct::Function,
        Roles::METHOD.and(Roles::CONTEXT),
        &["method_declaration", "constructor_declaration"],
    ),
    (
        Construct::Function,
        Roles::CONTEXT,
        &["local_function_statement"],
    ),
    (Construct::Lambda, Roles::CLONE_UNIT, &["lambda_expression"]),
    (
        Construct::Class,
        Roles::NONE,
        &[
            "class_declaration",
            "struct_declaration",
            "record_declaration",
        ],
    ),
    (
        Construct::Interface,
        Roles::NONE,
        &["interface_declaration"],
    ),
    (Construct::Decorator, Roles::NONE, &["attribute_list"]),
    (Construct::Modifiers, Roles::NONE, &["modifier"]),
    (
        Construct::Parameters,
        Roles::PARAMETERS,
        &["parameter_list"],
    ),
    (Construct::Param, Roles::PARAMETER, &["parameter"]),
    (Construct::Import, Roles::NONE, &["using_directive"]),
    (Construct::Assign, Roles::NONE, &["assignment_expression"]),
    (Construct::Declarator, Roles::NONE, &["variable_declarator"]),
    (
        Construct::Attribute,
        Roles::NONE,
        &["member_access_expression"],
    ),
    (
        Construct::Subscript,
        Roles::NONE,
        &["element_access_expression"],
    ),
    (Construct::Call, Roles::NONE, &["invocation_expression"]),
    (
        Construct::New,
        Roles::NONE,
        &[
            "object_creation_expression",
            "implicit_object_creation_expression",
        ],
    ),
    (Construct::Arguments, Roles::NONE, &["argument_list"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "foreach_statement", "do_statement"],
    ),
    (Construct::While, Roles::STATEMENT, &["while_statement"]),
    (Construct::Try, Roles::STATEMENT, &["try_statement"]),
    (Construct::Catch, Roles::NONE, &["catch_clause"]),
    (Construct::Finally, Roles::NONE, &["finally_clause"]),
    (Construct::With, Roles::NONE, &["using_statement"]),
    (Construct::Switch, Roles::STATEMENT, &["switch_statement"]),
    (Construct::Return, Roles::STATEMENT, &["return_statement"]),
    (Construct::Raise, Roles::NONE, &["throw_statement"]),
    (Construct::Break, Roles::STATEMENT, &["break_statement"]),
    (
        Construct::Continue,
        Roles::STATEMENT,
        &["continue_statement"],
    ),
    (Construct::Pass, Roles::NONE, &["empty_statement"]),
    (
        Construct::Yield,
        Roles::RETURN.and(Roles::STATEMENT),
        &["yield_statement"],
    ),
    (Construct::Await, Roles::NONE, &["await_expression"]),
    (Construct::Ternary, Roles::NONE, &["conditional_expression"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (Construct::Heritage, Roles::NONE, &["base_list"]),
    (
        Construct::Declaration,
        Roles::NONE,
        &["local_declaration_statement"],
    ),
    (Construct::Wrapped, Roles::NONE, &["global_statement"]),
    (Construct::Label, Roles::NONE, &["labeled_statement"]),
    (
        Construct::Other,
        METHOD.and(Roles::CONTEXT),
        &[
            "destructor_declaration",
            "operator_declaration",
            "conversion_operator_declaration",
            "accessor_declaration",
        ],
    ),
    (
        Construct::Other,
        Roles::CLASS.and(Roles::CONTEXT),
        &[
            "property_declaration",
            "indexer_declaration",
            "event_declaration",
        ],
    ),
    (Construct::Other, LAMBDA, &["anonymous_method_expression"]),
    (Construct::Other, Roles::CLASS, &["enum_declaration"]),
    (
        Construct::Other,
        Roles::CLASS.and(Roles::NAMESPACE),
        &["namespace_declaration", "file_scoped_namespace_declaration"],
    ),
    (Construct::Other, SWITCH, &["switch_expression"]),
    (
        Construct::Other,
        Roles::ARM,
        &["switch_section", "switch_expression_arm"],
    ),
    (
        Construct::Other,
        Roles::DECISION,
        &["catch_filter_clause", "when_clause", "where_clause"],
    ),
    (
        Construct::Other,
        Roles::NESTING.and(Roles::CLONE_UNIT).and(Roles::STATEMENT),
        &["lock_statement", "fixed_statement"],
    ),
    (Construct::Other, Roles::COMMENT, &["shebang_directive"]),
    (
        Construct::Other,
        Roles::IDENTIFIER.and(Roles::PARAMETER),
        &["implicit_parameter"],
    ),
    (
        Construct::Other,
        Roles::JUMP.and(Roles::LABEL_JUMP).and(Roles::STATEMENT),
        &["goto_statement"],
    ),
    (Construct::Other, Roles::THROW, &["throw_expression"]),
    (Construct::Other, Roles::IMPORT, &["extern_alias_directive"]),
    (
        Construct::Other,
        Roles::PARAMETERS,
        &["bracketed_parameter_list"],
    ),
    (
        Construct::Other,
        Roles::MEMBER,
        &["conditional_access_expression"],
    ),
    (
        Construct::Other,
        Roles::STATEMENT,
        &["checked_statement", "unsafe_statement"],
    ),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (
        Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT),
        &["&&", "||", "??"],
    ),
    (Roles::DECISION, &["??="]),
    (Roles::HYBRID, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "string_literal",
            "verbatim_string_literal",
            "raw_string_literal",
            "interpolated_string_expression",
            "character_literal",
        ],
    ),
    (LiteralClass::Integer, &["integer_literal"]),
    (LiteralClass::Float, &["real_literal"]),
    (LiteralClass::Bool, &["boolean_literal"]),
    (LiteralClass::None, &["null_literal"]),
];
