//! Source lines as the harness counts them.

use slope_syntax::SyntaxTree;

use crate::scb::languages::Table;
use crate::scb::sloc::{is_plain, owned_lines, prefix, standalone_text};
use crate::scb::text::{Lines, strip};

/// The string of a plain text node: the node itself, or the only part of a statement.
pub(crate) fn plain_text(table: &Table, tree: &SyntaxTree, node: u32) -> Option<u32> {
    if is_plain(table, tree, node) {
        return Some(node);
    }
    standalone_text(table, tree, node)
}

/// Source lines of a file, counted like radon 6 (`raw.analyze`): lines that are not blank, without
/// comments on a line of their own and without strings that are a whole statement. A comment
/// between brackets counts, and so does each line of any other string.
pub(crate) fn source_lines(table: &Table, tree: &SyntaxTree, lines: &Lines<'_>) -> u32 {
    let mut counts: Vec<bool> = lines.all().map(|line| !strip(line).is_empty()).collect();
    let mut open_brackets = 0_u32;
    for node in 0..tree.node(0).end {
        let left_out = match table.name(tree, node) {
            "comment" if open_brackets == 0 => owned_lines(tree, lines, node),
            "expression_statement" => {
                whole_text(table, tree, node).and_then(|text| owned_lines(tree, lines, text))
            }
            "(" | "[" | "{" => {
                open_brackets += 1;
                None
            }
            ")" | "]" | "}" => {
                open_brackets = open_brackets.saturating_sub(1);
                None
            }
            _ => None,
        };
        let Some((first, last)) = left_out else {
            continue;
        };
        let last = (last as usize + 1).min(counts.len());
        counts[(first as usize).min(last)..last].fill(false);
    }
    counts.into_iter().map(u32::from).sum()
}

/// The string that forms a whole statement. An interpolated string is more than one token.
fn whole_text(table: &Table, tree: &SyntaxTree, statement: u32) -> Option<u32> {
    let mut parts = tree.children(statement);
    let only = parts.next().filter(|_| parts.next().is_none())?;
    let is_text = table.name(tree, only) == "string" && !prefix(tree, only).contains('f');
    is_text.then_some(only)
}
