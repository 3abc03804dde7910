//! Differences between points.

use minijinja::{Value, context};
use slope_model::assessment::ScoreName;
use slope_model::metrics::{
    CLONE_LINES, EROSION, FLAGGED_LINES, HIGH_COMPLEXITY_MASS, MASS, Metric, SLOC, VERBOSITY,
};
use slope_model::summary::{Summary, score_value};

use crate::format::{Kind, decimals, number, signed};

/// Metrics whose rise makes code worse: the absolute ones first, because decisions depend on them.
pub(super) const WATCHED: [&Metric; 5] = [
    &HIGH_COMPLEXITY_MASS,
    &CLONE_LINES,
    &FLAGGED_LINES,
    &EROSION,
    &VERBOSITY,
];

/// A share of a code base below which nothing is said to have changed: one line in two thousand.
const NOTICEABLE: f64 = 0.0005;

/// The direction of a code base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Worse,
    Better,
    Steady,
}

impl Direction {
    pub(super) fn of(share: f64) -> Self {
        if share > NOTICEABLE {
            Self::Worse
        } else if share < -NOTICEABLE {
            Self::Better
        } else {
            Self::Steady
        }
    }
}

/// A value that differs between two points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Move {
    pub(super) title: String,
    kind: Kind,
    before: f64,
    after: f64,
    /// Whether a rise is good.
    rise_is_good: bool,
}

impl Move {
    fn is_worse(&self) -> bool {
        (self.after > self.before) != self.rise_is_good
    }

    fn digits(&self) -> usize {
        decimals(self.kind, self.after.abs().max(self.before.abs()))
    }

    /// Whether the difference is more than zero with the digits that are shown.
    fn is_visible(&self) -> bool {
        let shown = number((self.after - self.before).abs(), self.digits());
        shown.contains(|c: char| c.is_ascii_digit() && c != '0')
    }

    /// Its share of what it was, to compare it with other values.
    fn weight(&self) -> f64 {
        (self.after - self.before).abs() / self.before.abs().max(1e-9)
    }

    pub(super) fn value(&self) -> Value {
        let digits = self.digits();
        context! {
            title => &self.title,
            change => signed(self.after - self.before, digits),
            before => number(self.before, digits),
            after => number(self.after, digits),
            tone => if self.is_worse() { "bad" } else { "good" },
        }
    }
}

/// Whether two points have the same definitions, so that their numbers compare.
pub(super) fn comparable(before: &Summary, after: &Summary) -> bool {
    before.definitions == after.definitions
}

/// The values that differ: first those that got worse, largest share first.
pub(super) fn moves(before: &Summary, after: &Summary) -> Vec<Move> {
    if !comparable(before, after) {
        return Vec::new();
    }
    let metrics = WATCHED.iter().map(|metric| {
        (
            metric.id.to_owned(),
            metric.title.to_owned(),
            metric.kind,
            false,
        )
    });
    let scores = ScoreName::ALL.iter().map(|name| {
        let title = format!("{} score", name.name());
        (score_value(*name), title, Kind::Real, true)
    });
    let mut all: Vec<Move> = metrics
        .chain(scores)
        .filter_map(|(id, title, kind, rise_is_good)| {
            Some(Move {
                title,
                kind,
                before: *before.values.get(&id)?,
                after: *after.values.get(&id)?,
                rise_is_good,
            })
        })
        .filter(Move::is_visible)
        .collect();
    all.sort_by(|a, b| {
        let order = b.is_worse().cmp(&a.is_worse());
        order.then(b.weight().total_cmp(&a.weight()))
    });
    all
}

