//! Files: names and contents of tests, comments at the head, generated files, versions.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::files::{Files, HeadComments, Levels, Specs, TestFiles};

pub(super) const FILES: Files = Files {
    generated: |text| names_source_map(text).then_some("generated: its end names a source map"),
    levels: Levels {
        oldest,
        ..Levels::PLAIN
    },
    ..SCRIPTS
};

/// The same where types are written.
pub(in crate::languages) const TYPED: Files = Files {
    levels: Levels {
        places: &[("tsconfig.json", r#"(?im)^\s*"target"\s*:\s*"es(20\d\d)"#)],
        ..Levels::PLAIN
    },
    ..SCRIPTS
};

const SCRIPTS: Files = Files {
    head: HeadComments {
        line: &["//", "#!"],
        block: Some(("/*", "*/")),
        passed: &["'use strict'", "\"use strict\""],
        ..HeadComments::PLAIN
    },
    are_minified: true,
    have_rules: true,
    have_template_marks: true,
    draft: Some(|code| format!("function draft() {{\n{code}\n}}\n")),
    ..Files::PLAIN
};

pub(in crate::languages) const TESTS: TestFiles = TestFiles {
    may_be_test: |stem| {
        let ends = ["-test", "-tests", "-spec", "_spec"];
        stem.starts_with("test-") || ends.iter().any(|end| stem.ends_with(end))
    },
    // The other names that test runners use: `a.cy.ts`, `a.test-d.ts`.
    words: &["cy", "e2e-spec", "test-d", "bench"],
    specs: Specs::OutsideCode,
    signs: &[
        "vitest",
        "@jest/",
        "node:test",
        "from 'ava'",
        "from \"ava\"",
        "chai",
        "assert",
    ],
    lines: &[
        "describe(",
        "describe.",
        "it(",
        "it.",
        "test(",
        "test.",
        "suite(",
        "QUnit.",
        "Deno.test",
        "tap.",
        "expect(",
    ],
    ..TestFiles::PLAIN
};

/// The oldest version of Node that a package supports.
const NODE: &str = r#""engines"\s*:\s*\{[^}]*"node"\s*:\s*"[^"\d]*(\d+)"#;

/// Major versions of Node, and the standard of the language that each has in full.
const STANDARDS: &[(u32, u32)] = &[
    (8, 2017),
    (10, 2018),
    (12, 2019),
    (14, 2020),
    (15, 2021),
    (18, 2022),
    (20, 2023),
    (22, 2024),
];

static NODE_VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(NODE).ok());

/// The standard that the oldest version of Node has which the package of a folder supports.
fn oldest(folder: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(folder.join("package.json")).ok()?;
    let node = NODE_VERSION.as_ref()?.captures(&text)?;
    let major = node.get(1)?.as_str().parse::<u32>().ok()?;
    let known = STANDARDS.iter().rev().find(|(node, _)| *node <= major);
    Some(known.map_or(2015, |(_, year)| *year))
}

/// Whether one of the last two lines says from which sources a script was made.
fn names_source_map(text: &str) -> bool {
    let last = text.trim_end().rsplit('\n').take(2);
    let marks = ["//# ", "//@ ", "/*# ", "/*@ "];
    last.map(str::trim_start).any(|line| {
        marks.iter().any(|mark| {
            let pragma = line.strip_prefix(mark);
            pragma
                .is_some_and(|s| s.starts_with("sourceMappingURL=") || s.starts_with("sourceURL="))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_pattern_compiles() {
        assert!(NODE_VERSION.is_some());
    }
}
