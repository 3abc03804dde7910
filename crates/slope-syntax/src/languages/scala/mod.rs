//! Scala.

mod files;
mod kinds;

use super::plain;
use crate::language::{Bodies, Grammar, LanguageSpec, Roles};
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["scala", "sc", "sbt"],
    interpreters: &["scala", "scala-cli", "amm"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: &[
        ("lambda_expression", "<lambda>"),
        ("colon_argument", "<lambda>"),
        ("case_block", "<cases>"),
    ],
    parameters,
    is_catch_all,
    is_inline,
    source_lines,
    bodies: Bodies::Unknown,
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "scala",
        Grammar {
            name: "tree-sitter-scala",
            version: "0.26.9",
            load: || tree_sitter_scala::LANGUAGE.into(),
        },
    )
};

fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    match tree.kind_name(index) {
        "operator_identifier" if matches!(tree.node_text(index), "&&" | "||") => {
            Roles::LOGICAL_OPERATOR
        }
        "lambda_expression" if !tree.is_kind(tree.node(index).parent, "block") => {
            roles.without(Roles::BLOCK)
        }
        // Its cases decide.
        "catch_clause" if has_cases(tree, index) => roles.without(Roles::DECISION),
        "instance_expression" if tree.child_of_kind(index, "template_body").is_none() => {
            roles.without(Roles::CLASS)
        }
        "block" | "case_block" | "colon_argument" if !is_own(tree, index) => Roles::NONE,
        _ => roles,
    }
}

/// Whether braces or an indented argument form a block or a function. The braces of `f { x => ... }` belong to the
/// lambda, and those after `match` and `catch` are not a function.
fn is_own(tree: &SyntaxTree, index: u32) -> bool {
    let parent = tree.kind_name(tree.node(index).parent);
    match tree.kind_name(index) {
        "block" => parent != "call_expression" || !is_around_lambda(tree, index),
        "case_block" => !matches!(parent, "match_expression" | "catch_clause"),
        _ => tree.has_token(index, "=>") || has_cases(tree, index),
    }
}

fn is_around_lambda(tree: &SyntaxTree, block: u32) -> bool {
    let mut parts = tree.parts(block);
    let first = parts.next();
    first.is_some_and(|first| tree.is_kind(first, "lambda_expression")) && parts.next().is_none()
}

fn has_cases(tree: &SyntaxTree, index: u32) -> bool {
    let mut children = tree.children(index);
    children.any(|child| tree.is_kind(child, "case_block") || tree.is_kind(child, "indented_cases"))
}

fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    match tree.kind_name(index) {
        "lambda_expression" | "case_block" | "colon_argument" => {
            let parent = tree.parent(index)?;
            match tree.kind_name(parent) {
                "val_definition" | "var_definition" => plain::name(tree, parent),
                "assignment_expression" => plain::target(tree, parent, index),
                _ => None,
            }
        }
        "instance_expression" => type_name(tree, tree.parts(index).next()?),
        "extension_definition" => {
            let list = tree.child_of_kind(index, "parameters")?;
            let extended = tree.child_of_kind(list, "parameter")?;
            type_name(tree, tree.parts(extended).last()?)
        }
        "function_definition" => {
            let is_name = |&part: &u32| tree.kind_name(part).ends_with("identifier");
            let name = tree.parts(index).find(is_name)?;
            Some(tree.node_text(name).to_owned())
        }
        _ => plain::name(tree, index),
    }
}

/// The last name of a type, without packages and type arguments.
fn type_name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let text = plain::short_text(tree, index);
    let plain = text.split(['[', ' ', '(']).next()?;
    let last = plain.rsplit('.').next()?;
    (!last.is_empty()).then(|| last.to_owned())
}

/// Number of parameters in all lists.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    if tree.begins_with(index, "identifier") && tree.is_kind(index, "lambda_expression") {
        return 1;
    }
    let children = tree.children(index);
    let lists = children.filter(|&child| tree.info(child).roles.any(Roles::PARAMETERS));
    plain::count(lists.flat_map(|list| tree.parts(list)))
}

/// A wildcard or a bare name without a guard, except in a handler. Also the only case of a function, which destructures
/// its argument.
fn is_catch_all(tree: &SyntaxTree, clause: u32) -> bool {
    if tree.child_of_kind(clause, "guard").is_some() {
        return false;
    }
    let cases = tree.node(clause).parent;
    let user = tree.kind_name(tree.node(cases).parent);
    let is_only = tree.parts(cases).nth(1).is_none();
    if user == "catch_clause" {
        return false;
    }
    let pattern = tree.parts(clause).next();
    user != "match_expression" && is_only
        || pattern.is_some_and(|pattern| plain::is_bare_name(tree.node_text(pattern)))
}

/// As in most languages, but `end f` is no more than a bracket.
fn source_lines(tree: &SyntaxTree, profile: Profile) -> LineSet {
    let mut rows = plain::source_lines(tree, profile);
    let all = 0..tree.node(0).end;
    for marker in all.filter(|&index| tree.is_kind(index, "end_marker")) {
        let row = tree.node(marker).start_row;
        if tree.row_text(row).trim() == tree.node_text(marker) {
            rows.remove_range(row, row);
        }
    }
    rows
}

/// Parameters of a lambda and patterns of a case are not statements.
fn is_inline(tree: &SyntaxTree, index: u32) -> bool {
    let parent = tree.node(index).parent;
    let has_head = tree.is_kind(parent, "lambda_expression") || tree.is_kind(parent, "case_clause");
    let mut children = tree.children(parent);
    has_head
        && children
            .find(|&child| tree.is_token(child, "=>"))
            .is_some_and(|arrow| index < arrow)
}
