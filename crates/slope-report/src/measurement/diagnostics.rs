//! A measurement's findings as diagnostics.

use std::collections::BTreeMap;

use serde_json::json;
use slope_model::finding::{Finding, Severity};
use slope_model::measurement::{CloneClass, CloneKind, Measurement, Unmeasured};

use super::Subject;
use super::catalogue::RuleInfo;
use super::digest;
use super::rules::Merged;
use crate::diagnostics::{Diagnostic, Note, Place, Report, Rule, Silenced, Topic, Unread};
use crate::format::clean;

/// Id of the findings for members of clone classes.
const CLONE: &str = "clone";
const NEAR_CLONE: &str = "near-clone";

/// Maximum number of other places that one diagnostic lists. Each member of a clone class lists the
/// others, so without a limit the output is quadratic in the size of the class.
const MAX_OTHERS: usize = 20;

/// The findings of a measurement, and further information for viewers.
pub(super) fn report<'a>(subject: &Subject<'a>) -> Report<'a> {
    let measurement = subject.measurement;
    let profile = digest::profile(measurement);
    let hash = clean(&measurement.definitions.hash);
    let diagnostics = diagnostics(subject);
    Report {
        id: format!("slope/{profile}/"),
        title: format!("slope, profile {profile}"),
        summary: digest::one_line(measurement),
        definitions: Some(digest::definitions_line(measurement)),
        properties: json!({
            "profile": profile,
            "definitions": clean(&measurement.definitions.version),
            "definitionsHash": hash,
            "totals": measurement.totals,
        }),
        labels: vec![("profile", profile), ("definitions", hash)],
        rules: rules(subject.rules, &diagnostics),
        diagnostics,
        fails_from: Severity::Hint,
        check_prefix: "",
        notes: notes(measurement),
        files: measurement.files.iter().map(|f| f.path.as_str()).collect(),
        unread: measurement.unmeasured.iter().map(unread).collect(),
        prefix: subject.prefix,
        base: subject.base,
        root: match subject.base {
            Some(_) => "The measured folder, or the root of its repository.",
            None => "The working directory of slope.",
        },
        sources: subject.sources,
    }
}

fn unread(file: &Unmeasured) -> Unread<'_> {
    Unread {
        path: &file.path,
        reason: &file.reason,
    }
}

/// Files that were not, or only partly, measured.
fn notes(measurement: &Measurement) -> Vec<Note<'_>> {
    let unmeasured = measurement.unmeasured.iter().map(|file| Note {
        severity: Severity::Error,
        path: Some(&file.path),
        text: format!("not measured: {}", clean(&file.reason)),
    });
    let broken = measurement.files.iter().filter_map(|file| {
        let errors = file.syntax_errors?;
        let text = format!(
            "{} from line {} on; {} not parsed",
            digest::plural(errors.count.into(), "syntax error"),
            errors.first_line,
            digest::plural(errors.lines.into(), "source line")
        );
        Some(Note {
            severity: Severity::Warning,
            path: Some(&file.path),
            text,
        })
    });
    unmeasured.chain(broken).collect()
}

