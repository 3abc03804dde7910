//! A history for a terminal: trends with spark lines, two charts, and the ledger.

use std::fmt::Write;

use anstyle::Style;
use slope_model::history::{History, HistoryLedger, MetricTrend, Share, SlopeEstimate};
use slope_model::measurement::Part;
use slope_model::metrics::{MASS, VERBOSITY};

use super::ListDetail;
use super::chart::{chart, range, spark};
use super::ledger::{amount_columns, amounts};
use super::metrics::{self, METRICS, Metric};
use crate::format::{MISSING, clean, clean_path, decimals, number, signed, slope_decimals};
use crate::measurement::table::{Cell, Side, TextTable, paint};
use crate::terminal::wrap;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Columns of a spark line and of a chart.
const SPARK: usize = 24;
const CHART: usize = 60;
/// Rows of a chart.
const ROWS: usize = 4;
/// Default width of text, in columns.
const PLAIN: usize = 100;

pub(super) fn render(history: &History, detail: &ListDetail) -> String {
    let mut out = String::new();
    head(&mut out, history, detail);
    out.push_str(&body(history, detail));
    out
}

/// The history without its head: trends, charts, changes of pace, the ledger and notes.
pub(crate) fn body(history: &History, detail: &ListDetail) -> String {
    let mut out = String::new();
    trends(&mut out, history, detail);
    charts(&mut out, history, detail);
    paces(&mut out, history, detail);
    if let Some(ledger) = &history.ledger {
        shares(&mut out, ledger, detail);
    }
    let width = detail.width.map_or(PLAIN, usize::from).saturating_sub(2);
    for note in &history.notes {
        for line in wrap(&format!("Note: {note}."), width) {
            let _ = writeln!(out, "{}", paint(&line, DIM, detail.color));
        }
    }
    out
}

fn head(out: &mut String, history: &History, detail: &ListDetail) {
    let name = format!(
        "{} {}",
        clean(&history.repository),
        clean(&history.revision)
    );
    let _ = writeln!(out, "{}", paint(&name, BOLD, detail.color));
    let (Some(first), Some(last)) = (history.points.first(), history.points.last()) else {
        return;
    };
    let day = |time: &str| time.split('T').next().unwrap_or(time).to_owned();
    let id = |id: &str| id.chars().take(10).collect::<String>();
    let _ = writeln!(
        out,
        "{}; {} ({}) to {} ({})",
        super::measured(history),
        day(&first.commit.time),
        id(&first.commit.id),
        day(&last.commit.time),
        id(&last.commit.id),
    );
}

fn trends(out: &mut String, history: &History, detail: &ListDetail) {
    let part = metrics::part(history);
    let what = match part {
        Some(Part::Product) => "Production code without tests (dead code and paper: all code)",
        _ => "All code",
    };
    let _ = writeln!(out, "\n{}", paint(what, BOLD, detail.color));
    let columns = [
        ("", Side::Left),
        ("first", Side::Right),
        ("last", Side::Right),
        ("growth", Side::Right),
        ("rising", Side::Right),
        ("a month [95 %]", Side::Right),
        ("", Side::Left),
    ];
    let mut table = TextTable::new(&columns, None);
    for metric in METRICS.iter() {
        if let Some(trend) = metrics::trend(history, &metric.id, part) {
            table.push(row(history, metric, trend));
        }
    }
    out.push_str(&table.render(detail.width.map(usize::from), detail.color));
    let text = "growth: last over first; rising: share of the steps that change the metric which \
                raise it; a month: Theil–Sen slope";
    for line in wrap(
        text,
        detail.width.map_or(PLAIN, usize::from).saturating_sub(4),
    ) {
        let _ = writeln!(out, "  {}", paint(&line, DIM, detail.color));
    }
}

fn row(history: &History, metric: &Metric, trend: &MetricTrend) -> Vec<Cell> {
    let digits = decimals(metric.kind, trend.last.abs().max(trend.first.abs()));
    let percent = |share: f64, digits: usize| format!("{} %", signed(share * 100.0, digits));
    let values: Vec<Option<f64>> = history
        .points
        .iter()
        .map(|point| metric.value(point, trend.part))
        .collect();
    let month = trend
        .per_month
        .theil_sen
        .map(|slope| interval(metric, &slope));
    let rising = trend
        .rising_share
        .map(|s| format!("{} %", number(s * 100.0, 0)));
    vec![
        Cell::new(metric.title.as_str()),
        Cell::new(number(trend.first, digits)),
        Cell::new(number(trend.last, digits)),
        Cell::new(trend.growth.map_or(MISSING.to_owned(), |g| percent(g, 0))),
        Cell::new(rising.unwrap_or_else(|| MISSING.to_owned())),
        Cell::new(month.unwrap_or_else(|| MISSING.to_owned())),
        Cell::new(spark(&values, SPARK)),
    ]
}

