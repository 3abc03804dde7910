//! Ledgers: effects of a change on a code base, function by function, in entries that add up
//! exactly to the change of the whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::measurement::{Definitions, Part};
use crate::metrics::{self, Metric};

/// Amounts in a ledger: of one snapshot, or the difference of two.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema, derive_more::Add,
)]
pub struct Amounts {
    /// Complexity mass: the exact sum, rounded once to the nearest 64-bit float. The `mass` values
    /// of places are exact, so you can compute the exact sum from them.
    pub mass: f64,
    /// Source lines in clones of types 1 and 2.
    pub clone_lines: i64,
    /// Source lines flagged by rules.
    pub flagged_lines: i64,
    /// Source lines that are in a clone or flagged, counted once.
    pub verbose_lines: i64,
    /// Number of dead-code findings.
    pub dead_code: i64,
    /// Source lines. A ledger is empty if nothing else differs: changes of source lines without an
    /// entry are in `sloc_alone`.
    pub sloc: i64,
}

impl Amounts {
    /// Whether all accounted amounts are zero; source lines are not considered.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.mass == 0.0
            && self.clone_lines == 0
            && self.flagged_lines == 0
            && self.verbose_lines == 0
            && self.dead_code == 0
    }

    /// The amounts that reports list, in their order, each with its metric.
    #[must_use]
    pub fn listed(&self) -> [(&'static Metric, f64); 4] {
        [
            (&metrics::MASS, self.mass),
            (&metrics::CLONE_LINES, count(self.clone_lines)),
            (&metrics::FLAGGED_LINES, count(self.flagged_lines)),
            (&metrics::DEAD_CODE, count(self.dead_code)),
        ]
    }

    /// Source lines, which a report shows only in a balance.
    #[must_use]
    pub fn source_lines(&self) -> (&'static Metric, f64) {
        (&metrics::SLOC, count(self.sloc))
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn count(n: i64) -> f64 {
    n as f64
}

impl std::ops::Sub for Amounts {
    type Output = Self;

    /// The difference. Mass is rounded to nine decimals, so that equal masses leave 0.
    fn sub(self, other: Self) -> Self {
        let mass = ((self.mass - other.mass) * 1e9).round() / 1e9;
        Self {
            mass: if mass == 0.0 { 0.0 } else { mass },
            clone_lines: self.clone_lines - other.clone_lines,
            flagged_lines: self.flagged_lines - other.flagged_lines,
            verbose_lines: self.verbose_lines - other.verbose_lines,
            dead_code: self.dead_code - other.dead_code,
            sloc: self.sloc - other.sloc,
        }
    }
}

/// A function in one of the snapshots, or the code of a file outside of functions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerPlace {
    /// Path relative to the top of the snapshot.
    pub path: String,
    /// Dotted name of the function; `null` for code outside of functions.
    pub function: Option<String>,
    /// First line, from 1; 1 for code outside of functions.
    pub start_line: u32,
    /// Last line, from 1; 0 for code outside of functions.
    pub end_line: u32,
    /// Cyclomatic complexity; `null` for code outside of functions.
    pub complexity: Option<u32>,
    /// Amounts of the place. The lines of a nested function count only for the nested function, its
    /// mass counts for both, as in totals.
    pub amounts: Amounts,
}

/// Kind of change of a function.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// The function is new.
    Added,
    /// The function was removed.
    Removed,
    /// The code of the function changed. It may also be renamed or moved.
    Changed,
    /// The code of the function was distributed over several functions.
    Split,
    /// The function contains the code of several former functions.
    Merged,
    /// The code of the file outside of functions changed.
    Outside,
    /// The function did not change, but a change elsewhere altered its amounts.
    Affected,
    /// The function was only reformatted.
    Layout,
}

/// Lines in unchanged code that an entry turned into clones, or that are no longer clones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Elsewhere {
    /// Path of the unchanged code.
    pub path: String,
    /// Function of the code; `null` outside of functions.
    pub function: Option<String>,
    /// First line of the code in the later snapshot, from 1.
    pub line: u32,
    /// Source lines that became clones; negative if they are no longer clones.
    pub clone_lines: i64,
    /// Source lines that became verbose (in a clone or flagged); negative if they are no longer.
    pub verbose_lines: i64,
}

/// Code that an entry copied, or equal code elsewhere in the change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Copied {
    /// Path of the code.
    pub path: String,
    /// Function that could be called instead; `null` for code outside of functions.
    pub function: Option<String>,
    /// First line of the copied code, from 1.
    pub line: u32,
    /// Last line of the copied code, from 1.
    pub end_line: u32,
    /// Length of the longest equal piece, in source lines of the entry.
    pub lines: u32,
    /// Similarity of the pieces.
    pub likeness: Likeness,
    /// Whether both functions are similar as a whole.
    pub is_whole: bool,
}

/// Similarity of two pieces of code with the same form.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Likeness {
    /// They have the same calls and the same literals.
    Same,
    /// They have the same calls and different literals.
    Literals,
    /// They have different calls.
    Form,
    /// Both are tables with different values.
    Table,
}

impl Likeness {
    /// Whether both pieces have the same calls.
    #[must_use]
    pub fn is_same(self) -> bool {
        matches!(self, Self::Same | Self::Literals)
    }
}

/// One entry of a ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerEntry {
    /// Kind of change.
    pub kind: EntryKind,
    /// Part of the code base.
    pub part: Part,
    /// Path of the first place after the change, or before it if the code was removed.
    pub path: String,
    /// Function at that place; `null` for code outside of functions.
    pub function: Option<String>,
    /// Line of that place, from 1.
    pub line: u32,
    /// Contribution to the total change: places after minus places before, plus `elsewhere`, minus
    /// effects that are entered at the functions that caused them.
    pub change: Amounts,
    /// Places before the change; empty for new code.
    pub from: Vec<LedgerPlace>,
    /// Places after the change; empty for removed code.
    pub to: Vec<LedgerPlace>,
    /// Effects on unchanged code, already included in `change`. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Elsewhere>,
    /// Unchanged code that the new clone lines repeat. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied: Option<Copied>,
    /// Other changed code that the new clone lines repeat, if no unchanged code does. Absent if
    /// there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<Copied>,
    /// New dead code at these places. Absent if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead_code: Vec<Finding>,
}

/// Totals before and after, and their difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Balance {
    /// Amounts before the change.
    pub before: Amounts,
    /// Amounts after the change.
    pub after: Amounts,
    /// Exact difference. Mass is rounded once.
    pub change: Amounts,
    /// Part of `change` that reformatting alone causes.
    #[serde(default)]
    pub layout: Amounts,
}

/// Ledger of a change: its effects, function by function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ledger {
    /// Name and version of this format: `slope.ledger/1`.
    pub schema: String,
    /// Definitions behind the numbers.
    pub definitions: Definitions,
    /// Name of the earlier snapshot: a revision or a folder.
    pub base: String,
    /// Name of the later snapshot.
    pub head: String,
    /// Totals before and after, and their difference.
    pub balance: Balance,
    /// Change of each part of the code base.
    pub parts: BTreeMap<Part, Amounts>,
    /// Changes of code, sorted by mass, then lines, then path. Empty for a change that only renames,
    /// moves, reformats or comments.
    pub entries: Vec<LedgerEntry>,
    /// Effects of reformatting. `entries` and `layout` sum to the balance; source lines also need
    /// `sloc_alone`.
    pub layout: Vec<LedgerEntry>,
    /// Added minus removed source lines where nothing else changed. They have no entry.
    #[serde(default)]
    pub sloc_alone: i64,
}
