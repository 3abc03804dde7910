//! The table of a trial.

use slope_model::integrity::Weight;
use slope_model::plural;
use slope_model::problem::Group;
use slope_model::run::{CheckpointReport, LeftOver, TrialReport};
use slope_model::verdict::{Count, State};

use super::{Block, Cell, Grid, Row, Tone};
use crate::format::{self, MISSING};
use crate::metric::{Metric, Value};
use crate::summary::{TrialMetric, TrialSummary};

/// The tone of a state, in every format.
pub(crate) fn state_tone(state: State) -> Tone {
    match state {
        State::Passed => Tone::Good,
        State::Failed => Tone::Bad,
        State::AgentError | State::Budget | State::Timeout => Tone::Warn,
        State::Infrastructure | State::Ungraded => Tone::Faint,
    }
}

/// One row for each checkpoint, with the slope of each metric in `metrics` as the last.
pub(crate) fn trial_grid(trial: &TrialReport, summary: &TrialSummary, metrics: &[Metric]) -> Grid {
    let mut grid = Grid::default();
    grid.column("checkpoint", "", Block::Key, true);
    grid.column("state", "", Block::Tests, true);
    let has = |g: &Group| trial.checkpoints.iter().any(|c| c.counts.contains_key(g));
    let groups: Vec<Group> = Group::ALL.into_iter().filter(has).collect();
    for group in &groups {
        grid.column(group_title(*group), "tests", Block::Tests, false);
    }
    let seen = trial.checkpoints.iter().any(|c| !c.integrity.is_empty());
    if seen {
        grid.column("integrity", "", Block::Tests, true);
    }
    let columns: Vec<MetricColumn<'_>> = metrics
        .iter()
        .filter_map(|metric| summary.metrics.iter().find(|m| m.metric == *metric))
        .map(MetricColumn::new)
        .collect();
    for column in &columns {
        let metric = column.data.metric;
        let block = match metric.is_effort() {
            true => Block::Effort,
            false => Block::Quality,
        };
        let (title, unit) = metric.head();
        grid.column(title, unit, block, false);
    }
    for (at, checkpoint) in trial.checkpoints.iter().enumerate() {
        let mut cells = tests_cells(&mut grid, checkpoint, &groups, seen);
        for column in &columns {
            cells.push(column.value_cell(&mut grid, checkpoint, at));
        }
        grid.row(cells);
        let Some(after) = &checkpoint.after_pass else {
            continue;
        };
        let mut cells = tests_cells(&mut grid, after, &groups, seen);
        cells[0] = Cell::new("  after the pass", Tone::Faint);
        for column in &columns {
            cells.push(column.cell(&mut grid, after, &column.data.metric.value(after)));
        }
        grid.row(cells);
    }
    let mut cells = vec![Cell::new("slope", Tone::Plain), Cell::new("", Tone::Plain)];
    cells.extend(groups.iter().map(|_| Cell::new("", Tone::Plain)));
    cells.extend(seen.then(|| Cell::new("", Tone::Plain)));
    for column in &columns {
        cells.push(column.slope_cell(&mut grid));
    }
    grid.rows.push(Row {
        cells,
        is_foot: true,
    });
    grid
}

/// The cells of a checkpoint up to its metrics.
fn tests_cells(
    grid: &mut Grid,
    checkpoint: &CheckpointReport,
    groups: &[Group],
    integrity: bool,
) -> Vec<Cell> {
    let mut cells = vec![key_cell(grid, checkpoint), state_cell(grid, checkpoint)];
    for group in groups {
        cells.push(count_cell(grid, checkpoint, *group));
    }
    cells.extend(integrity.then(|| integrity_cell(checkpoint)));
    cells
}

fn group_title(group: Group) -> &'static str {
    match group {
        Group::Core => "core",
        Group::Functionality => "func.",
        Group::Error => "error",
        Group::Regression => "regr.",
    }
}

fn key_cell(grid: &mut Grid, checkpoint: &CheckpointReport) -> Cell {
    let mut cell = Cell::new(
        format::shorten(&format::clean(&checkpoint.checkpoint), 40),
        Tone::Plain,
    );
    if let Some(totals) = checkpoint
        .totals
        .as_ref()
        .filter(|t| t.unmeasured_files > 0)
    {
        let all = totals.files.saturating_add(totals.unmeasured_files);
        cell.note = Some(grid.note(&format!(
            "{} of {} could not be measured and are not in the numbers",
            totals.unmeasured_files,
            format::plural(all, "file"),
        )));
    }
    cell
}

