//! Rows behind a report, for other programs: one table for each kind of row.

use std::borrow::Cow;
use std::sync::Arc;

use slope_model::detail::RunDetail;
use slope_model::run::{CheckpointReport, RunReport, TrialReport};

mod compared;
mod parquet;
mod versions;
mod writer;

pub use writer::{EncodedRows, RowError, RowForm, RowWriter};

use crate::arms::arm;
use crate::metric::Metric;
use crate::rates::{self, Rule, Standing};
use crate::study::{Binning, PHASES, PhaseQuantity, Study};

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// Text, verbatim. Texts of many rows are shared.
    Text(Arc<str>),
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
    /// Yes or no.
    Flag(bool),
    /// Missing.
    Missing,
}

/// Type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// Whole numbers.
    Whole,
    /// Numbers.
    Real,
    /// Yes or no.
    Flag,
}

/// All rows of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct RowTable {
    /// Name of the kind, which files are named by.
    pub name: &'static str,
    /// Names and types of the columns. Any of them may lack a value in a row.
    pub columns: Vec<(Cow<'static, str>, ColumnKind)>,
    /// The rows, each with a value for each column.
    pub rows: Vec<Vec<Field>>,
}

impl From<&str> for Field {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<u32> for Field {
    fn from(number: u32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<u64> for Field {
    fn from(number: u64) -> Self {
        Self::Whole(number)
    }
}

impl<T> From<Option<T>> for Field
where
    Field: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Self::from)
    }
}

impl From<f64> for Field {
    fn from(number: f64) -> Self {
        // These tables contain finite values only.
        if number.is_finite() {
            Self::Real(number)
        } else {
            Self::Missing
        }
    }
}

impl From<bool> for Field {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

/// Rows of runs: `checkpoints`, `groups` (tests of a checkpoint by group), `tests` (those that did
/// not pass or are unstable), and from `details`, one for each report, `attempts` and `functions`.
/// The rows of several runs are concatenated; without a run the tables are empty. `docs/reports.md`
/// has the columns.
#[must_use]
pub fn run_tables(reports: &[RunReport], details: &[RunDetail]) -> Vec<RowTable> {
    let mut tables = vec![checkpoints(reports), groups(reports), tests(reports)];
    tables.extend(compared::of_details(reports, details));
    tables
}

/// Rows of runs together: `phases` of cohorts, and their panels.
#[must_use]
pub fn study_tables(study: &Study) -> Vec<RowTable> {
    let mut tables = vec![phases(study)];
    tables.extend(compared::tables(study));
    tables.push(versions::versions(study));
    tables
}

/// Columns that identify the checkpoint of a row.
const PLACE: [(&str, ColumnKind); 7] = [
    ("run", ColumnKind::Text),
    ("model", ColumnKind::Text),
    ("agent", ColumnKind::Text),
    ("arm", ColumnKind::Text),
    ("problem", ColumnKind::Text),
    ("trial", ColumnKind::Whole),
    ("checkpoint", ColumnKind::Text),
];

fn place(report: &RunReport, trial: &TrialReport, checkpoint: &CheckpointReport) -> Vec<Field> {
    let config = &report.config;
    let agent = format!("{} {}", config.agent, config.agent_version);
    vec![
        report.run.to_string_lossy().as_ref().into(),
        config.model.as_str().into(),
        agent.trim().into(),
        arm(report).as_str().into(),
        trial.problem.as_str().into(),
        trial.trial.into(),
        checkpoint.checkpoint.as_str().into(),
    ]
}

/// Columns whose names are known.
fn named<'a>(
    columns: impl IntoIterator<Item = &'a (&'static str, ColumnKind)>,
) -> Vec<(Cow<'static, str>, ColumnKind)> {
    let named = columns
        .into_iter()
        .map(|(name, kind)| (Cow::from(*name), *kind));
    named.collect()
}

/// A row with the columns that identify its checkpoint.
fn placed(place: &[Field], own: Vec<Field>) -> Vec<Field> {
    place.iter().cloned().chain(own).collect()
}

