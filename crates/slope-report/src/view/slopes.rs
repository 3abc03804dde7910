//! The table of slopes, run by run.

use super::{Block, Cell, Grid, Tone};
use crate::format::{self, MISSING};
use crate::metric::Metric;
use crate::summary::{RunMetric, RunSummary};

/// Each metric's slope and its first and last value, run by run.
///
/// With `wide`, each run has columns of its own; otherwise rows.
pub(crate) fn slope_grid(labels: &[String], summaries: &[RunSummary], wide: bool) -> Grid {
    let mut grid = Grid::default();
    grid.column("metric", "", Block::Key, true);
    if wide {
        for label in labels {
            grid.column(label.clone(), "slope ± SE", Block::Quality, false);
            grid.column("", "first → last", Block::Quality, false);
        }
        if summaries.len() == 2 {
            grid.column("difference", "of slopes", Block::Quality, false);
        }
    } else {
        grid.column("run", "", Block::Key, true);
        grid.column("slope ± SE", "per checkpoint", Block::Quality, false);
        grid.column("first → last", "", Block::Quality, false);
    }
    for metric in Metric::all() {
        let of: Vec<&RunMetric> = summaries
            .iter()
            .filter_map(|s| s.metrics.iter().find(|m| m.metric == metric))
            .collect();
        let name = match metric.unit() {
            "" => metric.title(),
            unit => format!("{} ({unit})", metric.title()),
        };
        if wide {
            let mut cells = vec![Cell::new(name, Tone::Plain)];
            for data in &of {
                cells.push(run_slope(&mut grid, data));
                cells.push(ends(&mut grid, data));
            }
            if let [first, second] = of.as_slice() {
                cells.push(difference(first, second));
            }
            grid.row(cells);
        } else {
            for (i, (label, data)) in labels.iter().zip(&of).enumerate() {
                let name = if i == 0 { name.clone() } else { String::new() };
                let slope = run_slope(&mut grid, data);
                let ends = ends(&mut grid, data);
                let label = Cell::new(label.clone(), Tone::Plain);
                grid.row(vec![Cell::new(name, Tone::Plain), label, slope, ends]);
            }
        }
    }
    grid
}

fn run_slope(grid: &mut Grid, data: &RunMetric) -> Cell {
    let Some(slope) = data.slope else {
        let mut cell = Cell::new(MISSING, Tone::Faint);
        cell.note = Some(grid.note("no trial has values at two checkpoints"));
        return cell;
    };
    let digits = slope_digits(data, slope);
    let mut text = format::signed(slope, digits);
    if let Some(se) = data.slope_se {
        text.push_str(" ± ");
        text.push_str(&format::number(se, digits));
    }
    let mut cell = Cell::new(text, Tone::Plain);
    if data.n < data.of {
        let trials = format::plural(data.of, "trial");
        cell.note = Some(grid.note(&format!(
            "mean of {} of {trials}; the others have no slope",
            data.n
        )));
    }
    cell
}

fn slope_digits(data: &RunMetric, slope: f64) -> usize {
    let kind = data.metric.kind();
    let largest = [data.first, data.last]
        .into_iter()
        .flatten()
        .map(f64::abs)
        .fold(0.0, f64::max);
    format::slope_decimals(kind, slope.abs()).max(format::decimals(kind, largest))
}

fn ends(grid: &mut Grid, data: &RunMetric) -> Cell {
    let (Some(first), Some(last)) = (data.first, data.last) else {
        return Cell::new(MISSING, Tone::Faint);
    };
    let kind = data.metric.kind();
    let digits = format::decimals(kind, first.abs().max(last.abs()));
    let text = format!(
        "{} → {}",
        format::number(first, digits),
        format::number(last, digits)
    );
    let mut cell = Cell::new(text, Tone::Plain);
    if data.with_gaps > 0 {
        cell.note = Some(grid.note("only of checkpoints with a value"));
    }
    cell
}

fn difference(first: &RunMetric, second: &RunMetric) -> Cell {
    match (first.slope, second.slope) {
        (Some(a), Some(b)) => {
            let digits = slope_digits(first, a).max(slope_digits(second, b));
            Cell::new(format::signed(b - a, digits), Tone::Plain)
        }
        _ => Cell::new(MISSING, Tone::Faint),
    }
}
