//! A conversation independent of its dialect: messages, tool calls and results.

use serde_json::{Value, json};

use super::{Dialect, list, parsed, push_line, text};

/// A part of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    /// An instruction.
    System(String),
    /// The user's text.
    User(String),
    /// The model's text and calls.
    Agent(Said),
    /// The result of a tool.
    Result {
        /// Id of the call; empty if the dialect has none.
        id: String,
        /// Name of the tool; empty if the dialect identifies calls only by id.
        name: String,
        output: String,
    },
}

/// The model's text and calls.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) calls: Vec<Called>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Called {
    /// Id; empty if the dialect has none.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) input: Value,
}

impl Dialect {
    /// The conversation that a request carries.
    pub(crate) fn conversation(self, request: &Value) -> Vec<Item> {
        let mut out = Vec::new();
        match self {
            Self::ChatCompletions => {
                for message in list(request, "messages") {
                    chat(message, &mut out);
                }
            }
            Self::Gemini => {
                let instruction = request.get("systemInstruction");
                let instruction = instruction.unwrap_or(&request["system_instruction"]);
                system(&said(&instruction["parts"]), &mut out);
                for content in list(request, "contents") {
                    gemini(content, &mut out);
                }
            }
            Self::Messages => {
                system(&said(&request["system"]), &mut out);
                for message in list(request, "messages") {
                    messages(message, &mut out);
                }
            }
            Self::Responses => {
                system(text(request, "instructions"), &mut out);
                if let Some(whole) = request["input"].as_str() {
                    out.push(Item::User(whole.to_owned()));
                }
                for item in list(request, "input") {
                    responses(item, &mut out);
                }
            }
        }
        out
    }

    /// Content of a response.
    pub(crate) fn said(self, response: &Value) -> Said {
        let mut items = Vec::new();
        match self {
            Self::ChatCompletions => {
                if let Some(choice) = list(response, "choices").first() {
                    chat(&choice["message"], &mut items);
                }
            }
            Self::Gemini => {
                if let Some(candidate) = list(response, "candidates").first() {
                    gemini(&candidate["content"], &mut items);
                }
            }
            Self::Messages => messages(
                &json!({ "role": "assistant", "content": response["content"] }),
                &mut items,
            ),
            Self::Responses => {
                for item in list(response, "output") {
                    responses(item, &mut items);
                }
            }
        }
        let mut whole = Said::default();
        for item in items {
            if let Item::Agent(said) = item {
                join(&mut whole.text, &said.text);
                join(&mut whole.reasoning, &said.reasoning);
                whole.calls.extend(said.calls);
            }
        }
        whole
    }
}

fn join(target: &mut String, more: &str) {
    if !target.is_empty() && !more.is_empty() {
        target.push('\n');
    }
    target.push_str(more);
}

/// The texts of a content, which is a text or a list of parts that may have one. Other parts are
/// shown by type.
fn said(content: &Value) -> String {
    let mut out = String::new();
    match content {
        Value::String(text) => out.push_str(text),
        Value::Array(parts) => {
            for part in parts {
                let kind = match (text(part, "type"), part.as_object()) {
                    ("", Some(fields)) => fields.keys().next().map_or("", String::as_str),
                    (kind, _) => kind,
                };
                match part.get("text").and_then(Value::as_str) {
                    Some(text) => push_line(&mut out, text),
                    None if part.is_string() => {
                        push_line(&mut out, part.as_str().unwrap_or_default())
                    }
                    None => push_line(&mut out, &format!("[{kind}]")),
                }
            }
            out.pop();
        }
        Value::Null => {}
        other => out = other.to_string(),
    }
    out
}

fn system(text: &str, out: &mut Vec<Item>) {
    if !text.is_empty() {
        out.push(Item::System(text.to_owned()));
    }
}

fn user(text: String, out: &mut Vec<Item>) {
    if !text.is_empty() {
        out.push(Item::User(text));
    }
}

fn chat(message: &Value, out: &mut Vec<Item>) {
    let content = said(&message["content"]);
    match text(message, "role") {
        "system" | "developer" => system(&content, out),
        "user" => user(content, out),
        "tool" => out.push(Item::Result {
            id: text(message, "tool_call_id").to_owned(),
            name: String::new(),
            output: content,
        }),
        "assistant" => {
            let calls = list(message, "tool_calls").iter().map(|call| {
                let (inner, input) = match text(call, "type") {
                    "custom" => (&call["custom"], call["custom"]["input"].clone()),
                    _ => {
                        let function = &call["function"];
                        (function, parsed(text(function, "arguments")))
                    }
                };
                Called {
                    id: text(call, "id").to_owned(),
                    name: text(inner, "name").to_owned(),
                    input,
                }
            });
            // Servers have two names for it.
            let reasoning = match text(message, "reasoning_content") {
                "" => text(message, "reasoning"),
                reasoning => reasoning,
            };
            out.push(Item::Agent(Said {
                text: content,
                reasoning: reasoning.to_owned(),
                calls: calls.collect(),
            }));
        }
        _ => {}
    }
}

