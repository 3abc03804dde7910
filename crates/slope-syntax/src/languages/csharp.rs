//! What the kinds of the C# grammar mean.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LAMBDA, LOOP, METHOD, SWITCH, TERNARY, TRY};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "csharp",
    suffixes: &["cs"],
    grammar: "tree-sitter-c-sharp",
    grammar_version: "0.23.5",
    grammar_fn: || tree_sitter_c_sharp::LANGUAGE.into(),
    kinds: &[KINDS],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

const KINDS: RoleRows = &[
    (
        METHOD.and(Roles::CONTEXT),
        &[
            "method_declaration",
            "constructor_declaration",
            "destructor_declaration",
            "operator_declaration",
            "conversion_operator_declaration",
            "accessor_declaration",
        ],
    ),
    (
        Roles::CLASS.and(Roles::CONTEXT),
        &[
            "property_declaration",
            "indexer_declaration",
            "event_declaration",
        ],
    ),
    (FUNCTION.and(Roles::CONTEXT), &["local_function_statement"]),
    (
        LAMBDA,
        &["lambda_expression", "anonymous_method_expression"],
    ),
    (
        Roles::CLASS,
        &[
            "class_declaration",
            "struct_declaration",
            "interface_declaration",
            "record_declaration",
            "enum_declaration",
        ],
    ),
    (
        Roles::CLASS.and(Roles::NAMESPACE),
        &["namespace_declaration"],
    ),
    (BRANCH, &["if_statement"]),
    (
        LOOP,
        &[
            "for_statement",
            "foreach_statement",
            "while_statement",
            "do_statement",
        ],
    ),
    (SWITCH, &["switch_statement", "switch_expression"]),
    (Roles::ARM, &["switch_section", "switch_expression_arm"]),
    (TRY, &["try_statement"]),
    (CATCH, &["catch_clause"]),
    (TERNARY, &["conditional_expression"]),
    (
        Roles::DECISION,
        &["catch_filter_clause", "when_clause", "where_clause"],
    ),
    (
        Roles::NESTING.and(Roles::CLONE_UNIT),
        &["using_statement", "lock_statement", "fixed_statement"],
    ),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["block", "compilation_unit"]),
    (Roles::COMMENT, &["comment", "shebang_directive"]),
    (Roles::IDENTIFIER, &["identifier"]),
    (Roles::JUMP, &["break_statement", "continue_statement"]),
    (Roles::JUMP.and(Roles::LABEL_JUMP), &["goto_statement"]),
    (Roles::RETURN, &["return_statement", "yield_statement"]),
    (Roles::THROW, &["throw_statement", "throw_expression"]),
    (
        Roles::IMPORT,
        &["using_directive", "extern_alias_directive"],
    ),
    (
        Roles::PARAMETERS,
        &["parameter_list", "bracketed_parameter_list"],
    ),
    (Roles::PARAMETER, &["parameter", "implicit_parameter"]),
    (
        Roles::STRING,
        &[
            "string_literal",
            "verbatim_string_literal",
            "raw_string_literal",
            "interpolated_string_expression",
        ],
    ),
    (
        Roles::CALL,
        &[
            "invocation_expression",
            "object_creation_expression",
            "implicit_object_creation_expression",
        ],
    ),
    (Roles::ARGUMENTS, &["argument_list"]),
    (Roles::ASSIGNMENT, &["assignment_expression"]),
    (Roles::DECLARATION, &["variable_declarator"]),
    (
        Roles::MEMBER,
        &["member_access_expression", "conditional_access_expression"],
    ),
    (Roles::ANNOTATION, &["attribute_list"]),
    (
        Roles::STATEMENT,
        &[
            "break_statement",
            "checked_statement",
            "continue_statement",
            "do_statement",
            "empty_statement",
            "expression_statement",
            "fixed_statement",
            "for_statement",
            "foreach_statement",
            "goto_statement",
            "if_statement",
            "labeled_statement",
            "local_declaration_statement",
            "lock_statement",
            "return_statement",
            "switch_statement",
            "throw_statement",
            "try_statement",
            "unsafe_statement",
            "using_statement",
            "while_statement",
            "yield_statement",
        ],
    ),
];

const TOKENS: RoleRows = &[
    (
        Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT),
        &["&&", "||", "??"],
    ),
    (Roles::DECISION, &["??="]),
    (Roles::CONTEXT, &["else"]),
];

const LITERALS: LiteralRows = &[
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
