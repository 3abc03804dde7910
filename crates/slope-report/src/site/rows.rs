//! Tables of pages as data: CSV (RFC 4180) and Parquet.

use std::borrow::Cow;
use std::collections::BTreeSet;

use slope_model::summary::Summary;
use slope_model::watch::{Conduct, TaskRun, WatchDay};
use slope_model::watch_status::Status;

use super::runs::RunLine;
use crate::format::clean;
use crate::leaderboard::RunCard;
use crate::rows::{ColumnKind, Field, RowError, RowForm, RowTable, RowWriter};
use crate::table::{Table, guarded};

/// Columns of points before those of values.
const OF_POINTS: [(&str, ColumnKind); 9] = [
    ("key", ColumnKind::Text),
    ("time", ColumnKind::Text),
    ("iteration", ColumnKind::Whole),
    ("commit", ColumnKind::Text),
    ("person", ColumnKind::Text),
    ("agent", ColumnKind::Text),
    ("agent_version", ColumnKind::Text),
    ("model", ColumnKind::Text),
    ("definitions", ColumnKind::Text),
];
/// Columns of runs before those of rates and slopes.
const OF_RUNS: [(&str, ColumnKind); 18] = [
    ("project", ColumnKind::Text),
    ("run", ColumnKind::Text),
    ("label", ColumnKind::Text),
    ("agent", ColumnKind::Text),
    ("model", ColumnKind::Text),
    ("arm", ColumnKind::Text),
    ("track", ColumnKind::Text),
    ("phase", ColumnKind::Text),
    ("started", ColumnKind::Text),
    ("problems", ColumnKind::Whole),
    ("trials", ColumnKind::Whole),
    ("expected", ColumnKind::Whole),
    ("graded", ColumnKind::Whole),
    ("lost", ColumnKind::Whole),
    ("missing", ColumnKind::Whole),
    ("cost_usd", ColumnKind::Real),
    ("tokens", ColumnKind::Real),
    ("agent_s", ColumnKind::Real),
];

