//! The four dialects of clients, behind one set of functions.
//!
//! A request is read into a [`View`], a scripted [`Reply`] is rendered as the dialect's response or
//! its sequence of events, and a response (complete, or assembled from a stream by an
//! [`Assembler`]) yields its tokens and tool calls.

mod assemble;
mod chat;
mod conversation;
mod gemini;
mod messages;
mod refused;
mod reported;
mod responses;
pub(crate) mod shell;
mod strip;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use slope_model::usage::Tokens;

pub(crate) use assemble::{Assembler, Step};
pub(crate) use conversation::{Called, Item, Said};
pub(crate) use strip::{refusal, strip};

/// The protocol between a client and an upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// `OpenAI` Chat Completions, `POST /v1/chat/completions`.
    ChatCompletions,
    /// Gemini, `POST /v1beta/models/MODEL:generateContent` and `:streamGenerateContent?alt=sse`.
    Gemini,
    /// Anthropic Messages, `POST /v1/messages`.
    Messages,
    /// `OpenAI` Responses, `POST /v1/responses`.
    Responses,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 4] = [
        Self::ChatCompletions,
        Self::Gemini,
        Self::Messages,
        Self::Responses,
    ];

    /// Name as configurations and logs spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ChatCompletions => "chat-completions",
            Self::Gemini => "gemini",
            Self::Messages => "messages",
            Self::Responses => "responses",
        }
    }

    /// Path and query of the model request: Gemini names the model, and whether to stream, there
    /// and not in the body.
    #[must_use]
    pub fn path(self, model: &str, stream: bool) -> String {
        match self {
            Self::ChatCompletions => "/v1/chat/completions".to_owned(),
            Self::Gemini if stream => {
                format!("/v1beta/models/{model}:streamGenerateContent?alt=sse")
            }
            Self::Gemini => format!("/v1beta/models/{model}:generateContent"),
            Self::Messages => "/v1/messages".to_owned(),
            Self::Responses => "/v1/responses".to_owned(),
        }
    }

    /// Version that the dialect's own clients put in front of every path.
    pub(crate) fn version(self) -> &'static str {
        match self {
            Self::Gemini => "/v1beta",
            _ => "/v1",
        }
    }

    /// Field of a request's body that names the model; `None` if the address names it.
    pub(crate) fn model_field(self) -> Option<&'static str> {
        (self != Self::Gemini).then_some("model")
    }

    /// All texts below a value, in order, joined by line ends.
    fn all_text(value: &Value) -> String {
        let mut text = String::new();
        // A stack of its own: requests may be nested to any depth.
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::String(part) => push_line(&mut text, part),
                Value::Array(parts) => open.extend(parts.iter().rev()),
                Value::Object(parts) => open.extend(parts.values().rev()),
                _ => {}
            }
        }
        text
    }

    /// The gateway's view of a request.
    pub(crate) fn view(self, body: &Value) -> View {
        match self {
            Self::ChatCompletions => chat::view(body),
            Self::Gemini => gemini::view(body),
            Self::Messages => messages::view(body),
            Self::Responses => responses::view(body),
        }
    }

    /// All texts of a request's conversation, of all roles, joined by line ends.
    pub(crate) fn heard(self, body: &Value) -> String {
        let field = match self {
            Self::ChatCompletions | Self::Messages => "messages",
            Self::Gemini => "contents",
            Self::Responses => "input",
        };
        Self::all_text(&body[field])
    }

    /// A complete response.
    pub(crate) fn response(self, reply: &Reply<'_>) -> Value {
        match self {
            Self::ChatCompletions => chat::response(reply),
            Self::Gemini => gemini::response(reply),
            Self::Messages => messages::response(reply),
            Self::Responses => responses::response(reply),
        }
    }

    /// The same response as a stream of server-sent events, each with its final blank line.
    pub(crate) fn events(self, reply: &Reply<'_>) -> Vec<String> {
        match self {
            Self::ChatCompletions => chat::events(reply),
            Self::Gemini => gemini::events(reply),
            Self::Messages => messages::events(reply),
            Self::Responses => responses::events(reply),
        }
    }

    /// Tokens that a response reports; `None` if it reports none.
    pub(crate) fn tokens(self, response: &Value) -> Option<Tokens> {
        let field = match self {
            Self::Gemini => "usageMetadata",
            _ => "usage",
        };
        let usage = response.get(field).filter(|usage| usage.is_object())?;
        match self {
            Self::ChatCompletions => chat::tokens(usage),
            Self::Gemini => gemini::tokens(usage),
            Self::Messages => messages::tokens(usage),
            Self::Responses => responses::tokens(usage),
        }
    }

    /// Cost of a response in dollars, if the provider reports it in `usage`, as `OpenRouter` does.
    pub(crate) fn reported_cost(self, response: &Value) -> Option<f64> {
        reported::cost(response)
    }

    /// Reason that the model refused to answer, if it did.
    pub(crate) fn refusal_reason(self, response: &Value) -> Option<String> {
        refused::reason(self, response)
    }

    /// Tool calls of a response, in order.
    pub(crate) fn tool_calls(self, response: &Value) -> Vec<ToolCall> {
        match self {
            Self::ChatCompletions => chat::tool_calls(response),
            Self::Gemini => gemini::tool_calls(response),
            Self::Messages => messages::tool_calls(response),
            Self::Responses => responses::tool_calls(response),
        }
    }

    /// A well-formed error body.
    pub(crate) fn error(self, status: u16, code: &str, message: &str) -> Value {
        match self {
            Self::Gemini => gemini::error(status, code, message),
            Self::Messages => json!({
                "type": "error",
                "error": { "type": messages::error_type(status), "message": message },
            }),
            _ => json!({
                "error": {
                    "message": message,
                    "type": openai_error_type(status),
                    "param": null,
                    "code": code,
                },
            }),
        }
    }

    /// An error in the middle of a stream, as one event.
    pub(crate) fn error_event(self, message: &str) -> String {
        let body = self.error(502, "upstream_error", message);
        match self {
            Self::ChatCompletions | Self::Gemini => event(None, &body),
            Self::Messages => event(Some("error"), &body),
            Self::Responses => {
                let failed = json!({
                    "type": "response.failed",
                    "response": { "status": "failed", "error": { "code": "server_error", "message": message } },
                });
                event(Some("response.failed"), &failed)
            }
        }
    }
}

