//! Comments that speak to tools: linters, type checkers and formatters.

/// Words of such comments, in lower case.
const WORDS: &[&str] = &[
    "pylint",
    "noqa",
    "mypy",
    "pragma",
    "ruff:",
    "fmt:",
    "isort",
    "yapf",
    "type:",
    "pyright",
    "eslint",
    "prettier",
    "@ts-",
    "istanbul",
    "nolint",
    "nosec",
    "vim:",
    "-*-",
    "clang-format",
    "coding:",
    "cspell",
    "rubocop",
    "slope:",
    "biome",
    "flake8",
    "nopmd",
    "nosonar",
    "tslint",
];

/// Whether a comment speaks to a tool: `# noqa: E501`, `// eslint-disable-line`.
#[must_use]
pub fn is_for_a_tool(comment: &str) -> bool {
    let lower = comment.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::is_for_a_tool;

    #[test]
    fn linter_comments_are_for_tools() {
        assert!(is_for_a_tool("# noqa: BLE001"));
        assert!(is_for_a_tool("// NOSONAR"));
        assert!(!is_for_a_tool("# The cache may be gone."));
    }
}
