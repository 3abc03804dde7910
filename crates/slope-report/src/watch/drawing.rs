//! Drawings of a watch: a timeline with its band, the scan, and a map of tasks by day.
//!
//! The charting library of the other pages draws no bands, gaps and hatched days. These drawings
//! consist of a few kinds of shapes, in the page's colours.

use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::civil::Date;
use slope_model::watch_status::{Alarm, Monitored, Status};

use crate::format::number;

/// Size of a drawing; the page scales it.
const WIDTH: f64 = 960.0;
/// Space left of the axis, and below it.
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 24.0;
const TOP: f64 = 8.0;
/// Lines of a grid.
const MOST_LINES: u32 = 12;
/// Tasks and days of a map.
const MOST_TASKS: usize = 120;
const MOST_DAYS: usize = 180;

/// Positions of dates: the first is at the left, the last at the right.
pub(super) struct Dates {
    first: Date,
    days: f64,
}

impl Dates {
    /// The dates from the first with results to the last; `None` without any.
    pub(super) fn of(status: &Status) -> Option<Self> {
        let first: Date = status.dates.first()?.parse().ok()?;
        let last: Date = status.dates.last()?.parse().ok()?;
        Some(Self {
            first,
            days: f64::from(first.until(last).ok()?.get_days()).max(1.0),
        })
    }

    fn x(&self, date: &str) -> Option<f64> {
        let date: Date = date.parse().ok()?;
        let since = f64::from(self.first.until(date).ok()?.get_days());
        Some(LEFT + 6.0 + since / self.days * (WIDTH - LEFT - 14.0))
    }

    /// Width of a day.
    fn step(&self) -> f64 {
        (WIDTH - LEFT - 14.0) / self.days
    }

    /// Marks of the axis: at most eight dates.
    fn axis(&self, height: f64, out: &mut String) {
        let every = (self.days / 7.0).ceil().max(1.0);
        let mut at = 0.0;
        while at <= self.days {
            let x = LEFT + 6.0 + at / self.days * (WIDTH - LEFT - 14.0);
            #[expect(clippy::cast_possible_truncation, reason = "a count of days")]
            let date = self.first.saturating_add(jiff::Span::new().days(at as i64));
            let _ = write!(
                out,
                "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{}\">{}</text>",
                height - 6.0,
                if x > WIDTH - 24.0 { "end" } else { "middle" },
                date.strftime("%-d %b")
            );
            at += every;
        }
    }
}

/// A range of values and its height.
struct Heights {
    low: f64,
    high: f64,
    height: f64,
}

impl Heights {
    fn y(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE);
        TOP + (1.0 - share.clamp(0.0, 1.0)) * (self.height - TOP - BOTTOM)
    }

    fn grid(&self, values: &[(f64, String)], out: &mut String) {
        for (value, label) in values {
            let y = self.y(*value);
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 6.0,
                y + 4.0
            );
        }
    }
}

/// The value of a series on a day, as its axis shows it: a level in percent, or a change in percent.
fn shown(series: &Monitored, difference: f64) -> f64 {
    if series.is_ratio {
        return (difference.exp() - 1.0) * 100.0;
    }
    (series.baseline.unwrap_or(0.0) + difference) * 100.0
}

/// The timeline of a series: each day with its error, the baseline's band, and changes.
pub(super) fn timeline(
    status: &Status,
    dates: &Dates,
    series: &Monitored,
    alarms: &[&Alarm],
    height: f64,
) -> String {
    let (heights, grid) = heights_of(series, height);
    let mut out = String::new();
    invalid_days(status, dates, height, &mut out);
    heights.grid(&grid, &mut out);
    if let Some(se) = series.baseline_se {
        let [below, above] = [-1.96, 1.96].map(|z| heights.y(shown(series, z * se)));
        let _ = write!(
            out,
            "<rect class=\"band\" x=\"{LEFT}\" width=\"{:.1}\" y=\"{above:.1}\" height=\"{:.1}\"/>",
            WIDTH - LEFT,
            (below - above).max(1.0)
        );
    }
    for alarm in alarms {
        change(dates, series, alarm, &heights, &mut out);
    }
    dots(dates, series, &heights, &mut out);
    dates.axis(height, &mut out);
    svg(height, &series.title, &out)
}

