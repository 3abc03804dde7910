//! Classification of files as tests or production code: by path, and if that is ambiguous, by
//! content.

use slope_model::measurement::Part;
use slope_syntax::paths;

/// Part of the code base that a file belongs to. `holds_tests` tells whether its content has tests.
pub(crate) fn part_of(path: &str, language: &str, holds_tests: bool) -> Part {
    if paths::path_kind(path, language).is_test(holds_tests) {
        Part::Tests
    } else {
        Part::Product
    }
}
