//! Files: names and contents of tests, comments at the head, generated files, versions.

use crate::files::{Files, HeadComments, Specs, TestFiles};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        line: &["#"],
        block: Some(("=begin", "=end")),
        ..HeadComments::PLAIN
    },
    comments_behind: &["#"],
    have_rules: true,
    draft: Some(|code| format!("def draft\n{code}\nend\n")),
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    is_test: |stem| {
        let ends = ["_spec", "_test", "_tests"];
        ends.iter().any(|end| stem.ends_with(end)) || stem == "spec_helper"
    },
    // RSpec and minitest do not collect a file that is just called `test`.
    may_be_whole: false,
    specs: Specs::OutsideCode,
    signs: &[
        "RSpec",
        "minitest",
        "Minitest",
        "test/unit",
        "Test::Unit",
        "TestCase",
    ],
    lines: &["describe ", "def test_"],
    ..TestFiles::PLAIN
};
