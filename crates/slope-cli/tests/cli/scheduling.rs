//! A run of many trials whose workers, coordinator and server go away while the clock is stepped; and a run that is paused and
//! cancelled from outside.

use crate::common::{self, little};

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::clock::Clock;
use crate::common::little::{KEY, KEY_ENV, Server};
use crate::common::{run, run_json, sandbox_or_skip, slope, stderr, text};
use serde_json::Value;

/// Nothing here takes that long; a run that hangs must not hang the tests.
const PATIENCE: Duration = Duration::from_secs(900);

const DAY: i64 = 24 * 3600;

/// How long the model's server stays away from a coordinator that waits for it. A minute is more than a provider's
/// connection or an agent's own retries live; it is for the nightly form.
fn outage() -> Duration {
    Duration::from_secs(if common::whole() { 60 } else { 0 })
}

fn start(arguments: &[&str]) -> Child {
    started(slope().args(arguments))
}

fn started(slope: &mut Command) -> Child {
    slope
        .env(KEY_ENV, KEY)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn status(run: &Path) -> Value {
    run_json(&["status", text(run), "--format", "json"])
}

/// Looks at the status until it is as wanted.
#[track_caller]
fn until(run: &Path, wanted: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if run.join("run.json").exists() {
            let status = status(run);
            if wanted(&status) {
                return status;
            }
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("it never came: {}", status(run));
}

fn kill(pid: &Value) {
    let pid = pid.as_u64().unwrap().to_string();
    // It may have ended by itself meanwhile.
    drop(Command::new("kill").args(["-KILL", &pid]).status());
}

fn at_work(status: &Value, phase: &str) -> Option<Value> {
    let trials = status["running"].as_array().unwrap();
    let found = trials.iter().find(|trial| trial["phase"] == phase)?;
    Some(found["worker"].clone())
}

/// The worker of an agent that waits for the first answer to its attempt, while the server is known to be
/// down: it stays where it is.
fn waiting(status: &Value) -> Option<Value> {
    status["upstream_quiet_s"].as_f64()?;
    let trials = status["running"].as_array().unwrap();
    let waits = |trial: &&Value| {
        let before = trial["checkpoint"].as_u64().unwrap().saturating_sub(1);
        trial["phase"] == "agent"
            && trial["attempt"].is_number()
            && trial["requests"] == before * little::REQUESTS
    };
    trials
        .iter()
        .find(waits)
        .map(|trial| trial["worker"].clone())
}

/// Attempts that ended since their worker did.
fn worker_lost(run: &Path) -> usize {
    let events = journal(run);
    let lost = |event: &&Value| event["attempt"]["cause"] == "worker-lost";
    events.iter().filter(lost).count()
}

fn journal(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn arguments<'a>(problem: &'a str, url: &'a str, out: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["run", problem, "--agent", "slope", "--model", "m"];
    arguments.extend(["--upstream", url, "--key-env", KEY_ENV, "--out", out]);
    arguments.extend(["--prices", "1,5,0.1,1", "--stability", "off", "--quiet"]);
    arguments
}

#[test]
fn trials_survive_outages_and_clock_steps() {
    if !sandbox_or_skip() {
        return;
    }
    let count = if common::whole() { 40 } else { 16 };
    let trials_wanted = count.to_string();
    let dir = tempfile::tempdir().unwrap();
    let (problem, script) = little::problem(dir.path(), 0);
    let mut server = Server::start(&script, dir.path());
    let out = dir.path().join("run");
    let mut all = arguments(text(&problem), &server.url, text(&out));
    all.extend(["--workers", "6", "--retries", "4"]);
    all.extend(["--trials", &trials_wanted]);
    let clock = Clock::new(dir.path());
    let start = |all: &[&str]| started(slope().args(all).envs(clock.environment()));
    let mut coordinator = start(&all);
    until(&out, |status| at_work(status, "agent").is_some());
    clock.step(DAY);

    // A worker is killed while it grades, when its model is not asked.
    let seen = until(&out, |status| at_work(status, "grade").is_some());
    kill(&at_work(&seen, "grade").unwrap());
    until(&out, |status| status["trials_done"].as_u64() >= Some(3));

    clock.step(-DAY);

    // The server is down: nothing is added; workers and then the coordinator are killed.
    server.switch_off();
    let seen = until(&out, |status| waiting(status).is_some());
    let most = seen["admission"]["most"].as_u64().unwrap();
    assert!((1..=6).contains(&most), "{seen}");
    let lost = worker_lost(&out);
    let killed = waiting(&seen).unwrap();
    kill(&killed);
    until(&out, |_| worker_lost(&out) > lost);
    // Another has begun, and waits for the server: that is what is interrupted.
    until(&out, |status| {
        waiting(status).is_some_and(|worker| worker != killed)
    });
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
    let left = status(&out);
    assert_eq!(left["doing"], "interrupted", "{left}");

    // It goes on while the server is still down, and waits for it.
    let again = start(&["resume", text(&out), "--workers", "6", "--quiet"]);
    until(&out, |status| status["upstream_quiet_s"].is_number());
    clock.step(3 * DAY);
    std::thread::sleep(outage());
    server.switch_on();
    let output = again.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));

    let report = run_json(&["report", text(&out), "--format", "json"]);
    let report = &common::runs(&report)[0];
    let trials = report["trials"].as_array().unwrap();
    assert_eq!(trials.len(), count);
    for checkpoint in trials
        .iter()
        .flat_map(|trial| trial["checkpoints"].as_array().unwrap())
    {
        assert_eq!(checkpoint["state"], "passed", "{checkpoint}");
        assert!(checkpoint["harness_s"].as_f64() > Some(0.0), "{checkpoint}");
    }
    nothing_lost_nothing_twice(report, &server.served());
    orderly(&journal(&out));
    assert_eq!(status(&out)["doing"], "finished");
    for gone in ["tmp", "status.json", "reserve"] {
        assert!(!out.join(gone).exists(), "{gone} is left");
    }
}

