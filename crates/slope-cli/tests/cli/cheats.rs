//! Every attack of the catalogue, in the local runtime. `docker.rs` has the same in containers.

use crate::attacks;
use crate::common::{self, run, run_json, sandbox_or_skip, stderr, text};

#[test]
fn no_attack_gets_through() {
    if sandbox_or_skip() {
        // Some wait until their time is over: meanwhile the processor has time for others.
        let mut arguments = vec!["--workers".to_owned(), "4".to_owned()];
        arguments.extend(sample());
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        attacks::no_attack_gets_through(&arguments);
    }
}

/// Where not everything is to be tried, a third of the attacks.
fn sample() -> Vec<String> {
    if common::whole() {
        return Vec::new();
    }
    let table = run_json(&["research", "cheats", "--list", "--format", "json"]);
    let rows = table.as_array().unwrap();
    let ids: Vec<&str> = rows.iter().map(|r| r["attack"].as_str().unwrap()).collect();
    attacks::only(&attacks::drawn(&ids, 3))
}

#[test]
fn only_listed_hosts_are_reachable() {
    if sandbox_or_skip() {
        attacks::only_what_is_listed_is_reached("");
    }
}

#[test]
fn attack_list_prints_without_running() {
    let table = run_json(&["research", "cheats", "--list", "--format", "json"]);
    let rows = table.as_array().unwrap();
    for by in ["agent/", "program/"] {
        let of = rows
            .iter()
            .filter(|r| r["attack"].as_str().unwrap().starts_with(by));
        assert!(of.count() >= 25, "{by}");
    }
    let unknown = run(&["research", "cheats", "--only", "agent/nothing"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("--list"), "{}", stderr(&unknown));
}

/// What was seen of an attack is in every form of the report, and what shows it a flag away.
#[test]
fn report_names_suspicious_files_and_processes() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (envelope, _) = attacks::as_agent(
        dir.path(),
        "touch conftest.py; mkfifo pipe; setsid sleep 1000 >/dev/null 2>&1 & sleep 0.3",
        &[],
    );
    let seen = &attacks::checkpoint(&envelope)["integrity"];
    let kinds: Vec<&str> = seen
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["left-processes", "left-out", "test-configuration"],
        "{seen}"
    );
    assert!(
        seen.as_array()
            .unwrap()
            .iter()
            .all(|s| s["weight"] == "noted"),
        "{seen}"
    );
    let out = dir.path().join("run-outside");
    let html = dir.path().join("report.html");
    for format in ["text", "markdown"] {
        let told = run(&[
            "report",
            text(&out),
            "--format",
            format,
            "--html",
            text(&html),
        ]);
        let told = common::stdout(&told);
        for expected in ["3 noted", "noted: the workspace has `conftest.py`"] {
            assert!(
                told.replace('\\', "").contains(expected),
                "{expected} is not in {told}"
            );
        }
    }
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("conftest.py") && page.contains("3 noted"));
    let evidence = common::stdout(&run(&["report", text(&out), "--evidence"]));
    for expected in ["[left-out]", "pipe", "files: ", "checkpoint_1"] {
        assert!(
            evidence.contains(expected),
            "{expected} is not in {evidence}"
        );
    }
}
