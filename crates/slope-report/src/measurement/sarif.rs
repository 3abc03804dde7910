//! SARIF 2.1.0, for code-scanning viewers.
//!
//! Findings become results, silenced ones with a suppression, those of clones with the
//! other places as related locations; files that could not be
//! measured become notifications. Paths are relative to `%SRCROOT%`.

mod columns;
mod types;

use std::collections::BTreeMap;
use std::path::Path;

use slope_model::finding::{Severity, Span};

use self::columns::Columns;
use self::types::{
    ArtifactLocation, Configuration, Driver, Invocation, Location, Log, Multiformat, Notification,
    PhysicalLocation, Properties, RelatedLocation, Rule, RuleProperties, Run, RunProperties,
    SarifResult, Suppression, Text, Tool, UriBase,
};
use super::Subject;
use super::digest;
use super::issues::{self, Issue, severity_word};
use super::rules::Merged;
use crate::format::clean;

/// The schema that the log says it follows; nothing is fetched from there.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const ROOT: &str = "%SRCROOT%";
/// GitHub refuses a run with more results.
pub(crate) const MAX_RESULTS: usize = 25_000;

pub(super) fn render(subject: &Subject<'_>) -> serde_json::Result<String> {
    let (issues, left_out) = issues::most_severe(issues::issues(subject), MAX_RESULTS);
    let rules = rules(subject, &issues);
    let index: BTreeMap<String, usize> = rules
        .iter()
        .enumerate()
        .map(|(i, rule)| (rule.id.clone(), i))
        .collect();
    let mut columns = Columns::new(subject.sources);
    let results = issues
        .iter()
        .map(|issue| result(subject, issue, &index, &mut columns))
        .collect();
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: vec![run(subject, rules, results, left_out)],
    };
    let mut text = serde_json::to_string_pretty(&log)?;
    text.push('\n');
    Ok(text)
}

fn run(subject: &Subject<'_>, rules: Vec<Rule>, results: Vec<SarifResult>, left_out: usize) -> Run {
    let measurement = subject.measurement;
    let version = env!("CARGO_PKG_VERSION");
    Run {
        tool: Tool {
            driver: Driver {
                name: "slope",
                version,
                semantic_version: version,
                rules,
            },
        },
        automation_details: types::Automation {
            id: format!("slope/{}/", digest::profile(measurement)),
        },
        invocations: vec![Invocation {
            execution_successful: true,
            tool_execution_notifications: notifications(subject, left_out),
        }],
        original_uri_base_ids: BTreeMap::from([(ROOT, root(subject.base))]),
        column_kind: "utf16CodeUnits",
        results,
        properties: RunProperties {
            profile: digest::profile(measurement),
            definitions: clean(&measurement.definitions.version),
            definitions_hash: clean(&measurement.definitions.hash),
            totals: measurement.totals.clone(),
        },
    }
}

/// Root of the paths: where slope was run, which is left out since viewers know the place by
/// another name, or the folder that was measured elsewhere.
fn root(base: Option<&Path>) -> UriBase {
    let described = match base {
        Some(_) => "The folder that was measured, or the top of its repository.",
        None => "The folder in which slope was run.",
    };
    UriBase {
        uri: base.map(|base| {
            let path = escaped(base.as_os_str().as_encoded_bytes());
            format!("file://{}/", path.trim_end_matches('/'))
        }),
        description: Text::new(described),
    }
}

/// The rules that a result refers to, by id.
fn rules(subject: &Subject<'_>, issues: &[Issue<'_>]) -> Vec<Rule> {
    let mut used: BTreeMap<&str, &Issue<'_>> = BTreeMap::new();
    for issue in issues {
        used.entry(&issue.rule).or_insert(issue);
    }
    used.into_iter()
        .map(|(id, first)| {
            Merged::of(subject.rules, id).map_or_else(|| unknown(first), |m| of_catalogue(&m))
        })
        .collect()
}

fn of_catalogue(merged: &Merged<'_>) -> Rule {
    let info = merged.first;
    let note = clean(&info.note);
    Rule {
        id: info.id.clone(),
        short_description: Text::new(clean(&info.message)),
        full_description: Text::new(if note.is_empty() {
            clean(&info.message)
        } else {
            note
        }),
        help: Multiformat {
            text: merged.plain_help(),
            markdown: merged.markdown_help(),
        },
        default_configuration: Configuration {
            enabled: info.on_by_default,
            level: level(info.severity),
        },
        properties: RuleProperties {
            tags: merged.tags(),
            precision: info.precision.map(precision),
            severity: problem_severity(info.severity),
        },
    }
}

