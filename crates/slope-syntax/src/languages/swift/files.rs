//! Files: tests by name and content, comments at the head.

use crate::files::{Files, HeadComments, TestFiles};
use crate::paths::ends_word;

pub(super) const FILES: Files = Files {
    head: HeadComments {
        block: Some(("/*", "*/")),
        passed: &["#!"],
        ..HeadComments::PLAIN
    },
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    may_be_test: |stem| {
        let ends = ["Spec", "TestCase"];
        ends.iter().any(|end| ends_word(stem, end))
    },
    signs: &["XCTest", "import Testing", "Quick", "Nimble"],
    ..TestFiles::PLAIN
};
