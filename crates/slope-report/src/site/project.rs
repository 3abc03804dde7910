//! A series of a project over time.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use slope_model::assessment::ScoreName;
use slope_model::metrics::{
    CLONE_LINES, EROSION, FLAGGED_LINES, HIGH_COMPLEXITY_MASS, MASS, Metric, SLOC, VERBOSITY,
};
use slope_model::plural;
use slope_model::series::Point;
use slope_model::summary::{Summary, panel_value, score_value};

use super::home::{percent, what};
use super::human::{HumanPanel, HumanRange};
use super::lines::{self, Chart, Makers};
use super::moves::{Direction, Move, Size, comparable, largest_step, moves, worsening};
use super::{author_label, functions, judge_address, levels, point_address, series_address};
use crate::format::{Kind, age, clean, number, signed};
use crate::html::HtmlError;

/// Points that the page lists, newest first.
const MOST_LISTED: usize = 60;
/// Authors that the page lists.
const MOST_AUTHORS: usize = 30;
/// Metrics with a chart, the absolute ones first.
const CHARTED: [&Metric; 7] = [
    &HIGH_COMPLEXITY_MASS,
    &CLONE_LINES,
    &EROSION,
    &VERBOSITY,
    &MASS,
    &FLAGGED_LINES,
    &SLOC,
];
/// Scores of human code: the median, and the score that nine of ten human code bases reach.
const HUMAN_SCORES: [f64; 2] = [7.0, 4.0];

/// A series of a project over time.
#[derive(Debug, Clone)]
pub struct ProjectPage {
    /// Name of the project.
    pub project: String,
    /// Title of the project.
    pub title: String,
    /// Names of its series, and their numbers of points.
    pub all_series: Vec<(String, u64)>,
    /// Name of the series.
    pub series: String,
    /// Its points in their order.
    pub points: Vec<Summary>,
    /// The last of them, whole.
    pub last: Option<Point>,
    /// Days since the last point was made.
    pub age_days: u32,
    /// Time from which "recently" counts, in UTC.
    pub since: String,
    /// Length of that period in days.
    pub days: u32,
    /// Human code in the language with the most code of the last point.
    pub human: Option<HumanPanel>,
}

impl ProjectPage {
    pub(super) fn value(&self) -> Result<Value, HtmlError> {
        let makers = Makers::of(&self.points);
        let charts = self.charts(&makers)?;
        let place = (self.project.as_str(), self.series.as_str());
        let series = self.all_series.iter().map(|(name, count)| {
            context! {
                name => clean(name),
                count,
                is_current => *name == self.series,
                address => series_address(&self.project, name),
            }
        });
        Ok(context! {
            title => clean(&self.title),
            project => clean(&self.project),
            address => series_address(&self.project, &self.series),
            series => series.collect::<Vec<_>>(),
            count => plural(u32::try_from(self.points.len()).unwrap_or(u32::MAX), "point"),
            age => age(self.age_days),
            is_stale => self.age_days > self.days,
            days => self.days,
            periods => vec![self.recent(), self.whole()],
            scores => self.scores(),
            legend => legend(&makers, &charts, self.human_erosion().is_some()),
            charts,
            levels => levels::changes(&self.points, &CHARTED, place),
            judge => judge_address(&self.project, &self.series),
            mass_title => crate::format::capitalised(HIGH_COMPLEXITY_MASS.title),
            authors => self.authors(),
            functions => self.last.as_ref().map(|last| functions(&last.worst, place)).unwrap_or_default(),
            points => self.listed(),
            more => self.points.len().saturating_sub(MOST_LISTED),
            breaks => self.breaks(),
        })
    }

    /// What changed in the recent period.
    fn recent(&self) -> Value {
        let first = self
            .points
            .iter()
            .position(|point| point.time >= self.since);
        let points = match first {
            Some(first) => &self.points[first.saturating_sub(1)..],
            None => &[],
        };
        let title = match self.days {
            7 => "This week".to_owned(),
            days => format!("Last {days} days"),
        };
        self.period(&title, points)
    }

