//! Files: names and contents of tests, comments at the head, generated files, versions.

use crate::files::{Files, HeadComments, Specs, TestFiles};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        line: &["--"],
        block: Some(("{-", "-}")),
        ..HeadComments::PLAIN
    },
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    may_be_test: |stem| stem.ends_with("Spec") || stem.ends_with("Test"),
    specs: Specs::InLowerCase,
    signs: &[
        "Test.Hspec",
        "Test.Tasty",
        "Test.HUnit",
        "Test.QuickCheck",
        "Hedgehog",
    ],
    ..TestFiles::PLAIN
};
