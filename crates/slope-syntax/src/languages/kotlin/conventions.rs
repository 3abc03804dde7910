//! Facts about the language for signals, besides its syntax.

use crate::construct::Construct;
use crate::conventions::{Conventions, FactRules, Imports, PLAIN, is_only_imported};
use crate::text::occurrences;
use crate::view::View;

pub(super) static CONVENTIONS: Conventions = Conventions {
    exempting: &[
        "UNUSED_IMPORT",
        "UnusedImport",
        "\"UNUSED\"",
        "\"unused\"",
        "no-unused-imports",
    ],
    // The start of a program, and serialization of the Java platform.
    called_unseen: &[
        "main",
        "readObject",
        "readObjectNoData",
        "readResolve",
        "writeObject",
        "writeReplace",
    ],
    imports: Imports {
        bound_by: Some(unused),
        ..Imports::PLAIN
    },
    rules: FactRules::DeadCode,
    is_of_file,
    ..PLAIN
};

/// The name that an import binds, if it occurs nowhere else in the file. Strings use names without separate nodes
/// (`"$name"`), so any word counts.
fn unused(view: &View<'_>, import: u32) -> Vec<u32> {
    let is_all = view.children(import).any(|child| view.text(child) == "*");
    let dotted = view.child(import, Construct::DottedName);
    let last = view
        .last_child(import, Construct::Identifier)
        .or_else(|| view.last_child(dotted?, Construct::Identifier));
    let is_unused = |&name: &u32| {
        let word = view.text(name).trim_matches('`');
        !is_convention(word) && is_only_imported(view, word)
    };
    let found = last.filter(|_| !is_all && !view.is_exempt());
    found.filter(is_unused).into_iter().collect()
}

/// Functions that operators, loops, delegates and declarations call without their name.
const CONVENTIONS_OF_NAMES: &[&str] = &[
    "assign",
    "compareTo",
    "contains",
    "dec",
    "div",
    "divAssign",
    "equals",
    "get",
    "getValue",
    "hasNext",
    "inc",
    "invoke",
    "iterator",
    "minus",
    "minusAssign",
    "next",
    "not",
    "plus",
    "plusAssign",
    "provideDelegate",
    "rangeTo",
    "rangeUntil",
    "rem",
    "remAssign",
    "set",
    "setValue",
    "times",
    "timesAssign",
    "unaryMinus",
    "unaryPlus",
];

fn is_convention(name: &str) -> bool {
    let component = name.strip_prefix("component");
    CONVENTIONS_OF_NAMES.contains(&name)
        || component.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Whether a function is private and its name occurs nowhere else in the file. Annotations may pass it to a framework,
/// and operators are called without a name.
fn is_of_file(view: &View<'_>, function: u32, name: u32) -> bool {
    let modifiers = view.child(function, Construct::Modifiers);
    let words = modifiers.map_or("", |modifiers| view.text(modifiers));
    let has = |word: &str| words.split_whitespace().any(|modifier| modifier == word);
    let is_handed_out = words.contains('@')
        || ["operator", "override", "actual", "external"]
            .into_iter()
            .any(has);
    let word = view.text(name).trim_matches('`');
    has("private")
        && !is_handed_out
        && !view.is_exempt()
        && occurrences(view.tree.text(), word) == 1
}
