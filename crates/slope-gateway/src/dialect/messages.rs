//! Anthropic Messages.

use serde_json::{Value, json};
use slope_model::usage::Tokens;

use super::{
    CallInput, Reply, Tool, ToolCall, ToolKind, View, content_text, count, event, list, pieces,
    runs, text,
};

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
    let name = text(tool, "name");
    let kind = match text(tool, "type") {
        "" | "custom" => ToolKind::Function(tool["input_schema"].clone()),
        // The client runs this tool; its schema is fixed and not sent.
        kind if kind.starts_with("bash_") => ToolKind::Function(json!({
            "type": "object",
            "properties": { "command": { "type": "string" } },
            "required": ["command"],
        })),
        _ => ToolKind::Other,
    };
    Tool::new(name, kind)
}

/// The kinds of input do not overlap in this dialect. The count of thinking tokens inside the
/// output is an extension of slope's for scripts that have one: the dialect has no settled name for
/// it.
fn usage(tokens: &Tokens, output: u64) -> Value {
    let mut usage = json!({
        "input_tokens": tokens.input,
        "cache_creation_input_tokens": tokens.cache_write,
        "cache_read_input_tokens": tokens.cache_read,
        "output_tokens": output,
    });
    if tokens.cache_write_1h > 0 {
        usage["cache_creation"] = json!({
            "ephemeral_5m_input_tokens": tokens.cache_write - tokens.cache_write_1h,
            "ephemeral_1h_input_tokens": tokens.cache_write_1h,
        });
    }
    if tokens.reasoning > 0 && output == tokens.output {
        usage["output_tokens_details"] = json!({ "thinking_tokens": tokens.reasoning });
    }
    usage
}

fn blocks(reply: &Reply<'_>) -> Vec<Value> {
    let mut blocks = Vec::new();
    if !reply.text.is_empty() {
        blocks.push(json!({ "type": "text", "text": reply.text }));
    }
    if let Some(call) = &reply.call {
        let input = match &call.input {
            CallInput::Json(input) => input.clone(),
            CallInput::Text(text) | CallInput::LocalShell(text) | CallInput::Shell(text) => {
                json!({ "command": text })
            }
        };
        blocks.push(json!({
            "type": "tool_use", "id": format!("toolu_{}", reply.id), "name": call.tool, "input": input,
        }));
    }
    blocks
}

fn stop_reason(reply: &Reply<'_>) -> &'static str {
    if reply.call.is_some() {
        "tool_use"
    } else {
        "end_turn"
    }
}

fn message(reply: &Reply<'_>, content: &[Value], stop: &Value, usage: &Value) -> Value {
    json!({
        "id": format!("msg_{}", reply.id),
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": usage,
    })
}

pub(super) fn response(reply: &Reply<'_>) -> Value {
    let usage = usage(&reply.tokens, reply.tokens.output);
    message(reply, &blocks(reply), &json!(stop_reason(reply)), &usage)
}

pub(super) fn events(reply: &Reply<'_>) -> Vec<String> {
    let named = |data: Value| event(data["type"].as_str(), &data);
    // Like the real service: at the start the output is counted as one token.
    let start = usage(&reply.tokens, reply.tokens.output.min(1));
    let mut out = vec![named(json!({
        "type": "message_start",
        "message": message(reply, &[], &Value::Null, &start),
    }))];
    for (index, mut block) in blocks(reply).into_iter().enumerate() {
        let (whole, kind, field) = if text(&block, "type") == "text" {
            let whole = text(&block, "text").to_owned();
            block["text"] = json!("");
            (whole, "text_delta", "text")
        } else {
            let whole = block["input"].to_string();
            block["input"] = json!({});
            (whole, "input_json_delta", "partial_json")
        };
        out.push(named(
            json!({ "type": "content_block_start", "index": index, "content_block": block }),
        ));
        for piece in pieces(&whole) {
            let delta = json!({ "type": kind, field: piece });
            out.push(named(
                json!({ "type": "content_block_delta", "index": index, "delta": delta }),
            ));
        }
        out.push(named(
            json!({ "type": "content_block_stop", "index": index }),
        ));
    }
    out.push(named(json!({
        "type": "message_delta",
        "delta": { "stop_reason": stop_reason(reply), "stop_sequence": null },
        "usage": usage(&reply.tokens, reply.tokens.output),
    })));
    out.push(named(json!({ "type": "message_stop" })));
    out
}

pub(super) fn tokens(usage: &Value) -> Option<Tokens> {
    Some(Tokens {
        input: count(usage, "/input_tokens")?,
        cache_read: count(usage, "/cache_read_input_tokens").unwrap_or_default(),
        cache_write: count(usage, "/cache_creation_input_tokens").unwrap_or_default(),
        cache_write_1h: count(usage, "/cache_creation/ephemeral_1h_input_tokens")
            .unwrap_or_default(),
        output: count(usage, "/output_tokens")?,
        reasoning: count(usage, "/output_tokens_details/thinking_tokens")
            .or_else(|| count(usage, "/output_tokens_details/reasoning_tokens"))
            .unwrap_or_default(),
    })
}

pub(super) fn tool_calls(response: &Value) -> Vec<ToolCall> {
    list(response, "content")
        .iter()
        .filter(|block| text(block, "type") == "tool_use")
        .map(|block| ToolCall {
            name: text(block, "name").to_owned(),
            input: block["input"].clone(),
        })
        .collect()
}

pub(super) fn error_type(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}
