//! Files: names and contents of tests, comments at the head, generated files, versions.

use crate::files::{Files, HeadComments, Levels, TestFiles};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        line: &["#"],
        has_texts: true,
        ..HeadComments::PLAIN
    },
    comments_behind: &["#"],
    are_published: true,
    have_rules: true,
    are_utf8: true,
    draft: Some(|code| {
        let body: String = code.lines().map(|row| format!("    {row}\n")).collect();
        format!("def draft():\n{body}")
    }),
    levels: Levels {
        places: &[
            (
                "pyproject.toml",
                r#"(?m)^requires-python\s*=\s*["'][^"'\n]*?(?:>=|~=|==)\s*(\d+)(?:\.(\d+))?"#,
            ),
            (
                "pyproject.toml",
                r#"(?m)^python\s*=\s*["'](?:\^|>=|~)\s*(\d+)(?:\.(\d+))?"#,
            ),
            (
                "setup.cfg",
                r"(?m)^python_requires\s*=\s*(?:>=|~=)\s*(\d+)(?:\.(\d+))?",
            ),
            (
                "setup.py",
                r#"python_requires\s*=\s*["'](?:>=|~=)\s*(\d+)(?:\.(\d+))?"#,
            ),
        ],
        ..Levels::PLAIN
    },
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    is_test: |stem| matches!(stem, "conftest" | "tests"),
    // Pytest does not collect a file called `test` alone.
    may_be_whole: false,
    signs: &["import pytest", "from pytest", "unittest", "doctest"],
    lines: &["def test", "async def test", "class Test"],
    ..TestFiles::PLAIN
};
