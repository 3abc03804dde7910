use slope_model::run::AttemptState;

use super::*;
use crate::agent::Conclusion;
use crate::testing::{agent, agent_with, conclude, launched, stream};

const INIT: &str = r#"{"type":"init","session_id":"s","model":"m"}"#;
const DONE: &str = r#"{"type":"result","status":"success","stats":{"total_tokens":1330,
    "input_tokens":1000,"output_tokens":250,"cached":400,"input":600,"tool_calls":2}}"#;

fn refused(words: &str) -> String {
    format!(
        r#"{{"type":"result","status":"error","error":{{"type":"unknown","message":"{words}"}},
        "stats":{{"total_tokens":0,"input_tokens":0,"output_tokens":0,"cached":0}}}}"#
    )
}

fn of(events: &[&str], code: i32, requests: u64) -> Conclusion {
    let exit = ProcessExit::Code(code);
    conclude(&agent(&AGENT), &stream(events), "", exit, requests)
}

#[test]
fn cached_input_and_thoughts_count_separately() {
    let conclusion = of(&[INIT, DONE], 0, 3);
    assert_eq!(conclusion.state, AttemptState::Completed);
    let usage = conclusion.reported.unwrap();
    let tokens = Tokens {
        input: 600,
        cache_read: 400,
        cache_write: 0,
        cache_write_1h: 0,
        output: 330,
        reasoning: 80,
    };
    assert_eq!((usage.tokens, usage.tool_calls), (tokens, 2));
}

#[test]
fn exit_code_is_status_modulo_256() {
    let end = refused("[API Error: the script says so]");
    let reason = |code| of(&[INIT, &end], code, 1).reason.unwrap();
    for (code, begin) in [
        (400 % 256, "the agent reported an error, status 400"),
        (401 % 256, "its login failed, status 401"),
        (403 % 256, "its login failed, status 403"),
        (1, "the agent reported an error: [API"),
    ] {
        assert!(reason(code).starts_with(begin), "{}", reason(code));
    }
    // 144 could also be a signal of a shell's; without the event it is unchanged.
    let died = of(&[INIT], 144, 1).reason.unwrap();
    assert_eq!(
        died,
        "the event stream ended without its last event (exit code 144)"
    );
}

#[test]
fn endings_without_success_are_distinguished() {
    let no_login = of(&[], 41, 0);
    assert_eq!(no_login.state, AttemptState::AgentError);
    assert!(no_login.reason.unwrap().starts_with("its login failed"));
    assert_eq!(of(&[INIT], 53, 4).state, AttemptState::Budget);
    let killed = conclude(&agent(&AGENT), INIT, "", ProcessExit::Signal(9), 4);
    assert!(killed.reason.unwrap().ends_with("(signal 9)"));
    let nothing = of(&[INIT, DONE], 0, 0);
    assert_eq!(nothing.state, AttemptState::AgentError);
    assert!(nothing.reason.unwrap().contains("did nothing"));
}

#[test]
fn launch_matches_snapshot() {
    let agent = agent_with(&AGENT, "max_turns = 7\n");
    insta::assert_debug_snapshot!(launched(&agent));
}
