//! The table of arms.

use super::{Block, Cell, Grid, Tone};
use crate::arms::{ArmRow, ArmValue, Arms, Paired, Quantity};
use crate::format::{self, Kind, MISSING};

/// Arms side by side, with differences from the baseline.
pub(crate) fn arm_grid(arms: &Arms) -> Grid {
    let mut grid = Grid::default();
    grid.column("", "", Block::Key, true);
    for (name, trials) in arms.names.iter().zip(&arms.trials) {
        let name = format::shorten(&format::clean(name), 40);
        grid.column(
            name,
            &format::plural(*trials, "trial"),
            Block::Quality,
            false,
        );
    }
    for name in arms.names.iter().skip(1) {
        let name = format::shorten(&format::clean(name), 40);
        grid.column(
            format!("{name} − none"),
            "paired, 95 %",
            Block::Effort,
            false,
        );
    }
    for row in &arms.rows {
        let mut cells = vec![Cell::new(name(row), Tone::Plain)];
        let digits = digits(row);
        cells.extend(row.arms.iter().map(|value| mean(value, digits)));
        let differences = row
            .arms
            .iter()
            .filter_map(|value| value.difference.as_ref());
        cells.extend(differences.map(|paired| difference(&mut grid, row.quantity, paired, digits)));
        grid.row(cells);
    }
    grid
}

fn name(row: &ArmRow) -> String {
    let metric = row.metric.map(|metric| metric.title);
    match (row.quantity, metric) {
        (Quantity::Slope, Some(metric)) => format!("slope of {metric}"),
        (Quantity::Intercept, Some(metric)) => format!("start of {metric}"),
        (Quantity::Correctness, _) => "checkpoints solved, 0–1".to_owned(),
        (Quantity::Cost, _) => "cost, USD a trial".to_owned(),
        _ => "tokens a trial".to_owned(),
    }
}

fn digits(row: &ArmRow) -> usize {
    let means = row.arms.iter().filter_map(|value| value.mean).map(f64::abs);
    let largest = means.fold(0.0, f64::max);
    match (row.quantity, row.metric) {
        (Quantity::Slope, Some(metric)) => format::slope_decimals(metric.kind(), largest),
        (_, Some(metric)) => format::decimals(metric.kind(), largest).max(1),
        (Quantity::Correctness, None) => 2,
        (Quantity::Cost, None) => format::decimals(Kind::Cost, largest),
        _ => format::decimals(Kind::Count, largest),
    }
}

fn mean(value: &ArmValue, digits: usize) -> Cell {
    match value.mean {
        Some(mean) => Cell::new(format::number(mean, digits), Tone::Plain),
        None => Cell::new(MISSING, Tone::Faint),
    }
}

fn difference(grid: &mut Grid, quantity: Quantity, paired: &Paired, digits: usize) -> Cell {
    let Some(mean) = paired.mean else {
        let mut cell = Cell::new(MISSING, Tone::Faint);
        cell.note = Some(grid.note("no problem has a value in both arms"));
        return cell;
    };
    let mut text = format::signed(mean, digits);
    let mut certain = 0.0;
    if let Some((low, high)) = paired.interval {
        text.push_str(&format!(
            " [{}, {}]",
            format::signed(low, digits),
            format::signed(high, digits)
        ));
        certain = if low > 0.0 {
            1.0
        } else if high < 0.0 {
            -1.0
        } else {
            0.0
        };
    }
    // Less is better, except for correctness.
    let better = if quantity == Quantity::Correctness {
        1.0
    } else {
        -1.0
    };
    let tone = match certain * better {
        x if x > 0.0 => Tone::Good,
        x if x < 0.0 => Tone::Bad,
        _ => Tone::Plain,
    };
    let mut cell = Cell::new(text, tone);
    if paired.interval.is_none() {
        let pairs = format::plural(paired.pairs, "problem");
        cell.note = Some(grid.note(&format!("{pairs}: an interval needs two")));
    }
    cell
}