/// The days of a series, each with its 95 % interval.
fn dots(dates: &Dates, series: &Monitored, heights: &Heights, out: &mut String) {
    for day in &series.days {
        let Some(x) = dates.x(&day.date) else {
            continue;
        };
        let [below, above] =
            [-1.96, 1.96].map(|z| heights.y(shown(series, day.difference + z * day.se)));
        let y = heights.y(shown(series, day.difference));
        let _ = write!(
            out,
            "<line class=\"error\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{above:.1}\" y2=\"{below:.1}\"/>\
             <circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"><title>{}: {} %, {} tasks</title></circle>",
            day.date,
            number(shown(series, day.difference), 1),
            day.tasks
        );
    }
}

/// The range of a series with all intervals, and the lines of its grid.
fn heights_of(series: &Monitored, height: f64) -> (Heights, Vec<(f64, String)>) {
    let bounds = series
        .days
        .iter()
        .flat_map(|day| [-1.96, 1.96].map(|z| shown(series, day.difference + z * day.se)));
    let (mut low, mut high) = bounds.fold((f64::MAX, f64::MIN), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        (low, high) = (0.0, 100.0);
    }
    let step = nice((high - low).max(4.0) / 4.0);
    (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    if !series.is_ratio {
        // A share is between 0 and 100 %.
        (low, high) = (low.max(0.0), high.min(100.0));
    }
    let lines = (0..MOST_LINES).map(|line| low + f64::from(line) * step);
    let lines = lines.take_while(|value| *value <= high + step / 2.0);
    let label = |value: f64| {
        let plus = if series.is_ratio && value > 0.0 {
            "+"
        } else {
            ""
        };
        (value, format!("{plus}{} %", number(value, 0)))
    };
    let grid = lines.map(label).collect();
    (Heights { low, high, height }, grid)
}

/// The level since a change, and the days on which it may have begun.
fn change(dates: &Dates, series: &Monitored, alarm: &Alarm, heights: &Heights, out: &mut String) {
    let (first, last) = &alarm.began_between;
    let (Some(from), Some(to), Some(began)) =
        (dates.x(first), dates.x(last), dates.x(&alarm.began))
    else {
        return;
    };
    let since = series.days.iter().filter(|day| {
        day.date >= alarm.began && alarm.recovered.as_ref().is_none_or(|over| day.date < *over)
    });
    let since = Vec::from_iter(since);
    let weights: f64 = since.iter().map(|day| 1.0 / (day.se * day.se)).sum();
    let sum: f64 = since
        .iter()
        .map(|day| day.difference / (day.se * day.se))
        .sum();
    let end = since
        .last()
        .and_then(|day| dates.x(&day.date))
        .unwrap_or(began);
    let half = dates.step() / 2.0;
    let _ = write!(
        out,
        "<rect class=\"began\" x=\"{:.1}\" width=\"{:.1}\" y=\"{TOP}\" height=\"{:.1}\">\
         <title>the change began between {first} and {last}</title></rect>",
        from - half,
        to - from + 2.0 * half,
        heights.height - TOP - BOTTOM
    );
    if weights > 0.0 {
        let y = heights.y(shown(series, sum / weights));
        let _ = write!(
            out,
            "<line class=\"level\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>",
            began - half,
            end + half
        );
    }
}

/// Days that do not count are hatched.
fn invalid_days(status: &Status, dates: &Dates, height: f64, out: &mut String) {
    for day in &status.invalid_days {
        let Some(x) = dates.x(&day.date) else {
            continue;
        };
        let _ = write!(
            out,
            "<rect class=\"invalid\" x=\"{:.1}\" width=\"{:.1}\" y=\"{TOP}\" height=\"{:.1}\">\
             <title>{} does not count</title></rect>",
            x - dates.step() / 2.0,
            dates.step(),
            height - TOP - BOTTOM,
            day.date
        );
    }
}

/// The scan of a series with its thresholds.
pub(super) fn scan(status: &Status, dates: &Dates, series: &Monitored, watch: f64) -> String {
    let height = 150.0;
    let largest = series
        .days
        .iter()
        .map(|day| day.z)
        .fold(series.threshold + 1.0, f64::max);
    let heights = Heights {
        low: 0.0,
        high: largest,
        height,
    };
    let mut out = String::new();
    invalid_days(status, dates, height, &mut out);
    let levels = [
        (0.0, "0".to_owned()),
        (watch, number(watch, 1)),
        (series.threshold, number(series.threshold, 2)),
    ];
    heights.grid(&levels, &mut out);
    for day in &series.days {
        let Some(x) = dates.x(&day.date) else {
            continue;
        };
        let (top, width) = (
            heights.y(day.z.max(0.0)),
            (dates.step() * 0.7).clamp(1.0, 10.0),
        );
        let _ = write!(
            out,
            "<rect class=\"scan {}\" x=\"{:.1}\" width=\"{width:.1}\" y=\"{top:.1}\" height=\"{:.1}\">\
             <title>{}: {}</title></rect>",
            super::tone(day.state),
            x - width / 2.0,
            (heights.y(0.0) - top).max(0.5),
            day.date,
            number(day.z, 2)
        );
    }
    dates.axis(height, &mut out);
    svg(height, "Scan", &out)
}

/// Tasks by day: a cell for each day with results.
pub(super) fn map(status: &Status, escape: fn(&str) -> String) -> String {
    let from = status.dates.len().saturating_sub(MOST_DAYS);
    let dates = &status.dates[from..];
    let tasks = &status.tasks[..status.tasks.len().min(MOST_TASKS)];
    let (left, cell) = (250.0, 9.0);
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let place = |at: usize| at as f64;
    let width = (WIDTH - left) / place(dates.len().max(1));
    let mut out = String::new();
    for (row, task) in tasks.iter().enumerate() {
        let y = place(row) * (cell + 2.0) + 4.0;
        let _ = write!(
            out,
            "<text class=\"task\" x=\"0\" y=\"{:.1}\">{}</text>",
            y + cell - 1.0,
            escape(&task.task)
        );
        // Neighbouring days with the same result share a shape.
        let mut runs: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
        let mut open: Option<(usize, &str)> = None;
        for (at, day) in task.days[from..].iter().enumerate() {
            let name = match *day {
                (_, 0) => "none",
                (passed, all) if passed == all => "pass",
                (0, _) => "fail",
                _ => "some",
            };
            match open {
                Some((start, other)) if other == name => {
                    runs.insert(start, (at + 1, name));
                }
                _ => {
                    open = Some((at, name));
                    runs.insert(at, (at + 1, name));
                }
            }
        }
        for (start, (end, name)) in runs.into_iter().filter(|(_, (_, name))| *name != "none") {
            let _ = write!(
                out,
                "<rect class=\"{name}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{cell}\"/>",
                left + place(start) * width,
                place(end - start) * width
            );
        }
    }
    svg(
        place(tasks.len()) * (cell + 2.0) + 8.0,
        "Tasks by day",
        &out,
    )
}

fn svg(height: f64, title: &str, body: &str) -> String {
    format!(
        "<svg class=\"drawing\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\">{body}</svg>"
    )
}

/// The next of 1, 2, 5, 10, 20, … above a number.
fn nice(number: f64) -> f64 {
    let mut step = 1.0;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if step * factor >= number {
                return step * factor;
            }
        }
        step *= 10.0;
    }
}
