//! Meanings of the Java grammar's kinds.

use super::plain;
use super::plain::{BRANCH, CATCH, LAMBDA, LOOP, METHOD, SWITCH, TERNARY, TRY};
use crate::language::{Bodies, LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "java",
    suffixes: &["java"],
    file_names: &[],
    interpreters: &[],
    grammar: "tree-sitter-java",
    grammar_version: "0.23.5",
    grammar_fn: || tree_sitter_java::LANGUAGE.into(),
    kinds: &[KINDS],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    is_part_of_owner: plain::never,
    equations: false,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all,
    is_exempt_unit: plain::never,
    named_kinds: &[],
    parts: &[],
    goes_on: &[],
    leads_on: &[],
    bodies: Bodies::Braces,
};

const KINDS: RoleRows = &[
    (
        METHOD.and(Roles::CONTEXT),
        &[
            "method_declaration",
            "constructor_declaration",
            "compact_constructor_declaration",
        ],
    ),
    (LAMBDA, &["lambda_expression"]),
    (
        Roles::CLASS,
        &[
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "annotation_type_declaration",
        ],
    ),
    (
        Roles::CALL.and(Roles::CONTEXT),
        &["object_creation_expression"],
    ),
    (BRANCH, &["if_statement"]),
    (
        LOOP,
        &[
            "for_statement",
            "enhanced_for_statement",
            "while_statement",
            "do_statement",
        ],
    ),
    (SWITCH, &["switch_expression"]),
    (Roles::ARM, &["switch_label"]),
    (TRY, &["try_statement", "try_with_resources_statement"]),
    (CATCH, &["catch_clause"]),
    (TERNARY, &["ternary_expression"]),
    (Roles::DECISION, &["guard", "assert_statement"]),
    (Roles::NESTING, &["synchronized_statement"]),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["block", "constructor_body", "program"]),
    (Roles::COMMENT, &["line_comment", "block_comment"]),
    (Roles::IDENTIFIER, &["identifier", "type_identifier"]),
    (
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_statement", "continue_statement"],
    ),
    (Roles::RETURN, &["return_statement", "yield_statement"]),
    (Roles::THROW, &["throw_statement"]),
    (Roles::IMPORT, &["import_declaration"]),
    (
        Roles::PARAMETERS,
        &["formal_parameters", "inferred_parameters"],
    ),
    (Roles::PARAMETER, &["formal_parameter", "spread_parameter"]),
    (Roles::STRING, &["string_literal"]),
    (
        Roles::CALL,
        &["method_invocation", "explicit_constructor_invocation"],
    ),
    (Roles::ARGUMENTS, &["argument_list"]),
    (
        Roles::ASSIGNMENT,
        &["assignment_expression", "update_expression"],
    ),
    (Roles::DECLARATION, &["variable_declarator"]),
    (Roles::MEMBER, &["field_access"]),
    (Roles::ANNOTATION, &["annotation", "marker_annotation"]),
    (
        Roles::STATEMENT,
        &[
            "assert_statement",
            "break_statement",
            "continue_statement",
            "do_statement",
            "enhanced_for_statement",
            "explicit_constructor_invocation",
            "expression_statement",
            "for_statement",
            "if_statement",
            "labeled_statement",
            "local_variable_declaration",
            "return_statement",
            "synchronized_statement",
            "throw_statement",
            "try_statement",
            "try_with_resources_statement",
            "while_statement",
            "yield_statement",
        ],
    ),
];

const TOKENS: RoleRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||"]),
    (Roles::HYBRID, &["else"]),
];

const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string_literal", "character_literal"],
    ),
    (
        LiteralClass::Integer,
        &[
            "decimal_integer_literal",
            "hex_integer_literal",
            "octal_integer_literal",
            "binary_integer_literal",
        ],
    ),
    (
        LiteralClass::Float,
        &[
            "decimal_floating_point_literal",
            "hex_floating_point_literal",
        ],
    ),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["null_literal"]),
];

const ANONYMOUS: &[(&str, &str)] = &[("lambda_expression", "<lambda>")];

/// A method without a body is skipped, `new T() { ... }` is a class.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    match tree.kind_name(index) {
        "break_statement" | "continue_statement" => plain::jump(tree, index, roles, "identifier"),
        "object_creation_expression" => match tree.child_of_kind(index, "class_body") {
            Some(_) => roles.and(Roles::CLASS),
            None => roles,
        },
        _ => match tree.child_with(index, Roles::BLOCK) {
            Some(_) => roles,
            None => Roles::NONE,
        },
    }
}

/// An anonymous class is called by its type, a lambda by the variable it is given to.
fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let own = |node: u32| tree.child_of_kind(node, "identifier");
    let found = match tree.kind_name(index) {
        "object_creation_expression" => created(tree, index)?,
        "lambda_expression" => {
            let parent = tree.parent(index)?;
            match tree.kind_name(parent) {
                "variable_declarator" => own(parent)?,
                "assignment_expression" => tree.parts(parent).next().filter(|&t| t != index)?,
                _ => return None,
            }
        }
        _ => own(index)?,
    };
    Some(plain::short_text(tree, found))
}

/// The name of the type that an expression creates, without packages and type arguments.
fn created(tree: &SyntaxTree, index: u32) -> Option<u32> {
    let is_type = |&part: &u32| {
        let kinds = ["type_identifier", "generic_type", "scoped_type_identifier"];
        kinds.contains(&tree.kind_name(part))
    };
    let mut found = tree.parts(index).find(is_type)?;
    while !tree.is_kind(found, "type_identifier") {
        // What is created is named first, before its arguments; in a path it is the last part.
        found = match tree.kind_name(found) {
            "generic_type" => tree.parts(found).find(is_type)?,
            _ => tree.parts(found).filter(is_type).last()?,
        };
    }
    Some(found)
}

/// A receiver for annotations does not count; a lambda's single name has no list.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    match tree.child_with(index, Roles::PARAMETERS) {
        Some(list) => {
            // The grammar takes an annotated receiver for a parameter called `this`.
            let is_receiver = |&part: &u32| {
                let is_this = || tree.node_text(part).ends_with(" this");
                tree.is_kind(part, "receiver_parameter") || is_this()
            };
            plain::count(tree.parts(list).filter(|part| !is_receiver(part)))
        }
        None => u32::from(tree.is_kind(index, "lambda_expression")),
    }
}

/// `default`, also as `case null, default`, which the grammar takes for a name.
fn is_catch_all(tree: &SyntaxTree, label: u32) -> bool {
    let mut parts = tree.parts(label);
    tree.has_token(label, "default") || parts.any(|part| tree.node_text(part) == "default")
}