/// The rules that a diagnostic refers to, by id.
fn rules(catalogue: &[RuleInfo], diagnostics: &[Diagnostic<'_>]) -> Vec<Rule> {
    let mut used: BTreeMap<&str, &Diagnostic<'_>> = BTreeMap::new();
    for diagnostic in diagnostics {
        used.entry(&diagnostic.rule).or_insert(diagnostic);
    }
    used.into_iter()
        .map(|(id, first)| {
            Merged::of(catalogue, id).map_or_else(|| unknown(first), |merged| known(&merged))
        })
        .collect()
}

fn known(merged: &Merged<'_>) -> Rule {
    let info = merged.first;
    let short = clean(&info.message);
    let note = clean(&info.note);
    Rule {
        id: info.id.clone(),
        full: if note.is_empty() { short.clone() } else { note },
        short,
        help_text: merged.plain_help(),
        help_markdown: merged.markdown_help(),
        on_by_default: info.on_by_default,
        severity: info.severity,
        tags: merged.tags(),
        precision: info.precision,
    }
}

/// A rule without a description, known only by its findings.
fn unknown(first: &Diagnostic<'_>) -> Rule {
    Rule {
        id: first.rule.clone(),
        short: first.message.clone(),
        full: first.message.clone(),
        help_text: first.message.clone(),
        help_markdown: crate::markdown::escape(&first.message),
        on_by_default: true,
        severity: first.severity,
        tags: first.category.map(clean).into_iter().collect(),
        precision: None,
    }
}

/// Every finding by path, position and rule, including silenced ones; those of clones have the
/// other places of their class.
fn diagnostics<'a>(subject: &Subject<'a>) -> Vec<Diagnostic<'a>> {
    let measurement = subject.measurement;
    let classes = classes_by_place(measurement);
    let findings = measurement.findings.iter().map(|f| (f, None));
    let suppressed = measurement.suppressed.iter();
    let suppressed = suppressed.map(|s| (&s.finding, Some(s.reason.as_str())));
    let mut all: Vec<Diagnostic<'a>> = findings
        .chain(suppressed)
        .map(|(finding, reason)| Diagnostic {
            message: clean(&subject.placed(finding)),
            silenced: reason.map(Silenced::Comment),
            ..diagnostic(finding, &classes)
        })
        .collect();
    all.sort_by(|a, b| (a.place, &a.rule).cmp(&(b.place, &b.rule)));
    number_equals(&mut all);
    for diagnostic in &mut all {
        let places = diagnostic.place.iter_mut().chain(&mut diagnostic.others);
        places.for_each(|place| place.span = subject.in_file(place.path, place.span));
    }
    all
}

fn diagnostic<'a>(finding: &'a Finding, classes: &Classes<'a>) -> Diagnostic<'a> {
    let here = Place {
        path: &finding.path,
        span: finding.span,
    };
    let class = classes.get(&(finding.rule.as_str(), here));
    let members = class.iter().flat_map(|class| &class.members);
    let places = members.map(|member| Place {
        path: &member.path,
        span: member.span,
    });
    let others: Vec<_> = places
        .filter(|place| *place != here)
        .take(MAX_OTHERS)
        .collect();
    let all = class.map_or(0, |class| class.members.len().saturating_sub(1));
    Diagnostic {
        rule: clean(&finding.rule),
        category: Some(&finding.category),
        topic: if others.is_empty() {
            Topic::Style
        } else {
            Topic::Duplication
        },
        severity: finding.severity,
        place: Some(here),
        message: String::new(),
        fingerprint: clean(&finding.fingerprint),
        silenced: None,
        more_others: all.saturating_sub(others.len()),
        others,
    }
}

/// Clone classes by the ids of their findings and the places of their members.
type Classes<'a> = BTreeMap<(&'static str, Place<'a>), &'a CloneClass>;

fn classes_by_place(measurement: &Measurement) -> Classes<'_> {
    let mut classes = BTreeMap::new();
    for class in &measurement.clones {
        let id = match class.kind {
            CloneKind::Exact | CloneKind::Renamed => CLONE,
            CloneKind::NearMiss => NEAR_CLONE,
        };
        for member in &class.members {
            let place = Place {
                path: &member.path,
                span: member.span,
            };
            classes.entry((id, place)).or_insert(class);
        }
    }
    classes
}

/// Appends a number to the fingerprints of equal diagnostics, from the second on.
fn number_equals(diagnostics: &mut [Diagnostic<'_>]) {
    let mut seen: BTreeMap<(String, String), u32> = BTreeMap::new();
    for diagnostic in diagnostics {
        let key = (diagnostic.rule.clone(), diagnostic.fingerprint.clone());
        let count = seen.entry(key).or_default();
        *count += 1;
        if *count > 1 {
            diagnostic.fingerprint = format!("{}-{count}", diagnostic.fingerprint);
        }
    }
}
