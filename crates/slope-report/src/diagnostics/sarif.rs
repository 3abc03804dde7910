//! SARIF 2.1.0, for code-scanning viewers.
//!
//! Silenced diagnostics become results with a suppression, other places of the same code become
//! related locations, and notes become notifications. Paths are relative to `%SRCROOT%`.

mod columns;
mod types;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use slope_model::finding::{Severity, Span};

use self::columns::Columns;
use self::types::{
    ArtifactLocation, Automation, Configuration, Driver, Invocation, Location, Log, Multiformat,
    Notification, PhysicalLocation, Properties, RelatedLocation, RuleProperties, Run, SarifResult,
    SarifRule, Suppression, Text, Tool, UriBase,
};
use super::{Diagnostic, Note, Place, Report, Rule, Silenced, severity_word};
use crate::format::clean;

/// The schema named in the log; slope does not fetch it.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const ROOT: &str = "%SRCROOT%";
/// GitHub refuses a run with more results.
const MAX_RESULTS: usize = 25_000;

pub(crate) fn render(report: &Report<'_>) -> serde_json::Result<String> {
    let (diagnostics, left_out) = most_severe(&report.diagnostics, MAX_RESULTS);
    let used: BTreeSet<&str> = diagnostics.iter().map(|d| d.rule.as_str()).collect();
    let rules: Vec<&Rule> = report
        .rules
        .iter()
        .filter(|rule| used.contains(rule.id.as_str()))
        .collect();
    let index: BTreeMap<&str, usize> = rules
        .iter()
        .enumerate()
        .map(|(i, rule)| (rule.id.as_str(), i))
        .collect();
    let mut columns = Columns::new(report.sources);
    let results = diagnostics
        .iter()
        .map(|diagnostic| result(report, diagnostic, &index, &mut columns))
        .collect();
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [run(report, &rules, results, left_out)],
    };
    Ok(serde_json::to_string_pretty(&log)? + "\n")
}

/// The `limit` most severe diagnostics in their order, and how many are left out.
fn most_severe<'a>(all: &'a [Diagnostic<'a>], limit: usize) -> (Vec<&'a Diagnostic<'a>>, usize) {
    let mut kept: Vec<(usize, &Diagnostic<'_>)> = all.iter().enumerate().collect();
    let left_out = kept.len().saturating_sub(limit);
    if left_out > 0 {
        // A stable sort keeps the first of equally severe ones.
        kept.sort_by_key(|(_, d)| (d.silenced.is_some(), Reverse(d.severity)));
        kept.truncate(limit);
        kept.sort_by_key(|(at, _)| *at);
    }
    (kept.into_iter().map(|(_, d)| d).collect(), left_out)
}

fn run<'a>(
    report: &'a Report<'_>,
    rules: &[&Rule],
    results: Vec<SarifResult>,
    left_out: usize,
) -> Run<'a> {
    let version = env!("CARGO_PKG_VERSION");
    Run {
        tool: Tool {
            driver: Driver {
                name: "slope",
                version,
                semantic_version: version,
                rules: rules.iter().map(|rule| described(rule)).collect(),
            },
        },
        automation_details: Automation { id: &report.id },
        invocations: [Invocation {
            execution_successful: true,
            tool_execution_notifications: notifications(report, left_out),
        }],
        original_uri_base_ids: BTreeMap::from([(ROOT, root(report))]),
        column_kind: "utf16CodeUnits",
        results,
        properties: &report.properties,
    }
}

/// Root of the paths: the folder to which they are relative, if it is not the reader's. Viewers
/// have another name for the reader's folder.
fn root(report: &Report<'_>) -> UriBase {
    UriBase {
        uri: report.base.map(|base| {
            let path = escaped(base.as_os_str().as_encoded_bytes());
            format!("file://{}/", path.trim_end_matches('/'))
        }),
        description: Text::new(report.root),
    }
}

fn described(rule: &Rule) -> SarifRule {
    SarifRule {
        id: rule.id.clone(),
        short_description: Text::new(&rule.short),
        full_description: Text::new(&rule.full),
        help: Multiformat {
            text: rule.help_text.clone(),
            markdown: rule.help_markdown.clone(),
        },
        default_configuration: Configuration {
            enabled: rule.on_by_default,
            level: level(rule.severity),
        },
        properties: RuleProperties {
            tags: rule.tags.clone(),
            precision: rule.precision.map(precision),
            severity: severity_word(rule.severity, ["recommendation", "warning", "error"]),
        },
    }
}

