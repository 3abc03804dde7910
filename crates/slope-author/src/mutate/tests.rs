#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use super::site::{Operator, sample, sites};
use crate::workspace::Workspace;

const SOURCE: &str = r#""""What the module is."""
import sys
from x import y

LIMIT = 10


@cached(1)
def step(a: "int", b=False):
    """Says nothing that can be changed."""
    if a < LIMIT and not b:
        log(a, b)
        return a + 1
    raise Bad(f"{a} is ''")
"#;

fn changed(operator: Operator) -> Vec<String> {
    let workspace = Workspace::of_file("m.py", SOURCE);
    let (all, sources) = sites(&workspace).unwrap();
    let of = all.iter().filter(|site| site.operator == operator);
    of.map(|site| {
        let source = &sources[&site.file];
        assert!(source.is_valid(&source.changed(site)), "{site:?}");
        let plus = source.diff(site);
        let plus = plus.iter().filter(|line| line.starts_with('+'));
        plus.map(|line| line[1..].trim())
            .collect::<Vec<_>>()
            .join("|")
    })
    .collect()
}

#[test]
fn each_operator_makes_its_mutation() {
    assert_eq!(
        changed(Operator::Comparison),
        ["if a <= LIMIT and not b:", "if a >= LIMIT and not b:"]
    );
    assert_eq!(changed(Operator::Connective), ["if a < LIMIT or not b:"]);
    assert_eq!(
        changed(Operator::Condition),
        ["if not (a < LIMIT and not b):", "if a < LIMIT and (b):"]
    );
    assert_eq!(changed(Operator::Arithmetic), ["return a - 1"]);
    assert_eq!(
        changed(Operator::Number),
        ["LIMIT = 11", "LIMIT = 9", "return a + 2", "return a + 0"]
    );
    assert_eq!(changed(Operator::Truth), ["def step(a: \"int\", b=True):"]);
    assert_eq!(changed(Operator::Text), ["raise Bad(f\"{a} is ''x\")"]);
    assert_eq!(changed(Operator::Statement), ["pass", "pass"]);
    assert_eq!(changed(Operator::Return), ["return None"]);
    assert_eq!(changed(Operator::Arguments), ["log(b, a)"]);
}

#[test]
fn fingerprints_survive_unrelated_edits() {
    let prints = |text: &str| -> Vec<String> {
        let (all, _) = sites(&Workspace::of_file("m.py", text)).unwrap();
        all.into_iter().map(|site| site.fingerprint).collect()
    };
    let (before, after) = (
        prints(SOURCE),
        prints(&SOURCE.replace("LIMIT = 10\n", "LIMIT = 10\n\n\n")),
    );
    assert_eq!(before, after);
    let mut unique = before.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), before.len());
    let twice = prints("def f(a):\n    a += 1\n    a += 1\n");
    assert_ne!(twice[0], twice[twice.len() / 2]);
}

#[test]
fn sample_depends_only_on_seed() {
    let (all, _) = sites(&Workspace::of_file("m.py", SOURCE)).unwrap();
    let drawn = |seed| sample(all.clone(), Some(5), seed);
    assert_eq!(drawn(1).len(), 5);
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    assert_eq!(sample(all.clone(), None, 1), all);
}

#[test]
fn syntax_errors_are_named() {
    let told = sites(&Workspace::of_file("m.py", "x = (\n")).unwrap_err();
    assert!(told.to_string().starts_with("m.py: syntax error"), "{told}");
}

#[test]
fn waiver_needs_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    assert!(super::waivers::read(dir.path()).unwrap().is_empty());
    let file = dir.path().join(super::waivers::FILE);
    let waive = |reason: &str| {
        let text = format!(
            "schema: slope.mutants/1\nwaived:\n  - fingerprint: abc\n    reason: \"{reason}\"\n"
        );
        std::fs::write(&file, text).unwrap();
        super::waivers::read(dir.path())
    };
    assert_eq!(
        waive("the list is sorted before").unwrap()["abc"],
        "the list is sorted before"
    );
    assert!(waive(" ").unwrap_err().to_string().contains("no reason"));
}
