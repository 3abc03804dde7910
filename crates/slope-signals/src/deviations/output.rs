//! Output styles of programs.

use super::counter::Counter;
use crate::facts::Habit;
use slope_syntax::Construct;
use slope_syntax::conventions::Habits;
use slope_syntax::view::View;

/// Words in names of functions that print for users.
const PRINTING: &[&str] = &[
    "main", "print", "show", "usage", "help", "dump", "display", "cli",
];

/// Counts calls of loggers and of print functions.
pub(super) fn count(view: &View<'_>, habits: &Habits, counter: &mut Counter) {
    for &call in view.of_kind(Construct::Call) {
        let called = view.text(call).split(['(', '!']).next().unwrap_or_default();
        count_call(view, habits, (call, called), counter);
    }
    for &call in view.of_kind(Construct::Macro) {
        // Macros of loggers have no braces.
        let (called, rest) = view.text(call).split_once('!').unwrap_or_default();
        if rest.starts_with('(') {
            count_call(view, habits, (call, called), counter);
        }
    }
}

/// Functions that print in languages without known habits.
const PLAIN_PRINTS: &[&str] = &[
    "printf",
    "puts",
    "putchar",
    "System.out.print",
    "System.out.printf",
    "System.out.println",
];

/// Streams that print.
const STREAMS: &[&str] = &["cout"];

/// Counts functions by whether they print, other than on purpose. Only a change can tell: a program may print.
pub(super) fn count_printing(view: &View<'_>, habits: Option<&Habits>, counter: &mut Counter) {
    let prints = habits.map_or(PLAIN_PRINTS, |habits| habits.prints);
    let called = |node: u32| {
        view.text(node)
            .split(['(', '!'])
            .next()
            .unwrap_or_default()
            .trim()
    };
    let calls = [Construct::Call, Construct::Macro].into_iter();
    let calls = calls.flat_map(|kind| view.of_kind(kind).iter().copied());
    let calls = calls.filter(|&call| prints.contains(&called(call)));
    let streams = view.of_kind(Construct::Identifier).iter().copied();
    let streams = streams.filter(|&name| habits.is_none() && STREAMS.contains(&view.text(name)));
    let mut printing: Vec<&str> = calls
        .chain(streams)
        .filter(|&node| !is_for_people(view, node) && !(view.conventions.tests.hold)(view, node))
        .map(|node| view.callable(node))
        .collect();
    printing.sort_unstable();
    printing.dedup();
    for _ in &printing {
        counter.silent(Habit::Prints, "print");
    }
    let others = view.definitions().len().saturating_sub(printing.len());
    counter.usual(Habit::Prints, "do not print", others);
}

fn count_call(view: &View<'_>, habits: &Habits, place: (u32, &str), counter: &mut Counter) {
    let (call, called) = place;
    if is_logging(called, view.k(call) == Construct::Macro, habits) {
        counter.usual(Habit::Output, "go through the logger", 1);
        if habits
            .shared_logger
            .is_some_and(|start| called.starts_with(start))
        {
            counter.odd(Habit::Loggers, "go to the global logger", place);
        } else {
            counter.usual(Habit::Loggers, "go to a logger of their own", 1);
        }
    } else if habits.prints.contains(&called)
        && !is_for_people(view, call)
        && !(view.conventions.tests.hold)(view, call)
    {
        counter.odd(Habit::Output, "are printed", place);
    }
}

/// Whether a callee is a level of a logger: `self.logger.info`, `slog.Error`, `warn`.
fn is_logging(called: &str, is_macro: bool, habits: &Habits) -> bool {
    let (holder, level) = called.rsplit_once(['.', ':']).unwrap_or(("", called));
    let holder = holder
        .rsplit(['.', ':'])
        .find(|part| !part.is_empty())
        .unwrap_or_default();
    let holder = holder.trim_start_matches('_');
    let is_logger = [
        "log", "logger", "Logger", "logging", "slog", "LOG", "LOGGER", "tracing",
    ]
    .contains(&holder)
        || holder.is_empty() && is_macro;
    is_logger && habits.levels.contains(&level)
}

/// Whether a call is in a function that prints on purpose, or at the top level.
pub(super) fn is_for_people(view: &View<'_>, call: u32) -> bool {
    let name = view.callable(call).to_ascii_lowercase();
    let text = view.text(call);
    // A text without a line end is a prompt.
    let asks = ["fmt.Print(", "fmt.Printf("]
        .iter()
        .any(|start| text.starts_with(start))
        && !text.contains("\\n");
    asks || name.is_empty() || PRINTING.iter().any(|word| name.contains(word))
}
