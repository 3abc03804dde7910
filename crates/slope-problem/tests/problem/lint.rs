//! What `lint` finds in a problem with one fault, and that it finds nothing else.

use std::path::Path;

use slope_problem::{BUILTIN, Level, lint};

const SPEC: &str =
    "<!-- canary: 1 -->\nAdd numbers.<!--#add-->\n\n    sum 1 2\n\n```\nthe sum is 3\n```\n";
const SUITE: &str = "\
# canary: 1
schema: slope.cases/1
cases:
  - id: adds
    group: core
    clauses: [add]
    steps:
      - {args: [sum, '4', '5'], expect: {stdout: {equals: the sum is 9}}}
";
const CONFIG: &str = "\
# canary: 1
name: two-and-two
version: 1
description: adds
entry_file: sum
suite: cases
checkpoints:
  checkpoint_1: {version: 1}
";

/// The problem with one file replaced, and the rules and places of what is found.
fn found(file: &str, text: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("config.yaml", CONFIG),
        ("checkpoint_1.md", SPEC),
        ("suite/checkpoint_1.yaml", SUITE),
        ("solutions/checkpoint_1/sum.py", "pass\n"),
        (file, text),
    ];
    slope_testkit::write(dir.path(), &files);
    let lints = lint(dir.path()).unwrap();
    let line = |line: Option<u64>| line.map_or_else(String::new, |line| format!(":{line}"));
    lints
        .iter()
        .map(|l| format!("{} {}{}", l.rule, l.path.display(), line(l.line)))
        .collect()
}

#[test]
fn valid_problem_has_no_lints() {
    assert_eq!(found("config.yaml", CONFIG), Vec::<String>::new());
}

#[test]
fn each_lint_names_its_line() {
    let spec = "checkpoint_1.md";
    let suite = "suite/checkpoint_1.yaml";
    for (file, text, expected) in [
        (
            spec,
            SPEC.replace("canary", "bird"),
            "canary-missing checkpoint_1.md:1",
        ),
        (
            suite,
            SUITE.replace("canary", "bird"),
            "canary-missing suite/checkpoint_1.yaml:1",
        ),
        (
            spec,
            SPEC.replace("Add", "Two and two: add"),
            "name-told checkpoint_1.md",
        ),
        (
            spec,
            SPEC.replace("Add", "For the Benchmark, add"),
            "purpose-told checkpoint_1.md",
        ),
        (
            spec,
            SPEC.replace("numbers.", "numbers.<!--#order-->"),
            "clause-untested checkpoint_1.md:2",
        ),
        (
            suite,
            SUITE.replace("    clauses: [add]\n", "    clauses: [add, sub]\n"),
            "clause-unknown suite/checkpoint_1.yaml:4",
        ),
        (
            suite,
            SUITE
                .replace("'4', '5'", "'1', '2'")
                .replace("is 9", "is 3"),
            "case-shown suite/checkpoint_1.yaml:4",
        ),
        (
            suite,
            SUITE.replace("group: core", "group: error"),
            "core-missing suite/checkpoint_1.yaml",
        ),
    ] {
        assert_eq!(found(file, &text), [expected]);
    }
    assert_eq!(
        found(suite, &SUITE.replace("    clauses: [add]\n", "")),
        [
            "clause-untested checkpoint_1.md:2",
            "case-without-clause suite/checkpoint_1.yaml:4"
        ]
    );
}

#[test]
fn builtin_problem_has_no_lint_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../problems")
        .join(BUILTIN);
    let errors: Vec<_> = lint(&folder).unwrap();
    let errors: Vec<_> = errors.iter().filter(|l| l.level == Level::Error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}
