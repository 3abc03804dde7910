//! Java.

mod conventions;
mod files;
mod kinds;
mod levels;
pub(super) mod locals;
pub(super) mod privacy;
pub(super) mod prose;
mod replacements;

use super::plain;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;
use replacements::REPLACEMENTS;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["java"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    is_catch_all,
    conventions: Some(&conventions::CONVENTIONS),
    replacements: &[REPLACEMENTS],
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "java",
        Grammar {
            name: "tree-sitter-java",
            version: "0.23.5",
            load: || tree_sitter_java::LANGUAGE.into(),
        },
    )
};

const ANONYMOUS: &[(&str, &str)] = &[("lambda_expression", "<lambda>")];

/// A method without a body is skipped. `new T() { ... }` is a class.
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
        // The name of the created type comes before the arguments. In a path it is the last part.
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
