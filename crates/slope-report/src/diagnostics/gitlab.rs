//! GitLab's Code Quality report: a list of issues in Code Climate's form.

use serde::Serialize;

use super::{Diagnostic, Place, Report, Topic, severity_word};
use crate::format::clean_path;

#[derive(Serialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: &'static str,
    check_name: String,
    description: String,
    categories: [&'static str; 1],
    severity: &'static str,
    fingerprint: String,
    location: Location,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_locations: Vec<Location>,
    /// The list has no head, so each issue names the definitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_name: Option<String>,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// Silenced diagnostics are left out, because the format cannot mark them. It requires a place, so
/// diagnostics without one are left out too.
pub(crate) fn render(report: &Report<'_>) -> serde_json::Result<String> {
    let open = report.diagnostics.iter().filter(|d| d.silenced.is_none());
    let entries: Vec<Entry> = open.filter_map(|d| entry(report, d)).collect();
    Ok(serde_json::to_string_pretty(&entries)? + "\n")
}

fn entry(report: &Report<'_>, diagnostic: &Diagnostic<'_>) -> Option<Entry> {
    let rule = &diagnostic.rule;
    let others = diagnostic.others.iter();
    Some(Entry {
        kind: "issue",
        check_name: format!("{}{rule}", report.check_prefix),
        description: diagnostic.full_message(),
        categories: [match diagnostic.topic {
            Topic::Style => "Style",
            Topic::Duplication => "Duplication",
            Topic::Complexity => "Complexity",
        }],
        severity: severity_word(diagnostic.severity, ["info", "minor", "major"]),
        // Equal code may break two rules at one place, so the rule is part of the name.
        fingerprint: format!("{rule}-{}", diagnostic.fingerprint),
        location: location(report, diagnostic.place?),
        other_locations: others.map(|place| location(report, *place)).collect(),
        engine_name: report.definitions.as_ref().map(|d| format!("slope {d}")),
    })
}

fn location(report: &Report<'_>, Place { path, span }: Place<'_>) -> Location {
    Location {
        path: clean_path(&report.shown(path)),
        lines: Lines {
            begin: span.start_line.max(1),
            end: span.end_line.max(span.start_line).max(1),
        },
    }
}