fn table(
    name: &'static str,
    columns: &[(&'static str, ColumnKind)],
    reports: &[RunReport],
    rows_of: impl Fn(&TrialReport, usize, &CheckpointReport) -> Vec<Vec<Field>>,
) -> RowTable {
    let mut rows = Vec::new();
    for report in reports {
        for trial in &report.trials {
            for (at, checkpoint) in trial.checkpoints.iter().enumerate() {
                let place = place(report, trial, checkpoint);
                let own = rows_of(trial, at, checkpoint).into_iter();
                rows.extend(own.map(|own| placed(&place, own)));
            }
        }
    }
    RowTable {
        name,
        columns: named(PLACE.iter().chain(columns)),
        rows,
    }
}

fn checkpoints(reports: &[RunReport]) -> RowTable {
    let mut columns = vec![
        ("index", ColumnKind::Whole),
        ("phase", ColumnKind::Text),
        ("state", ColumnKind::Text),
        ("lost", ColumnKind::Flag),
        ("reason", ColumnKind::Text),
        ("strict", ColumnKind::Flag),
        ("isolated", ColumnKind::Flag),
        ("core", ColumnKind::Flag),
    ];
    columns.extend(Metric::all().map(|metric| (metric.key(), ColumnKind::Real)));
    columns.extend([
        ("input_tokens", ColumnKind::Whole),
        ("cache_read_tokens", ColumnKind::Whole),
        ("cache_write_tokens", ColumnKind::Whole),
        ("output_tokens", ColumnKind::Whole),
        ("requests", ColumnKind::Whole),
        ("grade_s", ColumnKind::Real),
        ("snapshot", ColumnKind::Text),
    ]);
    table("checkpoints", &columns, reports, |trial, at, checkpoint| {
        vec![checkpoint_row(trial, at, checkpoint)]
    })
}

fn checkpoint_row(trial: &TrialReport, at: usize, checkpoint: &CheckpointReport) -> Vec<Field> {
    let standing = rates::standings(trial)[at];
    let phases = Binning::Paper.phases(trial.checkpoints.len());
    let solved = |rule| {
        let graded = standing == Standing::Graded;
        graded.then(|| rates::is_solved(checkpoint, rule)).flatten()
    };
    let mut row: Vec<Field> = vec![
        checkpoint.index.into(),
        PHASES[phases[at]].into(),
        checkpoint.state.name().into(),
        (standing == Standing::Lost).into(),
        checkpoint.reason.as_deref().into(),
        solved(Rule::Strict).into(),
        solved(Rule::Isolated).into(),
        solved(Rule::Core).into(),
    ];
    row.extend(Metric::all().map(|metric| metric.value(checkpoint).ok().into()));
    let usage = checkpoint.usage.as_ref();
    row.extend([
        usage.map(|u| u.tokens.input).into(),
        usage.map(|u| u.tokens.cache_read).into(),
        usage.map(|u| u.tokens.cache_write).into(),
        usage.map(|u| u.tokens.output).into(),
        usage.map(|u| u.requests).into(),
        checkpoint.grade_s.into(),
        checkpoint.snapshot.as_deref().into(),
    ]);
    row
}

fn groups(reports: &[RunReport]) -> RowTable {
    let columns = [
        ("group", ColumnKind::Text),
        ("passed", ColumnKind::Whole),
        ("total", ColumnKind::Whole),
        ("unstable", ColumnKind::Whole),
    ];
    table("groups", &columns, reports, |_, _, checkpoint| {
        let counts = checkpoint.counts.iter();
        counts
            .map(|(group, count)| {
                vec![
                    group.name().into(),
                    count.passed.into(),
                    count.total.into(),
                    count.unstable.into(),
                ]
            })
            .collect()
    })
}

fn tests(reports: &[RunReport]) -> RowTable {
    let columns = [("test", ColumnKind::Text), ("outcome", ColumnKind::Text)];
    table("tests", &columns, reports, |_, _, checkpoint| {
        let failed = checkpoint.not_passed.iter().map(|id| (id, "not-passed"));
        let unstable = checkpoint.unstable.iter().map(|id| (id, "unstable"));
        failed
            .chain(unstable)
            .map(|(id, outcome)| vec![id.as_str().into(), outcome.into()])
            .collect()
    })
}

fn phases(study: &Study) -> RowTable {
    let columns = vec![
        ("model", ColumnKind::Text),
        ("agent", ColumnKind::Text),
        ("arm", ColumnKind::Text),
        ("quantity", ColumnKind::Text),
        ("phase", ColumnKind::Text),
        ("mean", ColumnKind::Real),
        ("low", ColumnKind::Real),
        ("high", ColumnKind::Real),
        ("problems", ColumnKind::Whole),
        ("checkpoints", ColumnKind::Whole),
    ];
    let mut rows = Vec::new();
    for cohort in &study.cohorts {
        for row in &cohort.phases {
            for (phase, value) in PHASES.iter().zip(&row.values) {
                rows.push(vec![
                    cohort.model.as_deref().into(),
                    cohort.agent.as_deref().into(),
                    cohort.arm.as_deref().into(),
                    key(row.quantity).as_str().into(),
                    (*phase).into(),
                    value.mean.into(),
                    value.interval.map(|i| i.low).into(),
                    value.interval.map(|i| i.high).into(),
                    value.problems.into(),
                    value.checkpoints.into(),
                ]);
            }
        }
    }
    RowTable {
        name: "phases",
        columns: named(&columns),
        rows,
    }
}

fn key(quantity: PhaseQuantity) -> String {
    match quantity {
        PhaseQuantity::Strict => "strict".to_owned(),
        PhaseQuantity::Isolated => "isolated".to_owned(),
        PhaseQuantity::Core => "core".to_owned(),
        PhaseQuantity::Tests(group) => format!("{}_tests", group.name()),
        PhaseQuantity::Metric(metric) => metric.key().to_owned(),
    }
}
