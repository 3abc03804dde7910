//! The grammar's tree to an array in pre-order.
//!
//! Each call into the grammar library costs time, so everything else comes from known data: rows
//! from the table of line starts, names and errors from the kind, the end of the subtree from the
//! walk itself.

use crate::language::{KindInfo, Language};
use crate::lines::LineSet;

use super::{Limits, Node, ParseError, SyntaxError, TakenOver, narrow};

/// Kind of a node that covers text which is not of the language.
pub(super) const ERROR_KIND: u16 = u16::MAX;

/// Output of [`flatten`].
pub(super) struct Flat {
    pub(super) nodes: Vec<Node>,
    /// The kind of each node.
    pub(super) kinds: Vec<u16>,
    /// Upper bound of the tree's depth, in nodes above a node.
    pub(super) deepest: u32,
    pub(super) taken: Vec<TakenOver>,
    pub(super) errors: Option<SyntaxError>,
    pub(super) error_rows: LineSet,
}

impl Flat {
    /// Takes back the errors of C and C++ that no compiler sees: those that are wholly on these
    /// rows, and the missing semicolons after macros.
    pub(super) fn forgive(&mut self, language: Language, rows: &LineSet) {
        let mut left = Errors::default();
        for (index, node) in self.nodes.iter().enumerate() {
            let is_error = node.is_error() || node.is_missing();
            let is_unseen = |node: &Node| (node.start_row..=node.end_row).all(|r| rows.contains(r));
            if is_error && !is_unseen(node) && !self.is_behind_macro(language, index) {
                left.add(node);
            }
        }
        (self.errors, self.error_rows) = (left.found, left.rows);
    }

    /// Whether a node is the semicolon that is missing between the call of a macro and the block
    /// that it makes something of, as in `TEST_CASE("a") { ... }`.
    fn is_behind_macro(&self, language: Language, index: usize) -> bool {
        let is_of = |node: Option<&Node>, kind: &str| {
            node.is_some_and(|node| node.named && language.kind_name(node.kind) == kind)
        };
        let node = &self.nodes[index];
        let statement = &self.nodes[node.parent as usize];
        let after = self.nodes.get(statement.end as usize);
        node.is_missing()
            && statement.end as usize == index + 1
            && is_of(Some(statement), "expression_statement")
            && is_of(self.nodes.get(node.parent as usize + 1), "call_expression")
            && is_of(after, "compound_statement")
            && after.is_some_and(|after| after.parent == statement.parent)
    }
}

/// Rows of ascending offsets; looking up the next one is a step, not a search.
struct Rows<'a> {
    starts: &'a [u32],
    row: usize,
}

impl Rows<'_> {
    /// The row of an offset that is rarely before the last one.
    fn of(&mut self, offset: u32) -> u32 {
        if self.starts[self.row] > offset {
            self.row = self.starts.partition_point(|&s| s <= offset) - 1;
        }
        while self.starts.get(self.row + 1).is_some_and(|&s| s <= offset) {
            self.row += 1;
        }
        narrow(self.row)
    }

    /// The row of an offset at or after the last one.
    fn of_end(&self, offset: u32) -> u32 {
        let rest = &self.starts[self.row + 1..];
        if rest.first().is_none_or(|&next| offset < next) {
            return narrow(self.row);
        }
        // Double the step, then halve it: nodes are mostly short.
        let mut bound = 1;
        while rest.get(bound).is_some_and(|&s| s <= offset) {
            bound *= 2;
        }
        let window = &rest[bound / 2..rest.len().min(bound + 1)];
        narrow(self.row + bound / 2 + window.partition_point(|&s| s <= offset))
    }
}