fn state_cell(grid: &mut Grid, checkpoint: &CheckpointReport) -> Cell {
    let mut cell = Cell::new(checkpoint.state.name(), state_tone(checkpoint.state));
    if let Some(reason) = &checkpoint.reason {
        // The wording of `Metric::value` for values missing because of the state.
        let left = checkpoint.left.as_ref().map(left_over).unwrap_or_default();
        cell.note = Some(grid.note(&format!("{}: {reason}{left}", checkpoint.state.name())));
    }
    cell
}

/// Test results of an ended attempt's workspace.
fn left_over(left: &LeftOver) -> String {
    let sum = |of: fn(&Count) -> u32| left.counts.values().map(of).sum::<u32>();
    match left.state {
        State::Passed | State::Failed => format!(
            "; its workspace passes {} of {} tests",
            sum(|count| count.passed),
            sum(|count| count.total)
        ),
        _ => String::new(),
    }
}

/// Number of observations at a checkpoint, by weight; the list below the tables has the details.
fn integrity_cell(checkpoint: &CheckpointReport) -> Cell {
    let of = |weight: Weight| {
        checkpoint
            .integrity
            .iter()
            .filter(|s| s.weight == weight)
            .count()
    };
    let noted = of(Weight::Noted);
    match of(Weight::Violation) {
        0 if noted == 0 => Cell::new("clean", Tone::Good),
        0 => Cell::new(format!("{noted} noted"), Tone::Faint),
        1 => Cell::new("1 violation", Tone::Warn),
        many => Cell::new(plural(many, "violation"), Tone::Warn),
    }
}

fn count_cell(grid: &mut Grid, checkpoint: &CheckpointReport, group: Group) -> Cell {
    match checkpoint.counts.get(&group) {
        Some(count) => {
            let stable = count.total.saturating_sub(count.unstable);
            let tone = match () {
                () if stable == 0 => Tone::Faint,
                () if count.passed >= stable => Tone::Good,
                () => Tone::Bad,
            };
            Cell::new(format::count(count), tone)
        }
        None => {
            let mut cell = Cell::new(MISSING, Tone::Faint);
            // A graded checkpoint may have no tests of a group: then nothing is missing.
            if !matches!(checkpoint.state, State::Passed | State::Failed) {
                let name = checkpoint.state.name();
                let reason = checkpoint.reason.as_deref().unwrap_or("no tests ran");
                cell.note = Some(grid.note(&format!("{name}: {reason}")));
            }
            cell
        }
    }
}

/// A metric's column: its digits are those of its largest value.
struct MetricColumn<'a> {
    data: &'a TrialMetric,
    decimals: usize,
}

impl<'a> MetricColumn<'a> {
    fn new(data: &'a TrialMetric) -> Self {
        let values = data.points.iter().filter_map(|p| p.value);
        let largest = values.map(f64::abs).fold(0.0, f64::max);
        Self {
            data,
            decimals: format::decimals(data.metric.kind(), largest),
        }
    }

    fn value_cell(&self, grid: &mut Grid, checkpoint: &CheckpointReport, at: usize) -> Cell {
        let point = self.data.points.get(at);
        let reason = point.and_then(|p| p.reason.clone());
        let reason = || reason.unwrap_or_else(|| "not measured".to_owned());
        let value = point.and_then(|p| p.value).ok_or_else(reason);
        self.cell(grid, checkpoint, &value)
    }

    fn cell(&self, grid: &mut Grid, checkpoint: &CheckpointReport, value: &Value) -> Cell {
        if let Ok(value) = *value {
            let mut cell = Cell::new(format::number(value, self.decimals), Tone::Plain);
            let unreported = checkpoint.usage.as_ref().map_or(0, |u| u.unreported);
            if unreported > 0 && self.data.metric.is_usage() {
                cell.note = Some(grid.note(&format!(
                    "too low: {unreported} of the model's responses had no usage"
                )));
            }
            return cell;
        }
        let mut cell = Cell::new(MISSING, Tone::Faint);
        cell.note = value.as_ref().err().map(|reason| grid.note(reason));
        cell
    }

    fn slope_cell(&self, grid: &mut Grid) -> Cell {
        match self.data.slope {
            Some(slope) => {
                // The column's number of decimals, so that the points line up; a slope of integers
                // is rarely an integer and gets one decimal.
                let whole = self.decimals == 0 && slope.abs() < 1000.0;
                let digits = if whole { 1 } else { self.decimals };
                Cell::new(format::signed(slope, digits), Tone::Plain)
            }
            None => {
                let mut cell = Cell::new(MISSING, Tone::Faint);
                cell.note = Some(grid.note("a slope needs values at two checkpoints"));
                cell
            }
        }
    }
}
