//! What tests of signals share.

use slope_signals::{FileSignals, facts};
use slope_syntax::{Language, Limits, Profile, callables, parse};

/// The facts of a file that parses.
pub(crate) fn signals_of(path: &str, code: &str) -> FileSignals {
    let language = Language::of_path(std::path::Path::new(path)).expect("a suffix");
    let tree = parse(language, code.as_bytes(), &Limits::default()).expect("text");
    assert_eq!(tree.errors(), None, "{code}");
    let source = tree.source_lines(Profile::Slope);
    facts(&tree, &callables(&tree, Profile::Slope, &source), &source)
}
