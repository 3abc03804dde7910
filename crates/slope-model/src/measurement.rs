//! Measurements of snapshots.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Span};
pub use crate::metrics::Totals;

/// Definitions behind the numbers. Numbers with the same `hash` are comparable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Definitions {
    /// Version of the metric definitions, for example `1`.
    pub version: String,
    /// Hash of definitions, rules and grammar versions.
    pub hash: String,
    /// Version of each grammar, by name.
    pub grammars: BTreeMap<String, String>,
    /// Hash of the rules of each rule pack, by name.
    pub rules: BTreeMap<String, String>,
}

/// Kind of a callable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallableKind {
    /// A function with a name.
    #[default]
    Function,
    /// A function of a class or type.
    Method,
    /// An anonymous function: lambda, closure, function expression.
    Lambda,
}

/// Part of a code base.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Production code: code that is shipped or run.
    #[default]
    Product,
    /// Tests, and code that only tests use.
    Tests,
}

/// Syntax errors of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyntaxErrors {
    /// Number of errors.
    pub count: u32,
    /// Line of the first error, from 1.
    pub first_line: u32,
    /// Source lines that slope could not parse.
    pub lines: u32,
}

/// Highest cognitive complexity of a function whose branches form a table.
const TABLE_COGNITIVE: u32 = 2;

/// Decisions of a function that are rows of tables. Cyclomatic complexity counts each row, although a reader does not
/// have to follow them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableRows {
    /// Number of decisions that map a constant to one simple value, assignment or call, or that ask the same question
    /// about several values.
    #[serde(default)]
    pub rows: u32,
    /// Number of decisions that give a value a default, for example `a ?? 1`.
    #[serde(default)]
    pub defaults: u32,
    /// Cognitive complexity of defaults and assertions.
    #[serde(default)]
    pub cognitive: u32,
}

impl TableRows {
    /// Complexity without the rows of tables. Rows count if other branches make the function hard to read.
    #[must_use]
    pub fn complexity(&self, complexity: u32, cognitive: u32) -> u32 {
        let own = complexity.saturating_sub(self.defaults).max(1);
        if self.cognitive(cognitive) <= TABLE_COGNITIVE {
            own.saturating_sub(self.rows).max(1)
        } else {
            own
        }
    }

    /// Cognitive complexity without defaults.
    #[must_use]
    pub fn cognitive(&self, cognitive: u32) -> u32 {
        cognitive.saturating_sub(self.cognitive)
    }
}

impl Callable {
    /// Cyclomatic complexity without rows of tables, which the gate judges.
    #[must_use]
    pub fn judged_complexity(&self) -> u32 {
        self.tables.complexity(self.complexity, self.cognitive)
    }

    /// Cognitive complexity without defaults, which the gate judges.
    #[must_use]
    pub fn judged_cognitive(&self) -> u32 {
        self.tables.cognitive(self.cognitive)
    }

    /// One of its numbers for a table: `12`, or `≥12` if it is a lower bound.
    #[must_use]
    pub fn shown(&self, number: u32) -> String {
        let mark = if self.lower_bound { "≥" } else { "" };
        format!("{mark}{number}")
    }
}

/// Similarity of the members of a clone class.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CloneKind {
    /// Type 1: equal except for layout and comments.
    Exact,
    /// Type 2: equal except for literals and consistently changed names.
    Renamed,
    /// Type 3: some statements inserted, deleted or changed.
    NearMiss,
}

/// One place of a clone class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CloneMember {
    /// Path relative to the measured root.
    pub path: String,
    /// Place in the file.
    pub span: Span,
    /// Similarity to the first member of the class, 0 to 1. Always 1 for types 1 and 2.
    pub similarity: f64,
}

/// A set of places with the same code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CloneClass {
    /// Similarity of the least similar pair.
    pub kind: CloneKind,
    /// Source lines of the first member.
    pub lines: u32,
    /// Tokens of the first member.
    pub tokens: u32,
    /// Two or more places, sorted by path and position.
    pub members: Vec<CloneMember>,
    /// Hash of the normalised form. It does not change when the code moves.
    pub fingerprint: String,
}

/// A finding that a comment in the code silences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// Reason in the comment.
    pub reason: String,
}

/// Origin of dead code, compared with a base.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DeadCodeOrigin {
    /// The code is not in the base, and was never used.
    BornDead,
    /// The base uses the code, but the uses are gone.
    Orphaned,
    /// The code is dead in the base, too.
    Inherited,
}

/// A finding of dead code with its origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeadCode {
    /// Origin of the dead code.
    pub origin: DeadCodeOrigin,
    /// Id of the signal, as in the finding.
    pub rule: String,
    /// Path relative to the measured root.
    pub path: String,
    /// Place in the file.
    pub span: Span,
    /// One sentence that says what is dead.
    pub message: String,
    /// Fingerprint of the finding.
    pub fingerprint: String,
}

