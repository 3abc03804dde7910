//! `OpenAI` Responses.

use serde_json::{Value, json};
use slope_model::usage::Tokens;

use super::{
    Call, CallInput, Reply, Tool, ToolCall, ToolKind, View, content_text, count, event, list,
    parsed, pieces, push_line, runs, text,
};

/// Creation time of scripted replies: fixed, so that the same request gets the same bytes.
const CREATED: u64 = 1_700_000_000;

pub(super) fn view(body: &Value) -> View {
    let items = list(body, "input");
    let mut user_text = String::new();
    if let Some(whole) = body["input"].as_str() {
        push_line(&mut user_text, whole);
    }
    for item in items.iter().filter(|item| text(item, "role") == "user") {
        content_text(&item["content"], &["input_text", "text"], &mut user_text);
    }
    let mut tools: Vec<Tool> = list(body, "tools").iter().flat_map(offered).collect();
    // Codex moves the tools of newer models into the conversation, and may add to them later.
    tools.extend(
        items
            .iter()
            .flat_map(|item| list(item, "tools"))
            .flat_map(offered),
    );
    View {
        user_text,
        turns: runs(items.iter().map(of_model)),
        tools,
        stream: body["stream"] == true,
    }
}

/// Whether an item of the input came from the model: its messages, reasoning and calls, as opposed
/// to the user's messages and the outputs of calls.
fn of_model(item: &Value) -> bool {
    match text(item, "type") {
        "" | "message" => text(item, "role") == "assistant",
        "reasoning" => true,
        kind => kind.ends_with("_call"),
    }
}

/// The tools of an entry: itself, or those of a group.
fn offered(entry: &Value) -> Vec<Tool> {
    if text(entry, "type") != "namespace" {
        return vec![tool(entry)];
    }
    let group = text(entry, "name");
    let named = |inner| Tool {
        group: Some(group.to_owned()),
        ..tool(inner)
    };
    list(entry, "tools").iter().map(named).collect()
}

fn tool(tool: &Value) -> Tool {
    let kind = text(tool, "type");
    let name = text(tool, "name");
    match kind {
        "function" => Tool::new(name, ToolKind::Function(tool["parameters"].clone())),
        "custom" if name == "exec" && text(tool, "description").contains("tools.exec_command") => {
            Tool::new(name, ToolKind::JavaScript)
        }
        "custom" => Tool::new(name, ToolKind::Custom),
        "local_shell" => Tool::new(kind, ToolKind::LocalShell),
        "shell" => Tool::new(kind, ToolKind::Shell),
        _ => Tool::new(kind, ToolKind::Other),
    }
}

/// Input counts of this dialect include cache reads and writes.
fn usage(tokens: &Tokens) -> Value {
    let input = tokens.input + tokens.cache_read + tokens.cache_write;
    json!({
        "input_tokens": input,
        "input_tokens_details": {
            "cached_tokens": tokens.cache_read,
            "cache_write_tokens": tokens.cache_write,
        },
        "output_tokens": tokens.output,
        "output_tokens_details": { "reasoning_tokens": tokens.reasoning },
        "total_tokens": input + tokens.output,
    })
}

fn message_item(reply: &Reply<'_>, status: &str, content: &[Value]) -> Value {
    json!({
        "id": format!("msg_{}", reply.id), "type": "message", "role": "assistant",
        "status": status, "content": content,
    })
}

fn text_part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [] })
}

fn call_item(reply: &Reply<'_>, call: &Call) -> Value {
    let id = format!("fc_{}", reply.id);
    let call_id = format!("call_{}", reply.id);
    let mut item = match &call.input {
        CallInput::Json(input) => json!({
            "id": id, "type": "function_call", "status": "completed", "call_id": call_id,
            "name": call.tool, "arguments": input.to_string(),
        }),
        CallInput::Text(input) => json!({
            "id": id, "type": "custom_tool_call", "status": "completed", "call_id": call_id,
            "name": call.tool, "input": input,
        }),
        CallInput::LocalShell(command) => json!({
            "id": id, "type": "local_shell_call", "status": "completed", "call_id": call_id,
            "action": { "type": "exec", "command": ["bash", "-lc", command], "env": {} },
        }),
        CallInput::Shell(command) => json!({
            "id": id, "type": "shell_call", "status": "completed", "call_id": call_id,
            "action": { "commands": [command] },
        }),
    };
    if let Some(group) = &call.group {
        item["namespace"] = json!(group);
    }
    item
}

fn body(reply: &Reply<'_>, status: &str, output: &[Value], usage: &Value) -> Value {
    json!({
        "id": format!("resp_{}", reply.id),
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": null,
        "incomplete_details": null,
        "model": reply.model,
        "output": output,
        "parallel_tool_calls": false,
        "store": false,
        "usage": usage,
    })
}

