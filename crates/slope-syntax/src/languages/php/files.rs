//! Files: names and contents of tests, comments at the head, generated files.

use crate::files::{Files, HeadComments, TestFiles};
use crate::paths::ends_word;

pub(super) const FILES: Files = Files {
    head: HeadComments {
        line: &["//", "#"],
        block: Some(("/*", "*/")),
        passed: &["<?php", "namespace ", "declare("],
        ..HeadComments::PLAIN
    },
    comments_behind: &["//", "/*", "#"],
    generated: |text| {
        let is_template = !text.trim().is_empty() && !text.contains("<?");
        is_template.then_some("generated: a template without PHP code")
    },
    draft: Some(|code| format!("<?php\nclass Draft {{\n{code}\n}}\n")),
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    may_be_test: |stem| ["TestCase", "Cest"].iter().any(|end| ends_word(stem, end)),
    signs: &["PHPUnit", "TestCase", "Codeception", "@test", "#[Test"],
    lines: &["it(", "test(", "describe("],
    ..TestFiles::PLAIN
};
