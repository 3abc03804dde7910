//! What `slope run` asks of the gateway: recordings, replays, trajectories, caps and prices.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::common::{
    self, assert_same, run, run_json, sandbox_or_skip, script, stderr, text, timeless,
};
use serde_json::Value;

/// Files of a name below a folder.
fn files(folder: &Path, name: &str) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().unwrap() == name {
                found.push(path);
            }
        }
    }
    found
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn recorded_run_replays_without_model() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = script(&problem, "tidy");
    let (first, second) = (dir.path().join("first"), dir.path().join("second"));
    let common = [
        "--agent",
        "slope",
        "--model",
        "m",
        "--checkpoints",
        "2",
        "--quiet",
    ];
    let model = ["--script", text(&script), "--record", "--out", text(&first)];
    let output = run(&[&["run", text(&problem)], &common[..], &model].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(files(&first, "recording.jsonl").len(), 2);
    let trajectories = files(&first, "trajectory.json");
    assert_eq!(trajectories.len(), 2);
    for path in trajectories {
        let trajectory = json(&path);
        assert_eq!(trajectory["schema_version"], "ATIF-v1.8");
        assert_eq!(trajectory["agent"]["name"], "slope");
        let steps = trajectory["steps"].as_array().unwrap();
        let calls = steps.iter().filter(|step| step["tool_calls"].is_array());
        assert!(calls.clone().count() > 0);
        // Each call has its result, as a real agent really ran it.
        for step in calls {
            assert!(step["observation"]["results"].is_array(), "{step}");
        }
    }

    let prices = ["--prices", "1,1", "--label", "again"];
    let replay = ["--replay", text(&first), "--out", text(&second)];
    let output = run(&[&["run", text(&problem)], &common[..], &replay, &prices].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let tokens = |run: &Path| {
        let journal = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
        let events = journal
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let ended = events.filter(|event| event["event"] == "attempt_ended");
        let kept = ended.map(|event| {
            let attempt = &event["attempt"];
            assert!(
                attempt["costs"][0]["price"]["source"].is_string(),
                "{attempt}"
            );
            (
                attempt["usage"]["tokens"].clone(),
                attempt["snapshot"].clone(),
                attempt["state"].clone(),
            )
        });
        kept.collect::<Vec<_>>()
    };
    assert_eq!(tokens(&first), tokens(&second));
    assert_eq!(tokens(&first).len(), 2);
}

#[test]
fn run_cap_survives_resume() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = script(&problem, "tidy");
    let out = dir.path().join("out");
    let mut arguments = vec!["run", text(&problem), "--agent", "slope", "--model", "m"];
    arguments.extend(["--script", text(&script), "--out", text(&out), "--quiet"]);
    arguments.extend(["--trials", "2", "--run-cap", "requests=2"]);
    let output = run(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let attempts = || {
        let journal = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
        let events = journal
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let ended = events.filter(|event| event["event"] == "attempt_ended");
        ended
            .map(|event| event["attempt"].clone())
            .collect::<Vec<_>>()
    };
    let first = attempts();
    let requests: u64 = first
        .iter()
        .map(|a| a["usage"]["requests"].as_u64().unwrap())
        .sum();
    assert_eq!(requests, 2);
    let last = first.last().unwrap();
    assert_eq!(last["state"], "budget");
    assert!(
        last["reason"]
            .as_str()
            .unwrap()
            .contains("the run's cap of 2 requests")
    );
    let before = timeless(run_json(&["report", text(&out), "--format", "json"]));
    let output = run(&["resume", text(&out), "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(attempts(), first, "nothing more was tried");
    let after = timeless(run_json(&["report", text(&out), "--format", "json"]));
    assert_same(&after, &before, "the report of the resumed run");
}

#[test]
fn dollar_cap_without_price_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let out = dir.path().join("out");
    let prices = dir.path().join("prices.toml");
    let mut arguments = vec![
        "run",
        text(&problem),
        "--agent",
        "slope",
        "--model",
        "no-such-model",
    ];
    arguments.extend(["--upstream", "http://127.0.0.1:9", "--out", text(&out)]);
    arguments.extend(["--trial-cap", "usd=1", "--price-file", text(&prices)]);
    std::fs::write(&prices, "schema = \"slope.prices/1\"\n").unwrap();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("none is known for the model \"no-such-model\""));
    std::fs::write(
        &prices,
        "schema = \"slope.prices/1\"\n[[price]]\nmodels = [\"x\"]\n",
    )
    .unwrap();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("prices.toml"),
        "{}",
        stderr(&output)
    );
    assert!(!out.exists());
    let none = dir.path().join("none");
    let mut replay = vec!["run", text(&problem), "--agent", "slope", "--model", "m"];
    replay.extend(["--replay", text(&none), "--out", text(&out)]);
    let output = run(&replay);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the run has no recordings"));
}

/// The address of a server that answers 404 to everything.
fn server_without_model() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let _ = socket.read(&mut [0; 65536]);
            let answer =
                "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
            let _ = socket.write_all(answer.as_bytes());
        }
    });
    url
}

#[test]
fn runs_without_a_verdict_exit_with_3() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let (out, url) = (dir.path().join("out"), server_without_model());
    let mut arguments = vec!["run", text(&problem), "--agent", "slope", "--model", "m"];
    arguments.extend(["--upstream", &url, "--out", text(&out), "--quiet"]);
    arguments.extend(["--checkpoints", "1", "--retries", "0", "--timeout", "60"]);
    let output = run(&arguments);
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{error}");
    for said in ["the run has no verdict", "404", "slope resume"] {
        assert!(error.contains(said), "{error}");
    }
    let report = run_json(&["report", text(&out), "--format", "json"]);
    let state = &report["runs"][0]["trials"][0]["checkpoints"][0]["state"];
    assert_eq!(state, "infrastructure", "{report:#}");
}
