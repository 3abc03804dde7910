//! What functions promise their callers: which inputs they refuse, and which errors they take on themselves.
//!
//! [`note`] keeps both of each function of a file. [`contract_drift`] compares a function before and after a
//! change: refusals that went, errors that are others now, handlers that take more than before.

use std::collections::BTreeMap;

mod errors;
mod handlers;
mod refusals;

use crate::facts::{CheckCost, FileSignals, Promise, PromiseKind as Kind};

pub(crate) use refusals::note;

/// Longest part of a condition that a message quotes, in characters.
const MAX_SHOWN: usize = 100;

/// Kinds of drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DriftKind {
    /// An input that was refused is accepted.
    Weakened,
    /// An input is refused by another condition.
    Changed,
    /// An input is refused with another error.
    Rerouted,
    /// A handler takes any error, where it took some, or none was there.
    Widened,
    /// An error that was passed on is dropped, or ends the program.
    Dropped,
    /// An input for which the function returned at once is handled as any other.
    Unguarded,
}

/// A change of what an existing function promises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// Kind.
    pub kind: DriftKind,
    /// Dotted name of the function after the change.
    pub callable: String,
    /// Line after the change, from 1.
    pub line: u32,
    /// What changed, in one sentence.
    pub message: String,
}

/// What a change does to the promises of functions. `pairs` are the dotted names of each function before and
/// after; `elsewhere` are all files of the change before and after it, where promises may have moved.
#[must_use]
pub fn contract_drift(
    before: &FileSignals,
    after: &FileSignals,
    pairs: &[(&str, &str)],
    elsewhere: &[(Option<&FileSignals>, &FileSignals)],
) -> Vec<Drift> {
    let moved = gained(elsewhere);
    let mut found = Vec::new();
    for &(old, new) in pairs {
        let old = of_callable(before, old);
        let now = of_callable(after, new);
        refused(&old, &now, new, &moved, &mut found);
        unguarded(&old, &now, new, &moved, &mut found);
        dropped(&old, &now, new, &mut found);
        widened(&old, &now, [Kind::Handler, Kind::BroadHandler], &mut found);
        widened(
            &old,
            &now,
            [Kind::Translator, Kind::BroadTranslator],
            &mut found,
        );
    }
    found
}

/// Conditions of refusals and guards that files have more often after a change.
fn gained(files: &[(Option<&FileSignals>, &FileSignals)]) -> BTreeMap<u32, ()> {
    let mut counts: BTreeMap<u32, i64> = BTreeMap::new();
    for &(before, after) in files {
        for (facts, sign) in [(before, -1), (Some(after), 1)] {
            let promises = facts.into_iter().flat_map(|facts| &facts.promises);
            for promise in promises.filter(|one| matches!(one.kind, Kind::Refusal | Kind::Guard)) {
                *counts.entry(promise.condition).or_default() += sign;
            }
        }
    }
    let gained = counts.into_iter().filter(|(_, count)| *count > 0);
    gained.map(|(condition, _)| (condition, ())).collect()
}

/// Guards that are gone, and not replaced by others or by refusals.
fn unguarded(
    old: &[&Promise],
    now: &[&Promise],
    name: &str,
    moved: &BTreeMap<u32, ()>,
    found: &mut Vec<Drift>,
) {
    let gained: Vec<&Promise> = [Kind::Guard, Kind::Refusal]
        .into_iter()
        .flat_map(|kind| without(now, old, kind))
        .collect();
    let narrows = |one: &&&Promise| {
        let mut others = gained.iter();
        others.any(|other| is_narrower(&other.shown, &one.shown))
    };
    let lost = without(old, now, Kind::Guard);
    let lost = lost
        .iter()
        .filter(|guard| !moved.contains_key(&guard.condition));
    let (narrower, other): (Vec<&&Promise>, Vec<&&Promise>) = lost.partition(narrows);
    let replaced = gained.len() - narrower.len().min(gained.len());
    for guard in narrower.into_iter().chain(other.into_iter().skip(replaced)) {
        found.push(Drift {
            kind: DriftKind::Unguarded,
            callable: name.to_owned(),
            line: guard.line,
            message: format!("`{name}` no longer returns at once if `{}`.", guard.shown),
        });
    }
}

/// Errors that were passed on and are dropped.
fn dropped(old: &[&Promise], now: &[&Promise], name: &str, found: &mut Vec<Drift>) {
    let lost = without(old, now, Kind::Passed);
    for other in without(now, old, Kind::Dropped) {
        if lost
            .iter()
            .any(|passed| passed.condition == other.condition)
        {
            found.push(Drift {
                kind: DriftKind::Dropped,
                callable: name.to_owned(),
                line: other.line,
                message: format!(
                    "`{name}` no longer passes the error of `{}` on.",
                    other.shown
                ),
            });
        }
    }
}

fn of_callable<'f>(facts: &'f FileSignals, name: &str) -> Vec<&'f Promise> {
    let promises = facts.promises.iter();
    promises
        .filter(|promise| promise.callable == name)
        .collect()
}

