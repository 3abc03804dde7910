use slope_model::run::AttemptState;

use super::*;
use crate::agent::Conclusion;
use crate::testing::{agent, agent_with, conclude, launched};

fn end(status: &str) -> String {
    format!(
        r#"{{"type":"end","info":{{"exit_status":"{status}","model_stats":{{"api_calls":2}}}},"calls":2,"usage":[null,{{"prompt_tokens":1000,"completion_tokens":50,"prompt_tokens_details":{{"cached_tokens":400}},"completion_tokens_details":{{"reasoning_tokens":7}}}},null]}}"#
    )
}

fn of(event: &str, code: i32) -> Conclusion {
    conclude(&agent(&AGENT), event, "", ProcessExit::Code(code), 2)
}

#[test]
fn trajectory_has_usage_per_reply() {
    let conclusion = of(&end("Submitted"), 0);
    assert_eq!(conclusion.state, AttemptState::Completed);
    let usage = conclusion.reported.unwrap();
    let tokens = Tokens {
        input: 600,
        cache_read: 400,
        cache_write: 0,
        cache_write_1h: 0,
        output: 50,
        reasoning: 7,
    };
    assert_eq!(usage.tokens, tokens);
    assert_eq!((usage.requests, usage.tool_calls), (1, 2));
}

#[test]
fn exit_code_zero_can_be_failure() {
    assert_eq!(of(&end("LimitsExceeded"), 0).state, AttemptState::Budget);
    for status in [
        "AuthenticationError",
        "BadRequestError",
        "RepeatedFormatError",
    ] {
        let conclusion = of(&end(status), 0);
        assert_eq!(conclusion.state, AttemptState::AgentError);
        assert!(conclusion.reason.unwrap().contains(status));
    }
    let login = of(&end("AuthenticationError"), 1).reason.unwrap();
    assert!(login.starts_with("its login failed"), "{login}");
    assert_eq!(of("", 0).state, AttemptState::AgentError);
}

#[test]
fn launch_matches_snapshot() {
    let agent = agent_with(&AGENT, "max_turns = 7\neffort = \"high\"\n");
    insta::assert_debug_snapshot!(launched(&agent));
}
