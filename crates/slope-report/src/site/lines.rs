//! Charts of values over time.

use std::collections::HashMap;

use charts_rs::{AxisType, Color, MarkArea, MarkLineCategory, Series, Symbol};
use jiff::Timestamp;
use slope_model::series::Author;
use slope_model::summary::Summary;

use super::author_label;
use crate::charts::{self, Axis, Look, mark};
use crate::format::{Kind, decimals, number};
use crate::html::HtmlError;

/// Maximum points of a line. Readers cannot tell more apart.
const MOST_POINTS: usize = 80;
/// Changes of level that a chart marks.
const MOST_PACES: usize = 12;
/// Latest values among which changes of level are looked for: the time grows with the square of their number.
const MOST_VALUES: usize = 1_000;
/// Authors with a look of their own. The others share one.
pub(super) const MOST_AUTHORS: usize = 4;
/// The line through all points.
const LINE: usize = charts::NEUTRAL;
/// Where the level changes.
pub(super) const PACE: Look = Look { color: 3, shape: 3 };
/// People in a series where agents write, too.
const PEOPLE: &str = "people";

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
    /// Where most of human code is: from, to.
    pub(super) band: Option<(f64, f64)>,
}

/// Agents with their models, in the order of their looks, those with most points first. Without agents, people.
pub(super) struct Makers {
    names: Vec<String>,
    has_agents: bool,
}

impl Makers {
    pub(super) fn of(points: &[Summary]) -> Self {
        let has_agents = points.iter().any(|point| is_agent(&point.author));
        let mut counts: HashMap<String, usize> = HashMap::new();
        for point in points {
            *counts.entry(maker(&point.author, has_agents)).or_default() += 1;
        }
        let mut all: Vec<(String, usize)> = counts.into_iter().collect();
        // People are not compared with agents, so they come last.
        all.sort_by(|a, b| {
            let order = (a.0 == PEOPLE).cmp(&(b.0 == PEOPLE));
            order.then(b.1.cmp(&a.1)).then_with(|| a.0.cmp(&b.0))
        });
        Self {
            names: all.into_iter().map(|(name, _)| name).collect(),
            has_agents,
        }
    }

    /// The names of the legend with their looks.
    pub(super) fn legend(&self) -> Vec<(String, Look)> {
        let mut names: Vec<String> = self.names.iter().take(MOST_AUTHORS).cloned().collect();
        if self.names.len() > MOST_AUTHORS {
            names.truncate(MOST_AUTHORS - 1);
            names.push(format!("{} others", self.names.len() - names.len()));
        }
        let named = names.into_iter().enumerate();
        named.map(|(place, name)| (name, look(place))).collect()
    }

    fn place(&self, author: &Author) -> usize {
        let name = maker(author, self.has_agents);
        let place = self.names.iter().position(|other| *other == name);
        place.unwrap_or(usize::MAX).min(MOST_AUTHORS - 1)
    }
}

fn is_agent(author: &Author) -> bool {
    author.agent.is_some() || author.model.is_some()
}

fn maker(author: &Author, has_agents: bool) -> String {
    if has_agents && !is_agent(author) {
        PEOPLE.to_owned()
    } else {
        author_label(author)
    }
}

/// The look of an author, by place in the list: colours that also differ for the colour-blind, and other shapes.
pub(super) fn look(place: usize) -> Look {
    let colors = [0, 1, 2, 4];
    let place = place.min(MOST_AUTHORS - 1);
    Look {
        color: colors[place],
        shape: place % 3,
    }
}

/// Positions at which the level of values changes, the latest ones.
pub(super) fn level_changes(values: &[f64]) -> Vec<usize> {
    let start = values.len().saturating_sub(MOST_VALUES);
    let mut found = slope_stats::change_points(&values[start..]);
    found.drain(..found.len().saturating_sub(MOST_PACES));
    found.into_iter().map(|at| at + start).collect()
}

/// A point of a chart.
pub(super) struct Dot<'a> {
    pub(super) x: f64,
    pub(super) label: String,
    pub(super) value: f64,
    pub(super) summary: &'a Summary,
}

/// A chart as SVG; `None` with fewer than two values.
pub(super) fn chart(
    points: &[Summary],
    makers: &Makers,
    what: &Chart<'_>,
) -> Result<Option<String>, HtmlError> {
    let counted = is_counted(points);
    let dots = dots(points, what.id, counted);
    if dots.len() < 2 {
        return Ok(None);
    }
    let values: Vec<f64> = dots.iter().map(|dot| dot.value).collect();
    let paces = level_changes(&values);
    let dots = charts::thinned(dots, MOST_POINTS, |at| paces.contains(&at));
    let largest = dots.iter().map(|(_, dot)| dot.value).fold(0.0, f64::max);
    let highest = largest.max(what.band.map_or(0.0, |(_, high)| high));
    let axis = Axis::up_to(what.top.unwrap_or(highest), what.kind == Kind::Count);
    let mut groups: Vec<Vec<&Dot<'_>>> = vec![dots.iter().map(|(_, dot)| dot).collect()];
    let mut series = vec![line(&groups[0], &axis)];
    series[0]
        .mark_areas
        .extend(what.band.map(|(low, high)| MarkArea {
            from: MarkLineCategory::Value(axis.scaled(low)),
            to: MarkLineCategory::Value(axis.scaled(high)),
            color: Some(mark::BAND.into()),
            opacity: Some(0.6),
        }));
    for (place, of_author) in by_author(&dots, makers) {
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
    let tips = tip(&groups, what.kind, largest);
    // Each dot of the line has a mark of its author above.
    let tip = |group: usize, label: &str| tips(group, label).filter(|_| group > 0);
    let svg = charts::draw(series, &axis, what.kind, positions(counted))?;
    let about = about(&groups[0], what);
    Ok(Some(charts::finish(
        &svg, &axis, what.kind, what.title, &about, &tip,
    )))
}

/// Whether all points are iterations, so that a chart counts them.
pub(super) fn is_counted(points: &[Summary]) -> bool {
    points.iter().all(|point| point.iteration.is_some())
}

pub(super) fn positions(counted: bool) -> AxisType {
    if counted {
        AxisType::Value
    } else {
        AxisType::Time
    }
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

/// The points with a value.
pub(super) fn dots<'a>(points: &'a [Summary], id: &str, counted: bool) -> Vec<Dot<'a>> {
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
    makers: &Makers,
) -> Vec<(usize, Vec<&'b Dot<'a>>)> {
    let mut all: Vec<(usize, Vec<&Dot<'_>>)> = Vec::new();
    for (_, dot) in dots {
        let place = makers.place(&dot.summary.author);
        match all.iter_mut().find(|(other, _)| *other == place) {
            Some((_, list)) => list.push(dot),
            None => all.push((place, vec![dot])),
        }
    }
    all.sort_by_key(|(place, _)| *place);
    all
}

pub(super) fn base(name: usize, dots: &[&Dot<'_>], axis: &Axis) -> Series {
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
    one.index = Some(charts::NEUTRAL);
    one.stroke_dash_array = Some("2,5".to_owned());
    one.symbol = Some(Symbol::None);
    one
}

pub(super) fn tip<'a>(
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
