//! New dead code, reimplementations and findings in changed code.

use std::collections::{BTreeMap, HashMap};

use slope_change::ledger::{Followed, UnitAt};
use slope_measure::FileView;
use slope_model::finding::{DEAD_CODE, Finding};
use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::measurement::Part;

use super::compared::{Compared, fingerprint};

/// Category of findings about comments, which are not part of the code that is compared.
const COMMENTS: &str = "comment-noise";
/// Category of findings about tests themselves. They count in tests, unlike other findings.
const ABOUT_TESTS: &str = "tests";
/// Signal for functions that do what another function does.
pub(crate) const REIMPLEMENTATION: &str = "reimplementation";
/// Signal for unreachable statements, and the rule that finds some of them.
const UNREACHABLE: &str = "unreachable-code";
const UNREACHABLE_BY_RULE: &str = "unreachable-statement";
/// Findings that other rules of the gate report, or that changes do not cause.
const ELSEWHERE: &[&str] = &[
    "clone",
    "near-clone",
    "high-complexity",
    "syntax-error",
    "stale-suppression",
];

/// Rule of the gate for a finding, if any.
pub(crate) fn rule_of(finding: &Finding) -> Option<GateRule> {
    match finding {
        f if ELSEWHERE.contains(&f.rule.as_str()) => None,
        f if f.category == DEAD_CODE => Some(GateRule::DeadCode),
        f if f.rule == REIMPLEMENTATION => Some(GateRule::Reimplementation),
        _ => Some(GateRule::NewFinding),
    }
}

/// Findings of one side, by file and index of the innermost callable; `None` outside of callables.
struct Findings {
    of: HashMap<(usize, Option<usize>), Vec<Finding>>,
}

impl Findings {
    fn new<'v>(
        compared: &Compared<'_>,
        views: impl Iterator<Item = (usize, &'v FileView)>,
    ) -> Self {
        let mut of: HashMap<_, Vec<Finding>> = HashMap::new();
        for (file, view) in views {
            for finding in view.findings(compared.measurer) {
                if rule_of(&finding).is_none() {
                    continue;
                }
                let callables = view.callables().iter().enumerate();
                // Inner callables come later.
                let mut inside = callables.filter(|(_, c)| {
                    c.span.start_line <= finding.span.start_line
                        && finding.span.start_line <= c.span.end_line
                });
                let unit = inside.next_back().map(|(index, _)| index);
                of.entry((file, unit)).or_default().push(finding);
            }
        }
        Self { of }
    }

    fn at(&self, units: &[UnitAt]) -> Vec<&Finding> {
        let units = units.iter().map(|at| (at.file, at.callable));
        units
            .filter_map(|key| self.of.get(&key))
            .flatten()
            .collect()
    }
}

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let first = found.len();
    find_all(compared, found);
    let of = |v: &Violation, rule: &str| v.evidence.findings.iter().any(|f| f.rule == rule);
    let place = |v: &Violation| (v.path.clone(), v.line);
    let reported = found[first..].iter().filter(|v| of(v, UNREACHABLE));
    let reported: HashMap<(String, u32), Level> = reported.map(|v| (place(v), v.level)).collect();
    // A rule does not repeat a finding of a signal, unless the rule is more severe.
    found.retain(|v| {
        let other = reported
            .get(&place(v))
            .filter(|_| of(v, UNREACHABLE_BY_RULE));
        other.is_none_or(|level| *level != Level::Error && v.level == Level::Error)
    });
}

fn find_all(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let files = || compared.impact.step.files.iter().enumerate();
    let before = files().filter_map(|(index, file)| Some((index, file.before.as_ref()?)));
    let after = files().filter_map(|(index, file)| Some((index, file.after.as_ref()?)));
    let before = Findings::new(compared, before);
    let after = Findings::new(compared, after);
    for followed in &compared.impact.followed {
        for finding in new(&before, &after, followed) {
            // In code that is the same, only its uses and its comments can be new.
            let may_be_new = [DEAD_CODE, COMMENTS].contains(&finding.category.as_str());
            if !followed.is_same || may_be_new {
                found.extend(judge(compared, followed, finding));
            }
        }
    }
}

/// Findings in units after the change that the units before do not have. Findings are equal by
/// fingerprint, or else by rule, because a fingerprint depends on the function's name.
fn new<'f>(before: &Findings, after: &'f Findings, followed: &Followed) -> Vec<&'f Finding> {
    let now = after.at(&followed.to);
    if now.is_empty() {
        return now;
    }
    let had = before.at(&followed.from);
    let mut prints: HashMap<&str, usize> = HashMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in had {
        *prints.entry(&finding.fingerprint).or_default() += 1;
        *counts.entry(&finding.rule).or_default() += 1;
    }
    let mut rest = Vec::new();
    for finding in now {
        match prints.get_mut(finding.fingerprint.as_str()) {
            Some(left) if *left > 0 => {
                *left -= 1;
                if let Some(count) = counts.get_mut(finding.rule.as_str()) {
                    *count -= 1;
                }
            }
            _ => rest.push(finding),
        }
    }
    rest.retain(|finding| match counts.get_mut(finding.rule.as_str()) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    rest
}

/// Whether uses may be hidden because the file does not parse. C and C++ files seldom parse without their headers, so
/// their errors mean little.
fn is_misread(view: &FileView) -> bool {
    let is_lenient = view.language().is_lenient();
    !view.refusals().is_empty() || view.syntax_errors().is_some() && !is_lenient
}

fn advice(rule: GateRule, finding: &Finding) -> String {
    match rule {
        GateRule::DeadCode if finding.rule == UNREACHABLE => {
            "Remove it, or the jump before it.".to_owned()
        }
        GateRule::DeadCode => "Remove it, or use it in this change.".to_owned(),
        GateRule::Reimplementation => "Call the function that is there.".to_owned(),
        _ => format!(
            "`slope explain {}` says what to write instead.",
            finding.rule
        ),
    }
}

fn judge(compared: &Compared<'_>, followed: &Followed, finding: &Finding) -> Option<Violation> {
    let at = followed.to.iter().find(|at| {
        let after = compared.after(**at);
        after.is_some_and(|(view, callable)| {
            view.path() == finding.path
                && callable.is_none_or(|c| {
                    (c.span.start_line..=c.span.end_line).contains(&finding.span.start_line)
                })
        })
    })?;
    let (view, callable) = compared.after(*at)?;
    let rule = rule_of(finding)?;
    if rule == GateRule::DeadCode && is_misread(view) {
        return None;
    }
    let part = view.part_at(finding.span.start_line.saturating_sub(1));
    let part_of_rule = if finding.category == ABOUT_TESTS {
        Part::Product
    } else {
        part
    };
    let (limits, level) = compared.level(part_of_rule, rule)?;
    if rule == GateRule::NewFinding && finding.severity < limits.severity {
        return None;
    }
    let function = callable.map(|c| c.name.clone());
    let message = format!("{}.", finding.message.trim_end().trim_end_matches('.'));
    Some(Violation {
        rule,
        level,
        part,
        path: finding.path.clone(),
        line: finding.span.start_line,
        end_line: finding.span.end_line,
        before: None,
        after: 1.0,
        limit: None,
        fingerprint: fingerprint(&[
            rule.id(),
            &finding.path,
            function.as_deref().unwrap_or(""),
            &finding.rule,
            &finding.fingerprint,
        ]),
        function,
        message,
        advice: advice(rule, finding),
        evidence: Evidence {
            findings: vec![finding.clone()],
            ..Evidence::default()
        },
    })
}
