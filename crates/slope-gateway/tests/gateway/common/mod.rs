//! Shared by the integration tests: a script, a gateway that serves it, and requests.

pub(crate) mod front;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use slope_gateway::{
    AttemptAuth, Caps, Dialect, Gateway, GatewayConfig, LoadedScript, Serving, Upstream,
    random_token,
};
use slope_model::usage::Tokens;

pub(crate) const SCRIPT: &str = r#"
schema: slope.script/1
model: scripted
prices: { input: 3.0, cache_read: 0.3, cache_write: 3.75, output: 15.0 }
conversations:
  - name: second
    checkpoint: 2
    turns: [{ text: two, usage: { input: 9, output: 1 } }]
  - name: main
    contains: ["add a", "greeting"]
    turns:
      - text: I write it.
        put: files
        usage: { input: 1200, cache_write: 800, output: 90, reasoning: 20 }
      - shell: "printf '%s' \"é\" > note\n"
        usage: { input: 150, cache_read: 2000, cache_write: 7, output: 30 }
      - text: Done.
        usage: { input: 60, cache_read: 2100, output: 12, reasoning: 12 }
  - name: slow
    contains: [wait]
    turns: [{ text: late, delay_ms: 60000 }]
  - name: broken
    contains: [fail]
    turns: [{ fail_status: 503 }]
  - name: long
    contains: [long]
    turns: [{ text: LONG, usage: { output: 1 } }]
aside: { text: a title, usage: { input: 40, output: 5 } }
"#;

/// Tokens of the conversation `main`.
pub(crate) const MAIN: Tokens = Tokens {
    input: 1410,
    cache_read: 4100,
    cache_write: 807,
    cache_write_1h: 0,
    output: 132,
    reasoning: 32,
};

pub(crate) struct Bench {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) gateway: Gateway,
    pub(crate) token: String,
}

pub(crate) fn script_in(dir: &Path) -> LoadedScript {
    std::fs::create_dir_all(dir.join("files/sub")).unwrap();
    std::fs::write(dir.join("files/sub/a.py"), "print('it''s $HOME')\n").unwrap();
    let path = dir.join("script.yaml");
    std::fs::write(&path, SCRIPT.replace("LONG", &"long text ".repeat(40_000))).unwrap();
    LoadedScript::load(&path).unwrap()
}

impl Bench {
    pub(crate) fn scripted() -> Self {
        Self::tuned(|_| {})
    }

    pub(crate) fn tuned(tune: impl FnOnce(&mut GatewayConfig)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let script = script_in(dir.path());
        let mut config = GatewayConfig::new(Upstream::Scripted(script.into()));
        tune(&mut config);
        let gateway = Gateway::new(config).unwrap();
        Self {
            dir,
            gateway,
            token: random_token().unwrap(),
        }
    }

    pub(crate) fn log_path(&self) -> PathBuf {
        self.dir.path().join("log/requests.jsonl")
    }

    pub(crate) fn auth(&self) -> AttemptAuth {
        AttemptAuth {
            token: self.token.clone(),
            trial: "trial".into(),
            checkpoint_index: 1,
            log_path: self.log_path(),
            caps: Caps::default(),
            prices: None,
        }
    }

    pub(crate) fn serve(&self) -> Serving {
        self.gateway.serve_loopback(self.auth()).unwrap()
    }

    pub(crate) fn log(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.log_path()).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// A client of one dialect, as plain as can be.
pub(crate) struct Client {
    pub(crate) http: reqwest::Client,
    pub(crate) base: String,
    pub(crate) token: String,
    pub(crate) dialect: Dialect,
}

impl Client {
    pub(crate) fn new(dialect: Dialect, serving: &Serving, token: &str) -> Self {
        // The client is built without a TLS provider of its own; see Cargo.toml.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build();
        let http = http.unwrap_or_else(|error| panic!("{error}"));
        Self {
            http,
            base: serving.base_url(),
            token: token.to_owned(),
            dialect,
        }
    }

    /// The path for a body; for Gemini, the stream that is requested there comes from a field that
    /// the dialect does not have.
    pub(crate) fn path(&self, body: &Value) -> String {
        self.dialect.path("m", body["stream"] == true)
    }

    pub(crate) async fn post(&self, body: &Value) -> reqwest::Response {
        let request = self.http.post(format!("{}{}", self.base, self.path(body)));
        let request = match self.dialect {
            Dialect::Gemini => request.header("x-goog-api-key", &self.token),
            Dialect::Messages => request.header("x-api-key", &self.token),
            _ => request.bearer_auth(&self.token),
        };
        let mut body = body.clone();
        if let (Dialect::Gemini, Some(fields)) = (self.dialect, body.as_object_mut()) {
            fields.remove("stream");
        }
        request.json(&body).send().await.unwrap()
    }

    /// Plays the conversation to its end as an agent would; gives the commands it was given
    /// and the events or bodies that it saw.
    pub(crate) async fn converse(&self, stream: bool, prompt: &str) -> (Vec<String>, String) {
        let mut history = vec![json!({ "role": "user", "content": prompt })];
        let mut commands = Vec::new();
        let mut seen = String::new();
        loop {
            let response = self.post(&self.request(&history, stream)).await;
            let status = response.status();
            let text = response.text().await.unwrap();
            assert!(status.is_success(), "{status} {text}");
            seen.push_str(&text);
            let reply = if stream {
                from_events(self.dialect, &text)
            } else {
                parse(&text)
            };
            let Some(command) = self.carry_on(&reply, &mut history) else {
                break;
            };
            commands.push(command);
        }
        (commands, seen)
    }

