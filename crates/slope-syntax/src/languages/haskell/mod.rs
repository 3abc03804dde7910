//! Haskell.

mod files;
mod kinds;

use super::plain;
use crate::language::{Bodies, Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["hs"],
    interpreters: &["runhaskell", "runghc"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    is_part_of_owner,
    equations: true,
    is_catch_all,
    bodies: Bodies::Unknown,
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "haskell",
        Grammar {
            name: "tree-sitter-haskell",
            version: "0.23.1",
            load: || tree_sitter_haskell::LANGUAGE.into(),
        },
    )
};

const ANONYMOUS: &[(&str, &str)] = &[("lambda", "<lambda>"), ("lambda_case", "<lambda>")];

/// The grammar has one kind for functions and their types, and `bind` for every binding without
/// parameters. Only bindings of a module or class count.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    let parent = tree.kind_name(tree.node(index).parent);
    let has_match = || tree.child_of_kind(index, "match").is_some();
    let keep = match tree.kind_name(index) {
        "function" => has_match(),
        "bind" => {
            let outer = matches!(
                parent,
                "declarations" | "instance_declarations" | "class_declarations"
            );
            outer && has_match()
        }
        "guards" => !matches!(tree.node_text(index), "otherwise" | "True"),
        "operator" if matches!(tree.node_text(index), "&&" | "||") => {
            return Roles::LOGICAL_OPERATOR;
        }
        "boolean" if parent == "qualifiers" => return Roles::DECISION,
        // Every `if` has an `else`, so only an `else if` costs more.
        "else" => {
            let next = tree.next_sibling(index);
            let goes_on = next.is_some_and(|next| tree.is_kind(next, "conditional"));
            return if goes_on { plain::ELSE } else { Roles::NONE };
        }
        _ => false,
    };
    if keep { roles } else { Roles::NONE }
}

/// A lambda that is a whole definition is not a separate function.
fn is_part_of_owner(tree: &SyntaxTree, index: u32) -> bool {
    tree.kind_name(tree.node(index).parent) == "match"
}

fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let first = tree.parts(index).next()?;
    match tree.kind_name(index) {
        "lambda" | "lambda_case" => None,
        "instance" => {
            let mut parts = tree.parts(index).map(|part| plain::short_text(tree, part));
            Some(format!("{} {}", parts.next()?, parts.next()?))
        }
        "class" => {
            let name = tree.child_of_kind(index, "name")?;
            Some(tree.node_text(name).to_owned())
        }
        _ if tree.is_kind(first, "infix") => {
            let is_sign =
                |&part: &u32| tree.is_kind(part, "operator") || tree.is_kind(part, "infix_id");
            let sign = tree.parts(first).find(is_sign)?;
            Some(tree.node_text(sign).to_owned())
        }
        _ => Some(plain::short_text(tree, first)),
    }
}

fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    match tree.child_with(index, Roles::PARAMETERS) {
        Some(list) => plain::count(tree.parts(list)),
        None => 2 * u32::from(tree.child_of_kind(index, "infix").is_some()),
    }
}

/// A wildcard or a bare name without guards.
fn is_catch_all(tree: &SyntaxTree, alternative: u32) -> bool {
    let is_open =
        tree.begins_with(alternative, "wildcard") || tree.begins_with(alternative, "variable");
    let guarded = tree
        .child_of_kind(alternative, "match")
        .is_some_and(|arm| tree.child_of_kind(arm, "guards").is_some());
    is_open && !guarded
}