    /// What changed since the first point with the definitions of the last one.
    fn whole(&self) -> Value {
        let last = self.points.last();
        let same = |point: &&Summary| last.is_some_and(|last| comparable(point, last));
        let count = self.points.iter().rev().take_while(same).count();
        self.period(
            "Since the first point",
            &self.points[self.points.len() - count..],
        )
    }

    fn period(&self, title: &str, points: &[Summary]) -> Value {
        let (Some(before), Some(after)) = (points.first(), points.last()) else {
            return context! { title, state => "no points", share => (), moves => Vec::<Value>::new(), step => () };
        };
        let share = worsening(before, after, &Size::of(after));
        let direction = Direction::of(share);
        let step = largest_step(points, direction != Direction::Better);
        context! {
            title,
            state => match direction {
                Direction::Worse => "worse",
                Direction::Better => "better",
                Direction::Steady => "steady",
            },
            share => percent(share.abs()),
            moves => moves(before, after, direction).iter().map(Move::value).collect::<Vec<_>>(),
            step => step.map(|step| context! {
                day => step.time.get(..10).unwrap_or_default(),
                author => author_label(&step.author),
                what => what(step),
                address => point_address(&self.project, &self.series, &step.key),
            }),
        }
    }

    /// The scores of the last point.
    fn scores(&self) -> Vec<Value> {
        let Some(last) = self.points.last() else {
            return Vec::new();
        };
        let scores = ScoreName::ALL.iter().filter_map(|name| {
            let value = *last.values.get(&score_value(*name))?;
            Some(context! { name => name.name(), value => number(value, 1), tenths => value })
        });
        scores.collect()
    }

    /// The band of erosion of human code, if points have values that compare with it.
    fn human_erosion(&self) -> Option<&HumanPanel> {
        let human = self.human.as_ref()?;
        let id = panel_value(&human.name, &EROSION);
        let known = self
            .points
            .iter()
            .filter(|point| point.values.contains_key(&id));
        (known.count() > 1).then_some(human)
    }

    fn charts(&self, makers: &Makers) -> Result<Vec<Value>, HtmlError> {
        let mut all = Vec::new();
        for metric in CHARTED {
            all.extend(self.metric_figure(metric, makers)?);
        }
        for name in ScoreName::ALL {
            let title = format!("{} score", name.name());
            let chart = Chart {
                id: &score_value(name),
                title: &title,
                kind: Kind::Real,
                top: Some(10.0),
                levels: &HUMAN_SCORES,
                band: None,
            };
            let about = "From 0 to 10, 10 is best. Dotted: the median of human code (7), and what nine of ten human code bases reach (4).";
            all.extend(self.figure(&chart, makers, about)?);
        }
        Ok(all)
    }

    /// A chart of a metric. Erosion and verbosity have the band of human code, if points were measured as it was.
    fn metric_figure(
        &self,
        metric: &'static Metric,
        makers: &Makers,
    ) -> Result<Option<Value>, HtmlError> {
        let range = |human: &HumanPanel| match metric.id {
            id if id == EROSION.id => Some(human.erosion),
            id if id == VERBOSITY.id => Some(human.verbosity),
            _ => None,
        };
        let banded = self.human_erosion().and_then(|it| Some((it, range(it)?)));
        let mut chart = Chart {
            id: metric.id,
            title: metric.title,
            kind: metric.kind,
            top: None,
            levels: &[],
            band: None,
        };
        let mut about = format!("{}.", crate::format::capitalised(metric.gist()));
        let Some((human, HumanRange { low, median, high })) = banded else {
            return self.figure(&chart, makers, &about);
        };
        let id = panel_value(&human.name, metric);
        let levels = [median];
        (chart.id, chart.levels, chart.band) = (&id, &levels, Some((low, high)));
        about.push_str(&format!(
            " Band: eight of ten of {} human code bases in {}, measured the same way; dotted: their median.",
            human.count, human.languages
        ));
        self.figure(&chart, makers, &about)
    }

    fn figure(
        &self,
        what: &Chart<'_>,
        makers: &Makers,
        about: &str,
    ) -> Result<Option<Value>, HtmlError> {
        let svg = lines::chart(&self.points, makers, what)?;
        Ok(svg.map(|svg| {
            context! {
                id => what.id.replace('.', "-"),
                title => crate::format::capitalised(what.title),
                about,
                svg => Value::from_safe_string(svg),
            }
        }))
    }

