//! Charts of values over the checkpoints of trials.

use charts_rs::{Color, Series};

use crate::charts::{self, Axis, Look, PALETTE, mark};
use crate::format::{decimals, number};
use crate::html::HtmlError;
use crate::metric::Metric;

/// A line of a chart: a trial.
pub(super) struct CourseLine {
    /// Name.
    pub(super) name: String,
    /// Colour and shape.
    pub(super) look: Look,
    /// Values at the checkpoints, by metric; `None` where there is none.
    pub(super) values: Vec<Option<f64>>,
}

/// The look of the trial in a place.
pub(super) fn look(place: usize) -> Look {
    Look {
        color: place % PALETTE,
        shape: place % 4,
    }
}

/// A metric over the checkpoints as SVG; `None` if fewer than two checkpoints of a trial have a value.
pub(super) fn chart(metric: Metric, lines: &[CourseLine]) -> Result<Option<String>, HtmlError> {
    let known = |line: &CourseLine| line.values.iter().flatten().count();
    if lines.iter().all(|line| known(line) < 2) {
        return Ok(None);
    }
    let all = || lines.iter().flat_map(|line| line.values.iter().flatten());
    let largest = all().fold(0.0, |largest: f64, value| largest.max(*value));
    let axis = Axis::up_to(largest, metric.kind() == crate::format::Kind::Count);
    let longest = lines
        .iter()
        .map(|line| line.values.len())
        .max()
        .unwrap_or(0);
    let series = lines.iter().enumerate().map(|(at, line)| {
        let values = line
            .values
            .iter()
            .map(|value| value.map(|value| axis.scaled(value)));
        let mut one = Series::new_nullable(format!("⟦{at}"), values.collect());
        let color: Color = mark::series(line.look.color).into();
        one.index = Some(line.look.color);
        one.symbol = Some(charts::symbol(line.look, color));
        one
    });
    let positions = (1..=longest).map(|at| at.to_string()).collect();
    let svg = charts::draw_over(series.collect(), &axis, metric.kind(), positions)?;
    let digits = decimals(metric.kind(), largest);
    let tip = |line: usize, position: &str| {
        let line = lines.get(line)?;
        let at: usize = position.parse().ok()?;
        let value = (*line.values.get(at.checked_sub(1)?)?)?;
        Some(format!("{} · {}", number(value, digits), line.name))
    };
    let about = format!("{} over the checkpoints.", metric.title());
    let title = metric.title();
    Ok(Some(charts::finish(
        &svg,
        &axis,
        metric.kind(),
        &title,
        &about,
        &tip,
    )))
}
