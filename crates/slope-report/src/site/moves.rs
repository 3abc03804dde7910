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

/// What a value is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Mass that got worse.
    Mass,
    /// Lines that got worse.
    Lines,
    /// Neither: a share, or a score.
    None,
}

/// The size of a code base, of which shares are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    mass: f64,
    lines: f64,
}

impl Size {
    /// The size at a point.
    pub(super) fn of(point: &Summary) -> Self {
        let at = |metric: &Metric| value(point, metric).unwrap_or(0.0).max(1.0);
        Self {
            mass: at(&MASS),
            lines: at(&SLOC),
        }
    }
}

fn value(point: &Summary, metric: &Metric) -> Option<f64> {
    point.values.get(metric.id).copied()
}

/// A value that differs between two points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Move {
    pub(super) title: String,
    part: Part,
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

    /// What it contributes to the share of the code base that got worse, or little if it is no part of that.
    fn weight(&self, size: &Size) -> f64 {
        let change = (self.after - self.before).abs();
        match self.part {
            Part::Mass => change / size.mass,
            Part::Lines => change / size.lines,
            Part::None => 1e-9 * change / self.before.abs().max(1e-9),
        }
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

/// The values that differ: first those that moved in the direction, the largest contribution first.
pub(super) fn moves(before: &Summary, after: &Summary, direction: Direction) -> Vec<Move> {
    if !comparable(before, after) {
        return Vec::new();
    }
    let metrics = WATCHED.iter().map(|metric| {
        let part = match metric.id {
            id if id == HIGH_COMPLEXITY_MASS.id => Part::Mass,
            id if id == CLONE_LINES.id || id == FLAGGED_LINES.id => Part::Lines,
            _ => Part::None,
        };
        (
            metric.id.to_owned(),
            metric.title.to_owned(),
            metric.kind,
            part,
            false,
        )
    });
    let scores = ScoreName::ALL.iter().map(|name| {
        let title = format!("{} score", name.name());
        (score_value(*name), title, Kind::Real, Part::None, true)
    });
    let mut all: Vec<Move> = metrics
        .chain(scores)
        .filter_map(|(id, title, kind, part, rise_is_good)| {
            Some(Move {
                title,
                part,
                kind,
                before: *before.values.get(&id)?,
                after: *after.values.get(&id)?,
                rise_is_good,
            })
        })
        .filter(Move::is_visible)
        .collect();
    let size = Size::of(after);
    let is_along = |it: &Move| it.is_worse() == (direction != Direction::Better);
    all.sort_by(|a, b| {
        let order = is_along(b).cmp(&is_along(a));
        order.then(b.weight(&size).total_cmp(&a.weight(&size)))
    });
    all
}

/// How much of a code base got worse between two points, as a share of its size; negative if it got better. It is the
/// rise of complexity mass in highly complex functions over all mass, plus the rise of clone and flagged lines over all
/// source lines. 0 if the points do not compare. With one size, the shares of steps add up to that of their sum.
pub(super) fn worsening(before: &Summary, after: &Summary, size: &Size) -> f64 {
    if !comparable(before, after) {
        return 0.0;
    }
    let rise = |metric: &Metric| Some(value(after, metric)? - value(before, metric)?);
    let mass = rise(&HIGH_COMPLEXITY_MASS).unwrap_or(0.0);
    let lines = rise(&CLONE_LINES).unwrap_or(0.0) + rise(&FLAGGED_LINES).unwrap_or(0.0);
    mass / size.mass + lines / size.lines
}

/// The step between neighbours that made most of the difference in a direction.
pub(super) fn largest_step(points: &[Summary], is_rise: bool) -> Option<&Summary> {
    let size = Size::of(points.last()?);
    let steps = points.windows(2).filter_map(|pair| {
        let [before, after] = pair else { return None };
        let share = worsening(before, after, &size);
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
        assert_eq!(worsening(&before, &after, &Size::of(&after)), 0.0);
        assert_eq!(Direction::of(0.0), Direction::Steady);
    }

    #[test]
    fn worsening_adds_mass_and_lines() {
        let after = code(2, 100.0, 10.0);
        let share = worsening(&code(1, 0.0, 0.0), &after, &Size::of(&after));
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
        assert!(moves(&before, &after, Direction::Worse).is_empty());
        assert_eq!(worsening(&before, &after, &Size::of(&after)), 0.0);
    }

    #[test]
    fn causes_come_before_other_values() {
        let of = |day, clones, mass, erosion, score| {
            let mut point = code(day, mass, clones);
            point.values.insert("erosion".to_owned(), erosion);
            point.values.insert("score.erosion".to_owned(), score);
            point
        };
        let (before, after) = (of(1, 10.0, 0.0, 0.5, 5.0), of(2, 8.0, 300.0, 0.6, 4.0));
        let titles = |direction| -> Vec<String> {
            let all = moves(&before, &after, direction).into_iter();
            all.map(|it| it.title).collect()
        };
        let worse = titles(Direction::Worse);
        assert_eq!(
            worse.first().map(String::as_str),
            Some(HIGH_COMPLEXITY_MASS.title)
        );
        assert_eq!(worse.last().map(String::as_str), Some("clone lines"));
        assert_eq!(
            titles(Direction::Better).first().map(String::as_str),
            Some("clone lines")
        );
    }

    #[test]
    fn shares_of_steps_add_up() {
        let points = [code(1, 0.0, 5.0), code(2, 10.0, 1.0), code(3, 90.0, 7.0)];
        let size = Size::of(&points[2]);
        let steps: f64 = points
            .windows(2)
            .map(|pair| worsening(&pair[0], &pair[1], &size))
            .sum();
        let all = worsening(&points[0], &points[2], &size);
        assert!((steps - all).abs() < 1e-12);
    }
}
