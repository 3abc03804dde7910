//! Claude Code.

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

/// Claude Code.
pub(crate) static AGENT: Description = Description {
    name: "claude-code",
    about: "Claude Code from the npm registry",
    dialect: Dialect::Messages,
    part: Part::Npm(&Npm {
        name: "claude-code",
        version: "2.1.197",
        lock: include_str!("../locks/claude-code.json"),
        folders: &[
            "node_modules/@anthropic-ai/claude-code-linux-{arch}",
            "node_modules/@anthropic-ai/claude-code-linux-{arch}-musl",
        ],
        files: &["claude"],
    }),
    runner: Runner::System,
    // Without `--verbose` the event stream is refused.
    command: &[
        "{program}",
        "--output-format",
        "stream-json",
        "--verbose",
        "--dangerously-skip-permissions",
        "--disallowedTools",
        "WebSearch,WebFetch",
        "--model",
        "{model}",
    ],
    prompt: &["--print", "--", "{prompt}"],
    env: &[
        ("ANTHROPIC_BASE_URL", "{gateway_url}"),
        ("ANTHROPIC_API_KEY", "{token}"),
        // A run has one model; without this, side tasks use the vendor's small one.
        ("ANTHROPIC_DEFAULT_HAIKU_MODEL", "{model}"),
        ("ANTHROPIC_DEFAULT_SONNET_MODEL", "{model}"),
        ("ANTHROPIC_DEFAULT_OPUS_MODEL", "{model}"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        // The default of ten, with long pauses, also for refused keys, outlives patience.
        ("CLAUDE_CODE_MAX_RETRIES", "3"),
    ],
    turn_cap: Some(Told::Arguments(&["--max-turns", "{turns}"])),
    effort: Some(Told::Arguments(&["--effort", "{effort}"])),
    hooks: Some(Hooks {
        hooked: Hooked::ClaudeCode,
        arguments: &[],
    }),
    conversation: Some(Conversation {
        files: &[".claude/projects"],
        arguments: &["--continue"],
        reports_whole: false,
    }),
    home_files,
    stream: || Box::new(Events::default()),
};

/// The settings with hooks, if there are any.
fn home_files(asked: &Asked<'_>) -> Vec<HomeFile> {
    let agent = Hooked::ClaudeCode;
    let hooks = asked.context.hooks.iter();
    hooks
        .map(|hooks| (agent.project_file().to_owned(), hooks.settings(agent)))
        .collect()
}

/// Tools that would bypass the sandbox, through the provider.
const WEB_TOOLS: [&str; 2] = ["WebSearch", "WebFetch"];

/// Kept parts of the event stream.
#[derive(Debug, Default)]
struct Events {
    result: Option<Value>,
    last_retry: Option<String>,
    retries: u64,
    messages: std::collections::BTreeSet<String>,
    tool_calls: std::collections::BTreeSet<String>,
    web_tools: Vec<String>,
}

impl Stream for Events {
    fn take(&mut self, event: &Value) {
        match (text(event, "/type"), text(event, "/subtype")) {
            (Some("result"), _) => self.result = Some(event.clone()),
            (Some("system"), Some("api_retry")) => {
                self.retries += 1;
                let what =
                    |pointer| number(event, pointer).map_or("?".to_owned(), |n| n.to_string());
                self.last_retry = Some(format!(
                    "retry {} of {}, status {}, {}",
                    what("/attempt"),
                    what("/max_retries"),
                    what("/error_status"),
                    evidence::one_line(text(event, "/error").unwrap_or("no reason"), 120),
                ));
            }
            (Some("system"), Some("init")) => self.web_tools = web_tools(event),
            (Some("assistant"), _) => self.take_message(event),
            _ => {}
        }
    }

    fn end(&self, _exit: ProcessExit) -> End {
        let Some(result) = &self.result else {
            return End::Open(self.last_retry.clone());
        };
        // `subtype` is `success` even for a refused request or a missing login; `is_error` decides.
        let subtype = text(result, "/subtype").unwrap_or("none");
        let failed = result.get("is_error").and_then(Value::as_bool) != Some(false);
        match subtype {
            "error_max_turns" => End::Capped("the turn cap ended it"),
            "error_max_budget_usd" => End::Capped("the agent's own cost cap ended it"),
            _ if failed || subtype.starts_with("error") => End::Failed(self.error_of(result)),
            _ => End::Done,
        }
    }

    /// Total usage. Usage by model is correct also if a cap ended the run, when `usage` is all
    /// zero.
    fn reported(&self) -> Option<Usage> {
        let result = self.result.as_ref()?;
        let by_model = result.get("modelUsage").and_then(Value::as_object);
        let tokens = match by_model.filter(|models| !models.is_empty()) {
            Some(models) => {
                let mut sum = Tokens::default();
                for model in models.values() {
                    sum += Tokens {
                        input: number(model, "/inputTokens")?,
                        cache_read: number(model, "/cacheReadInputTokens").unwrap_or(0),
                        cache_write: number(model, "/cacheCreationInputTokens").unwrap_or(0),
                        cache_write_1h: 0,
                        output: number(model, "/outputTokens")?,
                        reasoning: 0,
                    };
                }
                sum
            }
            None => Tokens {
                input: number(result, "/usage/input_tokens")?,
                cache_read: number(result, "/usage/cache_read_input_tokens").unwrap_or(0),
                cache_write: number(result, "/usage/cache_creation_input_tokens").unwrap_or(0),
                cache_write_1h: 0,
                output: number(result, "/usage/output_tokens")?,
                reasoning: 0,
            },
        };
        Some(Usage {
            tokens,
            requests: self.messages.len() as u64,
            failed_requests: self.retries,
            tool_calls: self.tool_calls.len() as u64,
            unreported: 0,
            cost_usd: result.get("total_cost_usd").and_then(Value::as_f64),
        })
    }

    fn not_reported(&self) -> &'static [&'static str] {
        &["reasoning"]
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.retries > 0 {
            notes.push(format!(
                "the agent retried {}",
                plural(self.retries, "request")
            ));
        }
        if !self.web_tools.is_empty() {
            let tools = self.web_tools.join(", ");
            notes.push(format!("web tools were offered: {tools}"));
        }
        let result = self.result.as_ref();
        let denials = result.and_then(|result| result["permission_denials"].as_array());
        if let Some(denials) = denials.filter(|denials| !denials.is_empty()) {
            notes.push(format!("denied: {}", plural(denials.len(), "tool call")));
        }
        notes
    }
}

impl Events {
    /// A message arrives as several events, one per block, with the same id.
    fn take_message(&mut self, event: &Value) {
        if let Some(id) = text(event, "/message/id") {
            self.messages.insert(id.to_owned());
        }
        let blocks = event.pointer("/message/content").and_then(Value::as_array);
        for block in blocks.into_iter().flatten() {
            if let (Some("tool_use"), Some(id)) = (text(block, "/type"), text(block, "/id")) {
                self.tool_calls.insert(id.to_owned());
            }
        }
    }

    fn error_of(&self, result: &Value) -> Failure {
        let words = text(result, "/result").or_else(|| text(result, "/errors/0"));
        let mut words = evidence::one_line(words.unwrap_or_default(), 300);
        if let Some(retry) = &self.last_retry {
            words = format!("{words}; last: {retry}");
        }
        Failure {
            status: number(result, "/api_error_status"),
            words,
        }
    }
}

fn web_tools(init: &Value) -> Vec<String> {
    let tools = init["tools"].as_array().into_iter().flatten();
    tools
        .filter_map(Value::as_str)
        .filter(|tool| WEB_TOOLS.contains(tool))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
#[path = "claude_tests.rs"]
mod tests;
