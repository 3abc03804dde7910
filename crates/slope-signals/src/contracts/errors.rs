//! Errors of calls: passed on, or dropped.

use slope_syntax::Construct;
use slope_syntax::view::View;

use super::refusals::{hash, shown};
use crate::facts::{CheckCost, Promise, PromiseKind as Kind};

/// Mark of a dropped error in a function that can fail.
pub(super) const CAN_FAIL: &str = "can fail";

/// What ends the program only after another failure, or cannot fail in practice.
const HARMLESS: &[&str] = &[
    ".lock()",
    ".read()",
    ".write()",
    ".join()",
    "Regex::new(",
    "NonZero",
];

/// Endings of calls that take the value and drop the error, or end the program.
const DROPPING: &[&str] = &[".unwrap()", ".unwrap_or_default()", ".ok()"];

/// Notes the calls whose errors functions pass on, and those whose errors they drop.
pub(super) fn note(view: &View<'_>, found: &mut Vec<Promise>) {
    for &node in view.of_kind(Construct::Propagate) {
        let operand = view.text(node).trim_end_matches('?');
        found.extend(promise(view, node, Kind::Passed, operand));
    }
    for &node in view.of_kind(Construct::Call) {
        let text = view.text(node);
        let end = DROPPING.iter().find_map(|end| text.strip_suffix(end));
        let expected = || {
            text.strip_suffix(')')?
                .rsplit_once(".expect(")
                .map(|(operand, _)| operand)
        };
        if let Some(operand) = end.or_else(expected) {
            found.extend(promise(view, node, Kind::Dropped, operand));
        }
    }
    for kind in [
        Construct::Declaration,
        Construct::Declarator,
        Construct::Assign,
    ] {
        for &node in view.of_kind(kind) {
            found.extend(assigned(view, node));
        }
    }
}

/// The call whose error an assignment keeps as `err`, or drops as `_`.
fn assigned(view: &View<'_>, node: u32) -> Option<Promise> {
    let text = view.text(node).trim_end_matches(';');
    let (target, value) = text.split_once('=')?;
    let target = target.trim_end_matches(':').trim();
    let last = target.rsplit([',', ' ']).next()?.trim();
    let kind = match last {
        "err" => Kind::Passed,
        "_" => Kind::Dropped,
        _ => return None,
    };
    let value = value.trim();
    value
        .ends_with(')')
        .then(|| promise(view, node, kind, value))?
}

fn promise(view: &View<'_>, node: u32, kind: Kind, operand: &str) -> Option<Promise> {
    let callable = view.callable(node);
    if callable.is_empty() || (view.conventions.tests.hold)(view, node) {
        return None;
    }
    Some(Promise {
        kind,
        callable: callable.to_owned(),
        line: view.tree.node(node).start_row + 1,
        error: match kind == Kind::Dropped && is_careless(view, node, operand) {
            true => CAN_FAIL.to_owned(),
            false => String::new(),
        },
        condition: hash(operand),
        shown: if kind == Kind::Dropped {
            shown(operand)
        } else {
            String::new()
        },
        cost: CheckCost::default(),
    })
}

/// Whether an error is dropped where the function could pass it on. A value whose type is asserted has no error.
fn is_careless(view: &View<'_>, node: u32, operand: &str) -> bool {
    let text = view.text(node);
    let is_meant = text.starts_with("_ ") || text.ends_with(".ok()") || text.contains(".expect(");
    !is_meant
        && !operand.contains(".(")
        && !HARMLESS.iter().any(|part| operand.contains(part))
        && view
            .function(node)
            .is_some_and(|function| can_fail(view, function))
}

/// Whether the results of a function have an error.
fn can_fail(view: &View<'_>, function: u32) -> bool {
    let head = || {
        let block = view.last_child(function, Construct::Block)?;
        let start = view.tree.node(function).start_byte as usize;
        let end = view.tree.node(block).start_byte as usize;
        view.tree.text().get(start..end)
    };
    let head = head().unwrap_or_default();
    let results = head.rsplit_once("->").map(|(_, results)| results);
    results.is_some_and(|results| results.contains("Result"))
        || head.trim_end().trim_end_matches(')').ends_with(" error")
}
