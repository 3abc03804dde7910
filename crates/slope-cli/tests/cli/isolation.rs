//! What an agent can do from inside beside what the catalogue of attacks tries (`cheats.rs`).

use crate::attacks;
use crate::common::{self, run, run_json, sandbox_or_skip, stderr, text};
use serde_json::Value;

#[test]
fn workspace_links_survive_transfer() {
    if sandbox_or_skip() {
        attacks::a_workspace_with_links_and_strange_files_is_carried_as_it_is(&[]);
    }
}

#[test]
fn caps_end_attempt_as_budget() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = common::script(&problem, "tidy");
    let out = dir.path().join("run");
    let envelope = run_json(&[
        "run",
        text(&problem),
        "--agent",
        "slope",
        "--model",
        "m",
        "--script",
        text(&script),
        "--out",
        text(&out),
        "--max-requests",
        "1",
        "--format",
        "json",
        "--quiet",
    ]);
    let checkpoints = common::runs(&envelope)[0]["trials"][0]["checkpoints"]
        .as_array()
        .unwrap();
    assert_eq!(checkpoints[0]["state"], "budget", "{}", checkpoints[0]);
    assert_eq!(
        checkpoints[0]["totals"]["erosion"],
        Value::Null,
        "erosion of an empty workspace is missing, not zero"
    );
    assert_eq!(
        checkpoints[0]["left"]["state"], "failed",
        "the workspace is graded separately"
    );
    assert_eq!(checkpoints[0]["counts"], serde_json::json!({}));
    for later in &checkpoints[1..] {
        assert_eq!(later["state"], "ungraded");
        assert!(
            later["reason"].as_str().unwrap().contains("budget"),
            "{later}"
        );
    }
}

#[test]
fn host_secrets_never_reach_run_directory() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let output = common::slope()
        .env("SLOPE_TEST_KEY", "sk-very-secret-value")
        .args([
            "run",
            text(&problem),
            "--agent",
            "slope",
            "--model",
            "m",
            "--upstream",
            "http://127.0.0.1:9",
            "--key-env",
            "SLOPE_TEST_KEY",
            "--checkpoints",
            "1",
            "--quiet",
            "--timeout",
            "8",
            "--out",
            text(&dir.path().join("run")),
        ])
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(3),
        "an unreachable model leaves no verdict: {}",
        stderr(&output)
    );
    let found = run(&["report", text(&dir.path().join("run")), "--format", "json"]);
    assert!(
        common::stdout(&found).contains("\"state\": \"infrastructure\""),
        "{}",
        common::stdout(&found)
    );
    let grep = std::process::Command::new("grep")
        .args(["-r", "sk-very-secret-value", text(dir.path())])
        .output()
        .unwrap();
    assert_eq!(grep.status.code(), Some(1), "{}", common::stdout(&grep));
}
