//! Gemini CLI.

use serde_json::{Value, json};
use slope_model::usage::{Tokens, Usage};

use crate::agent::{Dialect, ProcessExit};
use crate::description::{Asked, Conversation, Description, HomeFile, Hooks, Runner, Told};
use crate::events::{End, Failure, Stream};
use crate::evidence::{number, text};
use crate::hooks::Hooked;
use crate::install::Part;
use crate::install::npm::Npm;

/// Gemini CLI.
pub(crate) static AGENT: Description = Description {
    name: "gemini",
    about: "Gemini CLI from the npm registry",
    dialect: Dialect::Gemini,
    part: Part::Npm(&Npm {
        name: "gemini",
        version: "0.61.0",
        lock: include_str!("../locks/gemini.json"),
        folders: &["node_modules/@google/gemini-cli"],
        files: &["bundle/gemini.js"],
    }),
    runner: Runner::Node,
    command: &[
        "{program}",
        "/opt/agent/gemini/bundle/gemini.js",
        "--output-format",
        "stream-json",
        "--approval-mode",
        "yolo",
        "--skip-trust",
        "--model",
        "{model}",
    ],
    // As one word, since a prompt may begin with a dash.
    prompt: &["--prompt={prompt}"],
    env: &[
        ("GEMINI_API_KEY", "{token}"),
        ("GOOGLE_GEMINI_BASE_URL", "{gateway_url}"),
        // Without this it restarts itself, for a larger heap.
        ("GEMINI_CLI_NO_RELAUNCH", "true"),
    ],
    turn_cap: Some(Told::File),
    effort: None,
    hooks: Some(Hooks {
        hooked: Hooked::Gemini,
        arguments: &[],
    }),
    conversation: Some(Conversation {
        files: &[".gemini/tmp"],
        arguments: &["--resume", "latest"],
        reports_whole: false,
    }),
    home_files,
    stream: || Box::new(Events::default()),
};

/// Its settings: how to log in, without which it ends at once, no tools of the web, no traffic
/// but to the model.
fn home_files(asked: &Asked<'_>) -> Vec<HomeFile> {
    let mut settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "tools": { "exclude": ["google_web_search", "web_fetch"] },
        "general": { "disableAutoUpdate": true, "enableAutoUpdate": false },
        "privacy": { "usageStatisticsEnabled": false },
        "telemetry": { "enabled": false },
    });
    if let Some(turns) = asked.turns {
        settings["model"] = json!({ "maxSessionTurns": turns });
    }
    if let Some(hooks) = asked.context.hooks {
        settings["hooks"] = hooks.entries(Hooked::Gemini)["hooks"].clone();
    }
    let file = Hooked::Gemini.project_file().to_owned();
    vec![(file, format!("{settings:#}\n").into_bytes())]
}

/// Exit code for a missing login.
const NO_LOGIN: i32 = 41;

/// Exit code at its turn cap.
const TURN_CAP: i32 = 53;

/// Kept parts of the event stream.
#[derive(Debug, Default)]
struct Events {
    result: Option<Value>,
    last_error: Option<String>,
}

impl Stream for Events {
    fn take(&mut self, event: &Value) {
        match text(event, "/type") {
            Some("result") => self.result = Some(event.clone()),
            Some("error") => self.last_error = text(event, "/message").map(str::to_owned),
            _ => {}
        }
    }

    fn end(&self, exit: ProcessExit) -> End {
        if exit == ProcessExit::Code(TURN_CAP) {
            return End::Capped("the turn cap ended it");
        }
        let Some(result) = &self.result else {
            return match exit {
                ProcessExit::Code(NO_LOGIN) => End::Failed(Failure {
                    status: Some(401),
                    words: "it has no way to log in".to_owned(),
                }),
                _ => End::Open(self.last_error.clone()),
            };
        };
        if text(result, "/status") == Some("success") {
            return End::Done;
        }
        End::Failed(Failure {
            status: status(exit),
            words: text(result, "/error/message")
                .unwrap_or("no reason")
                .to_owned(),
        })
    }

    fn reported(&self) -> Option<Usage> {
        let stats = self.result.as_ref()?.get("stats")?;
        let (input, cached) = (number(stats, "/input_tokens")?, number(stats, "/cached")?);
        let (total, answer) = (
            number(stats, "/total_tokens")?,
            number(stats, "/output_tokens")?,
        );
        // Only the total includes its thoughts.
        let output = total.saturating_sub(input).max(answer);
        Some(Usage {
            tokens: Tokens {
                input: input.saturating_sub(cached),
                cache_read: cached,
                cache_write: 0,
                cache_write_1h: 0,
                output,
                reasoning: output - answer,
            },
            tool_calls: number(stats, "/tool_calls").unwrap_or(0),
            ..Usage::default()
        })
    }

    fn not_reported(&self) -> &'static [&'static str] {
        &["requests", "failed_requests", "cache_write"]
    }
}

/// The status of the model's server behind an exit code: it is the status modulo 256.
fn status(exit: ProcessExit) -> Option<u64> {
    match exit {
        ProcessExit::Code(code @ 144..=255) => u64::try_from(code + 256).ok(),
        _ => None,
    }
}

#[cfg(test)]
#[path = "gemini_tests.rs"]
mod tests;
