//! The first page: what got worse, where, since when, and who did it.

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
    /// The points of the period in their order, after the last one before the period, if there is one. None if the
    /// period has no point.
    pub points: Vec<Summary>,
    /// Day of the latest code.
    pub last: String,
    /// Number of points of the series.
    pub all: u64,
    /// Days since the last point was made.
    pub age_days: u32,
}

impl Week {
    fn ends(&self) -> Option<(&Summary, &Summary)> {
        Some((self.points.first()?, self.points.last()?))
    }

    /// Whether the period has no point.
    fn is_stale(&self, days: u32) -> bool {
        self.points.is_empty() || self.age_days > days
    }

    fn share(&self) -> f64 {
        self.ends().map_or(0.0, |(before, after)| {
            worsening(before, after, &Size::of(after))
        })
    }

    fn address(&self) -> String {
        series_address(&self.project, &self.series)
    }

    fn name(&self) -> Value {
        let series = (self.series != slope_model::series::MAIN_SERIES).then(|| clean(&self.series));
        context! { title => clean(&self.title), series, address => self.address() }
    }

    /// A row of what moved.
    fn row(&self, direction: Direction) -> Value {
        let all = self
            .ends()
            .map(|(before, after)| moves(before, after, direction))
            .unwrap_or_default();
        let step = largest_step(&self.points, direction == Direction::Worse);
        context! {
            name => self.name(),
            share => percent(self.share().abs()),
            moves => all.iter().take(MOST_MOVES).map(Move::value).collect::<Vec<_>>(),
            step => step.map(|step| context! {
                day => step.time.get(..10).unwrap_or_default(),
                author => author_label(&step.author),
                what => what(step),
                address => point_address(&self.project, &self.series, &step.key),
            }),
        }
    }

    /// A row of the list of all series.
    fn line(&self, days: u32) -> Value {
        let in_period = self.points.len().saturating_sub(1);
        let breaks = self
            .ends()
            .is_some_and(|(before, after)| !comparable(before, after));
        let is_stale = self.is_stale(days);
        let state = if is_stale {
            "no point in this period".to_owned()
        } else if breaks {
            "the definitions changed".to_owned()
        } else if in_period == 0 {
            "one point".to_owned()
        } else {
            match Direction::of(self.share()) {
                Direction::Worse => "worse".to_owned(),
                Direction::Better => "better".to_owned(),
                Direction::Steady => "steady".to_owned(),
            }
        };
        context! {
            name => self.name(),
            state,
            points => number(u32::try_from(self.all).unwrap_or(u32::MAX).into(), 0),
            last => &self.last,
            age => age(self.age_days),
            is_stale,
        }
    }
}

impl Home {
    pub(super) fn value(&self) -> Value {
        let rows = |wanted: Direction| -> Vec<Value> {
            let mut of: Vec<&Week> = self
                .weeks
                .iter()
                .filter(|week| Direction::of(week.share()) == wanted)
                .collect();
            of.sort_by(|a, b| {
                let order = b.share().abs().total_cmp(&a.share().abs());
                order.then_with(|| a.address().cmp(&b.address()))
            });
            of.into_iter().map(|week| week.row(wanted)).collect()
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
            stale => self.weeks.iter().filter(|week| week.is_stale(self.days)).count(),
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
            points: points.collect(),
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