/// Dead code, compared with a base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeadCodeSince {
    /// The base, as given with `--base`: a revision or a folder.
    pub base: String,
    /// Commit of the revision; `null` for a folder.
    pub commit: Option<String>,
    /// Number of findings of each origin. No origin is left out.
    pub counts: BTreeMap<DeadCodeOrigin, u32>,
    /// Findings of dead code, sorted by path and position.
    pub findings: Vec<DeadCode>,
}

/// A file or folder that slope skipped on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// Path relative to the measured root.
    pub path: String,
    /// Reason: `generated`, `vendored`, `minified` or `ignored`, with the evidence for it.
    pub reason: String,
}

/// Rank of a value among the repositories of a panel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// Metric: `verbosity`, `erosion` or `mass_per_kloc`.
    pub metric: String,
    /// Name and version of the panel, for example `human-2026-03`.
    pub panel: String,
    /// The ranked value.
    pub value: f64,
    /// Percentage of the panel with a lower or equal value, 0 to 100.
    pub percentile: f64,
    /// Median of the panel.
    pub median: f64,
    /// Number of repositories in the panel.
    pub count: u32,
}

/// Totals of Python code by the definitions of the paper's table of human repositories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedTotals {
    /// Version of the definitions, for example `paper/1`.
    pub definitions: String,
    /// Totals by these definitions.
    pub totals: Totals,
    /// Share of physical lines that are in clones, 0 to 1; `null` without lines.
    pub clone_ratio: Option<f64>,
    /// Share of physical lines that rules match, 0 to 1; `null` without lines.
    pub violation_ratio: Option<f64>,
    /// Ranks among published repositories.
    #[serde(default)]
    pub standings: Vec<Standing>,
}

/// Headline numbers of one language, for production code without tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LanguageHeadline {
    /// Ids of the languages of the files, sorted. JavaScript and TypeScript count together.
    pub languages: Vec<String>,
    /// Version of the definitions, for example `slope/10`; `paper/1` for Python.
    pub definitions: String,
    /// Totals by these definitions.
    pub totals: Totals,
    /// Reason that there are no ranks; `null` if there are.
    pub incomparable: Option<String>,
    /// Ranks among published repositories.
    #[serde(default)]
    pub standings: Vec<Standing>,
}

/// One callable: a function or method.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Callable {
    /// Dotted name inside the file: enclosing classes and functions, then its own.
    pub name: String,
    /// Kind of the callable.
    #[serde(default)]
    pub kind: CallableKind,
    /// Place in the file, without decorators.
    pub span: Span,
    /// Cyclomatic complexity, at least 1.
    pub complexity: u32,
    /// Cognitive complexity, 0 or more.
    #[serde(default)]
    pub cognitive: u32,
    /// Number of parameters, without receivers such as `self`.
    #[serde(default)]
    pub parameters: u32,
    /// Source lines of the callable.
    pub sloc: u32,
    /// Complexity mass: `complexity` times the square root of `sloc` (paper, equation 2).
    pub mass: f64,
    /// Deepest nesting of control statements; 0 without control statements.
    pub nesting: u32,
    /// Whether a part of the callable does not parse. If so, complexity, mass and nesting are lower bounds.
    #[serde(default)]
    pub lower_bound: bool,
    /// Decisions that are rows of tables, which the gate does not count.
    #[serde(default)]
    pub tables: TableRows,
}

/// Measurement of one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileMeasurement {
    /// Path relative to the measured root.
    pub path: String,
    /// Language id, for example `python`.
    pub language: String,
    /// Part of the code base.
    #[serde(default)]
    pub part: Part,
    /// Physical lines, without inline tests if tests are excluded.
    pub lines: u32,
    /// Source lines.
    pub sloc: u32,
    /// Source lines flagged by rules.
    pub flagged_lines: u32,
    /// Source lines in clones.
    pub clone_lines: u32,
    /// Source lines that are flagged or in a clone, counted once.
    pub verbose_lines: u32,
    /// Source lines in near-miss clones (type 3), which verbosity does not count; `null` if slope skipped them.
    #[serde(default)]
    pub near_clone_lines: Option<u32>,
    /// Syntax errors; `null` if the whole file parses.
    #[serde(default)]
    pub syntax_errors: Option<SyntaxErrors>,
    /// Maintainability index, 0 to 100, higher is better; `null` without source lines.
    #[serde(default)]
    pub maintainability: Option<f64>,
    /// Cognitive complexity of control structures outside of callables. Boolean operators do not
    /// count, and neither do conditional expressions and handlers outside of other structures.
    /// `null` if the profile does not define it.
    #[serde(default)]
    pub cognitive_outside: Option<u32>,
    /// Tests in a file of production code. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inline_tests: Option<InlineTests>,
    /// Code cells of a notebook, in order. Absent for other files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<NotebookCell>,
    /// Callables, sorted by position.
    pub callables: Vec<Callable>,
}

impl FileMeasurement {
    /// The part of the code base of a line, from 1.
    #[must_use]
    pub fn part_at(&self, line: u32) -> Part {
        let mut inline = self.inline_tests.iter();
        if inline.any(|tests| tests.hold(line)) {
            return Part::Tests;
        }
        self.part
    }
}

