//! Assembles a response from the events of its stream.
//!
//! The result has the shape of the same dialect's complete response, so that the same code reads
//! tokens and tool calls from both, and the log shows both in the same way.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Dialect, gemini, list, text};

/// Assembles a response, event by event.
#[derive(Debug)]
pub(crate) struct Assembler {
    parts: Parts,
    /// Remaining bytes of text to keep.
    room: usize,
    truncated: bool,
    ended: bool,
    error: Option<String>,
}

#[derive(Debug)]
enum Parts {
    Chat {
        head: Map<String, Value>,
        choices: BTreeMap<u64, Choice>,
        usage: Option<Value>,
    },
    Gemini {
        response: Value,
        finished: bool,
    },
    Messages {
        message: Value,
        json: BTreeMap<usize, String>,
        delta_seen: bool,
    },
    Responses {
        items: BTreeMap<u64, Value>,
        last: Option<Value>,
        completed: bool,
    },
}

#[derive(Debug, Default)]
struct Choice {
    message: Map<String, Value>,
    calls: BTreeMap<u64, Value>,
    finish: Value,
}

/// Effect of an event on the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// More events follow.
    More,
    /// The event carries only usage that the client may not have requested.
    UsageOnly,
    /// The response is complete.
    End,
}

impl Assembler {
    /// Creates an assembler that keeps at most `room` bytes of text.
    pub(crate) fn new(dialect: Dialect, room: usize) -> Self {
        let parts = match dialect {
            Dialect::ChatCompletions => Parts::Chat {
                head: Map::new(),
                choices: BTreeMap::new(),
                usage: None,
            },
            Dialect::Gemini => Parts::Gemini {
                response: json!({}),
                finished: false,
            },
            Dialect::Messages => Parts::Messages {
                message: Value::Null,
                json: BTreeMap::new(),
                delta_seen: false,
            },
            Dialect::Responses => Parts::Responses {
                items: BTreeMap::new(),
                last: None,
                completed: false,
            },
        };
        Self {
            parts,
            room,
            truncated: false,
            ended: false,
            error: None,
        }
    }

    /// Processes the data of one event.
    pub(crate) fn push(&mut self, data: &str) -> Step {
        if data.trim() == "[DONE]" {
            self.ended = true;
            return Step::End;
        }
        let Ok(event) = serde_json::from_str::<Value>(data) else {
            return Step::More;
        };
        if self.room < data.len() {
            self.truncated = true;
        } else {
            self.room -= data.len();
        }
        self.note_error(&event);
        let step = match &mut self.parts {
            Parts::Chat {
                head,
                choices,
                usage,
            } => chat(head, choices, usage, &event, !self.truncated),
            Parts::Gemini { response, finished } => {
                *finished |= gemini::merge(response, &event, !self.truncated);
                self.ended |= *finished;
                Step::More
            }
            Parts::Messages {
                message,
                json,
                delta_seen,
            } => messages(message, json, delta_seen, &event, !self.truncated),
            Parts::Responses {
                items,
                last,
                completed,
            } => responses(items, last, completed, event, !self.truncated),
        };
        self.ended |= step == Step::End;
        step
    }

    fn note_error(&mut self, event: &Value) {
        let error = ["/error", "/response/error"]
            .iter()
            .find_map(|at| event.pointer(at).filter(|error| !error.is_null()));
        if let Some(error) = error {
            let message = error["message"]
                .as_str()
                .map_or_else(|| error.to_string(), str::to_owned);
            self.error = Some(message);
        }
    }

    /// Whether the dialect's last event has arrived.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// An error that the upstream reported in the middle of the stream.
    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Whether the usage so far covers the complete response.
    pub(crate) fn usage_complete(&self) -> bool {
        match &self.parts {
            Parts::Chat { usage, .. } => usage.is_some(),
            // Every chunk has the usage so far; the last one, with the end, covers all.
            Parts::Gemini { response, finished } => {
                *finished && response["usageMetadata"].is_object()
            }
            Parts::Messages { delta_seen, .. } => *delta_seen,
            Parts::Responses { completed, .. } => *completed,
        }
    }

    /// The response, up to the last event.
    pub(crate) fn finish(self) -> Value {
        let mut response = match self.parts {
            Parts::Chat {
                mut head,
                choices,
                usage,
            } => {
                let choices = choices
                    .into_iter()
                    .map(|(index, choice)| choice.finish(index));
                head.insert("object".to_owned(), json!("chat.completion"));
                head.insert("choices".to_owned(), choices.collect());
                head.insert("usage".to_owned(), usage.unwrap_or_default());
                Value::Object(head)
            }
            Parts::Gemini { response, .. } => response,
            Parts::Messages {
                mut message, json, ..
            } => {
                for (index, arguments) in json {
                    if let Some(block) = block(&mut message, index) {
                        block.insert("input".to_owned(), super::parsed(&arguments));
                    }
                }
                message
            }
            Parts::Responses { items, last, .. } => {
                let mut response = last.filter(Value::is_object).unwrap_or_else(|| json!({}));
                if list(&response, "output").is_empty() {
                    response["output"] = items.into_values().collect();
                }
                response
            }
        };
        if self.truncated && response.is_object() {
            response["slope_truncated"] = json!(true);
        }
        response
    }
}

