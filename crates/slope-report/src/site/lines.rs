//! Charts of values over time.

use std::collections::HashMap;

use charts_rs::{AxisType, Color, Series, Symbol};
use jiff::Timestamp;
use slope_model::summary::Summary;

use super::author_label;
use crate::charts::{self, Axis, Look, mark};
use crate::format::{Kind, decimals, number};
use crate::html::HtmlError;

/// Points of a line; more could not be told apart.
const MOST_POINTS: usize = 80;
/// Changes of pace that a chart marks.
const MOST_PACES: usize = 12;
/// Authors with a look of their own. The others share one.
pub(super) const MOST_AUTHORS: usize = 4;
/// The line through all points.
const LINE: usize = 0;
/// Where the pace changes.
pub(super) const PACE: Look = Look { color: 3, shape: 3 };

/// What a chart shows.
pub(super) struct Chart<'a> {
    /// Name of the value in a summary.
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) kind: Kind,
    /// The top of the axis, if it is fixed.
    pub(super) top: Option<f64>,
    /// Heights of lines across the chart, for comparison.
    pub(super) levels: &'a [f64],
}

/// Authors in the order of their looks, those with most points first.
pub(super) fn authors(points: &[Summary]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for point in points {
        *counts.entry(author_label(&point.author)).or_default() += 1;
    }
    let mut all: Vec<(String, usize)> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all.into_iter().map(|(name, _)| name).collect()
}

/// The look of an author, by place in the list.
pub(super) fn look(place: usize) -> Look {
    let colors = [1, 2, 4, 5];
    let place = place.min(MOST_AUTHORS - 1);
    Look {
        color: colors[place],
        shape: place % 4,
    }
}

/// A point of a chart.
struct Dot<'a> {
    x: f64,
    label: String,
    value: f64,
    summary: &'a Summary,
}

/// A chart as SVG; `None` with fewer than two values.
pub(super) fn chart(
    points: &[Summary],
    authors: &[String],
    what: &Chart<'_>,
) -> Result<Option<String>, HtmlError> {
    let counted = points.iter().all(|point| point.iteration.is_some());
    let dots = dots(points, what.id, counted);
    if dots.len() < 2 {
        return Ok(None);
    }
    let values: Vec<f64> = dots.iter().map(|dot| dot.value).collect();
    let mut paces = slope_stats::change_points(&values);
    // The latest matter most, and a page has limits.
    paces.drain(..paces.len().saturating_sub(MOST_PACES));
    let dots = charts::thinned(dots, MOST_POINTS, |at| paces.contains(&at));
    let largest = dots.iter().map(|(_, dot)| dot.value).fold(0.0, f64::max);
    let axis = Axis::up_to(what.top.unwrap_or(largest), what.kind == Kind::Count);
    let mut groups: Vec<Vec<&Dot<'_>>> = vec![dots.iter().map(|(_, dot)| dot).collect()];
    let mut series = vec![line(&groups[0], &axis)];
    for (place, of_author) in by_author(&dots, authors) {
        series.push(marks(groups.len(), &of_author, look(place), &axis));
        groups.push(of_author);
    }
    let changes: Vec<&Dot<'_>> = dots
        .iter()
        .filter(|(at, _)| paces.contains(at))
        .map(|(_, dot)| dot)
        .collect();
    if !changes.is_empty() {
        series.push(marks(groups.len(), &changes, PACE, &axis));
        groups.push(changes);
    }
    for level in what.levels {
        series.push(level_line(&groups[0], *level, &axis));
    }
    let tip = tip(&groups, what.kind, largest);
    let positions = if counted {
        AxisType::Value
    } else {
        AxisType::Time
    };
    let svg = charts::draw(series, &axis, what.kind, positions)?;
    let about = about(&groups[0], what);
    Ok(Some(charts::finish(
        &svg, &axis, what.kind, what.title, &about, &tip,
    )))
}

