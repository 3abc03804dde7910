//! Files: names and contents of tests, comments at the head, generated files, versions.

use super::levels;
use crate::files::{Files, HeadComments, Levels, TestFiles};
use crate::paths::{begins_word, ends_word};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        block: Some(("/*", "*/")),
        passed: &["package "],
        ..HeadComments::PLAIN
    },
    generated: |text| {
        is_template(text).then_some("generated: a template, from which others are made")
    },
    have_rules: true,
    draft: Some(|code| format!("class Draft {{\n{code}\n}}\n")),
    levels: Levels {
        oldest: levels::oldest,
        ..Levels::PLAIN
    },
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    may_be_test: |stem| {
        let ends = ["TestCase", "IT", "ITCase"];
        ends.iter().any(|end| ends_word(stem, end)) || begins_word(stem, "Test")
    },
    signs: &[
        "org.junit",
        "org.testng",
        "@Test",
        "extends TestCase",
        "spock.",
    ],
    ..TestFiles::PLAIN
};

/// Lines that are the head of a file.
const HEAD_LINES: usize = 20;

/// Whether a text is the template of an editor, which has directives that the language does not have.
fn is_template(text: &str) -> bool {
    let directives = ["#parse(", "#if (", "#if(", "#set(", "#foreach("];
    let lines = text.lines().take(HEAD_LINES);
    let mut lines = lines.take_while(|line| !line.contains("/*"));
    let names_class = ["class ${", "interface ${", "enum ${"];
    lines.any(|line| directives.iter().any(|begin| line.starts_with(begin)))
        && names_class.iter().any(|named| text.contains(named))
}
