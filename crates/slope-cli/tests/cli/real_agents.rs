//! The real programs of all agents, at pinned versions, under the scripted gateway.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::agents::{self, CHECKPOINTS, Installer, Real, scripted};
use crate::common::little::{KEY, KEY_ENV, Server};
use crate::common::{self, run, runs, sandbox_or_skip, slope, stderr, text};
use serde_json::Value;
use slope_model::run::{Attempt, AttemptState};
use slope_model::usage::Tokens;

fn npm_or_skip() -> bool {
    Installer::Npm.is_here()
}

/// Whether a run failed for want of a registry; says so.
pub(crate) fn unreachable(output: &Output) -> bool {
    let said = stderr(output);
    let codes = [
        "ENOTFOUND",
        "ECONNREFUSED",
        "ETIMEDOUT",
        "EAI_AGAIN",
        "ENETUNREACH",
    ];
    let pip = ["NewConnectionError", "No matching distribution found"];
    let found = codes.iter().chain(&pip).any(|code| said.contains(code));
    if found {
        println!("\nskipped: the registry is out of reach: {said}");
    }
    found
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

fn completes_two_checkpoints(agent: &Real) {
    if !sandbox_or_skip() || !agent.ready() {
        return;
    }
    let dir = tempfile::Builder::new()
        .prefix("hostpathmark")
        .tempdir()
        .unwrap();
    let problem = common::builtin(dir.path());
    let script = agent.script(&problem, dir.path());
    let out = dir.path().join("run");
    let output = run(&agent.arguments(&problem, &script, &out, dir.path(), &[]));
    if unreachable(&output) {
        return;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    check_checkpoints(&envelope, &script, &out);
    check_attempts(agent, &out);
    for log in files(&out, "requests.jsonl") {
        let said = std::fs::read_to_string(&log).unwrap();
        for (secret, what) in [("hostpathmark", "a host path"), ("suite/", "the suite")] {
            assert!(!said.contains(secret), "{what} is in {}", log.display());
        }
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

/// The attempts that a run's journal has.
fn attempts(out: &Path) -> Vec<Attempt> {
    let journal = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let events = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let ended = events.filter(|event| event["event"] == "attempt_ended");
    ended
        .map(|event| serde_json::from_value(event["attempt"].clone()).unwrap())
        .collect()
}

/// Version, prompt and tools are recorded, and the agent counts as the gateway does.
fn check_attempts(agent: &Real, out: &Path) {
    let run = std::fs::read_to_string(out.join("run.json")).unwrap();
    let run: Value = serde_json::from_str(&run).unwrap();
    assert_eq!(run["agent_version"], agent.version, "{}", agent.name);
    for attempt in attempts(out) {
        assert_eq!(attempt.prompt_hash.len(), 32);
        assert!(!attempt.tools.is_empty(), "{}: no tools", agent.name);
        assert_eq!(attempt.reported.is_some(), agent.name != "command");
        let differs = |note: &&String| note.contains("tokens: the agent reports");
        let notes: Vec<&String> = attempt.notes.iter().filter(differs).collect();
        assert!(notes.is_empty(), "{}: {notes:?}", agent.name);
        let web = |tool: &&String| {
            let tool = tool.to_lowercase();
            tool.contains("web_") || tool.contains("webfetch") || tool.contains("websearch")
        };
        let web: Vec<&String> = attempt.tools.iter().filter(web).collect();
        assert!(web.is_empty(), "{}: {web:?}", agent.name);
    }
}

/// Ends of the agent's own output, for a failure's message.
fn logs(out: &Path) -> String {
    let mut text = String::new();
    for name in ["stdout.log", "stderr.log"] {
        for file in files(out, name) {
            let said = std::fs::read_to_string(&file).unwrap_or_default();
            let start = said.floor_char_boundary(said.len().saturating_sub(1500));
            text.push_str(&format!("-- {}\n{}\n", file.display(), &said[start..]));
        }
    }
    text
}

/// Agents that are asked everything for each change: those whose own retries are the most stubborn. `.ci/nightly`
/// asks all.
const SOME: [&str; 2] = [agents::CLAUDE_CODE.name, agents::CODEX.name];

/// A model's server that refuses every request with this status.
fn refusing(status: u16) -> String {
    format!(
        "schema: slope.script/1\nmodel: scripted-tidy\n\
         aside: {{text: a title, usage: {{input: 1, output: 1}}}}\n\
         conversations: [{{name: refused, turns: [{{fail_status: {status}}}]}}]\n"
    )
}

/// A refused login is told as such and a refused request is not, whatever exit code or event each
/// agent has for it.
fn tells_a_refused_login_from_a_refused_request(agent: &Real) {
    if !sandbox_or_skip() || !agent.ready() {
        return;
    }
    // The request is refused for all by `.ci/nightly`.
    let both = common::whole() || SOME.contains(&agent.name);
    for (status, login) in [(401, true), (400, false)] {
        if !login && !both {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let problem = common::builtin(dir.path());
        let script = dir.path().join("refusing.yaml");
        std::fs::write(&script, refusing(status)).unwrap();
        let out = dir.path().join("run");
        let output = run(&agent.arguments(&problem, &script, &out, dir.path(), &[]));
        if unreachable(&output) {
            return;
        }
        let attempts = attempts(&out);
        let (attempt, name) = (&attempts[0], agent.name);
        assert_eq!(
            attempt.state,
            AttemptState::AgentError,
            "{name}: {attempt:?}"
        );
        let reason = attempt.reason.as_deref().unwrap_or_default();
        let named = reason.contains("login failed");
        assert_eq!(named, login, "{name}, {status}: {reason}\n{}", logs(&out));
        assert_eq!(attempt.usage.tokens, Tokens::default());
    }
}

/// A server with a limit of requests is waited for by the gateway: no agent sees a refusal, so that neither its
/// own retries nor its own waiting decide how an attempt ends.
fn never_sees_that_the_server_is_busy(agent: &Real) {
    if !common::whole() && !SOME.contains(&agent.name) {
        return;
    }
    if !sandbox_or_skip() || !agent.ready() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = agent.script(&problem, dir.path());
    let mut server = Server::start(&script, dir.path());
    server.limit(4);
    let out = dir.path().join("run");
    let mut arguments = vec!["run", text(&problem), "--agent", agent.name];
    arguments.extend(["--model", "scripted-tidy", "--checkpoints", "1"]);
    arguments.extend(["--upstream", &server.url, "--key-env", KEY_ENV]);
    arguments.extend(["--prices", "1,5,0.1,1", "--timeout", "300"]);
    arguments.extend(["--out", text(&out), "--format", "json", "--quiet"]);
    let output = slope().env(KEY_ENV, KEY).args(&arguments).output().unwrap();
    if unreachable(&output) {
        return;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(server.limited(), 0, "it was asked");
    let attempts = attempts(&out);
    let (name, attempt) = (agent.name, &attempts[0]);
    assert_eq!(attempts.len(), 1, "{name}");
    assert_eq!(
        attempt.state,
        AttemptState::Completed,
        "{name}: {attempt:?}\n{}",
        logs(&out)
    );
    assert_eq!(attempt.usage.failed_requests, 4, "{name}: each try counts");
    assert_eq!(attempt.usage.tokens, server.served().usage.tokens, "{name}");
    for log in files(&out, "stdout.log") {
        let said = std::fs::read_to_string(log).unwrap();
        for sign in ["api_retry", "rate_limit", "Too Many", "Reconnecting"] {
            assert!(!said.contains(sign), "{name}: {sign} in {said}");
        }
    }
}

/// With one conversation, the model still sees the first checkpoint's prompt at the second one, and counts are as before.
fn continues_its_conversation(agent: &Real) {
    let always = [
        agents::SLOPE.name,
        agents::CLAUDE_CODE.name,
        agents::CODEX.name,
    ];
    if !common::whole() && !always.contains(&agent.name) {
        return;
    }
    if !sandbox_or_skip() || !agent.ready() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = agent.script(&problem, dir.path());
    let out = dir.path().join("run");
    let more = ["--one-conversation"];
    let output = run(&agent.arguments(&problem, &script, &out, dir.path(), &more));
    if unreachable(&output) {
        return;
    }
    let name = agent.name;
    assert!(output.status.success(), "{name}: {}", stderr(&output));
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    check_checkpoints(&envelope, &script, &out);
    for attempt in attempts(&out) {
        let differs = |note: &&String| note.contains("tokens: the agent reports");
        assert_eq!(attempt.notes.iter().find(differs), None, "{name}");
    }
    assert!(
        asked_second(&out).contains(FIRST_SPEC),
        "{name}\n{}",
        logs(&out)
    );
}

/// Heading of the first checkpoint's spec.
const FIRST_SPEC: &str = "Pantry: lots in, lots out";

/// What the model was sent at the second checkpoint.
fn asked_second(out: &Path) -> String {
    let logs = files(out, "requests.jsonl");
    let log = logs.iter().find(|log| text(log).contains("checkpoint_2"));
    std::fs::read_to_string(log.unwrap()).unwrap()
}

#[test]
fn checkpoints_start_new_conversations_by_default() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = agents::SLOPE.script(&problem, dir.path());
    let out = dir.path().join("run");
    let output = run(&agents::SLOPE.arguments(&problem, &script, &out, dir.path(), &[]));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!asked_second(&out).contains(FIRST_SPEC));
    assert_eq!(files(&out, "conversation.tar"), Vec::<PathBuf>::new());
}

mod one_conversation {
    use super::{agents, continues_its_conversation};

    #[test]
    fn slope() {
        continues_its_conversation(&agents::SLOPE);
    }

    #[test]
    fn claude_code() {
        continues_its_conversation(&agents::CLAUDE_CODE);
    }

    #[test]
    fn codex() {
        continues_its_conversation(&agents::CODEX);
    }

    #[test]
    fn gemini() {
        continues_its_conversation(&agents::GEMINI);
    }

    #[test]
    fn opencode() {
        continues_its_conversation(&agents::OPENCODE);
    }

    #[test]
    fn qwen_code() {
        continues_its_conversation(&agents::QWEN_CODE);
    }

    #[test]
    fn kimi_code() {
        continues_its_conversation(&agents::KIMI_CODE);
    }
}

#[test]
fn agents_without_conversations_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    for agent in ["oracle", "nop", "mini-swe-agent"] {
        let output = run(&[
            "run",
            text(&problem),
            "--agent",
            agent,
            "--one-conversation",
        ]);
        assert_eq!(output.status.code(), Some(2), "{agent}");
        let said = stderr(&output);
        let expected = format!("the agent {agent} cannot continue a conversation");
        assert!(said.contains(&expected), "{said}");
    }
}

macro_rules! each_agent {
    ($($test:ident: $agent:ident,)*) => {
        mod two_checkpoints {
            $(#[test] fn $test() { super::completes_two_checkpoints(&super::agents::$agent); })*
        }
        mod refusals {
            $(#[test] fn $test() {
                super::tells_a_refused_login_from_a_refused_request(&super::agents::$agent);
            })*
        }
        mod busy_server {
            $(#[test] fn $test() {
                super::never_sees_that_the_server_is_busy(&super::agents::$agent);
            })*
        }
    };
}

each_agent! {
    claude_code: CLAUDE_CODE,
    codex: CODEX,
    gemini: GEMINI,
    opencode: OPENCODE,
    qwen_code: QWEN_CODE,
    kimi_code: KIMI_CODE,
    mini_swe_agent: MINI_SWE_AGENT,
}

#[test]
fn slope_and_any_command_complete_two_checkpoints() {
    completes_two_checkpoints(&agents::SLOPE);
    completes_two_checkpoints(&agents::COMMAND);
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
          seq 1 30 | while read -r n; do echo "    if a == $n:"; echo "        a += $n"; done
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
fn claude_gets_feedback_and_stop_block() {
    is_told_after_the_edit_and_blocked_once_at_stop("claude-code");
}

#[test]
fn codex_gets_feedback_and_stop_block() {
    is_told_after_the_edit_and_blocked_once_at_stop("codex");
}

#[test]
fn gemini_gets_feedback_and_stop_block() {
    is_told_after_the_edit_and_blocked_once_at_stop("gemini");
}