/// A rule that nothing is known of but its findings.
fn unknown(first: &Issue<'_>) -> Rule {
    let note = first.message.as_str();
    Rule {
        id: first.rule.clone(),
        short_description: Text::new(note),
        full_description: Text::new(note),
        help: Multiformat {
            text: note.to_owned(),
            markdown: crate::markdown::escape(note),
        },
        default_configuration: Configuration {
            enabled: true,
            level: level(first.severity),
        },
        properties: RuleProperties {
            tags: vec![clean(first.category)],
            precision: None,
            severity: problem_severity(first.severity),
        },
    }
}

fn result(
    subject: &Subject<'_>,
    issue: &Issue<'_>,
    index: &BTreeMap<String, usize>,
    columns: &mut Columns<'_>,
) -> SarifResult {
    let others = issue.others.iter().enumerate();
    let related = others.map(|(i, (path, span))| RelatedLocation {
        id: i + 1,
        physical_location: place(subject, path, *span, columns),
        message: Text::new("the same code"),
    });
    SarifResult {
        rule_id: issue.rule.clone(),
        rule_index: index.get(&issue.rule).copied(),
        level: level(issue.severity),
        message: Text::new(issue.full_message()),
        related_locations: related.collect(),
        locations: vec![Location {
            physical_location: place(subject, issue.path, issue.span, columns),
        }],
        partial_fingerprints: BTreeMap::from([
            // The first is the only one by which GitHub knows an alert again.
            (
                "primaryLocationLineHash",
                format!("{}:1", issue.fingerprint),
            ),
            ("slopeFingerprint/v1", issue.fingerprint.clone()),
        ]),
        suppressions: issue.suppressed.map(|reason| {
            vec![Suppression {
                kind: "inSource",
                status: "accepted",
                justification: clean(reason),
            }]
        }),
        properties: Properties {
            category: clean(issue.category),
        },
    }
}

fn place(
    subject: &Subject<'_>,
    path: &str,
    span: Span,
    columns: &mut Columns<'_>,
) -> PhysicalLocation {
    PhysicalLocation {
        artifact_location: artifact(&subject.path(path)),
        region: Some(columns.region(path, span)),
    }
}

fn artifact(path: &str) -> ArtifactLocation {
    ArtifactLocation {
        uri: uri(path),
        uri_base_id: ROOT,
    }
}

/// Files that could not be measured, or only in parts, and results that are left out.
fn notifications(subject: &Subject<'_>, left_out: usize) -> Vec<Notification> {
    let notification = |level, path: &str, text: String| Notification {
        level,
        message: Text::new(text),
        locations: vec![Location {
            physical_location: PhysicalLocation {
                artifact_location: artifact(&subject.path(path)),
                region: None,
            },
        }],
    };
    let unmeasured = subject.measurement.unmeasured.iter();
    let unmeasured = unmeasured.map(|file| {
        notification(
            "error",
            &file.path,
            format!("not measured: {}", clean(&file.reason)),
        )
    });
    let files = subject.measurement.files.iter();
    let broken = files.filter_map(|file| {
        let errors = file.syntax_errors?;
        let text = format!(
            "{} from line {} on; {} not parsed",
            digest::plural(errors.count.into(), "syntax error"),
            errors.first_line,
            digest::plural(errors.lines.into(), "source line")
        );
        Some(notification("warning", &file.path, text))
    });
    let left_out = (left_out > 0).then(|| Notification {
        level: "warning",
        message: Text::new(format!(
            "{left_out} of the least severe results are left out, because GitHub refuses more than {MAX_RESULTS}; \
             `--format json` has all"
        )),
        locations: Vec::new(),
    });
    left_out
        .into_iter()
        .chain(unmeasured)
        .chain(broken)
        .collect()
}

fn level(severity: Severity) -> &'static str {
    severity_word(severity, ["note", "warning", "error"])
}

fn problem_severity(severity: Severity) -> &'static str {
    severity_word(severity, ["recommendation", "warning", "error"])
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
/// percent-encoded, so that no path can be read as a scheme, a query or a host.
pub(crate) fn uri(path: &str) -> String {
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
