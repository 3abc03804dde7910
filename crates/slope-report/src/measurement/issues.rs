//! Findings as one list, for viewers that know only of places with messages.

use std::collections::BTreeMap;

use slope_model::finding::{Finding, Severity, Span};
use slope_model::measurement::{CloneClass, CloneKind, Measurement};

use super::Subject;
use crate::format::clean;

/// Ids of the findings that measuring gives for members of clone classes.
const CLONE: &str = "clone";
const NEAR_CLONE: &str = "near-clone";

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

/// Every finding by path, position and rule, silenced ones too; those of clones know the
/// other places of their class.
pub(super) fn issues<'a>(subject: &Subject<'a>) -> Vec<Issue<'a>> {
    let measurement = subject.measurement;
    let classes = classes_by_place(measurement);
    let findings = measurement.findings.iter().map(|f| (f, None));
    let suppressed = measurement.suppressed.iter();
    let suppressed = suppressed.map(|s| (&s.finding, Some(s.reason.as_str())));
    let issue = |(finding, suppressed): (&'a Finding, Option<&'a str>)| {
        let here = (finding.path.as_str(), finding.span);
        let class = classes.get(&(finding.rule.as_str(), here));
        let members = class.iter().flat_map(|class| &class.members);
        let places = members.map(|m| (m.path.as_str(), m.span));
        Issue {
            rule: clean(&finding.rule),
            category: &finding.category,
            severity: finding.severity,
            path: &finding.path,
            span: finding.span,
            message: clean(&subject.message(&finding.message)),
            fingerprint: clean(&finding.fingerprint),
            suppressed,
            others: places.filter(|place| *place != here).collect(),
        }
    };
    let mut all: Vec<Issue<'a>> = findings.chain(suppressed).map(issue).collect();
    all.sort_by(|a, b| (a.path, a.span, &a.rule).cmp(&(b.path, b.span, &b.rule)));
    number_equals(&mut all);
    all
}

/// A path and where in it.
type Spot<'a> = (&'a str, Span);

/// Clone classes by the ids of their findings and the places of their members.
fn classes_by_place(measurement: &Measurement) -> BTreeMap<(&str, Spot<'_>), &CloneClass> {
    let mut classes = BTreeMap::new();
    for class in &measurement.clones {
        let id = match class.kind {
            CloneKind::Exact | CloneKind::Renamed => CLONE,
            CloneKind::NearMiss => NEAR_CLONE,
        };
        for member in &class.members {
            let spot = (member.path.as_str(), member.span);
            classes.entry((id, spot)).or_insert(class);
        }
    }
    classes
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
