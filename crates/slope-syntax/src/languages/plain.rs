//! What most languages share.

use crate::language::Roles;
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::SyntaxTree;

/// A row counts when something other than a comment stands on it.
pub(super) fn source_lines(tree: &SyntaxTree, _profile: Profile) -> LineSet {
    let mut rows = LineSet::with_rows(tree.physical_lines());
    let mut index = 0;
    while index < tree.node(0).end {
        let node = tree.node(index);
        if tree.info(index).roles.any(Roles::COMMENT) {
            index = node.end;
            continue;
        }
        if node.end == index + 1 && node.end_byte > node.start_byte {
            for row in node.start_row..=node.end_row {
                if !tree.row_text(row).trim().is_empty() {
                    rows.insert(row);
                }
            }
        }
        index += 1;
    }
    rows
}

/// For a question that a language never says yes to.
pub(super) fn never(_tree: &SyntaxTree, _index: u32) -> bool {
    false
}
