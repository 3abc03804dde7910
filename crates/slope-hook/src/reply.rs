//! Answers in the format of each agent.

use serde_json::{Value, json};
use slope_agent::hooks::Hooked;

/// A message to the model after an edit.
pub(crate) fn remark(agent: Hooked, event: &str, message: &str) -> Value {
    match agent {
        Hooked::OpenCode => json!({ "message": message }),
        _ => json!({
            "hookSpecificOutput": { "hookEventName": event, "additionalContext": message },
        }),
    }
}

/// A message that makes the agent continue with a list of problems.
pub(crate) fn block(agent: Hooked, message: &str) -> Value {
    match agent {
        Hooked::ClaudeCode | Hooked::Codex => json!({ "decision": "block", "reason": message }),
        Hooked::Gemini => json!({ "decision": "deny", "reason": message }),
        Hooked::OpenCode => json!({ "block": message }),
    }
}
