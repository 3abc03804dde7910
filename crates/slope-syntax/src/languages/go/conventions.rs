//! Facts about the language for signals, besides its syntax.

use super::locals::LOCALS;
use super::prose::PROSE;
use super::values::VALUES;
use crate::construct::Construct;
use crate::conventions::{
    Comments, Comparison, Conventions, Dialect, Flow, Habits, Naming, Nearness, PLAIN, Reach,
    Semicolons, TestForm, Tests, Wrappers, tells_of_a_state,
};
use crate::view::View;

pub(super) static CONVENTIONS: Conventions = Conventions {
    reach: Reach::Folder,
    is_private,
    exempting: &["//go:build", "// +build"],
    naming_comments: &["//go:linkname ", "//export "],
    texts_refer: false,
    habits: Some(&HABITS),
    values: Some(&VALUES),
    has_implicit_methods: true,
    has_known_parameters: true,
    naming: Naming {
        lists_declare: true,
        parameters_share_types: true,
        capitals_export: true,
        folders_are_packages: true,
        ..Naming::PLAIN
    },
    locals: Some(&LOCALS),
    comments: Comments {
        prose: Some(&PROSE),
        semicolons: Semicolons::None,
        document_declarations: true,
        ..Comments::PLAIN
    },
    tests: Tests {
        form: TestForm::Function(|_, _, name| name.starts_with("Test")),
        compare_at: |view, node| view.callable(node).starts_with("Test"),
        ..Tests::PLAIN
    },
    wrappers: Wrappers {
        are_known: true,
        near: Nearness::Folder,
        hold_methods: true,
        comparison: Comparison::ByCalls,
        return_by_keyword: true,
        ..Wrappers::PLAIN
    },
    flow: Flow {
        has_foreign_bodies: true,
        ..Flow::PLAIN
    },
    ..PLAIN
};

static HABITS: Habits = Habits {
    joins_words: false,
    prescribed: &["_"],
    plain_errors: &[],
    builtin_errors: &[],
    passes_error: Some(|text| {
        text.contains("fmt.Errorf(") || text.contains("errors.") || text.ends_with(" err")
    }),
    aborts: Some(panics),
    levels: &[
        "Check", "Debug", "Debugf", "Info", "Infof", "Warn", "Warnf", "Error", "Errorf", "Print",
        "Printf", "Println",
    ],
    prints: &["fmt.Print", "fmt.Printf", "fmt.Println"],
    is_public: |view, _, name| view.text(name).starts_with(char::is_uppercase),
    has_optional_types: false,
    dialect: Dialect::Receivers,
    shared_logger: Some("log."),
    compiler_checks_names: false,
    patterns_borrow_names: false,
};

/// Whether a call panics with an error, or with a text about its input, in a function that could
/// give the error back.
fn panics(view: &View<'_>, call: u32) -> bool {
    let gives_error = |function: u32| {
        let head = view.text(function).split('{').next().unwrap_or_default();
        head.trim_end().trim_end_matches(')').ends_with("error")
    };
    let text = view.text(call);
    let inner = text
        .strip_prefix("panic(")
        .and_then(|inner| inner.strip_suffix(')'));
    // Any other reason to panic is a state that must not be.
    let is_passed_on = inner.is_some_and(|inner| {
        let is_made = inner.starts_with("fmt.") || inner.contains("\" + ");
        matches!(inner, "err" | "err.Error()") || is_made && !tells_of_a_state(inner)
    });
    // A function literal gives back what its own type says.
    let is_inner = view.k(view.scope(call)) == Construct::Lambda;
    is_passed_on && !is_inner && view.function(call).is_some_and(gives_error)
}

/// Whether a function or method is unexported, and nothing above it gives it to somebody else.
fn is_private(view: &View<'_>, function: u32, name: u32) -> bool {
    let text = view.text(name);
    let mut above = view.rows_above(function);
    text.starts_with(char::is_lowercase)
        && !matches!(text, "main" | "init")
        && !above.any(|row| {
            ["//go:", "//export", "//nolint", "//lint:"]
                .iter()
                .any(|d| row.starts_with(d))
        })
}
