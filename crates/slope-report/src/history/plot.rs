//! Plots of a history's metrics over time, for the page.

use std::collections::HashMap;

use charts_rs::{AxisType, Color, Series, Symbol};
use jiff::Timestamp;
use slope_model::history::{History, HistoryPoint, MetricTrend};
use slope_model::measurement::Part;

use super::metrics::Metric;
use crate::charts::{self, Axis, Look, mark};
use crate::format::{self, Kind};

/// Maximum number of points of a line; more are thinned out evenly, as readers could not see them.
const MAX_POINTS: usize = 120;

/// Maximum number of points with a symbol each.
const MAX_SYMBOLS: usize = 45;

/// The best score.
const HIGHEST_SCORE: f64 = 10.0;

/// Looks of a plot's lines, by colour number.
pub(super) const CODE: Look = Look { color: 0, shape: 0 };
pub(super) const TESTS: Look = Look { color: 2, shape: 1 };
pub(super) const TREND: usize = 1;
pub(super) const PACE: Look = Look { color: 3, shape: 3 };

/// A point of a plot.
struct Dot {
    /// Seconds since 1970, never less than those of the point before.
    seconds: f64,
    /// The same as the chart writes it.
    label: String,
    months: f64,
    value: f64,
    /// Index of the history's point.
    point: usize,
}

/// The plot of a metric: code (or all) and tests, the trend, and where the pace changes. `None`
/// where there are fewer than two values.
pub(super) fn plot(
    history: &History,
    metric: &Metric,
    trend: &MetricTrend,
    description: &str,
) -> Result<Option<String>, charts_rs::Error> {
    let of_part = |part| dots(history, |_, point| metric.value(point, part));
    let code = of_part(trend.part);
    let tests = match trend.part {
        Some(Part::Product) => of_part(Some(Part::Tests)),
        _ => Vec::new(),
    };
    if code.len() < 2 {
        return Ok(None);
    }
    let all = || code.iter().chain(&tests);
    let largest = all().map(|dot| dot.value).fold(0.0, f64::max);
    let axis = Axis::up_to(largest, metric.kind == Kind::Count);
    let mut series = vec![line(0, &code, CODE, &axis)];
    let mut named: Vec<(&str, Vec<&Dot>)> = vec![("", code.iter().collect())];
    if tests.len() > 1 {
        series.push(line(1, &tests, TESTS, &axis));
        named.push(("tests: ", tests.iter().collect()));
    }
    let paces: Vec<&Dot> = code.iter().filter(|dot| is_pace(trend, dot)).collect();
    if !paces.is_empty() {
        series.push(marks(named.len(), &paces, &axis));
        named.push(("change of pace: ", paces));
    }
    let slope = trend.per_month.theil_sen;
    series.extend(slope.and_then(|slope| straight(&code, slope.slope, &axis)));
    let tip = tip(history, metric.kind, largest, &named);
    let svg = charts::draw(series, &axis, metric.kind, AxisType::Time)?;
    Ok(Some(charts::finish(
        &svg,
        &axis,
        metric.kind,
        &metric.title,
        description,
        &tip,
    )))
}

/// The plot of one score from 0 to 10, with a value for each point of the history. `None` where there are fewer than two
/// values.
pub(crate) fn score_plot(
    history: &History,
    (title, description): (&str, &str),
    values: &[Option<f64>],
) -> Result<Option<String>, charts_rs::Error> {
    let found = dots(history, |index, _| values.get(index).copied().flatten());
    if found.len() < 2 {
        return Ok(None);
    }
    let axis = Axis::up_to(HIGHEST_SCORE, false);
    let named = [("", found.iter().collect())];
    let tip = tip(history, Kind::Real, HIGHEST_SCORE, &named);
    let lines = vec![line(0, &found, CODE, &axis)];
    let svg = charts::draw(lines, &axis, Kind::Real, AxisType::Time)?;
    let finished = charts::finish(&svg, &axis, Kind::Real, title, description, &tip);
    Ok(Some(finished))
}

/// The tooltip of a dot.
fn tip<'a>(
    history: &'a History,
    kind: Kind,
    largest: f64,
    named: &'a [(&str, Vec<&Dot>)],
) -> impl Fn(usize, &str) -> Option<String> + use<'a> {
    let digits = format::decimals(kind, largest);
    let by_label: Vec<HashMap<&str, &Dot>> = named
        .iter()
        .map(|(_, dots)| {
            let rev = dots.iter().rev();
            rev.map(|dot| (dot.label.as_str(), *dot)).collect()
        })
        .collect();
    move |series, label| {
        let dot = by_label.get(series)?.get(label)?;
        let commit = &history.points.get(dot.point)?.commit;
        let day = commit.time.get(..10).unwrap_or_default();
        let id = commit.id.get(..10).unwrap_or(&commit.id);
        let value = format::number(dot.value, digits);
        Some(format!("{}{value} · {day} · {id}", named.get(series)?.0))
    }
}

