use slope_model::run::AttemptState;

use super::*;
use crate::agent::Conclusion;
use crate::testing::{agent, agent_with, conclude, launched, stream};

const CALL: &str = r#"{"role":"assistant","content":"I look.","tool_calls":[{"id":"c"}]}"#;
const END: &str = r#"{"role":"meta","type":"session.resume_hint","session_id":"s"}"#;
const USED: &str = r#"{"type":"usage.record","agentId":"main","usage":{"inputOther":600,
    "output":50,"inputCacheRead":400,"inputCacheCreation":0},"usageScope":"turn"}"#;

fn of(events: &[&str], stderr: &str, code: i32) -> Conclusion {
    let exit = ProcessExit::Code(code);
    conclude(&agent(&AGENT), &stream(events), stderr, exit, 2)
}

#[test]
fn usage_files_exclude_cached_input() {
    let conclusion = of(&[CALL, END, USED, USED], "", 0);
    assert_eq!(conclusion.state, AttemptState::Completed);
    let usage = conclusion.reported.unwrap();
    assert_eq!((usage.tokens.input, usage.tokens.cache_read), (1200, 800));
    assert_eq!((usage.requests, usage.tool_calls), (2, 1));
    // Without the files nothing is reported, rather than zero usage.
    assert_eq!(of(&[CALL, END], "", 0).reported, None);
}

#[test]
fn reason_comes_from_standard_error() {
    let words = "error: failed to run prompt: provider.api_error: 400 refused";
    let refused = of(&[], words, 1).reason.unwrap();
    assert!(refused.ends_with(words), "{refused}");
    let words = "error: failed to run prompt: provider.auth_error: 401 refused";
    let login = of(&[], words, 1).reason.unwrap();
    assert!(login.starts_with("its login failed"), "{login}");
    let retry = r#"{"role":"meta","type":"turn.step.retrying","failed_attempt":1,
        "error_message":"429 slow down","status_code":429}"#;
    let limited = of(&[retry], "", 1).reason.unwrap();
    assert!(limited.contains("429 slow down"), "{limited}");
    // The shell around it turns a signal into an exit code.
    let killed = of(&[CALL], "", 137).reason.unwrap();
    assert!(killed.contains("exit code 137"), "{killed}");
}

#[test]
fn launch_matches_snapshot() {
    let agent = agent_with(&AGENT, "max_turns = 7\neffort = \"high\"\n");
    insta::assert_debug_snapshot!(launched(&agent));
}
