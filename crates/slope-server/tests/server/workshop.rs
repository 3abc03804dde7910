//! The tools without the protocol.

use serde_json::{Value, json};
use slope_measure::Options;
use slope_server::{Answer, Refusal, Setup, ToolService};

const DATES: &str = "\
def parse_iso_date(text):
    \"\"\"Reads a calendar date.\"\"\"
    match = PATTERN.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day = (int(part) for part in match.groups())
    return Date(year, month, day)
";

/// Highly complex.
fn tangled() -> String {
    let mut code = "def tangled(a):\n".to_owned();
    for n in 0..15 {
        code.push_str(&format!("    if a == {n}:\n        a += {n}\n"));
    }
    code + "    return a\n"
}

fn workshop() -> (tempfile::TempDir, ToolService) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("app")).unwrap();
    std::fs::write(dir.path().join("app/dates.py"), DATES).unwrap();
    std::fs::write(dir.path().join("app/tangle.py"), tangled()).unwrap();
    let workshop = ToolService::new(Setup {
        root: dir.path().to_owned(),
        options: Options::default(),
        rules: Vec::new(),
    });
    (dir, workshop.unwrap())
}

fn call(workshop: &ToolService, tool: &str, arguments: Value) -> Result<Answer, Refusal> {
    workshop.call(tool, &arguments).unwrap()
}

#[test]
fn draft_finds_moved_function_immediately() {
    let (dir, workshop) = workshop();
    let draft = json!({ "language": "py", "code": DATES.replace("parse_iso_date", "read") });
    let answer = call(&workshop, "find_similar", draft.clone()).unwrap();
    assert_eq!(answer.structured["matches"][0]["path"], "app/dates.py");
    assert_eq!(answer.structured["matches"][0]["line"], 1);
    assert_eq!(answer.structured["matches"][0]["similarity"], 1.0);
    assert!(
        answer
            .text
            .starts_with("Look at `parse_iso_date` (app/dates.py:1) first"),
        "{}",
        answer.text
    );
    std::fs::rename(dir.path().join("app/dates.py"), dir.path().join("days.py")).unwrap();
    let answer = call(&workshop, "find_similar", draft).unwrap();
    assert_eq!(answer.structured["matches"][0]["path"], "days.py");
}

#[test]
fn description_search_finds_or_reports_none() {
    let (_dir, workshop) = workshop();
    let asked = json!({ "description": "parse a calendar date" });
    let answer = call(&workshop, "find_similar", asked).unwrap();
    assert_eq!(answer.structured["by"], "description");
    assert_eq!(answer.structured["matches"][0]["name"], "parse_iso_date");
    let asked = json!({ "description": "send mail over smtp" });
    let answer = call(&workshop, "find_similar", asked).unwrap();
    assert_eq!(answer.structured["matches"], json!([]));
    assert_eq!(answer.text, "None of 2 functions is similar. Write it.");
}

#[test]
fn wrong_arguments_explain_expected_ones() {
    let (_dir, workshop) = workshop();
    for (tool, arguments, said) in [
        ("find_similar", json!({}), "missing argument"),
        ("find_similar", json!({ "code": "x" }), "missing `language`"),
        (
            "find_similar",
            json!({ "code": "x", "language": "cobol" }),
            "expected one of python",
        ),
        ("find_similar", json!({ "snippet": "x" }), "expected one of"),
        ("measure", json!({ "path": "../.." }), "outside of"),
        ("measure", json!({ "path": "none" }), "no `none` in"),
        (
            "explain",
            json!({ "rule": "nothing" }),
            "unknown rule or signal `nothing`",
        ),
    ] {
        let refusal = call(&workshop, tool, arguments).unwrap_err();
        assert!(refusal.message.contains(said), "{tool}: {refusal}");
    }
    assert!(workshop.call("nothing", &json!({})).is_none());
}

#[test]
fn measure_names_worst_function_below_root() {
    let (_dir, workshop) = workshop();
    for path in [json!("app"), json!("app/tangle.py"), Value::Null] {
        let answer = call(&workshop, "measure", json!({ "path": path })).unwrap();
        let worst = &answer.structured["most_complex"][0];
        assert_eq!(worst["path"], "app/tangle.py", "{path}");
        assert_eq!(worst["complexity"], 16);
        assert!(
            answer
                .text
                .contains("app/tangle.py:1 `tangled`: complexity 16")
        );
    }
}

#[test]
fn every_answer_follows_its_schema() {
    let (_dir, workshop) = workshop();
    let asked = [
        ("find_similar", json!({ "description": "parse date" })),
        ("measure", json!({})),
    ];
    for (name, arguments) in asked {
        let answer = call(&workshop, name, arguments).unwrap();
        let tools = ToolService::tools();
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        assert_eq!(tool.output["type"], "object");
        for required in tool.output["required"].as_array().unwrap() {
            let key = required.as_str().unwrap();
            assert!(answer.structured.get(key).is_some(), "{name}: {key}");
        }
    }
}

#[test]
fn single_repository_file_can_be_checked() {
    let dir = slope_testkit::git::repository(&[("a.py", "x = 1\n"), ("b.py", "x = 1\n")]);
    let workshop = ToolService::new(Setup {
        root: dir.path().to_owned(),
        options: Options::default(),
        rules: Vec::new(),
    });
    std::fs::write(dir.path().join("a.py"), tangled()).unwrap();
    let check = |path: &str| {
        let answer = call(workshop.as_ref().unwrap(), "check", json!({ "path": path })).unwrap();
        answer.structured["passes"].clone()
    };
    assert_eq!((check("a.py"), check("b.py")), (json!(false), json!(true)));
}

#[test]
fn configuration_edits_apply_and_errors_repeat() {
    let (dir, workshop) = workshop();
    let files = || {
        let told = call(&workshop, "measure", json!({}));
        told.map(|told| told.structured["files"].clone())
    };
    assert_eq!(files().unwrap(), 2);
    let config = dir.path().join("slope.toml");
    std::fs::write(&config, "exclude = [\"app/dates.py\"]\n").unwrap();
    assert_eq!(files().unwrap(), 1);
    let asked = json!({ "description": "parse a calendar date" });
    let found = call(&workshop, "find_similar", asked.clone()).unwrap();
    assert_eq!(found.structured["matches"], json!([]));
    std::fs::write(&config, "x = [[[\n").unwrap();
    let broken = ToolService::new(Setup {
        root: dir.path().to_owned(),
        options: Options::default(),
        rules: Vec::new(),
    });
    for workshop in [&workshop, &broken.unwrap()] {
        for (tool, asked) in [("measure", json!({})), ("find_similar", asked.clone())] {
            let refusal = call(workshop, tool, asked).unwrap_err();
            assert!(refusal.message.contains("slope.toml"), "{refusal}");
        }
    }
    std::fs::remove_file(&config).unwrap();
    assert_eq!(files().unwrap(), 2);
}

#[test]
fn finding_paths_are_relative_to_root() {
    let (dir, workshop) = workshop();
    std::fs::write(dir.path().join("app/more.py"), tangled()).unwrap();
    let told = call(&workshop, "measure", json!({ "path": "app", "top": 50 })).unwrap();
    let findings = told.structured["findings"].as_array().unwrap();
    let clone = findings.iter().find(|found| found["rule"] == "clone");
    let message = clone.unwrap()["message"].as_str().unwrap();
    assert!(message.contains(", also at app/"), "{message}");
}
