//! `kill -9` at any moment, then resume: the same report as an uninterrupted run.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{
    self, assert_same, run, run_json, sandbox_or_skip, script, slope, stderr, text, timeless,
};

/// Kills of each run.
const KILLS: u64 = 5;
/// Runs that are killed and finished, where everything is to be tried: twenty kills in all.
const RUNS: u64 = 4;

/// A small generator of its own, so that a failure can be repeated from its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

fn arguments<'a>(problem: &'a str, script: &'a str, out: &'a str) -> Vec<&'a str> {
    vec![
        "run",
        problem,
        "--agent",
        "slope",
        "--model",
        "m",
        "--script",
        script,
        "--out",
        out,
        "--checkpoints",
        "2",
        "--quiet",
    ]
}

#[test]
fn killed_runs_resume_to_same_report() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = script(&problem, "sloppy");
    let whole = dir.path().join("whole");
    let begin = Instant::now();
    let output = run(&arguments(text(&problem), text(&script), text(&whole)));
    assert!(output.status.success(), "{}", stderr(&output));
    let duration = begin.elapsed();
    let expected = timeless(run_json(&["report", text(&whole), "--format", "json"]));

    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    let mut random = Random(seed);
    for number in 0..if common::whole() { RUNS } else { 1 } {
        let out = dir.path().join(format!("killed-{number}"));
        for _ in 0..KILLS {
            let pause = Duration::from_millis(random.below(duration.as_millis() as u64 / 2));
            start_and_kill(&problem, &script, &out, pause);
        }
        finish(&problem, &script, &out);
        let got = timeless(run_json(&["report", text(&out), "--format", "json"]));
        let (got, expected) = (each_once(got), each_once(expected.clone()));
        assert_same(&got, &expected, &format!("seed {seed}, run {number}"));
        assert!(!out.join("tmp").exists(), "scratch space is gone");
    }
}

/// A report without the sums over all attempts, which hold those that were killed as well.
fn each_once(mut report: serde_json::Value) -> serde_json::Value {
    for run in report["runs"].as_array_mut().unwrap() {
        run.as_object_mut().unwrap().remove("all_attempts");
    }
    report
}

/// Starts or resumes the run, and kills it after `pause` (if it is still at work).
fn start_and_kill(problem: &Path, script: &Path, out: &Path, pause: Duration) {
    let mut command = slope();
    if out.join("run.json").exists() {
        command.args(["resume", text(out), "--quiet"]);
    } else {
        command.args(arguments(text(problem), text(script), text(out)));
    }
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap();
}

fn finish(problem: &Path, script: &Path, out: &Path) {
    let output = if out.join("run.json").exists() {
        run(&["resume", text(out), "--quiet"])
    } else {
        run(&arguments(text(problem), text(script), text(out)))
    };
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn resuming_finished_run_changes_nothing() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let out = dir.path().join("run");
    let first = run(&[
        "run",
        text(&problem),
        "--agent",
        "oracle",
        "--stability",
        "off",
        "--out",
        text(&out),
        "--quiet",
    ]);
    assert!(first.status.success(), "{}", stderr(&first));
    let before = timeless(run_json(&["report", text(&out), "--format", "json"]));
    run_json(&["resume", text(&out), "--format", "json", "--quiet"]);
    let regraded = timeless(run_json(&[
        "eval",
        text(&out),
        "--stability",
        "off",
        "--format",
        "json",
        "--quiet",
    ]));
    assert_same(&regraded, &before, "graded again");
    let gradings = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
    assert_eq!(
        gradings.matches("\"event\":\"graded\"").count(),
        8,
        "old verdicts are kept"
    );
}

#[test]
fn oracle_checkpoints_are_graded_together() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let out = dir.path().join("run");
    let args = ["run", text(&problem), "--agent", "oracle", "--out"];
    let done = run(&[&args[..], &[text(&out), "--stability", "off", "--quiet"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    let journal = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let line = |event: &str, checkpoint: &str| {
        let named = |line: &str| {
            let found: Value = serde_json::from_str(line).unwrap();
            let name = [&found["checkpoint"], &found["attempt"]["checkpoint"]];
            found["event"] == event && name.into_iter().any(|name| name == checkpoint)
        };
        journal.lines().position(named).unwrap()
    };
    assert!(
        line("attempt_ended", "checkpoint_2") < line("graded", "checkpoint_1"),
        "the second snapshot does not wait for the first verdict\n{journal}"
    );
    assert!(line("attempt_ended", "checkpoint_1") < line("graded", "checkpoint_1"));
}

#[test]
fn interrupt_prints_resume_command() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = script(&problem, "tidy");
    let out = dir.path().join("run");
    let child = slope()
        .args(arguments(text(&problem), text(&script), text(&out)))
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !out.join("journal.jsonl").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = stderr(&output);
    assert!(
        said.contains(&format!("slope resume {}", text(&out))),
        "{said}"
    );
    finish(&problem, &script, &out);
}
