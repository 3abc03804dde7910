//! Habits of Go code.

use super::counter::{Counter, excerpt, first_line, operator};
use super::output::is_for_people;
use crate::facts::Habit;
use crate::forward::receiver;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Counts receivers, names of the empty interface, and how errors are wrapped and compared.
pub(super) fn count(view: &View<'_>, counter: &mut Counter) {
    for &function in view.of_kind(Construct::Function) {
        count_receiver(view, function, counter);
    }
    for &call in view.of_kind(Construct::Call) {
        count_wrapped(view, call, counter);
        count_made(view, call, counter);
        count_written(view, call, counter);
        if matches!(view.text(call + 1), "errors.Is" | "errors.As") {
            counter.usual(Habit::ErrorChecks, "use `errors.Is` or `errors.As`", 1);
        }
    }
    for &node in view.of_kind(Construct::BinaryOp) {
        if is_compared_error(view, node) {
            counter.quote(view, Habit::ErrorChecks, "compare with `==`", node);
        }
    }
    for (node, kind) in view.all() {
        if kind == Construct::TypeName && view.text(node) == "any" {
            counter.usual(Habit::Types, "are written `any`", 1);
        }
        if view.tree.kind_name(node) == "interface_type" && view.text(node) == "interface{}" {
            counter.odd(
                Habit::Types,
                "are written `interface{}`",
                (node, "interface{}"),
            );
        }
    }
}

fn count_receiver(view: &View<'_>, function: u32, counter: &mut Counter) {
    let Some(name) = receiver(view, function).filter(|name| *name != "_") else {
        return;
    };
    let list = view
        .child(function, Construct::Parameters)
        .unwrap_or(function);
    let types = view.kind_within(Construct::TypeName, list, view.end(list));
    if let Some(&holder) = types.first() {
        let way = format!("are named `{name}`");
        counter.about(
            Habit::Receivers,
            view.text(holder),
            &way,
            (function, first_line_of(view, function)),
        );
    }
}

/// Receiver of a method, as in the source.
fn first_line_of<'a>(view: &View<'a>, function: u32) -> &'a str {
    let line = view.text(function).lines().next().unwrap_or_default();
    let end = line.find(')').map_or(line.len(), |end| end + 1);
    &line[..end]
}

fn count_wrapped(view: &View<'_>, call: u32, counter: &mut Counter) {
    let text = view.text(call);
    let place = (call, first_line(view, call));
    let ends_with_error = [", err)", ", err.Error())", " + err.Error())"]
        .iter()
        .any(|end| text.ends_with(end));
    let flattens = match view.text(call + 1) {
        "fmt.Errorf" if text.contains("%w") => {
            counter.usual(Habit::WrappedErrors, "use `%w`", 1);
            false
        }
        "fmt.Errorf" => ends_with_error,
        "errors.New" => text.contains("err.Error()") || text.contains("fmt.Sprint"),
        _ => false,
    };
    if flattens {
        counter.odd(Habit::WrappedErrors, "lose the cause", place);
    }
}

/// Counts the constructors of errors with values in their texts, and the case of the texts.
fn count_made(view: &View<'_>, call: u32, counter: &mut Counter) {
    let callee = view.text(call + 1);
    let Some((_, rest)) = view.text(call).split_once("(\"") else {
        return;
    };
    let place = (call, excerpt(view, call));
    match callee {
        "fmt.Errorf" if rest.contains('%') => {
            counter.usual(Habit::ErrorTexts, "are made by `fmt.Errorf`", 1);
        }
        "fmt.Errorf" => {}
        "errors.New" if rest.contains("\" + ") => {
            counter.odd(Habit::ErrorTexts, "join texts in `errors.New`", place);
        }
        "errors.New" => {}
        _ => return,
    }
    match is_capital(rest) {
        Some(true) => counter.odd(Habit::ErrorCase, "begin with a capital", place),
        Some(false) => counter.usual(Habit::ErrorCase, "begin in lower case", 1),
        None => {}
    }
    let prefix = rest.split_once(": ").map_or("", |(prefix, _)| prefix);
    let is_name = !prefix.is_empty() && prefix.chars().all(|c| c.is_lowercase() || c == '/');
    if is_name {
        let way = format!("begin with `{prefix}: `");
        counter.usual(Habit::ErrorPrefixes, &way, 1);
    } else {
        counter.odd(Habit::ErrorPrefixes, "have no prefix", place);
    }
}

/// Whether a text begins with a capital; `None` if its first word is special, such as a name.
fn is_capital(text: &str) -> Option<bool> {
    let word = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    let mut letters = word.chars();
    let first = letters.next()?;
    let is_plain = word.len() > 1 && letters.all(char::is_lowercase);
    (is_plain && first.is_alphabetic()).then(|| first.is_uppercase())
}

/// Counts whether an output goes to a writer that the caller chooses.
fn count_written(view: &View<'_>, call: u32, counter: &mut Counter) {
    let callee = view.text(call + 1);
    if callee.starts_with("fmt.Fprint") && !view.text(call).contains("(os.Std") {
        counter.usual(Habit::Writers, "go to a writer that is passed", 1);
    } else if callee.starts_with("fmt.Print") && !is_for_people(view, call) {
        let place = (call, first_line(view, call));
        counter.odd(Habit::Writers, "go to the standard output", place);
    }
}

/// Whether an error is compared with a sentinel error of a package, except for the end of input.
fn is_compared_error(view: &View<'_>, node: u32) -> bool {
    let sides: Vec<&str> = view.parts(node).map(|side| view.text(side)).collect();
    let [left, right] = sides[..] else {
        return false;
    };
    let name = right.rsplit('.').next().unwrap_or(right);
    let is_known = name.starts_with("Err") && name.chars().nth(3).is_some_and(char::is_uppercase);
    matches!(operator(view, node), "==" | "!=") && left == "err" && is_known
}