impl Dialect {
    /// Answer to a request to count tokens if there is no upstream: a quarter of the bytes, as
    /// clients use it only to decide when to shorten a conversation.
    pub(crate) fn rough_count(self, body: &Value) -> Value {
        let tokens = body.to_string().len().div_ceil(4);
        match self {
            Self::Gemini => json!({ "totalTokens": tokens }),
            _ => json!({ "input_tokens": tokens }),
        }
    }

    /// Answer to a request for the available models, if there is one.
    pub(crate) fn models(self, model: &str) -> Value {
        match self {
            Self::Gemini => json!({ "models": [{
                "name": format!("models/{model}"), "displayName": model,
                "supportedGenerationMethods": ["generateContent", "countTokens"],
            }] }),
            Self::Messages => json!({
                "data": [{ "type": "model", "id": model, "display_name": model, "created_at": "2023-11-14T22:13:20Z" }],
                "has_more": false, "first_id": model, "last_id": model,
            }),
            _ => json!({
                "object": "list",
                "data": [{ "id": model, "object": "model", "created": 1_700_000_000, "owned_by": "slope" }],
            }),
        }
    }
}

fn openai_error_type(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        500.. => "server_error",
        _ => "invalid_request_error",
    }
}

/// The gateway's view of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct View {
    /// Texts of the user's messages, joined by line ends; outputs of tools are not among them.
    pub(crate) user_text: String,
    /// Replies of the model that the request already carries.
    pub(crate) turns: usize,
    /// Tools on offer.
    pub(crate) tools: Vec<Tool>,
    /// Whether to stream the reply.
    pub(crate) stream: bool,
}

/// A tool on offer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// The group that the tool is offered in, where the dialect has groups.
    pub(crate) group: Option<String>,
    pub(crate) kind: ToolKind,
}

impl Tool {
    fn new(name: &str, kind: ToolKind) -> Self {
        Self {
            name: name.to_owned(),
            group: None,
            kind,
        }
    }

