//! Log events of the gate.

use std::collections::BTreeMap;

use slope_change::Comparison;
use slope_model::gate::Judgement;
use tracing::{Level, debug, enabled};

/// Target of all lines of this crate.
const TARGET: &str = "slope_gate";

/// Logs the compared sides.
pub(crate) fn compared(comparison: &Comparison) {
    debug!(
        target: TARGET,
        base = comparison.base.name,
        commit = comparison.base.commit,
        head = comparison.head.name,
        chosen = comparison.chosen,
        files = comparison.files,
        "base chosen"
    );
}

/// Logs a judgement: the number of violations of each rule.
pub(crate) fn judged(judgement: &Judgement) {
    if !enabled!(target: TARGET, Level::DEBUG) {
        return;
    }
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for violation in &judgement.violations {
        *rules.entry(violation.rule.id()).or_default() += 1;
    }
    debug!(
        target: TARGET,
        passes = judgement.passes,
        files = judgement.files,
        violations = ?rules,
        waived = judgement.waived.len(),
        "change judged"
    );
}
