//! Kimi Code.

use serde_json::Value;
use slope_model::usage::{Tokens, Usage};

use crate::agent::{Dialect, ProcessExit};
use crate::description::{Conversation, Description, Runner, Told, no_files};
use crate::events::{End, Stream};
use crate::evidence::{number, text};
use crate::install::Part;
use crate::install::npm::Npm;

/// Kimi Code.
pub(crate) static AGENT: Description = Description {
    name: "kimi-code",
    about: "Kimi Code from the npm registry",
    dialect: Dialect::Chat,
    part: Part::Npm(&Npm {
        name: "kimi-code",
        version: "2.1.0",
        lock: include_str!("../locks/kimi-code.json"),
        folders: &["."],
        files: &["node_modules/@moonshot-ai/kimi-code/dist/main.mjs"],
    }),
    runner: Runner::Node,
    command: &[
        "/bin/sh",
        "-c",
        SHOW_USAGE,
        "sh",
        "{program}",
        "/opt/agent/kimi-code/node_modules/@moonshot-ai/kimi-code/dist/main.mjs",
        "--output-format",
        "stream-json",
    ],
    prompt: &["--prompt={prompt}"],
    env: &[
        ("KIMI_MODEL_NAME", "{model}"),
        ("KIMI_MODEL_PROVIDER_TYPE", "openai"),
        ("KIMI_MODEL_BASE_URL", "{gateway_url}/v1"),
        ("KIMI_MODEL_API_KEY", "{token}"),
        // Required by the agent; the real context size of an arbitrary model is unknown.
        ("KIMI_MODEL_MAX_CONTEXT_SIZE", "200000"),
        ("KIMI_DISABLE_TELEMETRY", "true"),
        ("KIMI_CODE_NO_AUTO_UPDATE", "true"),
        // The default of ten, with pauses that double, outlives patience.
        ("KIMI_LOOP_MAX_RETRIES_PER_STEP", "3"),
    ],
    turn_cap: Some(Told::Variable("KIMI_LOOP_MAX_STEPS_PER_TURN", "{turns}")),
    effort: Some(Told::Variable("KIMI_MODEL_THINKING_EFFORT", "{effort}")),
    hooks: None,
    conversation: Some(Conversation {
        files: &[".kimi-code"],
        arguments: &["--continue"],
        reports_whole: true,
    }),
    home_files: no_files,
    stream: || Box::new(Events::default()),
};

/// The agent writes its usage only to files of its home, so this prints the relevant lines at the
/// end.
const SHOW_USAGE: &str = r#""$@"; code=$?
find "$HOME/.kimi-code/sessions" -name wire.jsonl -exec grep -h '"type":"usage.record"' {} +
exit $code"#;

/// Kept parts of the event stream.
#[derive(Debug, Default)]
struct Events {
    /// Whether its last event arrived, which says how to resume the session.
    ended: bool,
    tokens: Option<Tokens>,
    requests: u64,
    tool_calls: u64,
    retries: u64,
    last_retry: Option<String>,
}

impl Stream for Events {
    fn take(&mut self, event: &Value) {
        match (text(event, "/role"), text(event, "/type")) {
            (Some("meta"), Some("session.resume_hint")) => self.ended = true,
            (Some("meta"), Some("turn.step.retrying")) => {
                self.retries += 1;
                self.last_retry = text(event, "/error_message").map(str::to_owned);
            }
            (Some("assistant"), _) => {
                let calls = event["tool_calls"].as_array().map_or(0, Vec::len);
                self.tool_calls += calls as u64;
            }
            (None, Some("usage.record")) => {
                self.requests += 1;
                if let Some(tokens) = event.get("usage").and_then(tokens) {
                    *self.tokens.get_or_insert_default() += tokens;
                }
            }
            _ => {}
        }
    }

    fn end(&self, _exit: ProcessExit) -> End {
        if self.ended {
            End::Done
        } else {
            // Errors appear only on standard error.
            End::Open(self.last_retry.clone())
        }
    }

    fn reported(&self) -> Option<Usage> {
        Some(Usage {
            tokens: self.tokens?,
            requests: self.requests,
            failed_requests: self.retries,
            tool_calls: self.tool_calls,
            ..Usage::default()
        })
    }

    fn not_reported(&self) -> &'static [&'static str] {
        &["cache_write", "reasoning"]
    }
}

fn tokens(usage: &Value) -> Option<Tokens> {
    Some(Tokens {
        input: number(usage, "/inputOther")?,
        cache_read: number(usage, "/inputCacheRead").unwrap_or(0),
        cache_write: number(usage, "/inputCacheCreation").unwrap_or(0),
        cache_write_1h: 0,
        output: number(usage, "/output")?,
        reasoning: 0,
    })
}

#[cfg(test)]
#[path = "kimi_tests.rs"]
mod tests;
