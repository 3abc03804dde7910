//! Shared by the two dialects.

use serde_json::{Value, json};
use slope_model::usage::Tokens;

use super::chat::{self, ChatParts};
use super::messages::{self, MessagesParts};
use super::{Payload, sse};
use crate::agent::Dialect;

/// The system prompt. Short, and blind to the reason of the request.
pub(super) const SYSTEM: &str = "\
You are a software engineer working alone in a Linux workspace. \
The `bash` tool runs commands there; use it to read and write files, and to build, run and test \
what you write. Each call starts a fresh shell in the workspace, so only files last. \
There is no network, and nobody can answer questions: where the task leaves something open, \
decide and go on. When the task is done, say in a few words what you did, \
in a reply without a tool call.";

/// Message to a model whose reply ended at the length limit without a tool call.
pub(super) const GO_ON: &str =
    "Your reply was cut off at the length limit. Continue with shorter replies, through the tool.";

/// Name of the only tool.
pub(super) const TOOL: &str = "bash";

/// The tool's arguments as a JSON schema.
pub(super) fn tool_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "command": {"type": "string", "description": "Script for /bin/bash"},
            "timeout_s": {
                "type": "integer",
                "description": "Seconds after which the command is killed"
            }
        },
        "required": ["command"]
    })
}

/// The tool's description.
pub(super) fn tool_description(payload: &Payload) -> String {
    format!(
        "Runs a script with /bin/bash in the workspace and returns its exit code and its output \
         (standard output and error together, the middle left out where it is long). \
         Standard input is empty. After {} seconds, or `timeout_s` up to {}, it is killed. \
         Redirect the output of background processes to a file.",
        payload.command_timeout_s, payload.command_timeout_max_s
    )
}

/// A tool call of the model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    /// The arguments, or the reason that they are invalid.
    pub(super) input: Result<Value, String>,
}

/// Reason that a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// The model finished.
    End,
    /// The reply reached its length limit.
    Length,
    /// Any other reason, in the server's words.
    Other(String),
}

/// A complete reply.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    /// `None` if the server reported none.
    pub(super) tokens: Option<Tokens>,
    pub(super) stop: Stop,
    /// The message to repeat in the next request.
    pub(super) message: Value,
}

/// A reply in the making.
pub(super) enum Parts {
    Messages(MessagesParts),
    Chat(ChatParts),
}

impl Parts {
    pub(super) fn new(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Chat => Self::Chat(ChatParts::default()),
            Dialect::Messages | Dialect::Responses | Dialect::Gemini => {
                Self::Messages(MessagesParts::default())
            }
        }
    }

    /// Processes one event; `Err` if the server reports an error within the stream.
    pub(super) fn take(&mut self, event: &sse::Event) -> Result<(), String> {
        if event.data == "[DONE]" {
            if let Self::Chat(parts) = self {
                parts.finish();
            }
            return Ok(());
        }
        let data: Value = serde_json::from_str(&event.data)
            .map_err(|error| format!("an event of the reply is not JSON: {error}"))?;
        if let Some(error) = data.get("error").filter(|error| !error.is_null()) {
            return Err(format!("the server broke off: {}", error_words(error)));
        }
        match self {
            Self::Messages(parts) => parts.take(&data),
            Self::Chat(parts) => parts.take(&data),
        }
        Ok(())
    }

    /// The complete reply; `None` if its end is missing.
    pub(super) fn reply(self) -> Option<Reply> {
        match self {
            Self::Messages(parts) => parts.reply(),
            Self::Chat(parts) => parts.reply(),
        }
    }
}

/// Path of the endpoint.
pub(super) fn path(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Chat => "/v1/chat/completions",
        Dialect::Messages | Dialect::Responses | Dialect::Gemini => "/v1/messages",
    }
}

/// Headers after the content type.
pub(super) fn headers(payload: &Payload) -> Vec<(&'static str, String)> {
    match payload.dialect {
        Dialect::Chat => vec![("authorization", format!("Bearer {}", payload.token))],
        Dialect::Messages | Dialect::Responses | Dialect::Gemini => vec![
            ("x-api-key", payload.token.clone()),
            ("anthropic-version", "2023-06-01".to_owned()),
        ],
    }
}

/// Body of a request.
pub(super) fn request(payload: &Payload, history: &[Value], stream: bool) -> Value {
    match payload.dialect {
        Dialect::Chat => chat::request(payload, history, stream),
        Dialect::Messages | Dialect::Responses | Dialect::Gemini => {
            messages::request(payload, history, stream)
        }
    }
}

/// A reply that is not streamed; `Err` if invalid.
pub(super) fn whole(dialect: Dialect, body: &Value) -> Result<Reply, String> {
    if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
        return Err(format!(
            "the server answered with an error: {}",
            error_words(error)
        ));
    }
    let reply = match dialect {
        Dialect::Chat => chat::whole(body),
        Dialect::Messages | Dialect::Responses | Dialect::Gemini => messages::whole(body),
    };
    reply.ok_or_else(|| "the server's answer is not a reply of a model".to_owned())
}

/// A message of the user.
pub(super) fn user(dialect: Dialect, text: &str) -> Value {
    match dialect {
        Dialect::Chat => json!({"role": "user", "content": text}),
        Dialect::Messages | Dialect::Responses | Dialect::Gemini => {
            json!({"role": "user", "content": [{"type": "text", "text": text}]})
        }
    }
}

/// The messages with results of tool calls, each given as id, text, and whether the call failed.
pub(super) fn results(dialect: Dialect, results: &[(String, String, bool)]) -> Vec<Value> {
    match dialect {
        Dialect::Chat => results
            .iter()
            .map(|(id, words, _)| json!({"role": "tool", "tool_call_id": id, "content": words}))
            .collect(),
        Dialect::Messages | Dialect::Responses | Dialect::Gemini => {
            let blocks: Vec<Value> = results
                .iter()
                .map(|(id, words, failed)| {
                    json!({
                        "type": "tool_result", "tool_use_id": id,
                        "content": words, "is_error": failed,
                    })
                })
                .collect();
            vec![json!({"role": "user", "content": blocks})]
        }
    }
}

/// Parses the text of a call's arguments; an empty text means no arguments.
pub(super) fn arguments(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Ok(json!({}));
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(Value::Object(object)),
        Ok(_) => Err("the arguments of the call are not a JSON object".to_owned()),
        Err(error) => Err(format!(
            "the arguments of the call are not valid JSON: {error}"
        )),
    }
}

/// The message of an error object, whatever its shape.
pub(super) fn error_words(error: &Value) -> String {
    let words = error
        .pointer("/error/message")
        .or_else(|| error.get("message"))
        .or_else(|| error.get("error"))
        .unwrap_or(error);
    let words = words
        .as_str()
        .map_or_else(|| words.to_string(), str::to_owned);
    crate::evidence::one_line(&words, 300)
}
