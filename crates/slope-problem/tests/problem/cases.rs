//! Declarative suites: a good one, and the errors for broken ones.

use std::fs;

use slope_model::problem::{Group, SuiteKind};
use slope_problem::{Error, LoadOptions, Problem, load, load_cases};
use tempfile::TempDir;

const CONFIG: &str = "\
version: 1
name: echo
description: d
entry_file: echo
suite: cases
checkpoints:
  checkpoint_1: {version: 1}
";

const SUITE: &str = "\
schema: slope.cases/1
timeout_s: 5
cases:
  - id: says-hello
    group: core
    files:
      in/names.txt: |
        Ada
    steps:
      - args: [hello, in/names.txt]
        stdin: \"\"
        expect:
          stdout: {equals: Hello Ada}
          files:
            out.txt: absent
            log.txt: {text: {matches: '^Ada$'}}
  - id: bad-argument
    group: error
    steps:
      - args: [-x]
        expect: {exit: 2, stderr: {contains: [unknown]}}
";

fn load_with(suite: &str) -> (TempDir, Result<Problem, Error>) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("suite")).unwrap();
    fs::write(dir.path().join("config.yaml"), CONFIG).unwrap();
    fs::write(dir.path().join("checkpoint_1.md"), "Echo.\n").unwrap();
    fs::write(dir.path().join("suite/checkpoint_1.yaml"), suite).unwrap();
    let problem = load(dir.path(), &LoadOptions::default());
    (dir, problem)
}

#[test]
fn suite_cases_keep_their_order() {
    let (_dir, problem) = load_with(SUITE);
    let problem = problem.unwrap();
    assert_eq!(problem.suite, SuiteKind::Cases);
    let file = load_cases(&problem, "checkpoint_1").unwrap();
    assert_eq!(
        file.cases.iter().map(|c| c.id.as_str()).collect::<Vec<_>>(),
        ["says-hello", "bad-argument"]
    );
    assert_eq!(file.cases[0].files["in/names.txt"], "Ada\n");
    assert_eq!(file.cases[1].group, Group::Error);
    assert_eq!(file.cases[1].steps[0].expect.exit, Some(2));
    assert!(
        load_cases(&problem, "checkpoint_9")
            .unwrap_err()
            .to_string()
            .contains("checkpoint_9")
    );
}

#[test]
fn missing_suite_is_named() {
    let (dir, problem) = load_with(SUITE);
    problem.unwrap();
    fs::remove_file(dir.path().join("suite/checkpoint_1.yaml")).unwrap();
    let error = load(dir.path(), &LoadOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("suite of a checkpoint is missing"),
        "{error}"
    );
}

#[track_caller]
fn refuses(from: &str, to: &str, says: &str, line: Option<u64>) {
    assert!(SUITE.contains(from));
    let error = load_with(&SUITE.replacen(from, to, 1)).1.unwrap_err();
    assert!(error.path().ends_with("suite/checkpoint_1.yaml"), "{error}");
    assert!(error.to_string().contains(says), "{error}");
    assert_eq!(error.line(), line, "{error}");
}

#[test]
fn suite_errors_name_case_and_line() {
    refuses("slope.cases/1", "slope.cases/9", "unknown schema", None);
    refuses("id: bad-argument", "id: says-hello", "used twice", Some(17));
    refuses("group: core", "group: regression", "never written", Some(4));
    refuses(
        "in/names.txt: |",
        "../names.txt: |",
        "leaves the case's directory",
        Some(4),
    );
    refuses(
        "out.txt: absent",
        "/tmp/out.txt: absent",
        "leaves the case's directory",
        Some(4),
    );
    refuses("'^Ada$'", "'(Ada'", "does not compile", Some(4));
    refuses("{equals: Hello Ada}", "{}", "checks nothing", Some(4));
    refuses("timeout_s: 5", "timeout_s: 0", "positive", None);
    refuses("stdin: \"\"", "input: \"\"", "input", Some(11));
    refuses("group: error", "group: nice", "nice", Some(18));
}

#[test]
fn suite_without_cases_is_refused() {
    let start = SUITE.find("cases:\n").unwrap();
    refuses(&SUITE[start..], "cases: []\n", "no cases", None);
}

/// A suite of one service case with these steps.
fn service(steps: &str) -> String {
    format!(
        "schema: slope.cases/1\nservice: {{args: [\"${{port}}\"]}}\ncases:\n  - id: asks\n    group: core\n    steps: {steps}\n"
    )
}

#[test]
fn service_steps_parse_and_round_trip() {
    let steps = r#"[
        {write: {a: b}}, {request: {send: POST /a, json: {n: 1}, capture: {id: $.id, at: "header:Location"}}},
        {request: {send: "GET ${at}", expect: {body: {matches: "^${id}$", json: {cost: "$${id}"}}}}},
        {together: {requests: [{send: "GET /${n}"}], repeat: 64}}, {stop: {}}, {args: [look]}, {start: {}}, {restart: {by: kill}}]"#;
    let (_dir, problem) = load_with(&service(steps));
    let file = load_cases(&problem.unwrap(), "checkpoint_1").unwrap();
    assert!(file.cases[0].needs_service() && file.service.is_some());
    let told = serde_json::to_string(&file).unwrap();
    assert_eq!(
        serde_json::from_str::<slope_model::cases::CaseFile>(&told).unwrap(),
        file
    );
}

#[test]
fn invalid_service_steps_are_named() {
    for (steps, says) in [
        ("[{request: {send: get /a}}]", "is not a request"),
        (
            "[{request: {send: GET /a}, args: [x]}]",
            "more than one thing",
        ),
        (
            "[{request: {send: GET /a}, stop: {}}]",
            "more than one thing",
        ),
        (
            "[{request: {send: \"GET /${id}\"}}]",
            "`${id}` has no value",
        ),
        (
            "[{request: {send: GET /a, capture: {id: id}}}]",
            "is not a path",
        ),
        (
            "[{request: {send: GET /a, json: 1, text: a}}]",
            "more than one body",
        ),
        (
            "[{request: {send: GET /a, expect: {body: {compare: {subset: true}}}}}]",
            "checks nothing",
        ),
        (
            "[{request: {send: GET /a, expect: {body: {json: 1, compare: {tolerance: -1}}}}}]",
            "tolerance",
        ),
        (
            "[{stop: {}}, {request: {send: GET /a}}]",
            "after it was stopped",
        ),
        ("[{start: {}}]", "while it runs"),
        (
            "[{together: {requests: [{send: GET /a}], repeat: 65}}]",
            "65 requests",
        ),
        (
            "[{together: {requests: [{send: GET /a, capture: {id: $.id}}]}}]",
            "captures",
        ),
        (
            "[{write: {../a: b}, request: {send: GET /a}}]",
            "leaves the case's directory",
        ),
        ("[{bytes: {a: '!'}, request: {send: GET /a}}]", "base64"),
    ] {
        let error = load_with(&service(steps)).1.unwrap_err().to_string();
        assert!(error.contains(says), "{steps}: {error}");
    }
    let without = service("[{stop: {}}]").replace("service: {args: [\"${port}\"]}", "timeout_s: 1");
    let error = load_with(&without).1.unwrap_err().to_string();
    assert!(error.contains("the case has none"), "{error}");
}
