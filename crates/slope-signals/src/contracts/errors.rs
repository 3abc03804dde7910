//! Errors of calls: passed on, or dropped.

use slope_syntax::Construct;
use slope_syntax::view::View;

use super::{hash, shown};
use crate::facts::{Promise, PromiseKind as Kind};

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
        error: String::new(),
        condition: hash(operand),
        shown: if kind == Kind::Dropped {
            shown(operand)
        } else {
            String::new()
        },
    })
}
