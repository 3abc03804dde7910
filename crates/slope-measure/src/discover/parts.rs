//! Tests told from product code, by path.

use slope_model::measurement::Part;
use slope_syntax::paths;

/// The part of the code base that a file belongs to.
pub(crate) fn part_of(path: &str, language: &str) -> Part {
    if paths::is_test_in(path, language) {
        Part::Tests
    } else {
        Part::Product
    }
}
