//! What the kinds of the Go grammar mean.

use super::plain;
use super::plain::{BRANCH, FUNCTION, LAMBDA, LOOP, METHOD, SWITCH};
use crate::language::{Bodies, LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "go",
    suffixes: &["go"],
    file_names: &[],
    interpreters: &[],
    grammar: "tree-sitter-go",
    grammar_version: "0.25.0",
    grammar_fn: || tree_sitter_go::LANGUAGE.into(),
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
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
    parts: &[],
    goes_on: &[],
    leads_on: &[],
    bodies: Bodies::Braces,
};

const KINDS: RoleRows = &[
    (FUNCTION.and(Roles::CONTEXT), &["function_declaration"]),
    (METHOD, &["method_declaration"]),
    (LAMBDA, &["func_literal"]),
    (Roles::CLASS, &["type_spec"]),
    (BRANCH, &["if_statement"]),
    (LOOP, &["for_statement"]),
    (
        SWITCH,
        &[
            "expression_switch_statement",
            "type_switch_statement",
            "select_statement",
        ],
    ),
    (
        Roles::ARM,
        &["expression_case", "type_case", "communication_case"],
    ),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["statement_list", "source_file"]),
    (Roles::COMMENT, &["comment"]),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "field_identifier",
            "type_identifier",
            "package_identifier",
            "label_name",
        ],
    ),
    (
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_statement", "continue_statement"],
    ),
    (Roles::JUMP.and(Roles::LABEL_JUMP), &["goto_statement"]),
    (Roles::RETURN, &["return_statement"]),
    (Roles::IMPORT, &["import_declaration"]),
    (
        Roles::PARAMETER,
        &["parameter_declaration", "variadic_parameter_declaration"],
    ),
    (
        Roles::STRING,
        &["interpreted_string_literal", "raw_string_literal"],
    ),
    (Roles::CALL, &["call_expression"]),
    (Roles::ARGUMENTS, &["argument_list"]),
    (
        Roles::ASSIGNMENT,
        &["assignment_statement", "inc_statement", "dec_statement"],
    ),
    (
        Roles::DECLARATION,
        &["short_var_declaration", "var_spec", "const_spec"],
    ),
    (Roles::MEMBER, &["selector_expression"]),
    (
        Roles::STATEMENT,
        &[
            "assignment_statement",
            "break_statement",
            "const_declaration",
            "continue_statement",
            "dec_statement",
            "defer_statement",
            "empty_statement",
            "expression_statement",
            "expression_switch_statement",
            "fallthrough_statement",
            "for_statement",
            "go_statement",
            "goto_statement",
            "if_statement",
            "inc_statement",
            "labeled_statement",
            "return_statement",
            "select_statement",
            "send_statement",
            "short_var_declaration",
            "type_declaration",
            "type_switch_statement",
            "var_declaration",
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

const ANONYMOUS: &[(&str, &str)] = &[("func_literal", "<func>")];

/// A function without a body is written elsewhere.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    match tree.kind_name(index) {
        "function_declaration" => match tree.child_of_kind(index, "block") {
            Some(_) => roles,
            None => Roles::NONE,
        },
        _ => plain::jump(tree, index, roles, "label_name"),
    }
}

/// A method is called by the type of its receiver too, a literal by what it is given to.
fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    match tree.kind_name(index) {
        "method_declaration" => {
            let own = tree.child_of_kind(index, "field_identifier")?;
            let receiver = tree.child_of_kind(index, "parameter_list")?;
            let end = tree.node(receiver).end;
            let of_type = (receiver..end).find(|&n| tree.is_kind(n, "type_identifier"));
            let of_type = of_type.map_or("?", |n| tree.node_text(n));
            Some(format!("{of_type}.{}", tree.node_text(own)))
        }
        "func_literal" => {
            let around = tree.parent(index)?;
            let outer = tree.parent(around)?;
            let list = tree.is_kind(around, "expression_list");
            let element = tree.is_kind(around, "literal_element");
            if !(list && tree.parts(around).count() == 1 || element) {
                return None;
            }
            let target = tree.parts(outer).next().filter(|&first| first != around)?;
            let binds = match tree.kind_name(outer) {
                "short_var_declaration" | "assignment_statement" | "var_spec" => list,
                "keyed_element" => element,
                _ => false,
            };
            binds.then(|| plain::short_text(tree, target))
        }
        _ => plain::name(tree, index),
    }
}

/// `a, b int` are two; a parameter without a name is one; a method's first list is
/// its receiver, and a list behind the parameters is that of results.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    let is_list = |&child: &u32| tree.is_kind(child, "parameter_list");
    let receiver = usize::from(tree.is_kind(index, "method_declaration"));
    let Some(list) = tree.children(index).filter(is_list).nth(receiver) else {
        return 0;
    };
    let names = |part: u32| {
        let names = tree.children(part);
        plain::count(names.filter(|&n| tree.is_kind(n, "identifier"))).max(1)
    };
    tree.parts(list).map(names).sum()
}
