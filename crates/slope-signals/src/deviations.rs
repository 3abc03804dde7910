//! Code that differs from all the code around it: in names, errors, and output.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::kind::K;
use crate::languages::{Habits, conventions};
use crate::view::View;
use crate::words::identifiers;

/// Fewest places that make a habit.
const HABIT: usize = 5;

/// How many places of a file keep to a habit, and those that do not.
#[derive(Default)]
struct Ways {
    usual: usize,
    odd: Vec<u32>,
}

impl Ways {
    /// The places that deviate, if the rest of the file agrees.
    fn deviating(self) -> Vec<u32> {
        let is_habit = self.usual >= HABIT && self.usual >= HABIT * self.odd.len();
        if is_habit { self.odd } else { Vec::new() }
    }
}

/// Reports names, errors and output that differ from those of the rest of the file.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let Some(habits) = conventions(view.tree.language().id()).habits else {
        return;
    };
    let mut found: Vec<(u32, String)> = Vec::new();
    for name in names(view, habits).deviating() {
        let text = view.text(name);
        let other = if text.contains('_') {
            "camel case"
        } else {
            "words joined by `_`"
        };
        found.push((
            name,
            format!("`{text}` is not written as the other functions of the file are: {other}."),
        ));
    }
    let lines = [
        (
            errors(view, habits),
            "is not how the rest of the file reports errors",
        ),
        (
            output(view, habits),
            "goes past the logger that the rest of the file uses",
        ),
    ];
    for (ways, what) in lines {
        let nodes = ways.deviating().into_iter();
        found.extend(nodes.map(|node| (node, format!("`{}` {what}.", first_line(view, node)))));
    }
    for (node, message) in found {
        let view = &gatherer.view;
        let text = first_line(view, node);
        gatherer.report_line(Signal::BreaksLocalPattern, node, message, text);
    }
}

fn first_line<'a>(view: &View<'a>, node: u32) -> &'a str {
    let line = view.text(node).lines().next().unwrap_or_default();
    line.split(['(', '{']).next().unwrap_or(line).trim_end()
}

/// Names of functions by whether they are written as the language's are. Names that others prescribe
/// are left out: of methods of derived classes, and with decorators.
fn names(view: &View<'_>, habits: &Habits) -> Ways {
    let mut ways = Ways::default();
    for (function, name) in view.definitions() {
        let holder = view.scope(function);
        let is_derived = view.k(holder) == K::Class && has_bases(view, holder);
        let text = view.text(name).trim_matches('_');
        let is_prescribed = view.decorated(function)
            || is_derived
            || habits
                .prescribed
                .iter()
                .any(|start| text.starts_with(start));
        if is_prescribed || !text.starts_with(char::is_lowercase) {
            continue;
        }
        let (joined, capital) = (text.contains('_'), text.contains(char::is_uppercase));
        match (joined, capital) {
            (true, false) if habits.joins_words => ways.usual += 1,
            (false, true) if !habits.joins_words => ways.usual += 1,
            (true, false) | (false, true) => ways.odd.push(name),
            _ => {}
        }
    }
    ways
}

/// Whether a class names something that it derives from.
fn has_bases(view: &View<'_>, class: u32) -> bool {
    view.child(class, K::Heritage).is_some() || view.child(class, K::Arguments).is_some()
}

/// Errors by whether they are of a type of the program, or passed on, as the file's others are.
fn errors(view: &View<'_>, habits: &Habits) -> Ways {
    let mut ways = Ways::default();
    for &node in view.of_kind(K::Raise) {
        let made = raised(view, node);
        if habits.plain_errors.contains(&made) {
            ways.odd.push(node);
        } else if !habits.builtin_errors.contains(&made) && made.starts_with(char::is_uppercase) {
            ways.usual += 1;
        }
    }
    for &node in view.of_kind(K::Propagate) {
        ways.usual += usize::from(view.function(node).is_some());
    }
    if let Some(passes) = habits.passes_error {
        ways.usual += view
            .of_kind(K::Return)
            .iter()
            .filter(|&&node| passes(view.text(node)))
            .count();
    }
    if let Some(aborts) = habits.aborts {
        let calls = view.of_kind(K::Call).iter().copied();
        ways.odd.extend(calls.filter(|&call| aborts(view, call)));
    }
    ways
}

/// The last name of what a statement raises: `Error` of `throw new a.Error("b")`.
fn raised<'a>(view: &View<'a>, node: u32) -> &'a str {
    let text = view.text(node);
    let head = text.split('(').next().unwrap_or_default();
    identifiers(head).next_back().unwrap_or_default()
}

/// Calls by whether they go to a logger, or print.
fn output(view: &View<'_>, habits: &Habits) -> Ways {
    let mut ways = Ways::default();
    for kind in [K::Call, K::Macro] {
        for &call in view.of_kind(kind) {
            let text = view.text(call);
            let called = text.split(['(', '!']).next().unwrap_or_default();
            // A macro with braces is not one of a logger.
            if kind == K::Macro && !text[called.len()..].starts_with("!(") {
                continue;
            }
            if is_logging(called, kind == K::Macro, habits) {
                ways.usual += 1;
            } else if habits.prints.contains(&called) && !is_for_people(view, call) {
                ways.odd.push(call);
            }
        }
    }
    ways
}

/// Whether what is called is a level of a logger: `self.logger.info`, `slog.Error`, `warn`.
fn is_logging(called: &str, is_macro: bool, habits: &Habits) -> bool {
    let (holder, level) = called.rsplit_once(['.', ':']).unwrap_or(("", called));
    let holder = holder
        .rsplit(['.', ':'])
        .find(|part| !part.is_empty())
        .unwrap_or_default();
    let holder = holder.trim_start_matches('_');
    let is_logger = [
        "log", "logger", "logging", "slog", "LOG", "LOGGER", "tracing",
    ]
    .contains(&holder)
        || holder.is_empty() && is_macro;
    is_logger && habits.levels.contains(&level)
}

/// Words of names of functions that print for whoever runs the program.
const PRINTING: &[&str] = &[
    "main", "print", "show", "usage", "help", "dump", "display", "cli", "report",
];

/// Whether a call is in a function that prints on purpose, or at the top level.
fn is_for_people(view: &View<'_>, call: u32) -> bool {
    let name = view.callable(call).to_ascii_lowercase();
    let text = view.text(call);
    // A text without a line end asks something.
    let asks = ["fmt.Print(", "fmt.Printf("]
        .iter()
        .any(|start| text.starts_with(start))
        && !text.contains("\\n");
    asks || name.is_empty() || PRINTING.iter().any(|word| name.contains(word))
}
