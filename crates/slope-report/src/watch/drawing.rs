//! Drawings of a watch: a timeline with its band, and the scan.
//!
//! The charting library of the other pages draws no bands, gaps and hatched days. These drawings
//! consist of a few kinds of shapes, in the page's colours. A page scales them, so each has a size
//! near that on the screen: text would be too small on a telephone otherwise.

use std::fmt::Write;

use jiff::ToSpan;
use jiff::civil::Date;
use slope_model::watch_status::{Alarm, Monitored, Status};

use crate::format::number;

/// Space below the axis, and above.
const BOTTOM: f64 = 26.0;
const TOP: f64 = 8.0;
/// Space between the axis and the first day, and after the last day.
const INNER: f64 = 8.0;
/// Room that a word on the drawing needs.
const LABEL: f64 = 80.0;
/// Lines of a grid.
const MOST_LINES: u32 = 12;
/// Days of which each has a text of its own.
const MOST_NAMED: usize = 250;

/// Size of a drawing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Canvas {
    width: f64,
    height: f64,
    /// Space for the labels of values.
    left: f64,
    /// Dates on the axis.
    marks: f64,
    /// Days that fit; earlier ones are left out.
    days: i64,
    class: &'static str,
}

impl Canvas {
    /// A timeline for a desk.
    pub(super) const WIDE: Self = Self {
        width: 960.0,
        height: 260.0,
        left: 62.0,
        marks: 7.0,
        days: 3660,
        class: "drawing wide-only",
    };
    /// The same for a telephone.
    pub(super) const NARROW: Self = Self {
        width: 400.0,
        height: 220.0,
        left: 58.0,
        marks: 3.0,
        days: 90,
        class: "drawing narrow-only",
    };
    /// One of several drawings side by side.
    pub(super) const SMALL: Self = Self {
        width: 480.0,
        height: 190.0,
        left: 62.0,
        marks: 4.0,
        days: 180,
        class: "drawing",
    };

    /// The same with another height.
    pub(super) fn high(self, height: f64) -> Self {
        Self { height, ..self }
    }

    fn svg(self, title: &str, body: &str) -> String {
        let Self {
            width,
            height,
            class,
            ..
        } = self;
        format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">{body}</svg>"
        )
    }
}

/// Positions of dates: the first is at the left, the last at the right.
struct Dates {
    canvas: Canvas,
    first: Date,
    days: f64,
}

impl Dates {
    /// The dates with results that fit; `None` without any.
    fn of(status: &Status, canvas: Canvas) -> Option<Self> {
        let first: Date = status.dates.first()?.parse().ok()?;
        let last: Date = status.dates.last()?.parse().ok()?;
        let first = first.max(last.saturating_sub(canvas.days.days()));
        Some(Self {
            canvas,
            first,
            days: f64::from(first.until(last).ok()?.get_days()).max(1.0),
        })
    }

    /// Width of a day.
    fn step(&self) -> f64 {
        (self.canvas.width - self.canvas.left - 2.0 * INNER) / self.days
    }

    fn place(&self, days: f64) -> f64 {
        self.canvas.left + INNER + days * self.step()
    }

    /// The position of a date; `None` before the first.
    fn x(&self, date: &str) -> Option<f64> {
        let date: Date = date.parse().ok()?;
        let since = self.first.until(date).ok()?.get_days();
        (since >= 0).then(|| self.place(f64::from(since)))
    }

    /// Dates below the axis.
    fn axis(&self, out: &mut String) {
        let every = (self.days / self.canvas.marks).ceil().max(1.0);
        let mut at = 0.0;
        while at <= self.days {
            let x = self.place(at);
            #[expect(clippy::cast_possible_truncation, reason = "a count of days")]
            let date = self.first.saturating_add((at as i64).days());
            let anchor = match x {
                x if x > self.canvas.width - 28.0 => "end",
                _ => "middle",
            };
            let _ = write!(
                out,
                "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                self.canvas.height - 6.0,
                date.strftime("%-d %b")
            );
            at += every;
        }
    }

    /// Days that do not count are hatched.
    fn invalid(&self, status: &Status, out: &mut String) {
        for day in &status.invalid_days {
            let Some(x) = self.x(&day.date) else {
                continue;
            };
            let width = self.step().clamp(2.0, 14.0);
            let _ = write!(
                out,
                "<rect class=\"invalid\" x=\"{:.1}\" width=\"{width:.1}\" y=\"{TOP}\" height=\"{:.1}\">\
                 <title>{} does not count</title></rect>",
                x - width / 2.0,
                self.canvas.height - TOP - BOTTOM,
                day.date
            );
        }
    }
}

/// A range of values and its height.
struct Heights {
    canvas: Canvas,
    low: f64,
    high: f64,
}

