//! Histories: measurements of a repository over time, trends, and their causes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ledger::{Amounts, LedgerEntry};
use crate::measurement::{Definitions, Part, Totals};
use crate::metrics::Metric;

/// A commit of a history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommitInfo {
    /// Full hash.
    pub id: String,
    /// Commit time, RFC 3339 in UTC.
    pub time: String,
    /// Name of the author.
    pub author: String,
    /// Email address of the author.
    pub email: String,
    /// Agents that wrote the commit, alone or with the author, by trailers and known addresses. For
    /// a merge: the agents of the commits that it brings in, with `none` if some of them name no
    /// agent.
    #[serde(default)]
    pub agents: Vec<String>,
    /// First line of the message.
    pub subject: String,
    /// Whether the commit has more than one parent.
    pub is_merge: bool,
}

/// One measured snapshot of a history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryPoint {
    /// Position of the commit on the first-parent line, from 0 for the oldest.
    pub position: u32,
    /// The commit.
    pub commit: CommitInfo,
    /// Months (of 30.436875 days) since the first point. Negative if commit times are out of order.
    pub months: f64,
    /// Number of files that differ from the previous point.
    pub changed_files: u32,
    /// Totals, as in `slope measure`. Near-miss clones are `null` if slope skipped them.
    pub totals: Totals,
    /// Totals of each part of the code base.
    #[serde(default)]
    pub parts: BTreeMap<Part, Totals>,
    /// Totals of Python code by the published definitions; `null` without Python code.
    #[serde(default)]
    pub published: Option<Totals>,
    /// Number of findings of rules and signals, by category.
    #[serde(default)]
    pub findings: BTreeMap<String, u64>,
}

impl HistoryPoint {
    /// The value of a metric, in one part of the code base or in all of it. Findings are counted
    /// only in all of it.
    #[must_use]
    pub fn value(&self, metric: &Metric, part: Option<Part>) -> Option<f64> {
        metric.of_code((&self.totals, &self.parts), &self.findings, part)
    }

    /// The value of a metric by the published definitions.
    #[must_use]
    pub fn published_value(&self, metric: &Metric) -> Option<f64> {
        metric.of_totals(self.published.as_ref()?)
    }
}

/// A slope with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlopeEstimate {
    /// Change of the metric per unit of the axis.
    pub slope: f64,
    /// Lower limit of the interval; `null` with fewer than three points.
    pub low: Option<f64>,
    /// Upper limit of the interval; `null` with fewer than three points.
    pub high: Option<f64>,
}

/// Slopes along one axis. A slope is `null` if it is undefined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AxisTrend {
    /// Least-squares slope.
    pub ols: Option<SlopeEstimate>,
    /// Theil–Sen slope: the median of the slopes between all pairs of points.
    pub theil_sen: Option<SlopeEstimate>,
}

/// A point at which a metric starts to move at a different pace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangePoint {
    /// Index of the point in `points` of the history.
    pub point: u32,
    /// Hash of its commit.
    pub commit: String,
    /// Mean step of the metric between points, from the previous change point to this one.
    pub before: f64,
    /// Mean step of the metric between points, from this change point to the next one.
    pub after: f64,
}

/// The trend of one metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricTrend {
    /// Name of the metric, as in totals. The prefix `published.` means the published definitions.
    pub metric: String,
    /// Part of the code base; `null` for all of it.
    pub part: Option<Part>,
    /// Whether the metric is a share (0 to 1) rather than an amount.
    pub is_relative: bool,
    /// Number of points that have a value.
    pub points: u32,
    /// First value.
    pub first: f64,
    /// Last value.
    pub last: f64,
    /// Last value divided by first value, minus 1; `null` if the first value is 0.
    pub growth: Option<f64>,
    /// Share of rising steps among the steps that change the metric, 0 to 1; `null` if no step
    /// changes it.
    pub rising_share: Option<f64>,
    /// Slope per commit of the first-parent line.
    pub per_commit: AxisTrend,
    /// Slope per month; `null` if the points span less than a week.
    pub per_month: AxisTrend,
    /// Slope per thousand source lines of growth of the same part.
    pub per_kloc: AxisTrend,
    /// Points at which the pace changes.
    pub change_points: Vec<ChangePoint>,
}

