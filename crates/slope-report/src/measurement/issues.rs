//! Findings as one list, for viewers that know only of places with messages.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use slope_model::finding::{Finding, Severity, Span};
use slope_model::measurement::{CloneClass, CloneKind, Measurement};

use super::Subject;
use crate::format::clean;

/// Ids of the findings that measuring gives for members of clone classes.
const CLONE: &str = "clone";
const NEAR_CLONE: &str = "near-clone";

/// Most other places that one issue lists. Each member of a clone class lists the others, so without a limit the output
/// is quadratic in the size of the class.
pub(crate) const MAX_OTHERS: usize = 20;

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
    /// Other places of the same code: the first [`MAX_OTHERS`].
    pub(super) others: Vec<(&'a str, Span)>,
    /// How many more there are.
    pub(super) more_others: usize,
}

impl Issue<'_> {
    /// The message, with the number of places that `others` omits.
    pub(super) fn full_message(&self) -> String {
        match self.more_others {
            0 => self.message.clone(),
            more => format!("{} (and {more} more places)", self.message),
        }
    }
}

/// A viewer's own word for a severity, out of those for a hint, a warning and an error.
pub(super) fn severity_word(
    severity: Severity,
    [hint, warning, error]: [&'static str; 3],
) -> &'static str {
    match severity {
        Severity::Hint => hint,
        Severity::Warning => warning,
        Severity::Error => error,
    }
}

/// The `limit` most severe issues in their order, and how many are left out.
pub(super) fn most_severe(mut issues: Vec<Issue<'_>>, limit: usize) -> (Vec<Issue<'_>>, usize) {
    let left_out = issues.len().saturating_sub(limit);
    if left_out > 0 {
        // A stable sort keeps the first of equally severe issues.
        issues.sort_by_key(|issue| (issue.suppressed.is_some(), Reverse(issue.severity)));
        issues.truncate(limit);
        issues.sort_by(by_place);
    }
    (issues, left_out)
}

fn by_place(a: &Issue<'_>, b: &Issue<'_>) -> std::cmp::Ordering {
    (a.path, a.span, &a.rule).cmp(&(b.path, b.span, &b.rule))
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
        let others: Vec<_> = places
            .filter(|place| *place != here)
            .take(MAX_OTHERS)
            .collect();
        let all = class.map_or(0, |class| class.members.len().saturating_sub(1));
        Issue {
            rule: clean(&finding.rule),
            category: &finding.category,
            severity: finding.severity,
            path: &finding.path,
            span: finding.span,
            message: clean(&subject.message(&finding.message)),
            fingerprint: clean(&finding.fingerprint),
            suppressed,
            more_others: all.saturating_sub(others.len()),
            others,
        }
    };
    let mut all: Vec<Issue<'a>> = findings.chain(suppressed).map(issue).collect();
    all.sort_by(by_place);
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
