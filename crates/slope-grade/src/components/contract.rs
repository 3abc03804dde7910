//! `p_contract`: input validation and error handling of existing functions that the edit weakens, widens or
//! reroutes. Each counts the more the more files depend on the function.

use std::collections::BTreeMap;

use slope_measure::{DriftKind, FileView};

use slope_model::grade::Evidence;
use slope_model::measurement::Part;

use super::judged::{Judged, Scored, place};
use crate::reward::saturated;

const SIGNAL: &str = "p_contract";
const GUARD: &str = "dropped-guard";

/// How much a drift counts in a function that nothing depends on.
fn weight(kind: DriftKind) -> (&'static str, f64) {
    match kind {
        DriftKind::Weakened => ("weakened-check", 1.0),
        DriftKind::Widened => ("widened-handler", 1.0),
        DriftKind::Rerouted => ("rerouted-error", 0.7),
        DriftKind::Dropped => ("dropped-error", 0.7),
        DriftKind::Changed => ("changed-check", 0.4),
        // A branch may go for many reasons.
        DriftKind::Unguarded => (GUARD, 0.3),
    }
}

pub(super) fn score(judged: &Judged<'_>) -> Scored {
    let all: Vec<(Option<&FileView>, &FileView)> = judged
        .product_files()
        .filter_map(|(before, after)| Some((before, after?)))
        .collect();
    let vocabulary = judged.base.code.vocabulary();
    let mut found = Vec::new();
    for pair in judged.changed_functions() {
        let own = pair.names.0.rsplit('.').next().unwrap_or(pair.names.0);
        let dependents = f64::from(vocabulary.dependents(own));
        for drift in pair.after.contract_drift(pair.before, &[pair.names], &all) {
            let (kind, weight) = weight(drift.kind);
            // How many callers rely on a guard is not known.
            let callers = match drift.kind {
                DriftKind::Unguarded => 0.0,
                _ => dependents.ln_1p() / 3.0,
            };
            found.push(Evidence {
                signal: SIGNAL.to_owned(),
                kind: kind.to_owned(),
                at: place(pair.after.path(), drift.line, drift.line),
                of: None,
                message: format!("{} {dependents} files mention `{own}`.", drift.message),
                amount: weight * (1.0 + callers),
            });
        }
    }
    without_shared_guards(&mut found);
    found.extend(new_handlers(judged));
    let amount: f64 = found.iter().map(|piece| piece.amount).sum();
    Scored {
        value: saturated(amount, judged.pack.scales.contract),
        evidence: found,
    }
}

/// Leaves out guards that several functions lose: another function has them now, in other words.
fn without_shared_guards(found: &mut Vec<Evidence>) {
    let condition = |piece: &Evidence| {
        let is_guard = piece.kind == GUARD;
        let said = piece.message.split('`').nth(3).filter(|_| is_guard);
        said.map(str::to_owned)
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for said in found.iter().filter_map(condition) {
        *counts.entry(said).or_default() += 1;
    }
    found.retain(|piece| condition(piece).is_none_or(|said| counts[&said] == 1));
}

/// Weight of a handler of any error in a new function.
const NEW_HANDLER: f64 = 0.5;

/// Handlers of any error in functions that are new.
fn new_handlers(judged: &Judged<'_>) -> Vec<Evidence> {
    let files = &judged.impact.step.files;
    let new = judged
        .impact
        .followed
        .iter()
        .filter(|followed| followed.from.is_empty());
    let mut found = Vec::new();
    for at in new.flat_map(|followed| &followed.to) {
        let view = files.get(at.file).and_then(|file| file.after.as_ref());
        let Some(view) = view.filter(|view| view.part() == Part::Product) else {
            continue;
        };
        let Some(callable) = at.callable.and_then(|at| view.callables().get(at)) else {
            continue;
        };
        for drift in view.contract_drift(view, &[("", &callable.name)], &[]) {
            found.push(Evidence {
                signal: SIGNAL.to_owned(),
                kind: "broad-handler".to_owned(),
                at: place(view.path(), drift.line, drift.line),
                of: None,
                message: drift.message,
                amount: NEW_HANDLER,
            });
        }
    }
    found
}
