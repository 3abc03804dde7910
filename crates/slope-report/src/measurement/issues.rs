//! Findings and clone classes as one list, for viewers that know only of places with messages.

use std::collections::BTreeMap;

use slope_model::finding::{Finding, Severity, Span};
use slope_model::measurement::{CloneClass, CloneKind};

use super::Subject;
use super::digest::{clone_kind_name, plural};
use crate::format::clean;

/// One place with a message.
pub(super) struct Issue<'a> {
    pub(super) rule: String,
    pub(super) category: &'a str,
    pub(super) severity: Severity,
    /// Path relative to the measured root, as it is.
    pub(super) path: &'a str,
    pub(super) span: Span,
    /// Made safe to print.
    pub(super) message: String,
    /// Different from that of every other issue: equal findings are numbered in order.
    pub(super) fingerprint: String,
    /// The reason for which a comment silenced it.
    pub(super) suppressed: Option<&'a str>,
    /// Other places of the same.
    pub(super) others: Vec<(&'a str, Span)>,
}

/// Every finding and clone class by path, position and rule.
pub(super) fn issues<'a>(subject: &Subject<'a>) -> Vec<Issue<'a>> {
    let measurement = subject.measurement;
    let findings = measurement.findings.iter().map(|f| of_finding(f, None));
    let suppressed = measurement.suppressed.iter();
    let suppressed = suppressed.map(|s| of_finding(&s.finding, Some(&s.reason)));
    let clones = measurement.clones.iter();
    let clones = clones.filter_map(|class| of_clones(subject, class));
    let mut all: Vec<Issue<'a>> = findings.chain(suppressed).chain(clones).collect();
    all.sort_by(|a, b| (a.path, a.span, &a.rule).cmp(&(b.path, b.span, &b.rule)));
    number_equals(&mut all);
    all
}

/// The rule id of clone classes of a kind.
pub(super) fn clone_rule(kind: CloneKind) -> String {
    format!("clone-{}", clone_kind_name(kind))
}

/// What a clone class of a kind is, and what to do.
pub(super) fn clone_note(kind: CloneKind) -> &'static str {
    match kind {
        CloneKind::Exact => {
            "The same code stands in several places, equal but for layout and comments. Keep it \
             in one function and call that."
        }
        CloneKind::Renamed => {
            "The same code stands in several places with other names or literals. Make what \
             differs a parameter of one function."
        }
        CloneKind::NearMiss => {
            "Nearly the same code stands in several places, with statements inserted, deleted or \
             changed. Look whether the differences are meant; move what is common into one function."
        }
    }
}

pub(super) fn clone_severity(kind: CloneKind) -> Severity {
    match kind {
        CloneKind::Exact | CloneKind::Renamed => Severity::Warning,
        CloneKind::NearMiss => Severity::Hint,
    }
}

fn of_finding<'a>(finding: &'a Finding, suppressed: Option<&'a str>) -> Issue<'a> {
    Issue {
        rule: clean(&finding.rule),
        category: &finding.category,
        severity: finding.severity,
        path: &finding.path,
        span: finding.span,
        message: clean(&finding.message),
        fingerprint: clean(&finding.fingerprint),
        suppressed,
        others: Vec::new(),
    }
}

fn of_clones<'a>(subject: &Subject<'_>, class: &'a CloneClass) -> Option<Issue<'a>> {
    let (first, rest) = class.members.split_first()?;
    let next = rest.first()?;
    let elsewhere = match rest.len() {
        1 => "once more".to_owned(),
        more => format!("{more} times more, first"),
    };
    let message = format!(
        "{} of {} code stand {elsewhere} at {}:{}",
        plural(class.lines.into(), "line"),
        match class.kind {
            CloneKind::Exact => "equal",
            CloneKind::Renamed => "renamed",
            CloneKind::NearMiss => "similar",
        },
        clean(&subject.path(&next.path)),
        next.span.start_line
    );
    Some(Issue {
        rule: clone_rule(class.kind),
        category: "duplication",
        severity: clone_severity(class.kind),
        path: &first.path,
        span: first.span,
        message,
        fingerprint: clean(&class.fingerprint),
        suppressed: None,
        others: rest.iter().map(|m| (m.path.as_str(), m.span)).collect(),
    })
}

/// Appends a number to the fingerprints of equal issues, from the second on.
fn number_equals(issues: &mut [Issue<'_>]) {
    let mut seen: BTreeMap<(String, String), u32> = BTreeMap::new();
    for issue in issues {
        let key = (issue.rule.clone(), issue.fingerprint.clone());
        let count = seen.entry(key).or_default();
        *count += 1;
        if *count > 1 {
            issue.fingerprint = format!("{}-{count}", issue.fingerprint);
        }
    }
}
