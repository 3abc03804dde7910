//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};
use crate::languages::plain::{METHOD, SWITCH};

pub(super) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment"]),
    (Construct::Identifier, Roles::NONE, &["name"]),
    (
        Construct::String,
        Roles::NONE,
        &["string", "encapsed_string", "heredoc", "nowdoc"],
    ),
    (Construct::Number, Roles::NONE, &["integer", "float"]),
    (Construct::True, Roles::NONE, &["boolean"]),
    (Construct::Null, Roles::NONE, &["null"]),
    (Construct::Module, Roles::NONE, &["program"]),
    (
        Construct::Block,
        Roles::BLOCK,
        &["compound_statement", "colon_block"],
    ),
    (Construct::ExprStmt, Roles::NONE, &["expression_statement"]),
    (Construct::Function, Roles::NONE, &["function_definition"]),
    (
        Construct::Function,
        Roles::METHOD.and(Roles::CONTEXT),
        &["method_declaration"],
    ),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT,
        &["anonymous_function", "arrow_function"],
    ),
    (
        Construct::Class,
        Roles::NONE,
        &[
            "class_declaration",
            "trait_declaration",
            "enum_declaration",
            "anonymous_class",
        ],
    ),
    (
        Construct::Interface,
        Roles::NONE,
        &["interface_declaration"],
    ),
    (Construct::Decorator, Roles::NONE, &["attribute_list"]),
    (
        Construct::Modifiers,
        Roles::NONE,
        &[
            "visibility_modifier",
            "static_modifier",
            "final_modifier",
            "abstract_modifier",
            "readonly_modifier",
            "var_modifier",
        ],
    ),
    (
        Construct::Parameters,
        Roles::PARAMETERS,
        &["formal_parameters"],
    ),
    (
        Construct::Param,
        Roles::PARAMETER,
        &["simple_parameter", "property_promotion_parameter"],
    ),
    (
        Construct::ParamSplat,
        Roles::PARAMETER,
        &["variadic_parameter"],
    ),
    (
        Construct::Import,
        Roles::NONE,
        &["namespace_use_declaration"],
    ),
    (Construct::DottedName, Roles::NONE, &["qualified_name"]),
    (
        Construct::Assign,
        Roles::NONE,
        &["assignment_expression", "reference_assignment_expression"],
    ),
    (
        Construct::AugAssign,
        Roles::NONE,
        &["augmented_assignment_expression"],
    ),
    (
        Construct::Declarator,
        Roles::NONE,
        &["property_element", "static_variable_declaration"],
    ),
    (
        Construct::Attribute,
        Roles::NONE,
        &[
            "member_access_expression",
            "nullsafe_member_access_expression",
            "scoped_property_access_expression",
            "class_constant_access_expression",
        ],
    ),
    (Construct::Subscript, Roles::NONE, &["subscript_expression"]),
    (
        Construct::Call,
        Roles::NONE,
        &[
            "function_call_expression",
            "member_call_expression",
            "nullsafe_member_call_expression",
            "scoped_call_expression",
        ],
    ),
    (Construct::New, Roles::NONE, &["object_creation_expression"]),
    (Construct::Arguments, Roles::NONE, &["arguments"]),
    (Construct::If, Roles::STATEMENT, &["if_statement"]),
    (Construct::Elif, Roles::NONE, &["else_if_clause"]),
    (Construct::Else, Roles::NONE, &["else_clause"]),
    (
        Construct::For,
        Roles::STATEMENT,
        &["for_statement", "foreach_statement", "do_statement"],
    ),
    (Construct::While, Roles::STATEMENT, &["while_statement"]),
    (Construct::Try, Roles::STATEMENT, &["try_statement"]),
    (Construct::Catch, Roles::NONE, &["catch_clause"]),
    (Construct::Finally, Roles::NONE, &["finally_clause"]),
    (Construct::Switch, Roles::STATEMENT, &["switch_statement"]),
    (Construct::Case, Roles::NONE, &["case_statement"]),
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
    (Construct::Pass, Roles::NONE, &["empty_statement"]),
    (Construct::Yield, Roles::NONE, &["yield_expression"]),
    (Construct::Delete, Roles::NONE, &["unset_statement"]),
    (Construct::Global, Roles::NONE, &["global_declaration"]),
    (Construct::Ternary, Roles::NONE, &["conditional_expression"]),
    (Construct::BinaryOp, Roles::LOGICAL, &["binary_expression"]),
    (Construct::UnaryOp, Roles::NONE, &["unary_op_expression"]),
    (Construct::List, Roles::NONE, &["array_creation_expression"]),
    (Construct::Paren, Roles::NONE, &["parenthesized_expression"]),
    (
        Construct::Heritage,
        Roles::NONE,
        &["base_clause", "class_interface_clause"],
    ),
    (
        Construct::Declaration,
        Roles::NONE,
        &["function_static_declaration"],
    ),
    (Construct::Label, Roles::NONE, &["named_label_statement"]),
    (
        Construct::Other,
        METHOD.and(Roles::CONTEXT),
        &["property_hook"],
    ),
    (
        Construct::Other,
        Roles::CLASS.and(Roles::CONTEXT),
        &["property_declaration"],
    ),
    (Construct::Other, SWITCH, &["match_expression"]),
    (
        Construct::Other,
        Roles::ARM,
        &["match_conditional_expression"],
    ),
    (
        Construct::Other,
        Roles::JUMP.and(Roles::LABEL_JUMP).and(Roles::STATEMENT),
        &["goto_statement"],
    ),
    (Construct::Other, Roles::THROW, &["throw_expression"]),
    (Construct::Other, Roles::ASSIGNMENT, &["update_expression"]),
    (
        Construct::Other,
        Roles::STATEMENT,
        &["echo_statement", "exit_statement", "declare_statement"],
    ),
    (
        Construct::Other,
        Roles::PUNCTUATION,
        &["php_tag", "php_end_tag"],
    ),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":", "$"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "and", "or", "??"]),
    (Roles::DECISION, &["??="]),
    (Roles::HYBRID, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "string",
            "encapsed_string",
            "heredoc",
            "nowdoc",
            "shell_command_expression",
        ],
    ),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float"]),
    (LiteralClass::Bool, &["boolean"]),
    (LiteralClass::None, &["null"]),
];
