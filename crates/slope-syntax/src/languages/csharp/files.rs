//! Files: names and contents of tests, comments at the head, generated files, versions.

use crate::files::{Files, HeadComments, TestFiles};
use crate::paths::ends_word;

pub(super) const FILES: Files = Files {
    head: HeadComments {
        block: Some(("/*", "*/")),
        passed: &["#"],
        ..HeadComments::PLAIN
    },
    have_directives: true,
    have_rules: true,
    draft: Some(|code| format!("class Draft {{\n{code}\n}}\n")),
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    may_be_test: |stem| ["TestCase", "IT"].iter().any(|end| ends_word(stem, end)),
    // Visual Studio numbers what it makes: `UnitTest1`.
    are_numbered: true,
    signs: &[
        "[Fact",
        "[Theory",
        "[Test",
        "[SetUp",
        "Xunit",
        "NUnit",
        "VisualStudio.TestTools",
        "TUnit",
    ],
    ..TestFiles::PLAIN
};