    /// Sums of the steps of each author.
    fn authors(&self) -> Vec<Value> {
        struct Sums {
            points: u32,
            share: f64,
            mass: f64,
            clones: f64,
        }
        let Some(size) = self.points.last().map(Size::of) else {
            return Vec::new();
        };
        let mut all: BTreeMap<String, Sums> = BTreeMap::new();
        for pair in self.points.windows(2) {
            let [before, after] = pair else { continue };
            if !comparable(before, after) {
                continue;
            }
            let rise = |metric: &Metric| {
                let at = |of: &Summary| of.values.get(metric.id).copied().unwrap_or(0.0);
                at(after) - at(before)
            };
            let sums = all.entry(author_label(&after.author)).or_insert(Sums {
                points: 0,
                share: 0.0,
                mass: 0.0,
                clones: 0.0,
            });
            sums.points += 1;
            sums.share += worsening(before, after, &size);
            sums.mass += rise(&HIGH_COMPLEXITY_MASS);
            sums.clones += rise(&CLONE_LINES);
        }
        let mut all: Vec<(String, Sums)> = all.into_iter().collect();
        all.sort_by(|a, b| b.1.share.total_cmp(&a.1.share));
        let rows = all.into_iter().take(MOST_AUTHORS).map(|(name, sums)| {
            context! {
                name,
                points => sums.points,
                share => format!("{} %", signed(100.0 * sums.share, 2)),
                mass => signed(sums.mass, 1),
                clones => signed(sums.clones, 0),
                tone => tone(sums.share),
            }
        });
        rows.collect()
    }

    /// The points, newest first.
    fn listed(&self) -> Vec<Value> {
        let indexed = self.points.iter().enumerate().rev().take(MOST_LISTED);
        let rows = indexed.map(|(at, point)| {
            let before = at.checked_sub(1).and_then(|at| self.points.get(at));
            let share = before.map(|before| worsening(before, point, &Size::of(point)));
            let value = |metric: &Metric, digits| {
                point
                    .values
                    .get(metric.id)
                    .map(|value| number(*value, digits))
            };
            context! {
                day => point.time.replace('T', " ").replace(":00Z", "").replace('Z', ""),
                what => what(point),
                author => author_label(&point.author),
                address => point_address(&self.project, &self.series, &point.key),
                share => share.map(|share| format!("{} %", signed(100.0 * share, 2))),
                tone => share.map_or("", tone),
                erosion => value(&EROSION, 3),
                verbosity => value(&VERBOSITY, 3),
                clones => value(&CLONE_LINES, 0),
                sloc => value(&SLOC, 0),
            }
        });
        rows.collect()
    }

    /// Number of places where the definitions change, so that numbers do not compare across them.
    fn breaks(&self) -> usize {
        let pairs = self.points.windows(2);
        pairs
            .filter(|pair| matches!(pair, [before, after] if !comparable(before, after)))
            .count()
    }
}

fn tone(share: f64) -> &'static str {
    match Direction::of(share) {
        Direction::Worse => "bad",
        Direction::Better => "good",
        Direction::Steady => "",
    }
}

/// The legend of charts of a series: what they show.
pub(super) fn legend(makers: &Makers, charts: &[Value], has_band: bool) -> Vec<Value> {
    let mut all = makers.legend();
    let of_levels = format!("var(--s{})", lines::PACE.color);
    let mut drawings = charts.iter().filter_map(|chart| chart.get_attr("svg").ok());
    if drawings.any(|svg| svg.to_string().contains(&of_levels)) {
        all.push(("change of level".to_owned(), lines::PACE));
    }
    let mut rows: Vec<Value> = all
        .into_iter()
        .map(|(name, look)| {
            context! { name, color => look.color, glyph => look.glyph().to_string() }
        })
        .collect();
    if has_band {
        rows.push(context! { name => "eight of ten human code bases", color => "", glyph => "" });
    }
    rows
}