fn messages(message: &Value, out: &mut Vec<Item>) {
    let role = text(message, "role");
    let Some(blocks) = message["content"].as_array() else {
        let content = said(&message["content"]);
        match role {
            "assistant" => out.push(Item::Agent(Said {
                text: content,
                ..Said::default()
            })),
            "system" => system(&content, out),
            _ => user(content, out),
        }
        return;
    };
    if role == "assistant" {
        let mut all = Said::default();
        for block in blocks {
            match text(block, "type") {
                "text" => join(&mut all.text, text(block, "text")),
                "thinking" => join(&mut all.reasoning, text(block, "thinking")),
                "tool_use" => all.calls.push(Called {
                    id: text(block, "id").to_owned(),
                    name: text(block, "name").to_owned(),
                    input: block["input"].clone(),
                }),
                _ => {}
            }
        }
        out.push(Item::Agent(all));
        return;
    }
    for block in blocks {
        match text(block, "type") {
            "tool_result" => out.push(Item::Result {
                id: text(block, "tool_use_id").to_owned(),
                name: String::new(),
                output: said(&block["content"]),
            }),
            _ if role == "system" => system(text(block, "text"), out),
            "text" => user(text(block, "text").to_owned(), out),
            kind => user(format!("[{kind}]"), out),
        }
    }
}

fn responses(item: &Value, out: &mut Vec<Item>) {
    let kind = text(item, "type");
    if kind.ends_with("_output") {
        out.push(Item::Result {
            id: text(item, "call_id").to_owned(),
            name: String::new(),
            output: said(&item["output"]),
        });
        return;
    }
    if kind.ends_with("_call") {
        let (name, input) = match kind {
            "function_call" => (text(item, "name"), parsed(text(item, "arguments"))),
            "custom_tool_call" => (text(item, "name"), item["input"].clone()),
            other => (other.trim_end_matches("_call"), item["action"].clone()),
        };
        let id = match text(item, "call_id") {
            "" => text(item, "id"),
            id => id,
        };
        out.push(Item::Agent(Said {
            calls: vec![Called {
                id: id.to_owned(),
                name: name.to_owned(),
                input,
            }],
            ..Said::default()
        }));
        return;
    }
    let content = said(&item["content"]);
    match (kind, text(item, "role")) {
        ("reasoning", _) => out.push(Item::Agent(Said {
            reasoning: said(&item["summary"]),
            ..Said::default()
        })),
        ("" | "message", "assistant") => out.push(Item::Agent(Said {
            text: content,
            ..Said::default()
        })),
        ("" | "message", "system" | "developer") => system(&content, out),
        ("" | "message", _) => user(content, out),
        _ => {}
    }
}

fn gemini(content: &Value, out: &mut Vec<Item>) {
    let mut all = Said::default();
    let model = text(content, "role") == "model";
    for part in list(content, "parts") {
        if let Some(call) = part.get("functionCall") {
            all.calls.push(Called {
                id: text(call, "id").to_owned(),
                name: text(call, "name").to_owned(),
                input: call["args"].clone(),
            });
        } else if let Some(result) = part.get("functionResponse") {
            let response = &result["response"];
            let output = ["output", "error", "result"];
            let output = output.iter().find_map(|key| response[*key].as_str());
            out.push(Item::Result {
                id: text(result, "id").to_owned(),
                name: text(result, "name").to_owned(),
                output: output.map_or_else(|| response.to_string(), str::to_owned),
            });
        } else if !model {
            user(said(&json!([part])), out);
        } else if part["thought"] == true {
            all.reasoning.push_str(text(part, "text"));
        } else {
            all.text.push_str(text(part, "text"));
        }
    }
    if model {
        out.push(Item::Agent(all));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Call, CallInput, Reply};
    use super::*;
    use slope_model::usage::Tokens;

    #[test]
    fn conversation_is_equal_across_dialects() {
        let input = json!({ "command": "ls" });
        let reply = Reply {
            id: "1".into(),
            model: "m",
            text: "I look.",
            call: Some(Call {
                tool: "bash".into(),
                group: None,
                input: CallInput::Json(input.clone()),
            }),
            tokens: Tokens::default(),
        };
        for dialect in Dialect::ALL {
            let said = dialect.said(&dialect.response(&reply));
            assert_eq!(said.text, "I look.", "{}", dialect.name());
            let [call] = &said.calls[..] else {
                panic!("{said:?}")
            };
            assert_eq!((call.name.as_str(), &call.input), ("bash", &input));
            assert!(!call.id.is_empty());
        }
    }

    #[test]
    fn user_text_excludes_results_and_instructions() {
        let result = |id: &str, name: &str| Item::Result {
            id: id.into(),
            name: name.into(),
            output: "out".into(),
        };
        let (system, user) = (Item::System("be good".into()), Item::User("do it".into()));
        for (dialect, request, result) in [
            (
                Dialect::ChatCompletions,
                json!({ "messages": [
                    { "role": "system", "content": "be good" },
                    { "role": "user", "content": [{ "type": "text", "text": "do it" }] },
                    { "role": "tool", "tool_call_id": "a", "content": "out" },
                ] }),
                result("a", ""),
            ),
            (
                Dialect::Messages,
                json!({ "system": [{ "type": "text", "text": "be good" }], "messages": [
                    { "role": "user", "content": "do it" },
                    { "role": "user", "content": [
                        { "type": "tool_result", "tool_use_id": "a", "content": [{ "type": "text", "text": "out" }] },
                    ] },
                ] }),
                result("a", ""),
            ),
            (
                Dialect::Responses,
                json!({ "instructions": "be good", "input": [
                    { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "do it" }] },
                    { "type": "function_call_output", "call_id": "a", "output": "out" },
                ] }),
                result("a", ""),
            ),
            (
                Dialect::Gemini,
                json!({ "systemInstruction": { "parts": [{ "text": "be good" }] }, "contents": [
                    { "role": "user", "parts": [{ "text": "do it" }] },
                    { "role": "user", "parts": [
                        { "functionResponse": { "name": "f", "response": { "output": "out" } } },
                    ] },
                ] }),
                result("", "f"),
            ),
        ] {
            let seen = dialect.conversation(&request);
            assert_eq!(
                seen,
                [system.clone(), user.clone(), result],
                "{}",
                dialect.name()
            );
        }
    }
}
