use slope_model::run::AttemptState;

use super::*;
use crate::agent::Conclusion;
use crate::testing::{agent, agent_with, conclude, launched, stream};

const START: &str = r#"{"type":"step_start","part":{"type":"step-start"}}"#;
const CALL: &str = r#"{"type":"tool_use","part":{"tool":"bash","state":{"status":"completed"}}}"#;

fn finish(reason: &str) -> String {
    format!(
        r#"{{"type":"step_finish","part":{{"reason":"{reason}","cost":0,"tokens":{{"total":990,
        "input":600,"output":70,"reasoning":20,"cache":{{"read":300,"write":0}}}}}}}}"#
    )
}

fn of(events: &[&str], code: i32) -> Conclusion {
    let exit = ProcessExit::Code(code);
    conclude(&agent(&AGENT), &stream(events), "", exit, 2)
}

#[test]
fn steps_add_up_without_cached_input() {
    let events = [START, CALL, &finish("tool-calls"), START, &finish("stop")];
    let conclusion = of(&events, 0);
    assert_eq!(conclusion.state, AttemptState::Completed);
    let usage = conclusion.reported.unwrap();
    let tokens = Tokens {
        input: 1200,
        cache_read: 600,
        cache_write: 0,
        cache_write_1h: 0,
        output: 180,
        reasoning: 40,
    };
    assert_eq!(usage.tokens, tokens);
    assert_eq!((usage.requests, usage.tool_calls), (2, 1));
}

#[test]
fn step_with_tool_calls_is_unfinished() {
    let called = finish("tool-calls");
    for events in [&[START, CALL, called.as_str()][..], &[START], &[]] {
        let conclusion = of(events, 0);
        assert_eq!(conclusion.state, AttemptState::AgentError);
        assert!(
            conclusion
                .reason
                .unwrap()
                .contains("without its last event")
        );
    }
}

#[test]
fn error_includes_server_status() {
    let error = |status: u64| {
        format!(
            r#"{{"type":"error","error":{{"name":"APIError",
            "data":{{"message":"refused","statusCode":{status}}}}}}}"#
        )
    };
    let reason = |status| of(&[&error(status)], 1).reason.unwrap();
    assert_eq!(
        reason(400),
        "the agent reported an error, status 400 of the model's server: refused"
    );
    assert_eq!(
        reason(401),
        "its login failed, status 401 of the model's server: refused"
    );
}

#[test]
fn launch_matches_snapshot() {
    let agent = agent_with(&AGENT, "effort = \"low\"\n");
    insta::assert_debug_snapshot!(launched(&agent));
}
