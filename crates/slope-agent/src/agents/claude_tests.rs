use std::path::Path;

use slope_model::run::AttemptState;

use super::*;
use crate::agent::{Agent, Conclusion, Evidence, Installed, LaunchContext};
use crate::testing::{agent, agent_with, conclude, launched, stream};

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s","cwd":"/workspace",
    "tools":["Bash","Read"],"model":"m","permissionMode":"bypassPermissions"}"#;
const SAID: &str = r#"{"type":"assistant","message":{"id":"msg_1","role":"assistant",
    "content":[{"type":"text","text":"I begin."}],
    "usage":{"input_tokens":100,"output_tokens":1}}}"#;
const CALLED: &str = r#"{"type":"assistant","message":{"id":"msg_1","role":"assistant",
    "content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}],
    "usage":{"input_tokens":100,"output_tokens":1}}}"#;

fn result(subtype: &str, is_error: bool, more: &str) -> String {
    format!(
        r#"{{"type":"result","subtype":"{subtype}","is_error":{is_error},"num_turns":2{more}}}"#
    )
}

const USED: &str = r#","result":"Done.","total_cost_usd":0.0105,
    "usage":{"input_tokens":200,"cache_read_input_tokens":30,"cache_creation_input_tokens":5,
             "output_tokens":50},
    "modelUsage":{"m":{"inputTokens":200,"outputTokens":50,"cacheReadInputTokens":30,
                       "cacheCreationInputTokens":5,"costUSD":0.0105}}"#;

fn of(events: &[&str], exit: ProcessExit, requests: u64) -> Conclusion {
    conclude(&agent(&AGENT), &stream(events), "", exit, requests)
}

#[test]
fn complete_stream_reports_usage() {
    let end = result("success", false, USED);
    let conclusion = of(&[INIT, SAID, CALLED, &end], ProcessExit::Code(0), 2);
    assert_eq!(conclusion.state, AttemptState::Completed);
    assert_eq!(conclusion.reason, None);
    let usage = conclusion.reported.unwrap();
    let tokens = Tokens {
        input: 200,
        cache_read: 30,
        cache_write: 5,
        cache_write_1h: 0,
        output: 50,
        reasoning: 0,
    };
    assert_eq!(usage.tokens, tokens);
    // Two events of one message are one request.
    assert_eq!((usage.requests, usage.tool_calls), (1, 1));
    assert_eq!(conclusion.notes, Vec::<String>::new());
}

#[test]
fn is_error_decides_over_subtype() {
    let end = result(
        "success",
        true,
        r#","api_error_status":401,"result":"Invalid API key. Please run /login""#,
    );
    let conclusion = of(&[INIT, &end], ProcessExit::Code(1), 1);
    assert_eq!(conclusion.state, AttemptState::AgentError);
    insta::assert_snapshot!(conclusion.reason.unwrap(), @"its login failed, status 401 of the model's server: Invalid API key. Please run /login");
    // Also if the exit code is 0.
    assert_eq!(
        of(&[INIT, &end], ProcessExit::Code(0), 1).state,
        AttemptState::AgentError
    );
    // And a silent result is not a success.
    let silent = r#"{"type":"result","subtype":"success"}"#;
    assert_eq!(
        of(&[silent], ProcessExit::Code(0), 1).state,
        AttemptState::AgentError
    );
}

#[test]
fn turn_cap_ends_as_budget() {
    let end = result("error_max_turns", true, USED);
    let conclusion = of(&[INIT, CALLED, &end], ProcessExit::Code(1), 2);
    assert_eq!(conclusion.state, AttemptState::Budget);
    assert_eq!(conclusion.reason.as_deref(), Some("the turn cap ended it"));
    // Whatever `is_error` is.
    let end = result("error_max_turns", false, USED);
    assert_eq!(
        of(&[&end], ProcessExit::Code(1), 2).state,
        AttemptState::Budget
    );
}