impl Choice {
    fn finish(mut self, index: u64) -> Value {
        if !self.calls.is_empty() {
            self.message
                .insert("tool_calls".to_owned(), self.calls.into_values().collect());
        }
        json!({ "index": index, "message": self.message, "finish_reason": self.finish })
    }
}

/// Appends a text to a text field.
fn append(target: &mut Value, piece: &str) {
    match target {
        Value::String(text) => text.push_str(piece),
        other => *other = json!(piece),
    }
}

fn chat(
    head: &mut Map<String, Value>,
    choices: &mut BTreeMap<u64, Choice>,
    usage: &mut Option<Value>,
    event: &Value,
    keep: bool,
) -> Step {
    for key in ["id", "created", "model"] {
        if let (false, Some(value)) = (head.contains_key(key), event.get(key)) {
            head.insert(key.to_owned(), value.clone());
        }
    }
    if event["usage"].is_object() {
        *usage = Some(event["usage"].clone());
    }
    for part in list(event, "choices") {
        let choice = choices
            .entry(part["index"].as_u64().unwrap_or_default())
            .or_default();
        if !part["finish_reason"].is_null() {
            choice.finish = part["finish_reason"].clone();
        }
        let Some(delta) = part["delta"].as_object() else {
            continue;
        };
        for (key, value) in delta {
            match (key.as_str(), value) {
                ("tool_calls", Value::Array(calls)) => {
                    for call in calls {
                        chat_call(&mut choice.calls, call, keep);
                    }
                }
                ("role", _) => {
                    choice.message.insert(key.clone(), value.clone());
                }
                (_, Value::String(piece)) if keep => {
                    append(
                        choice.message.entry(key.clone()).or_insert(Value::Null),
                        piece,
                    );
                }
                _ => {}
            }
        }
    }
    let alone = event["usage"].is_object() && list(event, "choices").is_empty();
    if alone { Step::UsageOnly } else { Step::More }
}

fn chat_call(calls: &mut BTreeMap<u64, Value>, part: &Value, keep: bool) {
    let call = calls
        .entry(part["index"].as_u64().unwrap_or_default())
        .or_insert(json!({}));
    for key in ["id", "type"] {
        if let Some(value) = part.get(key).filter(|value| value.is_string()) {
            call[key] = value.clone();
        }
    }
    for (kind, field) in [("function", "arguments"), ("custom", "input")] {
        let Some(inner) = part.get(kind) else {
            continue;
        };
        if !text(inner, "name").is_empty() {
            call[kind]["name"] = inner["name"].clone();
        }
        if keep {
            append(&mut call[kind][field], text(inner, field));
        }
    }
}

fn messages(
    message: &mut Value,
    partial: &mut BTreeMap<usize, String>,
    delta_seen: &mut bool,
    event: &Value,
    keep: bool,
) -> Step {
    let index = usize::try_from(event["index"].as_u64().unwrap_or_default()).unwrap_or_default();
    match text(event, "type") {
        "message_start" => *message = event["message"].clone(),
        "content_block_start" => {
            if let Some(Value::Array(content)) = message.get_mut("content")
                && index == content.len()
            {
                content.push(event["content_block"].clone());
            }
        }
        "content_block_delta" if keep => {
            let delta = &event["delta"];
            let Some(block) = block(message, index) else {
                return Step::More;
            };
            let mut add =
                |key: &str| append(block.entry(key).or_insert(Value::Null), text(delta, key));
            match text(delta, "type") {
                "text_delta" => add("text"),
                "thinking_delta" => add("thinking"),
                "signature_delta" => add("signature"),
                "input_json_delta" => {
                    partial
                        .entry(index)
                        .or_default()
                        .push_str(text(delta, "partial_json"));
                }
                _ => {}
            }
        }
        "message_delta" => {
            merge_delta(message, event);
            *delta_seen |= event["usage"]["output_tokens"].is_u64();
        }
        "message_stop" => return Step::End,
        _ => {}
    }
    Step::More
}

/// A block of a message; `None` if there is no such block.
fn block(message: &mut Value, index: usize) -> Option<&mut Map<String, Value>> {
    message.get_mut("content")?.get_mut(index)?.as_object_mut()
}

/// Merges the end of a message. Counts are cumulative, and some servers send a zero in one of the
/// two places, so the larger one counts.
fn merge_delta(message: &mut Value, event: &Value) {
    if !message.is_object() {
        *message = json!({});
    }
    let Some(message) = message.as_object_mut() else {
        return;
    };
    if let Some(delta) = event["delta"].as_object() {
        message.extend(
            delta
                .iter()
                .map(|(key, value)| (key.clone(), value.clone())),
        );
    }
    merge_usage(
        message.entry("usage").or_insert(Value::Null),
        &event["usage"],
    );
}

