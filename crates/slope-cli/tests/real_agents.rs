//! Claude Code and Codex, real binaries at pinned versions, through two checkpoints of the built-in
//! problem under the scripted gateway.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic and says when it is skipped"
)]

mod common;

use std::path::{Path, PathBuf};

use common::{run, runs, sandbox_or_skip, script, stderr, text};
use serde_json::Value;
use slope_model::script::Script;
use slope_model::usage::Tokens;

/// Checkpoints that each agent completes.
const CHECKPOINTS: u32 = 2;

fn npm_or_skip() -> bool {
    let found = std::process::Command::new("npm")
        .arg("--version")
        .output()
        .is_ok();
    if !found {
        println!("\nskipped: npm is missing, so the agents cannot be installed");
    }
    found
}

/// Tokens of the script's turns for the first checkpoints.
fn scripted(path: &Path) -> Tokens {
    let text = std::fs::read_to_string(path).unwrap();
    let script: Script = serde_saphyr::from_str(&text).unwrap();
    let mut sum = Tokens::default();
    for conversation in &script.conversations {
        if conversation.checkpoint.is_some_and(|c| c <= CHECKPOINTS) {
            conversation.turns.iter().for_each(|turn| sum += turn.usage);
        }
    }
    sum
}

/// Files of that name below `dir`.
fn files(dir: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|n| n == name) {
                found.push(path);
            }
        }
    }
    found
}

fn completes_two_checkpoints(agent: &str) {
    if !sandbox_or_skip() || !npm_or_skip() {
        return;
    }
    let dir = tempfile::Builder::new()
        .prefix("hostpathmark")
        .tempdir()
        .unwrap();
    let problem = common::builtin(dir.path());
    let script = script(&problem, "tidy");
    let out = dir.path().join("run");
    let output = run(&[
        "run",
        text(&problem),
        "--agent",
        agent,
        "--model",
        "scripted-tidy",
        "--script",
        text(&script),
        "--checkpoints",
        &CHECKPOINTS.to_string(),
        "--timeout",
        "300",
        "--out",
        text(&out),
        "--format",
        "json",
        "--quiet",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    check_checkpoints(&envelope, &script, &out);
    for log in files(&out, "requests.jsonl") {
        let said = std::fs::read_to_string(&log).unwrap();
        assert!(
            !said.contains("hostpathmark"),
            "a host path is in {}",
            log.display()
        );
        assert!(
            !said.contains("suite/"),
            "the suite is in {}",
            log.display()
        );
    }
}

/// Every checkpoint passed, and the tokens are the script's.
fn check_checkpoints(envelope: &Value, script: &Path, out: &Path) {
    let checkpoints = runs(envelope)[0]["trials"][0]["checkpoints"]
        .as_array()
        .unwrap();
    assert_eq!(checkpoints.len(), CHECKPOINTS as usize);
    let mut counted = Tokens::default();
    for checkpoint in checkpoints {
        assert_eq!(checkpoint["state"], "passed", "{checkpoint}\n{}", logs(out));
        counted += serde_json::from_value(checkpoint["usage"]["tokens"].clone()).unwrap();
    }
    assert_eq!(
        counted,
        scripted(script),
        "the gateway counts what the script says"
    );
}

/// Ends of the agent's own output, for a failure's message.
fn logs(out: &Path) -> String {
    let mut text = String::new();
    for name in ["stdout.log", "stderr.log"] {
        for file in files(out, name) {
            let said = std::fs::read_to_string(&file).unwrap_or_default();
            let tail: String = said
                .chars()
                .rev()
                .take(1500)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect();
            text.push_str(&format!("-- {}\n{tail}\n", file.display()));
        }
    }
    text
}

#[test]
fn claude_code_completes_two_checkpoints_and_its_tokens_are_the_scripts() {
    completes_two_checkpoints("claude-code");
}

#[test]
fn codex_completes_two_checkpoints_and_its_tokens_are_the_scripts() {
    completes_two_checkpoints("codex");
}

/// A model that writes a function far too complex, and does not care what it is told of it.
const SLOPPY: &str = r#"
schema: slope.script/1
model: scripted-sloppy
prices: {input: 1.0, cache_read: 0.1, cache_write: 1.0, output: 1.0}
aside: {text: a title, usage: {input: 1, output: 1}}
conversations:
  - name: careless
    turns:
      - text: I write it.
        shell: |
          { echo 'def tangled(a):'
          for n in $(seq 1 30); do echo "    if a == $n:"; echo "        a += $n"; done
          echo '    return a'; } > tangled.py
        usage: {input: 10, output: 10}
      - text: Done.
        usage: {input: 10, output: 10}
      - text: It has to stay.
        usage: {input: 10, output: 10}
"#;

/// What the model was sent, request by request, asides left out.
fn requests(out: &Path) -> Vec<String> {
    let logs = files(out, "requests.jsonl");
    let text: String = logs
        .iter()
        .map(|log| std::fs::read_to_string(log).unwrap())
        .collect();
    let lines = text
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).unwrap());
    let mut asked: Vec<(u64, String)> = lines
        .filter(|line| !line["response"].to_string().contains("a title"))
        .map(|line| (line["seq"].as_u64().unwrap(), line["request"].to_string()))
        .collect();
    asked.sort();
    asked.into_iter().map(|(_, request)| request).collect()
}

fn is_told_after_the_edit_and_blocked_once_at_stop(agent: &str) {
    if !sandbox_or_skip() || !npm_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = dir.path().join("sloppy.yaml");
    std::fs::write(&script, SLOPPY).unwrap();
    let out = dir.path().join("run");
    let output = run(&[
        "run",
        text(&problem),
        "--agent",
        agent,
        "--model",
        "scripted-sloppy",
        "--script",
        text(&script),
        "--intervention",
        "hooks",
        "--checkpoints",
        "1",
        "--stability",
        "off",
        "--timeout",
        "300",
        "--out",
        text(&out),
        "--format",
        "json",
        "--quiet",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let asked = requests(&out);
    // More than three would be an error of the script, which has no fourth turn.
    assert_eq!(asked.len(), 3, "{}", logs(&out));
    let remark = "slope: tangled.py:1: ";
    let list = "slope: before you stop";
    assert!(!asked[0].contains("slope: "));
    assert!(asked[1].contains(remark), "{}\n{}", asked[1], logs(&out));
    assert!(!asked[1].contains(list));
    assert!(asked[2].contains(list), "{}\n{}", asked[2], logs(&out));
    assert_eq!(asked[2].matches(list).count(), 1);
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checkpoint = &runs(&envelope)[0]["trials"][0]["checkpoints"][0];
    assert_eq!(
        checkpoint["state"],
        "failed",
        "{checkpoint}\n{}",
        logs(&out)
    );
}

#[test]
fn claude_code_is_told_after_the_edit_and_blocked_once_at_stop() {
    is_told_after_the_edit_and_blocked_once_at_stop("claude-code");
}

#[test]
fn codex_is_told_after_the_edit_and_blocked_once_at_stop() {
    is_told_after_the_edit_and_blocked_once_at_stop("codex");
}