#[test]
fn cost_cap_usage_comes_per_model() {
    let end = result(
        "error_max_budget_usd",
        true,
        r#","total_cost_usd":0.2,
        "usage":{"input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0},
        "modelUsage":{"m":{"inputTokens":700,"outputTokens":60,"cacheReadInputTokens":8,
                           "cacheCreationInputTokens":9,"costUSD":0.15},
                      "n":{"inputTokens":30,"outputTokens":4,"costUSD":0.05}}"#,
    );
    let conclusion = of(&[INIT, &end], ProcessExit::Code(1), 3);
    assert_eq!(conclusion.state, AttemptState::Budget);
    let tokens = Tokens {
        input: 730,
        cache_read: 8,
        cache_write: 9,
        cache_write_1h: 0,
        output: 64,
        reasoning: 0,
    };
    assert_eq!(conclusion.reported.unwrap().tokens, tokens);
}

#[test]
fn missing_result_is_an_agent_error() {
    // The agent's own command killed it: the stream stops in the middle.
    let conclusion = of(&[INIT, SAID, CALLED], ProcessExit::Code(144), 1);
    assert_eq!(conclusion.state, AttemptState::AgentError);
    assert_eq!(
        conclusion.reason.as_deref(),
        Some("the event stream ended without its last event (exit code 144)")
    );
    // Messages carry the token count of their start; a sum of those would be wrong.
    assert_eq!(conclusion.reported, None);
    // Even with code 0, and without any event.
    assert_eq!(
        of(&[INIT], ProcessExit::Code(0), 1).state,
        AttemptState::AgentError
    );
    let nothing = of(&[], ProcessExit::Signal(9), 0);
    assert_eq!(
        nothing.reason.as_deref(),
        Some("the event stream ended without its last event (signal 9)")
    );
}

#[test]
fn final_retries_appear_in_the_reason() {
    let retry = r#"{"type":"system","subtype":"api_retry","attempt":2,"max_retries":3,
        "retry_delay_ms":1000,"error_status":429,"error":"rate_limit"}"#;
    let conclusion = of(&[INIT, retry], ProcessExit::Signal(15), 3);
    insta::assert_snapshot!(conclusion.reason.unwrap(), @"the event stream ended without its last event; before: retry 2 of 3, status 429, rate_limit (signal 15)");
    assert_eq!(conclusion.notes, ["the agent retried 1 request"]);
}

#[test]
fn success_without_requests_is_error() {
    let end = result(
        "success",
        false,
        r#","result":"","usage":{"input_tokens":0,"output_tokens":0}"#,
    );
    let conclusion = of(&[INIT, &end], ProcessExit::Code(0), 0);
    assert_eq!(conclusion.state, AttemptState::AgentError);
    assert!(conclusion.reason.unwrap().contains("without one request"));
}

#[test]
fn success_with_bad_exit_is_error() {
    let end = result("success", false, USED);
    assert_eq!(
        of(&[&end], ProcessExit::Signal(11), 2).state,
        AttemptState::AgentError
    );
}

#[test]
fn reported_cost_is_never_compared() {
    // The agent prices unknown models at a default.
    let end = result("success", false, USED);
    let conclusion = of(&[&end], ProcessExit::Code(0), 2);
    let mut counted = conclusion.reported.clone().unwrap();
    assert_eq!(counted.cost_usd, Some(0.0105));
    counted.cost_usd = Some(0.0001);
    counted.tokens.reasoning = 7;
    assert_eq!(conclusion.differences(&counted), Vec::<String>::new());
    counted.tokens.output = 49;
    assert_eq!(
        conclusion.differences(&counted),
        ["output tokens: the agent reports 50, the gateway counted 49"]
    );
}

#[test]
fn exit_code_decides_cut_stream() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    std::fs::write(&out, format!("{}\n{{\"type\":\"assi", stream(&[INIT]))).unwrap();
    let mut evidence = Evidence {
        exit: ProcessExit::Code(0),
        stdout: &out,
        stderr: Path::new("/nonexistent"),
        stdout_cut: true,
        gateway_requests: 5,
    };
    let conclusion = agent(&AGENT).conclude(&evidence);
    assert_eq!(conclusion.state, AttemptState::Completed);
    assert!(conclusion.notes[0].contains("cut off"));
    evidence.exit = ProcessExit::Code(1);
    assert_eq!(
        agent(&AGENT).conclude(&evidence).state,
        AttemptState::AgentError
    );
}

#[test]
fn web_tools_and_denials_are_noted() {
    let init = INIT.replace("\"Read\"", "\"WebFetch\"");
    let end = result(
        "success",
        false,
        r#","permission_denials":[{"tool_name":"Bash"}]"#,
    );
    let conclusion = of(&[&init, &end], ProcessExit::Code(0), 1);
    assert_eq!(
        conclusion.notes,
        ["web tools were offered: WebFetch", "denied: 1 tool call"]
    );
}

#[test]
fn launch_matches_snapshot() {
    let agent = agent_with(
        &AGENT,
        "max_turns = 7\n[env]\nMAX_THINKING_TOKENS = \"4000\"\n",
    );
    insta::assert_debug_snapshot!(launched(&agent));
}

#[test]
fn too_long_prompt_is_refused() {
    let installed = Installed {
        program: Some("/x".into()),
        ..Installed::builtin()
    };
    let prompt = "x".repeat(200_000);
    let context = LaunchContext {
        prompt: &prompt,
        ..crate::testing::launch_context(&installed)
    };
    let error = agent(&AGENT).launch(&context).unwrap_err();
    assert!(error.to_string().contains("200000 bytes"), "{error}");
}
