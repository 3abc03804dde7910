//! Files: names and contents of tests, comments at the head, generated files, versions.

use crate::files::{Files, HeadComments, TestFiles};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        block: Some(("/*", "*/")),
        passed: &["#"],
        ..HeadComments::PLAIN
    },
    are_amalgamated: true,
    have_directives: true,
    have_rules: true,
    ..Files::PLAIN
};

pub(in crate::languages) const TESTS: TestFiles = TestFiles {
    is_test: |stem| stem.ends_with("_unittest"),
    may_be_test: |stem| stem.ends_with("-test"),
    signs: &[
        "gtest",
        "catch2",
        "doctest",
        "cmocka",
        "unity.h",
        "BOOST_AUTO_TEST",
        "assert(",
    ],
    lines: &["TEST", "static void test", "void test", "static int test"],
    ..TestFiles::PLAIN
};