fn output(reply: &Reply<'_>) -> Vec<Value> {
    let mut output = Vec::new();
    if !reply.text.is_empty() {
        output.push(message_item(reply, "completed", &[text_part(reply.text)]));
    }
    if let Some(call) = &reply.call {
        output.push(call_item(reply, call));
    }
    output
}

pub(super) fn response(reply: &Reply<'_>) -> Value {
    body(reply, "completed", &output(reply), &usage(&reply.tokens))
}

/// Gathers events and numbers them.
#[derive(Default)]
struct Events(Vec<String>);

impl Events {
    fn push(&mut self, kind: &str, mut data: Value) {
        data["type"] = json!(kind);
        data["sequence_number"] = json!(self.0.len());
        self.0.push(event(Some(kind), &data));
    }
}

pub(super) fn events(reply: &Reply<'_>) -> Vec<String> {
    let mut out = Events::default();
    let begun = body(reply, "in_progress", &[], &Value::Null);
    out.push("response.created", json!({ "response": begun }));
    out.push("response.in_progress", json!({ "response": begun }));
    for (index, item) in output(reply).iter().enumerate() {
        if text(item, "type") == "message" {
            message_events(&mut out, reply, index, item);
        } else {
            call_events(&mut out, index, item);
        }
        out.push(
            "response.output_item.done",
            json!({ "output_index": index, "item": item }),
        );
    }
    out.push("response.completed", json!({ "response": response(reply) }));
    out.0
}

fn message_events(out: &mut Events, reply: &Reply<'_>, index: usize, item: &Value) {
    let id = &item["id"];
    let begun = message_item(reply, "in_progress", &[]);
    out.push(
        "response.output_item.added",
        json!({ "output_index": index, "item": begun }),
    );
    let place = json!({ "item_id": id, "output_index": index, "content_index": 0 });
    let at = |key: &str, value: Value| {
        let mut data = place.clone();
        data[key] = value;
        data
    };
    out.push("response.content_part.added", at("part", text_part("")));
    for piece in pieces(reply.text) {
        out.push("response.output_text.delta", at("delta", json!(piece)));
    }
    out.push("response.output_text.done", at("text", json!(reply.text)));
    out.push(
        "response.content_part.done",
        at("part", text_part(reply.text)),
    );
}

fn call_events(out: &mut Events, index: usize, item: &Value) {
    let (stem, field) = match text(item, "type") {
        "function_call" => ("response.function_call_arguments", "arguments"),
        "custom_tool_call" => ("response.custom_tool_call_input", "input"),
        // The built-in shells arrive complete, without deltas.
        _ => {
            out.push(
                "response.output_item.added",
                json!({ "output_index": index, "item": item }),
            );
            return;
        }
    };
    let mut begun = item.clone();
    begun["status"] = json!("in_progress");
    begun[field] = json!("");
    out.push(
        "response.output_item.added",
        json!({ "output_index": index, "item": begun }),
    );
    let place = json!({ "item_id": item["id"], "output_index": index });
    let at = |key: &str, value: Value| {
        let mut data = place.clone();
        data[key] = value;
        data
    };
    for piece in pieces(text(item, field)) {
        out.push(&format!("{stem}.delta"), at("delta", json!(piece)));
    }
    out.push(&format!("{stem}.done"), at(field, item[field].clone()));
}

/// Cached input is part of the input's count and is taken out of it.
pub(super) fn tokens(usage: &Value) -> Option<Tokens> {
    let input = count(usage, "/input_tokens")?;
    let cache_read = count(usage, "/input_tokens_details/cached_tokens").unwrap_or_default();
    let cache_write = count(usage, "/input_tokens_details/cache_write_tokens").unwrap_or_default();
    Some(Tokens {
        input: input.saturating_sub(cache_read).saturating_sub(cache_write),
        cache_read,
        cache_write,
        cache_write_1h: 0,
        output: count(usage, "/output_tokens")?,
        reasoning: count(usage, "/output_tokens_details/reasoning_tokens").unwrap_or_default(),
    })
}

/// Calls that the client must run, without those that the service ran itself.
pub(super) fn tool_calls(response: &Value) -> Vec<ToolCall> {
    list(response, "output")
        .iter()
        .filter_map(|item| {
            let (name, input) = match text(item, "type") {
                "function_call" => (text(item, "name"), parsed(text(item, "arguments"))),
                "custom_tool_call" => (text(item, "name"), item["input"].clone()),
                "local_shell_call" => ("local_shell", item["action"].clone()),
                "shell_call" => ("shell", item["action"].clone()),
                "apply_patch_call" => ("apply_patch", item["operation"].clone()),
                "computer_call" => ("computer", item["action"].clone()),
                _ => return None,
            };
            Some(ToolCall {
                name: name.to_owned(),
                input,
            })
        })
        .collect()
}
