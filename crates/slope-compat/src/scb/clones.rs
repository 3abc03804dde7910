//! Clone candidates and their fingerprints.

use std::collections::HashMap;

use slope_syntax::{LineSet, SyntaxTree};

use super::languages::{Table, flag};
use super::sloc::PlainText;

/// Minimum number of source lines of a candidate.
const MIN_LINES: u32 = 3;

/// A construct that is compared with all others of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// First row.
    pub(crate) first: u32,
    /// Last row.
    pub(crate) last: u32,
    /// Its node.
    pub(crate) node: u32,
    /// Hash of the fingerprint; equal fingerprints, equal hashes.
    pub(crate) hash: [u8; 16],
}

/// The candidates of a file in order of position. Fingerprints leave out plain texts.
pub(crate) fn candidates(
    table: &Table,
    tree: &SyntaxTree,
    sloc: &LineSet,
    plain_text: PlainText,
) -> Vec<Candidate> {
    let rows = tree.nodes().first().map_or(0, |root| root.end_row + 1);
    let before = sloc.prefix_counts(rows);
    let mut scratch = Scratch::default();
    let mut found = Vec::new();
    for (index, node) in (0_u32..).zip(tree.nodes()) {
        if !table.is(tree, index, flag::CLONE_UNIT) {
            continue;
        }
        let lines = before[node.end_row as usize + 1] - before[node.start_row as usize];
        if lines < MIN_LINES || is_type_checking(table, tree, index) {
            continue;
        }
        found.push(Candidate {
            first: node.start_row,
            last: node.end_row,
            node: index,
            hash: fingerprint(table, tree, index, plain_text, &mut scratch),
        });
    }
    found
}

/// Whether a Python `if` only guards imports for type checkers.
fn is_type_checking(table: &Table, tree: &SyntaxTree, node: u32) -> bool {
    if table.name(tree, node) != "if_statement" || !table.is_python() {
        return false;
    }
    let condition = tree
        .children(node)
        .find(|&c| tree.node(c).named && !table.is(tree, c, flag::COMMENT));
    condition.is_some_and(|c| matches!(tree.node_text(c), "TYPE_CHECKING" | "typing.TYPE_CHECKING"))
}

/// Buffers reused between candidates.
#[derive(Default)]
struct Scratch {
    form: Vec<u8>,
    /// Ends of the nodes with open brackets.
    open: Vec<u32>,
    /// Nodes after which a comma must come before the next sibling.
    comma: Vec<bool>,
}

/// Hash of the normalised form: names numbered by first appearance, literals by class, comments and
/// documentation left out, everything else by kind.
fn fingerprint(
    table: &Table,
    tree: &SyntaxTree,
    root: u32,
    plain_text: PlainText,
    scratch: &mut Scratch,
) -> [u8; 16] {
    scratch.form.clear();
    scratch.open.clear();
    scratch.comma.clear();
    let mut names: HashMap<&str, usize> = HashMap::new();
    let end = tree.node(root).end;
    let mut node = root;
    while node < end {
        close(scratch, node);
        if node != root && is_dropped(table, tree, node, plain_text) {
            node = tree.node(node).end;
            continue;
        }
        if let Some(comma) = scratch.comma.last_mut() {
            scratch.form.push(if std::mem::replace(comma, true) {
                b','
            } else {
                b'('
            });
        }
        let kind = table.kind(tree, node);
        let after = tree.node(node).end;
        if kind.flags & flag::IDENTIFIER != 0 {
            let next = names.len();
            let number = *names.entry(tree.node_text(node)).or_insert(next);
            scratch
                .form
                .extend_from_slice(format!("<id{number}>").as_bytes());
        } else if kind.flags & flag::LITERAL != 0 {
            scratch.form.extend_from_slice(kind.literal.as_bytes());
        } else if kind.name == "operator" {
            scratch
                .form
                .extend_from_slice(tree.node_text(node).as_bytes());
        } else {
            scratch.form.extend_from_slice(kind.name.as_bytes());
            scratch.open.push(after);
            scratch.comma.push(false);
            node += 1;
            continue;
        }
        node = after;
    }
    close(scratch, end);
    let hash = blake3::hash(&scratch.form);
    let mut short = [0; 16];
    short.copy_from_slice(&hash.as_bytes()[..16]);
    short
}

/// Closes the brackets of nodes that end before `node`.
fn close(scratch: &mut Scratch, node: u32) {
    while scratch.open.last().is_some_and(|&end| end <= node) {
        scratch.open.pop();
        if scratch.comma.pop() == Some(true) {
            scratch.form.push(b')');
        }
    }
}

/// Whether a node has no part in a fingerprint.
fn is_dropped(table: &Table, tree: &SyntaxTree, node: u32, plain_text: PlainText) -> bool {
    table.is(tree, node, flag::COMMENT)
        || (table.is_python() && plain_text(table, tree, node).is_some())
}
