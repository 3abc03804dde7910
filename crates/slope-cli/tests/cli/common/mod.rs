//! What the integration tests share: the built binary, a cache of their own, the built-in problem.

pub(crate) mod clock;
pub(crate) mod little;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A cache that the tests of one build share, so that installations are done once.
pub(crate) fn cache_dir() -> PathBuf {
    std::env::var_os("SLOPE_TEST_CACHE").map_or_else(
        || Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
        PathBuf::from,
    )
}

/// Whether everything is to be run, as `.ci/nightly` does, and not what each change has time for.
pub(crate) fn whole() -> bool {
    std::env::var_os("SLOPE_TEST_WHOLE").is_some()
}

/// The built binary with a clean environment of slope's own variables.
pub(crate) fn slope() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slope"));
    command
        .env("SLOPE_CACHE_DIR", cache_dir())
        .env("NO_COLOR", "1")
        .env_remove("SLOPE_LOG")
        .stdin(std::process::Stdio::null());
    command
}

/// Runs the binary and gives its output.
pub(crate) fn run(args: &[&str]) -> Output {
    slope().args(args).output().expect("slope starts")
}

/// Runs the binary, which must succeed, and gives what it printed as JSON.
#[track_caller]
pub(crate) fn run_json(args: &[&str]) -> Value {
    let output = run(args);
    assert!(
        output.status.success(),
        "slope {args:?} ended with {}\n{}",
        output.status,
        stderr(&output)
    );
    serde_json::from_slice(&output.stdout).expect("valid JSON")
}

/// Standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether sandboxes can be had; says so if not.
pub(crate) fn sandbox_or_skip() -> bool {
    let output = run(&["doctor", "--format", "json"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("doctor prints JSON");
    if found["sandbox"] == Value::Bool(true) {
        return true;
    }
    println!(
        "\nskipped: this kernel refuses the sandbox: {}",
        found["refusal"]
    );
    false
}

/// Lays the built-in problem below `dir` and gives its folder. Unless everything is to be tried, each checkpoint
/// keeps the first case of each group only: where what happens around the cases is tested, most of the time would
/// be their interpreters'. `quickstart.rs` and the suites' own tests run all of them.
pub(crate) fn builtin(dir: &Path) -> PathBuf {
    let problem = slope_problem::materialize_builtin(&dir.join("problem"))
        .expect("the built-in problem is written");
    if !whole() {
        for suite in std::fs::read_dir(problem.join("suite")).expect("it has a suite") {
            let file = suite.expect("it is read").path();
            let cases = std::fs::read_to_string(&file).expect("cases are text");
            std::fs::write(&file, first_of_each_group(&cases)).expect("cases are written");
        }
    }
    problem
}

fn first_of_each_group(cases: &str) -> String {
    let mut seen = std::collections::BTreeSet::new();
    let mut parts = cases.split("\n  - id: ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for case in parts {
        let group = case.lines().find(|line| line.starts_with("    group: "));
        if seen.insert(group) {
            kept = format!("{kept}\n  - id: {case}");
        }
    }
    kept.push('\n');
    kept
}

/// A script of the built-in problem.
pub(crate) fn script(problem: &Path, name: &str) -> PathBuf {
    problem.join("scripts").join(format!("{name}.yaml"))
}

/// A path as text.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A report without what differs from one execution to the next: times and the run's own path. What is put
/// together of runs holds times as well, follows from the rest, and is in `slope report` only.
pub(crate) fn timeless(mut value: Value) -> Value {
    if let Some(report) = value.as_object_mut() {
        report.remove("study");
    }
    strip(&mut value);
    value
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| {
                !(key.ends_with("_s") || key == "run" || key == "at" || key == "time")
            });
            map.values_mut().for_each(strip);
        }
        Value::Array(items) => {
            items.retain(|item| item["metric"] != "agent_time");
            items.iter_mut().for_each(strip);
        }
        _ => {}
    }
}

/// The run reports in an envelope that `slope report --format json` or `slope run --format json` printed.
pub(crate) fn runs(envelope: &Value) -> &Vec<Value> {
    envelope["runs"].as_array().expect("the envelope has runs")
}

/// Asserts that two values are equal, and names the first place where they are not.
#[track_caller]
pub(crate) fn assert_same(got: &Value, expected: &Value, what: &str) {
    if let Some(place) = difference(got, expected, "$") {
        panic!("{what}: {place}");
    }
}

fn difference(got: &Value, expected: &Value, place: &str) -> Option<String> {
    match (got, expected) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => a
            .iter()
            .find_map(|(key, value)| difference(value, &b[key], &format!("{place}.{key}"))),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(at, (a, b))| difference(a, b, &format!("{place}[{at}]"))),
        _ if got == expected => None,
        _ => Some(format!("at {place}: got {got}, expected {expected}")),
    }
}

/// A `command` agent: a shell script run with `sh -c`.
pub(crate) fn scripted_agent(dir: &Path, body: &str) -> PathBuf {
    let path = dir.join("agent.toml");
    let argv = serde_json::json!(["/bin/sh", "-c", body, "agent", "{prompt}"]);
    std::fs::write(
        &path,
        format!("version = \"1\"\ndialect = \"none\"\nargv = {argv}\n"),
    )
    .expect("a writable folder");
    path
}