fn about(dots: &[&Dot<'_>], what: &Chart<'_>) -> String {
    let (Some(first), Some(last)) = (dots.first(), dots.last()) else {
        return String::new();
    };
    let digits = decimals(what.kind, first.value.max(last.value));
    format!(
        "From {} to {}.",
        number(first.value, digits),
        number(last.value, digits)
    )
}

fn dots<'a>(points: &'a [Summary], id: &str, counted: bool) -> Vec<Dot<'a>> {
    let mut latest = f64::MIN;
    let mut dots = Vec::with_capacity(points.len());
    for summary in points {
        let Some(value) = summary.values.get(id) else {
            continue;
        };
        let x = match (counted, summary.iteration) {
            (true, Some(iteration)) => f64::from(iteration),
            _ => seconds(&summary.time),
        };
        // If clocks went backwards, a point is drawn at the time of the previous one.
        latest = latest.max(x);
        dots.push(Dot {
            x: latest,
            label: label(latest, counted),
            value: *value,
            summary,
        });
    }
    dots
}

fn seconds(time: &str) -> f64 {
    let time: Timestamp = time.parse().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "seconds are far below 2^53")]
    let seconds = time.as_second() as f64;
    seconds
}

/// A position as the chart writes it.
fn label(x: f64, counted: bool) -> String {
    match counted {
        true => format!("{x}"),
        false => charts::time_label(x),
    }
}

/// The dots of each author with a look.
fn by_author<'a, 'b>(
    dots: &'b [(usize, Dot<'a>)],
    authors: &[String],
) -> Vec<(usize, Vec<&'b Dot<'a>>)> {
    let mut all: Vec<(usize, Vec<&Dot<'_>>)> = Vec::new();
    for (_, dot) in dots {
        let name = author_label(&dot.summary.author);
        let place = authors.iter().position(|author| *author == name);
        let place = place.unwrap_or(usize::MAX).min(MOST_AUTHORS - 1);
        match all.iter_mut().find(|(other, _)| *other == place) {
            Some((_, list)) => list.push(dot),
            None => all.push((place, vec![dot])),
        }
    }
    all.sort_by_key(|(place, _)| *place);
    all
}

fn base(name: usize, dots: &[&Dot<'_>], axis: &Axis) -> Series {
    let values = dots.iter().map(|dot| Some(axis.scaled(dot.value)));
    let mut series = Series::new_nullable(format!("⟦{name}"), values.collect());
    series.x_values = Some(dots.iter().map(|dot| dot.x).collect());
    series
}

fn line(dots: &[&Dot<'_>], axis: &Axis) -> Series {
    let mut one = base(0, dots, axis);
    one.index = Some(LINE);
    one.symbol = Some(Symbol::None);
    one
}

/// Marks without a line between them.
fn marks(name: usize, dots: &[&Dot<'_>], look: Look, axis: &Axis) -> Series {
    let mut one = base(name, dots, axis);
    let color: Color = mark::series(look.color).into();
    one.index = Some(look.color);
    one.stroke_dash_array = Some("0,100000".to_owned());
    one.symbol = Some(charts::symbol(look, color));
    one
}

/// A line across the chart. A name without a number: no label at its ends.
fn level_line(dots: &[&Dot<'_>], level: f64, axis: &Axis) -> Series {
    let ends: Vec<f64> = [dots.first(), dots.last()]
        .into_iter()
        .flatten()
        .map(|dot| dot.x)
        .collect();
    let values = ends.iter().map(|_| Some(axis.scaled(level))).collect();
    let mut one = Series::new_nullable("⟦level".to_owned(), values);
    one.x_values = Some(ends);
    one.index = Some(2);
    one.stroke_dash_array = Some("2,5".to_owned());
    one.symbol = Some(Symbol::None);
    one
}

fn tip<'a>(
    groups: &'a [Vec<&'a Dot<'a>>],
    kind: Kind,
    largest: f64,
) -> impl Fn(usize, &str) -> Option<String> + use<'a> {
    let digits = decimals(kind, largest);
    let by_label: Vec<HashMap<&str, &Dot<'_>>> = groups
        .iter()
        .map(|dots| {
            dots.iter()
                .rev()
                .map(|dot| (dot.label.as_str(), *dot))
                .collect()
        })
        .collect();
    move |group, label| {
        let dot = by_label.get(group)?.get(label)?;
        let day = dot.summary.time.get(..10).unwrap_or_default();
        let value = number(dot.value, digits);
        Some(format!(
            "{value} · {day} · {}",
            author_label(&dot.summary.author)
        ))
    }
}
