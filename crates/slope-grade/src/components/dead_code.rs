//! `p_dead`: code that nothing uses or reaches, and code that the edit leaves without use.

use slope_model::finding::Finding;
use slope_model::gate::{GateRule, Violation};

use std::sync::LazyLock;

use regex::Regex;
use slope_measure::NewParameter;
use slope_model::grade::Evidence;

use super::comments;
use super::judged::{Judged, Scored, evidence, number, place};
use super::{unmentioned, unused};
use crate::reward::saturated;

const SIGNAL: &str = "p_dead";

const UNUSED_PARAMETER: &str = "unused-parameter";
const IN_COMMENTS: &str = "commented-out-code";
/// Lines that a parameter counts that an edit adds and does not use.
const NEW_PARAMETER: f64 = 0.6;

/// Lines that an import counts of which only the edit tells that it is unused.
const UNUSED_IMPORT: f64 = 0.7;

/// Lines that a new function counts that nothing mentions: it may be for users of a library.
const UNMENTIONED: f64 = 0.05;

/// Lines that a new module counts that no other one declares.
const UNUSED_MODULE: f64 = 1.0;

/// Lines that a discarded name counts.
const DISCARDED: f64 = 0.9;

/// Confidence in findings, by rule: the share that is right, or the share of the harm of dead code.
const CONFIDENCE: &[(&str, f64)] = &[
    (UNUSED_PARAMETER, 0.3),
    ("constant-parameter", 0.3),
    ("unused-local", 0.9),
    ("unused-private-function", 0.9),
    ("unused-private-class", 0.9),
    (IN_COMMENTS, 0.7),
    ("swallowed-exception", 0.5),
    ("catch-all-ignored", 0.5),
    ("vacuous-test", 0.5),
    ("assertion-cannot-fail", 0.5),
];

/// Findings that are no dead code by their category, and count as such here.
const ALSO: &[&str] = &[IN_COMMENTS, "swallowed-exception"];

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
    for mut piece in comments::with_old_code(judged, SIGNAL, IN_COMMENTS) {
        let is_known =
            |known: &Evidence| known.kind == IN_COMMENTS && overlaps(&known.at, &piece.at);
        if !found.iter().any(is_known) {
            piece.amount *= confidence(IN_COMMENTS);
            lines += piece.amount;
            found.push(piece);
        }
    }
    let unused = unused_additions(judged).into_iter();
    let unused = unused.chain(unused::imports(judged, SIGNAL, UNUSED_IMPORT));
    let unused = unused.chain(unmentioned::functions(judged, SIGNAL, UNMENTIONED));
    let files = unmentioned::files(judged, SIGNAL, UNUSED_MODULE, UNMENTIONED);
    let unused = unused.chain(files);
    for piece in unused.chain(discards(judged)) {
        // The gate may report it too.
        let overlap = |known: &Evidence| {
            known.at == piece.at
                || piece.kind == unmentioned::KIND && overlaps(&known.at, &piece.at)
        };
        if !found.iter().any(overlap) {
            lines += piece.amount;
            found.push(piece);
        }
    }
    Scored {
        value: saturated(lines, judged.pack.scales.dead_lines),
        evidence: found,
    }
}

/// Parameters that existing functions get and do not use. If a function of the same name uses it, an interface may ask
/// for it.
fn unused_additions(judged: &Judged<'_>) -> Vec<Evidence> {
    let pairs = judged.changed_functions();
    let all: Vec<(&str, NewParameter)> = pairs
        .flat_map(|pair| {
            let added = pair.after.new_parameters(pair.before, &[pair.names]);
            let path = pair.after.path();
            added.into_iter().map(move |parameter| (path, parameter))
        })
        .collect();
    let is_needed = |one: &NewParameter| {
        let mut others = all.iter().filter(|(_, other)| other.is_used);
        others.any(|(_, other)| other.function == one.function && other.name == one.name)
    };
    let unused = all
        .iter()
        .filter(|(_, one)| !one.is_used && !is_needed(one));
    unused
        .map(|(path, one)| Evidence {
            signal: SIGNAL.to_owned(),
            kind: UNUSED_PARAMETER.to_owned(),
            at: place(path, one.line, one.line),
            of: None,
            message: format!(
                "`{}` gets the parameter `{}` and does not use it.",
                one.function, one.name
            ),
            amount: NEW_PARAMETER,
        })
        .collect()
}

/// Names that are only discarded, as `_ = x`: a use that does nothing. Outside of functions `_` is a common name for
/// translations. A list of values that is discarded uses none of them.
static DISCARD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s+(let\s+)?_\s*=\s*&?[A-Za-z_]\w*\s*;?\s*$|^\s*((let|const|var)\s+)?_\s*=\s*[(\[{].*,|^\s*;?void\s*[(\[].*,|^\s*\(void\)\s*&?\w+\s*;")
        .unwrap_or_else(|error| panic!("{error}"))
});

/// Whether a line only discards values.
pub(super) fn discards_values(line: &str) -> bool {
    DISCARD.is_match(line)
}

/// Lines that an edit adds to discard a name.
fn discards(judged: &Judged<'_>) -> Vec<Evidence> {
    let mut found = Vec::new();
    for after in judged.product_files().filter_map(|(_, after)| after) {
        let path = after.path();
        let lines = judged.lines.gained(path).iter();
        let discards = lines.filter(|(_, line)| DISCARD.is_match(line));
        found.extend(discards.map(|(number, line)| Evidence {
            signal: SIGNAL.to_owned(),
            kind: "discarded-value".to_owned(),
            at: place(path, *number, *number),
            of: None,
            message: format!("`{}` uses nothing: it discards a name.", line.trim()),
            amount: DISCARDED,
        }));
    }
    found
}

/// Lines times confidence.
fn amount(violation: &Violation, finding: &Finding) -> f64 {
    let lines = i64::from(violation.end_line) - i64::from(violation.line) + 1;
    confidence(&finding.rule) * number(lines.max(1))
}

fn confidence(rule: &str) -> f64 {
    let known = CONFIDENCE.iter().find(|(known, _)| *known == rule);
    known.map_or(1.0, |(_, confidence)| *confidence)
}

/// Whether two places, each `path:line` or `path:first-last`, share a line.
fn overlaps(one: &str, other: &str) -> bool {
    let parts = |at: &str| -> Option<(String, u32, u32)> {
        let (path, lines) = at.rsplit_once(':')?;
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        Some((path.to_owned(), first.parse().ok()?, last.parse().ok()?))
    };
    let (Some(one), Some(other)) = (parts(one), parts(other)) else {
        return false;
    };
    one.0 == other.0 && one.1 <= other.2 && other.1 <= one.2
}
