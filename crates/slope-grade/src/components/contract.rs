//! `p_contract`: input validation and error handling of existing functions that the edit weakens, widens or
//! reroutes. Each counts the more the more files depend on the function.

use std::borrow::Cow;
use std::collections::BTreeMap;

use slope_measure::{Drift, DriftKind, FileView};

use slope_model::grade::Evidence;
use slope_model::measurement::Part;

use super::judged::{Judged, Pair, Scored, place};
use super::{checks, patterns};
use crate::reward::saturated;

const SIGNAL: &str = "p_contract";
const GUARD: &str = "dropped-guard";
const DROPPED: &str = "dropped-error";

/// How much a drift counts in a function that nothing depends on.
fn weight(kind: DriftKind) -> (&'static str, f64) {
    match kind {
        DriftKind::Weakened => ("weakened-check", 1.0),
        DriftKind::Widened => ("widened-handler", 1.0),
        DriftKind::Rerouted => ("rerouted-error", 0.7),
        DriftKind::Dropped => (DROPPED, 0.7),
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
            if drift.kind == DriftKind::Unguarded && still_asks(judged, &pair, &drift) {
                continue;
            }
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
    let known: Vec<String> = found.iter().map(|piece| piece.at.clone()).collect();
    let added = judged
        .changed_functions()
        .flat_map(|pair| newly_dropped(&pair));
    found.extend(added.filter(|piece| !known.contains(&piece.at)));
    found.extend(new_handlers(judged));
    found.retain(|piece| {
        // Where an error was passed on before, a default drops it.
        let is_new = piece.kind == DROPPED && piece.amount <= NEW_DROPPED;
        let place = piece.at.rsplit_once(':').filter(|_| is_new);
        let place = place.and_then(|(path, line)| Some((path, line.parse().ok()?)));
        !place.is_some_and(|(path, line)| may_be_missing(judged, path, line))
    });
    found.extend(patterns::loosened(judged, SIGNAL, LOOSENED));
    found.extend(checks::beyond_edit(judged, SIGNAL));
    let amount: f64 = found.iter().map(|piece| piece.amount).sum();
    Scored {
        value: saturated(amount, judged.pack.scales.contract),
        evidence: found,
    }
}

/// Errors that an existing function drops in new places.
fn newly_dropped(pair: &Pair<'_>) -> Vec<Evidence> {
    let had = pair.before.dropped_errors(pair.names.0);
    let mut had: Vec<String> = had.into_iter().map(|one| said(&one)).collect();
    let mut now = pair.after.dropped_errors(pair.names.1);
    // The same call may have other words now.
    let more = now.len().saturating_sub(had.len());
    now.retain(
        |one| match had.iter().position(|known| *known == said(one)) {
            Some(at) => {
                had.remove(at);
                false
            }
            None => true,
        },
    );
    let now = now.into_iter().take(more);
    now.map(|one| piece(pair.after, one, DROPPED, NEW_DROPPED))
        .collect()
}

/// What a message quotes last: a function may have another name.
fn said(drift: &Drift) -> String {
    drift
        .message
        .rsplit('`')
        .nth(1)
        .unwrap_or_default()
        .to_owned()
}

fn piece(view: &FileView, drift: Drift, kind: &str, amount: f64) -> Evidence {
    Evidence {
        signal: SIGNAL.to_owned(),
        kind: kind.to_owned(),
        at: place(view.path(), drift.line, drift.line),
        of: None,
        message: drift.message,
        amount,
    }
}

/// Whether the function still has the condition of a guard, in another statement.
fn still_asks(judged: &Judged<'_>, pair: &Pair<'_>, drift: &Drift) -> bool {
    let plain = |text: &str| -> String { text.split_whitespace().collect() };
    let condition = plain(&said(drift));
    let condition = condition.strip_prefix('(').unwrap_or(&condition);
    let condition = condition.strip_suffix(')').unwrap_or(condition);
    let callables = pair.after.callables().iter();
    let mut own = callables.filter(|one| one.name == pair.names.1);
    let text = rows(judged, pair.after.path());
    own.any(|one| {
        let first = one.span.start_line.saturating_sub(1) as usize;
        let rows = text.lines().take(one.span.end_line as usize).skip(first);
        plain(&rows.collect::<String>()).contains(condition)
    })
}

/// The text of a file after the edit.
fn rows<'a>(judged: &Judged<'a>, path: &str) -> Cow<'a, str> {
    let after = judged
        .edit
        .files
        .get(path)
        .and_then(|(_, after)| after.as_deref());
    String::from_utf8_lossy(after.unwrap_or_default())
}

/// Whether a line takes a default that may be for a missing value, and not for an error.
fn may_be_missing(judged: &Judged<'_>, path: &str, line: u32) -> bool {
    let text = rows(judged, path);
    let row = text
        .lines()
        .nth(line.saturating_sub(1) as usize)
        .unwrap_or_default();
    row.contains(".unwrap_or_default()") && !row.contains("parse")
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

/// Weight of a pattern that no longer refuses anything.
const LOOSENED: f64 = 1.5;

/// Weight of a handler of any error in a new function.
const NEW_HANDLER: f64 = 0.5;

/// Weight of an error that a new function drops although it can fail.
const NEW_DROPPED: f64 = 0.5;

/// Handlers of any error, and dropped errors, in functions that are new.
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
        let handlers = view.contract_drift(view, &[("", &callable.name)], &[]);
        let handlers = handlers
            .into_iter()
            .map(|one| (one, "broad-handler", NEW_HANDLER));
        let dropped = view.dropped_errors(&callable.name);
        let dropped = dropped.into_iter().map(|one| (one, DROPPED, NEW_DROPPED));
        let both = handlers.chain(dropped);
        found.extend(both.map(|(drift, kind, amount)| piece(view, drift, kind, amount)));
    }
    found
}
