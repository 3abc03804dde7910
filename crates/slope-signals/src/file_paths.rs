//! What the path of a file says of it.

use std::cell::LazyCell;

use slope_syntax::paths::{is_test_file, is_test_folder, path_kind};

use crate::facts::FileSignals;

/// The folder of a path, without the last `/`.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path's file name up to its first dot; the folder's for `__init__`, `index` and `mod`.
pub(crate) fn stem(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    if matches!(stem, "__init__" | "index" | "mod") {
        return parts.next().unwrap_or(stem);
    }
    stem
}

/// Whether a file is a test file: by its path, or by its content if the path is ambiguous.
pub(crate) fn is_test(path: &str, facts: &FileSignals) -> bool {
    path_kind(path, &facts.language).is_test(facts.holds_tests)
}

/// Whether a path is that of an input of tests, in which anything may be wrong on purpose.
#[must_use]
pub fn is_test_input(path: &str) -> bool {
    let mut in_tests = false;
    let mut parts: Vec<&str> = path.split('/').collect();
    let file = parts.pop().unwrap_or_default();
    let is_test_itself = LazyCell::new(|| is_test_file(file));
    let mut lower = String::new();
    parts.iter().any(|folder| {
        lower.clear();
        lower.push_str(folder);
        lower.make_ascii_lowercase();
        if lower.contains('-') {
            lower = lower.replace('-', "_");
        }
        let anywhere = matches!(
            lower.as_str(),
            "__fixtures__"
                | "__testfixtures__"
                | "testdata"
                | "test_data"
                | "test_files"
                | "playground"
        ) || lower.starts_with("fixture")
            || lower.ends_with("testcases")
            || lower.ends_with("test_cases");
        let below = in_tests
            && (lower.ends_with("cases")
                || lower.ends_with("resources")
                || matches!(
                    lower.as_str(),
                    "integration" | "source" | "sources" | "target"
                ) && !*is_test_itself
                || matches!(
                    lower.as_str(),
                    "data"
                        | "assets"
                        | "roots"
                        | "inputs"
                        | "outputs"
                        | "input"
                        | "output"
                        | "expected"
                        | "golden"
                        | "goldens"
                        | "samples"
                        | "projects"
                ));
        // `src/it` and `its` contain the integration tests of Maven.
        in_tests |= is_test_folder(folder) || matches!(lower.as_str(), "it" | "its");
        anywhere || below
    })
}

/// Whether a path is that of documentation or of an example in it.
pub(crate) fn is_documentation(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| {
        let lower = folder.to_ascii_lowercase();
        let mut words = lower.split(['_', '-', '.']);
        words.any(|word| {
            let word = word.strip_suffix('s').unwrap_or(word);
            matches!(
                word,
                "doc" | "documentation" | "snippet" | "example" | "sample" | "demo" | "tutorial"
            )
        })
    })
}
