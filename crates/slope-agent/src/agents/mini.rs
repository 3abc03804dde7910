//! mini-swe-agent.

use serde_json::Value;
use slope_model::usage::{Tokens, Usage};

use crate::agent::{Dialect, ProcessExit};
use crate::description::{Description, Runner, Told, no_files};
use crate::events::{End, Failure, Stream};
use crate::evidence::{number, text};
use crate::install::Part;
use crate::install::pypi::Pypi;

/// mini-swe-agent.
pub(crate) static AGENT: Description = Description {
    name: "mini-swe-agent",
    about: "mini-swe-agent from the Python Package Index",
    dialect: Dialect::Chat,
    part: Part::Pypi(&Pypi {
        name: "mini-swe-agent",
        version: "2.4.6",
        lock: include_str!("../locks/mini-swe-agent.txt"),
        // The pages of an unused server.
        leave_out: &["litellm/proxy/_experimental/out"],
        python: (3, 11),
    }),
    runner: Runner::Python,
    command: &[
        "{program}",
        // Keeps workspace and environment from affecting its imports, and its programs from seeing
        // its own folder.
        "-I",
        "-c",
        START,
        "--yolo",
        "--exit-immediately",
        "--config",
        "mini.yaml",
        // Its own cap of three dollars, by prices that it guesses.
        "--cost-limit",
        "0",
        "--model",
        "openai/{model}",
        "--output",
        "{home}/trajectory.json",
    ],
    prompt: &["--task={prompt}"],
    env: &[
        ("OPENAI_API_KEY", "{token}"),
        ("OPENAI_API_BASE", "{gateway_url}/v1"),
        ("MSWEA_CONFIGURED", "true"),
        ("MSWEA_COST_TRACKING", "ignore_errors"),
        ("MSWEA_SILENT_STARTUP", "1"),
        // It retries whatever looks like a rate limit, ten times and for minutes.
        ("MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT", "4"),
        // Otherwise it downloads prices first.
        ("LITELLM_LOCAL_MODEL_COST_MAP", "True"),
    ],
    turn_cap: Some(Told::Arguments(&["--config", "agent.step_limit={turns}"])),
    effort: Some(Told::Arguments(&[
        "--config",
        "model.model_kwargs.reasoning_effort={effort}",
        "--config",
        "model.model_kwargs.allowed_openai_params=[\"reasoning_effort\"]",
    ])),
    hooks: None,
    conversation: None,
    home_files: no_files,
    stream: || Box::new(Events::default()),
};

/// Starts it, and at the end prints parts of its trajectory as one line.
const START: &str = r#"
import json, os, sys
sys.path.insert(0, "/opt/agent/mini-swe-agent")
events = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
path = sys.argv[sys.argv.index("--output") + 1]
try:
    from minisweagent.run.mini import app
    app()
finally:
    if os.path.exists(path):
        with open(path) as file:
            seen = json.load(file)
        used = [m.get("extra", {}).get("response", {}).get("usage") for m in seen["messages"]]
        calls = [len(m.get("tool_calls") or []) for m in seen["messages"]]
        print(json.dumps({"type": "end", "info": seen["info"], "usage": used, "calls": sum(calls)}), file=events)
    events.close()
"#;

/// Kept parts of the event.
#[derive(Debug, Default)]
struct Events {
    end: Option<Value>,
}

impl Stream for Events {
    fn take(&mut self, event: &Value) {
        if text(event, "/type") == Some("end") {
            self.end = Some(event.clone());
        }
    }

    fn end(&self, _exit: ProcessExit) -> End {
        let status = self.end.as_ref().and_then(|e| text(e, "/info/exit_status"));
        match status {
            Some("Submitted") => End::Done,
            Some("LimitsExceeded") => End::Capped("the turn cap ended it"),
            None | Some("") => End::Open(None),
            Some(other) => End::Failed(Failure::said(other)),
        }
    }

    fn reported(&self) -> Option<Usage> {
        let end = self.end.as_ref()?;
        let mut tokens = Tokens::default();
        let mut requests = 0;
        let used = end["usage"].as_array().into_iter().flatten();
        for usage in used.filter(|usage| usage.is_object()) {
            tokens += counted(usage)?;
            requests += 1;
        }
        Some(Usage {
            tokens,
            requests,
            tool_calls: number(end, "/calls").unwrap_or(0),
            ..Usage::default()
        })
    }

    fn not_reported(&self) -> &'static [&'static str] {
        &["failed_requests", "cache_write"]
    }
}

/// The usage of a Chat Completion, whose input includes the cached part.
fn counted(usage: &Value) -> Option<Tokens> {
    let cached = number(usage, "/prompt_tokens_details/cached_tokens").unwrap_or(0);
    let reasoning = number(usage, "/completion_tokens_details/reasoning_tokens");
    Some(Tokens {
        input: number(usage, "/prompt_tokens")?.saturating_sub(cached),
        cache_read: cached,
        cache_write: 0,
        cache_write_1h: 0,
        output: number(usage, "/completion_tokens")?,
        reasoning: reasoning.unwrap_or(0),
    })
}

#[cfg(test)]
#[path = "mini_tests.rs"]
mod tests;
