//! One function over the points of a series.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use slope_model::plural;
use slope_model::series::{ChangedPlace, Point, WorstFunction};
use slope_model::summary::Summary;

use super::home::what;
use super::lines::{self, Chart, Makers};
use super::project::legend;
use super::{author_label, diff, point_address, series_address};
use crate::format::{Kind, clean, clean_path, decimals, number, signed};
use crate::html::HtmlError;

/// Changes that the page lists, newest first.
const MOST_LISTED: usize = 60;
/// Lines of diffs that the page shows.
const MOST_LINES: usize = 1_200;

/// One function over the points of a series.
#[derive(Debug, Clone)]
pub struct FunctionPage {
    /// Name of the project.
    pub project: String,
    /// Title of the project.
    pub title: String,
    /// Name of the series.
    pub series: String,
    /// Path of the function.
    pub path: String,
    /// Its name.
    pub name: String,
    /// The points that have the function among the worst or among the changes, in their order.
    pub points: Vec<Point>,
    /// Whether there are earlier ones.
    pub has_more: bool,
    /// The newest point of the series.
    pub last: Option<Summary>,
}

impl FunctionPage {
    /// The heading of the page.
    pub(super) fn heading(&self) -> String {
        format!("{}: {}", self.title, self.name)
    }

    /// The function among the worst of a point.
    fn state<'p>(&self, point: &'p Point) -> Option<&'p WorstFunction> {
        let mut worst = point.worst.iter();
        worst.find(|one| one.path == self.path && one.name == self.name)
    }

    /// The function among the changes of a point.
    fn change<'p>(&self, point: &'p Point) -> Option<&'p ChangedPlace> {
        let mut places = point.change.iter().flat_map(|change| &change.places);
        places.find(|place| place.path == self.path && place.function.as_ref() == Some(&self.name))
    }

    pub(super) fn value(&self) -> Result<Value, HtmlError> {
        let summaries: Vec<Summary> = self
            .points
            .iter()
            .map(|point| self.summary(point))
            .collect();
        let makers = Makers::of(&summaries);
        let charts = self.charts(&summaries, &makers)?;
        let newest = self.points.iter().rev().find_map(|point| {
            let state = self.state(point)?;
            let is_last =
                self.last.as_ref().map(|last| &last.key) == Some(&point.key().to_string());
            Some(context! {
                is_last,
                what => what(&Summary::of(point)),
                address => point_address(&self.project, &self.series, &point.key().to_string()),
                complexity => state.complexity,
                sloc => state.sloc,
                mass => number(state.mass, 1),
                line => state.line,
            })
        });
        let seen = self
            .points
            .iter()
            .filter(|point| self.state(point).is_some());
        Ok(context! {
            project => clean(&self.project),
            name => clean(&self.name),
            place => clean_path(&self.path),
            title => clean(&self.title),
            series => clean(&self.series),
            address => series_address(&self.project, &self.series),
            seen => plural(seen.count(), "point"),
            legend => (!charts.is_empty()).then(|| legend(&makers, &charts, false)),
            charts,
            newest,
            changes => self.changes(),
            has_more => self.has_more,
        })
    }

    /// The point with values of the function alone.
    fn summary(&self, point: &Point) -> Summary {
        let values = self.state(point).map(|state| {
            BTreeMap::from([
                ("mass".to_owned(), state.mass),
                ("complexity".to_owned(), f64::from(state.complexity)),
                ("sloc".to_owned(), f64::from(state.sloc)),
            ])
        });
        Summary {
            values: values.unwrap_or_default(),
            ..Summary::of(point)
        }
    }

    fn charts(&self, summaries: &[Summary], makers: &Makers) -> Result<Vec<Value>, HtmlError> {
        let all = [
            (
                "mass",
                "complexity mass",
                Kind::Real,
                "Complexity times the square root of its lines.",
            ),
            (
                "complexity",
                "complexity",
                Kind::Count,
                "Independent paths through it.",
            ),
            ("sloc", "source lines", Kind::Count, "Lines with code."),
        ];
        let mut charts = Vec::new();
        for (id, title, kind, about) in all {
            let chart = Chart {
                id,
                title,
                kind,
                top: None,
                levels: &[],
                band: None,
            };
            charts.extend(lines::chart(summaries, makers, &chart)?.map(|svg| {
                context! {
                    id,
                    title => crate::format::capitalised(title),
                    about,
                    svg => Value::from_safe_string(svg),
                }
            }));
        }
        Ok(charts)
    }

    /// The points that changed the function, newest first.
    fn changes(&self) -> Vec<Value> {
        let mut room = MOST_LINES;
        let changed = self.points.iter().rev().filter_map(|point| {
            let place = self.change(point)?;
            let summary = Summary::of(point);
            let shown = place.diff.as_ref().filter(|diff| {
                let lines = diff.hunks.iter().map(|hunk| hunk.lines.len()).sum();
                let fits = room >= lines;
                room = room.saturating_sub(lines);
                fits
            });
            Some(context! {
                day => summary.time.get(..10).unwrap_or_default(),
                what => what(&summary),
                author => author_label(&summary.author),
                address => format!("{}#places", point_address(&self.project, &self.series, &summary.key)),
                amounts => amounts(place),
                diff => shown.map(diff::value),
            })
        });
        changed.take(MOST_LISTED).collect()
    }
}

/// The amounts of a place that are not zero.
fn amounts(place: &ChangedPlace) -> Vec<Value> {
    let listed = place.amounts.listed().into_iter();
    let changed = listed.filter(|(_, value)| *value != 0.0);
    changed
        .map(|(metric, value)| {
            context! {
                title => metric.title,
                text => signed(value, decimals(metric.kind, value.abs())),
                tone => if value > 0.0 { "bad" } else { "good" },
            }
        })
        .collect()
}