/// How much of a code base got worse between two points, as a share of it; negative if it got better. It is the rise of
/// complexity mass in highly complex functions over all mass, plus the rise of clone and flagged lines over all source
/// lines. 0 if the points do not compare.
pub(super) fn worsening(before: &Summary, after: &Summary) -> f64 {
    if !comparable(before, after) {
        return 0.0;
    }
    let at = |summary: &Summary, metric: &Metric| summary.values.get(metric.id).copied();
    let rise = |metric: &Metric| Some(at(after, metric)? - at(before, metric)?);
    let size = |metric: &Metric| {
        let of = |summary| at(summary, metric).unwrap_or(0.0);
        of(before).max(of(after)).max(1.0)
    };
    let mass = rise(&HIGH_COMPLEXITY_MASS).unwrap_or(0.0) / size(&MASS);
    let lines = rise(&CLONE_LINES).unwrap_or(0.0) + rise(&FLAGGED_LINES).unwrap_or(0.0);
    mass + lines / size(&SLOC)
}

/// The step between neighbours that made most of the difference in a direction.
pub(super) fn largest_step(points: &[Summary], is_rise: bool) -> Option<&Summary> {
    let steps = points.windows(2).filter_map(|pair| {
        let [before, after] = pair else { return None };
        let share = worsening(before, after);
        let share = if is_rise { share } else { -share };
        (share > 0.0).then_some((share, after))
    });
    steps
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, after)| after)
}

#[cfg(test)]
pub(super) mod tests {
    use slope_model::series::{Author, Origin};

    use super::*;

    /// A point with these values, one a day.
    pub(in crate::site) fn summary(day: u32, values: &[(&str, f64)]) -> Summary {
        Summary {
            key: format!("iteration-{day}"),
            time: format!("2026-11-{day:02}T00:00:00Z"),
            iteration: Some(day),
            commit: None,
            author: Author::default(),
            origin: Origin::Folder,
            definitions: "d".to_owned(),
            values: values
                .iter()
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
        }
    }

    fn code(day: u32, high: f64, clones: f64) -> Summary {
        let values = [
            ("high_complexity_mass", high),
            ("mass", 1000.0),
            ("clone_lines", clones),
            ("sloc", 100.0),
        ];
        summary(day, &values)
    }

    #[test]
    fn growth_alone_is_not_worse() {
        let before = summary(1, &[("mass", 100.0), ("sloc", 100.0), ("clone_lines", 5.0)]);
        let after = summary(2, &[("mass", 300.0), ("sloc", 300.0), ("clone_lines", 5.0)]);
        assert_eq!(worsening(&before, &after), 0.0);
        assert_eq!(Direction::of(0.0), Direction::Steady);
    }

    #[test]
    fn worsening_adds_mass_and_lines() {
        let share = worsening(&code(1, 0.0, 0.0), &code(2, 100.0, 10.0));
        assert!((share - 0.2).abs() < 1e-12);
        assert_eq!(Direction::of(share), Direction::Worse);
        assert_eq!(Direction::of(-share), Direction::Better);
    }

    #[test]
    fn largest_step_is_found_in_both_directions() {
        let points = [
            code(1, 0.0, 0.0),
            code(2, 10.0, 0.0),
            code(3, 90.0, 0.0),
            code(4, 40.0, 0.0),
        ];
        let key = |is_rise| largest_step(&points, is_rise).map(|it| it.key.as_str());
        assert_eq!(key(true), Some("iteration-3"));
        assert_eq!(key(false), Some("iteration-4"));
    }

    #[test]
    fn other_definitions_do_not_compare() {
        let (before, mut after) = (code(1, 0.0, 0.0), code(2, 100.0, 10.0));
        after.definitions = "e".to_owned();
        assert!(moves(&before, &after).is_empty());
        assert_eq!(worsening(&before, &after), 0.0);
    }

    #[test]
    fn worse_values_come_first() {
        let before = summary(
            1,
            &[
                ("clone_lines", 10.0),
                ("erosion", 0.5),
                ("score.erosion", 5.0),
            ],
        );
        let after = summary(
            2,
            &[
                ("clone_lines", 8.0),
                ("erosion", 0.6),
                ("score.erosion", 4.0),
            ],
        );
        let titles: Vec<String> = moves(&before, &after)
            .into_iter()
            .map(|it| it.title)
            .collect();
        assert_eq!(titles.first().map(String::as_str), Some("erosion"));
        assert_eq!(titles.last().map(String::as_str), Some("clone lines"));
    }
}