/// Tests in a file of production code. In Rust: items below `#[cfg(test)]` and test functions. In
/// Zig: `test` declarations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InlineTests {
    /// Ranges of the tests, in order and without overlaps.
    pub ranges: Vec<LineRange>,
    /// Physical lines.
    pub lines: u32,
    /// Source lines.
    pub sloc: u32,
    /// Source lines flagged by rules.
    pub flagged_lines: u32,
    /// Source lines in clones.
    pub clone_lines: u32,
    /// Source lines that are flagged or in a clone, counted once.
    pub verbose_lines: u32,
    /// Source lines in near-miss clones; `null` if slope skipped them.
    #[serde(default)]
    pub near_clone_lines: Option<u32>,
    /// Maintainability index of the file without the tests, 0 to 100; `null` without other code.
    #[serde(default)]
    pub maintainability_without: Option<f64>,
}

impl InlineTests {
    /// Whether a line, from 1, is in inline tests.
    #[must_use]
    pub fn hold(&self, line: u32) -> bool {
        let begun = self
            .ranges
            .partition_point(|range| range.start_line <= line);
        begun > 0 && line <= self.ranges[begun - 1].end_line
    }
}

/// A code cell of a notebook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotebookCell {
    /// Number among all cells of the notebook, from 1.
    pub number: u32,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// Its lines in the file, if several lines of code are on one there. Each further line of code then counts as the next
    /// line, so the numbers may exceed the file's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_file: Option<LineRange>,
}

impl NotebookCell {
    /// The line of the file that a line of cells in order is on.
    #[must_use]
    pub fn line_in_file(cells: &[Self], line: u32) -> u32 {
        let after = cells.partition_point(|cell| cell.start_line <= line);
        let cell = after.checked_sub(1).map(|at| cells[at]);
        match cell.and_then(|cell| Some((cell, cell.in_file?))) {
            Some((cell, lines)) => (lines.start_line + line - cell.start_line).min(lines.end_line),
            None => line,
        }
    }

    /// The same for the lines of a span. Columns are those of the code.
    #[must_use]
    pub fn span_in_file(cells: &[Self], span: Span) -> Span {
        Span {
            start_line: Self::line_in_file(cells, span.start_line),
            end_line: Self::line_in_file(cells, span.end_line),
            ..span
        }
    }

    /// Place of a line among cells in order, for readers: `cell 3, line 12`.
    #[must_use]
    pub fn place(cells: &[Self], line: u32) -> Option<String> {
        let after = cells.partition_point(|cell| cell.start_line <= line);
        let cell = after.checked_sub(1).map(|at| cells[at]);
        let cell = cell.filter(|cell| line <= cell.end_line)?;
        let line = line - cell.start_line + 1;
        Some(format!("cell {}, line {line}", cell.number))
    }

    /// A message on a line, with its place among cells: `cell 3, line 12: message`.
    #[must_use]
    pub fn placed(cells: &[Self], line: u32, message: String) -> String {
        match Self::place(cells, line) {
            Some(place) => format!("{place}: {message}"),
            None => message,
        }
    }
}

/// A range of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineRange {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, included, from 1.
    pub end_line: u32,
}

/// A file that slope could not measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unmeasured {
    /// Path relative to the measured root.
    pub path: String,
    /// Reason, as text.
    pub reason: String,
}

/// Measurement of a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measurement {
    /// Name and version of this format: `slope.measurement/1`.
    pub schema: String,
    /// Definitions behind the numbers.
    pub definitions: Definitions,
    /// Totals of all files.
    pub totals: Totals,
    /// Totals of each part of the code base; empty if tests are not separate.
    #[serde(default)]
    pub parts: BTreeMap<Part, Totals>,
    /// Totals of each language, by id.
    #[serde(default)]
    pub languages: BTreeMap<String, Totals>,
    /// Totals by the published definitions; `null` without Python code.
    #[serde(default)]
    pub published: Option<PublishedTotals>,
    /// Headline numbers of each language, the language with the most code first.
    #[serde(default)]
    pub headlines: Vec<LanguageHeadline>,
    /// Measured files, sorted by path.
    pub files: Vec<FileMeasurement>,
    /// Files that slope could not measure, sorted by path.
    pub unmeasured: Vec<Unmeasured>,
    /// Files and folders that slope skipped on purpose, sorted by path.
    #[serde(default)]
    pub skipped: Vec<Skipped>,
    /// Number of files in unsupported languages, by suffix, for example `.elm`. No other number includes them. Absent
    /// if there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_languages: BTreeMap<String, u64>,
    /// Clone classes, largest first, then by path and position.
    #[serde(default)]
    pub clones: Vec<CloneClass>,
    /// Findings, sorted by path and position.
    pub findings: Vec<Finding>,
    /// Findings that comments in the code silence, sorted by path and position.
    #[serde(default)]
    pub suppressed: Vec<Suppressed>,
    /// Dead code by origin. Absent without `--base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead_code: Option<DeadCodeSince>,
}
