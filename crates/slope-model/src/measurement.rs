//! Measurements of snapshots.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Span};
pub use crate::metrics::Totals;

/// Where the numbers of a measurement came from (design rule 1).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// What kind of callable it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallableKind {
    /// A function with a name.
    #[default]
    Function,
    /// A function of a class or type.
    Method,
    /// A function without a name of its own: lambda, closure, function expression.
    Lambda,
}

/// What part of a code base a file belongs to.
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
    /// Code that is shipped or run.
    #[default]
    Product,
    /// Tests and what only they use.
    Tests,
}

/// Places where a parser met something that is not of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyntaxErrors {
    /// How many.
    pub count: u32,
    /// Line of the first, from 1.
    pub first_line: u32,
    /// Source lines in parts that could not be parsed.
    pub lines: u32,
}

/// Highest cognitive complexity of a function whose branches form a table.
const TABLE_COGNITIVE: u32 = 2;

/// What of a function's decisions is rows of tables. Cyclomatic complexity counts each row, although a reader does not
/// have to follow them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableRows {
    /// Decisions that lead from a constant to one simple value, assignment or call, or ask one question of several values.
    #[serde(default)]
    pub rows: u32,
    /// Decisions that give a default to a value: `a ?? 1`.
    #[serde(default)]
    pub defaults: u32,
    /// What defaults and assertions add to cognitive complexity.
    #[serde(default)]
    pub cognitive: u32,
}

impl TableRows {
    /// Complexity without the rows of tables. Rows count where other branches make the function hard to read.
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

/// How alike the members of a clone class are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CloneKind {
    /// Type 1: equal but for layout and comments.
    Exact,
    /// Type 2: equal but for names and literals, renamed consistently.
    Renamed,
    /// Type 3: statements inserted, deleted or changed.
    NearMiss,
}

/// One place of a clone class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CloneMember {
    /// Path relative to the measured root.
    pub path: String,
    /// Where.
    pub span: Span,
    /// Similarity to the class's first member, 0 to 1; 1 for types 1 and 2.
    pub similarity: f64,
}

/// A set of places that hold the same code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CloneClass {
    /// How alike they are: that of the least alike pair.
    pub kind: CloneKind,
    /// Source lines of the first member.
    pub lines: u32,
    /// Tokens of the first member.
    pub tokens: u32,
    /// Where, in order of path and position; two or more.
    pub members: Vec<CloneMember>,
    /// Hash of the normalised form, which survives moves and shifts of lines.
    pub fingerprint: String,
}

/// A finding that a comment in the code has silenced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// The reason that the comment gives.
    pub reason: String,
}

/// Where dead code comes from, seen from a base.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DeadCodeOrigin {
    /// It came with code that the base does not have, and was never in use.
    BornDead,
    /// The base has the code in use; what used it is gone.
    Orphaned,
    /// It is dead in the base, too.
    Inherited,
}

/// A finding of dead code with where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeadCode {
    /// Where it comes from.
    pub origin: DeadCodeOrigin,
    /// Id of the signal, as in the finding.
    pub rule: String,
    /// Path relative to the measured root.
    pub path: String,
    /// Where.
    pub span: Span,
    /// What is dead, one sentence.
    pub message: String,
    /// The finding's fingerprint.
    pub fingerprint: String,
}

/// Dead code, seen from a base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeadCodeSince {
    /// The base as it was named: a revision or a folder.
    pub base: String,
    /// The commit that a revision stands for; `None` for a folder.
    pub commit: Option<String>,
    /// How many findings come from where; every origin is there.
    pub counts: BTreeMap<DeadCodeOrigin, u32>,
    /// The findings of dead code, by path and position.
    pub findings: Vec<DeadCode>,
}

/// A file that was left out on purpose, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// Path relative to the measured root.
    pub path: String,
    /// Why: `generated`, `vendored`, `minified` or `ignored`, and by what sign.
    pub reason: String,
}

/// Where a value stands among those of a panel of repositories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// The metric: `verbosity`, `erosion` or `mass_per_kloc`.
    pub metric: String,
    /// The panel and its version, for example `human-2026-03`.
    pub panel: String,
    /// The value that was placed.
    pub value: f64,
    /// Share of the panel with a lower or equal value, 0 to 100.
    pub percentile: f64,
    /// The panel's median.
    pub median: f64,
    /// Repositories in the panel.
    pub count: u32,
}

/// The published headline: totals of Python code by the definitions behind the
/// paper's table of human repositories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedTotals {
    /// Version of the definitions, for example `paper/1`.
    pub definitions: String,
    /// Totals by them.
    pub totals: Totals,
    /// Physical lines in clones over physical lines; `None` without lines.
    pub clone_ratio: Option<f64>,
    /// Physical lines of rule matches over physical lines; `None` without lines.
    pub violation_ratio: Option<f64>,
    /// Where the values stand among published repositories.
    #[serde(default)]
    pub standings: Vec<Standing>,
}

