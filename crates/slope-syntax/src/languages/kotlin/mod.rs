//! Kotlin.

mod conventions;
mod delegation;
mod files;
mod headers;
mod kinds;
mod replacements;

use super::plain;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;
use replacements::REPLACEMENTS;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["kt", "kts"],
    interpreters: &["kotlin"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    is_catch_all,
    is_exempt_unit,
    is_inline,
    shown: Some(delegation::without_delegates),
    repairs: &[headers::join],
    replacements: &[REPLACEMENTS],
    files: files::FILES,
    test_files: files::TESTS,
    conventions: Some(&conventions::CONVENTIONS),
    ..LanguageSpec::new(
        "kotlin",
        Grammar {
            name: "tree-sitter-kotlin-ng",
            version: "1.1.0",
            load: || tree_sitter_kotlin_ng::LANGUAGE.into(),
        },
    )
};

const ANONYMOUS: &[(&str, &str)] = &[
    ("lambda_literal", "<lambda>"),
    ("anonymous_function", "<fun>"),
];

/// A function without a body does not count. Accessors get the name of their property. Jumps to a label are parsed as
/// names with a label.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    match tree.kind_name(index) {
        "else" if tree.is_kind(tree.node(index).parent, "when_entry") => Roles::NONE,
        "else" => roles,
        "property_declaration" => {
            let mut accessors = tree
                .children(index)
                .filter(|&child| is_accessor(tree, child));
            if accessors.any(|accessor| has_body(tree, accessor)) {
                roles.and(Roles::CLASS)
            } else {
                roles
            }
        }
        "labeled_expression" => match tree.child_of_kind(index, "label") {
            Some(label) if ["break@", "continue@"].contains(&tree.node_text(label)) => roles,
            _ => Roles::NONE,
        },
        _ if has_body(tree, index) => roles,
        _ => Roles::NONE,
    }
}

fn is_accessor(tree: &SyntaxTree, index: u32) -> bool {
    tree.is_kind(index, "getter") || tree.is_kind(index, "setter")
}

fn has_body(tree: &SyntaxTree, index: u32) -> bool {
    let mut children = tree.children(index);
    children.any(|child| tree.is_kind(child, "function_body") || tree.is_kind(child, "block"))
}

fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    match tree.kind_name(index) {
        "getter" => Some("get".to_owned()),
        "setter" => Some("set".to_owned()),
        "anonymous_initializer" => Some("init".to_owned()),
        "secondary_constructor" => Some("constructor".to_owned()),
        "companion_object" => plain::name(tree, index).or_else(|| Some("Companion".to_owned())),
        "function_declaration" => {
            let own = plain::name(tree, index)?;
            Some(match receiver(tree, index) {
                Some(receiver) => format!("{receiver}.{own}"),
                None => own,
            })
        }
        "property_declaration" => {
            let variable = tree.child_of_kind(index, "variable_declaration")?;
            plain::name(tree, variable)
        }
        "object_literal" => {
            let bases = tree.child_of_kind(index, "delegation_specifiers")?;
            let first = tree.parts(bases).next()?;
            type_name(tree, first)
        }
        "lambda_literal" | "anonymous_function" => {
            let parent = tree.parent(index)?;
            match tree.kind_name(parent) {
                "property_declaration" => name(tree, parent),
                "assignment" => plain::target(tree, parent, index),
                _ => None,
            }
        }
        _ => plain::name(tree, index),
    }
}

/// The type that an extension function is for.
fn receiver(tree: &SyntaxTree, function: u32) -> Option<String> {
    let dot = tree.children(function).find(|&c| tree.is_token(c, "."))?;
    let before = tree.parts(function).take_while(|&part| part < dot);
    type_name(tree, before.last()?)
}

/// The last name of a type, without packages and type arguments.
fn type_name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let mut here = index;
    for _ in 0..MAX_TYPE_DEPTH {
        if tree.is_kind(here, "user_type") {
            let names = tree.children(here);
            let last = names.filter(|&n| tree.is_kind(n, "identifier")).last()?;
            return Some(tree.node_text(last).to_owned());
        }
        let is_type = |&part: &u32| !tree.info(part).roles.any(Roles::ANNOTATION);
        here = tree.parts(here).find(is_type)?;
    }
    None
}

/// Maximum number of nodes between a type and its name: nullable, in parentheses, constructed.
const MAX_TYPE_DEPTH: usize = 6;

/// A setter has one parameter, without a list. The implicit `it` of a lambda does not count.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    if tree.is_kind(index, "setter") {
        return u32::from(tree.child_of_kind(index, "identifier").is_some());
    }
    tree.child_with(index, Roles::PARAMETERS).map_or(0, |list| {
        let parts = tree.parts(list).map(|part| tree.kind_name(part));
        plain::count(parts.filter(|kind| PARAMETERS.contains(kind)))
    })
}

/// The kinds of parameters: of functions, and of lambdas.
const PARAMETERS: [&str; 3] = [
    "parameter",
    "variable_declaration",
    "multi_variable_declaration",
];

fn is_catch_all(tree: &SyntaxTree, entry: u32) -> bool {
    tree.begins_with(entry, "else")
}

/// Accessors of properties are similar by convention, as fields are.
fn is_exempt_unit(tree: &SyntaxTree, index: u32) -> bool {
    plain::is_in_short_accessor(tree, index, &["getter", "setter"], |accessor| {
        let body = tree.child_of_kind(accessor, "function_body")?;
        tree.child_of_kind(body, "block")
    })
}

/// The parameters of a lambda are inside its braces, and are not a statement.
fn is_inline(tree: &SyntaxTree, index: u32) -> bool {
    tree.is_kind(index, "lambda_parameters")
}
