//! Zig.

mod kinds;

use super::plain;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["zig"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    parameters,
    is_catch_all,
    ..LanguageSpec::new(
        "zig",
        Grammar {
            name: "tree-sitter-zig",
            version: "1.1.2",
            load: || tree_sitter_zig::LANGUAGE.into(),
        },
    )
};

/// A function without a body does not count. `break :label value` gives a value to a block and is
/// not a jump.
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
