//! opencode.

use serde_json::{Value, json};
use slope_model::usage::{Tokens, Usage};

use crate::agent::{Dialect, ProcessExit};
use crate::description::{Asked, Conversation, Description, HomeFile, Runner, Told};
use crate::events::{End, Failure, Stream};
use crate::evidence::{number, text};
use crate::install::Part;
use crate::install::npm::Npm;

/// opencode.
pub(crate) static AGENT: Description = Description {
    name: "opencode",
    about: "opencode from the npm registry",
    dialect: Dialect::Chat,
    part: Part::Npm(&Npm {
        name: "opencode",
        version: "1.18.33",
        lock: include_str!("../locks/opencode.json"),
        folders: &[
            "node_modules/opencode-linux-{arch}",
            // For processors without AVX2, and the same on those with it.
            "node_modules/opencode-linux-{arch}-baseline",
        ],
        files: &["bin/opencode"],
    }),
    runner: Runner::System,
    command: &[
        "{program}",
        "run",
        "--format",
        "json",
        "--auto",
        // Without a title it requests one from the model.
        "--title",
        "task",
        "--model",
        "gateway/{model}",
    ],
    prompt: &["--", "{prompt}"],
    env: &[
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
    ],
    turn_cap: None,
    effort: Some(Told::File),
    // It supports plugins, but `opencode run` ends before one could make it continue.
    hooks: None,
    conversation: Some(Conversation {
        files: &[".local/share/opencode"],
        arguments: &["--continue"],
        reports_whole: false,
    }),
    home_files,
    stream: || Box::new(Events::default()),
};

/// Its configuration: the gateway as a provider, everything allowed, no tools of the web.
fn home_files(asked: &Asked<'_>) -> Vec<HomeFile> {
    let context = asked.context;
    let options = asked.effort.map_or_else(
        || json!({}),
        |effort| json!({ "reasoningEffort": effort.name() }),
    );
    let config = json!({
        "provider": { "gateway": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "gateway",
            "options": {
                "baseURL": format!("{}/v1", context.gateway_url),
                "apiKey": context.token,
            },
            "models": { context.model: { "name": context.model, "options": options } },
        } },
        // Tools that are denied completely are not offered to the model.
        "permission": { "*": "allow", "webfetch": "deny", "websearch": "deny" },
        "autoupdate": false,
        "share": "disabled",
    });
    vec![(
        ".config/opencode/opencode.json".into(),
        format!("{config:#}\n").into_bytes(),
    )]
}

/// Kept parts of the event stream.
#[derive(Debug, Default)]
struct Events {
    tokens: Option<Tokens>,
    requests: u64,
    tool_calls: u64,
    /// Reason that its last step ended.
    reason: Option<String>,
    error: Option<Failure>,
}

impl Stream for Events {
    fn take(&mut self, event: &Value) {
        match text(event, "/type") {
            Some("step_start") => self.reason = None,
            Some("step_finish") => {
                self.requests += 1;
                self.reason = text(event, "/part/reason").map(str::to_owned);
                if let Some(tokens) = tokens(event) {
                    *self.tokens.get_or_insert_default() += tokens;
                }
            }
            Some("tool_use") => self.tool_calls += 1,
            Some("error") => self.error = Some(failure(event)),
            _ => {}
        }
    }

    fn end(&self, _exit: ProcessExit) -> End {
        match (&self.error, self.reason.as_deref()) {
            (Some(error), _) => End::Failed(error.clone()),
            // A step with tool calls is followed by another.
            (None, None | Some("tool-calls")) => End::Open(None),
            (None, Some(_)) => End::Done,
        }
    }

    fn reported(&self) -> Option<Usage> {
        Some(Usage {
            tokens: self.tokens?,
            requests: self.requests,
            tool_calls: self.tool_calls,
            ..Usage::default()
        })
    }

    fn not_reported(&self) -> &'static [&'static str] {
        // It reports cache writes, which Chat Completions never fill.
        &["failed_requests", "cache_write"]
    }
}

/// Input without cached tokens, and output without thinking.
fn tokens(event: &Value) -> Option<Tokens> {
    let count = |name: &str| number(event, &format!("/part/tokens/{name}"));
    let reasoning = count("reasoning").unwrap_or(0);
    Some(Tokens {
        input: count("input")?,
        cache_read: count("cache/read").unwrap_or(0),
        cache_write: count("cache/write").unwrap_or(0),
        cache_write_1h: 0,
        output: count("output")? + reasoning,
        reasoning,
    })
}

fn failure(event: &Value) -> Failure {
    let words = text(event, "/error/data/message").or_else(|| text(event, "/error/name"));
    Failure {
        status: number(event, "/error/data/statusCode"),
        words: words.unwrap_or("no reason").to_owned(),
    }
}

#[cfg(test)]
#[path = "opencode_tests.rs"]
mod tests;
