//! Functions that may become callables.

use crate::callables::CallableFacts;

/// Maximum tokens of a row, without brackets and separators, before it counts as packed. Longer
/// lines do not make code smaller. Of 80,000 functions written by people, twenty exceed it.
const MAX_TOKENS: u32 = 32;

/// Maximum statements of a row before it counts as packed. `if (a) { return; }` has two.
const MAX_STATEMENTS: u32 = 2;

/// A function that may become a callable.
pub(super) struct Candidate {
    pub(super) facts: CallableFacts,
    /// The candidate around it.
    pub(super) outer: u32,
    /// Whether it has no name, and no assignment gives it one.
    pub(super) anonymous: bool,
    /// Whether anything but annotations was seen of it.
    pub(super) is_begun: bool,
    /// Statements in its blocks.
    pub(super) statements: u32,
    /// Those of them that are definitions, whose rows are mostly their own.
    pub(super) definitions: u32,
    /// The last row that was counted for it, from 1; 0 for none.
    pub(super) last_row: u32,
    /// Tokens without brackets and separators.
    pub(super) tokens: u32,
}

impl Candidate {
    /// Source lines: its rows. If more is packed onto them than anybody reads: a line for each statement and the head,
    /// or for each run of tokens that fills one.
    pub(super) fn lines(&self) -> u32 {
        let rows = self.facts.rows;
        let statements = self.statements - self.definitions;
        let is_packed = statements > rows * MAX_STATEMENTS || self.tokens > rows * MAX_TOKENS;
        let least = (statements + 1).max(self.tokens.div_ceil(MAX_TOKENS));
        if is_packed { rows.max(least) } else { rows }
    }

    /// Whether it is too small to be a callable.
    pub(super) fn is_trivial(&self) -> bool {
        let facts = &self.facts;
        self.anonymous
            && self.statements <= 1
            && (facts.complexity, facts.cognitive, facts.nesting) == (1, 0, 0)
    }
}
