//! GitLab's Code Quality report: a list of issues in Code Climate's form.

use serde::Serialize;
use slope_model::finding::Span;

use super::Subject;
use super::digest;
use super::issues::{self, Issue, severity_word};
use crate::format::clean_path;

#[derive(Serialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: &'static str,
    check_name: String,
    description: String,
    categories: Vec<&'static str>,
    severity: &'static str,
    fingerprint: String,
    location: Location,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_locations: Vec<Location>,
    /// The list has no head, so each issue names the definitions.
    engine_name: String,
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

/// Silenced findings are left out: the form cannot say that they are.
pub(super) fn render(subject: &Subject<'_>) -> serde_json::Result<String> {
    let engine = format!("slope {}", digest::definitions_line(subject.measurement));
    let issues = issues::issues(subject);
    let shown = issues.iter().filter(|issue| issue.suppressed.is_none());
    let entries: Vec<Entry> = shown.map(|issue| entry(subject, issue, &engine)).collect();
    let mut text = serde_json::to_string_pretty(&entries)?;
    text.push('\n');
    Ok(text)
}

fn entry(subject: &Subject<'_>, issue: &Issue<'_>, engine: &str) -> Entry {
    let others = issue.others.iter();
    Entry {
        kind: "issue",
        check_name: issue.rule.clone(),
        description: issue.full_message(),
        categories: vec![if issue.others.is_empty() {
            "Style"
        } else {
            "Duplication"
        }],
        severity: severity_word(issue.severity, ["info", "minor", "major"]),
        // Equal code breaks two rules at one place: the rule is part of the name.
        fingerprint: format!("{}-{}", issue.rule, issue.fingerprint),
        location: location(subject, issue.path, issue.span),
        other_locations: others
            .map(|(path, span)| location(subject, path, *span))
            .collect(),
        engine_name: engine.to_owned(),
    }
}

fn location(subject: &Subject<'_>, path: &str, span: Span) -> Location {
    Location {
        path: clean_path(&subject.path(path)),
        lines: Lines {
            begin: span.start_line,
            end: span.end_line,
        },
    }
}
