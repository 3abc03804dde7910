//! What functions promise their callers: which inputs they refuse, and which errors they take on themselves.
//!
//! [`note`] keeps both of each function of a file. [`contract_drift`] compares a function before and after a
//! change: refusals that went, errors that are others now, handlers that take more than before.

use std::collections::BTreeMap;

use slope_syntax::Construct;
use slope_syntax::view::View;

mod errors;

use crate::facts::{FileSignals, Promise, PromiseKind as Kind};
use crate::gather::{Gatherer, symbol_hash};
use crate::words::identifiers;

/// Longest part of a condition that a message quotes, in characters.
const MAX_SHOWN: usize = 60;

/// Most promises that are kept of a file.
const MAX_PROMISES: usize = 2_000;

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

/// Keeps the promises of a file.
pub(crate) fn note(gatherer: &Gatherer<'_>, facts: &mut FileSignals) {
    let view = &gatherer.view;
    let mut found = Vec::new();
    for node in refusals(view) {
        found.extend(refusal(view, node));
    }
    for &node in view.of_kind(Construct::Catch) {
        found.extend(handler(view, node));
    }
    let known: Vec<u32> = found.iter().map(|promise| promise.line).collect();
    for &node in view.of_kind(Construct::If) {
        found.extend(guard(view, node).filter(|guard| {
            // A refusal is in its second line at most.
            !known.contains(&guard.line) && !known.contains(&(guard.line + 1))
        }));
    }
    errors::note(view, &mut found);
    found.truncate(MAX_PROMISES);
    found.sort_by(|a, b| (&a.callable, a.line).cmp(&(&b.callable, b.line)));
    facts.promises = found;
}

/// Nodes that raise an error or return one.
fn refusals(view: &View<'_>) -> Vec<u32> {
    let mut found: Vec<u32> = view.of_kind(Construct::Raise).to_vec();
    found.extend(view.of_kind(Construct::Assert));
    if let Some(passes) = view
        .conventions
        .habits
        .and_then(|habits| habits.passes_error)
    {
        let returns = view.of_kind(Construct::Return).iter();
        found.extend(returns.filter(|&&node| passes(view.text(node))));
    }
    let calls = view.of_kind(Construct::Call).iter();
    found.extend(calls.filter(|&&call| view.text(call + 1) == "Err"));
    let macros = view.of_kind(Construct::Macro).iter();
    found.extend(macros.filter(|&&node| {
        let name = view.text(node).split('!').next().unwrap_or_default();
        matches!(name, "bail" | "panic" | "ensure" | "anyhow" | "assert")
    }));
    found
}

fn refusal(view: &View<'_>, node: u32) -> Option<Promise> {
    let callable = view.callable(node);
    if callable.is_empty() || (view.conventions.tests.hold)(view, node) {
        return None;
    }
    // An assertion has its condition in itself.
    let is_own = view.k(node) == Construct::Assert || is_assertion(view, node);
    let condition = if is_own {
        view.text(node)
    } else {
        condition(view, node)?
    };
    Some(Promise {
        kind: Kind::Refusal,
        callable: callable.to_owned(),
        line: view.tree.node(node).start_row + 1,
        error: error_of(view, node),
        condition: hash(condition),
        shown: shown(condition),
    })
}

/// A condition under which a function may return at once: `if` in its block, without an alternative.
fn guard(view: &View<'_>, node: u32) -> Option<Promise> {
    let function = view.function(node)?;
    let block = view.last_child(function, Construct::Block)?;
    let parent = view.parent(node);
    let is_outer =
        parent == block || view.k(parent) == Construct::Wrapped && view.parent(parent) == block;
    let mut parts = view.parts(node);
    let (head, body) = (parts.next()?, parts.next()?);
    if !is_outer || parts.next().is_some() || (view.conventions.tests.hold)(view, node) {
        return None;
    }
    let returns = view.kind_within(Construct::Return, body, view.end(body));
    let callable = view.callable(node);
    let condition = view.text(head);
    (!returns.is_empty() && !callable.is_empty()).then(|| Promise {
        kind: Kind::Guard,
        callable: callable.to_owned(),
        line: view.tree.node(node).start_row + 1,
        error: String::new(),
        condition: hash(condition),
        shown: shown(condition),
    })
}

fn is_assertion(view: &View<'_>, node: u32) -> bool {
    let text = view.text(node);
    view.k(node) == Construct::Macro && (text.starts_with("assert") || text.starts_with("ensure"))
}

/// The condition of the innermost `if` around a node in its function.
fn condition<'a>(view: &View<'a>, node: u32) -> Option<&'a str> {
    let scope = view.scope(node);
    let mut at = view.parent(node);
    while at != 0 && at != scope {
        if matches!(view.k(at), Construct::If | Construct::Elif) {
            let head = view.first(at)?;
            return Some(view.text(head));
        }
        at = view.parent(at);
    }
    None
}

/// The type of an error: the last name before its arguments.
fn error_of(view: &View<'_>, node: u32) -> String {
    let text = view.text(node);
    let text = text.strip_prefix("Err(").unwrap_or(text);
    let head = text.split(['(', '{', '"']).next().unwrap_or_default();
    let name = identifiers(head).next_back().unwrap_or_default();
    name.to_owned()
}

fn handler(view: &View<'_>, node: u32) -> Option<Promise> {
    let callable = view.callable(node);
    let block = view.last_child(node, Construct::Block)?;
    if callable.is_empty() || (view.conventions.tests.hold)(view, node) {
        return None;
    }
    let start = view.tree.node(node).start_byte as usize;
    let end = view.tree.node(block).start_byte as usize;
    let head = view.tree.text().get(start..end)?.trim_end();
    // A handler that raises again takes nothing on itself.
    let raises = !view
        .kind_within(Construct::Raise, block, view.end(block))
        .is_empty();
    if raises {
        return None;
    }
    let is_broad = (view.conventions.handlers.is_broad)(head);
    Some(Promise {
        kind: if is_broad {
            Kind::BroadHandler
        } else {
            Kind::Handler
        },
        callable: callable.to_owned(),
        line: view.tree.node(node).start_row + 1,
        error: shown(head),
        condition: 0,
        shown: String::new(),
    })
}

fn hash(condition: &str) -> u32 {
    let plain: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let plain = plain.trim_start_matches('(').trim_end_matches(')');
    symbol_hash("", plain).max(1)
}

/// The beginning of a text on one line.
fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_SHOWN).collect()
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
        widened(&old, &now, &mut found);
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
    let new = [Kind::Guard, Kind::Refusal].map(|kind| without(now, old, kind).len());
    let lost = without(old, now, Kind::Guard).into_iter();
    let lost = lost.filter(|guard| !moved.contains_key(&guard.condition));
    for guard in lost.skip(new[0] + new[1]) {
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

/// Handlers of any error that are new.
fn widened(old: &[&Promise], now: &[&Promise], found: &mut Vec<Drift>) {
    let mut narrower = without(old, now, Kind::Handler);
    for handler in without(now, old, Kind::BroadHandler) {
        let message = match narrower.pop() {
            Some(other) => format!(
                "`{}` takes any error where `{}` took some.",
                handler.error, other.error
            ),
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
