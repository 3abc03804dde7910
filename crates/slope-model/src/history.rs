//! Histories: the trajectory of a repository, its trends, and their causes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ledger::{Amounts, LedgerEntry};
use crate::measurement::{Definitions, Part, Totals};
use crate::metrics::{Metric, Source};

/// A commit of a history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommitInfo {
    /// Its name in full.
    pub id: String,
    /// When it was committed, RFC 3339 in UTC.
    pub time: String,
    /// Name of its author.
    pub author: String,
    /// Address of its author.
    pub email: String,
    /// Agents that wrote it, alone or with its author, by trailers and known addresses. Of a merge
    /// on a line of first parents those of the commits that it brings in, and `none` with them
    /// where others of these name no agent.
    #[serde(default)]
    pub agents: Vec<String>,
    /// First line of its message.
    pub subject: String,
    /// Whether it has more than one parent.
    pub is_merge: bool,
}

/// One snapshot of a history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryPoint {
    /// Position of the commit on the walked line, from 0 for the oldest.
    pub position: u32,
    /// The commit.
    pub commit: CommitInfo,
    /// Months (of 30.436875 days) since the first point; negative where clocks went wrong.
    pub months: f64,
    /// Files that differ from the point before.
    pub changed_files: u32,
    /// Totals, as of `slope measure`; near-miss clones only if they were looked for.
    pub totals: Totals,
    /// Totals by part of the code base.
    #[serde(default)]
    pub parts: BTreeMap<Part, Totals>,
    /// Totals of Python code by the published definitions, if there is any.
    #[serde(default)]
    pub published: Option<Totals>,
    /// Findings of rules and signals by category.
    #[serde(default)]
    pub findings: BTreeMap<String, u64>,
}

impl HistoryPoint {
    /// The value of a metric, in one part of the code base or in all. Findings are only counted in
    /// all.
    #[must_use]
    pub fn value(&self, metric: &Metric, part: Option<Part>) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        if let Source::Findings(category) = metric.source {
            return Some(self.findings.get(category).copied().unwrap_or(0) as f64);
        }
        let totals = match part {
            None => &self.totals,
            Some(part) => self.parts.get(&part)?,
        };
        metric.of_totals(totals)
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
    /// Change of the metric for each unit of the axis.
    pub slope: f64,
    /// Lower limit; `None` with fewer than three points.
    pub low: Option<f64>,
    /// Upper limit.
    pub high: Option<f64>,
}

/// Slopes along one axis. `None` where they do not exist.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AxisTrend {
    /// By least squares.
    pub ols: Option<SlopeEstimate>,
    /// By Theil and Sen: the median of the slopes between all pairs of points.
    pub theil_sen: Option<SlopeEstimate>,
}

/// A point after which a metric moves at another pace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangePoint {
    /// Index of the point in the history's list.
    pub point: u32,
    /// Its commit.
    pub commit: String,
    /// Mean step of the metric from point to point before it, since the change point before.
    pub before: f64,
    /// The same after it, until the next.
    pub after: f64,
}

/// The trend of one metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricTrend {
    /// Name, as in totals; `published.…` for the published definitions.
    pub metric: String,
    /// Part of the code base; `None` for the whole.
    pub part: Option<Part>,
    /// Whether the metric is a share (0 to 1) rather than an amount.
    pub is_relative: bool,
    /// Points that have a value.
    pub points: u32,
    /// Value at the first of them.
    pub first: f64,
    /// Value at the last of them.
    pub last: f64,
    /// Last over first, less 1; `None` if the first is 0.
    pub growth: Option<f64>,
    /// Share of the steps that change the metric which raise it; `None` if none changes it.
    pub rising_share: Option<f64>,
    /// Slope for each commit of the walked line.
    pub per_commit: AxisTrend,
    /// Slope for each month; missing where the points span less than a week.
    pub per_month: AxisTrend,
    /// Slope for each thousand source lines that the same part has grown by.
    pub per_kloc: AxisTrend,
    /// Where the pace changes.
    pub change_points: Vec<ChangePoint>,
}

/// What one commit did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommitLedger {
    /// The commit.
    pub commit: CommitInfo,
    /// Name in full of the commit that it is held against: the one before it on the walked line
    /// that changes measured files. Empty for the first commit with such files, which is held
    /// against nothing.
    pub base: String,
    /// Its change of the whole.
    pub change: Amounts,
    /// The part of it that only another layout of the same code made.
    pub layout: Amounts,
    /// The source lines of it that came or went where nothing else changed, of which there is no
    /// entry. Entries, `layout` and these sum to `change`.
    #[serde(default)]
    pub sloc_alone: i64,
    /// Its entries by weight.
    pub entries: Vec<LedgerEntry>,
}

/// What was changed by or at something: an author, an agent, a file, a function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The author, agent, path, or path and function.
    pub name: String,
    /// Commits.
    pub commits: u32,
    /// Entries.
    pub entries: u32,
    /// Sum of their changes, layout left out.
    pub change: Amounts,
}

/// The ledger of a history: commits, and sums over them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryLedger {
    /// What stood there before the first commit that is entered: nothing for a history that is
    /// told from its root on. With it the sums of the ledger are what stands there at the end.
    #[serde(default)]
    pub opening: Amounts,
    /// Commits that change anything, oldest first, whether they are snapshots or not.
    pub commits: Vec<CommitLedger>,
    /// By author, largest mass first.
    pub authors: Vec<Share>,
    /// By agent; `none` for commits without one, `a+b` for those of several, `a+none` for merges
    /// of commits of which some name no agent.
    pub agents: Vec<Share>,
    /// By file.
    pub files: Vec<Share>,
    /// By function.
    pub functions: Vec<Share>,
    /// What only another layout of the same code did.
    pub layout: Amounts,
    /// Source lines that came or went where nothing else changed, also in commits that have no
    /// entry and are not listed.
    #[serde(default)]
    pub sloc_alone: i64,
}

/// The trajectory of a repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct History {
    /// [`crate::schema::HISTORY`].
    pub schema: String,
    /// Where the numbers came from.
    pub definitions: Definitions,
    /// Name of the repository: its folder's.
    pub repository: String,
    /// The newest commit, as it was asked for.
    pub revision: String,
    /// Commits on the walked line.
    pub commits: u32,
    /// Of those, commits that change measured files.
    pub touching: u32,
    /// Snapshots, oldest first.
    pub points: Vec<HistoryPoint>,
    /// Trends by metric.
    pub trends: Vec<MetricTrend>,
    /// What the repository lacks and what was left out, in words.
    pub notes: Vec<String>,
    /// The ledger, if it was asked for.
    #[serde(default)]
    pub ledger: Option<HistoryLedger>,
}

/// An entry of a history's ledger, by its position there.
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
    /// The metric, one of those that a ledger has.
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
    /// Its text without the line's end. Bytes that are no UTF-8 are replaced.
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
