//! What the kinds of the Zig grammar mean.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LOOP, SWITCH};
use crate::language::{Bodies, LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "zig",
    suffixes: &["zig"],
    file_names: &[],
    interpreters: &[],
    grammar: "tree-sitter-zig",
    grammar_version: "1.1.2",
    grammar_fn: || tree_sitter_zig::LANGUAGE.into(),
    kinds: &[KINDS],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    in_context,
    name,
    anonymous: &[],
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
    (FUNCTION.and(Roles::CONTEXT), &["function_declaration"]),
    (FUNCTION, &["test_declaration"]),
    (
        Roles::CLASS,
        &[
            "struct_declaration",
            "enum_declaration",
            "union_declaration",
            "opaque_declaration",
        ],
    ),
    (BRANCH, &["if_statement", "if_expression"]),
    (
        LOOP,
        &[
            "for_statement",
            "for_expression",
            "while_statement",
            "while_expression",
        ],
    ),
    (SWITCH, &["switch_expression"]),
    (Roles::ARM, &["switch_case"]),
    (CATCH, &["catch_expression"]),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["block", "source_file"]),
    (Roles::COMMENT, &["comment"]),
    (Roles::IDENTIFIER, &["identifier"]),
    (
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_expression", "continue_expression"],
    ),
    (Roles::RETURN, &["return_expression"]),
    (Roles::PARAMETERS, &["parameters"]),
    (Roles::PARAMETER, &["parameter"]),
    (Roles::STRING, &["string", "multiline_string"]),
    (Roles::CALL, &["call_expression", "builtin_function"]),
    (Roles::ARGUMENTS, &["arguments"]),
    (Roles::ASSIGNMENT, &["assignment_expression"]),
    (Roles::DECLARATION, &["variable_declaration"]),
    (Roles::MEMBER, &["field_expression"]),
    (
        Roles::STATEMENT,
        &[
            "defer_statement",
            "errdefer_statement",
            "expression_statement",
            "for_statement",
            "if_statement",
            "nosuspend_statement",
            "suspend_statement",
            "while_statement",
            "variable_declaration",
        ],
    ),
];

const TOKENS: RoleRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR, &["and", "or"]),
    (Roles::DECISION, &["orelse"]),
    (Roles::HYBRID.and(Roles::CONTEXT), &["else"]),
];

const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string", "multiline_string", "character"],
    ),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float"]),
    (LiteralClass::Bool, &["boolean"]),
];

/// A function without a body does not count. `break :label value` gives a block its value and does
/// not jump.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    match tree.kind_name(index) {
        "function_declaration" => match tree.child_of_kind(index, "block") {
            Some(_) => roles,
            None => Roles::NONE,
        },
        "else" => match tree.kind_name(tree.node(index).parent) {
            "switch_case" => Roles::NONE,
            _ => roles,
        },
        "break_expression" if tree.parts(index).count() > 1 => roles,
        _ => plain::jump(tree, index, roles, "break_label"),
    }
}

/// A type is called by the constant it is given to, a test by its text.
fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    match tree.kind_name(index) {
        "function_declaration" => plain::name(tree, index),
        "test_declaration" => {
            let label = tree.parts(index).next()?;
            let named = tree.kind_name(label) != "block";
            named.then(|| format!("test {}", plain::short_text(tree, label)))
        }
        _ => {
            let parent = tree.parent(index)?;
            let binds = tree.is_kind(parent, "variable_declaration");
            plain::name(tree, parent).filter(|_| binds)
        }
    }
}

/// A first parameter called `self` is a receiver.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    tree.child_with(index, Roles::PARAMETERS).map_or(0, |list| {
        let all = plain::count(tree.parts(list));
        let first = tree
            .parts(list)
            .next()
            .and_then(|first| plain::name(tree, first));
        all - u32::from(first.as_deref() == Some("self"))
    })
}

fn is_catch_all(tree: &SyntaxTree, case: u32) -> bool {
    tree.begins_with(case, "else")
}
