//! Matches whose advice would break the code.
//!
//! A rule says "Use sum()." without knowing which function `sum` is there. Within a function of
//! that name it would call itself, and in a file that redefines the name it would call the other
//! definition. Handlers that a comment or a name explains need no advice.

use std::collections::BTreeSet;

use slope_rules::{Hit, RuleSet};
use slope_syntax::{Roles, SyntaxTree, is_for_a_tool};

/// Functions that are called without a receiver, so that a file may have its own of that name.
const FREE: &[&str] = &[
    "all",
    "any",
    "bool",
    "clear",
    "copy",
    "dict",
    "enumerate",
    "filter",
    "getattr",
    "hasattr",
    "isinstance",
    "len",
    "list",
    "make",
    "map",
    "max",
    "min",
    "next",
    "range",
    "set",
    "sorted",
    "str",
    "sum",
    "type",
    "zip",
];

/// Names of caught errors that mean a deliberate no-op, without a leading `_`.
const IGNORED: &[&str] = &["ignor", "expect", "unused"];

/// Drops matches whose advice is wrong at their position.
pub(crate) fn drop_shadowed(tree: &SyntaxTree, hits: &mut Vec<Hit>, rules: &RuleSet) {
    let mut bound: Option<BTreeSet<&str>> = None;
    hits.retain(|hit| {
        let rule = &rules.rules()[hit.rule as usize];
        if rule.id.starts_with("swallowed-") {
            return !is_explained(tree, hit);
        }
        let mut names = advised(&rule.message).peekable();
        if names.peek().is_none() {
            return true;
        }
        let around = around(tree, hit.node);
        let bound = bound.get_or_insert_with(|| bound_names(tree));
        !names.any(|name| around.contains(&name) || bound.contains(name))
    });
}

/// Names that a message advises to call without a receiver: `sum` of "Use sum()."
fn advised(message: &str) -> impl Iterator<Item = &str> {
    message.match_indices("()").filter_map(|(end, _)| {
        let before = &message[..end];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '>');
        let start = before.rfind(|c: char| !is_part(c));
        let name = &before[start.map_or(0, |at| at + 1)..];
        let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_plain.then_some(name)
    })
}

/// The names of the functions around a node.
fn around(tree: &SyntaxTree, node: u32) -> Vec<&str> {
    let mut names = Vec::new();
    let mut here = node;
    while here != tree.node(here).parent {
        here = tree.node(here).parent;
        let roles = tree.roles(here);
        if roles.any(Roles::CALLABLE) {
            names.extend(name_of(tree, here));
        } else if roles.any(Roles::LAMBDA) {
            names.extend(name_of(tree, tree.node(here).parent));
        }
    }
    names
}

/// The name of a definition: the last name before its parameters, its value or its body.
fn name_of(tree: &SyntaxTree, node: u32) -> Option<&str> {
    let own = tree
        .children(node)
        .find(|&c| tree.info(c).roles.any(Roles::IDENTIFIER));
    let nests = tree.language().conventions().naming.declarators_nest;
    own.or_else(|| nests.then(|| name_in_declarator(tree, node)).flatten())
        .map(|name| tree.node_text(name))
}

/// The first name of a declarator of a function, where C has it.
fn name_in_declarator(tree: &SyntaxTree, node: u32) -> Option<u32> {
    let mut leaves = node..tree.node(node).end;
    leaves.find(|&index| {
        let parent = tree.kind_name(tree.node(index).parent);
        parent == "function_declarator" && tree.info(index).roles.any(Roles::IDENTIFIER)
    })
}

/// Names of [`FREE`] functions that a file defines itself. A method does not shadow a function.
fn bound_names(tree: &SyntaxTree) -> BTreeSet<&str> {
    let count = u32::try_from(tree.nodes().len()).unwrap_or(u32::MAX);
    let binds = |&index: &u32| {
        let node = tree.node(index);
        let is_name = node.named && node.end == index + 1 && FREE.contains(&tree.node_text(index));
        is_name && is_bound(tree, index)
    };
    let bound = (0..count).filter(binds);
    bound.map(|index| tree.node_text(index)).collect()
}

fn is_bound(tree: &SyntaxTree, index: u32) -> bool {
    let parent = tree.node(index).parent;
    let roles = tree.roles(parent);
    let above = |levels: usize| (0..levels).fold(parent, |at, _| tree.node(at).parent);
    let is_first = tree.parts(parent).next() == Some(index);
    if roles.any(Roles::CALLABLE) {
        let in_class = (1..4).any(|levels| tree.roles(above(levels)).any(Roles::CLASS));
        return !in_class && name_of(tree, parent) == Some(tree.node_text(index));
    }
    roles.any(Roles::PARAMETERS.and(Roles::IMPORT))
        || (0..3).any(|levels| tree.roles(above(levels)).any(Roles::IMPORT))
        || is_first
            && (roles.any(
                Roles::PARAMETER
                    .and(Roles::ASSIGNMENT)
                    .and(Roles::DECLARATION),
            ) || tree.kind_name(parent).contains("declarator"))
}

/// Whether an empty handler explains itself: in a comment after it, or by the name of its error.
fn is_explained(tree: &SyntaxTree, hit: &Hit) -> bool {
    let behind = tree.text().get(hit.end_byte as usize..).unwrap_or_default();
    let behind = behind.split('\n').next().unwrap_or_default();
    let behind = behind.trim_start_matches([' ', '\t', ';', ')', '}', ',', '\r']);
    let marks = tree.language().files().comments_behind;
    let has_reason = marks.iter().any(|mark| behind.starts_with(mark)) && !is_for_a_tool(behind);
    has_reason || has_telling_name(tree, hit.node)
}

/// Whether the name of the caught error means that it is ignored: `ignored`, `expected`, `_`.
fn has_telling_name(tree: &SyntaxTree, handler: u32) -> bool {
    if !tree.roles(handler).any(Roles::CATCH) {
        return false;
    }
    let body = tree
        .children(handler)
        .find(|&c| tree.roles(c).any(Roles::BLOCK));
    let end = body.unwrap_or(tree.node(handler).end);
    let leaves = (handler..end).filter(|&index| tree.node(index).end == index + 1);
    let names = leaves.filter(|&index| tree.info(index).roles.any(Roles::IDENTIFIER));
    let last = names.last().map(|name| tree.node_text(name));
    last.is_some_and(|name| {
        let word = name.trim_start_matches('_').to_ascii_lowercase();
        word.is_empty() || IGNORED.iter().any(|begin| word.starts_with(begin))
    })
}

#[cfg(test)]
mod tests {
    use super::advised;

    #[test]
    fn advised_names_come_from_messages() {
        let names = |message| advised(message).collect::<Vec<_>>();
        assert_eq!(names("Use sum()."), ["sum"]);
        assert_eq!(
            names("Use entry(), or what insert() returns."),
            ["entry", "insert"]
        );
        assert_eq!(names("Use std::min() or Math.max()."), [""; 0]);
    }
}