fn interval(metric: &Metric, slope: &SlopeEstimate) -> String {
    let digits = slope_decimals(metric.kind, slope.slope.abs());
    let middle = signed(slope.slope, digits);
    match (slope.low, slope.high) {
        (Some(low), Some(high)) => {
            format!(
                "{middle} [{}, {}]",
                signed(low, digits),
                signed(high, digits)
            )
        }
        _ => middle,
    }
}

fn charts(out: &mut String, history: &History, detail: &ListDetail) {
    let part = metrics::part(history);
    for metric in [&MASS, &VERBOSITY] {
        let Some(metric) = metrics::by_id(metric.id) else {
            continue;
        };
        let values: Vec<Option<f64>> = history
            .points
            .iter()
            .map(|point| metric.value(point, part))
            .collect();
        let columns = detail
            .width
            .map_or(CHART, |w| CHART.min(usize::from(w).saturating_sub(16)));
        let lines = chart(&values, columns.max(10), ROWS);
        let Some((low, high)) = range(&values).filter(|_| history.points.len() > 2) else {
            continue;
        };
        let _ = writeln!(out, "\n{}", paint(&metric.title, BOLD, detail.color));
        let digits = decimals(metric.kind, high.abs());
        let last = lines.len().saturating_sub(1);
        for (index, line) in lines.iter().enumerate() {
            let label = match index {
                0 => number(high, digits),
                index if index == last => number(low, digits),
                _ => String::new(),
            };
            let _ = writeln!(out, "  {label:>12} {line}");
        }
    }
}

/// Change points of metrics' slopes.
fn paces(out: &mut String, history: &History, detail: &ListDetail) {
    let part = metrics::part(history);
    let mut table = TextTable::new(
        &[
            ("", Side::Left),
            ("from", Side::Left),
            ("before", Side::Right),
            ("after, a snapshot", Side::Right),
            ("", Side::Left),
        ],
        Some((4, 20)),
    );
    let mut rows = 0;
    for metric in METRICS.iter() {
        let Some(trend) = metrics::trend(history, &metric.id, part) else {
            continue;
        };
        for change in &trend.change_points {
            let Some(point) = history.points.get(change.point as usize) else {
                continue;
            };
            let digits = slope_decimals(metric.kind, change.after.abs());
            let day = point.commit.time.split('T').next().unwrap_or_default();
            table.push(vec![
                Cell::new(metric.title.as_str()),
                Cell::new(day),
                Cell::new(signed(change.before, digits)),
                Cell::new(signed(change.after, digits)),
                Cell::new(clean(&point.commit.subject)),
            ]);
            rows += 1;
        }
    }
    if rows > 0 {
        let _ = writeln!(out, "\n{}", paint("Changes of pace", BOLD, detail.color));
        out.push_str(&table.render(detail.width.map(usize::from), detail.color));
    }
}

fn shares(out: &mut String, ledger: &HistoryLedger, detail: &ListDetail) {
    let lists: [(&str, &[Share]); 4] = [
        ("By agent", &ledger.agents),
        ("By author", &ledger.authors),
        ("By file", &ledger.files),
        ("By function", &ledger.functions),
    ];
    for (title, list) in lists {
        let _ = writeln!(out, "\n{}", paint(title, BOLD, detail.color));
        let mut columns = amount_columns();
        columns.extend([("commits", Side::Right), ("", Side::Left)]);
        let mut table = TextTable::new(&columns, None);
        for share in detail.cut(list) {
            let mut cells: Vec<Cell> = amounts(&share.change).map(Cell::new).into();
            cells.push(Cell::new(share.commits.to_string()));
            cells.push(Cell::new(clean_path(&share.name)));
            table.push(cells);
        }
        out.push_str(&table.render(detail.width.map(usize::from), detail.color));
        let more = list.len() - detail.cut(list).len();
        if more > 0 {
            let text = format!("{more} more; --top 0 shows all");
            let _ = writeln!(out, "  {}", paint(&text, DIM, detail.color));
        }
    }
    let layout = amounts(&ledger.layout);
    let text = format!(
        "Reformatting: mass {}, clone lines {}, flagged lines {}",
        layout[0], layout[1], layout[2]
    );
    let _ = writeln!(out, "\n{text}");
}
