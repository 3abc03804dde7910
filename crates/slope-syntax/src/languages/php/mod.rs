//! PHP.

mod conventions;
mod files;
mod kinds;

use super::plain;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["php"],
    interpreters: &["php"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    source_lines,
    is_exempt_unit,
    files: files::FILES,
    test_files: files::TESTS,
    conventions: Some(&conventions::CONVENTIONS),
    ..LanguageSpec::new(
        "php",
        Grammar {
            name: "tree-sitter-php",
            version: "0.25.1",
            load: || tree_sitter_php::LANGUAGE_PHP.into(),
        },
    )
};

const ANONYMOUS: &[(&str, &str)] = &[
    ("anonymous_function", "<closure>"),
    ("arrow_function", "<fn>"),
];

/// A method without a body does not count. Hooks get the name of their property. `break 2` leaves
/// more than one loop, like a jump to a label.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    let is_meant = match tree.kind_name(index) {
        "break_statement" | "continue_statement" => {
            return plain::jump(tree, index, roles, "integer");
        }
        "property_declaration" => tree.child_of_kind(index, "property_hook_list").is_some(),
        _ => {
            tree.child_of_kind(index, "compound_statement").is_some() || tree.has_token(index, "=>")
        }
    };
    if is_meant { roles } else { Roles::NONE }
}

fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    match tree.kind_name(index) {
        "property_declaration" => {
            let element = tree.child_of_kind(index, "property_element")?;
            let variable = tree.child_of_kind(element, "variable_name")?;
            plain::name(tree, variable)
        }
        "anonymous_class" => base(tree, index).or_else(|| Some("class@anonymous".to_owned())),
        "anonymous_function" | "arrow_function" => {
            let parent = tree.parent(index)?;
            let binds = tree.is_kind(parent, "assignment_expression");
            let text = plain::target(tree, parent, index).filter(|_| binds)?;
            Some(text.trim_start_matches('$').to_owned())
        }
        _ => plain::name(tree, index),
    }
}

/// The last name of the class, else of the interface, that an anonymous class is derived from.
fn base(tree: &SyntaxTree, class: u32) -> Option<String> {
    let mut clauses = ["base_clause", "class_interface_clause"].iter();
    let clause = clauses.find_map(|kind| tree.child_of_kind(class, kind))?;
    let first = tree.parts(clause).next()?;
    let text = plain::short_text(tree, first);
    text.rsplit('\\').next().map(ToOwned::to_owned)
}

/// As in most languages, but a `#!` line before the code is not a source line.
fn source_lines(tree: &SyntaxTree, profile: Profile) -> LineSet {
    let mut rows = plain::source_lines(tree, profile);
    if tree.row_text(0).starts_with("#!") {
        rows.remove_range(0, 0);
    }
    rows
}

/// Hooks of properties are similar by convention, as fields are.
fn is_exempt_unit(tree: &SyntaxTree, index: u32) -> bool {
    plain::is_in_short_accessor(tree, index, &["property_hook"], |hook| {
        tree.child_of_kind(hook, "compound_statement")
    })
}
