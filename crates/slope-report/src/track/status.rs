//! The status of a series for a terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use slope_model::measurement::Part;
use slope_model::plural;
use slope_model::track::{ExceededLimit, TrackStatus, TrackedPoint, TrackedValue};

use super::{BOLD, metric};
use crate::ListDetail;
use crate::format::{Kind, MISSING, clean, decimals, number, signed};
use crate::measurement::table::{Cell, Side, TextTable, paint};
use crate::terminal::wrap;

const DIM: Style = Style::new().dimmed();
const RED: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));

/// Default width of text, in columns.
const PLAIN: usize = 100;

/// Units of an age, largest first, in seconds.
const UNITS: [(u64, &str); 3] = [(86_400, "day"), (3_600, "hour"), (60, "minute")];

/// The status of a series for a terminal.
#[must_use]
pub fn render_track_status(status: &TrackStatus, detail: &ListDetail) -> String {
    let mut out = String::new();
    let title = format!("series {}", clean(&status.series));
    let points = plural(status.points, "point");
    let _ = writeln!(out, "{}, {points}", paint(&title, BOLD, detail.color));
    last(&mut out, status);
    let what = match status.part {
        Some(Part::Product) => "Production code without tests (dead code: all code)",
        _ => "All code",
    };
    let _ = writeln!(out, "\n{}", paint(what, BOLD, detail.color));
    values(&mut out, status, detail);
    exceeded(&mut out, status, detail);
    let width = detail.width.map_or(PLAIN, usize::from).saturating_sub(2);
    for note in &status.notes {
        for line in wrap(&format!("Note: {note}."), width) {
            let _ = writeln!(out, "{}", paint(&line, DIM, detail.color));
        }
    }
    out
}

/// The last point, its age and its author.
fn last(out: &mut String, status: &TrackStatus) {
    let last = &status.last;
    let mut facts = vec![format!("{} old", age(status.age_s))];
    facts.extend(status.commits_since.map(|count| match count {
        0 => "no commits since".to_owned(),
        count => format!("{} since", plural(count, "commit")),
    }));
    facts.extend(status.unsent.map(|count| match count {
        0 => "all points are on the server".to_owned(),
        count => format!("{} not on the server yet", plural(count, "point")),
    }));
    let _ = writeln!(out, "last point: {} ({})", name(last), facts.join(", "));
    let author = author(last);
    if !author.is_empty() {
        let _ = writeln!(out, "written by {author}");
    }
}

/// A point with its commit: `iteration-3, 0123456789 Subject`.
fn name(point: &TrackedPoint) -> String {
    let id = |id: &str| id.get(..10).unwrap_or(id).to_owned();
    match (&point.commit, point.iteration) {
        (Some(commit), None) => format!("{} {}", id(&commit.id), clean(&commit.subject)),
        (Some(commit), Some(number)) => format!(
            "iteration {number}, {} {}",
            id(&commit.id),
            clean(&commit.subject)
        ),
        (None, Some(number)) => format!("iteration {number}"),
        (None, None) => clean(&point.time),
    }
}

fn author(point: &TrackedPoint) -> String {
    let author = &point.author;
    let agent = author.agent.as_ref().map(|agent| {
        let version = author.agent_version.iter();
        let model = author.model.as_ref().map(|model| format!("with {model}"));
        let parts = [agent].into_iter().chain(version).cloned().chain(model);
        parts.collect::<Vec<_>>().join(" ")
    });
    let names = author.person.iter().cloned().chain(agent);
    names
        .map(|name| clean(&name))
        .collect::<Vec<_>>()
        .join(", ")
}

/// An age in its largest unit: `3 days`.
fn age(seconds: u64) -> String {
    let unit = UNITS
        .iter()
        .find(|(size, _)| seconds >= 2 * size || seconds >= *size && *size == 60);
    match unit {
        Some((size, name)) => plural(seconds / size, name),
        None => "less than a minute".to_owned(),
    }
}

fn values(out: &mut String, status: &TrackStatus, detail: &ListDetail) {
    let columns = [
        ("", Side::Left),
        ("now", Side::Right),
        ("since last", Side::Right),
        ("since first", Side::Right),
        ("", Side::Left),
    ];
    let mut table = TextTable::new(&columns, None);
    for value in &status.values {
        table.push(row(value));
    }
    out.push_str(&table.render(detail.width.map(usize::from), detail.color));
}

fn row(value: &TrackedValue) -> Vec<Cell> {
    let (title, kind) = match metric(&value.name) {
        Some(metric) => (metric.title.to_owned(), metric.kind),
        None => {
            let name = value.name.trim_start_matches("score.");
            (clean(&format!("{name} score")), Kind::Real)
        }
    };
    let digits = decimals(kind, value.value.unwrap_or_default().abs());
    let shown = |number: Option<f64>, show: fn(f64, usize) -> String| {
        number.map_or(MISSING.to_owned(), |number| show(number, digits))
    };
    vec![
        Cell::new(title),
        Cell::new(shown(value.value, number)),
        Cell::new(shown(value.change, signed)),
        Cell::new(shown(value.change_since_first, signed)),
        Cell::new(value.missing.as_deref().map(clean).unwrap_or_default()),
    ]
}

fn exceeded(out: &mut String, status: &TrackStatus, detail: &ListDetail) {
    if status.exceeded.is_empty() {
        return;
    }
    out.push('\n');
    for limit in &status.exceeded {
        let word = paint("limit exceeded", RED, detail.color);
        let _ = writeln!(out, "{word}: {}", sentence(limit));
    }
}

/// A limit in words: `max.erosion: 0.612, the limit is 0.5`.
fn sentence(limit: &ExceededLimit) -> String {
    let shown = |value: f64| {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    format!(
        "{} is {}, the limit is {}",
        limit.limit,
        shown(limit.value),
        shown(limit.allowed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_use_their_largest_unit() {
        assert_eq!(age(0), "less than a minute");
        assert_eq!(age(60), "1 minute");
        assert_eq!(age(7_200), "2 hours");
        assert_eq!(age(86_400), "24 hours");
        assert_eq!(age(3 * 86_400 + 5), "3 days");
    }
}
