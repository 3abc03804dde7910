//! All that is known of a line, and of rules.

use crate::common::measured::{NAME, measurement, rules, subject};
use slope_report::{explain_rule, line_facts, list_rules, near_ids, render_line_facts};

fn why(path: &str, line: u32) -> String {
    let (measurement, rules) = (measurement(), rules());
    let facts = line_facts(
        &measurement,
        path,
        line,
        Some("    x == None".into()),
        Some(true),
    );
    render_line_facts(&facts, &subject(&measurement, &rules), false)
}

#[test]
fn full_line_report_matches_snapshot() {
    insta::assert_snapshot!(why("pantry.py", 5));
}

#[test]
fn suppressed_finding_is_shown_on_line() {
    let text = why("pantry.py", 30);
    assert!(text.contains("suppressed: <script>"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
}

#[test]
fn line_in_skipped_file_is_explained() {
    let text = why("vendor/x/y.py", 3);
    assert!(
        text.contains("the file was not measured: left out: "),
        "{text}"
    );
    let facts = line_facts(&measurement(), "gen/a_pb2.py", 3, None, None);
    assert_eq!(
        facts.not_measured.unwrap(),
        "left out: generated: said in line 2"
    );
}

#[test]
fn line_facts_serialise_to_json() {
    let facts = line_facts(&measurement(), "pantry.py", 41, None, Some(false));
    let value = serde_json::to_value(&facts).unwrap();
    assert_eq!(value["schema"], "slope.line/1");
    assert_eq!(value["clones"][0]["kind"], "near_miss");
    assert_eq!(value["clones"][0]["others"][0]["path"], NAME);
    assert_eq!(value["source"], false);
    assert_eq!(value["text"], serde_json::Value::Null);
}

#[test]
fn rule_list_matches_snapshot() {
    insta::assert_snapshot!(list_rules(&rules(), false, Some(110)));
}

#[test]
fn rule_explanations_match_snapshots() {
    let rules = rules();
    insta::assert_snapshot!(explain_rule(&rules, "none-equality", false).unwrap());
    insta::assert_snapshot!(explain_rule(&rules, "unused-import", false).unwrap());
    let hostile = explain_rule(&rules, "hostile-rule", false).unwrap();
    assert!(!hostile.contains(['\u{1b}', '\u{202e}']), "{hostile}");
    assert!(explain_rule(&rules, "none-equalit", false).is_none());
}

#[test]
fn misspelt_rule_suggests_near_ids() {
    let rules = rules();
    assert_eq!(
        near_ids(&rules, "none-equalty"),
        ["none-equality", "null-equality"]
    );
    assert_eq!(near_ids(&rules, "UNUSED_IMPORT"), ["unused-import"]);
    assert_eq!(near_ids(&rules, "length"), ["length-compared"]);
    assert!(near_ids(&rules, "zzz").is_empty());
}
