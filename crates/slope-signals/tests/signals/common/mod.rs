//! Shared by tests of signals.

use slope_signals::{FileSignals, Options, facts, findings};
use slope_syntax::{Language, Limits, Profile, callables, parse};

/// The facts of a file that parses.
pub(crate) fn signals_of(path: &str, code: &str) -> FileSignals {
    let language = Language::of_path(std::path::Path::new(path)).expect("a suffix");
    let tree = parse(language, code.as_bytes(), &Limits::default()).expect("text");
    assert_eq!(tree.errors(), None, "{code}");
    let source = tree.source_lines(Profile::Slope);
    facts(&tree, &callables(&tree, Profile::Slope, &source), &source)
}

/// A signal's reports on a tree in a change: the first name that each of its messages quotes.
#[allow(dead_code, reason = "not every test file looks at changes")]
pub(crate) fn quoted_in_changes(signal: &str, files: &[(&str, &str)]) -> Vec<String> {
    let facts: Vec<(&str, FileSignals)> = files
        .iter()
        .map(|&(path, code)| (path, signals_of(path, code)))
        .collect();
    let inputs: Vec<(&str, &FileSignals)> = facts.iter().map(|(p, f)| (*p, f)).collect();
    let options = Options {
        in_changes: true,
        ..Options::default()
    };
    let found = findings(&inputs, &options).into_iter();
    let found = found.filter(|f| f.rule == signal);
    let quoted = |message: &str| message.split('`').nth(1).unwrap_or_default().to_owned();
    found.map(|f| quoted(&f.message)).collect()
}
