//! Which styles are compared with each other.

use slope_syntax::paths;

use crate::facts::{FileSignals, Habit, StyleCount, family};
use crate::file_paths::{folder, is_test_input};

/// Styles of what is compared with each other in a folder: folder, language family, habit, topic.
pub(crate) type Group<'a> = (&'a str, &'a str, Habit, &'a str);

/// Whether a style is compared in a file: tests and examples have their own styles.
pub(crate) fn is_compared(path: &str, is_test: bool, way: &StyleCount) -> bool {
    is_test == (way.habit == Habit::Checks) && !paths::is_example(path) && !is_test_input(path)
}

/// The group of a style; `None` for an import of another package.
pub(crate) fn group_of<'a>(
    path: &'a str,
    facts: &'a FileSignals,
    way: &'a StyleCount,
) -> Option<Group<'a>> {
    let topic = topic(path, way)?;
    Some((folder(path), family(&facts.language), way.habit, topic))
}

/// The topic of a style; `None` for an import of another package.
pub(crate) fn topic<'a>(path: &str, way: &'a StyleCount) -> Option<&'a str> {
    if way.habit != Habit::OwnImports || way.topic.is_empty() {
        return Some(&way.topic);
    }
    let is_own = folder(path).split('/').any(|part| part == way.topic);
    is_own.then_some("")
}
