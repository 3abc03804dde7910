//! Presence of documentation and parameter types of functions.

use super::counter::{Counter, first_line};
use crate::facts::Habit;
use slope_syntax::Construct;
use slope_syntax::conventions::Habits;
use slope_syntax::view::View;

/// Counts public functions by whether they are documented, and functions by whether they have types.
pub(super) fn count(view: &View<'_>, habits: &Habits, counter: &mut Counter) {
    for &function in view.of_kind(Construct::Function) {
        let Some(name) = view.name_of(function) else {
            continue;
        };
        if (view.conventions.tests.hold)(view, function) || view.function(function).is_some() {
            continue;
        }
        let place = (function, first_line(view, function));
        if (habits.is_public)(view, function, name) && !view.decorated(function) {
            if is_documented(view, function) {
                counter.usual(Habit::Documentation, "are documented", 1);
            } else {
                counter.odd(Habit::Documentation, "have no documentation", place);
            }
        }
        if habits.has_optional_types {
            count_types(view, function, place, counter);
        }
    }
}

/// Whether a comment is directly above a function, or a text is the first statement in it.
fn is_documented(view: &View<'_>, function: u32) -> bool {
    let body = view.child(function, Construct::Block);
    let first = body.and_then(|body| view.first(body));
    let says_itself = first.is_some_and(|first| view.tree.is_documentation(first));
    says_itself
        || view.rows_above(view.outer(function)).any(|row| {
            row.starts_with(['/', '*']) || row.starts_with("#[doc") || row.starts_with("# ")
        })
}

fn count_types(view: &View<'_>, function: u32, place: (u32, &str), counter: &mut Counter) {
    let Some(list) = view.child(function, Construct::Parameters) else {
        return;
    };
    let receivers = ["self", "cls", "this"];
    let parts = view
        .parts(list)
        .filter(|&part| !receivers.contains(&view.text(part)));
    let parameters: Vec<u32> = parts
        .filter(|&part| view.k(part) != Construct::ParamSplat)
        .collect();
    let is_typed = |&part: &u32| view.has_below(part, Construct::Type);
    if parameters.is_empty() {
        return;
    }
    if parameters.iter().all(is_typed) {
        counter.usual(Habit::Annotations, "give the types of their parameters", 1);
    } else if !parameters.iter().any(is_typed) {
        counter.odd(Habit::Annotations, "give no types of parameters", place);
    }
}