fn result(
    report: &Report<'_>,
    diagnostic: &Diagnostic<'_>,
    index: &BTreeMap<&str, usize>,
    columns: &mut Columns<'_>,
) -> SarifResult {
    let others = diagnostic.others.iter().enumerate();
    let related = others.map(|(i, other)| RelatedLocation {
        id: i + 1,
        physical_location: location(report, Some(*other), columns),
        message: Text::new("the same code"),
    });
    SarifResult {
        rule_id: diagnostic.rule.clone(),
        rule_index: index.get(diagnostic.rule.as_str()).copied(),
        level: level(diagnostic.severity),
        message: Text::new(diagnostic.full_message()),
        related_locations: related.collect(),
        locations: vec![Location {
            physical_location: location(report, diagnostic.place, columns),
        }],
        partial_fingerprints: BTreeMap::from([
            // GitHub uses only the first one to recognise an alert.
            (
                "primaryLocationLineHash",
                format!("{}:1", diagnostic.fingerprint),
            ),
            ("slopeFingerprint/v1", diagnostic.fingerprint.clone()),
        ]),
        suppressions: diagnostic.silenced.map(|silenced| [suppression(silenced)]),
        properties: diagnostic.category.map(|category| Properties {
            category: clean(category),
        }),
    }
}

fn suppression(silenced: Silenced<'_>) -> Suppression {
    Suppression {
        kind: match silenced {
            Silenced::Comment(_) => "inSource",
            Silenced::Waiver(_) => "external",
        },
        status: "accepted",
        justification: clean(silenced.reason()),
    }
}

/// A place; the root if there is none.
fn location(
    report: &Report<'_>,
    place: Option<Place<'_>>,
    columns: &mut Columns<'_>,
) -> PhysicalLocation {
    let (path, region) = match place {
        Some(Place { path, span }) => (report.shown(path), columns.region(path, span)),
        None => (".".to_owned(), columns.region("", Span::default())),
    };
    PhysicalLocation {
        artifact_location: artifact(&path),
        region: Some(region),
    }
}

fn artifact(path: &str) -> ArtifactLocation {
    ArtifactLocation {
        uri: uri(path),
        uri_base_id: ROOT,
    }
}

fn notifications(report: &Report<'_>, left_out: usize) -> Vec<Notification> {
    let left_out = (left_out > 0).then(|| Notification {
        level: "warning",
        message: Text::new(format!(
            "{left_out} of the least severe results are left out, because GitHub refuses more than {MAX_RESULTS}; \
             `--format json` has all"
        )),
        locations: Vec::new(),
    });
    let notes = report.notes.iter().map(|note| notification(report, note));
    left_out.into_iter().chain(notes).collect()
}

fn notification(report: &Report<'_>, note: &Note<'_>) -> Notification {
    let location = |path: &str| Location {
        physical_location: PhysicalLocation {
            artifact_location: artifact(&report.shown(path)),
            region: None,
        },
    };
    Notification {
        level: level(note.severity),
        message: Text::new(&note.text),
        locations: note.path.map(location).into_iter().collect(),
    }
}

fn level(severity: Severity) -> &'static str {
    severity_word(severity, ["note", "warning", "error"])
}

/// The words that code scanning has for a share of right findings.
fn precision(share: f64) -> &'static str {
    match share {
        s if s >= 0.95 => "very-high",
        s if s >= 0.85 => "high",
        s if s >= 0.7 => "medium",
        _ => "low",
    }
}

/// A path as a relative URI reference (RFC 3986): all but unreserved characters are
/// percent-encoded, so that no path can be parsed as a scheme, a query or a host.
fn uri(path: &str) -> String {
    escaped(path.as_bytes())
}

fn escaped(path: &[u8]) -> String {
    let mut out = String::with_capacity(path.len());
    for &byte in path {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_relative_references() {
        assert_eq!(uri("src/a b.py"), "src/a%20b.py");
        assert_eq!(uri("c:/x?y#z%"), "c%3A/x%3Fy%23z%25");
        assert_eq!(uri("日.py"), "%E6%97%A5.py");
    }
}
