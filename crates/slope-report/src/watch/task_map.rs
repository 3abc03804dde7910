//! A map of tasks by day: a cell for each day with results.

use std::fmt::Write;

use slope_model::watch_status::{Status, TaskDays};

use crate::format::{clean, shorten};

/// Tasks of a map.
const MOST_TASKS: usize = 250;
/// Characters of a task's name.
const MOST_NAME: usize = 44;
/// Results of a day, in the order of their shapes.
const RESULTS: [&str; 3] = ["pass", "some", "fail"];

/// Size of a map. A page scales it.
pub(super) struct MapSize {
    width: f64,
    /// Space for names left of the cells; 0 if they are above.
    left: f64,
    /// Height of a row.
    row: f64,
    cell: f64,
    days: usize,
    class: &'static str,
}

impl MapSize {
    /// A map for a desk.
    pub(super) const WIDE: Self = Self {
        width: 960.0,
        left: 280.0,
        row: 14.0,
        cell: 11.0,
        days: 180,
        class: "drawing wide-only",
    };
    /// The same for a telephone.
    pub(super) const NARROW: Self = Self {
        width: 400.0,
        left: 0.0,
        row: 31.0,
        cell: 11.0,
        days: 60,
        class: "drawing narrow-only",
    };
}

/// Tasks by day.
pub(super) fn map(status: &Status, size: &MapSize) -> String {
    let from = status.dates.len().saturating_sub(size.days);
    let dates = &status.dates[from..];
    let tasks = &status.tasks[..status.tasks.len().min(MOST_TASKS)];
    let above = if size.left > 0.0 {
        0.0
    } else {
        size.row - size.cell - 3.0
    };
    let mut names = String::new();
    let mut shapes = RESULTS.map(|_| String::new());
    for (row, task) in tasks.iter().enumerate() {
        let y = place(row) * size.row + above + size.cell / 2.0 + 2.0;
        let text_y = if above > 0.0 {
            y - size.cell / 2.0 - 4.0
        } else {
            y + 4.0
        };
        let name = clean(&task.task);
        let short = minijinja::HtmlEscape(&shorten(&name, MOST_NAME)).to_string();
        let _ = write!(
            names,
            "<text class=\"task\" x=\"0\" y=\"{text_y:.1}\">{short}</text>"
        );
        cells(task, from, y, &mut shapes);
    }
    let height = place(tasks.len()) * size.row + 26.0;
    let scale = (size.width - size.left) / place(dates.len().max(1));
    let mut body = format!(
        "{names}<g transform=\"translate({} 0) scale({scale:.4} 1)\">",
        size.left
    );
    for (name, d) in RESULTS.iter().zip(&shapes).filter(|(_, d)| !d.is_empty()) {
        let _ = write!(
            body,
            "<path class=\"{name}\" stroke-width=\"{}\" d=\"{d}\"/>",
            size.cell
        );
    }
    body.push_str("</g>");
    for (date, x, anchor) in [
        (dates.first(), size.left, "start"),
        (dates.last(), size.width, "end"),
    ] {
        let date = minijinja::HtmlEscape(&clean(date.map_or("", String::as_str))).to_string();
        let _ = write!(
            body,
            "<text class=\"tick\" x=\"{x}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{date}</text>",
            height - 6.0
        );
    }
    let (class, width) = (size.class, size.width);
    format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Tasks by day\">{body}</svg>"
    )
}

/// The cells of a task. Neighbouring days with the same result share a shape; a unit is a day.
fn cells(task: &TaskDays, from: usize, y: f64, shapes: &mut [String; 3]) {
    let results = task.days.iter().skip(from).map(|day| match *day {
        (_, 0) => None,
        (passed, all) if passed == all => Some(0),
        (0, _) => Some(2),
        _ => Some(1),
    });
    let results = Vec::from_iter(results);
    let mut at = 0;
    for run in results.chunk_by(|a, b| a == b) {
        if let Some(kind) = run[0] {
            let _ = write!(shapes[kind], "M{at} {y}h{}", run.len());
        }
        at += run.len();
    }
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn place(at: usize) -> f64 {
    at as f64
}
