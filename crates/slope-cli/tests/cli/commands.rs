//! Every command once, in its forms, through the binary.

use crate::common::{self, run, run_json, sandbox_or_skip, stderr, stdout, text};
use serde_json::Value;

#[test]
fn help_of_every_command_has_examples() {
    for command in [
        "quickstart",
        "run",
        "eval",
        "measure",
        "rules",
        "explain",
        "report",
    ] {
        let said = stdout(&run(&[command, "--help"]));
        assert!(said.contains("Examples:"), "{command}: {said}");
    }
}

#[test]
fn shipped_problems_are_found_by_name() {
    let listed = run_json(&["problem", "list", "--format", "json"]);
    let names: Vec<&str> = listed["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&slope_problem::BUILTIN), "{names:?}");
    for problem in listed["problems"].as_array().unwrap() {
        let least = match problem["category"].as_str() {
            Some("refactoring") => 1,
            _ => 3,
        };
        assert!(problem["checkpoints"].as_u64() >= Some(least), "{problem}");
        assert!(problem["cases"].as_u64() > problem["checkpoints"].as_u64());
    }
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = slope_problem::materialize("herbarium-vault", dir.path()).unwrap();
    let solution = problem.join("solutions/checkpoint_1");
    let mut eval = vec!["eval", text(&solution), "--problem", "herbarium-vault"];
    eval.extend([
        "--checkpoint",
        "1",
        "--stability",
        "off",
        "--format",
        "json",
    ]);
    let evaluation = run_json(&eval);
    assert_eq!(evaluation["verdict"]["state"], "passed", "{evaluation}");

    let unknown = run(&[
        "eval",
        text(&solution),
        "--problem",
        "no-such",
        "--checkpoint",
        "1",
    ]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no-such"), "{}", stderr(&unknown));
}

#[test]
fn directory_is_graded_at_checkpoint() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let solution = problem.join("solutions/checkpoint_2");
    let args = [
        "eval",
        text(&solution),
        "--problem",
        text(&problem),
        "--checkpoint",
        "2",
    ];
    let graded = run_json(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(graded["verdict"]["state"], "passed", "{graded}");
    assert!(graded["measurement"]["totals"]["mass"].as_f64().unwrap() > 0.0);
    assert!(
        graded["verdict"]["counts"]["regression"]["passed"]
            .as_u64()
            .unwrap()
            > 0
    );
    let earlier = problem.join("solutions/checkpoint_1");
    let said = stdout(&run(&[
        "eval",
        text(&earlier),
        "--problem",
        text(&problem),
        "--checkpoint",
        "2",
    ]));
    assert!(said.contains("checkpoint_2: failed"), "{said}");
    let beyond = run(&[
        "eval",
        text(&solution),
        "--problem",
        text(&problem),
        "--checkpoint",
        "9",
    ]);
    assert_eq!(beyond.status.code(), Some(2));
    assert!(stderr(&beyond).contains("it has 4"), "{}", stderr(&beyond));
}

#[test]
fn command_agent_reports_in_every_format() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let agent = common::scripted_agent(
        dir.path(),
        "printf '%s' \"$1\" > told.txt; echo 'print(1)' > pantry.py",
    );
    let out = dir.path().join("run");
    let output = run(&[
        "run",
        text(&problem),
        "--agent",
        "command",
        "--agent-config",
        text(&agent),
        "--checkpoints",
        "2",
        "--out",
        text(&out),
        "--quiet",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = run_json(&["report", text(&out), "--format", "json"]);
    let checkpoints = common::runs(&report)[0]["trials"][0]["checkpoints"]
        .as_array()
        .unwrap();
    assert_eq!(checkpoints.len(), 2);
    assert_eq!(checkpoints[1]["state"], "failed");
    assert_eq!(checkpoints[1]["totals"]["sloc"], 1);

    let html = dir.path().join("report.html");
    let markdown = stdout(&run(&[
        "report",
        text(&out),
        "--format",
        "markdown",
        "--html",
        text(&html),
    ]));
    assert!(markdown.contains("| checkpoint_2"), "{markdown}");
    let page = std::fs::read_to_string(html).unwrap();
    let printed = stdout(&run(&["report", text(&out), "--format", "html"]));
    assert!(page.starts_with("<!") && printed.trim_end() == page.trim_end());
    let two = stdout(&run(&["report", text(&out), text(&out)]));
    assert!(two.contains("checkpoint_1"), "{two}");

    let rows = dir.path().join("rows");
    let written = run(&[
        "report",
        text(&out),
        "--format",
        "csv",
        "--out",
        text(&rows),
    ]);
    assert!(written.status.success(), "{}", stderr(&written));
    // A line of names, and one for the attempt at each checkpoint.
    let attempts = std::fs::read_to_string(rows.join("attempts.csv")).unwrap();
    assert_eq!(attempts.lines().count(), 3, "{attempts}");
    let failures = std::fs::read_to_string(rows.join("failures.csv")).unwrap();
    assert!(failures.contains("checkpoint_2"), "{failures}");
}

#[test]
fn dying_agent_ends_its_trial() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let agent = common::scripted_agent(dir.path(), "echo out of luck >&2; exit 7");
    let envelope = run_json(&[
        "run",
        text(&problem),
        "--agent",
        "command",
        "--agent-config",
        text(&agent),
        "--out",
        text(&dir.path().join("run")),
        "--quiet",
        "--format",
        "json",
    ]);
    let checkpoints = common::runs(&envelope)[0]["trials"][0]["checkpoints"]
        .as_array()
        .unwrap();
    assert_eq!(checkpoints[0]["state"], "agent-error");
    assert!(
        checkpoints[0]["reason"].as_str().unwrap().contains('7'),
        "{}",
        checkpoints[0]
    );
    assert!(
        checkpoints[1..]
            .iter()
            .all(|c| c["state"] == "ungraded" && c["totals"] == Value::Null)
    );
    assert_eq!(
        envelope["summaries"][0]["coverage"]["lost"], 3,
        "unsolved, not missing"
    );
}

#[test]
fn conformance_detects_wrong_expectation() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let folder = problem.parent().unwrap();
    let out = dir.path().join("out");
    let args = [
        "research",
        "problems",
        text(folder),
        "--nop",
        "--stability",
        "off",
        "--out",
        text(&out),
    ];
    let found = run_json(&[&args[..], &["--format", "json", "--quiet"]].concat());
    assert_eq!(found["conforms"], true, "{found}");
    assert!(
        found["nop"]
            .as_array()
            .unwrap()
            .iter()
            .all(|c| c["counts"]["core"]["passed"] == 0)
    );

    let expect = dir.path().join("expect.toml");
    std::fs::write(
        &expect,
        format!(
            "[{}.checkpoint_1]\ncore = \"1/9\"\n",
            slope_problem::BUILTIN
        ),
    )
    .unwrap();
    let output = run(&[&args[..], &["--expect", text(&expect), "--quiet"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("expected 1/9"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn running_without_sandbox_warns() {
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let out = dir.path().join("run");
    let output = run(&[
        "run",
        text(&problem),
        "--agent",
        "nop",
        "--checkpoints",
        "1",
        "--no-sandbox",
        "--out",
        text(&out),
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("without isolation"),
        "{}",
        stderr(&output)
    );
    let config = std::fs::read_to_string(out.join("run.json")).unwrap();
    assert!(config.contains("\"isolation\": \"none\""), "{config}");
}
