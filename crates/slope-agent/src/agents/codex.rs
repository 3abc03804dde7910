//! Codex CLI.

use std::path::PathBuf;

use serde_json::Value;
use slope_model::plural;
use slope_model::usage::{Tokens, Usage};

use crate::agent::{Dialect, ProcessExit};
use crate::description::{Asked, Conversation, Description, HomeFile, Hooks, Runner, Told};
use crate::events::{End, Failure, Stream};
use crate::evidence::{self, number, text};
use crate::hooks::Hooked;
use crate::install::Part;
use crate::install::npm::Npm;

/// Codex CLI.
pub(crate) static AGENT: Description = Description {
    name: "codex",
    about: "Codex CLI from the npm registry",
    dialect: Dialect::Responses,
    part: Part::Npm(&Npm {
        name: "codex",
        version: "0.169.0",
        lock: include_str!("../locks/codex.json"),
        folders: &["node_modules/@openai/codex-linux-{arch}/vendor/{machine}-unknown-linux-musl"],
        files: &["bin/codex", "bin/codex-code-mode-host", "codex-path/rg"],
    }),
    runner: Runner::System,
    command: &[
        "{program}",
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "-m",
        "{model}",
    ],
    prompt: &["--", "{prompt}"],
    env: &[(TOKEN_VARIABLE, "{token}")],
    turn_cap: None,
    effort: Some(Told::Arguments(&[
        "-c",
        "model_reasoning_effort=\"{effort}\"",
    ])),
    hooks: Some(Hooks {
        hooked: Hooked::Codex,
        // Otherwise a person has to look at them first.
        arguments: &["--dangerously-bypass-hook-trust"],
    }),
    conversation: Some(Conversation {
        files: &[".codex/sessions"],
        arguments: &["resume", "--last"],
        reports_whole: true,
    }),
    home_files,
    stream: || Box::new(Events::default()),
};

/// Variable with the token. Its name does not reveal the bench.
const TOKEN_VARIABLE: &str = "GATEWAY_TOKEN";

/// Its folder in the home.
const FOLDER: &str = ".codex";

fn home_files(asked: &Asked<'_>) -> Vec<HomeFile> {
    let folder = PathBuf::from(FOLDER);
    let config = config_file(asked.context.gateway_url).into_bytes();
    let hooks = asked.context.hooks.map(|hooks| {
        let settings = hooks.settings(Hooked::Codex);
        (folder.join("hooks.json"), settings)
    });
    [(folder.join("config.toml"), config)]
        .into_iter()
        .chain(hooks)
        .collect()
}

/// The agent's configuration file.
///
/// It defines a provider of its own, since the built-in one ignores the usual variable for its
/// address and opens a WebSocket first. Login shells are off, since they would replace the search
/// path by the system's. Nothing here is secret.
fn config_file(gateway_url: &str) -> String {
    let base_url = Value::from(format!("{gateway_url}/v1"));
    // A JSON string is a TOML basic string too.
    format!(
        r#"model_provider = "gateway"
web_search = "disabled"
allow_login_shell = false
check_for_update_on_startup = false

[model_providers.gateway]
name = "gateway"
base_url = {base_url}
env_key = "{TOKEN_VARIABLE}"
wire_api = "responses"
request_max_retries = 3
stream_max_retries = 3

[shell_environment_policy]
exclude = ["{TOKEN_VARIABLE}"]

[analytics]
enabled = false

[feedback]
enabled = false

[history]
persistence = "none"
"#
    )
}

/// End of the last turn in the stream.
#[derive(Debug, Default, PartialEq)]
enum Turn {
    /// No turn has ended.
    #[default]
    Open,
    /// Ended with `turn.completed`.
    Completed,
    /// Ended with `turn.failed`, for this reason.
    Failed(String),
}

/// Kept parts of the event stream.
#[derive(Debug, Default)]
struct Events {
    turn: Turn,
    /// Usage of the thread so far: every `turn.completed` repeats the sum of those before it.
    thread: Option<Tokens>,
    /// Usage of the threads before the current one.
    earlier: Option<Tokens>,
    tool_calls: u64,
    item_errors: Vec<String>,
    errors: Vec<String>,
}

impl Stream for Events {
    fn take(&mut self, event: &Value) {
        match text(event, "/type") {
            Some("thread.started") => self.close_thread(),
            Some("turn.started") => self.turn = Turn::Open,
            Some("turn.completed") => {
                self.turn = Turn::Completed;
                if let Some(tokens) = event.get("usage").and_then(tokens) {
                    self.thread = Some(tokens);
                }
            }
            Some("turn.failed") => {
                self.turn = Turn::Failed(words(event, "/error/message"));
            }
            Some("error") => self.errors.push(words(event, "/message")),
            Some("item.completed") => match text(event, "/item/type") {
                Some("error") => self.item_errors.push(words(event, "/item/message")),
                Some("command_execution" | "file_change" | "mcp_tool_call" | "web_search") => {
                    self.tool_calls += 1;
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn end(&self, _exit: ProcessExit) -> End {
        match &self.turn {
            Turn::Failed(reason) => End::Failed(Failure::said(reason)),
            Turn::Completed => End::Done,
            Turn::Open => End::Open(self.errors.last().cloned()),
        }
    }

    fn reported(&self) -> Option<Usage> {
        let mut tokens = self.thread.or(self.earlier)?;
        if let (Some(_), Some(earlier)) = (self.thread, self.earlier) {
            tokens += earlier;
        }
        Some(Usage {
            tokens,
            tool_calls: self.tool_calls,
            ..Usage::default()
        })
    }

    fn not_reported(&self) -> &'static [&'static str] {
        &["requests", "failed_requests"]
    }

    fn notes(&self) -> Vec<String> {
        // For example, an unknown model name is an error item in a run that succeeds.
        let mentioned = self.item_errors.iter().take(5);
        let mut notes: Vec<String> = mentioned
            .map(|error| format!("it mentioned an error: {error}"))
            .collect();
        if let Some(last) = self.errors.last() {
            let count = self.errors.len();
            notes.push(format!(
                "{} of its connection, the last: {last}",
                plural(count, "error")
            ));
        }
        notes
    }
}

impl Events {
    fn close_thread(&mut self) {
        if let Some(tokens) = self.thread.take() {
            *self.earlier.get_or_insert_default() += tokens;
        }
    }
}

/// Normalises counts: the agent's `input_tokens` include cached ones, which are separate here.
fn tokens(usage: &Value) -> Option<Tokens> {
    let input = number(usage, "/input_tokens")?;
    let cache_read = number(usage, "/cached_input_tokens").unwrap_or(0);
    let cache_write = number(usage, "/cache_write_input_tokens").unwrap_or(0);
    Some(Tokens {
        input: input.saturating_sub(cache_read).saturating_sub(cache_write),
        cache_read,
        cache_write,
        cache_write_1h: 0,
        output: number(usage, "/output_tokens")?,
        reasoning: number(usage, "/reasoning_output_tokens").unwrap_or(0),
    })
}

fn words(event: &Value, pointer: &str) -> String {
    evidence::one_line(text(event, pointer).unwrap_or("no message"), 300)
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
