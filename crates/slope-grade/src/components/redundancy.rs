//! `p_dup`: code that the base or the edit already has.
//!
//! Clones and near copies are lines beyond the base's own share of clones. A function that does what another
//! one does counts by its likeness and size. `p = 1 - (1 - p_clone)(1 - p_reimplementation)`.

use slope_model::gate::{GateRule, Violation};
use slope_model::ledger::Likeness;

use super::judged::{Judged, Scored, evidence, number};
use crate::reward::saturated;

const SIGNAL: &str = "p_dup";

/// Weight of a line of a near copy.
const NEAR: f64 = 0.7;
/// Weight of a line that is alike only after renaming what it calls: it may do something else.
const FORM: f64 = 0.3;
/// The same for other literals, or other values of a table.
const LITERALS: f64 = 0.6;

pub(super) fn score(judged: &Judged<'_>) -> Scored {
    let scales = &judged.pack.scales;
    let mut found = Vec::new();
    let mut lines = 0.0;
    for violation in judged.of_rule(GateRule::NewClone) {
        let copied = copied_lines(violation);
        lines += copied;
        found.push(evidence(SIGNAL, violation, "clone", copied));
    }
    let usual = judged.per_line(judged.base.code.product().clone_lines) * judged.added_lines();
    let clones = saturated(lines - usual, scales.clone_lines);
    let mut own = 1.0;
    for violation in judged.of_rule(GateRule::Reimplementation) {
        let size = saturated(length(violation), scales.reimplemented_lines);
        let likeness = violation.after.clamp(0.0, 1.0);
        own *= 1.0 - likeness * size;
        found.push(evidence(
            SIGNAL,
            violation,
            "reimplementation",
            likeness * length(violation),
        ));
    }
    Scored {
        value: 1.0 - (1.0 - clones) * own,
        evidence: found,
    }
}

/// Lines of a violation that are copies.
fn copied_lines(violation: &Violation) -> f64 {
    match violation.before {
        // Clone lines of an entry of the ledger.
        Some(before) => weight(violation) * (violation.after - before).max(0.0),
        // A near copy, or a table of constants.
        None if violation.function.is_some() => NEAR * violation.after.min(1.0) * length(violation),
        None => length(violation),
    }
}

/// Weight of clone lines by their likeness.
fn weight(violation: &Violation) -> f64 {
    let entry = violation.evidence.entry.as_ref();
    let other = entry.and_then(|entry| entry.copied.as_ref().or(entry.twin.as_ref()));
    match other.map(|other| other.likeness) {
        Some(Likeness::Form) => FORM,
        Some(Likeness::Literals | Likeness::Table) => LITERALS,
        Some(Likeness::Same) | None => 1.0,
    }
}

fn length(violation: &Violation) -> f64 {
    number(i64::from(violation.end_line) - i64::from(violation.line) + 1)
}
