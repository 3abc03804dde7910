//! One point, and what changed since the one before.

use minijinja::{Value, context};
use slope_model::measurement::Part;
use slope_model::metrics::FIELDS;
use slope_model::series::{Origin, Point, PointChange};
use slope_model::summary::Summary;

use super::home::{percent, what};
use super::moves::{Direction, Move, Size, comparable, moves, worsening};
use super::{
    author_label, diff, function_address, functions, judge_address, point_address, series_address,
};
use crate::format::{clean, clean_path, decimals, number, signed};

/// Places that the page lists.
const MOST_PLACES: usize = 100;

/// One point, and what changed since the one before.
#[derive(Debug, Clone)]
pub struct PointPage {
    /// Name of the project.
    pub project: String,
    /// Title of the project.
    pub title: String,
    /// The point.
    pub point: Point,
    /// The point before.
    pub before: Option<Summary>,
    /// The point after.
    pub after: Option<Summary>,
}

impl PointPage {
    /// The heading of the page.
    pub(super) fn heading(&self) -> String {
        format!(
            "{}: {}",
            clean(&self.title),
            what(&Summary::of(&self.point))
        )
    }

    pub(super) fn value(&self) -> Value {
        let point = &self.point;
        let now = Summary::of(point);
        let share = self
            .before
            .as_ref()
            .map(|before| worsening(before, &now, &Size::of(&now)));
        let direction = share.map_or(Direction::Steady, Direction::of);
        let link = |other: &Option<Summary>| {
            other.as_ref().map(|other| {
                context! {
                    what => what(other),
                    address => point_address(&self.project, &point.series, &other.key),
                }
            })
        };
        context! {
            heading => what(&now),
            title => clean(&self.title),
            address => series_address(&self.project, &point.series),
            series => clean(&point.series),
            facts => facts(point),
            state => match direction {
                Direction::Worse => "worse",
                Direction::Better => "better",
                Direction::Steady => "steady",
            },
            share => share.map(|share| percent(share.abs())),
            breaks => self.before.as_ref().is_some_and(|before| !comparable(before, &now)),
            has_before => self.before.is_some(),
            moves => self.before.iter().flat_map(|before| moves(before, &now, direction)).map(|it| Move::value(&it)).collect::<Vec<_>>(),
            places => point.change.as_ref().map(|change| self.places(change)),
            judge => judge_address(&self.project, &point.series),
            scores => scores(point),
            functions => functions(&point.worst, (&self.project, &point.series)),
            totals => totals(point),
            before => link(&self.before),
            after => link(&self.after),
        }
    }

    fn places(&self, change: &PointChange) -> Vec<Value> {
        let of = (self.project.as_str(), self.point.series.as_str());
        let rows = change.places.iter().take(MOST_PLACES).map(|place| {
        let amounts = place.amounts.listed().into_iter().map(|(metric, value)| {
            let digits = decimals(metric.kind, value.abs());
            let text = if value == 0.0 {
                String::new()
            } else {
                signed(value, digits)
            };
            context! { text, tone => if value > 0.0 { "bad" } else { "good" } }
        });
        context! {
            address => place.function.as_ref().map(|name| function_address(of, &place.path, name)),
            diff => place.diff.as_ref().map(diff::value),
            function => place.function.as_deref().map(clean),
            place => format!("{}:{}", clean_path(&place.path), place.line),
            amounts => amounts.collect::<Vec<_>>(),
        }
    });
        rows.collect()
    }
}

/// What is known of the point, as pairs of a title and a text.
fn facts(point: &Point) -> Vec<Value> {
    let author = &point.author;
    let commit = point.commit.as_ref();
    let origin = match point.origin {
        Origin::Folder => "by hand, from a directory",
        Origin::Commit => "by hand, from a commit",
        Origin::Hook => "by a hook of an agent",
        Origin::Ci => "by a CI job",
        Origin::Run => "from a benchmark run",
    };
    let all = [
        ("Time", Some(point.time.clone())),
        ("Author", Some(author_label(author))),
        (
            "Person",
            author.person.clone().filter(|_| author.agent.is_some()),
        ),
        ("Version of the agent", author.agent_version.clone()),
        ("Session", author.session.clone()),
        ("Commit", commit.map(|commit| commit.id.clone())),
        ("Branch", commit.and_then(|commit| commit.branch.clone())),
        ("Added", Some(origin.to_owned())),
        ("Note", point.note.clone()),
        ("Definitions", Some(point.definitions.clone())),
        ("Measured by", Some(point.engine.clone())),
    ];
    let known = all
        .into_iter()
        .filter_map(|(title, text)| Some((title, text?)));
    known
        .map(|(title, text)| context! { title, text => clean(&text) })
        .collect()
}

fn scores(point: &Point) -> Vec<Value> {
    let rows = point.scores.iter().map(|of| {
        let judge = match &of.model {
            Some(model) => clean(model),
            None => "static".to_owned(),
        };
        let text = |score: Option<f64>| score.map(|score| number(score, 1));
        context! {
            judge,
            verbosity => text(of.scores.verbosity),
            erosion => text(of.scores.erosion),
            extensibility => text(of.scores.extensibility),
            missing => of.missing.iter().map(|(name, reason)| format!("{}: {}", clean(name), clean(reason))).collect::<Vec<_>>(),
        }
    });
    rows.collect()
}

/// All totals: of production code and of tests, if they are apart, otherwise of everything.
fn totals(point: &Point) -> Value {
    let of_parts = [(Part::Product, "production code"), (Part::Tests, "tests")];
    let mut columns: Vec<(&str, &slope_model::metrics::Totals)> = of_parts
        .into_iter()
        .filter_map(|(part, title)| Some((title, point.parts.get(&part)?)))
        .collect();
    if columns.is_empty() {
        columns.push(("all code", &point.totals));
    }
    let rows = FIELDS.iter().map(|metric| {
        let values = columns
            .iter()
            .map(|(_, totals)| match metric.of_totals(totals) {
                Some(value) => number(value, decimals(metric.kind, value.abs())),
                None => match totals.missing.get(metric.id) {
                    Some(reason) => format!("– ({})", clean(reason)),
                    None => "–".to_owned(),
                },
            });
        let unit = if metric.title.ends_with(metric.unit) {
            ""
        } else {
            metric.unit
        };
        context! { title => metric.title, unit, values => values.collect::<Vec<_>>() }
    });
    context! {
        columns => columns.iter().map(|(title, _)| *title).collect::<Vec<_>>(),
        rows => rows.collect::<Vec<_>>(),
    }
}
