//! Naming styles: how names join their words.

use super::counter::Counter;
use crate::facts::Habit;
use crate::occurrences::{Occurrences, Use};
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::conventions::Habits;
use slope_syntax::view::View;

const JOINED: &str = "join words with `_`";
const CAPITALS: &str = "are in camel case";
const CAPITAL: &str = "are in camel case with a capital";

/// Counts names of functions and variables.
pub(super) fn count(
    view: &View<'_>,
    habits: &Habits,
    names: &Occurrences<'_>,
    counter: &mut Counter,
) {
    for (function, name) in view.definitions() {
        if !is_prescribed(view, habits, function, name) {
            add(view, habits, Habit::FunctionNames, name, counter);
        }
    }
    if habits.compiler_checks_names {
        // The compiler reports them, but an edit that adds them is not the better for it.
        for node in variables(view, habits.patterns_borrow_names, names) {
            silently(view, Habit::VariableNames, node, counter);
        }
    } else {
        for node in variables(view, habits.patterns_borrow_names, names) {
            add(view, habits, Habit::VariableNames, node, counter);
        }
        count_classes(view, counter);
    }
}

/// Counts names in a language in which each program has its own style.
pub(super) fn count_silently(view: &View<'_>, names: &Occurrences<'_>, counter: &mut Counter) {
    for (function, name) in view.definitions() {
        if !is_constructor(view, function, name) {
            silently(view, Habit::FunctionNames, name, counter);
        }
    }
    for node in variables(view, false, names) {
        silently(view, Habit::VariableNames, node, counter);
    }
}

/// Whether a function has the name of its class.
fn is_constructor(view: &View<'_>, function: u32, name: u32) -> bool {
    let class = view.name_of(view.scope(function));
    class.is_some_and(|class| view.text(class) == view.text(name))
}

/// Counts a name by how it joins its words, if it has several.
fn silently(view: &View<'_>, habit: Habit, name: u32, counter: &mut Counter) {
    // `Parser::read_all` is named `read_all`.
    let text = view.text(name).rsplit("::").next().unwrap_or_default();
    let text = text.trim_matches('_');
    let inner_capital = text.chars().skip(1).any(char::is_uppercase);
    match (text.contains('_'), inner_capital) {
        (true, false) if text.starts_with(char::is_lowercase) => counter.silent(habit, JOINED),
        (false, true) if !text.contains(char::is_lowercase) => {}
        (false, true) if text.starts_with(char::is_lowercase) => counter.silent(habit, CAPITALS),
        (false, true) if text.starts_with(char::is_uppercase) => counter.silent(habit, CAPITAL),
        _ => {}
    }
}

/// Counts the spellings of class names.
fn count_classes(view: &View<'_>, counter: &mut Counter) {
    for &class in view.of_kind(Construct::Class) {
        let Some(name) = view.name_of(class) else {
            continue;
        };
        let text = view.text(name).trim_start_matches('_');
        if text.starts_with(char::is_uppercase) && !text.contains('_') {
            counter.usual(Habit::ClassNames, CAPITAL, 1);
        } else if text.contains('_') && !text.contains(char::is_uppercase) {
            counter.odd(Habit::ClassNames, JOINED, (name, view.text(name)));
        }
    }
}

/// Whether others prescribe the name of a function: of a method of a derived class, or with decorators.
fn is_prescribed(view: &View<'_>, habits: &Habits, function: u32, name: u32) -> bool {
    let holder = view.scope(function);
    let is_derived = view.k(holder) == Construct::Class && has_bases(view, holder);
    let text = view.text(name).trim_matches('_');
    let mut starts = habits.prescribed.iter();
    view.decorated(function) || is_derived || starts.any(|start| text.starts_with(start))
}

/// Whether a class names something that it derives from.
fn has_bases(view: &View<'_>, class: u32) -> bool {
    view.child(class, Construct::Heritage).is_some()
        || view.child(class, Construct::Arguments).is_some()
}

/// Each name of a local variable or parameter once.
fn variables(view: &View<'_>, borrow: bool, names: &Occurrences<'_>) -> Vec<u32> {
    let mut known: Map<u32, ()> = Map::default();
    let mut found = Vec::new();
    for occurrence in &names.list {
        let is_own = match occurrence.how {
            Use::Store => true,
            Use::Bind => !borrow,
            _ => false,
        };
        let in_function = view.k(view.scope(occurrence.node)) == Construct::Function
            || view.k(view.scope(occurrence.node)) == Construct::Lambda;
        if is_own && in_function && known.insert(occurrence.name, ()).is_none() {
            found.push(occurrence.node);
        }
    }
    found
}

fn add(view: &View<'_>, habits: &Habits, habit: Habit, name: u32, counter: &mut Counter) {
    let text = view.text(name).trim_matches('_');
    let (joined, capital) = (text.contains('_'), text.contains(char::is_uppercase));
    let exports = view.conventions.naming.capitals_export;
    let is_named = text.starts_with(char::is_lowercase) || exports;
    let inner_capital = text.chars().skip(1).any(char::is_uppercase);
    // `Read_File` joins words too; `READ_FILE` is a constant.
    let capital = capital && !(exports && joined && text.contains(char::is_lowercase));
    match (joined, capital) {
        _ if !is_named => {}
        (true, false) if habits.joins_words => counter.usual(habit, JOINED, 1),
        (false, true) if !habits.joins_words && inner_capital => counter.usual(habit, CAPITALS, 1),
        (true, false) => counter.odd(habit, JOINED, (name, view.text(name))),
        (false, true) if habits.joins_words => {
            counter.odd(habit, CAPITALS, (name, view.text(name)));
        }
        _ => {}
    }
}
