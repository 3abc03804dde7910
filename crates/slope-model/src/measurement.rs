//! Measurements: what slope says of a snapshot.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Span};

/// Where the numbers of a measurement came from (design rule 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definitions {
    /// Version of the metric definitions, for example `1`.
    pub version: String,
    /// Hash over definitions, rules and grammar versions; equal hashes mean comparable numbers.
    pub hash: String,
    /// Grammar name to version.
    pub grammars: BTreeMap<String, String>,
    /// Rule pack name to hash of its rules.
    pub rules: BTreeMap<String, String>,
}

/// One callable: a function or method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Callable {
    /// Dotted name inside the file: enclosing classes and functions, then its own.
    pub name: String,
    /// Where it stands, decorators excluded.
    pub span: Span,
    /// Cyclomatic complexity, at least 1.
    pub complexity: u32,
    /// Source lines of the callable.
    pub sloc: u32,
    /// Complexity mass: complexity times the square root of `sloc` (paper, equation 2).
    pub mass: f64,
    /// Deepest nesting of control statements, 0 for none.
    pub nesting: u32,
}

/// What was measured of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileMeasurement {
    /// Path relative to the measured root.
    pub path: String,
    /// Language id, for example `python`.
    pub language: String,
    /// Physical lines.
    pub lines: u32,
    /// Source lines.
    pub sloc: u32,
    /// Source lines flagged by rules.
    pub flagged_lines: u32,
    /// Source lines in clones.
    pub clone_lines: u32,
    /// Source lines in the union of flagged and clone lines.
    pub verbose_lines: u32,
    /// The file's callables in order of position.
    pub callables: Vec<Callable>,
}

/// A file that could not be measured, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmeasured {
    /// Path relative to the measured root.
    pub path: String,
    /// Why, in words.
    pub reason: String,
}

/// Totals of a snapshot. A value that could not be had is `None`; `missing` says why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Files measured.
    pub files: u32,
    /// Files of a known language that could not be measured.
    pub unmeasured_files: u32,
    /// Physical lines.
    pub lines: u64,
    /// Source lines.
    pub sloc: u64,
    /// Callables.
    pub callables: u32,
    /// Callables with complexity above the cut-off.
    pub high_complexity_callables: u32,
    /// Largest complexity of a callable.
    pub max_complexity: Option<u32>,
    /// Complexity mass: sum over callables (paper, equation 2).
    pub mass: Option<f64>,
    /// Mass of callables above the cut-off.
    pub high_complexity_mass: Option<f64>,
    /// Erosion, 0 to 1: high-complexity mass over mass (paper, equation 3).
    pub erosion: Option<f64>,
    /// Source lines flagged by rules.
    pub flagged_lines: Option<u64>,
    /// Source lines in clones.
    pub clone_lines: Option<u64>,
    /// Source lines in the union of both.
    pub verbose_lines: Option<u64>,
    /// Verbosity, 0 to 1: verbose lines over lines of the profile (paper, equation 4).
    pub verbosity: Option<f64>,
    /// Metric name to the reason why it is missing.
    #[serde(default)]
    pub missing: BTreeMap<String, String>,
}

/// What slope says of a snapshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// [`crate::schema::MEASUREMENT`].
    pub schema: String,
    /// Where the numbers came from.
    pub definitions: Definitions,
    /// Totals.
    pub totals: Totals,
    /// Files in path order.
    pub files: Vec<FileMeasurement>,
    /// Files that could not be measured, in path order.
    pub unmeasured: Vec<Unmeasured>,
    /// Findings by path and position.
    pub findings: Vec<Finding>,
}