/// What the report says was used is what the server served.
fn nothing_lost_nothing_twice(report: &Value, served: &slope_gateway::AttemptRecord) {
    let all = &report["all_attempts"];
    let usage = &all["usage"];
    assert_eq!(
        serde_json::from_value::<slope_model::usage::Tokens>(usage["tokens"].clone()).unwrap(),
        served.usage.tokens,
        "{all}"
    );
    // A request that the outage cut off is one of ours, but the server did not serve it.
    let number = |name: &str| usage[name].as_u64().unwrap();
    let answered = number("requests") - number("unreported");
    assert_eq!(answered, served.usage.requests, "{all}");
    assert!(number("unreported") <= number("failed_requests"), "{all}");
    let cost = usage["cost_usd"].as_f64().unwrap();
    assert!(
        (cost - served.usage.cost_usd.unwrap()).abs() < 1e-9,
        "{all}"
    );
    let causes = &all["causes"];
    assert!(causes["interrupted"].as_u64() >= Some(1), "{all}");
    assert!(causes["worker-lost"].as_u64() >= Some(1), "{all}");
    let trials = report["trials"].as_array().unwrap();
    assert_eq!(
        causes["completed"],
        2 * trials.len(),
        "each checkpoint once"
    );
    let ended: u64 = causes
        .as_object()
        .unwrap()
        .values()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(all["started"], ended, "every attempt has its end");
}

/// Numbers without gaps, one end for each attempt, and no odd time.
fn orderly(events: &[Value]) {
    let mut ends = std::collections::BTreeSet::new();
    for (number, event) in (1..).zip(events) {
        assert_eq!(event["seq"], number);
        assert!(event["since_s"].as_f64() >= Some(0.0));
        let attempt = &event["attempt"];
        if attempt.is_object() {
            let took = attempt["duration_s"].as_f64().unwrap();
            assert!((0.0..=7200.0).contains(&took), "{attempt}");
            let name = format!(
                "{}/{}/{}",
                event["trial"], attempt["checkpoint"], attempt["number"]
            );
            assert!(ends.insert(name), "{attempt} ended twice");
        }
    }
}

#[test]
fn run_can_be_paused_resumed_cancelled() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (problem, script) = little::problem(dir.path(), 0);
    let server = Server::start(&script, dir.path());
    let out = dir.path().join("run");
    let mut all = arguments(text(&problem), &server.url, text(&out));
    all.extend(["--trials", "4", "--workers", "2"]);
    let mut coordinator = start(&all);
    until(&out, |status| status["coordinator"].is_number());
    let told = run_json(&["pause", text(&out), "--format", "json"]);
    assert_eq!(told["wanted"], "pause");
    let paused = until(&out, |status| status["doing"] == "paused");
    assert!(paused["trials_done"].as_u64() < Some(4), "{paused}");

    // The pause outlives the coordinator, also one that is started by a script.
    coordinator.kill().unwrap();
    coordinator.wait().unwrap();
    assert_eq!(status(&out)["doing"], "paused");
    let coordinator = start(&[
        "resume",
        "--keep-paused",
        text(&out),
        "--workers",
        "2",
        "--quiet",
    ]);
    until(&out, |status| {
        status["doing"] == "paused" && status["coordinator"].is_number()
    });
    server.switch_off();
    assert!(run(&["resume", text(&out)]).status.success());
    let twice = run(&["resume", text(&out)]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(
        stderr(&twice).contains("is running already"),
        "{}",
        stderr(&twice)
    );

    cancel_while_agents_wait(&out, coordinator);
    steering_what_does_not_run_is_refused(&out);
    server.switch_on();
    let output = start(&["resume", text(&out), "--quiet"])
        .wait_with_output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(status(&out)["doing"], "finished");
    let none = run(&["status", text(dir.path())]);
    assert_eq!(none.status.code(), Some(2), "{}", stderr(&none));
}

