//! `slope judge --run`: the code after each checkpoint of a run.

use std::path::Path;

use serde_json::{Value, json};
use slope_testkit::folder;
use tempfile::TempDir;

use crate::common::{run, run_json, slope, stderr, stdout, text};
use crate::judge::message;
use crate::model_server::{Said, Server};

const FIRST: &str = "def f(a):\n    waste = 1\n    return a\n";

/// A run of the published harness with two snapshots, and a checkpoint without one.
fn published() -> TempDir {
    let second = format!("import os\n\n\n{FIRST}");
    let config = "agent: {type: claude_code}\nmodel: {name: m}\nenvironment: {type: docker}\nproblems: [p]\nprompt_path: /x/just-solve.jinja\nprompt_content: solve it\n";
    let problem = "version: 1\ncheckpoints:\n  checkpoint_1: {order: 1}\n  checkpoint_2: {order: 2}\n  checkpoint_3: {order: 3}\n";
    folder(&[
        ("config.yaml", config),
        ("environment.yaml", "type: docker\n"),
        ("p/problem.yaml", problem),
        ("p/checkpoint_1/snapshot/main.py", FIRST),
        (
            "p/checkpoint_1/snapshot/kept.py",
            "def k(b):\n    return b\n",
        ),
        ("p/checkpoint_2/snapshot/main.py", &second),
        (
            "p/checkpoint_2/snapshot/kept.py",
            "def k(b):\n    return b\n",
        ),
    ])
}

/// A model that reports `waste` while it sees `import os` nowhere.
fn model() -> Server {
    Server::start(|_, request| {
        let issue = json!({"criterion": "noise", "file": "F2", "start_line": 2, "end_line": 2, "message": "It is waste."});
        let issues: Vec<Value> = [issue]
            .into_iter()
            .filter(|_| !request.contains("import os"))
            .collect();
        let scores = json!({"verbosity": 6, "erosion": 6, "extensibility": 6});
        Said::Whole(
            200,
            message(&json!({"scores": scores, "issues": issues}).to_string()),
        )
    })
}

fn judged(folder: &Path, server: &Server, more: &[&str]) -> Value {
    let common = [
        "judge",
        "--run",
        text(folder),
        "--model",
        "m",
        "--upstream",
        &server.address,
    ];
    let output = slope()
        .args([&common[..], &["--repeats", "1", "--format", "json"], more].concat())
        .env("SLOPE_CACHE_DIR", folder.join("cache"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn published_runs_are_judged_by_measures() {
    let dir = published();
    let found = run_json(&[
        "judge",
        "--static",
        "--run",
        text(dir.path()),
        "--format",
        "json",
    ]);
    let checkpoints = found["trials"][0]["checkpoints"].as_array().unwrap();
    let scored = |at: usize| checkpoints[at]["assessment"]["scores"]["erosion"].as_f64();
    assert!(scored(0).is_some() && scored(1).is_some(), "{found:#}");
    assert_eq!(checkpoints[2]["assessment"], Value::Null);
    assert!(
        checkpoints[2]["reason"]
            .as_str()
            .unwrap()
            .contains("no snapshot")
    );
    let shown = stdout(&run(&["judge", "--static", "--run", text(dir.path())]));
    assert!(
        shown.contains("p, trial 1") && shown.contains("checkpoint_2"),
        "{shown}"
    );
    // A snapshot alone has the same scores.
    let alone = dir.path().join("p/checkpoint_2/snapshot");
    let alone = run_json(&["judge", "--static", text(&alone), "--format", "json"]);
    assert_eq!(alone["scores"], checkpoints[1]["assessment"]["scores"]);
}

#[test]
fn models_judge_each_checkpoint_of_runs() {
    let dir = published();
    let server = model();
    let found = judged(dir.path(), &server, &["--no-cache"]);
    let checkpoints = &found["trials"][0]["checkpoints"];
    let issue = |at: usize| &checkpoints[at]["assessment"]["issues"][0];
    assert_eq!(
        (&issue(0)["start_line"], &issue(0)["carried"]),
        (&json!(2), &Value::Null)
    );
    assert_eq!(
        (&issue(1)["start_line"], &issue(1)["carried"]),
        (&json!(5), &json!(1))
    );
    assert!(found["usage"]["requests"].as_u64().unwrap() > 0);
    // The anchors are asked for once, and the unchanged file as well.
    let requests = server.requests();
    assert_eq!(
        requests.iter().filter(|it| it.contains("def k(b)")).count(),
        1,
        "{requests:#?}"
    );
    let anchors = &checkpoints[1]["assessment"]["model"]["anchors"];
    assert_eq!(anchors["tidy"]["erosion"], 6.0);
    assert_eq!(requests.len(), 2 + 2 + 2);
}

#[test]
fn judged_runs_replay_to_equal_bytes() {
    let dir = published();
    let server = model();
    let kept = dir.path().join("kept");
    let recorded = judged(dir.path(), &server, &["--record", text(&kept)]);
    let args = [
        "judge",
        "--run",
        text(dir.path()),
        "--model",
        "m",
        "--replay",
        text(&kept),
    ];
    let replayed = run_json(&[&args[..], &["--repeats", "1", "--format", "json"]].concat());
    assert_eq!(recorded, replayed);
}

#[test]
fn folders_without_a_run_say_so() {
    let dir = published();
    let output = run(&["judge", "--static", "--run", text(&dir.path().join("p"))]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("contains no run"),
        "{}",
        stderr(&output)
    );
    for number in 1..=2 {
        std::fs::remove_dir_all(dir.path().join(format!("p/checkpoint_{number}/snapshot")))
            .unwrap();
    }
    let output = run(&["judge", "--static", "--run", text(dir.path())]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("no code after any"),
        "{}",
        stderr(&output)
    );
}
