//! One row for each snapshot and part of the code base (RFC 4180).

use std::fmt::Write;

use slope_model::history::{History, HistoryPoint};
use slope_model::measurement::{Part, Totals};

use crate::format::clean;

const COLUMNS: &str = "position,commit,time,months,author,agents,part,files,lines,source_lines,\
callables,mass,high_complexity_callables,high_complexity_mass,erosion,cognitive_mass,\
cognitive_erosion,flagged_lines,clone_lines,verbose_lines,verbosity,maintainability,\
definitions,definitions_hash";

pub(super) fn render(history: &History) -> String {
    let mut out = COLUMNS.to_owned();
    out.push_str("\r\n");
    for point in &history.points {
        row(&mut out, history, point, "whole", &point.totals);
        for (part, totals) in &point.parts {
            let part = match part {
                Part::Product => "product",
                Part::Tests => "tests",
            };
            row(&mut out, history, point, part, totals);
        }
        if let Some(totals) = &point.published {
            row(&mut out, history, point, "published", totals);
        }
    }
    out
}

fn row(out: &mut String, history: &History, point: &HistoryPoint, part: &str, totals: &Totals) {
    let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let count = |value: Option<u64>| value.map(|v| v.to_string()).unwrap_or_default();
    let fields = [
        point.position.to_string(),
        point.commit.id.clone(),
        point.commit.time.clone(),
        point.months.to_string(),
        format!("{} <{}>", point.commit.author, point.commit.email),
        point.commit.agents.join("+"),
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
        history.definitions.version.clone(),
        history.definitions.hash.clone(),
    ];
    let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    let _ = write!(out, "{}\r\n", fields.join(","));
}

/// A field, in quotes if it needs them. What a sheet would take for a formula is kept from it.
fn quoted(field: &str) -> String {
    let field = clean(field);
    let risky = field.starts_with(['=', '+', '@', '\t']);
    let field = if risky { format!("'{field}") } else { field };
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}