/// Promises of one side that the other does not have, each as often as it is missing.
fn without<'p>(all: &[&'p Promise], other: &[&'p Promise], kind: Kind) -> Vec<&'p Promise> {
    let key = |promise: &Promise| (promise.condition, promise.error.clone());
    let of_kind = |promise: &&&'p Promise| promise.kind == kind;
    let mut counts: BTreeMap<(u32, String), usize> = BTreeMap::new();
    for promise in other.iter().filter(of_kind) {
        *counts.entry(key(promise)).or_default() += 1;
    }
    let is_left = |promise: &&Promise| match counts.get_mut(&key(promise)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    let mut is_left = is_left;
    let own = all.iter().filter(of_kind).copied();
    own.filter(|promise| is_left(promise)).collect()
}

fn refused(
    old: &[&Promise],
    now: &[&Promise],
    name: &str,
    moved: &BTreeMap<u32, ()>,
    found: &mut Vec<Drift>,
) {
    let mut gained = without(now, old, Kind::Refusal);
    for lost in without(old, now, Kind::Refusal) {
        let mut take = |is_it: &dyn Fn(&Promise) -> bool| {
            let at = gained.iter().position(|promise| is_it(promise))?;
            Some(gained.remove(at))
        };
        let drift = if let Some(other) = take(&|promise| promise.condition == lost.condition) {
            let message = format!(
                "`{}` now fails with {} where it failed with {}.",
                lost.shown, other.error, lost.error
            );
            (DriftKind::Rerouted, other.line, message)
        } else if let Some(other) = take(&|promise| is_narrower(&promise.shown, &lost.shown)) {
            let message = format!("`{}` is refused where `{}` was.", other.shown, lost.shown);
            (DriftKind::Weakened, other.line, message)
        } else if let Some(other) = take(&|promise| promise.error == lost.error) {
            let message = format!("`{}` is refused where `{}` was.", other.shown, lost.shown);
            (DriftKind::Changed, other.line, message)
        } else if moved.contains_key(&lost.condition) {
            continue;
        } else {
            let message = format!("`{name}` no longer refuses `{}`.", lost.shown);
            (DriftKind::Weakened, lost.line, message)
        };
        let (kind, line, message) = drift;
        found.push(Drift {
            kind,
            callable: name.to_owned(),
            line,
            message,
        });
    }
}

/// Whether a condition holds in fewer cases than another one: it has a further part, or one part less.
fn is_narrower(condition: &str, than: &str) -> bool {
    let plain = |text: &str| -> String {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.replace(" and ", " && ").replace(" or ", " || ");
        text.chars().filter(|c| !matches!(c, '(' | ')')).collect()
    };
    // Longer texts are cut off.
    if condition.chars().count() >= MAX_SHOWN || than.chars().count() >= MAX_SHOWN {
        return false;
    }
    let (condition, than) = (plain(condition), plain(than));
    let has_part = |whole: &str, part: &str, operator: &str| {
        let mut other = whole
            .strip_prefix(part)
            .map(|rest| rest.starts_with(operator));
        other = other.or_else(|| {
            whole
                .strip_suffix(part)
                .map(|rest| rest.ends_with(operator))
        });
        other == Some(true)
    };
    let mixes = |text: &str| text.contains("&&") && text.contains("||");
    !mixes(&condition)
        && !mixes(&than)
        && (has_part(&condition, &than, " && ") || has_part(&than, &condition, " || "))
}

/// Handlers of any error that are new. One that raises an error takes nothing on itself: it counts only in the place of
/// a narrower one.
fn widened(old: &[&Promise], now: &[&Promise], kinds: [Kind; 2], found: &mut Vec<Drift>) {
    let [narrow, broad] = kinds;
    let mut narrower = without(old, now, narrow);
    for handler in without(now, old, broad) {
        let message = match narrower.pop() {
            Some(other) => format!(
                "`{}` takes any error where `{}` took some.",
                handler.error, other.error
            ),
            None if broad == Kind::BroadTranslator => continue,
            None => format!(
                "`{}` takes any error and does not pass it on.",
                handler.error
            ),
        };
        found.push(Drift {
            kind: DriftKind::Widened,
            callable: handler.callable.clone(),
            line: handler.line,
            message,
        });
    }
}

/// Errors that a function drops although it can fail itself.
#[must_use]
pub fn dropped_errors(facts: &FileSignals, callable: &str) -> Vec<Drift> {
    let dropped = of_callable(facts, callable).into_iter();
    let dropped = dropped.filter(|one| one.kind == Kind::Dropped && one.error == errors::CAN_FAIL);
    dropped
        .map(|one| Drift {
            kind: DriftKind::Dropped,
            callable: callable.to_owned(),
            line: one.line,
            message: format!(
                "`{callable}` can fail, and drops the error of `{}`.",
                one.shown
            ),
        })
        .collect()
}

/// Number of inputs that the functions of a file refuse, and of guards that return at once with a constant.
#[must_use]
pub fn check_count(facts: &FileSignals) -> usize {
    let promises = facts.promises.iter();
    promises
        .filter(|one| {
            one.kind == Kind::Refusal || one.kind == Kind::Guard && one.cost.decisions > 0
        })
        .count()
}

/// What checks of inputs add to the complexity of each function that has some.
#[must_use]
pub fn check_costs(facts: &FileSignals) -> BTreeMap<&str, CheckCost> {
    let mut costs: BTreeMap<&str, CheckCost> = BTreeMap::new();
    for promise in &facts.promises {
        if promise.cost != CheckCost::default() {
            let cost = costs.entry(&promise.callable).or_default();
            cost.decisions += promise.cost.decisions;
            cost.cognitive += promise.cost.cognitive;
        }
    }
    costs
}
