//! `OpenAI` Chat Completions.

use serde_json::{Value, json};
use slope_model::usage::Tokens;

use super::{
    Call, CallInput, Reply, Tool, ToolCall, ToolKind, View, content_text, count, event, list,
    parsed, pieces, runs, text,
};

/// Creation time of scripted replies: fixed, so that the same request gets the same bytes.
const CREATED: u64 = 1_700_000_000;

pub(super) fn view(body: &Value) -> View {
    let messages = list(body, "messages");
    let mut user_text = String::new();
    for message in messages
        .iter()
        .filter(|message| text(message, "role") == "user")
    {
        content_text(&message["content"], &["text"], &mut user_text);
    }
    View {
        user_text,
        turns: runs(
            messages
                .iter()
                .map(|message| text(message, "role") == "assistant"),
        ),
        tools: list(body, "tools").iter().map(tool).collect(),
        stream: body["stream"] == true,
    }
}

fn tool(tool: &Value) -> Tool {
    match text(tool, "type") {
        "custom" => Tool::new(text(&tool["custom"], "name"), ToolKind::Custom),
        "function" => {
            let schema = tool["function"]["parameters"].clone();
            Tool::new(text(&tool["function"], "name"), ToolKind::Function(schema))
        }
        other => Tool::new(other, ToolKind::Other),
    }
}

fn call_json(reply: &Reply<'_>, call: &Call) -> Value {
    let id = format!("call_{}", reply.id);
    match &call.input {
        CallInput::Json(input) => json!({
            "id": id, "type": "function",
            "function": { "name": call.tool, "arguments": input.to_string() },
        }),
        CallInput::Text(input) | CallInput::LocalShell(input) | CallInput::Shell(input) => json!({
            "id": id, "type": "custom", "custom": { "name": call.tool, "input": input },
        }),
    }
}

fn finish_reason(reply: &Reply<'_>) -> &'static str {
    if reply.call.is_some() {
        "tool_calls"
    } else {
        "stop"
    }
}

/// Input counts of this dialect include cache reads and writes.
fn usage(tokens: &Tokens) -> Value {
    let input = tokens.input + tokens.cache_read + tokens.cache_write;
    json!({
        "prompt_tokens": input,
        "completion_tokens": tokens.output,
        "total_tokens": input + tokens.output,
        "prompt_tokens_details": {
            "cached_tokens": tokens.cache_read,
            "cache_write_tokens": tokens.cache_write,
        },
        "completion_tokens_details": { "reasoning_tokens": tokens.reasoning },
    })
}

pub(super) fn response(reply: &Reply<'_>) -> Value {
    let content = if reply.text.is_empty() {
        Value::Null
    } else {
        json!(reply.text)
    };
    let mut message = json!({ "role": "assistant", "content": content });
    if let Some(call) = &reply.call {
        message["tool_calls"] = json!([call_json(reply, call)]);
    }
    json!({
        "id": format!("chatcmpl-{}", reply.id),
        "object": "chat.completion",
        "created": CREATED,
        "model": reply.model,
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason(reply) }],
        "usage": usage(&reply.tokens),
    })
}

fn chunk(reply: &Reply<'_>, choices: &Value, usage: &Value) -> String {
    let body = json!({
        "id": format!("chatcmpl-{}", reply.id),
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": reply.model,
        "choices": choices,
        "usage": usage,
    });
    event(None, &body)
}

/// Chunks as a client with `include_usage` gets them.
pub(super) fn events(reply: &Reply<'_>) -> Vec<String> {
    let delta = |delta: Value, finish: Value| {
        let choices = json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
        chunk(reply, &choices, &Value::Null)
    };
    let mut out = vec![delta(
        json!({ "role": "assistant", "content": "" }),
        Value::Null,
    )];
    for piece in pieces(reply.text) {
        out.push(delta(json!({ "content": piece }), Value::Null));
    }
    if let Some(call) = &reply.call {
        let mut first = call_json(reply, call);
        first["index"] = json!(0);
        let (kind, field) = match text(&first, "type") {
            "custom" => ("custom", "input"),
            _ => ("function", "arguments"),
        };
        let whole = first[kind][field].take();
        first[kind][field] = json!("");
        out.push(delta(json!({ "tool_calls": [first] }), Value::Null));
        for piece in pieces(whole.as_str().unwrap_or_default()) {
            let part = json!({ "index": 0, kind: { field: piece } });
            out.push(delta(json!({ "tool_calls": [part] }), Value::Null));
        }
    }
    out.push(delta(json!({}), json!(finish_reason(reply))));
    out.push(chunk(reply, &json!([]), &usage(&reply.tokens)));
    out.push("data: [DONE]\n\n".to_owned());
    out
}

/// The prompt's count includes cached input, which is subtracted. Servers report it in three ways;
/// a server that reports none has cached nothing.
pub(super) fn tokens(usage: &Value) -> Option<Tokens> {
    let prompt = count(usage, "/prompt_tokens")?;
    let cache_read = count(usage, "/prompt_tokens_details/cached_tokens")
        .or_else(|| count(usage, "/cached_tokens"))
        .or_else(|| count(usage, "/prompt_cache_hit_tokens"))
        .unwrap_or_default();
    let cache_write = count(usage, "/prompt_tokens_details/cache_write_tokens").unwrap_or_default();
    Some(Tokens {
        input: prompt
            .saturating_sub(cache_read)
            .saturating_sub(cache_write),
        cache_read,
        cache_write,
        cache_write_1h: 0,
        output: count(usage, "/completion_tokens")?,
        reasoning: count(usage, "/completion_tokens_details/reasoning_tokens").unwrap_or_default(),
    })
}

pub(super) fn tool_calls(response: &Value) -> Vec<ToolCall> {
    list(response, "choices")
        .iter()
        .flat_map(|choice| list(&choice["message"], "tool_calls"))
        .map(|call| match text(call, "type") {
            "custom" => ToolCall {
                name: text(&call["custom"], "name").to_owned(),
                input: call["custom"]["input"].clone(),
            },
            _ => ToolCall {
                name: text(&call["function"], "name").to_owned(),
                input: parsed(text(&call["function"], "arguments")),
            },
        })
        .collect()
}
