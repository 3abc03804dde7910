//! Styles of reporting failures.

use super::counter::{Counter, first_line};
use crate::facts::Habit;
use crate::words::identifiers;
use slope_syntax::Construct;
use slope_syntax::conventions::Habits;
use slope_syntax::view::View;

const OWN: &str = "have a type of the program";
const RETURNED: &str = "are passed to the caller as errors";
const ABORTED: &str = "end the program";

/// General errors that a program may raise instead of its own.
const REPLACEABLE: &[&str] = &[
    "ValueError",
    "RuntimeError",
    "OSError",
    "IOError",
    "KeyError",
    "Error",
];

/// Counts raised errors, and failures that are passed on.
pub(super) fn count(view: &View<'_>, habits: &Habits, counter: &mut Counter) {
    for &node in view.of_kind(Construct::Raise) {
        count_raised(view, habits, node, counter);
        count_thrown(view, node, counter);
    }
    for &class in view.of_kind(Construct::Class) {
        count_class(view, class, counter);
    }
    let passed = view.of_kind(Construct::Propagate).iter();
    let passed = passed
        .filter(|&&node| view.function(node).is_some())
        .count();
    counter.usual(Habit::Failures, RETURNED, passed);
    if let Some(passes) = habits.passes_error {
        let returns = view.of_kind(Construct::Return).iter();
        let returned = returns.filter(|&&node| passes(view.text(node))).count();
        counter.usual(Habit::Failures, RETURNED, returned);
    }
    let made = view.of_kind(Construct::Call).iter();
    let made = made.filter(|&&call| view.text(call + 1) == "Err").count();
    counter.usual(Habit::Failures, RETURNED, made);
    if let Some(aborts) = habits.aborts {
        let calls = [Construct::Call, Construct::Macro].into_iter();
        for &call in calls.flat_map(|kind| view.of_kind(kind)) {
            if (view.conventions.tests.hold)(view, call) {
                continue;
            }
            if aborts(view, call) {
                let place = (call, first_line(view, call));
                counter.odd(Habit::Failures, ABORTED, place);
            } else if takes_value(view, call) {
                counter.usual(Habit::Failures, ABORTED, 1);
            }
        }
    }
}

/// Whether a call extracts a value, and ends the program if there is none.
fn takes_value(view: &View<'_>, call: u32) -> bool {
    let called = view.text(call + 1);
    // `parser.expect(token)?` passes the error on.
    let is_passed_on = view.k(view.parent(call)) == Construct::Propagate;
    view.k(call) == Construct::Call
        && !is_passed_on
        && (called.ends_with(".unwrap") || called.ends_with(".expect"))
}

/// Counts whether an error is an object or a bare value.
fn count_thrown(view: &View<'_>, node: u32, counter: &mut Counter) {
    let Some(value) = view.first(node) else {
        return;
    };
    let is_text = |node: u32| view.k(node) == Construct::String;
    match view.k(value) {
        Construct::New => counter.usual(Habit::Thrown, "are error objects", 1),
        Construct::String => counter.quote(view, Habit::Thrown, "are texts", node),
        Construct::BinaryOp if view.parts(value).any(is_text) => {
            counter.quote(view, Habit::Thrown, "are texts", node);
        }
        Construct::Dict => counter.quote(view, Habit::Thrown, "are plain objects", node),
        _ => {}
    }
}

/// Endings of the names of errors.
const ENDINGS: &[&str] = &["Error", "Exception"];

/// Counts the naming style of an error class, known by its base class.
fn count_class(view: &View<'_>, class: u32, counter: &mut Counter) {
    let heritage = view
        .child(class, Construct::Heritage)
        .or_else(|| view.child(class, Construct::Arguments));
    let (Some(heritage), Some(name)) = (heritage, view.name_of(class)) else {
        return;
    };
    let text = view.text(heritage).trim_end_matches([')', ' ']);
    let Some(ending) = ENDINGS.iter().find(|ending| text.ends_with(*ending)) else {
        return;
    };
    if view.text(name).ends_with(ending) {
        let way = format!("have a name that ends in `{ending}`");
        counter.usual(Habit::ErrorNames, &way, 1);
    } else {
        let place = (name, view.text(name));
        counter.odd(Habit::ErrorNames, "have a name with another ending", place);
    }
}

fn count_raised(view: &View<'_>, habits: &Habits, node: u32, counter: &mut Counter) {
    let made = raised(view, node);
    let place = (node, first_line(view, node));
    let is_plain = habits.plain_errors.contains(&made);
    let is_own = !habits.builtin_errors.contains(&made) && made.starts_with(char::is_uppercase);
    if is_plain {
        counter.odd(Habit::PlainErrors, "have no type of their own", place);
    } else if is_own {
        counter.usual(Habit::PlainErrors, OWN, 1);
    }
    let way = format!("are `{made}`");
    if REPLACEABLE.contains(&made) {
        counter.odd(Habit::ErrorTypes, &way, place);
    } else if is_own && !is_plain {
        counter.usual(Habit::ErrorTypes, &way, 1);
    }
}

/// The last name in the raised expression: `Error` of `throw new a.Error("b")`.
fn raised<'a>(view: &View<'a>, node: u32) -> &'a str {
    let text = view.text(node);
    let head = text.split('(').next().unwrap_or_default();
    identifiers(head).next_back().unwrap_or_default()
}
