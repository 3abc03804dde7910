//! `p_dead`: code that nothing uses or reaches, and code that the edit leaves without use.

use slope_model::finding::Finding;
use slope_model::gate::{GateRule, Violation};

use super::judged::{Judged, Scored, evidence, number};
use crate::reward::saturated;

const SIGNAL: &str = "p_dead";

/// Confidence in findings, by rule: the share that is right, or the share of the harm of dead code.
const CONFIDENCE: &[(&str, f64)] = &[
    ("unused-parameter", 0.3),
    ("constant-parameter", 0.3),
    ("unused-local", 0.9),
    ("unused-private-function", 0.9),
    ("unused-private-class", 0.9),
    ("commented-out-code", 0.7),
    ("swallowed-exception", 0.5),
    ("catch-all-ignored", 0.5),
    ("vacuous-test", 0.5),
    ("assertion-cannot-fail", 0.5),
];

/// Findings that are no dead code by their category, and count as such here.
const ALSO: &[&str] = &["commented-out-code", "swallowed-exception"];

pub(super) fn score(judged: &Judged<'_>) -> Scored {
    let dead = judged.of_rule(GateRule::DeadCode);
    let dead = dead.filter_map(|violation| Some((violation, violation.evidence.findings.first()?)));
    let also = judged
        .findings()
        .filter(|(_, finding)| ALSO.contains(&finding.rule.as_str()));
    let mut found = Vec::new();
    let mut lines = 0.0;
    for (violation, finding) in dead.chain(also) {
        let amount = amount(violation, finding);
        lines += amount;
        found.push(evidence(SIGNAL, violation, &finding.rule, amount));
    }
    Scored {
        value: saturated(lines, judged.pack.scales.dead_lines),
        evidence: found,
    }
}

/// Lines times confidence.
fn amount(violation: &Violation, finding: &Finding) -> f64 {
    let known = CONFIDENCE.iter().find(|(rule, _)| *rule == finding.rule);
    let confidence = known.map_or(1.0, |(_, confidence)| *confidence);
    let lines = i64::from(violation.end_line) - i64::from(violation.line) + 1;
    confidence * number(lines.max(1))
}
