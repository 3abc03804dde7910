//! Habits of Python code.

use super::counter::{Counter, excerpt};
use crate::facts::Habit;
use crate::occurrences::{Occurrences, Use};
use slope_syntax::Construct;
use slope_syntax::view::View;

const F_STRINGS: &str = "are f-strings";

/// Functions of `os.path` that a `Path` has a method for.
const IN_PATHLIB: &[&str] = &[
    "join", "exists", "dirname", "basename", "isfile", "isdir", "splitext", "abspath",
];

/// Older names of types, and how they are written today.
const OLD_TYPES: &[(&str, &str, &str)] = &[
    ("Optional[", "| None", "are written `X | None`"),
    ("List[", "list[", "are built-in types"),
    ("Dict[", "dict[", "are built-in types"),
    ("Tuple[", "tuple[", "are built-in types"),
    ("Set[", "set[", "are built-in types"),
];

/// Counts a file's styles of building texts, writing types and splitting paths.
pub(super) fn count(view: &View<'_>, names: &Occurrences<'_>, counter: &mut Counter) {
    let strings = view.of_kind(Construct::String).iter();
    let formatted = strings.filter(|&&string| {
        view.has_below(string, Construct::Interpolation)
            && view.k(view.parent(string)) != Construct::String
    });
    counter.usual(Habit::Texts, F_STRINGS, formatted.count());
    for &node in view.of_kind(Construct::BinaryOp) {
        let is_text = view.k(node + 1) == Construct::String;
        if is_text
            && operator_after(view, node + 1) == "%"
            && !view.text(node).starts_with(['b', 'r'])
        {
            counter.quote(view, Habit::Texts, "use `%`", node);
        }
    }
    for &call in view.of_kind(Construct::Call) {
        let callee = call + 1;
        let is_text =
            view.k(callee) == Construct::Attribute && view.k(callee + 1) == Construct::String;
        if is_text && view.text(callee).ends_with(".format") {
            counter.quote(view, Habit::Texts, "use `format`", call);
        }
        count_path(view, call, counter);
    }
    super::count_quotes(view, counter);
    let path = names.names.known("Path");
    let paths = names
        .list
        .iter()
        .filter(|o| Some(o.name) == path && o.how != Use::Import);
    counter.usual(Habit::Paths, "go through `pathlib`", paths.count());
    count_types(view, counter);
}

fn operator_after<'a>(view: &View<'a>, operand: u32) -> &'a str {
    let sign = view.tree.next_sibling(operand);
    sign.map_or("", |sign| view.text(sign))
}

fn count_path(view: &View<'_>, call: u32, counter: &mut Counter) {
    let called = view.text(call + 1);
    let function = called.strip_prefix("os.path.");
    if function.is_some_and(|function| IN_PATHLIB.contains(&function)) {
        counter.odd(Habit::Paths, "go through `os.path`", (call, called));
    }
}

fn count_types(view: &View<'_>, counter: &mut Counter) {
    let types = view.of_kind(Construct::Type).iter().copied();
    for node in types.filter(|&node| view.k(view.parent(node)) != Construct::Type) {
        for written in OLD_TYPES {
            count_type(view, node, written, counter);
        }
    }
}

fn count_type(view: &View<'_>, node: u32, written: &(&str, &str, &str), counter: &mut Counter) {
    let (old, new, way) = *written;
    let text = view.text(node);
    let topic = if new == "| None" {
        "optional"
    } else {
        "generic"
    };
    if text.starts_with(old) || text.contains(&format!(".{old}")) {
        let place = (node, excerpt(view, node));
        counter.about(Habit::Types, topic, "have names of `typing`", place);
    } else if text.contains(new) {
        counter.way(Habit::Types, topic, way).count += 1;
    }
}