/// Writes the tree as an array in pre-order, noting errors on the way.
pub(super) fn flatten(
    tree: &tree_sitter::Tree,
    line_starts: &[u32],
    named: &[bool],
    limits: &Limits,
) -> Result<Flat, ParseError> {
    let count = tree.root_node().descendant_count();
    let mut nodes: Vec<Node> = Vec::with_capacity(count);
    let mut kinds: Vec<u16> = Vec::with_capacity(count);
    let mut errors = Errors::default();
    let mut rows = Rows {
        starts: line_starts,
        row: 0,
    };
    let mut open: Vec<Open> = Vec::new();
    let mut deepest = 0;
    let mut cursor = tree.walk();
    loop {
        let index = narrow(nodes.len());
        let parent = open.last().map_or(index, |open| open.node);
        let here = cursor.node();
        let node = flat_node(&cursor, here, parent, index, named, &mut rows);
        if node.is_error() || node.is_missing() {
            errors.add(&node);
        }
        if node.named && parent != index {
            nodes[parent as usize].flags |= Node::HAS_NAMED_CHILD;
        }
        nodes.push(node);
        kinds.push(node.kind);
        let children = here.child_count();
        if children > 0 && cursor.goto_first_child() {
            open.push(Open {
                node: index,
                left: children - 1,
            });
            deepest = deepest.max(open.len());
            if open.len() >= limits.max_depth as usize {
                return Err(ParseError::TooDeep {
                    limit: limits.max_depth,
                });
            }
            continue;
        }
        if !to_next(&mut cursor, &mut open, &mut nodes) {
            debug_assert_eq!(nodes.len(), count);
            return Ok(errors.into_flat(nodes, kinds, narrow(deepest)));
        }
    }
}

/// A node whose children are being written.
struct Open {
    node: u32,
    /// Number of children after the one at the cursor.
    left: u32,
}

/// Goes to what follows in pre-order after a subtree, closing what ends there.
/// Asking the cursor for a sibling that is not there costs most, so it is not asked.
fn to_next(
    cursor: &mut tree_sitter::TreeCursor<'_>,
    open: &mut Vec<Open>,
    nodes: &mut [Node],
) -> bool {
    let end = narrow(nodes.len());
    while let Some(parent) = open.last_mut() {
        if parent.left > 0 {
            parent.left -= 1;
            if cursor.goto_next_sibling() {
                return true;
            }
        }
        nodes[parent.node as usize].end = end;
        open.pop();
        cursor.goto_parent();
    }
    false
}

fn flat_node(
    cursor: &tree_sitter::TreeCursor<'_>,
    node: tree_sitter::Node<'_>,
    parent: u32,
    index: u32,
    named: &[bool],
    rows: &mut Rows<'_>,
) -> Node {
    let kind = node.kind_id();
    let start_byte = narrow(node.start_byte());
    let end_byte = narrow(node.end_byte());
    let mut flags = 0;
    if node.is_extra() {
        flags |= Node::EXTRA;
    }
    // Only what the parser made up has no width.
    if start_byte == end_byte && node.is_missing() {
        flags |= Node::MISSING;
    }
    Node {
        kind,
        field: cursor.field_id().map_or(0, std::num::NonZero::get),
        named: named.get(kind as usize).copied().unwrap_or(true),
        flags,
        parent,
        end: index + 1,
        start_byte,
        end_byte,
        start_row: rows.of(start_byte),
        end_row: rows.of_end(end_byte),
    }
}

/// Places that are not of the language.
#[derive(Default)]
pub(super) struct Errors {
    found: Option<SyntaxError>,
    rows: LineSet,
}

impl Errors {
    pub(super) fn add(&mut self, node: &Node) {
        let entry = self.found.get_or_insert(SyntaxError {
            count: 0,
            first_line: node.start_row + 1,
        });
        entry.count += 1;
        self.rows.insert_range(node.start_row, node.end_row);
    }

    pub(super) fn into_flat(self, nodes: Vec<Node>, kinds: Vec<u16>, deepest: u32) -> Flat {
        Flat {
            nodes,
            kinds,
            deepest,
            taken: Vec::new(),
            errors: self.found,
            error_rows: self.rows,
        }
    }
}

/// Facts about a kind that the grammar has no entry for, such as that of errors.
pub(super) fn unknown_kind(kind: u16) -> KindInfo {
    KindInfo {
        canonical: kind,
        ..KindInfo::default()
    }
}
