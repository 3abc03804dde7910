//! What slope knows of the language besides its syntax, for signals.

use crate::conventions::{Conventions, Habits, Imports, PLAIN, Shape, Values};
use crate::construct::Construct;
use crate::view::View;

/// Methods that the language calls to turn an object into something else.
const CONVERSIONS: &[&str] = &["then", "toJSON", "toString", "valueOf"];

pub(in crate::languages) static CONVENTIONS: Conventions = Conventions {
    is_decorated,
    habits: Some(&HABITS),
    values: Some(&VALUES),
    has_mere_comments: true,
    called_unseen: CONVERSIONS,
    has_known_parameters: true,
    lambdas_define: true,
    imports: IMPORTS,
    ..PLAIN
};

pub(in crate::languages) static TYPED: Conventions = Conventions {
    is_private: |view, function, _| {
        view.k(function) == Construct::Function && view.text(function).starts_with("private ")
    },
    is_decorated,
    habits: Some(&HABITS),
    values: Some(&VALUES),
    has_mere_comments: true,
    called_unseen: CONVERSIONS,
    has_known_parameters: true,
    lambdas_define: true,
    imports: IMPORTS,
    ..PLAIN
};

const IMPORTS: Imports = Imports {
    bound_by: Some(bound_by_clause),
    ..Imports::PLAIN
};

static HABITS: Habits = Habits {
    joins_words: false,
    prescribed: &["unstable_", "experimental_", "internal_"],
    plain_errors: &["Error"],
    builtin_errors: &[
        "TypeError",
        "RangeError",
        "SyntaxError",
        "ReferenceError",
        "URIError",
        "AggregateError",
    ],
    passes_error: None,
    aborts: None,
    levels: &["trace", "debug", "info", "warn", "error", "fatal"],
    prints: &[
        "console.log",
        "console.info",
        "console.debug",
        "console.warn",
        "console.error",
    ],
    is_public: |view, function, _| view.k(view.parent(function)) == Construct::Export,
    has_optional_types: true,
};

static VALUES: Values = Values {
    makers: &[
        ("String", Shape::Text(false)),
        ("Number", Shape::Number),
        ("Array.from", Shape::List),
        ("Object.keys", Shape::List),
        ("Object.values", Shape::List),
        ("Object.entries", Shape::List),
        ("Object.fromEntries", Shape::Object),
        (".getSetCookie", Shape::List),
        (".map", Shape::List),
        ("Array.isArray", Shape::Answer),
        ("Boolean", Shape::Answer),
        (".filter", Shape::List),
        (".split", Shape::List),
        (".trim", Shape::Text(false)),
        (".toLowerCase", Shape::Text(false)),
        (".toUpperCase", Shape::Text(false)),
        (".toString", Shape::Text(false)),
        (".join", Shape::Text(false)),
    ],
    objects_count: true,
    texts_change: false,
    marks_changes: false,
    shape: |view, node| match view.k(node) {
        Construct::New => Some(Shape::Object),
        // `[] as string[]`
        _ if matches!(
            view.tree.kind_name(node),
            "as_expression" | "satisfies_expression"
        ) =>
        {
            let value = view.first(node)?;
            match view.k(value) {
                Construct::List => Some(Shape::List),
                Construct::Dict => Some(Shape::Object),
                _ => None,
            }
        }
        _ => None,
    },
    unsigned: &[],
    ranges: &[
        (".indexOf", -1.0, f64::INFINITY),
        (".lastIndexOf", -1.0, f64::INFINITY),
        (".findIndex", -1.0, f64::INFINITY),
        (".charCodeAt", 0.0, 65_535.0),
        ("Math.random", 0.0, 1.0),
        (".getHours", 0.0, 23.0),
        (".getUTCHours", 0.0, 23.0),
        (".getMinutes", 0.0, 59.0),
        (".getUTCMinutes", 0.0, 59.0),
        (".getSeconds", 0.0, 59.0),
        (".getUTCSeconds", 0.0, 59.0),
        (".getMilliseconds", 0.0, 999.0),
        (".getUTCMilliseconds", 0.0, 999.0),
    ],
};

/// Whether a decorator is before a method.
fn is_decorated(view: &View<'_>, function: u32) -> bool {
    let previous = |&node: &u32| view.tree.previous_sibling(node);
    let mut before = std::iter::successors(view.tree.previous_sibling(function), previous);
    let nearest = before.find(|&node| view.k(node) != Construct::Comment);
    nearest.is_some_and(|node| view.k(node) == Construct::Decorator)
}

/// The name nodes that an import of JavaScript binds.
fn bound_by_clause(view: &View<'_>, import: u32) -> Vec<u32> {
    let Some(clause) = view.child(import, Construct::DottedName) else {
        return Vec::new();
    };
    let mut bound: Vec<u32> = view
        .children(clause)
        .filter(|&c| view.k(c) == Construct::Identifier)
        .collect();
    let aliases = view.below(clause).filter(|&(_, k)| k == Construct::Alias);
    bound.extend(aliases.filter_map(|(alias, _)| view.last_child(alias, Construct::Identifier)));
    bound
}
