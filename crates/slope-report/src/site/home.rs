//! The first page: what got worse, where, since when, and who did it.

use std::sync::Arc;

use minijinja::{Value, context};
use slope_model::plural;
use slope_model::summary::Summary;

use super::moves::{Direction, Move, Size, comparable, largest_step, moves, worsening};
use super::watches::WatchLine;
use super::{author_label, point_address, series_address};
use crate::format::{age, clean, number};

/// Differences that a row names.
const MOST_MOVES: usize = 3;

/// What got worse, across projects.
#[derive(Debug, Clone)]
pub struct Home {
    /// Length of the period in days.
    pub days: u32,
    /// Watches with an open alarm.
    pub alarms: Vec<WatchLine>,
    /// Series with points.
    pub weeks: Vec<Week>,
    /// Names and titles of projects without points.
    pub empty: Vec<(String, String)>,
    /// Whether there are more series than these.
    pub has_more: bool,
}

/// A series in the period.
#[derive(Debug, Clone)]
pub struct Week {
    /// Name of the project.
    pub project: String,
    /// Title of the project.
    pub title: String,
    /// Name of the series.
    pub series: String,
    /// What its points say; `None` if the period has no point.
    pub period: Option<Arc<Period>>,
    /// Day of the latest code.
    pub last: String,
    /// Number of points of the series.
    pub all: u64,
    /// Days since the last point was made.
    pub age_days: u32,
}

/// What the points of a period say.
#[derive(Debug)]
pub struct Period {
    /// Points, with the last one before the period.
    points: usize,
    /// How much worse the last point is than the first one, as a share. Below 0 if it is better.
    share: f64,
    direction: Direction,
    /// Whether both ends have the same definitions.
    is_comparable: bool,
    /// The largest differences in that direction.
    moves: Vec<Value>,
    /// The step that did most of it.
    step: Option<Step>,
}

/// A step of a series.
#[derive(Debug)]
struct Step {
    day: String,
    author: String,
    what: String,
    /// Key of its point.
    key: String,
}

impl Period {
    /// What these points say, in their order: those of the period, after the last one before it. `None` without points.
    #[must_use]
    pub fn of(points: &[Summary]) -> Option<Self> {
        let (before, after) = (points.first()?, points.last()?);
        let share = worsening(before, after, &Size::of(after));
        let direction = Direction::of(share);
        let all = moves(before, after, direction);
        let step = largest_step(points, direction == Direction::Worse);
        Some(Self {
            points: points.len(),
            share,
            direction,
            is_comparable: comparable(before, after),
            moves: all.iter().take(MOST_MOVES).map(Move::value).collect(),
            step: step.map(|step| Step {
                day: step.time.get(..10).unwrap_or_default().to_owned(),
                author: author_label(&step.author),
                what: what(step),
                key: step.key.clone(),
            }),
        })
    }

    fn state(&self) -> &'static str {
        if !self.is_comparable {
            return "the definitions changed";
        }
        if self.points == 1 {
            return "one point";
        }
        match self.direction {
            Direction::Worse => "worse",
            Direction::Better => "better",
            Direction::Steady => "steady",
        }
    }
}

impl Week {
    /// The period, if the series has a point in it.
    fn fresh(&self, days: u32) -> Option<&Period> {
        self.period.as_deref().filter(|_| self.age_days <= days)
    }

    fn share(&self) -> f64 {
        self.period.as_ref().map_or(0.0, |period| period.share)
    }

    fn address(&self) -> String {
        series_address(&self.project, &self.series)
    }

    fn name(&self) -> Value {
        let series = (self.series != slope_model::series::MAIN_SERIES).then(|| clean(&self.series));
        context! { title => clean(&self.title), series, address => self.address() }
    }

    /// A row of what moved.
    fn row(&self, period: &Period) -> Value {
        context! {
            name => self.name(),
            share => percent(period.share.abs()),
            moves => &period.moves,
            step => period.step.as_ref().map(|step| context! {
                day => &step.day,
                author => &step.author,
                what => &step.what,
                address => point_address(&self.project, &self.series, &step.key),
            }),
        }
    }

