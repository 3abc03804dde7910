//! What slope answers, in each agent's own words.

use serde_json::{Value, json};
use slope_agent::hooks::Hooked;

/// A sentence for the model after an edit.
pub(crate) fn remark(agent: Hooked, event: &str, message: &str) -> Value {
    match agent {
        Hooked::OpenCode => json!({ "message": message }),
        _ => json!({
            "hookSpecificOutput": { "hookEventName": event, "additionalContext": message },
        }),
    }
}

/// Makes the agent continue, with a list to fix.
pub(crate) fn block(agent: Hooked, message: &str) -> Value {
    match agent {
        Hooked::ClaudeCode | Hooked::Codex => json!({ "decision": "block", "reason": message }),
        Hooked::Gemini => json!({ "decision": "deny", "reason": message }),
        Hooked::OpenCode => json!({ "block": message }),
    }
}
