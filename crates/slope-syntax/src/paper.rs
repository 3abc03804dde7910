//! Callables by the definitions behind the paper's table.
//!
//! Definitions below control statements are not counted, nested definitions also count in the
//! enclosing ones, and sizes are lines that are neither blank nor comments. No digit of these
//! results may change.

use crate::callable_names::{dotted, own_name};
use crate::callables::CallableFacts;
use crate::language::Roles;
use crate::lines::LineSet;
use crate::tree::SyntaxTree;

/// A node's state for its children.
#[derive(Clone, Copy)]
struct Inherited {
    /// Index after the last node it applies to.
    end: u32,
    /// Control statements around it, from the nearest definition on.
    depth: u32,
    /// Index in the result of the callable it belongs to.
    owner: Option<u32>,
    /// Index of the nearest definition's name.
    scope: u32,
    /// Whether only definitions and their bodies are between it and the root.
    reached: bool,
}

/// The callables of a file in order of position.
///
/// The caller fills in values that the paper does not define: kind, parameters, cognitive
/// complexity.
pub(crate) fn callables(tree: &SyntaxTree) -> Vec<CallableFacts> {
    let decisions = decision_prefix(tree);
    let size = size_prefix(tree);
    let mut found: Vec<CallableFacts> = Vec::new();
    let mut names = vec![String::new()];
    let mut open: Vec<Inherited> = Vec::new();
    for (index, node) in (0u32..).zip(tree.nodes()) {
        while open.last().is_some_and(|outer| outer.end <= index) {
            open.pop();
        }
        let mut here = open.last().copied().unwrap_or(Inherited {
            end: 0,
            depth: 0,
            owner: None,
            scope: 0,
            reached: true,
        });
        // A leaf never counts here, and has nothing below it.
        if node.end == index + 1 {
            continue;
        }
        let roles = tree.info(index).roles;
        if roles.any(Roles::CALLABLE.and(Roles::CLASS)) {
            let name = dotted(&names[here.scope as usize], own_name(tree, index));
            here.scope = u32::try_from(names.len()).unwrap_or(u32::MAX);
            names.push(name);
        }
        if roles.any(Roles::CALLABLE) {
            here.depth = 0;
            here.owner = None;
            if here.reached {
                here.owner = u32::try_from(found.len()).ok();
                found.push(CallableFacts {
                    name: names[here.scope as usize].clone(),
                    complexity: 1 + decisions[node.end as usize] - decisions[index as usize],
                    sloc: size[node.end_row as usize + 1] - size[node.start_row as usize],
                    ..CallableFacts::new(index)
                });
            }
        }
        if roles.any(Roles::NESTING) {
            here.depth += 1;
            if let Some(owner) = here.owner {
                let callable = &mut found[owner as usize];
                callable.nesting = callable.nesting.max(here.depth);
            }
        }
        let passes = Roles::TRANSPARENT.and(Roles::CALLABLE).and(Roles::CLASS);
        here.reached &= index == 0 || roles.any(passes);
        here.end = node.end;
        open.push(here);
    }
    found
}

/// Before each node, how many nodes decide; one entry more than nodes.
fn decision_prefix(tree: &SyntaxTree) -> Vec<u32> {
    let mut prefix = Vec::with_capacity(tree.nodes().len() + 1);
    let mut sum = 0;
    prefix.push(0);
    for index in (0u32..).take(tree.nodes().len()) {
        let decides = tree.info(index).roles.any(Roles::DECISION) || tree.joins(index);
        sum += u32::from(decides);
        prefix.push(sum);
    }
    prefix
}

/// Before each row, how many rows count towards a callable's size.
fn size_prefix(tree: &SyntaxTree) -> Vec<u32> {
    let rows = tree.node(0).end_row.max(tree.physical_lines()) + 1;
    let mut lines = LineSet::with_rows(rows);
    for row in 0..rows {
        let text = tree.row_text(row).trim();
        if !text.is_empty() && !text.starts_with('#') {
            lines.insert(row);
        }
    }
    lines.prefix_counts(rows)
}
