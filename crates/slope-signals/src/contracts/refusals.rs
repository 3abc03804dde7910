//! Inputs that functions refuse, with what the checks cost.

use std::collections::HashSet;

use slope_syntax::Construct;
use slope_syntax::view::View;

use super::{MAX_SHOWN, errors, handlers};
use crate::facts::{CheckCost, FileSignals, Promise, PromiseKind as Kind};
use crate::gather::{Gatherer, symbol_hash};
use crate::words::identifiers;

/// Most promises that are kept of a file.
const MAX_PROMISES: usize = 2_000;

/// Keeps the promises of a file.
pub(crate) fn note(gatherer: &Gatherer<'_>, facts: &mut FileSignals) {
    let view = &gatherer.view;
    let mut found = Vec::new();
    let mut priced = HashSet::new();
    for node in refusals(view) {
        found.extend(refusal(view, node, &mut priced));
    }
    for &node in view.of_kind(Construct::Catch) {
        found.extend(handlers::promise(view, node));
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
    let statements = view.of_kind(Construct::ExprStmt).iter();
    found.extend(statements.filter(|&&node| {
        let call = view
            .only(node)
            .filter(|&call| view.k(call) == Construct::Call);
        call.is_some_and(|call| fails(view.text(call)))
    }));
    let macros = view.of_kind(Construct::Macro).iter();
    found.extend(macros.filter(|&&node| {
        let name = view.text(node).split('!').next().unwrap_or_default();
        matches!(name, "bail" | "panic" | "ensure" | "anyhow" | "assert")
    }));
    found
}

/// First words of functions that never return.
const FAILING: &[&str] = &[
    "throw", "raise", "fail", "fatal", "die", "panic", "abort", "bail",
];

/// Whether a call ends its function by an error, by the name of what it calls: `throw_error(x)`.
fn fails(call: &str) -> bool {
    let callee = call.split('(').next().unwrap_or(call);
    let name = identifiers(callee).next_back().unwrap_or_default();
    let first = name
        .split('_')
        .find(|part| !part.is_empty())
        .unwrap_or(name);
    let end = first
        .find(|c: char| c.is_ascii_uppercase())
        .filter(|&at| at > 0);
    let first = &first[..end.unwrap_or(first.len())];
    FAILING.contains(&first.to_ascii_lowercase().as_str())
}

/// A refusal. Each `if` has its price once, in `priced`.
fn refusal(view: &View<'_>, node: u32, priced: &mut HashSet<u32>) -> Option<Promise> {
    let callable = view.callable(node);
    if callable.is_empty() || (view.conventions.tests.hold)(view, node) {
        return None;
    }
    // An assertion has its condition in itself.
    let is_own = view.k(node) == Construct::Assert || is_assertion(view, node);
    let (condition, cost) = if is_own {
        (view.text(node), CheckCost::default())
    } else {
        let check = check_around(view, node)?;
        let is_first = is_alone(view, check, node) && priced.insert(check);
        let cost = match is_first {
            true => cost(view, check),
            false => CheckCost::default(),
        };
        (condition(view, check)?, cost)
    };
    Some(Promise {
        kind: Kind::Refusal,
        callable: callable.to_owned(),
        line: view.tree.node(node).start_row + 1,
        error: error_of(view, node),
        condition: hash(condition),
        shown: shown(condition),
        cost,
    })
}

/// A condition under which a function may return at once: `if` in its block, without an alternative.
fn guard(view: &View<'_>, node: u32) -> Option<Promise> {
    // Lambdas with names are functions too.
    let function = view.scope(node);
    let block = view.last_child(function, Construct::Block)?;
    let parent = view.parent(node);
    let is_outer =
        parent == block || view.k(parent) == Construct::Wrapped && view.parent(parent) == block;
    let mut parts = view.parts(node);
    let (_, body) = (parts.next()?, parts.next()?);
    if !is_outer || parts.next().is_some() || (view.conventions.tests.hold)(view, node) {
        return None;
    }
    let returns = view.kind_within(Construct::Return, body, view.end(body));
    let callable = view.callable(node);
    let condition = condition(view, node)?;
    (!returns.is_empty() && !callable.is_empty()).then(|| Promise {
        kind: Kind::Guard,
        callable: callable.to_owned(),
        line: view.tree.node(node).start_row + 1,
        error: String::new(),
        condition: hash(condition),
        shown: shown(condition),
        // A return of something that is computed may be the work itself.
        cost: match returns_constant(view, body) {
            true => cost(view, node),
            false => CheckCost::default(),
        },
    })
}

/// Whether a block only returns nothing or a constant.
fn returns_constant(view: &View<'_>, body: u32) -> bool {
    let only = if view.k(body) == Construct::Block {
        view.only(body)
    } else {
        Some(body)
    };
    only.is_some_and(|only| {
        let mut values = view.parts(only);
        view.k(only) == Construct::Return && values.all(|value| view.is_constant(value))
    })
}

fn is_assertion(view: &View<'_>, node: u32) -> bool {
    let text = view.text(node);
    view.k(node) == Construct::Macro && (text.starts_with("assert") || text.starts_with("ensure"))
}

/// The innermost `if` around a node in its function.
fn check_around(view: &View<'_>, node: u32) -> Option<u32> {
    let scope = view.scope(node);
    let mut at = view.parent(node);
    while at != 0 && at != scope {
        if matches!(view.k(at), Construct::If | Construct::Elif) {
            return Some(at);
        }
        at = view.parent(at);
    }
    None
}

/// The whole condition of an `if`: in some languages a statement comes first.
fn condition<'a>(view: &View<'a>, check: u32) -> Option<&'a str> {
    let first = view.first(check)?;
    let start = view.tree.node(first).start_byte;
    let body = view.parts(check).skip(1);
    let body = body.filter(|&part| view.k(part) == Construct::Block).min();
    let Some(body) = body else {
        return Some(view.text(first));
    };
    let end = view.tree.node(body).start_byte;
    let text = view.tree.text().get(start as usize..end as usize)?;
    Some(text.trim_end().trim_end_matches(':'))
}

