//! C#.

mod conventions;
mod extensions;
mod files;
mod kinds;
mod locals;
mod replacements;

use super::plain;
use super::plain::METHOD;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::repair::conditionals;
use crate::tree::SyntaxTree;
use replacements::REPLACEMENTS;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["cs"],
    interpreters: &["dotnet-script"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    is_catch_all,
    is_exempt_unit,
    conventions: Some(&conventions::CONVENTIONS),
    aliases: &["c#"],
    shown: Some(extensions::rewritten),
    repairs: &[conditionals::rewrite],
    replacements: &[REPLACEMENTS],
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "csharp",
        Grammar {
            name: "tree-sitter-c-sharp",
            version: "0.23.5",
            load: || tree_sitter_c_sharp::LANGUAGE.into(),
        },
    )
};

const ANONYMOUS: &[(&str, &str)] = &[
    ("lambda_expression", "<lambda>"),
    ("anonymous_method_expression", "<delegate>"),
];

/// Accessors of properties are similar by convention, as fields are.
fn is_exempt_unit(tree: &SyntaxTree, index: u32) -> bool {
    match tree.kind_name(index) {
        "accessor_declaration" => is_plain_accessor(tree, index),
        "property_declaration" => tree
            .child_of_kind(index, "accessor_list")
            .is_some_and(|list| {
                tree.parts(list)
                    .all(|accessor| is_plain_accessor(tree, accessor))
            }),
        _ => plain::around(tree, index)
            .find(|&around| tree.is_kind(around, "accessor_declaration"))
            .is_some_and(|accessor| is_plain_accessor(tree, accessor)),
    }
}

fn is_plain_accessor(tree: &SyntaxTree, accessor: u32) -> bool {
    let body = tree.child_of_kind(accessor, "block");
    plain::is_short_accessor(tree, accessor, body)
}

/// A member without a body does not count. A property with `=>` does. Accessors get the name of
/// their property.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    if !tree.node(index).named {
        return if plain::is_preprocessed(tree, index) {
            Roles::NONE
        } else {
            roles
        };
    }
    let arrow = tree
        .child_of_kind(index, "arrow_expression_clause")
        .is_some();
    if roles.any(Roles::CLASS) {
        return match (arrow, tree.child_of_kind(index, "accessor_list")) {
            (true, _) => METHOD,
            (_, Some(_)) => roles,
            _ => Roles::NONE,
        };
    }
    if arrow || tree.child_of_kind(index, "block").is_some() {
        roles
    } else {
        Roles::NONE
    }
}

fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    match tree.kind_name(index) {
        "accessor_declaration" => tree
            .children(index)
            .find(|&child| !tree.node(child).named)
            .map(|child| tree.node_text(child).to_owned()),
        "operator_declaration" => {
            let mut after = tree
                .children(index)
                .skip_while(|&c| !tree.is_token(c, "operator"));
            after
                .nth(1)
                .map(|sign| format!("operator {}", tree.node_text(sign)))
        }
        "conversion_operator_declaration" => {
            let mut after = tree
                .children(index)
                .skip_while(|&c| !tree.is_token(c, "operator"));
            after
                .nth(1)
                .map(|to| format!("operator {}", plain::short_text(tree, to)))
        }
        "indexer_declaration" => Some("this".to_owned()),
        "destructor_declaration" => plain::name(tree, index).map(|name| format!("~{name}")),
        "namespace_declaration" | "file_scoped_namespace_declaration" => {
            tree.parts(index).next().map(|n| plain::short_text(tree, n))
        }
        "lambda_expression" | "anonymous_method_expression" => {
            let parent = tree.parent(index)?;
            let binds = matches!(
                tree.kind_name(parent),
                "variable_declarator" | "assignment_expression"
            );
            let target = tree.parts(parent).next().filter(|&t| binds && t != index)?;
            Some(plain::short_text(tree, target))
        }
        "class_declaration"
        | "struct_declaration"
        | "interface_declaration"
        | "record_declaration"
        | "enum_declaration" => plain::name(tree, index),
        // The type comes first and may be a plain name too.
        _ => {
            let before = tree.children(index).take_while(|&child| {
                let kind = tree.kind_name(child);
                !matches!(
                    kind,
                    "parameter_list" | "accessor_list" | "arrow_expression_clause"
                )
            });
            let last = before
                .filter(|&child| tree.is_kind(child, "identifier"))
                .last()?;
            Some(tree.node_text(last).to_owned())
        }
    }
}

/// The grammar has no node around a `params` parameter; a lambda's single name has no list.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    if tree.child_of_kind(index, "implicit_parameter").is_some() {
        return 1;
    }
    tree.child_with(index, Roles::PARAMETERS).map_or(0, |list| {
        let is_one =
            |&child: &u32| tree.is_kind(child, "parameter") || tree.is_token(child, "params");
        plain::count(tree.children(list).filter(is_one))
    })
}

/// `default` and an unguarded `_`.
fn is_catch_all(tree: &SyntaxTree, arm: u32) -> bool {
    let discards = tree.begins_with(arm, "discard");
    tree.begins_with(arm, "default")
        || (discards && tree.child_of_kind(arm, "when_clause").is_none())
}
