//! The places that lower the scores of verbosity and erosion.

use std::collections::BTreeSet;

use slope_model::assessment::{Issue, ScoreName};
use slope_model::finding::Finding;
use slope_model::measurement::{CloneClass, FileMeasurement, Measurement, Part};
use slope_signals::SIGNALS;

/// Complexity above which a function's mass is erosion (paper, equation 3).
const MAX_COMPLEXITY: u32 = 10;

/// Issues of verbosity and erosion in production code.
pub(crate) fn issues(measurement: &Measurement) -> Vec<Issue> {
    let production: BTreeSet<&str> = production(measurement)
        .map(|file| file.path.as_str())
        .collect();
    let findings = measurement.findings.iter();
    let findings = findings.filter(|it| is_of_rule(it) && production.contains(it.path.as_str()));
    let mut issues: Vec<Issue> = findings.map(of_finding).collect();
    let clones = measurement.clones.iter();
    issues.extend(clones.filter_map(|class| of_clone(class, &production)));
    for file in self::production(measurement) {
        issues.extend(heavy(file));
    }
    issues
}

/// Files of production code.
pub(crate) fn production(measurement: &Measurement) -> impl Iterator<Item = &FileMeasurement> {
    let files = measurement.files.iter();
    files.filter(|file| file.part == Part::Product)
}

/// Whether a rule reports it. Signals do not count in verbosity, and metrics are issues of their own here.
fn is_of_rule(finding: &Finding) -> bool {
    let is_metric = ["duplication", "complexity"].contains(&finding.category.as_str());
    !is_metric && !SIGNALS.iter().any(|signal| signal.id == finding.rule)
}

fn of_finding(finding: &Finding) -> Issue {
    let span = finding.span;
    Issue {
        score: ScoreName::Verbosity,
        id: finding.rule.clone(),
        path: finding.path.clone(),
        start_line: span.start_line,
        end_line: span.end_line,
        message: finding.message.clone(),
        weight: Some(f64::from(span.end_line - span.start_line + 1)),
        carried: None,
    }
}

fn of_clone(class: &CloneClass, production: &BTreeSet<&str>) -> Option<Issue> {
    let mut members = class.members.iter();
    let members: Vec<_> = members
        .by_ref()
        .filter(|member| production.contains(member.path.as_str()))
        .collect();
    let [first, others @ ..] = &members[..] else {
        return None;
    };
    let other = others.first()?;
    let lines = first.span.end_line - first.span.start_line + 1;
    let message = format!(
        "{lines} lines are repeated in {} places, next at {}:{}.",
        members.len(),
        other.path,
        other.span.start_line
    );
    Some(Issue {
        score: ScoreName::Verbosity,
        id: "clone".to_owned(),
        path: first.path.clone(),
        start_line: first.span.start_line,
        end_line: first.span.end_line,
        message,
        weight: Some(f64::from(lines) * members.len() as f64),
        carried: None,
    })
}

fn heavy(file: &FileMeasurement) -> impl Iterator<Item = Issue> {
    let complex = file.callables.iter();
    let complex = complex.filter(|callable| callable.complexity > MAX_COMPLEXITY);
    complex.map(|callable| Issue {
        score: ScoreName::Erosion,
        id: "complex-function".to_owned(),
        path: file.path.clone(),
        start_line: callable.span.start_line,
        end_line: callable.span.end_line,
        message: format!(
            "`{}` has complexity {} in {} lines.",
            callable.name, callable.complexity, callable.sloc
        ),
        weight: Some(callable.mass),
        carried: None,
    })
}
