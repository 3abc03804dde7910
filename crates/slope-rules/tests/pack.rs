//! The embedded pack against its own examples and conventions.

use std::collections::BTreeSet;

use slope_rules::{CATEGORIES, Rule, RuleSet};
use slope_syntax::{Limits, parse};

/// Ids of the rules that match somewhere in the code.
fn matched<'a>(set: &'a RuleSet, rule: &Rule, code: &str) -> BTreeSet<&'a str> {
    let tree = parse(rule.language, code.as_bytes(), &Limits::default()).expect("text");
    assert_eq!(
        tree.errors(),
        None,
        "{}: example is no code:\n{code}",
        rule.id
    );
    let hits = set.scan(&tree);
    hits.iter()
        .map(|h| set.rules()[h.rule].id.as_str())
        .collect()
}

#[test]
fn every_rule_agrees_with_its_examples() {
    let set = RuleSet::embedded().unwrap();
    let mut wrong = Vec::new();
    for rule in set.rules() {
        for code in &rule.invalid {
            if !matched(&set, rule, code).contains(rule.id.as_str()) {
                wrong.push(format!("{} finds nothing in:\n{code}", rule.id));
            }
        }
        for code in &rule.valid {
            if matched(&set, rule, code).contains(rule.id.as_str()) {
                wrong.push(format!("{} should find nothing in:\n{code}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}

#[test]
fn every_rule_keeps_the_conventions() {
    let set = RuleSet::embedded().unwrap();
    assert!(set.rules().len() >= 35, "{} rules", set.rules().len());
    for rule in set.rules() {
        let id = &rule.id;
        assert!(
            CATEGORIES.contains(&rule.category.as_str()),
            "{id}: category"
        );
        assert!(
            rule.path
                .ends_with(format!("{}/{id}.yml", rule.language.id())),
            "{id}: file name"
        );
        assert!(rule.message.ends_with('.'), "{id}: message is one sentence");
        assert!(rule.message.len() <= 100, "{id}: message is short");
        assert!(
            rule.note.len() >= 60 && rule.note.ends_with('.'),
            "{id}: note says why"
        );
        assert!(
            rule.invalid.len() >= 2,
            "{id}: two invalid examples or more"
        );
        assert!(rule.valid.len() >= 2, "{id}: two valid examples or more");
    }
}
