//! Runs on a server: while they go on, and afterwards.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{builtin, run, sandbox_or_skip, scripted_agent, slope, stderr, stdout, text};
use crate::serve::Serving;

/// Nothing here takes that long; a run that hangs must not hang the tests.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server with the project `bench`.
pub(crate) fn served(folder: &Path) -> Serving {
    let serving = Serving::start(folder, None, &[]);
    let added = serving.ask("POST", "/api/v1/projects", &json!({ "name": "bench" }));
    assert_eq!(added.unwrap().0, 201);
    serving
}

/// Asks for the runs until the first one is as wanted.
#[track_caller]
fn until(serving: &Serving, wanted: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    let mut last = Value::Null;
    while begin.elapsed() < PATIENCE {
        let (_, runs) = serving
            .ask("GET", "/api/v1/projects/bench/runs", &Value::Null)
            .unwrap();
        last = runs["items"][0].clone();
        if wanted(&last) {
            return last;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("it never came: {last}");
}

fn push(serving: &Serving, dir: &Path) -> std::process::Output {
    let server = format!("http://{}", serving.address);
    let dir = text(dir);
    run(&[
        "track",
        "push",
        "--run",
        dir,
        "--server",
        &server,
        "--project",
        "bench",
    ])
}

/// A run that is sent to the server while it goes on.
fn pushed(problem: &Path, agent: &Path, serving: &Serving, out: &Path) -> Child {
    let server = format!("http://{}", serving.address);
    slope()
        .args([
            "run",
            text(problem),
            "--agent",
            "command",
            "--agent-config",
            text(agent),
        ])
        .args([
            "--model",
            "none",
            "--out",
            text(out),
            "--trials",
            "4",
            "--workers",
            "1",
        ])
        .args(["--push", "--server", &server, "--project", "bench"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn visitors_pause_and_resume_live_runs() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = builtin(dir.path());
    let agent = scripted_agent(dir.path(), "sleep 2; echo 'print(1)' > main.py");
    let serving = served(dir.path());
    let out = dir.path().join("run");
    let child = pushed(&problem, &agent, &serving, &out);
    let found = until(&serving, |run| run["phase"] == "running");
    let key = found["run"].as_str().unwrap().to_owned();
    let page = |path: &str| {
        let (status, text) = serving.ask("GET", path, &Value::Null).unwrap();
        assert_eq!(status, 200, "{text}");
        text.as_str().unwrap().to_owned()
    };
    let ask = |request: &str| {
        let path = format!("/api/v1/projects/bench/runs/{key}/request");
        let (status, answer) = serving
            .ask("POST", &path, &json!({ "request": request }))
            .unwrap();
        assert_eq!(status, 200, "{answer}");
    };
    assert!(page(&format!("/runs/bench/{key}")).contains("Pause"));
    // The name that the agent's file chooses, which is the file's own without a `name`.
    let (_, sent) = serving
        .ask(
            "GET",
            &format!("/api/v1/projects/bench/runs/{key}"),
            &Value::Null,
        )
        .unwrap();
    let config = &sent["sent"]["report"]["config"];
    assert_eq!(
        config["agent"],
        agent.file_stem().unwrap().to_str().unwrap()
    );
    ask("pause");
    until(&serving, |run| run["phase"] == "paused");
    assert!(page(&format!("/runs/bench/{key}")).contains("Resume"));
    ask("resume");
    until(&serving, |run| run["phase"] == "running");
    ask("cancel");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    until(&serving, |run| run["phase"] == "cancelled");
    let trial = page(&format!(
        "/runs/bench/{key}/{}/1?at=checkpoint_1&show=changes",
        problem_name(&serving, &key)
    ));
    assert!(trial.contains("main.py"), "{trial}");
}

/// The only problem of a run.
fn problem_name(serving: &Serving, key: &str) -> String {
    let (_, run) = serving
        .ask(
            "GET",
            &format!("/api/v1/projects/bench/runs/{key}"),
            &Value::Null,
        )
        .unwrap();
    run["sent"]["report"]["trials"][0]["problem"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn ended_runs_are_sent_once() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("runs/one");
    let problem = builtin(dir.path());
    let made = run(&[
        "run",
        text(&problem),
        "--agent",
        "oracle",
        "--out",
        text(&out),
        "--checkpoints",
        "1",
    ]);
    assert!(made.status.success(), "{}", stderr(&made));
    let mut serving = served(dir.path());
    let sent = push(&serving, &dir.path().join("runs"));
    assert!(sent.status.success(), "{}", stderr(&sent));
    assert!(
        stdout(&sent).contains("1 checkpoint sent"),
        "{}",
        stdout(&sent)
    );
    let again = push(&serving, &out);
    assert!(
        stdout(&again).contains("0 checkpoints sent"),
        "{}",
        stdout(&again)
    );
    // The directory may move; the run stays the same one.
    let moved = dir.path().join("moved");
    std::fs::rename(&out, &moved).unwrap();
    assert!(stdout(&push(&serving, &moved)).contains("0 checkpoints sent"));
    let found = until(&serving, |run| run["phase"] == "finished");
    let (_, kept) = serving
        .ask(
            "GET",
            &format!(
                "/api/v1/projects/bench/runs/{}",
                found["run"].as_str().unwrap()
            ),
            &Value::Null,
        )
        .unwrap();
    assert!(!kept.to_string().contains(text(dir.path())), "{kept}");
    serving.kill();
    let lost = push(&serving, &moved);
    assert_eq!(lost.status.code(), Some(4), "{}", stderr(&lost));
    assert!(
        stderr(&lost).contains("1 run not sent"),
        "{}",
        stderr(&lost)
    );
}
