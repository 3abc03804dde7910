//! Rust.

mod conventions;
mod files;
mod kinds;
mod locals;
mod prose;
mod replacements;
mod tests;
mod values;

use super::plain;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::SyntaxTree;
use replacements::REPLACEMENTS;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["rs"],
    interpreters: &["rust-script"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    source_lines,
    is_catch_all,
    named_kinds: &["raw_string_literal"],
    conventions: Some(&conventions::CONVENTIONS),
    replacements: &[REPLACEMENTS],
    has_macro_items: true,
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "rust",
        Grammar {
            name: "tree-sitter-rust",
            version: "0.24.2",
            load: || tree_sitter_rust::LANGUAGE.into(),
        },
    )
};

const ANONYMOUS: &[(&str, &str)] = &[("closure_expression", "<closure>")];

/// `else` of `let` decides, and `if` in a pattern is a guard. The arguments of a macro are just
/// tokens, so their deciding words are counted.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    let parent = tree.kind_name(tree.node(index).parent);
    let in_macro = parent == "token_tree";
    match tree.kind_name(index) {
        "break_expression" | "continue_expression" => plain::jump(tree, index, roles, "label"),
        "else" if parent == "else_clause" => plain::ELSE,
        "else" if parent == "let_declaration" => Roles::DECISION.and(Roles::STRUCTURE),
        "if" if in_macro || parent == "match_pattern" => Roles::DECISION,
        "while" | "for" | "loop" if in_macro => Roles::DECISION,
        "&&" | "||" if in_macro => {
            // Behind an operand it joins two; elsewhere it begins a closure without parameters.
            let is_operand = |before| {
                tree.node(before).named && tree.node_text(before) != "move"
                    || tree.is_token(before, "?")
            };
            if tree.previous_sibling(index).is_some_and(is_operand) {
                Roles::DECISION
            } else {
                Roles::NONE
            }
        }
        "&&" | "||" => roles,
        _ => Roles::NONE,
    }
}

/// An `impl` is called by its type, a closure by the variable it is bound to.
fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    match tree.kind_name(index) {
        "impl_item" => {
            let is_type = |&child: &u32| {
                let kind = tree.kind_name(child);
                !matches!(
                    kind,
                    "type_parameters" | "where_clause" | "declaration_list"
                )
            };
            let subject = tree.parts(index).filter(is_type).last()?;
            let text = plain::short_text(tree, subject);
            Some(text.split('<').next().unwrap_or_default().to_owned())
        }
        "closure_expression" => {
            let parent = tree.parent(index)?;
            let binds = matches!(
                tree.kind_name(parent),
                "let_declaration" | "field_initializer" | "const_item" | "static_item"
            );
            plain::name(tree, parent).filter(|_| binds)
        }
        _ => plain::name(tree, index),
    }
}

/// The position of raw texts in `named_kinds`.
const RAW_STRING: usize = 0;

/// As in most languages, but the marks around a raw string are not separate tokens, although they
/// are on rows.
fn source_lines(tree: &SyntaxTree, profile: Profile) -> LineSet {
    let mut rows = plain::source_lines(tree, profile);
    let raw = (0..tree.node(0).end).filter(|&index| tree.is_named_kind(index, RAW_STRING));
    for node in raw.map(|index| tree.node(index)) {
        rows.insert(node.start_row);
        rows.insert(node.end_row);
    }
    rows
}

/// `self` in any form is a receiver, also with a type: `self: Box<Self>`.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    let is_other = |&part: &u32| match tree.kind_name(part) {
        "self_parameter" | "attribute_item" => false,
        "parameter" => tree.child_of_kind(part, "self").is_none(),
        _ => true,
    };
    tree.child_with(index, Roles::PARAMETERS)
        .map_or(0, |list| plain::count(tree.parts(list).filter(is_other)))
}

/// `_` and a bare name take everything, unless guarded.
fn is_catch_all(tree: &SyntaxTree, arm: u32) -> bool {
    let pattern = tree.child_of_kind(arm, "match_pattern");
    pattern.is_some_and(|pattern| plain::is_bare_name(tree.node_text(pattern)))
}
