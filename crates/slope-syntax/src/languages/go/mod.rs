//! Go.

mod conventions;
mod files;
mod kinds;
mod locals;
mod prose;
mod replacements;
mod values;

use super::plain;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;
use replacements::REPLACEMENTS;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["go"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    conventions: Some(&conventions::CONVENTIONS),
    aliases: &["golang"],
    replacements: &[REPLACEMENTS],
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "go",
        Grammar {
            name: "tree-sitter-go",
            version: "0.25.0",
            load: || tree_sitter_go::LANGUAGE.into(),
        },
    )
};

const ANONYMOUS: &[(&str, &str)] = &[("func_literal", "<func>")];

/// A function without a body is implemented elsewhere.
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

/// `a, b int` are two parameters, and a parameter without a name is one. The first list of a method
/// is its receiver, and a list after the parameters has the results.
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
