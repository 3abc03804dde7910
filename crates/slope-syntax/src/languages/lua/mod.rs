//! Lua.

mod files;
mod kinds;

use super::plain;
use crate::language::{Bodies, Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["lua"],
    interpreters: &["lua", "luajit"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: &[("function_definition", "<function>")],
    bodies: Bodies::Unknown,
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "lua",
        Grammar {
            name: "tree-sitter-lua",
            version: "0.5.0",
            load: || tree_sitter_lua::LANGUAGE.into(),
        },
    )
};

/// `function a:b()` is a method. The grammar has an assignment inside a declaration with a value.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    let is_method = || {
        tree.child_of_kind(index, "method_index_expression")
            .is_some()
    };
    match tree.kind_name(index) {
        "function_declaration" if is_method() => roles.and(Roles::METHOD),
        "assignment_statement" if tree.is_kind(tree.node(index).parent, "variable_declaration") => {
            Roles::NONE
        }
        _ => roles,
    }
}

/// The name behind `function`, or that of the variable or field that a function is given to.
fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    if tree.is_kind(index, "function_declaration") {
        let target = tree.parts(index).next()?;
        return Some(plain::short_text(tree, target).replace(':', "."));
    }
    let mut parts = Vec::new();
    let mut here = index;
    for _ in 0..MAX_BINDING {
        let parent = tree.parent(here)?;
        match tree.kind_name(parent) {
            "parenthesized_expression" | "table_constructor" => {}
            "field" => parts.extend(key(tree, parent, here)),
            "expression_list" => {
                parts.push(target(tree, parent, here)?);
                break;
            }
            _ => break,
        }
        here = parent;
    }
    parts.reverse();
    (!parts.is_empty()).then(|| parts.join("."))
}

/// Tables within tables deeper than this lend no more names.
const MAX_BINDING: usize = 32;

/// The key of a field, without quotes.
fn key(tree: &SyntaxTree, field: u32, value: u32) -> Option<String> {
    let key = tree.parts(field).next().filter(|&key| key != value)?;
    let text = plain::short_text(tree, key);
    Some(text.trim_matches(['"', '\'']).to_owned())
}

/// The variable that a value of a list is assigned to.
fn target(tree: &SyntaxTree, list: u32, value: u32) -> Option<String> {
    let assignment = tree.parent(list)?;
    let targets = tree.child_of_kind(assignment, "variable_list")?;
    let at = tree.parts(list).position(|part| part == value)?;
    let names = tree.parts(targets);
    let mut names = names.filter(|&name| !tree.is_kind(name, "attribute"));
    Some(plain::short_text(tree, names.nth(at)?))
}
