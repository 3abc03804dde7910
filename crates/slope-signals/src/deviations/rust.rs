//! Habits of Rust code.

use super::counter::Counter;
use super::output::is_for_people;
use crate::facts::Habit;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Error types without variants that a caller can match.
const TEXT_ERRORS: &[&str] = &[
    "String",
    "&str",
    "&'static str",
    "Box<dyn Error>",
    "Box<dyn std::error::Error>",
];

/// Macros that format.
const FORMATTING: &[&str] = &[
    "format", "println", "eprintln", "print", "eprint", "write", "writeln", "panic", "bail",
    "anyhow",
];

/// Counts types of errors, and how values get into texts.
pub(super) fn count(view: &View<'_>, counter: &mut Counter) {
    for &function in view.of_kind(Construct::Function) {
        if !(view.conventions.tests.hold)(view, function) {
            count_result(view, function, counter);
        }
    }
    for &call in view.of_kind(Construct::Call) {
        count_conversion(view, call, counter);
    }
    for &node in view.of_kind(Construct::Macro) {
        let text = view.text(node);
        let name = text.split('!').next().unwrap_or_default();
        if name == "eprintln"
            && !is_for_people(view, node)
            && !(view.conventions.tests.hold)(view, node)
        {
            counter.quote(view, Habit::OwnMacros, "are printed by `eprintln!`", node);
        } else if tells_failures(name) {
            let way = format!("go through `{name}!`");
            counter.usual(Habit::OwnMacros, &way, 1);
        }
        if !FORMATTING.contains(&name) || (view.conventions.tests.hold)(view, node) {
            continue;
        }
        match placement(text) {
            Some(true) => counter.usual(Habit::Texts, "name variables inside the braces", 1),
            Some(false) => counter.quote(view, Habit::Texts, "list variables", node),
            None => {}
        }
    }
}

/// Whether a macro of the program prints warnings or errors, as `print_error!` does.
fn tells_failures(name: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    name.contains('_') && has(&["print", "log", "show", "report"]) && has(&["err", "warn"])
}

/// Counts conversions of constant strings to owned strings.
fn count_conversion(view: &View<'_>, call: u32, counter: &mut Counter) {
    let callee = call + 1;
    let is_method =
        view.k(callee) == Construct::Attribute && view.k(callee + 1) == Construct::String;
    let only = view
        .child(call, Construct::Arguments)
        .and_then(|list| view.only(list));
    let takes_text = only.is_some_and(|only| view.k(only) == Construct::String);
    let way = match view.text(callee).rsplit(['.', ':']).next() {
        Some("to_string") if is_method => "are made by `to_string`",
        Some("to_owned") if is_method => "are made by `to_owned`",
        Some("into") if is_method => "are made by `into`",
        Some("from") if takes_text && view.text(callee) == "String::from" => {
            "are made by `String::from`"
        }
        _ => return,
    };
    if !(view.conventions.tests.hold)(view, call) {
        counter.quote(view, Habit::Conversions, way, call);
    }
}

fn count_result(view: &View<'_>, function: u32, counter: &mut Counter) {
    let text = view.text(function);
    let head = text.split('{').next().unwrap_or_default();
    let Some((_, given)) = head.split_once("->") else {
        return;
    };
    let given = given.split(" where ").next().unwrap_or(given).trim();
    let Some((_, inner)) = given.split_once("Result<") else {
        return;
    };
    let error = inner
        .strip_suffix('>')
        .and_then(|inner| inner.rsplit_once(", "));
    let is_text = error.is_some_and(|(_, error)| TEXT_ERRORS.contains(&error));
    if is_text {
        let place = view.name_of(function).unwrap_or(function);
        counter.odd(Habit::Results, "have a text as their error", (place, given));
    } else {
        counter.usual(Habit::Results, "have an error type", 1);
    }
}

/// Whether a macro names variables in its braces; `None` if it has none that could be named there.
fn placement(text: &str) -> Option<bool> {
    let (_, rest) = text.split_once('"')?;
    let (pattern, rest) = rest.split_once('"')?;
    let gaps = || {
        pattern
            .split('{')
            .skip(1)
            .map(|gap| gap.split(['}', ':']).next().unwrap_or(gap))
    };
    if gaps().any(|gap| gap.starts_with(|c: char| c.is_alphabetic())) {
        return Some(true);
    }
    let inner = rest.trim_end_matches([')', ';', '}', ']']);
    let mut given = inner
        .split(',')
        .map(str::trim)
        .filter(|argument| !argument.is_empty());
    let is_name = |argument: &str| argument.chars().all(|c| c.is_lowercase() || c == '_');
    let is_plain = gaps().any(str::is_empty) && !inner.trim().is_empty() && given.all(is_name);
    is_plain.then_some(false)
}
