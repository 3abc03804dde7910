//! Anthropic Messages.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use slope_model::usage::Tokens;

use super::Payload;
use super::wire::{Call, Reply, SYSTEM, Stop, TOOL, arguments, tool_description, tool_schema};
use crate::evidence::{number, text};

/// Requested length of a reply in tokens, if the settings give none; the dialect requires one.
const DEFAULT_MAX_TOKENS: u32 = 16_000;

/// Body of a request. The history so far is marked for the provider's cache.
pub(super) fn request(payload: &Payload, history: &[Value], stream: bool) -> Value {
    let mark = json!({"type": "ephemeral"});
    let mut messages = history.to_vec();
    let last = messages
        .last_mut()
        .and_then(|message| message["content"].as_array_mut());
    if let Some(block) = last
        .and_then(|blocks| blocks.last_mut())
        .and_then(Value::as_object_mut)
    {
        block.insert("cache_control".to_owned(), mark.clone());
    }
    json!({
        "model": payload.model,
        "max_tokens": payload.max_output_tokens.unwrap_or(DEFAULT_MAX_TOKENS),
        "system": [{"type": "text", "text": SYSTEM, "cache_control": mark}],
        "tools": [{
            "name": TOOL,
            "description": tool_description(payload),
            "input_schema": tool_schema(),
        }],
        "messages": messages,
        "stream": stream,
    })
}

/// A reply in the making.
#[derive(Debug, Default)]
pub(super) struct MessagesParts {
    blocks: BTreeMap<u64, (Value, String)>,
    usage: BTreeMap<&'static str, u64>,
    stop: Option<String>,
    ended: bool,
}

const USAGE_KEYS: [&str; 4] = [
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
];

impl MessagesParts {
    pub(super) fn take(&mut self, data: &Value) {
        match text(data, "/type") {
            Some("message_start") => self.take_usage(&data["message"]["usage"]),
            Some("content_block_start") => {
                let block = data["content_block"].clone();
                self.blocks
                    .insert(number(data, "/index").unwrap_or(0), (block, String::new()));
            }
            Some("content_block_delta") => self.take_delta(data),
            Some("message_delta") => {
                self.take_usage(&data["usage"]);
                if let Some(stop) = text(data, "/delta/stop_reason") {
                    self.stop = Some(stop.to_owned());
                }
            }
            Some("message_stop") => self.ended = true,
            _ => {}
        }
    }

    /// Later numbers replace earlier ones: the first message has a placeholder for output.
    fn take_usage(&mut self, usage: &Value) {
        for key in USAGE_KEYS {
            if let Some(count) = usage.get(key).and_then(Value::as_u64) {
                self.usage.insert(key, count);
            }
        }
    }

    fn take_delta(&mut self, data: &Value) {
        let index = number(data, "/index").unwrap_or(0);
        let Some((block, partial)) = self.blocks.get_mut(&index) else {
            return;
        };
        for (from, to) in [
            ("text", "text"),
            ("thinking", "thinking"),
            ("signature", "signature"),
        ] {
            if let Some(more) = data["delta"][from].as_str()
                && let Some(block) = block.as_object_mut()
            {
                let so_far = block.get(to).and_then(Value::as_str).unwrap_or("");
                block.insert(to.to_owned(), Value::from(format!("{so_far}{more}")));
            }
        }
        if let Some(more) = text(data, "/delta/partial_json") {
            partial.push_str(more);
        }
    }

    pub(super) fn reply(self) -> Option<Reply> {
        // Some compatible servers close the stream after the stop reason.
        if !self.ended && self.stop.is_none() {
            return None;
        }
        let tokens = self.tokens();
        Some(reply(
            self.blocks.into_values(),
            tokens,
            self.stop.as_deref(),
        ))
    }

    fn tokens(&self) -> Option<Tokens> {
        let get = |key| self.usage.get(key).copied();
        Some(Tokens {
            input: get("input_tokens")?,
            cache_read: get("cache_read_input_tokens").unwrap_or(0),
            cache_write: get("cache_creation_input_tokens").unwrap_or(0),
            cache_write_1h: 0,
            output: get("output_tokens")?,
            reasoning: 0,
        })
    }
}

/// A reply that is not streamed.
pub(super) fn whole(body: &Value) -> Option<Reply> {
    let blocks = body["content"].as_array()?;
    let mut parts = MessagesParts::default();
    parts.take_usage(&body["usage"]);
    let blocks = blocks.iter().map(|block| (block.clone(), String::new()));
    Some(reply(blocks, parts.tokens(), text(body, "/stop_reason")))
}

fn reply(
    blocks: impl Iterator<Item = (Value, String)>,
    tokens: Option<Tokens>,
    stop: Option<&str>,
) -> Reply {
    let mut said = String::new();
    let mut calls = Vec::new();
    let mut content = Vec::new();
    for (mut block, partial) in blocks {
        match text(&block, "/type") {
            // The server refuses an empty text in the history.
            Some("text") => match text(&block, "/text") {
                Some(words) if !words.trim().is_empty() => {
                    if !said.is_empty() {
                        said.push('\n');
                    }
                    said.push_str(words);
                }
                _ => continue,
            },
            Some("tool_use") => calls.push(call(&mut block, &partial, calls.len())),
            _ => {}
        }
        content.push(block);
    }
    if content.is_empty() {
        content.push(json!({"type": "text", "text": "(nothing)"}));
    }
    let stop = match stop {
        Some("max_tokens") => Stop::Length,
        Some("end_turn" | "tool_use" | "stop_sequence") | None => Stop::End,
        Some(other) => Stop::Other(other.to_owned()),
    };
    Reply {
        text: said,
        calls,
        tokens,
        stop,
        message: json!({"role": "assistant", "content": content}),
    }
}

/// Extracts a call from its block, and makes the block valid for the history.
fn call(block: &mut Value, partial: &str, position: usize) -> Call {
    let input = if partial.is_empty() {
        match block.get("input") {
            Some(input) if input.is_object() => Ok(input.clone()),
            Some(Value::Null) | None => Ok(json!({})),
            Some(_) => Err("the arguments of the call are not a JSON object".to_owned()),
        }
    } else {
        arguments(partial)
    };
    block["input"] = input.clone().unwrap_or_else(|_| json!({}));
    let id = text(block, "/id").map_or_else(|| format!("call_{position}"), str::to_owned);
    block["id"] = Value::from(id.clone());
    Call {
        id,
        name: text(block, "/name").unwrap_or("").to_owned(),
        input,
    }
}
