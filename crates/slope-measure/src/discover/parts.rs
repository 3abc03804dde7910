//! Tests told from product code, by path and, where that leaves doubt, by content.

use slope_model::measurement::Part;
use slope_syntax::paths::{self, Told};

/// The part of the code base that a file belongs to. `holds_tests` is what its content says.
pub(crate) fn part_of(path: &str, language: &str, holds_tests: bool) -> Part {
    match paths::told(path, language) {
        Told::Tests => Part::Tests,
        Told::ByContent if holds_tests => Part::Tests,
        Told::ByContent | Told::Product => Part::Product,
    }
}