/// Known columns, and those of numbers with these names.
fn columns(
    known: &[(&'static str, ColumnKind)],
    values: impl Iterator<Item = String>,
) -> Vec<(Cow<'static, str>, ColumnKind)> {
    let known = known.iter().map(|(name, kind)| (Cow::from(*name), *kind));
    known
        .chain(values.map(|name| (Cow::from(name), ColumnKind::Real)))
        .collect()
}

fn text(text: &Option<String>) -> Field {
    text.as_deref().into()
}

/// Points: one row per point, one column per value of these names.
#[must_use]
pub fn point_table(points: &[Summary], names: &BTreeSet<String>) -> RowTable {
    let rows = points.iter().map(|point| {
        let author = &point.author;
        let commit = point.commit.as_ref().map(|commit| commit.id.as_str());
        let known = [
            point.key.as_str().into(),
            point.time.as_str().into(),
            point.iteration.into(),
            commit.into(),
            text(&author.person),
            text(&author.agent),
            text(&author.agent_version),
            text(&author.model),
            point.definitions.as_str().into(),
        ];
        let values = names
            .iter()
            .map(|name| point.values.get(name).copied().into());
        known.into_iter().chain(values).collect()
    });
    RowTable {
        name: "points",
        columns: columns(&OF_POINTS, names.iter().cloned()),
        rows: rows.collect(),
    }
}

/// Runs: one row per run.
#[must_use]
pub fn run_table(runs: &[RunLine]) -> RowTable {
    let rates = RunCard::RATES.iter().map(|rate| format!("{rate}_rate"));
    let slopes = RunCard::slope_names().map(|name| format!("{name}_slope"));
    let rows = runs.iter().map(|run| {
        let card = &run.card;
        let (problems, trials) = card.size();
        let known = [
            run.project.as_str().into(),
            run.run.as_str().into(),
            card.label.as_str().into(),
            card.agent.as_str().into(),
            card.model.as_str().into(),
            card.arm.as_str().into(),
            card.track.as_str().into(),
            run.phase.name().into(),
            text(&run.started),
            problems.into(),
            trials.into(),
            card.coverage.expected.into(),
            card.coverage.graded.into(),
            card.coverage.lost.into(),
            card.coverage.missing().into(),
            card.spent.cost_usd.into(),
            card.spent.tokens.into(),
            card.spent.agent_s.into(),
        ];
        let values = card.rate_values().into_iter().chain(card.slope_values());
        known.into_iter().chain(values.map(Field::from)).collect()
    });
    RowTable {
        name: "runs",
        columns: columns(&OF_RUNS, rates.chain(slopes)),
        rows: rows.collect(),
    }
}

/// Columns of the days of series.
const OF_SERIES: [(&str, ColumnKind); 10] = [
    ("arm", ColumnKind::Text),
    ("measure", ColumnKind::Text),
    ("date", ColumnKind::Text),
    ("state", ColumnKind::Text),
    ("difference", ColumnKind::Real),
    ("se", ColumnKind::Real),
    ("tasks", ColumnKind::Whole),
    ("scan", ColumnKind::Real),
    ("threshold", ColumnKind::Real),
    ("e_detector", ColumnKind::Real),
];

/// The series of a watch: one row per series and day after the baseline.
#[must_use]
pub fn watch_series_table(status: &Status) -> RowTable {
    let rows = status.series.iter().flat_map(|one| {
        one.days.iter().map(|day| {
            vec![
                one.arm.as_str().into(),
                one.measure.as_str().into(),
                day.date.as_str().into(),
                day.state.name().into(),
                day.difference.into(),
                day.se.into(),
                (day.tasks as u64).into(),
                day.z.into(),
                one.threshold.into(),
                day.e_detector.into(),
            ]
        })
    });
    RowTable {
        name: "series",
        columns: columns(&OF_SERIES, std::iter::empty()),
        rows: rows.collect(),
    }
}

/// Columns of the runs of tasks.
const OF_TASK_RUNS: [(&str, ColumnKind); 39] = [
    ("date", ColumnKind::Text),
    ("suite", ColumnKind::Text),
    ("invalid", ColumnKind::Text),
    ("arm", ColumnKind::Text),
    ("role", ColumnKind::Text),
    ("agent", ColumnKind::Text),
    ("agent_version", ColumnKind::Text),
    ("model", ColumnKind::Text),
    ("task", ColumnKind::Text),
    ("trial", ColumnKind::Whole),
    ("outcome", ColumnKind::Text),
    ("reason", ColumnKind::Text),
    ("class", ColumnKind::Text),
    ("also", ColumnKind::Text),
    ("passed_share", ColumnKind::Real),
    ("input_tokens", ColumnKind::Whole),
    ("cache_read_tokens", ColumnKind::Whole),
    ("cache_write_tokens", ColumnKind::Whole),
    ("output_tokens", ColumnKind::Whole),
    ("reasoning_tokens", ColumnKind::Whole),
    ("requests", ColumnKind::Whole),
    ("tool_calls", ColumnKind::Whole),
    ("cost_usd", ColumnKind::Real),
    ("agent_s", ColumnKind::Real),
    ("erosion", ColumnKind::Real),
    ("verbosity", ColumnKind::Real),
    ("mass", ColumnKind::Real),
    ("new_security", ColumnKind::Whole),
    ("cpu_s", ColumnKind::Real),
    ("reference_cpu_s", ColumnKind::Real),
    ("peak_memory", ColumnKind::Whole),
    ("reference_peak_memory", ColumnKind::Whole),
    ("tool_s", ColumnKind::Real),
    ("reads_before_edit", ColumnKind::Whole),
    ("malformed_calls", ColumnKind::Whole),
    ("cut_answers", ColumnKind::Whole),
    ("refusals", ColumnKind::Whole),
    ("foreign_characters", ColumnKind::Whole),
    ("unparsable_files", ColumnKind::Whole),
];

/// The days of a watch: one row per run of a task.
#[must_use]
pub fn watch_runs_table(days: &[WatchDay]) -> RowTable {
    let arms = days
        .iter()
        .flat_map(|day| day.arms.iter().map(move |(name, arm)| (day, name, arm)));
    let rows = arms.flat_map(|(day, name, arm)| {
        arm.tasks.iter().map(move |run| {
            let of_day = [
                day.date.as_str().into(),
                day.suite.as_str().into(),
                text(&day.invalid),
                name.as_str().into(),
                arm.role.name().into(),
                arm.agent.as_str().into(),
                arm.agent_version.as_str().into(),
                arm.model.as_str().into(),
            ];
            of_day.into_iter().chain(task_run(run)).collect()
        })
    });
    RowTable {
        name: "runs",
        columns: columns(&OF_TASK_RUNS, std::iter::empty()),
        rows: rows.collect(),
    }
}

fn task_run(run: &TaskRun) -> [Field; 31] {
    let usage = run.usage.as_ref();
    let conduct = run.conduct.as_ref();
    let count = |of: fn(&Conduct) -> Option<u64>| conduct.and_then(of).into();
    let tokens = usage.map(|usage| usage.tokens);
    [
        run.task.as_str().into(),
        run.trial.into(),
        run.outcome.name().into(),
        text(&run.reason),
        text(&run.class),
        text(&run.also),
        run.passed_share.into(),
        tokens.map(|tokens| tokens.input).into(),
        tokens.map(|tokens| tokens.cache_read).into(),
        tokens.map(|tokens| tokens.cache_write).into(),
        tokens.map(|tokens| tokens.output).into(),
        tokens.map(|tokens| tokens.reasoning).into(),
        usage.map(|usage| usage.requests).into(),
        usage.map(|usage| usage.tool_calls).into(),
        usage.and_then(|usage| usage.cost_usd).into(),
        run.agent_s.into(),
        run.quality.and_then(|quality| quality.erosion).into(),
        run.quality.and_then(|quality| quality.verbosity).into(),
        run.quality.and_then(|quality| quality.mass).into(),
        run.quality.and_then(|quality| quality.new_security).into(),
        run.efficiency.map(|one| one.cpu_s).into(),
        run.efficiency.map(|one| one.reference_cpu_s).into(),
        run.efficiency.map(|one| one.peak_memory).into(),
        run.efficiency.map(|one| one.reference_peak_memory).into(),
        conduct.and_then(|conduct| conduct.tool_s).into(),
        count(|conduct| conduct.reads_before_edit),
        count(|conduct| conduct.malformed_calls),
        count(|conduct| conduct.cut_answers),
        count(|conduct| conduct.refusals),
        count(|conduct| conduct.foreign_characters),
        count(|conduct| conduct.unparsable_files),
    ]
}

/// The header of a table as CSV.
#[must_use]
pub fn csv_head(table: &RowTable) -> String {
    Table::new(table.columns.iter().map(|(name, _)| &**name)).finish()
}

/// The rows of a table as CSV, without a header. Spreadsheets take no text for a formula.
#[must_use]
pub fn csv_rows(table: &RowTable) -> String {
    let mut csv = Table::without_head();
    let cell = |field: &Field| match field {
        Field::Text(text) => guarded(clean(text)),
        Field::Whole(number) => number.to_string(),
        Field::Real(number) => number.to_string(),
        Field::Flag(flag) => flag.to_string(),
        Field::Missing => String::new(),
    };
    for row in &table.rows {
        csv.push(row.iter().map(cell));
    }
    csv.finish()
}

/// A Parquet file of a table that may come in parts.
pub struct ParquetFile(RowWriter<Vec<u8>>);

impl ParquetFile {
    /// A file with the columns of a table. Its rows are ignored.
    ///
    /// # Errors
    /// If the columns make no schema.
    pub fn new(table: &RowTable) -> Result<Self, RowError> {
        RowWriter::new(Vec::new(), RowForm::Parquet, table).map(Self)
    }

    /// Adds the rows of a table with the same columns.
    ///
    /// # Errors
    /// If the rows have other columns.
    pub fn add(&mut self, table: RowTable) -> Result<(), RowError> {
        self.0.put(RowForm::Parquet.encode(table)?)
    }

    /// The whole file.
    ///
    /// # Errors
    /// If the last rows have other columns.
    pub fn finish(self) -> Result<Vec<u8>, RowError> {
        Ok(self.0.finish()?.0)
    }
}