/// Values over time, by the index of their point.
fn dots(history: &History, value: impl Fn(usize, &HistoryPoint) -> Option<f64>) -> Vec<Dot> {
    let mut latest = f64::MIN;
    let mut dots = Vec::new();
    for (index, point) in history.points.iter().enumerate() {
        let Ok(time) = point.commit.time.parse::<Timestamp>() else {
            continue;
        };
        #[expect(clippy::cast_precision_loss, reason = "seconds are far below 2^53")]
        let seconds = time.as_second() as f64;
        // If clocks went backwards, a commit is drawn at the time of the previous one.
        latest = latest.max(seconds);
        if let Some(value) = value(index, point) {
            dots.push(Dot {
                seconds: latest,
                label: charts::time_label(latest),
                months: point.months,
                value,
                point: index,
            });
        }
    }
    let kept = charts::thinned(dots, MAX_POINTS, |_| false);
    kept.into_iter().map(|(_, dot)| dot).collect()
}

/// Whether the slope changes at a dot, or between it and the next drawn one.
fn is_pace(trend: &MetricTrend, dot: &Dot) -> bool {
    trend
        .change_points
        .iter()
        .any(|change| change.point as usize == dot.point)
}

fn series(name: usize, dots: &[&Dot], axis: &Axis) -> Series {
    let values = dots.iter().map(|dot| Some(axis.scaled(dot.value)));
    let mut series = Series::new_nullable(format!("⟦{name}"), values.collect());
    series.x_values = Some(dots.iter().map(|dot| dot.seconds).collect());
    series
}

fn line(name: usize, dots: &[Dot], look: Look, axis: &Axis) -> Series {
    let dots: Vec<&Dot> = dots.iter().collect();
    let mut one = series(name, &dots, axis);
    let color: Color = mark::series(look.color).into();
    one.index = Some(look.color);
    one.symbol = Some(match dots.len() <= MAX_SYMBOLS {
        true => charts::symbol(look, color),
        false => Symbol::None,
    });
    one
}

/// Marks without a line between them.
fn marks(name: usize, dots: &[&Dot], axis: &Axis) -> Series {
    let mut one = series(name, dots, axis);
    one.index = Some(PACE.color);
    one.stroke_dash_array = Some("0,100000".to_owned());
    one.symbol = Some(charts::symbol(PACE, mark::series(PACE.color).into()));
    one
}

/// The Theil–Sen line: its slope, through the median of the residuals, clipped to the plot.
fn straight(dots: &[Dot], slope: f64, axis: &Axis) -> Option<Series> {
    let mut rest: Vec<f64> = dots.iter().map(|d| d.value - slope * d.months).collect();
    rest.sort_by(f64::total_cmp);
    let middle = rest.get(rest.len() / 2)?;
    let at = |dot: &Dot| (dot.seconds, middle + slope * dot.months);
    let ends = within(at(dots.first()?), at(dots.last()?), axis.top())?;
    let values = ends.iter().map(|end| Some(axis.scaled(end.1)));
    // A name without a number: no label at its ends.
    let mut one = Series::new_nullable("⟦trend".to_owned(), values.collect());
    one.x_values = Some(ends.iter().map(|end| end.0).collect());
    one.index = Some(TREND);
    one.stroke_dash_array = Some("5,4".to_owned());
    one.symbol = Some(Symbol::None);
    Some(one)
}

/// The part of a line from one point to another that is between 0 and `top`; `None` if it is empty.
fn within(from: (f64, f64), to: (f64, f64), top: f64) -> Option<[(f64, f64); 2]> {
    let (lower, upper) = (from.1.min(to.1), from.1.max(to.1));
    if upper < 0.0 || lower > top {
        return None;
    }
    let cut = |end: (f64, f64)| {
        let height = end.1.clamp(0.0, top);
        if height == end.1 {
            return end;
        }
        let share = (height - from.1) / (to.1 - from.1);
        (from.0 + (to.0 - from.0) * share, height)
    };
    Some([cut(from), cut(to)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_clipped_to_the_plot() {
        let line = within((0.0, -10.0), (40.0, 30.0), 20.0);
        assert_eq!(line, Some([(10.0, 0.0), (30.0, 20.0)]));
        assert_eq!(
            within((0.0, 5.0), (9.0, 5.0), 20.0),
            Some([(0.0, 5.0), (9.0, 5.0)])
        );
        assert_eq!(within((0.0, -2.0), (9.0, -1.0), 20.0), None);
    }
}
