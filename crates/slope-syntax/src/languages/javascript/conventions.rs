//! Facts about the language for signals, besides its syntax.

use super::privacy::is_of_module;
use super::prose::PROSE;
use super::{locals, values};
use crate::construct::Construct;
use crate::conventions::{
    Comments, Comparison, Conventions, Dialect, Habits, Handlers, Imports, Naming, PLAIN,
    Semicolons, TestForm, Tests, Wrappers,
};
use crate::view::View;

/// Methods that the language calls to turn an object into something else.
const CONVERSIONS: &[&str] = &["then", "toJSON", "toString", "valueOf"];

pub(in crate::languages) static CONVENTIONS: Conventions = Conventions {
    is_decorated,
    habits: Some(&HABITS),
    values: Some(&values::VALUES),
    called_unseen: CONVERSIONS,
    has_known_parameters: true,
    imports: IMPORTS,
    is_of_file: is_of_module,
    naming: Naming {
        lambdas_define: true,
        exports_are_marked: true,
        methods_can_hide: true,
        ..Naming::PLAIN
    },
    locals: Some(&locals::LOCALS),
    comments: Comments {
        prose: Some(&PROSE),
        semicolons: Semicolons::Optional,
        are_mere: true,
        ..Comments::PLAIN
    },
    handlers: Handlers {
        has_safe_assignments: true,
        ..Handlers::PLAIN
    },
    tests: Tests {
        form: TestForm::Call,
        ..Tests::PLAIN
    },
    wrappers: Wrappers {
        are_known: true,
        hold_methods: true,
        comparison: Comparison::ByCalls,
        ..Wrappers::PLAIN
    },
    ..PLAIN
};

pub(in crate::languages) static TYPED: Conventions = Conventions {
    is_private: |view, function, _| {
        view.k(function) == Construct::Function && view.text(function).starts_with("private ")
    },
    is_decorated,
    habits: Some(&HABITS),
    values: Some(&values::TYPED),
    called_unseen: CONVERSIONS,
    has_known_parameters: true,
    imports: IMPORTS,
    is_of_file: is_of_module,
    naming: Naming {
        lambdas_define: true,
        exports_are_marked: true,
        methods_can_hide: true,
        ..Naming::PLAIN
    },
    locals: Some(&locals::TYPED),
    comments: Comments {
        prose: Some(&PROSE),
        semicolons: Semicolons::Optional,
        are_mere: true,
        ..Comments::PLAIN
    },
    handlers: Handlers {
        has_safe_assignments: true,
        ..Handlers::PLAIN
    },
    tests: Tests {
        form: TestForm::Call,
        ..Tests::PLAIN
    },
    wrappers: Wrappers {
        are_known: true,
        hold_methods: true,
        comparison: Comparison::ByCalls,
        ..Wrappers::PLAIN
    },
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
    dialect: Dialect::Modules,
    shared_logger: None,
    compiler_checks_names: false,
    patterns_borrow_names: true,
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
