//! Files: names and contents of tests, comments at the head, generated files.

use crate::files::{Files, HeadComments, Specs, TestFiles};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        line: &["--"],
        block: Some(("--[[", "]]")),
        passed: &["#!"],
        ..HeadComments::PLAIN
    },
    comments_behind: &["--"],
    generated: |text| {
        let is_compiled = text.starts_with("local _tl_compat;");
        is_compiled.then_some("generated: compiled from Teal")
    },
    ..Files::PLAIN
};

pub(super) const TESTS: TestFiles = TestFiles {
    is_test: |stem| stem.ends_with("_spec"),
    specs: Specs::OutsideCode,
    signs: &["luaunit", "lunit", "busted", "plenary.busted", "describe("],
    lines: &["it(", "function test", "function Test"],
    ..TestFiles::PLAIN
};
