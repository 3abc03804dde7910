//! `p_dup`: code that the base or the edit already has.
//!
//! Clones and near copies are lines beyond the base's own share of clones. A function that does what another
//! one does counts by its likeness and size. `p = 1 - (1 - p_clone)(1 - p_reimplementation)`.

use std::collections::BTreeMap;

use slope_measure::FileView;
use slope_model::gate::{GateRule, Violation};
use slope_model::grade::Evidence;
use slope_model::ledger::Likeness;
use slope_model::measurement::{Callable, CallableKind};

use super::judged::{Judged, Scored, evidence, number, place};
use super::units::last_part;
use super::units::names;
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
    for piece in small_copies(judged) {
        lines += piece.amount;
        found.push(piece);
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

/// Fewest statements of a function that may be a small copy, and fewest lines if it has fewer.
const MIN_STATEMENTS: u32 = 2;
const MIN_COPY_LINES: u32 = 5;

/// The functions of a file that may be small copies, with what they are apart from their names.
fn large_functions(view: &FileView) -> impl Iterator<Item = (&Callable, u64)> {
    let all = view.callables().iter().zip(view.forms().iter().copied());
    all.filter(|(one, _)| {
        let lines = one.span.end_line - one.span.start_line + 1;
        let is_large = view.statements_of(one) >= MIN_STATEMENTS || lines >= MIN_COPY_LINES;
        one.kind != CallableKind::Lambda && is_large
    })
}

/// New functions that are equal to another one of the changed files except for their names, however small.
fn small_copies(judged: &Judged<'_>) -> Vec<Evidence> {
    let had = names(judged.product_files().map(|(before, _)| before));
    let views: Vec<&FileView> = judged
        .product_files()
        .filter_map(|(_, after)| after)
        .collect();
    let mut forms: BTreeMap<u64, (&str, &Callable)> = BTreeMap::new();
    let is_new = |one: &Callable| !had.contains(one.name.as_str());
    for view in &views {
        for (one, form) in large_functions(view).filter(|(one, _)| !is_new(one)) {
            forms.entry(form).or_insert((view.path(), one));
        }
    }
    let mut found = Vec::new();
    for view in &views {
        for (one, form) in large_functions(view).filter(|(one, _)| is_new(one)) {
            // Of two new functions, the later one is the copy.
            let (path, other) = *forms.entry(form).or_insert((view.path(), one));
            if std::ptr::eq(one, other) || last_part(&one.name) == last_part(&other.name) {
                continue;
            }
            // The gate reports larger ones.
            let is_same = |known: &&Violation| {
                known.path == view.path() && known.function.as_deref() == Some(&one.name)
            };
            let mut rules = [GateRule::NewClone, GateRule::Reimplementation].into_iter();
            if rules.any(|rule| judged.of_rule(rule).any(|known| is_same(&known))) {
                continue;
            }
            let lines = one.span.end_line - one.span.start_line + 1;
            found.push(Evidence {
                signal: SIGNAL.to_owned(),
                kind: "clone".to_owned(),
                at: place(view.path(), one.span.start_line, one.span.end_line),
                of: Some(place(path, other.span.start_line, other.span.start_line)),
                message: format!("`{}` is the same code as `{}`.", one.name, other.name),
                amount: f64::from(lines),
            });
        }
    }
    found
}
