//! Files: names and contents of tests, comments at the head, generated files, versions.

use crate::files::{Files, HeadComments, Levels, TestFiles};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        block: Some(("/*", "*/")),
        passed: &["#"],
        ..HeadComments::PLAIN
    },
    have_layout_braces: true,
    allow_lints: true,
    list_defaults: true,
    have_rules: true,
    are_utf8: true,
    have_template_marks: true,
    draft: Some(|code| format!("fn draft() {{\n{code}\n}}\n")),
    levels: Levels {
        places: &[(
            "Cargo.toml",
            r#"(?m)^rust-version\s*=\s*["'](\d+)(?:\.(\d+))?"#,
        )],
        ..Levels::PLAIN
    },
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    // Cargo ignores file names, but unit tests of a module are usually in this file.
    only_named: true,
    is_test: |stem| stem == "tests",
    ..TestFiles::PLAIN
};