/// The numbers that the code of one language is known by: product code, without tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LanguageHeadline {
    /// Ids of the languages of the files, sorted. JavaScript and TypeScript count together.
    pub languages: Vec<String>,
    /// Version of the definitions, for example `slope/10`; `paper/1` for Python.
    pub definitions: String,
    /// Totals by them.
    pub totals: Totals,
    /// The reason that there are no standings; `None` if there are.
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
    /// What kind it is.
    #[serde(default)]
    pub kind: CallableKind,
    /// Where it stands, decorators excluded.
    pub span: Span,
    /// Cyclomatic complexity, at least 1.
    pub complexity: u32,
    /// Cognitive complexity, 0 or more.
    #[serde(default)]
    pub cognitive: u32,
    /// Parameters, receivers excluded.
    #[serde(default)]
    pub parameters: u32,
    /// Source lines of the callable.
    pub sloc: u32,
    /// Complexity mass: complexity times the square root of `sloc` (paper, equation 2).
    pub mass: f64,
    /// Deepest nesting of control statements, 0 for none.
    pub nesting: u32,
    /// Whether a part of it does not parse. Complexity, mass and nesting are lower bounds then.
    #[serde(default)]
    pub lower_bound: bool,
    /// What of its decisions is rows of tables, which the gate does not count.
    #[serde(default)]
    pub tables: TableRows,
}

/// What was measured of one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileMeasurement {
    /// Path relative to the measured root.
    pub path: String,
    /// Language id, for example `python`.
    pub language: String,
    /// What part of the code base it belongs to.
    #[serde(default)]
    pub part: Part,
    /// Physical lines, less those of tests that are left out.
    pub lines: u32,
    /// Source lines.
    pub sloc: u32,
    /// Source lines flagged by rules.
    pub flagged_lines: u32,
    /// Source lines in clones.
    pub clone_lines: u32,
    /// Source lines in the union of flagged and clone lines.
    pub verbose_lines: u32,
    /// Source lines in near-miss clones (type 3), which verbosity leaves out; `None` if not looked for.
    #[serde(default)]
    pub near_clone_lines: Option<u32>,
    /// Where the file could not be parsed; `None` if it could be as a whole.
    #[serde(default)]
    pub syntax_errors: Option<SyntaxErrors>,
    /// Maintainability index, 0 to 100 and higher is better; `None` for a file without source lines.
    #[serde(default)]
    pub maintainability: Option<f64>,
    /// Cognitive complexity of the control structures outside of callables; boolean operators left
    /// out, and conditional expressions and handlers that stand in no other structure; `None` where
    /// the profile knows nothing of it.
    #[serde(default)]
    pub cognitive_outside: Option<u32>,
    /// What of a file of product code is for tests only; `None` if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inline_tests: Option<InlineTests>,
    /// The code cells of a notebook in order; empty for other files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<NotebookCell>,
    /// The file's callables in order of position.
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

/// What stands in a file of product code for tests only: in Rust items below `#[cfg(test)]` and
/// functions that are tests, in Zig `test` declarations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InlineTests {
    /// Where, in order; none overlaps another.
    pub ranges: Vec<LineRange>,
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
    /// Source lines in near-miss clones; `None` if not looked for.
    #[serde(default)]
    pub near_clone_lines: Option<u32>,
    /// Maintainability index of the file without them; `None` if nothing else is in it.
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
    /// Its number among all cells, from 1.
    pub number: u32,
    /// Its first line, from 1.
    pub start_line: u32,
    /// Its last line.
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

    /// Where a line is among cells in order, for readers: `cell 3, line 12`.
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

/// Lines, from 1, the last included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineRange {
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// A file that could not be measured, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unmeasured {
    /// Path relative to the measured root.
    pub path: String,
    /// Why, in words.
    pub reason: String,
}

/// What slope says of a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measurement {
    /// [`crate::schema::MEASUREMENT`].
    pub schema: String,
    /// Where the numbers came from.
    pub definitions: Definitions,
    /// Totals.
    pub totals: Totals,
    /// Totals by part of the code base; empty unless parts are told apart.
    #[serde(default)]
    pub parts: BTreeMap<Part, Totals>,
    /// Totals by language id.
    #[serde(default)]
    pub languages: BTreeMap<String, Totals>,
    /// The published headline, if there is Python code.
    #[serde(default)]
    pub published: Option<PublishedTotals>,
    /// The headline of each language, that with the most code first.
    #[serde(default)]
    pub headlines: Vec<LanguageHeadline>,
    /// Files in path order.
    pub files: Vec<FileMeasurement>,
    /// Files that could not be measured, in path order.
    pub unmeasured: Vec<Unmeasured>,
    /// Files that were left out on purpose, in path order.
    #[serde(default)]
    pub skipped: Vec<Skipped>,
    /// Number of files in unsupported languages, by suffix: `.elm`, `.dart`. No other number includes them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_languages: BTreeMap<String, u64>,
    /// Classes of clones, largest first, then by path and position.
    #[serde(default)]
    pub clones: Vec<CloneClass>,
    /// Findings by path and position.
    pub findings: Vec<Finding>,
    /// Findings that comments in the code have silenced, by path and position.
    #[serde(default)]
    pub suppressed: Vec<Suppressed>,
    /// Dead code by where it comes from; only there if a base was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead_code: Option<DeadCodeSince>,
}
