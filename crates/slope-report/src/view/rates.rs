//! The tables of rates, coverage and spending.

use super::{Block, Cell, Grid, Tone};
use crate::format::{self, MISSING};
use crate::metric::Metric;
use crate::rates::{CheckpointRate, Coverage, Proportion, TrialRate};
use crate::summary::{RunSummary, Spent};

/// Something of a run's summary.
type Of<T> = fn(&RunSummary) -> T;

/// Rates of checkpoints with intervals.
pub(crate) fn rate_grid(labels: &[String], summaries: &[RunSummary]) -> Grid {
    let mut grid = Grid::default();
    grid.column("rate", "", Block::Key, true);
    grid.column("run", "", Block::Key, true);
    grid.column("solved", "of graded", Block::Tests, false);
    grid.column("share", "%", Block::Tests, false);
    grid.column("interval", "95 %", Block::Tests, false);
    grid.column("solved", "lost counted", Block::Quality, false);
    grid.column("share", "%", Block::Quality, false);
    grid.column("interval", "95 %", Block::Quality, false);
    let checkpoint: [(&str, Of<Option<CheckpointRate>>); 5] = [
        ("strict", |s| Some(s.rates.strict)),
        ("strict, with ended attempts", |s| s.rates.strict_with_left),
        ("strict, after the pass", |s| s.rates.strict_after_pass),
        ("isolated", |s| Some(s.rates.isolated)),
        ("core", |s| Some(s.rates.core)),
    ];
    for (name, rate) in checkpoint {
        let rated = labels.iter().zip(summaries);
        let rated = rated.filter_map(|(label, summary)| Some((label, rate(summary)?)));
        for (i, (label, rate)) in rated.enumerate() {
            let mut cells = name_cells(name, label, i);
            cells.extend(proportion_cells(&mut grid, &rate.graded));
            cells.extend(proportion_cells(&mut grid, &rate.conservative));
            if rate.undefined > 0 {
                let checkpoints = format::plural(rate.undefined, "checkpoint");
                let note = grid.note(&format!(
                    "leaves out {checkpoints} without such a stable test"
                ));
                if let Some(cell) = cells.get_mut(2) {
                    cell.note = Some(note);
                }
            }
            grid.row(cells);
        }
    }
    grid
}

/// Rates of whole trials.
pub(crate) fn trial_rate_grid(labels: &[String], summaries: &[RunSummary]) -> Grid {
    let mut grid = Grid::default();
    grid.column("trials", "", Block::Key, true);
    grid.column("run", "", Block::Key, true);
    grid.column("count", "of known", Block::Tests, false);
    grid.column("share", "%", Block::Tests, false);
    grid.column("interval", "95 %", Block::Tests, false);
    grid.column("known", "of expected", Block::Tests, false);
    let rates: [(&str, Of<TrialRate>); 2] = [
        ("solved", |s| s.rates.solved),
        ("partial", |s| s.rates.partial),
    ];
    for (name, rate) in rates {
        for (i, (label, summary)) in labels.iter().zip(summaries).enumerate() {
            let rate = rate(summary);
            let mut cells = name_cells(name, label, i);
            cells.extend(proportion_cells(&mut grid, &rate.known));
            let tone = if rate.known.of < rate.expected {
                Tone::Warn
            } else {
                Tone::Plain
            };
            cells.push(Cell::new(
                format!("{}/{}", rate.known.of, rate.expected),
                tone,
            ));
            grid.row(cells);
        }
    }
    grid
}

fn name_cells(name: &str, label: &str, at: usize) -> Vec<Cell> {
    let name = if at == 0 { name } else { "" };
    vec![Cell::new(name, Tone::Plain), Cell::new(label, Tone::Plain)]
}

