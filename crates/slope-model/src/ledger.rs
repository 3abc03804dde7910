//! Ledgers: effects of a change on a code base, function by function, in entries that add up
//! exactly to the change of the whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::measurement::{Definitions, Part};
use crate::metrics::{self, Metric};

/// Amounts that a ledger accounts for, of a snapshot or as a difference of two.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema, derive_more::Add,
)]
pub struct Amounts {
    /// Complexity mass: the exact sum, rounded once to the nearest number that a JSON reader
    /// keeps. The exact sum follows from the `mass` of places, which are exact.
    pub mass: f64,
    /// Source lines in clones of types 1 and 2.
    pub clone_lines: i64,
    /// Source lines flagged by rules.
    pub flagged_lines: i64,
    /// Source lines in the union of both.
    pub verbose_lines: i64,
    /// Findings of dead code.
    pub dead_code: i64,
    /// Source lines. They are told beside the rest: a ledger is empty also if only they differ, and
    /// `sloc_alone` has those of which there is no entry.
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

    /// The amounts that reports list, in their order, each with the metric that it is of.
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

/// A function, or what stands outside of functions in a file, in one of the snapshots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerPlace {
    /// Path relative to the top of the snapshot.
    pub path: String,
    /// Dotted name of the function; `None` for code outside of functions.
    pub function: Option<String>,
    /// First line, from 1; 1 for code outside of functions.
    pub start_line: u32,
    /// Last line, from 1; 0 for code outside of functions.
    pub end_line: u32,
    /// Cyclomatic complexity; `None` for code outside of functions.
    pub complexity: Option<u32>,
    /// What the place holds. Lines of a function in another count for the inner one, its
    /// mass for both, as in totals.
    pub amounts: Amounts,
}

/// What happened to a function.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another than before; it may also have another name or place.
    Changed,
    /// Its code was distributed over several functions.
    Split,
    /// It holds the code of several functions.
    Merged,
    /// Code of the file outside of functions.
    Outside,
    /// It is the same as before; something elsewhere in the code base changed what is said of it.
    Affected,
    /// It is the same as before in another layout.
    Layout,
}

/// Lines in unchanged code that became clones, or ceased to be, by an entry's doing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Elsewhere {
    /// Path of the unchanged code.
    pub path: String,
    /// Its function; `None` outside of functions.
    pub function: Option<String>,
    /// Its first line in the later snapshot, from 1.
    pub line: u32,
    /// Source lines that became clones; negative if they ceased to be.
    pub clone_lines: i64,
    /// The same for the union with flagged lines.
    pub verbose_lines: i64,
}

/// Code that an entry copied, or that is the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Copied {
    /// Its path.
    pub path: String,
    /// Its function, which could be called instead; `None` outside of functions.
    pub function: Option<String>,
    /// The line that the copied code begins at, from 1.
    pub line: u32,
    /// The line that it ends at.
    pub end_line: u32,
    /// Source lines of the entry that are alike in one piece.
    pub lines: u32,
    /// How alike they are.
    pub likeness: Likeness,
    /// Whether both functions are alike as a whole.
    pub is_whole: bool,
}

/// How alike two pieces of code of one form are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Likeness {
    /// They call the same and have the same literals.
    Same,
    /// They call the same and have other literals.
    Literals,
    /// They call something else.
    Form,
    /// Both are tables, with other values.
    Table,
}

impl Likeness {
    /// Whether both pieces call the same.
    #[must_use]
    pub fn is_same(self) -> bool {
        matches!(self, Self::Same | Self::Literals)
    }
}

/// One entry of a ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerEntry {
    /// What happened.
    pub kind: EntryKind,
    /// Part of the code base.
    pub part: Part,
    /// Path of the first place after the change, else before it.
    pub path: String,
    /// Function there; `None` for code outside of functions.
    pub function: Option<String>,
    /// Line there, from 1.
    pub line: u32,
    /// What the entry adds to the whole: its places after less those before, plus `elsewhere`,
    /// less what was entered at other functions that caused it.
    pub change: Amounts,
    /// Places before.
    pub from: Vec<LedgerPlace>,
    /// Places after.
    pub to: Vec<LedgerPlace>,
    /// What the entry brought about in unchanged code, already part of `change`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Elsewhere>,
    /// The code that its new clone lines stand in already, if that was not changed itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied: Option<Copied>,
    /// Other code of the change that they stand in, if there is no such code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<Copied>,
    /// Dead code that is new at these places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead_code: Vec<Finding>,
}

/// The whole before and after, and what lies between.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Balance {
    /// Amounts before.
    pub before: Amounts,
    /// Amounts after.
    pub after: Amounts,
    /// The exact difference; mass is rounded once.
    pub change: Amounts,
    /// The part of `change` that only reformatting makes.
    #[serde(default)]
    pub layout: Amounts,
}

/// What a change did, function by function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ledger {
    /// [`crate::schema::LEDGER`].
    pub schema: String,
    /// Where the numbers came from.
    pub definitions: Definitions,
    /// Name of the earlier snapshot: a revision or a folder.
    pub base: String,
    /// Name of the later one.
    pub head: String,
    /// The whole.
    pub balance: Balance,
    /// The change by part of the code base.
    pub parts: BTreeMap<Part, Amounts>,
    /// Changes of code, by weight: mass, then lines, then path. Empty for a change that only
    /// renames, moves, lays out or comments.
    pub entries: Vec<LedgerEntry>,
    /// What another layout of the same code did; with `entries` it sums to the balance, source
    /// lines with `sloc_alone` besides.
    pub layout: Vec<LedgerEntry>,
    /// Source lines that came or went where nothing else changed, of which there is no entry.
    #[serde(default)]
    pub sloc_alone: i64,
}
