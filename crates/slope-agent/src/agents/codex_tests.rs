use slope_model::run::AttemptState;

use super::*;
use crate::AgentOptions;
use crate::agent::Conclusion;
use crate::description::Described;
use crate::testing::{agent, agent_with, conclude, launched, stream};

const THREAD: &str = r#"{"type":"thread.started","thread_id":"t1"}"#;
const TURN: &str = r#"{"type":"turn.started"}"#;
const RAN: &str = r#"{"type":"item.completed","item":{"id":"item_1","type":"command_execution",
    "command":"ls","aggregated_output":"","exit_code":0,"status":"completed"}}"#;
const SAID: &str =
    r#"{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"Done."}}"#;

fn completed(input: u64, cached: u64, output: u64) -> String {
    format!(
        r#"{{"type":"turn.completed","usage":{{"input_tokens":{input},
        "cached_input_tokens":{cached},"cache_write_input_tokens":0,"output_tokens":{output},
        "reasoning_output_tokens":3}}}}"#
    )
}

fn of(events: &[&str], exit: ProcessExit, requests: u64) -> Conclusion {
    conclude(&agent(&AGENT), &stream(events), "", exit, requests)
}

#[test]
fn complete_stream_separates_cached_input() {
    let end = completed(1000, 400, 50);
    let conclusion = of(&[THREAD, TURN, RAN, SAID, &end], ProcessExit::Code(0), 2);
    assert_eq!(conclusion.state, AttemptState::Completed);
    let usage = conclusion.reported.clone().unwrap();
    let tokens = Tokens {
        input: 600,
        cache_read: 400,
        cache_write: 0,
        cache_write_1h: 0,
        output: 50,
        reasoning: 3,
    };
    assert_eq!(usage.tokens, tokens);
    assert_eq!(usage.tool_calls, 1);
    // The stream does not report requests, so the zero there means nothing.
    assert_eq!(conclusion.not_reported, ["requests", "failed_requests"]);
    assert_eq!(conclusion.differences(&usage), Vec::<String>::new());
}

#[test]
fn thread_usage_is_cumulative() {
    let (first, second) = (completed(2200, 0, 10), completed(3400, 1000, 25));
    let conclusion = of(
        &[THREAD, TURN, &first, TURN, &second],
        ProcessExit::Code(0),
        4,
    );
    let tokens = conclusion.reported.unwrap().tokens;
    assert_eq!(
        (tokens.input, tokens.cache_read, tokens.output),
        (2400, 1000, 25)
    );
    // Another thread counts from zero again.
    let other = r#"{"type":"thread.started","thread_id":"t2"}"#;
    let events = [THREAD, TURN, &first, other, TURN, &second];
    let tokens = of(&events, ProcessExit::Code(0), 4)
        .reported
        .unwrap()
        .tokens;
    assert_eq!(
        (tokens.input, tokens.cache_read, tokens.output),
        (4600, 1000, 35)
    );
}

#[test]
fn error_item_in_success_is_noted() {
    let item = r#"{"type":"item.completed","item":{"id":"item_0","type":"error",
        "message":"Model metadata for `m` not found."}}"#;
    let end = completed(10, 0, 1);
    let conclusion = of(&[THREAD, item, TURN, &end], ProcessExit::Code(0), 1);
    assert_eq!(conclusion.state, AttemptState::Completed);
    assert_eq!(
        conclusion.notes,
        ["it mentioned an error: Model metadata for `m` not found."]
    );
}

#[test]
fn failed_turn_overrides_exit_code() {
    let reconnect = r#"{"type":"error","message":"Reconnecting... 1/5"}"#;
    let failed =
        r#"{"type":"turn.failed","error":{"message":"exceeded retry limit,\nlast status: 429"}}"#;
    for code in [0, 1] {
        let conclusion = of(
            &[THREAD, TURN, reconnect, failed],
            ProcessExit::Code(code),
            6,
        );
        assert_eq!(conclusion.state, AttemptState::AgentError);
        assert_eq!(
            conclusion.reason.as_deref(),
            Some("the agent reported an error: exceeded retry limit, last status: 429")
        );
        assert_eq!(
            conclusion.notes,
            ["1 error of its connection, the last: Reconnecting... 1/5"]
        );
        assert_eq!(conclusion.reported, None);
    }
}

#[test]
fn stream_without_end_is_error() {
    let item = r#"{"type":"item.completed","item":{"type":"error","message":"unknown model"}}"#;
    let conclusion = of(&[THREAD, item, TURN, RAN], ProcessExit::Signal(9), 1);
    assert_eq!(conclusion.state, AttemptState::AgentError);
    assert_eq!(
        conclusion.reason.as_deref(),
        Some("the event stream ended without its last event (signal 9)")
    );
    // The end of an earlier turn is not the end of the last.
    let end = completed(10, 0, 1);
    let conclusion = of(&[THREAD, TURN, &end, TURN, RAN], ProcessExit::Code(0), 1);
    assert_eq!(conclusion.state, AttemptState::AgentError);
    assert_eq!(
        of(&[THREAD, TURN, &end], ProcessExit::Code(1), 1).state,
        AttemptState::AgentError
    );
}

#[test]
fn reason_includes_standard_error() {
    let words = "Error: Missing environment variable\n";
    let conclusion = conclude(&agent(&AGENT), "", words, ProcessExit::Code(1), 0);
    insta::assert_snapshot!(conclusion.reason.unwrap(), @"the event stream ended without its last event (exit code 1); standard error: Error: Missing environment variable");
}

#[test]
fn success_without_requests_is_error() {
    let end = completed(0, 0, 0);
    let conclusion = of(&[THREAD, TURN, &end], ProcessExit::Code(0), 0);
    assert_eq!(conclusion.state, AttemptState::AgentError);
}

#[test]
fn launch_matches_snapshot() {
    let agent = agent_with(&AGENT, "effort = \"high\"\nextra_args = [\"--more\"]\n");
    let (process, files) = launched(&agent);
    assert_eq!(files[0].0, ".codex/config.toml");
    assert!(toml::from_str::<toml::Table>(&files[0].1).is_ok());
    insta::assert_snapshot!("codex_config", files[0].1);
    insta::assert_debug_snapshot!(process);
}

#[test]
fn turn_cap_error_names_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("codex.toml");
    std::fs::write(&path, "extra_args = []\nmax_turns = 3\n").unwrap();
    let options = AgentOptions::with_config(&path);
    let error = Described::new(&AGENT, &options).err().unwrap().to_string();
    assert!(
        error.contains("codex.toml:2: codex has no turn cap"),
        "{error}"
    );
}
