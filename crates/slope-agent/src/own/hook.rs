//! The subset of Claude Code's hook protocol that this agent needs.

use std::time::Duration;

use serde_json::{Value, json};

use super::wire::Call;
use super::{Payload, shell};

/// Timeout of a hook.
const PATIENCE: Duration = Duration::from_secs(310);

/// Name of the session: a sandbox has only one.
const SESSION: &str = "own-agent";

/// The hook of a session, if it has one.
pub(super) struct Hook<'a> {
    payload: &'a Payload,
    /// Whether the agent continues only because of the hook.
    sent_on: bool,
}

impl<'a> Hook<'a> {
    pub(super) fn new(payload: &'a Payload) -> Self {
        Self {
            payload,
            sent_on: false,
        }
    }

    /// The session begins.
    pub(super) fn start(&self) {
        self.ask("SessionStart", json!({ "source": "startup" }));
    }

    /// Reports a tool call to the hook. Returns the hook's remarks.
    pub(super) fn ran(&self, call: &Call) -> Option<String> {
        let input = call.input.as_ref().ok()?;
        let answer = self.ask(
            "PostToolUse",
            json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": call.id }),
        )?;
        let context = answer.pointer("/hookSpecificOutput/additionalContext");
        context.and_then(Value::as_str).map(str::to_owned)
    }

    /// The model is done; why it has to go on, if it has to.
    pub(super) fn stop(&mut self) -> Option<String> {
        let active = std::mem::take(&mut self.sent_on);
        let answer = self.ask("Stop", json!({ "stop_hook_active": active }))?;
        if answer["decision"] != "block" {
            return None;
        }
        self.sent_on = true;
        answer["reason"].as_str().map(str::to_owned)
    }

    /// The hook's answer; `None` if it fails for any reason.
    fn ask(&self, event: &str, with: Value) -> Option<Value> {
        let line = self.payload.hook.as_deref()?;
        let mut question = with;
        question["hook_event_name"] = json!(event);
        question["session_id"] = json!(SESSION);
        question["cwd"] = json!(self.payload.workspace);
        let question = shell_words::quote(&question.to_string()).into_owned();
        let script = format!("printf %s {question} | {line} 2>/dev/null");
        let ran = shell::run(&script, &self.payload.workspace, PATIENCE).ok()?;
        serde_json::from_str(&ran.output).ok()
    }
}
