//! Paths that a snapshot leaves out.

use globset::{Glob, GlobSet, GlobSetBuilder};

/// Files that snapshots leave out by default: tools regenerate them.
///
/// An agent's own `.git` is part of its workspace and stays in.
pub const DEFAULT: &[&str] = &[
    "__pycache__",
    "*.pyc",
    ".venv",
    "venv",
    "node_modules",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
];

/// Compiled ignore patterns. Each matches at any depth, together with everything below the match.
#[derive(Debug, Clone)]
pub struct Ignore(GlobSet);

impl Ignore {
    /// Compiles glob patterns; `*` does not match a slash, `**` does.
    ///
    /// # Errors
    /// If a pattern is malformed; the message names it.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Result<Self, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let pattern = pattern.as_ref().trim_matches('/');
            for form in [pattern.to_owned(), format!("**/{pattern}")] {
                set.add(glob(&form)?);
                set.add(glob(&format!("{form}/**"))?);
            }
        }
        Ok(Self(set.build()?))
    }

    /// Ignores nothing.
    #[must_use]
    pub fn nothing() -> Self {
        Self(GlobSet::empty())
    }

    /// Whether `path`, relative and `/`-separated, is left out.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}

impl Default for Ignore {
    /// [`DEFAULT`].
    fn default() -> Self {
        Self::new(DEFAULT).unwrap_or_else(|_| Self::nothing())
    }
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    globset::GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignore_patterns_match_at_any_depth() {
        let ignore = Ignore::default();
        for left_out in [
            "venv/bin/python",
            "sub/deep/.venv/lib/x.py",
            "a/__pycache__/m.pyc",
            "x.pyc",
            "sub/venv",
        ] {
            assert!(ignore.matches(left_out), "{left_out}");
        }
        for kept in [
            "main.py",
            "venvs/a.py",
            "src/envy.py",
            ".git/config",
            "a/b/venv.py",
        ] {
            assert!(!ignore.matches(kept), "{kept}");
        }
    }

    #[test]
    fn slash_patterns_match_at_any_depth() {
        let ignore = Ignore::new(&["tests/assets"]).unwrap();
        assert!(ignore.matches("tests/assets/a.csv"));
        assert!(ignore.matches("x/tests/assets/a.csv"));
        assert!(!ignore.matches("tests/other/assets"));
    }
}
