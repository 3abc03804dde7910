//! Judgements of the gate in formats for other programs.

use serde_json::{Value, json};
use slope_model::gate::Judgement;
use slope_report::{Format, JudgementDetail, render_judgement};

fn violation(rule: &str, path: &str, message: &str) -> Value {
    json!({
        "rule": rule, "level": "error", "part": "product", "path": path, "function": null,
        "line": 3, "end_line": 4, "before": null, "after": 1.0, "limit": null,
        "fingerprint": message, "message": message, "advice": "Change it.", "evidence": {},
    })
}

/// Two violations at one place, one of the whole change, a waived one, and a note of two lines.
fn judgement() -> Judgement {
    let judgement = json!({
        "schema": "slope.judgement/1",
        "definitions": {"version": "slope/10", "hash": "h", "grammars": {}, "rules": {}},
        "base": {"name": "main", "commit": null},
        "head": {"name": "working tree", "commit": null},
        "chosen": "the default branch", "files": 1, "passes": false, "parts": {},
        "balance": {"change": {
            "mass": 0.0, "clone_lines": 0, "flagged_lines": 0, "verbose_lines": 0, "dead_code": 0, "sloc": 0,
        }},
        "violations": [
            violation("new-finding", "a.py", "First."),
            violation("new-finding", "a.py", "Second."),
            violation("change-budget", "", "Too much."),
        ],
        "waived": [{"violation": violation("dead-code", "b.py", "Unused."), "reason": "needed soon", "until": null}],
        "notes": ["One line\nand another"],
    });
    serde_json::from_value(judgement).unwrap()
}

fn rendered(format: Format) -> String {
    render_judgement(format, &judgement(), &JudgementDetail::default()).unwrap()
}

#[test]
fn junit_cases_have_distinct_names() {
    let text = rendered(Format::Junit);
    for name in ["new-finding at line 3", "new-finding at line 3 (2)"] {
        assert_eq!(
            text.matches(&format!("name=\"{name}\"")).count(),
            1,
            "{text}"
        );
    }
}

#[test]
fn junit_shows_waivers_and_notes() {
    let text = rendered(Format::Junit);
    let waived = "<skipped message=\"needed soon\"/><system-out>b.py:3: Unused. Change it. [dead-code]</system-out>";
    assert!(text.contains(waived), "{text}");
    assert!(
        text.contains("note: One line and another</system-out>"),
        "{text}"
    );
    assert!(text.contains("tests=\"5\" failures=\"3\""), "{text}");
}

#[test]
fn gitlab_shows_waivers_notes_and_budgets() {
    let issues: Vec<Value> = serde_json::from_str(&rendered(Format::Gitlab)).unwrap();
    let told: Vec<(&str, &str, &str)> = issues
        .iter()
        .map(|issue| {
            (
                issue["severity"].as_str().unwrap(),
                issue["location"]["path"].as_str().unwrap(),
                issue["description"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told[2..],
        [
            ("major", ".", "Too much. Change it."),
            ("info", "b.py", "waived (needed soon): Unused. Change it."),
            ("info", ".", "One line and another"),
        ]
    );
}

#[test]
fn markdown_notes_are_on_one_line() {
    let text = rendered(Format::Markdown);
    assert!(text.contains("* note: One line and another\n"), "{text}");
}
