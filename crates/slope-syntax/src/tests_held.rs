//! The contents of a file with a test's name: whether it has tests, or other code.

use crate::text::has_any;
use crate::tree::SyntaxTree;

/// Whether a file has what tests are known by: a framework, or functions that a runner collects.
#[must_use]
pub fn holds_tests(tree: &SyntaxTree) -> bool {
    let text = tree.text();
    let files = &tree.language().spec().test_files;
    has_any(text, files.signs) || begins_line(tree, files.lines)
}

/// Whether a line begins with one of these words.
fn begins_line(tree: &SyntaxTree, words: &[&str]) -> bool {
    let begins = |line: &str| words.iter().any(|word| line.starts_with(word));
    let mut starts = tree.line_starts().iter();
    !words.is_empty()
        && starts.any(|&start| {
            let line = tree.text().get(start as usize..).unwrap_or_default();
            // A word has no line break in it.
            let line = line.trim_start_matches([' ', '\t']);
            let is_other = |c: char| c.is_whitespace() && c != '\n';
            begins(line) || line.starts_with(is_other) && begins(line.trim_start_matches(is_other))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Limits, parse};

    #[test]
    fn finds_files_with_tests() {
        for (language, text, expected) in [
            ("python", "def test_a():\n    assert a\n", true),
            ("python", "def mode():\n    return 1\n", false),
            ("java", "import org.junit.Test;\nclass ATest {}\n", true),
            ("java", "class TestController { void run() {} }\n", false),
            (
                "csharp",
                "class UnitTest1 { [Fact] public void A() {} }\n",
                true,
            ),
            (
                "csharp",
                "class SpeedTest { public void Run() {} }\n",
                false,
            ),
            ("typescript", "export const list = [1];\n", false),
            ("typescript", "describe('a', () => {});\n", true),
        ] {
            let language = Language::by_id(language).unwrap();
            let tree = parse(language, text.as_bytes(), &Limits::default()).unwrap();
            assert_eq!(holds_tests(&tree), expected, "{text}");
        }
    }
}
