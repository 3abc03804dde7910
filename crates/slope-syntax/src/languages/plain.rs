//! What most languages share.

use crate::language::Roles;
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::SyntaxTree;

/// `if`, and what reads like it.
pub(super) const BRANCH: Roles = Roles::IF
    .and(Roles::DECISION)
    .and(Roles::NESTING)
    .and(Roles::STRUCTURE)
    .and(Roles::CLONE_UNIT);

/// Loops.
pub(super) const LOOP: Roles = Roles::LOOP
    .and(Roles::DECISION)
    .and(Roles::NESTING)
    .and(Roles::STRUCTURE)
    .and(Roles::CLONE_UNIT);

/// Multi-way branches; their arms decide.
pub(super) const SWITCH: Roles = Roles::SWITCH
    .and(Roles::NESTING)
    .and(Roles::STRUCTURE)
    .and(Roles::CLONE_UNIT);

/// Conditional expressions.
pub(super) const TERNARY: Roles = Roles::TERNARY.and(Roles::DECISION).and(Roles::STRUCTURE);

/// Blocks with handlers.
pub(super) const TRY: Roles = Roles::TRY.and(Roles::NESTING).and(Roles::CLONE_UNIT);

/// Handlers of errors.
pub(super) const CATCH: Roles = Roles::CATCH.and(Roles::DECISION).and(Roles::STRUCTURE);

/// Named functions.
pub(super) const FUNCTION: Roles = Roles::CALLABLE.and(Roles::CLONE_UNIT);

/// Functions that belong to a type by their form.
pub(super) const METHOD: Roles = FUNCTION.and(Roles::METHOD);

/// Functions without a name of their own.
pub(super) const LAMBDA: Roles = Roles::LAMBDA.and(Roles::CLONE_UNIT);

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
