//! Qwen Code.

use serde_json::{Value, json};
use slope_model::usage::{Tokens, Usage};

use crate::agent::{Dialect, ProcessExit};
use crate::description::{Asked, Conversation, Description, HomeFile, Runner, Told};
use crate::events::{End, Failure, Stream};
use crate::evidence::{number, text};
use crate::install::Part;
use crate::install::npm::Npm;

/// Qwen Code.
pub(crate) static AGENT: Description = Description {
    name: "qwen-code",
    about: "Qwen Code from the npm registry",
    dialect: Dialect::Chat,
    part: Part::Npm(&Npm {
        name: "qwen-code",
        version: "0.24.4",
        lock: include_str!("../locks/qwen-code.json"),
        folders: &["node_modules/@qwen-code/qwen-code"],
        files: &["cli-entry.js"],
    }),
    runner: Runner::Node,
    command: &[
        "{program}",
        "/opt/agent/qwen-code/cli-entry.js",
        "--auth-type",
        "openai",
        "--output-format",
        "stream-json",
        "--approval-mode",
        "yolo",
        "--model",
        "{model}",
    ],
    prompt: &["--prompt={prompt}"],
    env: &[
        ("OPENAI_API_KEY", "{token}"),
        ("OPENAI_BASE_URL", "{gateway_url}/v1"),
        ("OPENAI_MODEL", "{model}"),
        ("QWEN_CODE_SUPPRESS_YOLO_WARNING", "1"),
    ],
    turn_cap: Some(Told::Arguments(&["--max-session-turns", "{turns}"])),
    effort: Some(Told::File),
    hooks: None,
    conversation: Some(Conversation {
        files: &[".qwen"],
        arguments: &["--continue"],
        reports_whole: true,
    }),
    home_files,
    stream: || Box::new(Events::default()),
};

/// Its settings: no tools of the web, no traffic but to the model.
fn home_files(asked: &Asked<'_>) -> Vec<HomeFile> {
    let mut settings = json!({
        "tools": { "exclude": ["web_fetch", "web_search"] },
        "general": { "disableAutoUpdate": true, "enableAutoUpdate": false },
        "privacy": { "usageStatisticsEnabled": false },
        "telemetry": { "enabled": false },
    });
    if let Some(effort) = asked.effort {
        let reasoning = json!({ "reasoning": { "effort": effort.name() } });
        settings["model"] = json!({ "generationConfig": reasoning });
    }
    let text = format!("{settings:#}\n").into_bytes();
    vec![(".qwen/settings.json".into(), text)]
}

/// Exit code at its turn cap.
const TURN_CAP: i32 = 53;

/// Kept parts of the event stream.
#[derive(Debug, Default)]
struct Events {
    result: Option<Value>,
    tool_calls: u64,
}

impl Stream for Events {
    fn take(&mut self, event: &Value) {
        match text(event, "/type") {
            Some("result") => self.result = Some(event.clone()),
            Some("assistant") => {
                let blocks = event.pointer("/message/content").and_then(Value::as_array);
                let calls = blocks.into_iter().flatten();
                let calls = calls.filter(|block| text(block, "/type") == Some("tool_use"));
                self.tool_calls += calls.count() as u64;
            }
            _ => {}
        }
    }

    fn end(&self, exit: ProcessExit) -> End {
        let subtype = self.result.as_ref().and_then(|r| text(r, "/subtype"));
        if exit == ProcessExit::Code(TURN_CAP) || subtype == Some("error_max_turns") {
            return End::Capped("the turn cap ended it");
        }
        let Some(result) = &self.result else {
            return End::Open(None);
        };
        if result["is_error"] == false {
            return End::Done;
        }
        End::Failed(Failure::said(
            text(result, "/error/message").unwrap_or("no reason"),
        ))
    }

    fn reported(&self) -> Option<Usage> {
        let result = self.result.as_ref()?;
        let input = number(result, "/usage/input_tokens")?;
        let cached = number(result, "/usage/cache_read_input_tokens").unwrap_or(0);
        Some(Usage {
            tokens: Tokens {
                // Includes cached tokens, although the names are those of a dialect that excludes
                // them.
                input: input.saturating_sub(cached),
                cache_read: cached,
                output: number(result, "/usage/output_tokens")?,
                ..Tokens::default()
            },
            requests: number(result, "/num_turns").unwrap_or(0),
            tool_calls: self.tool_calls,
            ..Usage::default()
        })
    }

    fn not_reported(&self) -> &'static [&'static str] {
        &["failed_requests", "cache_write", "reasoning"]
    }
}

#[cfg(test)]
#[path = "qwen_tests.rs"]
mod tests;