/// Whether a check has no other effect than a refusal: at most one statement more.
fn is_alone(view: &View<'_>, check: u32, refusal: u32) -> bool {
    let mut parts = view.parts(check).skip(1);
    let around = |part: u32| part <= refusal && refusal < view.end(part);
    let body = parts.find(|&part| around(part));
    body.is_some_and(|body| view.k(body) != Construct::Block || view.parts(body).count() <= 2)
}

/// Structures that make what is in them harder to read.
const NESTING: &[Construct] = &[
    Construct::If,
    Construct::For,
    Construct::While,
    Construct::Loop,
    Construct::Catch,
    Construct::Switch,
];

/// What an `if` adds to its function.
fn cost(view: &View<'_>, check: u32) -> CheckCost {
    let condition = condition(view, check).unwrap_or_default();
    let count = |sign: &str| condition.matches(sign).count();
    let joined = [count("&&") + count(" and "), count("||") + count(" or ")];
    let scope = view.scope(check);
    let (mut level, mut at) = (0, view.parent(check));
    while at != 0 && at != scope {
        level += u32::from(NESTING.contains(&view.k(at)));
        at = view.parent(at);
    }
    let is_else = view.k(check) == Construct::Elif || view.k(view.parent(check)) == Construct::Else;
    let structure = if is_else { 1 } else { 1 + level };
    let sum = |all: [usize; 2]| u32::try_from(all[0] + all[1]).unwrap_or(u32::MAX);
    CheckCost {
        decisions: 1 + sum(joined),
        cognitive: structure + sum(joined.map(|count| count.min(1))),
    }
}

/// The type of an error: the last name before its arguments.
fn error_of(view: &View<'_>, node: u32) -> String {
    let text = view.text(node);
    // An error that wraps another one is still that one.
    if text.contains("%w") {
        return "err".to_owned();
    }
    let text = text.strip_prefix("Err(").unwrap_or(text);
    let head = text.split(['(', '{', '"']).next().unwrap_or_default();
    let name = identifiers(head).next_back().unwrap_or_default();
    name.to_owned()
}

pub(super) fn hash(condition: &str) -> u32 {
    let plain: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let plain = plain.trim_start_matches('(').trim_end_matches(')');
    symbol_hash("", plain).max(1)
}

/// The beginning of a text on one line.
pub(super) fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_SHOWN).collect()
}
