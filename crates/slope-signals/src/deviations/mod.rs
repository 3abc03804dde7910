//! Code that deviates from the code around it: in names, errors, output, imports and style.
//!
//! [`note`] counts the styles of each habit in one file, and keeps the places of styles that may
//! deviate. [`find`] compares them with the rest of the file, or with the folder if the file is too
//! small to have a pattern.

mod checks;
mod counter;
mod documentation;
mod errors;
mod find;
mod go;
pub(crate) mod groups;
mod imports;
mod indents;
mod names;
mod output;
mod python;
mod rust;
mod script;

use counter::{Counter, MAX_SPOTS};
pub(crate) use find::{Folders, find, noun};
pub use imports::is_runtime_module;

use crate::facts::{FileSignals, Habit, Spot, StyleCount};
use crate::gather::Gatherer;
use slope_syntax::Construct;

use slope_syntax::conventions::{Dialect, Habits};
use slope_syntax::view::View;

/// Adds the counts to the facts of a file.
pub(crate) fn note(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let view = &gatherer.view;
    let mut counter = Counter::default();
    indents::count(view, &mut counter);
    output::count_printing(view, view.conventions.habits, &mut counter);
    match view.conventions.habits {
        Some(habits) => count(gatherer, habits, &mut counter),
        None => names::count_silently(view, &gatherer.names, &mut counter),
    }
    let mut ways: Vec<_> = counter.ways.into_iter().collect();
    ways.sort_by(|a, b| a.0.cmp(&b.0));
    for ((habit, topic, way), counted) in ways {
        let is_frequent = counted.places.len() > MAX_SPOTS;
        let places = counted.places.iter().filter(|_| !is_frequent);
        let spots = places.map(|(node, quoted)| spot(&gatherer.view, *node, quoted));
        facts.ways.push(StyleCount {
            habit,
            topic,
            way,
            count: counted.count,
            is_odd: counted.is_odd,
            spots: spots.collect(),
        });
    }
}

/// Counts the styles of a language with known habits.
fn count(gatherer: &Gatherer<'_>, habits: &Habits, counter: &mut Counter) {
    let view = &gatherer.view;
    names::count(view, habits, &gatherer.names, counter);
    errors::count(view, habits, counter);
    output::count(view, habits, counter);
    documentation::count(view, habits, counter);
    checks::count(view, counter);
    match habits.dialect {
        Dialect::Annotated => {
            python::count(view, &gatherer.names, counter);
            imports::count_python(view, counter);
        }
        Dialect::Receivers => go::count(view, counter),
        Dialect::Traits => rust::count(view, counter),
        Dialect::Modules => {
            script::count(view, counter);
            imports::count_script(view, counter);
        }
    }
}

fn spot(view: &View<'_>, node: u32, quoted: &str) -> Spot {
    let start = view.tree.node(node).start_byte;
    let line = view
        .text(node)
        .lines()
        .next()
        .unwrap_or_default()
        .trim_end();
    let end = start + u32::try_from(line.len()).unwrap_or(0);
    Spot {
        place: view.place_between(start, end),
        callable: view.callable(node).to_owned(),
        quoted: quoted.to_owned(),
    }
}

/// Whether a text is inside another one, whose quotes it must not use: `f"{', '.join(names)}"`.
fn is_interpolated(view: &View<'_>, string: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node));
    let above = std::iter::successors(Some(view.parent(string)), outer).take(12);
    above
        .take_while(|&node| node != 0)
        .any(|node| view.k(node) == Construct::Interpolation)
}

/// Counts the quotes of texts that could use either kind.
fn count_quotes(view: &View<'_>, counter: &mut Counter) {
    let mut strings: [Vec<u32>; 2] = Default::default();
    for &string in view.of_kind(Construct::String) {
        let text = view.text(string);
        let is_markup = view.tree.kind_name(view.parent(string)) == "jsx_attribute";
        let has_choice = !text.get(1..).unwrap_or_default().contains(['\\', '\n'])
            && !text.starts_with("\"\"\"")
            && !text.starts_with("'''")
            && !is_markup
            && !is_interpolated(view, string);
        let way = match text.chars().next() {
            Some('"') if !text.contains('\'') => 0,
            Some('\'') if !text.contains('"') => 1,
            _ => continue,
        };
        if has_choice {
            strings[way].push(string);
        }
    }
    let ways = ["are in double quotes", "are in single quotes"];
    for (way, strings) in ways.into_iter().zip(strings) {
        let (first, others) = strings.split_at(strings.len().min(MAX_SPOTS + 1));
        for &string in first {
            counter.quote(view, Habit::Quotes, way, string);
        }
        counter.usual(Habit::Quotes, way, others.len());
    }
}