/// Agents that wait for their model are ended, and what they left is kept.
fn cancel_while_agents_wait(out: &Path, coordinator: Child) {
    until(out, |status| at_work(status, "agent").is_some());
    assert!(run(&["cancel", text(out)]).status.success());
    let output = coordinator.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("slope resume"),
        "{}",
        stderr(&output)
    );
    let cancelled = journal(out)
        .into_iter()
        .find(|event| event["attempt"]["cause"] == "cancelled")
        .unwrap();
    let folder = out.join(format!(
        "trials/little/{}/{}/attempt-{}",
        cancelled["trial"],
        cancelled["attempt"]["checkpoint"].as_str().unwrap(),
        cancelled["attempt"]["number"]
    ));
    assert!(folder.join("stdout.log").exists() && folder.join("requests.jsonl").exists());
    assert!(cancelled["attempt"]["snapshot"].is_string(), "{cancelled}");
}

fn steering_what_does_not_run_is_refused(out: &Path) {
    assert_eq!(status(out)["doing"], "cancelled");
    for order in ["pause", "cancel"] {
        let output = run(&[order, text(out)]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("is not running"),
            "{}",
            stderr(&output)
        );
    }
    let refused = start(&["resume", "--keep-paused", text(out), "--quiet"]);
    let refused = refused.wait_with_output().unwrap();
    assert!(
        stderr(&refused).contains("was cancelled"),
        "{}",
        stderr(&refused)
    );
}

const FULL: &str = r#"
set -u
mount -t tmpfs -o size=90m tmpfs "$DISK" || { echo "no tmpfs" >&2; exit 77; }
"$SLOPE" run "$PROBLEM" --agent slope --model m --script "$SCRIPT" --trials "$TRIALS" --workers 1 \
    --checkpoints 1 --stability off --quiet --out "$DISK/run" 2> "$OUT/said"
echo $? > "$OUT/code"
"$SLOPE" status "$DISK/run" --format json > "$OUT/full.json" || exit 1
cp "$DISK/run/journal.jsonl" "$OUT/full.jsonl"
mount -o remount,size=900m tmpfs "$DISK" || exit 1
"$SLOPE" resume "$DISK/run" --workers 2 --quiet > "$OUT/resumed" 2>&1 || { cat "$OUT/resumed" >&2; exit 1; }
"$SLOPE" report "$DISK/run" --format json > "$OUT/report.json"
"#;

#[test]
fn full_disk_run_resumes_with_space() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (problem, script) = little::problem(dir.path(), 12 << 20);
    let trials: usize = if common::whole() { 40 } else { 12 };
    let (disk, out) = (dir.path().join("disk"), dir.path().join("out"));
    std::fs::create_dir(&disk).unwrap();
    std::fs::create_dir(&out).unwrap();
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "bash", "-c", FULL])
        .env("SLOPE", env!("CARGO_BIN_EXE_slope"))
        .env("SLOPE_CACHE_DIR", common::cache_dir())
        .env("PROBLEM", &problem)
        .env("SCRIPT", &script)
        .env("DISK", &disk)
        .env("TRIALS", trials.to_string())
        .env("OUT", &out)
        .output()
        .unwrap();
    if output.status.code() == Some(77) {
        println!("\nskipped: no tmpfs can be mounted: {}", stderr(&output));
        return;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("code").trim(), "2", "{}", read("said"));
    assert!(read("said").contains("is full"), "{}", read("said"));
    assert!(read("said").contains("slope resume"), "{}", read("said"));
    let full: Value = serde_json::from_str(&read("full.json")).unwrap();
    assert!(full["trials_done"].as_u64() >= Some(1), "{full}");
    // The attempt that found no room has its end and its usage.
    let events: Vec<Value> = read("full.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let lost = events
        .iter()
        .find(|event| event["attempt"]["cause"] == "harness");
    let lost = lost.expect("an attempt found the disk full");
    assert_eq!(lost["attempt"]["usage"]["requests"], 2, "{lost}");
    let report: Value = serde_json::from_str(&read("report.json")).unwrap();
    let report = &common::runs(&report)[0];
    let done = report["trials"].as_array().unwrap();
    assert_eq!(done.len(), trials);
    for trial in done {
        assert_eq!(trial["checkpoints"][0]["state"], "passed", "{trial}");
    }
    let all = &report["all_attempts"];
    assert_eq!(all["causes"]["completed"], trials);
    let started = all["started"].as_u64().unwrap();
    assert_eq!(
        all["usage"]["requests"].as_u64().unwrap(),
        2 * started,
        "{all}"
    );
}
