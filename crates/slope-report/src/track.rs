//! Series and their status as text, JSON, CSV and HTML.

mod csv;
mod page;
mod status;

use std::fmt::Write;

use anstyle::Style;
use schemars::Schema;
use slope_model::assessment::{JudgeKind, ScoreName};
use slope_model::history::History;
use slope_model::series::Point;
use slope_model::track::{Series, TrackStatus};
use slope_model::{metrics, plural};

use crate::ListDetail;
use crate::format::{Kind, MISSING, clean, number, signed};
use crate::formats::{Format, RenderError, SERIES_FORMATS};
use crate::history::{chart, human};
use crate::measurement::schema_of;
use crate::measurement::table::{Cell, Side, TextTable, paint};

pub use page::render_series_page;
pub use status::render_track_status;

const BOLD: Style = Style::new().bold();

/// Columns of a spark line.
const SPARK: usize = 24;

/// The JSON schema of a point.
#[must_use]
pub fn point_schema() -> Schema {
    schema_of::<Point>()
}

/// The JSON schema of a series.
#[must_use]
pub fn series_schema() -> Schema {
    schema_of::<Series>()
}

/// The JSON schema of the status of a series.
#[must_use]
pub fn track_status_schema() -> Schema {
    schema_of::<TrackStatus>()
}

/// Renders a series in a format. `history` is the same series as a history.
///
/// # Errors
/// If the format is not one of [`SERIES_FORMATS`] or is the page, or JSON cannot be written.
pub fn render_series(
    format: Format,
    series: &Series,
    history: &History,
    detail: &ListDetail,
) -> Result<String, RenderError> {
    Ok(match format {
        Format::Human => human_series(series, history, detail),
        Format::Json => serde_json::to_string_pretty(series)? + "\n",
        Format::Csv => csv::render(series),
        _ => return Err(RenderError::new("a series", format, SERIES_FORMATS)),
    })
}

/// A series for a terminal: scores, then trends and charts.
fn human_series(series: &Series, history: &History, detail: &ListDetail) -> String {
    let mut out = String::new();
    let name = format!("series {}", clean(&series.series));
    let _ = writeln!(out, "{}", paint(&name, BOLD, detail.color));
    let _ = writeln!(out, "{}", facts(series));
    let _ = writeln!(
        out,
        "\n{}",
        paint("Scores (10 is best)", BOLD, detail.color)
    );
    let columns = [
        ("", Side::Left),
        ("first", Side::Right),
        ("last", Side::Right),
        ("change", Side::Right),
        ("", Side::Left),
    ];
    let mut table = TextTable::new(&columns, None);
    for name in ScoreName::ALL {
        let values = scores(series, name);
        let ends = Ends::of(&values);
        table.push(vec![
            Cell::new(name.name()),
            Cell::new(ends.first),
            Cell::new(ends.last),
            Cell::new(ends.change),
            Cell::new(chart::spark(&values, SPARK)),
        ]);
    }
    out.push_str(&table.render(detail.width.map(usize::from), detail.color));
    out.push_str(&human::body(history, detail));
    out
}

/// How many points there are, and from when: `3 points, 2026-11-01 to 2026-11-30`.
fn facts(series: &Series) -> String {
    let points = plural(series.points.len() as u64, "point");
    let day = |point: &Point| clean(point.time.get(..10).unwrap_or(&point.time));
    match (series.points.first(), series.points.last()) {
        (Some(first), Some(last)) => format!("{points}, {} to {}", day(first), day(last)),
        _ => points,
    }
}

/// The values of a score at the comparable points.
fn scores(series: &Series, name: ScoreName) -> Vec<Option<f64>> {
    let scores = series.comparable();
    scores
        .map(|point| point.scores_of(JudgeKind::Static)?.get(name))
        .collect()
}

/// First and last value of a score, and their difference.
struct Ends {
    first: String,
    last: String,
    change: String,
}

impl Ends {
    fn of(values: &[Option<f64>]) -> Self {
        let digits = crate::format::decimals(Kind::Real, 10.0);
        let first = values.iter().flatten().next().copied();
        let last = values.last().copied().flatten();
        let shown =
            |value: Option<f64>| value.map_or(MISSING.to_owned(), |value| number(value, digits));
        let change = first.zip(last).map(|(first, last)| last - first);
        Self {
            first: shown(first),
            last: shown(last),
            change: change.map_or(MISSING.to_owned(), |it| signed(it, digits)),
        }
    }
}

/// The metric of a value's name; `None` for a score.
fn metric(name: &str) -> Option<&'static metrics::Metric> {
    metrics::all().find(|metric| metric.id == name)
}
