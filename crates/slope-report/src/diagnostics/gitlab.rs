//! GitLab's Code Quality report: a list of issues in Code Climate's form.

use serde::Serialize;

use slope_model::finding::Span;

use super::{Diagnostic, Note, Place, Report, Silenced, Topic, severity_word};
use crate::format::{clean, clean_path};

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

/// The place of what concerns everything: the format requires one.
const EVERYTHING: &str = ".";

/// The format cannot mark silenced diagnostics: those of waivers are informative issues, and those that the code silences
/// are left out. Notes are informative issues, too.
pub(crate) fn render(report: &Report<'_>) -> serde_json::Result<String> {
    let all = report.diagnostics.iter();
    let shown = all.filter(|d| !matches!(d.silenced, Some(Silenced::Comment(_))));
    let notes = report.notes.iter();
    let entries = shown
        .map(|diagnostic| entry(report, diagnostic))
        .chain(notes.map(|note| of_note(report, note)));
    Ok(serde_json::to_string_pretty(&entries.collect::<Vec<_>>())? + "\n")
}

fn of_note(report: &Report<'_>, note: &Note<'_>) -> Entry {
    Entry {
        kind: "issue",
        check_name: format!("{}note", report.check_prefix),
        description: note.text.clone(),
        categories: ["Style"],
        severity: "info",
        fingerprint: format!(
            "note-{}-{}",
            clean_path(note.path.unwrap_or_default()),
            note.text
        ),
        location: match note.path {
            Some(path) => location(
                report,
                Place {
                    path,
                    span: Span::default(),
                },
            ),
            None => everything(),
        },
        other_locations: Vec::new(),
        engine_name: engine(report),
    }
}

fn engine(report: &Report<'_>) -> Option<String> {
    report.definitions.as_ref().map(|d| format!("slope {d}"))
}

fn everything() -> Location {
    Location {
        path: EVERYTHING.to_owned(),
        lines: Lines { begin: 1, end: 1 },
    }
}

fn entry(report: &Report<'_>, diagnostic: &Diagnostic<'_>) -> Entry {
    let rule = &diagnostic.rule;
    let others = diagnostic.others.iter();
    let message = diagnostic.full_message();
    Entry {
        kind: "issue",
        check_name: format!("{}{rule}", report.check_prefix),
        description: match diagnostic.silenced {
            Some(silenced) => format!("waived ({}): {message}", clean(silenced.reason())),
            None => message,
        },
        categories: [match diagnostic.topic {
            Topic::Style => "Style",
            Topic::Duplication => "Duplication",
            Topic::Complexity => "Complexity",
        }],
        severity: match diagnostic.silenced {
            Some(_) => "info",
            None => severity_word(diagnostic.severity, ["info", "minor", "major"]),
        },
        // Equal code may break two rules at one place, so the rule is part of the name.
        fingerprint: format!("{rule}-{}", diagnostic.fingerprint),
        location: match diagnostic.place {
            Some(place) => location(report, place),
            None => everything(),
        },
        other_locations: others.map(|place| location(report, *place)).collect(),
        engine_name: engine(report),
    }
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