/// Ledger of one commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommitLedger {
    /// The commit.
    pub commit: CommitInfo,
    /// Full hash of the commit that it is compared with: the previous commit of the first-parent
    /// line that changes measured files. Empty for the first such commit, which has no base.
    pub base: String,
    /// Total change.
    pub change: Amounts,
    /// Part of `change` that reformatting alone causes.
    pub layout: Amounts,
    /// Added minus removed source lines where nothing else changed. They have no entry. `entries`,
    /// `layout` and `sloc_alone` sum to `change`.
    #[serde(default)]
    pub sloc_alone: i64,
    /// Entries, sorted by mass, then lines, then path.
    pub entries: Vec<LedgerEntry>,
}

/// Sum of the changes of one author, agent, file or function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The author, agent, path, or path and function.
    pub name: String,
    /// Number of commits.
    pub commits: u32,
    /// Number of ledger entries.
    pub entries: u32,
    /// Sum of the changes of these entries, without reformatting.
    pub change: Amounts,
}

/// Ledger of a history: commits, and sums over them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryLedger {
    /// Amounts before the first commit of the ledger; zero if the ledger starts at the root commit.
    /// `opening` and the sums of the ledger add up to the amounts at the end.
    #[serde(default)]
    pub opening: Amounts,
    /// Commits with changes, oldest first. They need not be snapshots.
    pub commits: Vec<CommitLedger>,
    /// Sums by author, largest mass first.
    pub authors: Vec<Share>,
    /// Sums by agent: `none` for commits without an agent, `a+b` for commits of several agents,
    /// `a+none` for merges that also bring in commits without an agent.
    pub agents: Vec<Share>,
    /// Sums by file.
    pub files: Vec<Share>,
    /// Sums by function.
    pub functions: Vec<Share>,
    /// Effects of reformatting.
    pub layout: Amounts,
    /// Added minus removed source lines where nothing else changed, including commits that are not
    /// listed because they have no entry.
    #[serde(default)]
    pub sloc_alone: i64,
}

/// History of a repository: snapshots, trends and, on request, a ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct History {
    /// Name and version of this format: `slope.history/1`.
    pub schema: String,
    /// Definitions behind the numbers.
    pub definitions: Definitions,
    /// Name of the repository's folder.
    pub repository: String,
    /// Newest commit, as given with `--rev`, or the default branch.
    pub revision: String,
    /// Number of commits on the first-parent line.
    pub commits: u32,
    /// Number of those commits that change measured files.
    pub touching: u32,
    /// Measured snapshots, oldest first.
    pub points: Vec<HistoryPoint>,
    /// Trends of metrics.
    pub trends: Vec<MetricTrend>,
    /// Messages about missing history and skipped content.
    pub notes: Vec<String>,
    /// Ledger; `null` without `--ledger`.
    #[serde(default)]
    pub ledger: Option<HistoryLedger>,
}

/// Position of an entry in the ledger of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryAt {
    /// Index of its commit in [`HistoryLedger::commits`].
    pub commit: u32,
    /// Index of the entry in [`CommitLedger::entries`].
    pub entry: u32,
}

/// The entries with the largest effect on one metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricMovers {
    /// The metric.
    pub metric: &'static Metric,
    /// Entries that raised it, the largest first.
    pub raised: Vec<EntryAt>,
    /// Entries that lowered it, the largest first.
    pub lowered: Vec<EntryAt>,
}

/// Side of a diff line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffSide {
    /// In both snapshots.
    Both,
    /// Only in the earlier snapshot.
    Before,
    /// Only in the later snapshot.
    After,
}

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// Side.
    pub side: DiffSide,
    /// Line number, from 1, in the later snapshot, or in the earlier one for removed lines.
    pub line: u32,
    /// Text without the line ending. Bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// Diff of an entry's places in a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryDiff {
    /// The entry.
    pub at: EntryAt,
    /// Changed lines with context; empty if the text is the same.
    pub hunks: Vec<Vec<DiffLine>>,
    /// Lines of the diff that were left out because there are too many.
    pub left_out: u32,
}

/// Evidence that a page shows with a history and its ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryEvidence {
    /// Entries with the largest effect, by metric.
    pub movers: Vec<MetricMovers>,
    /// The diffs of those entries, in order of commit and entry.
    pub diffs: Vec<EntryDiff>,
}
