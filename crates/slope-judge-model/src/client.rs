//! Requests to the gateway, which holds the key, counts and caps.

use std::io::Read;
use std::time::Duration;

use serde_json::{Value, json};

/// Largest answer in bytes.
const LARGEST: u64 = 16 << 20;
/// Longest time of a request.
const LONGEST: Duration = Duration::from_secs(900);
/// Tokens of an answer.
const MAX_TOKENS: u32 = 8192;

/// The API that a model's server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelDialect {
    /// Anthropic Messages.
    Messages,
    /// OpenAI Chat Completions.
    Chat,
}

/// A client of the gateway.
pub struct Client {
    agent: ureq::Agent,
    base_url: String,
    token: String,
    dialect: ModelDialect,
    /// The requested model.
    pub(crate) model: String,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) text: String,
    /// The model that answered, as the server says.
    pub(crate) served: Option<String>,
}

/// A message of a conversation: whether the model said it, and the text.
pub(crate) type Message = (bool, String);

impl Client {
    /// A client of the gateway at an address, with its token.
    #[must_use]
    pub fn new(base_url: String, token: String, dialect: ModelDialect, model: String) -> Self {
        // The gateway ends silence. A server that sends a little all the time ends here.
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(LONGEST))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .build();
        Self {
            agent: config.into(),
            base_url,
            token,
            dialect,
            model,
        }
    }

    /// Sends a conversation. The error says what happened, in one line.
    pub(crate) fn ask(&self, system: &str, messages: &[Message]) -> Result<Reply, String> {
        let (path, body) = match self.dialect {
            ModelDialect::Messages => ("/v1/messages", self.messages(system, messages)),
            ModelDialect::Chat => ("/v1/chat/completions", self.chat(system, messages)),
        };
        let request = self.agent.post(format!("{}{path}", self.base_url));
        let request = request.header("content-type", "application/json");
        let request = match self.dialect {
            ModelDialect::Messages => request
                .header("x-api-key", &self.token)
                .header("anthropic-version", "2023-06-01"),
            ModelDialect::Chat => request.header("authorization", format!("Bearer {}", self.token)),
        };
        let response = request
            .send(body.to_string().as_bytes())
            .map_err(|error| format!("no answer from the model's server: {error}"))?;
        let status = response.status().as_u16();
        let mut text = Vec::new();
        let mut reader = response
            .into_body()
            .into_with_config()
            .limit(LARGEST)
            .reader();
        reader
            .read_to_end(&mut text)
            .map_err(|error| format!("the answer broke off: {error}"))?;
        let body: Option<Value> = serde_json::from_slice(&text).ok();
        if status != 200 {
            let words = body.as_ref().and_then(error_words);
            let words = words.unwrap_or_else(|| "no reason is given".to_owned());
            return Err(format!(
                "the model's server answered with status {status}: {words}"
            ));
        }
        let body = body.ok_or("the answer of the model's server is not JSON")?;
        self.reply(&body)
    }

    // No temperature is given: some models refuse one.
    fn messages(&self, system: &str, messages: &[Message]) -> Value {
        let role = |is_model: bool| if is_model { "assistant" } else { "user" };
        let messages = messages.iter();
        let messages: Vec<Value> = messages
            .map(|(is_model, text)| json!({"role": role(*is_model), "content": text}))
            .collect();
        json!({
            "model": self.model,
            "max_tokens": MAX_TOKENS,
            "system": [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
            "messages": messages,
        })
    }

    fn chat(&self, system: &str, messages: &[Message]) -> Value {
        let role = |is_model: bool| if is_model { "assistant" } else { "user" };
        let first = json!({"role": "system", "content": system});
        let others = messages.iter();
        let others =
            others.map(|(is_model, text)| json!({"role": role(*is_model), "content": text}));
        let messages: Vec<Value> = [first].into_iter().chain(others).collect();
        json!({"model": self.model, "messages": messages, "max_completion_tokens": MAX_TOKENS})
    }

    fn reply(&self, body: &Value) -> Result<Reply, String> {
        let (text, stop) = match self.dialect {
            ModelDialect::Messages => {
                let blocks = body["content"].as_array().into_iter().flatten();
                let texts = blocks.filter_map(|block| block["text"].as_str());
                (texts.collect::<String>(), body["stop_reason"].as_str())
            }
            ModelDialect::Chat => {
                let choice = &body["choices"][0];
                let text = choice["message"]["content"].as_str().unwrap_or_default();
                (text.to_owned(), choice["finish_reason"].as_str())
            }
        };
        match stop {
            Some("refusal" | "content_filter") => Err("the model refused to answer".to_owned()),
            Some("length" | "max_tokens") => {
                Err(format!("the answer is longer than {MAX_TOKENS} tokens"))
            }
            _ => Ok(Reply {
                text,
                served: body["model"].as_str().map(str::to_owned),
            }),
        }
    }
}

/// The message of an error, whatever its shape.
fn error_words(body: &Value) -> Option<String> {
    let error = body.get("error").unwrap_or(body);
    let words = error
        .get("message")
        .or_else(|| error.get("error"))
        .unwrap_or(error);
    let words = words
        .as_str()
        .map_or_else(|| words.to_string(), str::to_owned);
    words
        .lines()
        .next()
        .map(|line| line[..line.floor_char_boundary(300)].to_owned())
}
