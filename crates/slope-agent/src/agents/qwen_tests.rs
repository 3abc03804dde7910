use slope_model::run::AttemptState;

use super::*;
use crate::agent::Conclusion;
use crate::testing::{agent, agent_with, conclude, launched, stream};

const CALL: &str = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"c"}]}}"#;
const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"num_turns":2,
    "usage":{"input_tokens":1000,"output_tokens":50,"cache_read_input_tokens":400,
             "total_tokens":1050}}"#;

fn of(events: &[&str], code: i32) -> Conclusion {
    let exit = ProcessExit::Code(code);
    conclude(&agent(&AGENT), &stream(events), "", exit, 2)
}

#[test]
fn input_tokens_include_cached_part() {
    let conclusion = of(&[CALL, DONE], 0);
    assert_eq!(conclusion.state, AttemptState::Completed);
    let usage = conclusion.reported.clone().unwrap();
    assert_eq!((usage.tokens.input, usage.tokens.cache_read), (600, 400));
    assert_eq!((usage.requests, usage.tool_calls), (2, 1));
    // Cache writes are input to it, so the input includes them.
    let mut counted = usage;
    counted.tokens.input = 100;
    counted.tokens.cache_write = 500;
    assert_eq!(conclusion.differences(&counted), Vec::<String>::new());
    counted.tokens.cache_write = 400;
    assert_eq!(
        conclusion.differences(&counted),
        ["input tokens: the agent reports 600, the gateway counted 500"]
    );
}

#[test]
fn errors_and_caps_are_distinguished() {
    let error = |words: &str| {
        format!(
            r#"{{"type":"result","subtype":"error_during_execution","is_error":true,
            "usage":{{"input_tokens":0,"output_tokens":0}},"error":{{"message":"{words}"}}}}"#
        )
    };
    let refused = of(&[&error("[API Error: 400 refused]")], 1);
    assert_eq!(
        refused.reason.as_deref(),
        Some("the agent reported an error: [API Error: 400 refused]")
    );
    let login = of(&[&error("[API Error: 401 refused]")], 1).reason.unwrap();
    assert!(login.starts_with("its login failed"), "{login}");
    assert_eq!(of(&[CALL], 53).state, AttemptState::Budget);
    assert_eq!(of(&[CALL], 1).state, AttemptState::AgentError);
    assert_eq!(of(&[DONE], 1).state, AttemptState::AgentError);
}

#[test]
fn launch_matches_snapshot() {
    let agent = agent_with(&AGENT, "max_turns = 7\neffort = \"medium\"\n");
    insta::assert_debug_snapshot!(launched(&agent));
}
