//! Position of a clone, and its similarity to others of its class.

use std::sync::Arc;

use slope_clones::{Place, Wording};
use slope_model::ledger::Likeness;
use slope_syntax::paths::is_translation;

/// Minimum number of source lines of a clone that is reported regardless of the surrounding code.
pub const MIN_COPY_LINES: u32 = slope_clones::MIN_RUN_LINES;

/// A place of a clone class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClonePlace {
    /// Path of its file.
    pub path: Arc<str>,
    /// First row, from 0.
    pub first_row: u32,
    /// Last row, from 0.
    pub last_row: u32,
    /// Source lines.
    pub lines: u32,
    /// The names that it calls, and its literals.
    pub wording: Wording,
    /// Whether literals are most of it.
    pub is_table: bool,
}

impl ClonePlace {
    /// A place in the file of a path.
    pub(crate) fn of(path: Arc<str>, place: &Place) -> Self {
        Self {
            // Translation files differ only in their texts.
            is_table: place.is_table() || is_translation(&path),
            path,
            first_row: place.first_row,
            last_row: place.last_row,
            lines: place.lines,
            wording: place.wording,
        }
    }

    /// Similarity of two places of one class.
    #[must_use]
    pub fn likeness(&self, other: &Self) -> Likeness {
        match (&self.wording, &other.wording) {
            (a, b) if a == b => Likeness::Same,
            _ if self.is_table => Likeness::Table,
            (a, b) if a.names == b.names => Likeness::Literals,
            _ => Likeness::Form,
        }
    }
}