    /// Name with the group, as the books show it.
    pub(crate) fn full_name(&self) -> String {
        match &self.group {
            Some(group) => format!("{group}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// Input format of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ToolKind {
    /// JSON arguments by this schema.
    Function(Value),
    /// Plain text.
    Custom,
    /// A program in JavaScript that calls a shell, as newer Codex models are offered.
    JavaScript,
    /// The Responses dialect's built-in `local_shell`.
    LocalShell,
    /// The Responses dialect's built-in `shell`.
    Shell,
    /// Anything else; never called by a script.
    Other,
}

/// A tool call in a response.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ToolCall {
    pub(crate) name: String,
    /// Arguments as JSON if they parse, else as text.
    pub(crate) input: Value,
}

/// A reply of the script, ready to be rendered.
#[derive(Debug, Clone)]
pub(crate) struct Reply<'a> {
    /// Distinguishes the reply from the script's others: conversation and turn.
    pub(crate) id: String,
    pub(crate) model: &'a str,
    pub(crate) text: &'a str,
    pub(crate) call: Option<Call>,
    pub(crate) tokens: Tokens,
}

/// A call of a shell tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) group: Option<String>,
    pub(crate) input: CallInput,
}

/// The input of a call, by the tool's kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CallInput {
    Json(Value),
    Text(String),
    LocalShell(String),
    Shell(String),
}

/// One server-sent event.
fn event(name: Option<&str>, data: &Value) -> String {
    match name {
        Some(name) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    }
}

/// Cuts a text into the pieces that a stream delivers it in: never inside a character.
fn pieces(text: &str) -> Vec<&str> {
    const PIECE: usize = 4096;
    let mut rest = text;
    let mut out = Vec::new();
    while rest.len() > PIECE {
        let (head, tail) = rest.split_at(rest.floor_char_boundary(PIECE));
        out.push(head);
        rest = tail;
    }
    if !rest.is_empty() {
        out.push(rest);
    }
    out
}

/// Counts runs of consecutive items from the model: one run is one reply.
fn runs(items: impl Iterator<Item = bool>) -> usize {
    let mut before = false;
    let mut count = 0;
    for model in items {
        count += usize::from(model && !before);
        before = model;
    }
    count
}

/// An array field; empty if absent.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A text field; empty if absent.
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A count, or `None` where it is absent or no count.
fn count(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}

/// Texts of a content that is a string or a list of parts of the given types.
fn content_text(content: &Value, types: &[&str], out: &mut String) {
    match content {
        Value::String(text) => push_line(out, text),
        Value::Array(parts) => {
            for part in parts
                .iter()
                .filter(|part| types.contains(&text(part, "type")))
            {
                push_line(out, text(part, "text"));
            }
        }
        _ => {}
    }
}

