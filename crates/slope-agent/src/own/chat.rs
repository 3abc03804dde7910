//! OpenAI Chat Completions.

use serde_json::{Value, json};
use slope_model::usage::Tokens;

use super::Payload;
use super::wire::{Call, Reply, SYSTEM, Stop, TOOL, arguments, tool_description, tool_schema};
use crate::evidence::{number, text};

/// Maximum number of calls in one reply; more are dropped.
const MAX_CALLS: usize = 64;

/// Body of a request.
pub(super) fn request(payload: &Payload, history: &[Value], stream: bool) -> Value {
    let mut messages = vec![json!({"role": "system", "content": SYSTEM})];
    messages.extend_from_slice(history);
    let mut body = json!({
        "model": payload.model,
        "messages": messages,
        "tools": [{
            "type": "function",
            "function": {
                "name": TOOL,
                "description": tool_description(payload),
                "parameters": tool_schema(),
            },
        }],
        "stream": stream,
    });
    if stream {
        // Without it a stream carries no usage.
        body["stream_options"] = json!({"include_usage": true});
    }
    if let Some(tokens) = payload.max_output_tokens {
        body["max_completion_tokens"] = Value::from(tokens);
    }
    body
}

/// A reply in the making.
#[derive(Debug, Default)]
pub(super) struct ChatParts {
    text: String,
    calls: Vec<PartialCall>,
    tokens: Option<Tokens>,
    stop: Option<String>,
    ended: bool,
}

#[derive(Debug, Default)]
struct PartialCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl ChatParts {
    /// Records the stream's end mark.
    pub(super) fn finish(&mut self) {
        self.ended = true;
    }

    pub(super) fn take(&mut self, data: &Value) {
        if let Some(tokens) = tokens(&data["usage"]) {
            self.tokens = Some(tokens);
        }
        let choice = &data["choices"][0];
        if let Some(stop) = text(choice, "/finish_reason") {
            self.stop = Some(stop.to_owned());
        }
        if let Some(more) = text(choice, "/delta/content") {
            self.text.push_str(more);
        }
        let calls = choice
            .pointer("/delta/tool_calls")
            .and_then(Value::as_array);
        for delta in calls.into_iter().flatten() {
            self.take_call(delta);
        }
    }

    /// Some servers omit the index; then an id starts a call, and a delta without one belongs to
    /// the last call.
    fn take_call(&mut self, delta: &Value) {
        let index = number(delta, "/index");
        let id = text(delta, "/id").filter(|id| !id.is_empty());
        let known = match index {
            Some(_) => self.calls.iter().position(|call| call.index == index),
            None if id.is_some() => None,
            None => self.calls.len().checked_sub(1),
        };
        let position = known.unwrap_or(self.calls.len());
        if position == self.calls.len() {
            if position == MAX_CALLS {
                return;
            }
            self.calls.push(PartialCall {
                index,
                ..PartialCall::default()
            });
        }
        let call = &mut self.calls[position];
        if let Some(id) = id {
            id.clone_into(&mut call.id);
        }
        call.name
            .push_str(text(delta, "/function/name").unwrap_or(""));
        call.arguments
            .push_str(text(delta, "/function/arguments").unwrap_or(""));
    }

    pub(super) fn reply(self) -> Option<Reply> {
        if !self.ended && self.stop.is_none() {
            return None;
        }
        Some(reply(
            self.text,
            self.calls,
            self.tokens,
            self.stop.as_deref(),
        ))
    }
}

/// A reply that is not streamed.
pub(super) fn whole(body: &Value) -> Option<Reply> {
    let choice = body.pointer("/choices/0")?;
    let message = choice.get("message")?;
    let calls = message["tool_calls"]
        .as_array()
        .into_iter()
        .flatten()
        .take(MAX_CALLS);
    let calls = calls.map(|call| PartialCall {
        index: None,
        id: text(call, "/id").unwrap_or("").to_owned(),
        name: text(call, "/function/name").unwrap_or("").to_owned(),
        arguments: match &call["function"]["arguments"] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            // Against the protocol, but seen in practice: the arguments as an object.
            other => other.to_string(),
        },
    });
    let said = text(message, "/content").unwrap_or("").to_owned();
    Some(reply(
        said,
        calls.collect(),
        tokens(&body["usage"]),
        text(choice, "/finish_reason"),
    ))
}

/// Normalises counts: `prompt_tokens` includes cache reads and writes, which are separate here.
/// Servers spell the cached ones in three ways.
fn tokens(usage: &Value) -> Option<Tokens> {
    let prompt = number(usage, "/prompt_tokens")?;
    let details = |name: &str| number(usage, &format!("/prompt_tokens_details/{name}"));
    let cache_read = details("cached_tokens")
        .or_else(|| number(usage, "/cached_tokens"))
        .or_else(|| number(usage, "/prompt_cache_hit_tokens"))
        .unwrap_or(0);
    let cache_write = details("cache_write_tokens").unwrap_or(0);
    Some(Tokens {
        input: prompt
            .saturating_sub(cache_read)
            .saturating_sub(cache_write),
        cache_read,
        cache_write,
        cache_write_1h: 0,
        output: number(usage, "/completion_tokens")?,
        reasoning: number(usage, "/completion_tokens_details/reasoning_tokens").unwrap_or(0),
    })
}

fn reply(
    said: String,
    partial: Vec<PartialCall>,
    tokens: Option<Tokens>,
    stop: Option<&str>,
) -> Reply {
    let mut calls = Vec::new();
    let mut repeated = Vec::new();
    for (position, call) in partial.into_iter().enumerate() {
        let id = if call.id.is_empty() {
            format!("call_{position}")
        } else {
            call.id
        };
        let input = arguments(&call.arguments);
        // A server may refuse to read its own malformed arguments again.
        let words = if input.is_ok() && !call.arguments.trim().is_empty() {
            call.arguments
        } else {
            "{}".to_owned()
        };
        repeated.push(json!({
            "id": id, "type": "function", "function": {"name": call.name, "arguments": words},
        }));
        calls.push(Call {
            id,
            name: call.name,
            input,
        });
    }
    let mut message = json!({"role": "assistant", "content": said});
    if !repeated.is_empty() {
        message["tool_calls"] = Value::from(repeated);
    }
    let stop = match stop {
        Some("length") => Stop::Length,
        Some("stop" | "tool_calls" | "function_call") | None => Stop::End,
        Some(other) => Stop::Other(other.to_owned()),
    };
    Reply {
        text: said,
        calls,
        tokens,
        stop,
        message,
    }
}
