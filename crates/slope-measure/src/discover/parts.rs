//! Tests told from product code, by path.

use slope_model::measurement::Part;

/// Folders whose files are tests, whatever the language.
const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "__mocks__",
    "spec",
    "specs",
    "testing",
    "testdata",
    "test_data",
    "fixtures",
    "e2e",
    "unit_tests",
    "integration_tests",
    "androidTest",
];

/// The part of the code base that a file belongs to.
///
/// A folder on its path or the conventions of its language's test runners
/// decide. Tests inside product files, as in Rust, belong to the product.
pub(crate) fn part_of(path: &str, language: &str) -> Part {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    let folder = parts.iter().any(|part| TEST_FOLDERS.contains(part));
    if folder || is_test_name(name, language) {
        Part::Tests
    } else {
        Part::Product
    }
}

fn is_test_name(name: &str, language: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    match language {
        "python" => {
            stem.starts_with("test_")
                || stem.ends_with("_test")
                || matches!(stem, "conftest" | "tests" | "test")
        }
        "javascript" | "typescript" | "tsx" => {
            let inner = stem.rsplit_once('.').map(|(_, inner)| inner);
            matches!(
                inner,
                Some("test" | "spec" | "cy" | "e2e-spec" | "test-d" | "bench")
            )
        }
        "go" => stem.ends_with("_test"),
        "java" | "csharp" => ["Test", "Tests", "TestCase", "IT"]
            .iter()
            .any(|end| stem.ends_with(end) && stem.len() > end.len()),
        "rust" => stem == "tests" || stem.ends_with("_test") || stem.ends_with("_tests"),
        "ruby" => stem.ends_with("_spec") || stem.ends_with("_test") || stem.starts_with("test_"),
        "c" | "cpp" => {
            stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with("_unittest")
        }
        "haskell" => stem.ends_with("Spec") || stem.ends_with("Test"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_tell_tests_from_product_code() {
        for (path, language) in [
            ("tests/a.py", "python"),
            ("pkg/test_a.py", "python"),
            ("conftest.py", "python"),
            ("src/a.test.ts", "typescript"),
            ("src/__tests__/a.js", "javascript"),
            ("a_test.go", "go"),
            ("src/test/java/A.java", "java"),
            ("src/ATest.java", "java"),
            ("spec/a_spec.rb", "ruby"),
            ("src/lib/tests.rs", "rust"),
        ] {
            assert_eq!(part_of(path, language), Part::Tests, "{path}");
        }
        for (path, language) in [
            ("src/contest.py", "python"),
            ("latest/a.py", "python"),
            ("src/Test.java", "java"),
            ("testament.go", "go"),
            ("src/attest.ts", "typescript"),
        ] {
            assert_eq!(part_of(path, language), Part::Product, "{path}");
        }
    }
}