fn push_line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// Arguments as JSON if they parse, else as text.
fn parsed(arguments: &str) -> Value {
    serde_json::from_str(arguments).unwrap_or_else(|_| Value::String(arguments.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_tokens() -> impl Strategy<Value = Tokens> {
        let count = 0u64..1 << 40;
        (
            count.clone(),
            count.clone(),
            count.clone(),
            count,
            0u8..=100,
        )
            .prop_map(|(input, cache_read, cache_write, output, share)| Tokens {
                input,
                cache_read,
                cache_write,
                cache_write_1h: 0,
                output,
                reasoning: output / 100 * u64::from(share),
            })
    }

    #[test]
    fn hour_cache_writes_are_counted_separately() {
        let tokens = Tokens {
            cache_write: 9,
            cache_write_1h: 4,
            ..Tokens::default()
        };
        let reply = Reply {
            id: "x".into(),
            model: "m",
            text: "t",
            call: None,
            tokens,
        };
        let messages = Dialect::Messages;
        assert_eq!(messages.tokens(&messages.response(&reply)), Some(tokens));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
        #[test]
        fn token_counts_survive_every_dialect(tokens in any_tokens()) {
            let reply = Reply { id: "x".into(), model: "m", text: "t", call: None, tokens };
            for dialect in Dialect::ALL {
                prop_assert_eq!(dialect.tokens(&dialect.response(&reply)), Some(tokens));
                let mut assembler = Assembler::new(dialect, usize::MAX);
                let mut splitter = crate::sse::Splitter::default();
                for event in splitter.push(dialect.events(&reply).concat().as_bytes()) {
                    assembler.push(&event.data);
                }
                prop_assert_eq!(dialect.tokens(&assembler.finish()), Some(tokens));
            }
        }

        #[test]
        fn assembler_survives_arbitrary_streams(
            lines in proptest::collection::vec("[a-z_.]{0,12}", 0..6), number in any::<i64>(),
        ) {
            let odd = [json!(null), json!(number), json!("x"), json!([number, null]), json!({ "a": [] })];
            let kinds = [
                "message_start", "content_block_start", "content_block_delta", "message_delta",
                "response.completed", "response.output_item.done", "response.created",
            ];
            for dialect in Dialect::ALL {
                let mut assembler = Assembler::new(dialect, usize::MAX);
                for value in &odd {
                    for kind in kinds.iter().copied().chain(lines.iter().map(String::as_str)) {
                        for delta in ["text_delta", "input_json_delta"] {
                            let event = json!({
                                "type": kind, "message": value, "content_block": value, "delta": value,
                                "usage": value, "choices": value, "response": value, "item": value,
                                "index": value, "output_index": value, "model": value,
                                "candidates": value, "usageMetadata": value, "promptFeedback": value,
                            });
                            assembler.push(&event.to_string());
                            let event = json!({
                                "type": kind, "message": { "content": value, "usage": value },
                                "delta": { "type": delta, "text": value, "tool_calls": value },
                                "usage": { "output_tokens": value }, "choices": [value, { "delta": { "tool_calls": [value] } }],
                                "candidates": [value, { "index": value, "content": value }, { "content": { "parts": [value] } }],
                                "usageMetadata": { "promptTokenCount": value },
                            });
                            assembler.push(&event.to_string());
                        }
                    }
                }
                let response = assembler.finish();
                dialect.tool_calls(&response);
                dialect.tokens(&response);
                prop_assert!(response.is_object());
            }
        }
    }

    #[test]
    fn known_server_counts_are_normalised() {
        let chat = |usage: Value| Dialect::ChatCompletions.tokens(&json!({ "usage": usage }));
        let cached = Some(Tokens {
            input: 70,
            cache_read: 30,
            output: 5,
            ..Tokens::default()
        });
        let base = json!({ "prompt_tokens": 100, "completion_tokens": 5 });
        for (field, value) in [
            ("prompt_tokens_details", json!({ "cached_tokens": 30 })),
            ("cached_tokens", json!(30)),
            ("prompt_cache_hit_tokens", json!(30)),
        ] {
            let mut usage = base.clone();
            usage[field] = value;
            assert_eq!(chat(usage), cached, "{field}");
        }
        assert_eq!(chat(base).map(|tokens| tokens.input), Some(100));
        for dialect in Dialect::ALL {
            for unreported in [
                json!({}),
                json!({ "usage": null, "usageMetadata": null }),
                json!({ "usage": {}, "usageMetadata": {} }),
            ] {
                assert_eq!(dialect.tokens(&unreported), None);
            }
        }
        // More cached tokens than input: the count is never negative.
        let odd = json!({ "usage": { "input_tokens": 3, "output_tokens": 1, "input_tokens_details": { "cached_tokens": 9 } } });
        assert_eq!(
            Dialect::Responses.tokens(&odd).map(|tokens| tokens.input),
            Some(0)
        );
    }

    #[test]
    fn text_pieces_rejoin_without_splitting_characters() {
        let text = "aé€𝄞".repeat(3000);
        let parts = pieces(&text);
        assert!(parts.len() > 1);
        assert_eq!(parts.concat(), text);
        assert!(pieces("").is_empty());
    }

    #[test]
    fn consecutive_model_items_form_one_reply() {
        let items = [false, true, true, false, true, false, true];
        assert_eq!(runs(items.into_iter()), 3);
        assert_eq!(runs(std::iter::empty()), 0);
    }

    #[test]
    fn errors_follow_their_dialect_format() {
        let anthropic = Dialect::Messages.error(400, "budget_exceeded", "no more");
        assert_eq!(anthropic["type"], "error");
        assert_eq!(anthropic["error"]["type"], "invalid_request_error");
        let openai = Dialect::Responses.error(401, "invalid_token", "who are you");
        assert_eq!(openai["error"]["type"], "authentication_error");
        assert_eq!(openai["error"]["code"], "invalid_token");
        let google = Dialect::Gemini.error(400, "budget_exceeded", "no more");
        assert_eq!(google["error"]["status"], "INVALID_ARGUMENT");
        assert_eq!(google["error"]["code"], 400);
        for dialect in Dialect::ALL {
            assert!(dialect.error_event("gone").ends_with("\n\n"));
        }
    }
}