    pub(crate) fn request(&self, history: &[Value], stream: bool) -> Value {
        let schema = json!({
            "type": "object", "properties": { "command": { "type": "string" } }, "required": ["command"],
        });
        match self.dialect {
            Dialect::ChatCompletions => json!({
                "model": "m", "messages": history, "stream": stream,
                "tools": [{ "type": "function", "function": { "name": "bash", "parameters": schema } }],
            }),
            Dialect::Gemini => {
                // What tests say themselves comes in another dialect's shape.
                let contents: Vec<Value> = history
                    .iter()
                    .map(|content| match content.get("content") {
                        Some(said) if content["role"] == "assistant" => {
                            json!({ "role": "model", "parts": [{ "text": said }] })
                        }
                        Some(said) => json!({ "role": "user", "parts": [{ "text": said }] }),
                        None => content.clone(),
                    })
                    .collect();
                json!({
                    "contents": contents, "stream": stream,
                    "tools": [
                        { "functionDeclarations": [{ "name": "run_shell_command", "parameters": schema }] },
                        { "googleSearch": {} },
                    ],
                })
            }
            Dialect::Messages => json!({
                "model": "m", "max_tokens": 100, "messages": history, "stream": stream,
                "tools": [{ "name": "Bash", "input_schema": schema }, { "type": "web_search_20250305", "name": "web_search" }],
            }),
            Dialect::Responses => json!({
                "model": "m", "input": history, "stream": stream,
                "tools": [
                    { "type": "function", "name": "exec_command", "parameters": { "properties": { "cmd": {} } } },
                    { "type": "web_search" },
                ],
            }),
        }
    }

    /// Adds a reply and the output of its call to the history; gives the call's command.
    fn carry_on(&self, reply: &Value, history: &mut Vec<Value>) -> Option<String> {
        match self.dialect {
            Dialect::ChatCompletions => {
                let message = reply["choices"][0]["message"].clone();
                let call = message["tool_calls"][0].clone();
                history.push(message);
                let arguments = parse(call["function"]["arguments"].as_str()?);
                history
                    .push(json!({ "role": "tool", "tool_call_id": call["id"], "content": "ok" }));
                Some(arguments["command"].as_str()?.to_owned())
            }
            Dialect::Gemini => {
                let content = reply["candidates"][0]["content"].clone();
                let parts = content["parts"].as_array()?;
                let call = parts.iter().find(|part| part["functionCall"].is_object());
                let call = call.map(|part| part["functionCall"].clone());
                history.push(content);
                let call = call?;
                history.push(json!({ "role": "user", "parts": [
                    { "functionResponse": { "name": call["name"], "response": { "output": "ok" } } },
                ] }));
                Some(call["args"]["command"].as_str()?.to_owned())
            }
            Dialect::Messages => {
                let content = reply["content"].clone();
                let call = content
                    .as_array()?
                    .iter()
                    .find(|block| block["type"] == "tool_use")
                    .cloned();
                history.push(json!({ "role": "assistant", "content": content }));
                let call = call?;
                history.push(json!({ "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": call["id"], "content": "ok" },
                ] }));
                Some(call["input"]["command"].as_str()?.to_owned())
            }
            Dialect::Responses => {
                let output = reply["output"].as_array()?;
                history.extend(output.iter().cloned());
                let call = output.iter().find(|item| item["type"] == "function_call")?;
                history.push(json!({ "type": "function_call_output", "call_id": call["call_id"], "output": "ok" }));
                Some(
                    parse(call["arguments"].as_str()?)["cmd"]
                        .as_str()?
                        .to_owned(),
                )
            }
        }
    }
}

pub(crate) fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The data of each event.
pub(crate) fn data(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .filter(|data| *data != "[DONE]")
        .map(parse)
        .collect()
}

/// A whole response, put together independently of the gateway and only as far as the tests
/// need it.
pub(crate) fn from_events(dialect: Dialect, text: &str) -> Value {
    let events = data(text);
    match dialect {
        Dialect::Responses => events.last().unwrap()["response"].clone(),
        Dialect::ChatCompletions => {
            assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
            let (mut content, mut call, mut arguments) =
                (String::new(), Value::Null, String::new());
            for delta in events.iter().map(|event| &event["choices"][0]["delta"]) {
                content.push_str(delta["content"].as_str().unwrap_or_default());
                let part = &delta["tool_calls"][0];
                if part["id"].is_string() {
                    call = part.clone();
                }
                arguments.push_str(part["function"]["arguments"].as_str().unwrap_or_default());
            }
            let mut message = json!({ "role": "assistant", "content": content });
            if call.is_object() {
                call["function"]["arguments"] = json!(arguments);
                message["tool_calls"] = json!([call]);
            }
            json!({ "choices": [{ "message": message }] })
        }
        Dialect::Gemini => {
            let parts: Vec<Value> = events
                .iter()
                .flat_map(|event| event["candidates"][0]["content"]["parts"].as_array())
                .flatten()
                .cloned()
                .collect();
            json!({ "candidates": [{ "content": { "role": "model", "parts": parts } }] })
        }
        Dialect::Messages => {
            let mut blocks: Vec<(Value, String)> = Vec::new();
            for event in &events {
                if event["type"] == "content_block_start" {
                    blocks.push((event["content_block"].clone(), String::new()));
                }
                for key in ["text", "partial_json"] {
                    if let Some(piece) = event["delta"][key].as_str() {
                        blocks.last_mut().unwrap().1.push_str(piece);
                    }
                }
            }
            let whole = |(mut block, text): (Value, String)| {
                if block["type"] == "text" {
                    block["text"] = json!(text);
                } else {
                    block["input"] = parse(&text);
                }
                block
            };
            json!({ "content": blocks.into_iter().map(whole).collect::<Vec<_>>() })
        }
    }
}
