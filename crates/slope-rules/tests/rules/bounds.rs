//! Rules that look far from each place, in files that hold very many of them.

use std::path::PathBuf;

use slope_rules::{RuleSet, Scan};
use slope_syntax::{Language, Limits, SyntaxTree, parse, parse_after};

fn python() -> Language {
    Language::by_id("python").unwrap()
}

fn set(rules: &[&str]) -> RuleSet {
    let written = (0..).zip(rules).map(|(number, rule)| {
        let text = format!("id: r{number}\nlanguage: python\nmessage: m\nrule:\n  {rule}\n");
        (PathBuf::from(format!("r{number}.yml")), text)
    });
    let mut set = RuleSet::empty();
    set.add_texts("test", written).unwrap();
    set
}

fn tree(code: &str) -> SyntaxTree {
    parse(python(), code.as_bytes(), &Limits::default()).unwrap()
}

/// Rules with hits, and how many.
fn counts(scan: &Scan, rules: usize) -> Vec<usize> {
    let of = |rule| {
        scan.hits
            .iter()
            .filter(move |hit| hit.rule as usize == rule)
    };
    (0..rules).map(|rule| of(rule).count()).collect()
}

/// Looks from each of the calls at all before it, for what only [`SAID`] says.
const FAR: &str = "{kind: expression_statement, follows: {stopBy: end, regex: '^nowhere$'}}";
/// Has the rule tried: its word is there.
const SAID: &str = "# nowhere\n";
const NEAR: &str = "{kind: call}";

#[test]
fn runaway_rule_stops_and_is_reported() {
    let set = set(&[FAR, NEAR]);
    let calls = |count: usize| tree(&(SAID.to_owned() + &"f(x)\n".repeat(count)));
    let few = set.scan_every(&calls(200));
    assert_eq!((counts(&few, 2), few.unfinished.len()), (vec![0, 200], 0));
    let many = set.scan_every(&calls(8_000));
    // The other rule is looked for in all of the tree.
    assert_eq!(counts(&many, 2), [0, 8_000]);
    assert_eq!(many.unfinished.len(), 1);
    assert_eq!(many.unfinished[0].rule, 0);
}

#[test]
fn unfinished_search_is_not_a_match() {
    // Were the search that ended early taken for one that found nothing, all the rest would match.
    let set =
        set(&["{kind: expression_statement, not: {follows: {stopBy: end, regex: '^first$'}}}"]);
    let found = set.scan_every(&tree(&format!("first\n{}", "f(x)\n".repeat(8_000))));
    assert_eq!(counts(&found, 1), [1]);
    assert_eq!(found.unfinished.len(), 1);
}

#[test]
fn many_siblings_are_counted_once() {
    let set = set(&[
        "{kind: expression_statement, nthChild: '2n+1'}",
        "{kind: expression_statement, nthChild: {position: 3, reverse: true}}",
        "{nthChild: {position: '2n', ofRule: {kind: expression_statement}}}",
    ]);
    // Every third is a comment, which has no say in the third rule.
    let scan = set.scan_every(&tree(&"f(x)\ng(x)\n# c\n".repeat(8_000)));
    assert_eq!(scan.unfinished, []);
    assert_eq!(counts(&scan, 3), [8_000, 1, 8_000]);
}

#[test]
fn unfinished_scan_is_not_reused() {
    let set = set(&[FAR, NEAR]);
    let functions = |count: usize, body: &str| {
        let one = |number: usize| format!("def f{number}(x):\n{}", body.repeat(40));
        (0..count).map(one).collect::<String>()
    };
    let far = functions(40, "    f(x)\n") + SAID + &"f(x)\n".repeat(8_000);
    let near = functions(40, "    f(x)\n") + SAID + "f(x)\n";
    let (mut before, mut known) = (None, None);
    let mut ends = Vec::new();
    for code in [&far, &near, &far, &near] {
        let parsed = parse_after(
            python(),
            code.as_bytes(),
            &Limits::default(),
            before.as_ref(),
        );
        let parsed = parsed.unwrap();
        let scan = set.scan_after(&parsed, known.as_ref());
        let afresh = set.scan_every(&parsed);
        assert_eq!(
            (&scan.hits, &scan.unfinished),
            (&afresh.hits, &afresh.unfinished)
        );
        ends.push(scan.unfinished.len());
        (before, known) = (Some(parsed), Some(scan));
    }
    assert_eq!(ends, [1, 0, 1, 0]);
}
