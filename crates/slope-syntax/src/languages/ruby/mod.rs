//! Ruby.

mod conventions;
mod endless;
mod files;
mod kinds;
mod leading_operators;
mod locals;
mod prose;

use super::plain;
use crate::language::{Bodies, Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["rb", "rake", "gemspec"],
    file_names: &[
        "Rakefile",
        "Gemfile",
        "Guardfile",
        "Vagrantfile",
        "Podfile",
        "Fastfile",
    ],
    interpreters: &["ruby", "jruby"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    is_part_of_owner,
    is_catch_all,
    bodies: Bodies::Indented,
    conventions: Some(&conventions::CONVENTIONS),
    is_inline,
    repairs: &[leading_operators::rewrite, endless::rewrite],
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "ruby",
        Grammar {
            name: "tree-sitter-ruby",
            version: "0.23.1",
            load: || tree_sitter_ruby::LANGUAGE.into(),
        },
    )
};

const ANONYMOUS: &[(&str, &str)] = &[
    ("lambda", "<lambda>"),
    ("block", "<block>"),
    ("do_block", "<block>"),
];

fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    let parent = tree.kind_name(tree.node(index).parent);
    let keep = match tree.kind_name(index) {
        // The body of a lambda is not another one.
        "block" | "do_block" => parent != "lambda",
        // Only `else` of a condition costs; that of `case` and `begin` does not.
        "else" => {
            return if matches!(parent, "if" | "unless" | "elsif") {
                plain::ELSE
            } else {
                Roles::NONE
            };
        }
        _ => tree
            .children(index)
            .any(|c| tree.is_kind(c, "rescue") || tree.is_kind(c, "ensure")),
    };
    if keep { roles } else { Roles::NONE }
}

/// A block is the body of a loop or a resource more often than a function.
fn is_part_of_owner(tree: &SyntaxTree, index: u32) -> bool {
    tree.is_kind(index, "block") || tree.is_kind(index, "do_block")
}

fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let found = match tree.kind_name(index) {
        "method" => tree.parts(index).next()?,
        "singleton_method" => {
            let mut parts = tree.parts(index).map(|part| plain::short_text(tree, part));
            return Some(format!("{}.{}", parts.next()?, parts.next()?));
        }
        "class" | "module" => tree.parts(index).next()?,
        "lambda" => {
            let parent = tree.parent(index)?;
            let binds = tree.is_kind(parent, "assignment");
            tree.parts(parent).next().filter(|&t| binds && t != index)?
        }
        _ => return None,
    };
    Some(plain::short_text(tree, found))
}

/// `in _` and a bare name, unless guarded.
fn is_catch_all(tree: &SyntaxTree, arm: u32) -> bool {
    let mut parts = tree.parts(arm);
    let is_name = parts.next().is_some_and(|p| tree.is_kind(p, "identifier"));
    let guarded = parts
        .next()
        .is_some_and(|part| tree.is_kind(part, "if_guard") || tree.is_kind(part, "unless_guard"));
    tree.is_kind(arm, "in_clause") && is_name && !guarded
}

/// Whether a node is all of a block in braces on one line, which is part of its call to a reader.
fn is_inline(tree: &SyntaxTree, index: u32) -> bool {
    let body = tree.node(index).parent;
    let block = tree.node(tree.node(body).parent);
    tree.kind_name(body) == "block_body"
        && tree.is_kind(tree.node(body).parent, "block")
        && block.start_row == block.end_row
        && tree.parts(body).count() == 1
}
