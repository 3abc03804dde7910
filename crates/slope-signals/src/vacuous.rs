//! Tests without checks: they call functions, and store or print the results.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::words::{identifiers, words};
use slope_syntax::Construct;
use slope_syntax::conventions::TestForm;
use slope_syntax::view::View;

/// Reports tests whose every statement stores or prints something.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let tests: Vec<(u32, u32, &str)> = tests(view)
        .into_iter()
        .filter(|&(_, body, name)| !is_about_running(name) && checks_nothing(view, body))
        .collect();
    for (place, _, name) in tests {
        let message = format!("The test `{name}` checks nothing: it only runs code.");
        gatherer.report(Signal::VacuousTest, place, message, name);
    }
}

/// The tests of a file: node to report, body, and name.
fn tests<'a>(view: &View<'a>) -> Vec<(u32, u32, &'a str)> {
    let is_test = match view.conventions.tests.form {
        TestForm::Unknown => return Vec::new(),
        TestForm::Call => {
            let calls = view.of_kind(Construct::Call).iter();
            return calls.filter_map(|&call| case(view, call)).collect();
        }
        TestForm::Function(is_test) => is_test,
    };
    let functions = view.of_kind(Construct::Function).iter();
    let tests = functions.filter_map(|&function| {
        let name = view.name_of(function)?;
        let body = view.last_child(function, Construct::Block)?;
        is_test(view, function, view.text(name)).then_some((name, body, view.text(name)))
    });
    tests.collect()
}

/// A call of `it` or `test` with a name and a function.
fn case<'a>(view: &View<'a>, call: u32) -> Option<(u32, u32, &'a str)> {
    let arguments = view.child(call, Construct::Arguments)?;
    let (name, function) = (view.first(arguments)?, view.parts(arguments).nth(1)?);
    let body = view.last_child(function, Construct::Block)?;
    let is_case = matches!(view.text(call + 1), "it" | "test")
        && view.k(name) == Construct::String
        && view.k(function) == Construct::Lambda;
    let inner = view.text(name).trim_matches(['"', '\'', '`']);
    is_case.then_some((name, body, inner))
}

/// Words in names of tests for code that just runs, or would not compile otherwise.
const RUNNING: &[&str] = &[
    "compile",
    "compiles",
    "crash",
    "error",
    "errors",
    "fail",
    "fails",
    "import",
    "imports",
    "leak",
    "no",
    "not",
    "panic",
    "panics",
    "raise",
    "raises",
    "run",
    "runs",
    "smoke",
    "throw",
    "throws",
    "type",
    "types",
    "typing",
    "warn",
    "without",
    "works",
    "doesn",
    "benchmark",
    "bench",
    "can",
    "valid",
];

fn is_about_running(name: &str) -> bool {
    words(name).any(|word| RUNNING.contains(&word.as_str()))
}

/// Beginnings of names of checks.
const CHECKS: &[&str] = &[
    "assert",
    "check",
    "compare",
    "ensure",
    "expect",
    "fail",
    "fatal",
    "must",
    "panic",
    "raise",
    "require",
    "should",
    "snapshot",
    "throw",
    "unwrap",
    "validate",
    "verify",
    "benchmark",
    "skip",
];

/// Calls that only show a value.
const SHOWING: &[&str] = &[
    "print(",
    "pprint(",
    "print!(",
    "println!(",
    "eprintln!(",
    "dbg!(",
    "console.",
    "fmt.Print",
    "t.Log",
    "logger.",
    "log.",
    "logging.",
];

/// Whether each statement only stores or shows something.
fn checks_nothing(view: &View<'_>, body: u32) -> bool {
    let is_idle = |statement: u32| {
        let text = view.text(statement);
        let inner = view
            .only(statement)
            .filter(|_| view.k(statement) == Construct::ExprStmt);
        match inner.map_or(view.k(statement), |inner| view.k(inner)) {
            // A type annotation makes the compiler check something.
            Construct::Assign | Construct::Declaration | Construct::Declarator => {
                !text.contains(": ") && !text.contains('?')
            }
            Construct::Pass => true,
            Construct::String => true,
            _ => SHOWING.iter().any(|start| text.starts_with(start)),
        }
    };
    let mut stores = false;
    let idle = view.parts(body).all(|statement| {
        stores |= view.has_below(statement, Construct::Call);
        is_idle(statement)
    });
    let is_check = |word: String| CHECKS.iter().any(|check| word.starts_with(check));
    idle && stores && !identifiers(view.text(body)).any(|name| words(name).any(is_check))
}
