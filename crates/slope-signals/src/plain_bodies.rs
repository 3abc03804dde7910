//! Statements of functions in languages that signals do not support, for near copies only.

use std::collections::HashSet;

use slope_syntax::{CallableFacts, Roles, SyntaxTree};

use crate::body::{Reader, is_layout, unquoted};
use crate::facts::{FileSignals, Function};
use crate::gather::symbol_hash;
use slope_syntax::view::Place;

/// Replaces the function's own name.
const OWN_NAME: u32 = 0x51ed_270b;

/// Kinds of nodes that are statements in Haskell, which has no block nodes.
const STATEMENTS: &[&str] = &[
    "bind",
    "exp",
    "let",
    "alternative",
    "guards",
    "return",
    "conditional",
];

/// Adds the compared functions to the facts of a file.
pub(crate) fn note(tree: &SyntaxTree, callables: &[CallableFacts], facts: &mut FileSignals) {
    for callable in callables
        .iter()
        .filter(|callable| !callable.name.is_empty())
    {
        let node = tree.node(callable.node);
        facts.plain_functions.push(Function {
            callable: callable.name.clone(),
            place: Place {
                start_byte: node.start_byte,
                end_byte: node.end_byte,
                span: tree.span(node.start_byte as usize, node.end_byte as usize),
            },
            body: body(tree, callable),
            ..Function::default()
        });
    }
}

fn body(tree: &SyntaxTree, callable: &CallableFacts) -> Vec<crate::facts::Line> {
    let own = callable.name.rsplit('.').next().unwrap_or(&callable.name);
    let end = tree.node(callable.last).end;
    let locals = locals(tree, callable.node, end);
    let mut reader = Reader::default();
    reader.begin(end);
    let mut index = callable.node + 1;
    while index < end && !reader.is_full() {
        reader.close(index);
        let node = tree.node(index);
        if tree.roles(index).any(Roles::COMMENT) {
            index = node.end;
            continue;
        }
        if is_statement(tree, index) {
            reader.begin(node.end);
        }
        let is_text = tree.info(index).literal.is_some();
        if node.end == index + 1 || is_text {
            let text = tree.node_text(index);
            if text == own {
                reader.push(OWN_NAME);
            } else if locals.contains(text) {
                reader.push_variable(symbol_hash("", text));
            } else if !is_layout(text) {
                reader.push(symbol_hash("", unquoted(text)));
            }
            index = node.end;
        } else {
            index += 1;
        }
    }
    reader.finish()
}

fn is_statement(tree: &SyntaxTree, index: u32) -> bool {
    let node = tree.node(index);
    let roles = tree.roles(index);
    let in_block = tree.info(node.parent).roles.any(Roles::BLOCK);
    let is_definition = roles.any(Roles::CALLABLE.and(Roles::CLASS).and(Roles::BLOCK));
    node.named
        && (in_block && !is_definition
            || roles.any(Roles::ARM)
            || STATEMENTS.contains(&tree.kind_name(index)))
}

/// Names that the function binds.
fn locals(tree: &SyntaxTree, first: u32, end: u32) -> HashSet<&str> {
    let binds = |&index: &u32| {
        let parent = tree.node(index).parent;
        let is_leaf = tree.node(index).end == index + 1;
        let is_first = tree.parts(parent).next() == Some(index);
        match tree.kind_name(parent) {
            "patterns" | "payload" => is_leaf,
            "bind" | "parameter" | "variable_declaration" => is_leaf && is_first,
            _ => false,
        }
    };
    let names = (first..end).filter(binds);
    names.map(|index| tree.node_text(index)).collect()
}
