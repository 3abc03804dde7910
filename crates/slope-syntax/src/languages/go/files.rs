//! Files: names and contents of tests, comments at the head, generated files, versions.

use crate::files::{Files, HeadComments, Levels, TestFiles};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        block: Some(("/*", "*/")),
        passed: &["package "],
        ..HeadComments::PLAIN
    },
    have_rules: true,
    are_utf8: true,
    draft: Some(|code| format!("func draft() {{\n{code}\n}}\n")),
    levels: Levels {
        places: &[("go.mod", r"(?m)^go\s+(\d+)\.(\d+)")],
        ..Levels::PLAIN
    },
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    // The go command ignores tests in any other file.
    only_named: true,
    is_test: |stem| stem.ends_with("_test"),
    ..TestFiles::PLAIN
};
