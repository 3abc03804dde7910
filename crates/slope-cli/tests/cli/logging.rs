//! The log on standard error: `--log` and `SLOPE_LOG`.

use crate::common::little;
use std::path::Path;
use std::process::Output;

use crate::common::little::{KEY, KEY_ENV, Server};
use crate::common::{run, sandbox_or_skip, slope, stderr, stdout, text};
use slope_testkit::git::{git, repository};

const CODE: &str = "def f(x):\n    return x\n";

/// A folder with one file.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.py"), CODE).unwrap();
    dir
}

fn with_variable(filter: &str, args: &[&str]) -> Output {
    let output = slope().env("SLOPE_LOG", filter).args(args).output();
    output.unwrap()
}

/// Whether a line has all of these.
fn has_line(log: &str, parts: &[&str]) -> bool {
    log.lines()
        .any(|line| parts.iter().all(|part| line.contains(part)))
}

#[test]
fn measure_logs_its_steps() {
    let dir = folder();
    let arguments = ["measure", text(dir.path()), "--format", "json"];
    let silent = run(&arguments);
    let logged = run(&[&arguments[..], &["--log", "debug"]].concat());
    assert!(logged.status.success());
    assert_eq!(stdout(&silent), stdout(&logged));
    assert_eq!(stderr(&silent), "", "the log is off by default");
    let log = stderr(&logged);
    for parts in [
        ["DEBUG", "slope_measure", "files discovered", "files=1"],
        ["DEBUG", "slope_measure", "files analysed", "hits="],
        [
            "DEBUG",
            "slope_measure",
            "directory measured",
            "duration_s=",
        ],
    ] {
        assert!(has_line(&log, &parts), "{parts:?}\n{log}");
    }
    assert!(!log.contains('\u{1b}'), "no colour in a pipe");
}

#[test]
fn variable_starts_the_log() {
    let dir = folder();
    let arguments = ["measure", text(dir.path())];
    let log = stderr(&with_variable("slope_measure=debug", &arguments));
    assert!(log.contains("files discovered"), "{log}");
    let log = stderr(&with_variable("slope_gate=debug", &arguments));
    assert_eq!(log, "");
}

#[test]
fn option_wins_over_the_variable() {
    let dir = folder();
    let arguments = ["measure", text(dir.path()), "--log", "off"];
    let output = with_variable("debug", &arguments);
    assert_eq!(stderr(&output), "");
    let output = with_variable("not=valid", &arguments);
    assert!(output.status.success());
}

#[test]
fn invalid_filters_name_the_directive() {
    let dir = folder();
    let measure = ["measure", text(dir.path())];
    let option = run(&[&measure[..], &["--log", "info,slope_gate=loud"]].concat());
    let variable = with_variable("debgu", &measure);
    for (output, named) in [
        (option, "`slope_gate=loud` in --log"),
        (variable, "`debgu` in SLOPE_LOG"),
    ] {
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stdout(&output), "");
        let message = stderr(&output);
        assert!(message.contains(named), "{message}");
        assert!(
            message.contains("--log info,slope_gateway=debug"),
            "{message}"
        );
    }
}

#[test]
fn hooks_survive_invalid_filters() {
    let output = with_variable("debgu", &["hook", "claude-code"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("`debgu` in SLOPE_LOG"));
}

#[test]
fn mcp_keeps_standard_output_clean() {
    let request = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
        r#""capabilities":{},"clientInfo":{"name":"canary","version":"1"}}}"#,
        "\n"
    );
    let dir = folder();
    let file = dir.path().join("requests");
    std::fs::write(&file, request).unwrap();
    let output = slope()
        .args(["mcp", text(dir.path()), "--log", "trace"])
        .stdin(std::fs::File::open(&file).unwrap())
        .output()
        .unwrap();
    let answer = stdout(&output);
    let lines = answer.lines();
    let parsed: Vec<serde_json::Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(parsed[0]["id"], 1, "{answer}");
    assert!(!stderr(&output).contains("canary"), "{}", stderr(&output));
}

#[test]
fn check_logs_base_and_violations() {
    let dir = repository(&[("a.py", CODE)]);
    let copied = CODE.repeat(2);
    std::fs::write(dir.path().join("a.py"), format!("{copied}def broken(:\n")).unwrap();
    let arguments = ["check", text(dir.path()), "--format", "json"];
    let silent = run(&arguments);
    let logged = run(&[&arguments[..], &["--log", "debug"]].concat());
    assert_eq!(stdout(&silent), stdout(&logged));
    assert_eq!(silent.status, logged.status);
    let log = stderr(&logged);
    let base = ["slope_gate", "base chosen", "chosen=", "files=1"];
    assert!(has_line(&log, &base), "{log}");
    let judged = ["slope_gate", "change judged", "broken-syntax"];
    assert!(has_line(&log, &judged), "{log}");
    git(dir.path(), &["checkout", "-q", "a.py"]);
}

/// Runs the little problem and gives its log, without the key in it.
fn log_of_run(dir: &Path, filter: &str) -> String {
    let (problem, script) = little::problem(dir, 0);
    let mut server = Server::start(&script, dir);
    let arguments = ["run", text(&problem), "--agent", "slope", "--model", "m"];
    let model = ["--upstream", &server.url, "--key-env", KEY_ENV];
    let out = dir.join("out");
    let rest = ["--quiet", "--format", "json", "--out", text(&out)];
    let output = slope()
        .args(arguments)
        .args(model)
        .args(rest)
        .args(["--log", filter])
        .env(KEY_ENV, KEY)
        .output()
        .unwrap();
    server.served();
    let log = stderr(&output);
    assert!(output.status.success(), "{log}");
    serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap();
    log
}

#[test]
fn runs_log_every_step() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = log_of_run(dir.path(), "debug");
    let trial = "trial{problem=\"little\" trial=1}";
    let attempt = "attempt{checkpoint=\"checkpoint_2\" attempt=1}";
    let request = "request{trial=\"little/1\" checkpoint=2 request=1";
    for parts in [
        &[
            "run{label=",
            "run started",
            "agent=\"slope\"",
            "model=\"m\"",
        ][..],
        &["run{label=", trial, "worker started", "process="],
        // Of the worker, which has the filter from its coordinator.
        &[trial, attempt, "attempt started", "model=\"m\""],
        &[
            trial,
            attempt,
            "attempt ended",
            "status=\"completed\"",
            "cause=Completed",
        ],
        &[request, "request answered", "status=200", "duration_s="],
        &[
            trial,
            "grading{checkpoint=",
            "grading ended",
            "status=\"passed\"",
            "total=1",
        ],
        &[trial, attempt, "sandbox ended", "exit=Code(0)", "limits=[]"],
        &["trial ended", "status=\"finished\"", "duration_s="],
        &["run ended", "status=\"finished\"", "duration_s="],
    ] {
        assert!(has_line(&log, parts), "{parts:?}\n{log}");
    }
}

#[test]
fn logs_contain_no_secrets() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = log_of_run(dir.path(), "trace");
    assert!(log.contains("request answered"), "{log}");
    let spec = "prints the word";
    let answer = "I write it.";
    for secret in [KEY, KEY_ENV, spec, answer, "uthorization", "earer "] {
        assert!(!log.contains(secret), "{secret}\n{log}");
    }
    assert!(!has_token(&log), "{log}");
}

/// Whether there is an attempt's token: 64 hexadecimal digits.
fn has_token(log: &str) -> bool {
    let words = log.split(|c: char| !c.is_ascii_hexdigit());
    words.into_iter().any(|word| word.len() >= 64)
}
