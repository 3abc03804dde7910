//! Regular expressions that the program has.

use regex::Regex;

/// A regular expression. It is part of the program, so a wrong one is a fault that tests find.
pub(crate) fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{error}"))
}
