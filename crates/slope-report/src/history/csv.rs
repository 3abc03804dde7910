//! One row for each snapshot and part of the code base (RFC 4180).

use slope_model::history::{History, HistoryPoint};
use slope_model::measurement::{Part, Totals};

use crate::format::clean;
use crate::table::{Table, guarded};

const COLUMNS: [&str; 24] = [
    "position",
    "commit",
    "time",
    "months",
    "author",
    "agents",
    "part",
    "files",
    "lines",
    "source_lines",
    "callables",
    "mass",
    "high_complexity_callables",
    "high_complexity_mass",
    "erosion",
    "cognitive_mass",
    "cognitive_erosion",
    "flagged_lines",
    "clone_lines",
    "verbose_lines",
    "verbosity",
    "maintainability",
    "definitions",
    "definitions_hash",
];

pub(super) fn render(history: &History) -> String {
    let mut table = Table::new(COLUMNS);
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
    let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let count = |value: Option<u64>| value.map(|v| v.to_string()).unwrap_or_default();
    let fields = [
        point.position.to_string(),
        guarded(clean(&point.commit.id)),
        guarded(clean(&point.commit.time)),
        point.months.to_string(),
        guarded(clean(&format!(
            "{} <{}>",
            point.commit.author, point.commit.email
        ))),
        guarded(clean(&point.commit.agents.join("+"))),
        part.to_owned(),
        totals.files.to_string(),
        totals.lines.to_string(),
        totals.sloc.to_string(),
        totals.callables.to_string(),
        number(totals.mass),
        totals.high_complexity_callables.to_string(),
        number(totals.high_complexity_mass),
        number(totals.erosion),
        number(totals.cognitive_mass),
        number(totals.cognitive_erosion),
        count(totals.flagged_lines),
        count(totals.clone_lines),
        count(totals.verbose_lines),
        number(totals.verbosity),
        number(totals.maintainability),
        guarded(clean(&history.definitions.version)),
        guarded(clean(&history.definitions.hash)),
    ];
    table.push(fields);
}
