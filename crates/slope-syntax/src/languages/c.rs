//! What the kinds of the C grammar mean.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LOOP, SWITCH, TERNARY, TRY};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "c",
    suffixes: &["c", "h"],
    file_names: &[],
    interpreters: &["tcc"],
    grammar: "tree-sitter-c",
    grammar_version: "0.24.2",
    grammar_fn: || tree_sitter_c::LANGUAGE.into(),
    kinds: &[KINDS, ONLY_C],
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
};

pub(super) const KINDS: RoleRows = &[
    (FUNCTION.and(Roles::CONTEXT), &["function_definition"]),
    (Roles::CLASS, &["struct_specifier", "union_specifier"]),
    (BRANCH, &["if_statement"]),
    (LOOP, &["for_statement", "while_statement", "do_statement"]),
    (SWITCH, &["switch_statement"]),
    (Roles::ARM, &["case_statement"]),
    (TERNARY, &["conditional_expression"]),
    (TRY, &["seh_try_statement"]),
    (CATCH, &["seh_except_clause"]),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["compound_statement", "translation_unit"]),
    (Roles::COMMENT, &["comment"]),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "field_identifier",
            "type_identifier",
            "statement_identifier",
        ],
    ),
    (Roles::JUMP, &["break_statement", "continue_statement"]),
    (Roles::JUMP.and(Roles::LABEL_JUMP), &["goto_statement"]),
    (Roles::RETURN, &["return_statement"]),
    (Roles::IMPORT, &["preproc_include"]),
    (Roles::PARAMETERS, &["parameter_list"]),
    (Roles::PARAMETER, &["parameter_declaration"]),
    (Roles::STRING, &["string_literal", "concatenated_string"]),
    (Roles::CALL, &["call_expression"]),
    (Roles::ARGUMENTS, &["argument_list"]),
    (
        Roles::ASSIGNMENT,
        &["assignment_expression", "update_expression"],
    ),
    (Roles::DECLARATION, &["declaration", "init_declarator"]),
    (Roles::MEMBER, &["field_expression"]),
    (
        Roles::ANNOTATION,
        &["attribute_specifier", "attribute_declaration"],
    ),
    (
        Roles::STATEMENT,
        &[
            "break_statement",
            "continue_statement",
            "declaration",
            "do_statement",
            "expression_statement",
            "for_statement",
            "goto_statement",
            "if_statement",
            "labeled_statement",
            "return_statement",
            "switch_statement",
            "while_statement",
        ],
    ),
];

/// What C++ calls otherwise.
const ONLY_C: RoleRows = &[(Roles::PARAMETER, &["variadic_parameter"])];

pub(super) const TOKENS: RoleRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT), &["&&", "||"]),
    (Roles::HYBRID, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string_literal", "concatenated_string", "char_literal"],
    ),
    (LiteralClass::Integer, &["number_literal"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["null"]),
];

/// A function without a body (`= default`) is no callable; a qualified one is a method.
pub(super) fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    if !tree.node(index).named {
        return if plain::is_preprocessed(tree, index) {
            Roles::NONE
        } else {
            roles
        };
    }
    let has_body = |child: u32| {
        tree.info(child).roles.any(Roles::BLOCK) || tree.kind_name(child) == "try_statement"
    };
    if !tree.children(index).any(has_body) {
        return Roles::NONE;
    }
    match declared(tree, index) {
        Some(name) if tree.kind_name(name) == "qualified_identifier" => roles.and(Roles::METHOD),
        _ => roles,
    }
}

/// Declarators within declarators deeper than this have no name and no parameters.
const MAX_DECLARATORS: usize = 64;

fn is_declarator(tree: &SyntaxTree, index: u32) -> bool {
    tree.node(index).named && tree.kind_name(index).ends_with("_declarator")
}

/// The innermost function declarator of a definition: `int (*f(int a))(int)` declares `f(int a)`.
fn function_declarator(tree: &SyntaxTree, definition: u32) -> Option<u32> {
    let mut found = None;
    let mut here = definition;
    for _ in 0..MAX_DECLARATORS {
        let Some(inner) = tree.children(here).find(|&c| is_declarator(tree, c)) else {
            break;
        };
        if tree.kind_name(inner).ends_with("function_declarator") {
            found = Some(inner);
        }
        here = inner;
    }
    found
}

/// The node that names what a definition declares.
fn declared(tree: &SyntaxTree, definition: u32) -> Option<u32> {
    match function_declarator(tree, definition) {
        Some(declarator) => tree.parts(declarator).next(),
        None => tree
            .parts(definition)
            .find(|&child| tree.kind_name(child) == "operator_cast"),
    }
}

pub(super) fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    if !tree.is_kind(index, "function_definition") {
        return plain::name(tree, index);
    }
    let found = declared(tree, index)?;
    let text = plain::short_text(tree, found);
    if tree.kind_name(found) == "operator_cast" {
        return Some(text.split('(').next().unwrap_or_default().trim().to_owned());
    }
    Some(text)
}

/// `(void)` is none.
pub(super) fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    let list = function_declarator(tree, index).or_else(|| {
        // A conversion operator holds its declarator one level down.
        let cast = tree
            .parts(index)
            .find(|&c| tree.kind_name(c) == "operator_cast")?;
        tree.child_of_kind(cast, "abstract_function_declarator")
    });
    let list = list.and_then(|list| tree.child_of_kind(list, "parameter_list"));
    list.map_or(0, |list| {
        let is_dots = |&child: &u32| tree.is_token(child, "...");
        let is_given = |&part: &u32| tree.node_text(part) != "void";
        plain::count(
            tree.parts(list)
                .filter(is_given)
                .chain(tree.children(list).filter(is_dots)),
        )
    })
}

pub(super) fn is_catch_all(tree: &SyntaxTree, case: u32) -> bool {
    tree.begins_with(case, "default")
}