impl Heights {
    fn y(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE);
        TOP + (1.0 - share.clamp(0.0, 1.0)) * (self.canvas.height - TOP - BOTTOM)
    }

    fn grid(&self, values: &[(f64, String)], out: &mut String) {
        let Canvas { left, width, .. } = self.canvas;
        for (value, label) in values {
            let y = self.y(*value);
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{left}\" x2=\"{width}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                left - 8.0,
                y + 4.5
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

/// The timeline of a series: each day with its error, the baseline's band, and changes. `None` without a date.
pub(super) fn timeline(status: &Status, series: &Monitored, canvas: Canvas) -> Option<String> {
    let dates = Dates::of(status, canvas)?;
    let (heights, grid) = heights_of(series, canvas);
    let mut out = String::new();
    dates.invalid(status, &mut out);
    heights.grid(&grid, &mut out);
    if let Some(se) = series.baseline_se {
        let [below, above] = [-1.96, 1.96].map(|z| heights.y(shown(series, z * se)));
        let _ = write!(
            out,
            "<rect class=\"band\" x=\"{}\" width=\"{:.1}\" y=\"{above:.1}\" height=\"{:.1}\"/>",
            canvas.left,
            canvas.width - canvas.left,
            (below - above).max(1.0)
        );
    }
    for alarm in &series.alarms {
        change(&dates, series, alarm, &heights, &mut out);
    }
    dots(&dates, series, &heights, &mut out);
    baseline(&dates, series, &mut out);
    dates.axis(&mut out);
    Some(canvas.svg(&series.title, &out))
}

/// Names the days of the baseline, which have no dots, where there is room.
fn baseline(dates: &Dates, series: &Monitored, out: &mut String) {
    let first = series.days.first().and_then(|day| dates.x(&day.date));
    let room = first.unwrap_or_default() - dates.canvas.left;
    if room >= LABEL {
        let _ = write!(
            out,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">baseline</text>",
            dates.canvas.left + room / 2.0,
            dates.canvas.height - BOTTOM - 10.0
        );
    }
}

/// The days of a series, each with its 95 % interval. All errors are one shape, and all dots.
fn dots(dates: &Dates, series: &Monitored, heights: &Heights, out: &mut String) {
    let (mut errors, mut dots, mut texts) = (String::new(), String::new(), String::new());
    for day in &series.days {
        let Some(x) = dates.x(&day.date) else {
            continue;
        };
        let [below, above] =
            [-1.96, 1.96].map(|z| heights.y(shown(series, day.difference + z * day.se)));
        let y = heights.y(shown(series, day.difference));
        let _ = write!(errors, "M{x:.1} {above:.1}V{below:.1}");
        let _ = write!(dots, "M{x:.1} {y:.1}h0");
        let value = number(shown(series, day.difference), 1);
        let _ = write!(
            texts,
            "<circle class=\"day\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"><title>{}: {value} %, {} tasks</title></circle>",
            day.date, day.tasks
        );
    }
    let _ = write!(
        out,
        "<path class=\"error\" d=\"{errors}\"/><path class=\"dot\" d=\"{dots}\"/>"
    );
    if series.days.len() <= MOST_NAMED && heights.canvas.class == Canvas::WIDE.class {
        out.push_str(&texts);
    }
}

/// The range of a series with all intervals, and the lines of its grid.
fn heights_of(series: &Monitored, canvas: Canvas) -> (Heights, Vec<(f64, String)>) {
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
    (Heights { canvas, low, high }, grid)
}

/// The level since a change, and the days on which it may have begun.
fn change(dates: &Dates, series: &Monitored, alarm: &Alarm, heights: &Heights, out: &mut String) {
    let (first, last) = &alarm.began_between;
    let (Some(to), Some(began)) = (dates.x(last), dates.x(&alarm.began)) else {
        return;
    };
    let from = dates.x(first).unwrap_or(to);
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
        heights.canvas.height - TOP - BOTTOM
    );
    if weights > 0.0 {
        let y = heights.y(shown(series, sum / weights));
        let _ = write!(
            out,
            "<path class=\"level\" d=\"M{:.1} {y:.1}H{:.1}\"/>",
            began - half,
            end + half
        );
    }
}

/// The scan of a series with its thresholds. `None` without a date.
pub(super) fn scan(
    status: &Status,
    series: &Monitored,
    watch: f64,
    canvas: Canvas,
) -> Option<String> {
    let dates = Dates::of(status, canvas)?;
    let largest = series
        .days
        .iter()
        .map(|day| day.z)
        .fold(series.threshold + 1.0, f64::max);
    let heights = Heights {
        canvas,
        low: 0.0,
        high: largest,
    };
    let mut out = String::new();
    dates.invalid(status, &mut out);
    let levels = [
        (0.0, "0".to_owned()),
        (watch, number(watch, 1)),
        (series.threshold, number(series.threshold, 2)),
    ];
    heights.grid(&levels, &mut out);
    let width = (dates.step() * 0.7).clamp(1.0, 10.0);
    for tone in ["steady", "baseline", "watching", "alarm"] {
        let mut bars = String::new();
        for day in series
            .days
            .iter()
            .filter(|day| super::tone(day.state) == tone)
        {
            if let Some(x) = dates.x(&day.date) {
                let (from, to) = (heights.y(0.0), heights.y(day.z.max(0.0)));
                let _ = write!(bars, "M{x:.1} {from:.1}V{:.1}", to.min(from - 0.5));
            }
        }
        if !bars.is_empty() {
            let _ = write!(
                out,
                "<path class=\"scan {tone}\" stroke-width=\"{width:.1}\" d=\"{bars}\"/>"
            );
        }
    }
    dates.axis(&mut out);
    Some(canvas.svg("Scan", &out))
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
