//! Code that guards against impossible cases: handlers around statements that cannot raise, and
//! conditions with a known answer. Python's other checks are elsewhere.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::occurrences::Occurrences;
use slope_syntax::Construct;
use slope_syntax::view::View;

mod changes;
mod comparisons;
mod guards;
mod known;
mod lengths;
mod loops;
mod nodes;
mod number_types;
mod questions;
mod ranges;
mod results;
mod values;

pub(crate) use questions::{Junction, junction};

/// Reports handlers without a cause, and checks with a known answer.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let is_known = view.conventions.handlers.has_safe_assignments;
    let tries = view.of_kind(Construct::Try).iter().copied();
    let tries = tries.filter(|&node| is_known && cannot_raise(view, &gatherer.names, node));
    let mut found: Vec<(Signal, u32, String)> = tries
        .map(|node| {
            (
                Signal::NeedlessTry,
                node,
                "Nothing in this `try` can raise.".to_owned(),
            )
        })
        .collect();
    found.extend(known::find(view, &gatherer.names));
    for (signal, node, message) in found {
        let view = &gatherer.view;
        let row = view.place(node).span.start_line;
        let mut others = gatherer.local.iter();
        // Python's own checks give a better reason.
        if others.any(|one| one.signal == signal && one.place.span.start_line == row) {
            continue;
        }
        let first_line = view.text(node).lines().next().unwrap_or_default();
        gatherer.report_line(signal, node, message, first_line);
    }
}

/// Constructs that may raise, or that may have side effects.
const RISKY: &[Construct] = &[
    Construct::Call,
    Construct::New,
    Construct::Attribute,
    Construct::Subscript,
    Construct::Await,
    Construct::Yield,
    Construct::Splat,
    Construct::Comprehension,
    Construct::Interpolation,
    Construct::PatternList,
    Construct::Tuple,
    Construct::Delete,
    Construct::Raise,
    Construct::Assert,
    Construct::AugAssign,
    Construct::For,
    Construct::While,
    Construct::If,
    Construct::With,
    Construct::Try,
    Construct::Function,
    Construct::Lambda,
    Construct::Class,
    Construct::Import,
    Construct::ImportFrom,
    Construct::Comment,
    Construct::BinaryOp,
    Construct::Compare,
    Construct::UnaryOp,
    Construct::BoolOp,
    Construct::Not,
    Construct::Walrus,
    Construct::Switch,
];

/// Whether a `try` only assigns locals and constants, or returns them.
fn cannot_raise(view: &View<'_>, names: &Occurrences<'_>, node: u32) -> bool {
    let Some((function, block)) = view.function(node).zip(view.child(node, Construct::Block))
    else {
        return false;
    };
    let (first, end) = (block + 1, view.end(block));
    let within = |kind: Construct| !view.kind_within(kind, first, end).is_empty();
    let is_local = |&name: &u32| {
        let number = names.name_at(name);
        let is_parameter = || {
            let list = view.child(function, Construct::Parameters);
            list.is_some_and(|list| names.occurs_as_parameter(number, list, view.end(list)))
        };
        names.written(number, function, view.end(function)) || is_parameter()
    };
    let statements = view.parts(block).count();
    let simple = |statement: u32| {
        let kind = match view.k(statement) {
            Construct::ExprStmt => view
                .only(statement)
                .map_or(Construct::Other, |only| view.k(only)),
            other => other,
        };
        matches!(
            kind,
            Construct::Assign | Construct::Declaration | Construct::Return | Construct::Pass
        )
    };
    statements > 0
        && view.parts(block).all(simple)
        && !RISKY.iter().any(|&kind| within(kind))
        && view
            .kind_within(Construct::Identifier, first, end)
            .iter()
            .all(is_local)
}
