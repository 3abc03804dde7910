//! One row for each snapshot and part of the code base (RFC 4180).

use slope_model::history::{History, HistoryPoint};
use slope_model::measurement::{Part, Totals};
use slope_model::metrics::HISTORY_COLUMNS;

use crate::format::clean;
use crate::table::{Table, guarded};

/// Columns before those of the metrics.
const BEFORE: [&str; 7] = [
    "position", "commit", "time", "months", "author", "agents", "part",
];
/// Columns after those of the metrics.
const AFTER: [&str; 2] = ["definitions", "definitions_hash"];

pub(super) fn render(history: &History) -> String {
    let metrics = HISTORY_COLUMNS.iter().map(|metric| metric.column());
    let mut table = Table::new(BEFORE.into_iter().chain(metrics).chain(AFTER));
    for point in &history.points {
        row(&mut table, history, point, "whole", &point.totals);
        for (part, totals) in &point.parts {
            let part = match part {
                Part::Product => "product",
                Part::Tests => "tests",
            };
            row(&mut table, history, point, part, totals);
        }
        if let Some(totals) = &point.published {
            row(&mut table, history, point, "published", totals);
        }
    }
    table.finish()
}

fn row(table: &mut Table, history: &History, point: &HistoryPoint, part: &str, totals: &Totals) {
    let author = format!("{} <{}>", point.commit.author, point.commit.email);
    let mut fields = vec![
        point.position.to_string(),
        guarded(clean(&point.commit.id)),
        guarded(clean(&point.commit.time)),
        point.months.to_string(),
        guarded(clean(&author)),
        guarded(clean(&point.commit.agents.join("+"))),
        part.to_owned(),
    ];
    let values = HISTORY_COLUMNS
        .iter()
        .map(|metric| metric.of_totals(totals));
    fields.extend(values.map(|value| value.map(|v| v.to_string()).unwrap_or_default()));
    fields.extend([
        guarded(clean(&history.definitions.version)),
        guarded(clean(&history.definitions.hash)),
    ]);
    table.push(fields);
}