fn proportion_cells(grid: &mut Grid, proportion: &Proportion) -> [Cell; 3] {
    let count = Cell::new(
        format!("{}/{}", proportion.count, proportion.of),
        Tone::Plain,
    );
    let (Some(rate), Some(interval)) = (proportion.rate, proportion.interval) else {
        let mut missing = Cell::new(MISSING, Tone::Faint);
        missing.note = Some(grid.note("nothing to compute a rate from"));
        return [count, missing.clone(), missing];
    };
    let percent = |share: f64| format::percent(share, proportion.of);
    let between = format!("{}–{}", percent(interval.low), percent(interval.high));
    [
        count,
        Cell::new(percent(rate), Tone::Plain),
        Cell::new(between, Tone::Plain),
    ]
}

/// Number of expected checkpoints, by what happened to them.
pub(crate) fn coverage_grid(labels: &[String], summaries: &[RunSummary]) -> Grid {
    let mut grid = Grid::default();
    grid.column("run", "", Block::Key, true);
    grid.column("expected", "checkpoints", Block::Tests, false);
    grid.column("graded", "", Block::Tests, false);
    grid.column("lost", "unsolved", Block::Tests, false);
    grid.column("infrastructure", "missing", Block::Tests, false);
    grid.column("ungraded", "missing", Block::Tests, false);
    for (label, summary) in labels.iter().zip(summaries) {
        let Coverage {
            expected,
            graded,
            lost,
            infrastructure,
            ungraded,
        } = summary.coverage;
        let mut cells = vec![Cell::new(label.clone(), Tone::Plain)];
        let all = if graded == expected {
            Tone::Good
        } else {
            Tone::Warn
        };
        cells.push(Cell::new(expected.to_string(), Tone::Plain));
        cells.push(Cell::new(graded.to_string(), all));
        for n in [lost, infrastructure, ungraded] {
            let tone = if n == 0 { Tone::Faint } else { Tone::Warn };
            cells.push(Cell::new(n.to_string(), tone));
        }
        grid.row(cells);
    }
    grid
}

/// Each run's usage in all.
pub(crate) fn spent_grid(labels: &[String], summaries: &[RunSummary]) -> Grid {
    let mut grid = Grid::default();
    grid.column("run", "", Block::Key, true);
    grid.column("attempts", "", Block::Effort, false);
    for metric in [Metric::COST, Metric::TOKENS, Metric::AGENT_TIME] {
        grid.column(metric.title, metric.unit(), Block::Effort, false);
    }
    // The same number of decimals in the whole column.
    let largest = |of: fn(&Spent) -> Option<f64>| {
        summaries
            .iter()
            .filter_map(|s| of(&s.spent))
            .fold(0.0, f64::max)
    };
    let (most_cost, most_s) = (largest(|s| s.cost_usd), largest(|s| s.agent_s));
    for (label, summary) in labels.iter().zip(summaries) {
        let spent = &summary.spent;
        let mut cells = vec![Cell::new(label.clone(), Tone::Plain)];
        cells.push(Cell::new(spent.attempts.to_string(), Tone::Plain));
        let sums = [
            (Metric::COST, spent.cost_usd, spent.cost_missing, most_cost),
            (Metric::TOKENS, spent.tokens, spent.tokens_missing, 0.0),
            (
                Metric::AGENT_TIME,
                spent.agent_s,
                spent.agent_s_missing,
                most_s,
            ),
        ];
        for (metric, sum, missing, largest) in sums {
            let mut cell = match sum {
                Some(sum) => {
                    let digits = format::decimals(metric.kind(), largest);
                    Cell::new(format::number(sum, digits), Tone::Plain)
                }
                None => Cell::new(MISSING, Tone::Faint),
            };
            let unreported = if metric.is_usage() {
                spent.unreported_responses
            } else {
                0
            };
            if missing > 0 {
                let attempts = format::plural(spent.attempts, "attempt");
                cell.note = Some(grid.note(&format!("unknown for {missing} of {attempts}")));
            } else if unreported > 0 {
                let text = format!("too low: {unreported} of the model's responses had no usage");
                cell.note = Some(grid.note(&text));
            }
            cells.push(cell);
        }
        grid.row(cells);
    }
    grid
}