    /// A row of the list of all series.
    fn line(&self, days: u32) -> Value {
        let fresh = self.fresh(days);
        context! {
            name => self.name(),
            state => fresh.map_or("no point in this period", Period::state),
            points => number(u32::try_from(self.all).unwrap_or(u32::MAX).into(), 0),
            last => &self.last,
            age => age(self.age_days),
            is_stale => fresh.is_none(),
        }
    }
}

impl Home {
    pub(super) fn value(&self) -> Value {
        let rows = |wanted: Direction| -> Vec<Value> {
            let of = self.weeks.iter().filter_map(|week| {
                let period = week.period.as_deref()?;
                (period.direction == wanted).then_some((week, period))
            });
            let mut of = Vec::from_iter(of);
            of.sort_by(|(a, _), (b, _)| {
                let order = b.share().abs().total_cmp(&a.share().abs());
                order.then_with(|| a.address().cmp(&b.address()))
            });
            of.into_iter()
                .map(|(week, period)| week.row(period))
                .collect()
        };
        let empty = self.empty.iter().map(|(name, title)| {
            context! { title => clean(title), name => clean(name) }
        });
        context! {
            days => self.days,
            period => match self.days {
                7 => "this week".to_owned(),
                days => format!("in the last {}", plural(days, "day")),
            },
            alarms => self.alarms.iter().filter_map(WatchLine::row).collect::<Vec<_>>(),
            worse => rows(Direction::Worse),
            better => rows(Direction::Better),
            lines => self.weeks.iter().map(|week| week.line(self.days)).collect::<Vec<_>>(),
            empty => empty.collect::<Vec<_>>(),
            is_new => self.weeks.is_empty(),
            has_more => self.has_more,
            stale => self.weeks.iter().filter(|week| week.fresh(self.days).is_none()).count(),
        }
    }
}

/// A share as a percentage with two digits.
pub(super) fn percent(share: f64) -> String {
    let digits = if share < 0.0995 { 2 } else { 1 };
    format!("{} %", number(100.0 * share, digits))
}

/// What made a point: its commit or iteration.
pub(super) fn what(point: &Summary) -> String {
    match (&point.commit, point.iteration) {
        (Some(commit), _) if !commit.subject.is_empty() => {
            crate::format::shorten(&clean(&commit.subject), 80)
        }
        (Some(commit), _) => format!("commit {}", commit.id.get(..10).unwrap_or(&commit.id)),
        (None, Some(number)) => format!("iteration {number}"),
        (None, None) => "this point".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Site;
    use super::super::moves::tests::summary;
    use super::*;

    fn week(project: &str, clones: &[f64]) -> Week {
        let points = clones
            .iter()
            .zip(1..)
            .map(|(clones, day)| summary(day, &[("clone_lines", *clones), ("sloc", 100.0)]));
        Week {
            project: project.to_owned(),
            title: format!("<{project}>"),
            series: "main".to_owned(),
            period: Period::of(&Vec::from_iter(points)).map(Arc::new),
            last: "2026-11-03".to_owned(),
            all: 3,
            age_days: 0,
        }
    }

    fn page(home: &Home) -> String {
        Site::new("1", false)
            .and_then(|site| site.home(home))
            .expect("a page")
    }

    #[test]
    fn worst_project_comes_first() {
        let home = Home {
            days: 7,
            alarms: Vec::new(),
            weeks: vec![
                week("little", &[0.0, 2.0]),
                week("much", &[0.0, 20.0]),
                week("good", &[9.0, 0.0]),
            ],
            empty: Vec::new(),
            has_more: false,
        };
        let page = page(&home);
        let place = |text: &str| {
            page.find(text)
                .unwrap_or_else(|| panic!("{text} is missing: {page}"))
        };
        assert!(place("&lt;much&gt;") < place("&lt;little&gt;"));
        assert!(page.contains("got worse this week"));
        assert!(!page.contains("<much>"), "titles are escaped");
    }

    #[test]
    fn new_server_says_what_to_do() {
        let page = page(&Home {
            days: 7,
            alarms: Vec::new(),
            weeks: Vec::new(),
            empty: vec![("shop".to_owned(), "Shop".to_owned())],
            has_more: false,
        });
        assert!(
            page.contains("slope track push") && page.contains("--project shop"),
            "{page}"
        );
    }
}