/// Merges later counts into earlier ones; the larger one of a kind counts.
pub(super) fn merge_usage(usage: &mut Value, update: &Value) {
    let Some(update) = update.as_object() else {
        return;
    };
    if !usage.is_object() {
        *usage = json!({});
    }
    for (key, value) in update {
        let before = usage[key].as_u64();
        let smaller = before
            .zip(value.as_u64())
            .is_some_and(|(old, new)| new < old);
        if !smaller && !value.is_null() {
            usage[key] = value.clone();
        }
    }
}

fn responses(
    items: &mut BTreeMap<u64, Value>,
    last: &mut Option<Value>,
    completed: &mut bool,
    mut event: Value,
    keep: bool,
) -> Step {
    match text(&event, "type") {
        "response.output_item.done" if keep => {
            let index = event["output_index"].as_u64().unwrap_or(items.len() as u64);
            items.insert(index, event["item"].take());
        }
        "response.created" | "response.in_progress" => *last = Some(event["response"].take()),
        "response.completed" | "response.incomplete" | "response.failed" => {
            let mut response = event["response"].take();
            *completed = response["usage"].is_object();
            if !keep && response.is_object() {
                response["output"] = json!([]);
            }
            *last = Some(response);
            return Step::End;
        }
        _ => {}
    }
    Step::More
}

#[cfg(test)]
mod tests {
    use slope_model::usage::Tokens;

    use super::super::{Call, CallInput, Reply};
    use super::*;

    fn reply() -> Reply<'static> {
        Reply {
            id: "c1t2".into(),
            model: "scripted",
            text: "I write the file.",
            call: Some(Call {
                tool: "bash".into(),
                group: None,
                input: CallInput::Json(json!({ "command": "echo \"hé\" > 'a b'\n".repeat(900) })),
            }),
            tokens: Tokens {
                input: 7,
                cache_read: 5,
                cache_write: 3,
                cache_write_1h: 0,
                output: 11,
                reasoning: 2,
            },
        }
    }

    fn assembled(dialect: Dialect, reply: &Reply<'_>, room: usize) -> (Value, bool) {
        let mut assembler = Assembler::new(dialect, room);
        let mut splitter = crate::sse::Splitter::default();
        for event in splitter.push(dialect.events(reply).concat().as_bytes()) {
            assembler.push(&event.data);
        }
        assert!(assembler.ended() && assembler.usage_complete());
        (assembler.finish(), true)
    }

    #[test]
    fn stream_assembles_to_full_response() {
        for text_only in [false, true] {
            let mut reply = reply();
            if text_only {
                reply.call = None;
            }
            for dialect in Dialect::ALL {
                let (stream, _) = assembled(dialect, &reply, usize::MAX);
                assert_eq!(stream, dialect.response(&reply), "{}", dialect.name());
                assert_eq!(dialect.tokens(&stream), Some(reply.tokens));
                assert_eq!(dialect.tool_calls(&stream).len(), usize::from(!text_only));
            }
        }
    }

    #[test]
    fn oversized_stream_still_yields_tokens() {
        for dialect in Dialect::ALL {
            let (stream, _) = assembled(dialect, &reply(), 2000);
            assert_eq!(
                dialect.tokens(&stream),
                Some(reply().tokens),
                "{}",
                dialect.name()
            );
            assert_eq!(stream["slope_truncated"], true);
            assert!(stream.to_string().len() < 6000, "{}", dialect.name());
        }
    }

    #[test]
    fn cut_stream_is_incomplete() {
        for dialect in Dialect::ALL {
            let mut assembler = Assembler::new(dialect, usize::MAX);
            let events = dialect.events(&reply());
            let mut splitter = crate::sse::Splitter::default();
            for event in splitter.push(events[..3.min(events.len() - 1)].concat().as_bytes()) {
                assembler.push(&event.data);
            }
            assert!(
                !assembler.ended() && !assembler.usage_complete(),
                "{}",
                dialect.name()
            );
        }
    }

    #[test]
    fn larger_cumulative_count_wins() {
        let mut assembler = Assembler::new(Dialect::Messages, usize::MAX);
        for data in [
            r#"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":0,"cache_read_input_tokens":9,"output_tokens":1}}}"#,
            r#"{"type":"message_delta","delta":{},"usage":{"input_tokens":40,"cache_read_input_tokens":0,"output_tokens":6}}"#,
        ] {
            assembler.push(data);
        }
        let tokens = Dialect::Messages.tokens(&assembler.finish()).unwrap();
        assert_eq!((tokens.input, tokens.cache_read, tokens.output), (40, 9, 6));
    }

    #[test]
    fn stream_error_is_noted() {
        for dialect in Dialect::ALL {
            let mut assembler = Assembler::new(dialect, usize::MAX);
            let mut splitter = crate::sse::Splitter::default();
            for event in splitter.push(dialect.error_event("went away").as_bytes()) {
                assembler.push(&event.data);
            }
            assert_eq!(assembler.error(), Some("went away"), "{}", dialect.name());
        }
    }
}
