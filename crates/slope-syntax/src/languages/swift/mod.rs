//! Swift.

mod files;
mod kinds;
mod replacements;

use super::plain;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;
use replacements::REPLACEMENTS;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["swift"],
    interpreters: &["swift"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: &[("lambda_literal", "<closure>")],
    parameters,
    is_catch_all,
    is_exempt_unit,
    replacements: &[REPLACEMENTS],
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "swift",
        Grammar {
            name: "tree-sitter-swift",
            version: "0.7.4",
            load: || tree_sitter_swift::LANGUAGE.into(),
        },
    )
};

fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    let parent = tree.node(index).parent;
    let is_meant = match tree.kind_name(index) {
        // Every `guard` has an `else`.
        "else" => tree.is_kind(parent, "if_statement"),
        // The `else` before it costs, and its body is as deep as the branch above.
        "if_statement" if is_after_else(tree, index) => {
            return Roles::DECISION.and(Roles::CLONE_UNIT);
        }
        "if_statement" => true,
        "do_statement" => tree.child_of_kind(index, "catch_block").is_some(),
        "lambda_literal" => !is_deferred(tree, parent),
        "property_declaration" if has_accessors(tree, index) => return roles.and(Roles::CLASS),
        "property_declaration" => true,
        // A getter without `get`.
        "computed_property" => tree.child_of_kind(index, "statements").is_some(),
        "where_keyword" => {
            tree.is_kind(parent, "switch_entry") || tree.is_kind(parent, "where_clause")
        }
        "control_transfer_statement" => return roles.and(transfer(tree, index)),
        _ => tree.child_of_kind(index, "function_body").is_some(),
    };
    if is_meant { roles } else { Roles::NONE }
}

fn is_after_else(tree: &SyntaxTree, index: u32) -> bool {
    let before = tree.previous_sibling(index);
    tree.is_kind(tree.node(index).parent, "if_statement")
        && before.is_some_and(|before| tree.is_kind(before, "else"))
}

/// `return`, `break`, `continue` or `throw`.
fn transfer(tree: &SyntaxTree, index: u32) -> Roles {
    if tree.has_token(index, "return") {
        Roles::RETURN
    } else if tree.has_token(index, "break") || tree.has_token(index, "continue") {
        plain::jump(tree, index, Roles::JUMP, "simple_identifier")
    } else if tree.child_of_kind(index, "throw_keyword").is_some() {
        Roles::THROW
    } else {
        Roles::NONE
    }
}

/// Whether a call is `defer { ... }`, which the grammar takes for one with a closure.
fn is_deferred(tree: &SyntaxTree, suffix: u32) -> bool {
    let call = tree.node(suffix).parent;
    let called = tree.parts(call).next();
    tree.is_kind(suffix, "call_suffix")
        && called.is_some_and(|called| tree.node_text(called) == "defer")
}

fn has_accessors(tree: &SyntaxTree, property: u32) -> bool {
    ["computed_property", "willset_didset_block"]
        .iter()
        .any(|kind| tree.child_of_kind(property, kind).is_some())
}

fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let fixed = match tree.kind_name(index) {
        "init_declaration" => "init",
        "deinit_declaration" => "deinit",
        "subscript_declaration" => "subscript",
        "computed_getter" | "computed_property" => "get",
        "computed_setter" => "set",
        "computed_modify" => "modify",
        "didset_clause" => "didSet",
        "willset_clause" => "willSet",
        "function_declaration" => {
            let mut children = tree.children(index);
            children.find(|&child| tree.is_token(child, "func"))?;
            tree.node_text(children.next()?)
        }
        "class_declaration" => return class_name(tree, index),
        "property_declaration" => return property_name(tree, index),
        "lambda_literal" => return lambda_name(tree, index),
        _ => return plain::name(tree, index),
    };
    Some(fixed.to_owned())
}

/// The name of a type, or of the type that an extension is for.
fn class_name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let extended = tree.child_of_kind(index, "user_type");
    let Some(extended) = extended.filter(|_| tree.has_token(index, "extension")) else {
        return plain::name(tree, index);
    };
    let names = tree.children(extended);
    let last = names
        .filter(|&name| tree.is_kind(name, "type_identifier"))
        .last()?;
    Some(tree.node_text(last).to_owned())
}

fn property_name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let pattern = tree.child_of_kind(index, "pattern")?;
    plain::name(tree, pattern)
}

fn lambda_name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let parent = tree.parent(index)?;
    match tree.kind_name(parent) {
        "property_declaration" => property_name(tree, parent),
        "assignment" => plain::target(tree, parent, index),
        _ => None,
    }
}

/// Parameters are children of their function; those of a closure are in its type. The implicit `$0` and `newValue` do
/// not count.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    let list = match tree.kind_name(index) {
        "lambda_literal" => tree
            .child_of_kind(index, "lambda_function_type")
            .and_then(|of| tree.child_of_kind(of, "lambda_function_type_parameters")),
        "computed_setter" | "willset_clause" | "didset_clause" => {
            return u32::from(tree.child_of_kind(index, "simple_identifier").is_some());
        }
        _ => Some(index),
    };
    let children = list.into_iter().flat_map(|list| tree.children(list));
    plain::count(children.filter(|&child| tree.info(child).roles.any(Roles::PARAMETER)))
}

/// `default` and `case _`.
fn is_catch_all(tree: &SyntaxTree, entry: u32) -> bool {
    if tree.child_of_kind(entry, "where_keyword").is_some() {
        return false;
    }
    let pattern = tree.child_of_kind(entry, "switch_pattern");
    tree.begins_with(entry, "default_keyword")
        || pattern.is_some_and(|pattern| tree.node_text(pattern) == "_")
}

/// Accessors of properties are similar by convention, as fields are.
fn is_exempt_unit(tree: &SyntaxTree, index: u32) -> bool {
    plain::is_in_short_accessor(tree, index, ACCESSORS, |accessor| {
        tree.child_of_kind(accessor, "statements")
    })
}

const ACCESSORS: &[&str] = &[
    "computed_getter",
    "computed_setter",
    "computed_modify",
    "computed_property",
];
