//! Gemini `generateContent`.
//!
//! The model and whether to stream are in the address rather than in the body, and fields may be
//! spelled in camel case or with underscores, as in every API that Google generates.

use serde_json::{Value, json};
use slope_model::usage::Tokens;

use super::{
    CallInput, Reply, Tool, ToolCall, ToolKind, View, count, event, list, pieces, push_line, runs,
    text,
};

/// A field in either of its spellings.
fn field<'a>(value: &'a Value, camel: &str, snake: &str) -> &'a Value {
    value.get(camel).unwrap_or(&value[snake])
}

pub(super) fn view(body: &Value) -> View {
    let contents = list(body, "contents");
    let mut user_text = String::new();
    // A content without a role is the user's. Outputs of tools have the user's role and no text.
    for content in contents
        .iter()
        .filter(|content| matches!(text(content, "role"), "user" | ""))
    {
        for part in list(content, "parts") {
            if let Some(said) = part.get("text").and_then(Value::as_str) {
                push_line(&mut user_text, said);
            }
        }
    }
    View {
        user_text,
        turns: runs(
            contents
                .iter()
                .map(|content| text(content, "role") == "model"),
        ),
        tools: list(body, "tools").iter().flat_map(tools).collect(),
        stream: false,
    }
}

/// The functions of an entry; its other parts are skipped.
fn tools(entry: &Value) -> Vec<Tool> {
    let declared = field(entry, "functionDeclarations", "function_declarations");
    let functions = declared.as_array().into_iter().flatten().map(|function| {
        let schema = ["parametersJsonSchema", "parameters_json_schema"]
            .iter()
            .find_map(|key| function.get(key))
            .unwrap_or(&function["parameters"]);
        Tool::new(text(function, "name"), ToolKind::Function(schema.clone()))
    });
    let keys = entry.as_object().into_iter().flatten();
    let others = keys
        .filter(|(key, _)| {
            !matches!(
                key.as_str(),
                "functionDeclarations" | "function_declarations"
            )
        })
        .map(|(key, _)| Tool::new(key, ToolKind::Other));
    functions.chain(others).collect()
}

/// The prompt's count includes cache reads; the output's excludes thinking. Cache writes are an
/// extension of slope's for scripts that have them: the dialect's caches fill themselves and report
/// only reads.
fn usage(tokens: &Tokens) -> Value {
    let prompt = tokens.input + tokens.cache_read + tokens.cache_write;
    let mut usage = json!({
        "promptTokenCount": prompt,
        "candidatesTokenCount": tokens.output - tokens.reasoning.min(tokens.output),
        "totalTokenCount": prompt + tokens.output,
    });
    for (key, value) in [
        ("cachedContentTokenCount", tokens.cache_read),
        ("thoughtsTokenCount", tokens.reasoning),
        ("cacheWriteTokenCount", tokens.cache_write),
    ] {
        if value > 0 {
            usage[key] = json!(value);
        }
    }
    usage
}

fn call_part(reply: &Reply<'_>) -> Option<Value> {
    let call = reply.call.as_ref()?;
    let args = match &call.input {
        CallInput::Json(input) => input.clone(),
        CallInput::Text(text) | CallInput::LocalShell(text) | CallInput::Shell(text) => {
            json!({ "command": text })
        }
    };
    Some(json!({ "functionCall": {
        "id": format!("call_{}", reply.id), "name": call.tool, "args": args,
    } }))
}

fn body(reply: &Reply<'_>, candidate: &Value) -> Value {
    json!({
        "candidates": [candidate],
        "modelVersion": reply.model,
        "responseId": format!("resp-{}", reply.id),
    })
}

fn candidate(parts: &[Value]) -> Value {
    json!({ "content": { "role": "model", "parts": parts }, "index": 0 })
}

pub(super) fn response(reply: &Reply<'_>) -> Value {
    let said = (!reply.text.is_empty()).then(|| json!({ "text": reply.text }));
    let parts: Vec<Value> = said.into_iter().chain(call_part(reply)).collect();
    let mut candidate = candidate(&parts);
    candidate["finishReason"] = json!("STOP");
    let mut body = body(reply, &candidate);
    body["usageMetadata"] = usage(&reply.tokens);
    body
}

pub(super) fn events(reply: &Reply<'_>) -> Vec<String> {
    let said = pieces(reply.text)
        .into_iter()
        .map(|piece| json!({ "text": piece }));
    let mut parts: Vec<Value> = said.chain(call_part(reply)).collect();
    let last = parts.pop().map_or_else(Vec::new, |part| vec![part]);
    let mut out: Vec<String> = parts
        .into_iter()
        .map(|part| event(None, &body(reply, &candidate(&[part]))))
        .collect();
    let mut candidate = candidate(&last);
    candidate["finishReason"] = json!("STOP");
    let mut whole = body(reply, &candidate);
    whole["usageMetadata"] = usage(&reply.tokens);
    out.push(event(None, &whole));
    out
}

/// Zero counts are omitted on the wire, so only the prompt's is required. Tokens that the
/// provider's tools add to the prompt have a count of their own. Thinking is counted separately
/// from the output by most servers and as part of it by some: the total shows which.
pub(super) fn tokens(usage: &Value) -> Option<Tokens> {
    let prompt = count(usage, "/promptTokenCount")?;
    let optional = |at: &str| count(usage, at).unwrap_or_default();
    let cache_read = optional("/cachedContentTokenCount");
    let cache_write = optional("/cacheWriteTokenCount");
    let by_tools = optional("/toolUsePromptTokenCount");
    let candidates = optional("/candidatesTokenCount");
    let reasoning = optional("/thoughtsTokenCount");
    let without_thinking = prompt.saturating_add(by_tools).saturating_add(candidates);
    let inside =
        count(usage, "/totalTokenCount") == Some(without_thinking) && reasoning <= candidates;
    Some(Tokens {
        input: prompt
            .saturating_sub(cache_read)
            .saturating_sub(cache_write)
            .saturating_add(by_tools),
        cache_read,
        cache_write,
        cache_write_1h: 0,
        output: if inside {
            candidates
        } else {
            candidates.saturating_add(reasoning)
        },
        reasoning,
    })
}

pub(super) fn tool_calls(response: &Value) -> Vec<ToolCall> {
    list(response, "candidates")
        .iter()
        .flat_map(|candidate| list(&candidate["content"], "parts"))
        .filter_map(|part| part.get("functionCall"))
        .map(|call| ToolCall {
            name: text(call, "name").to_owned(),
            input: call["args"].clone(),
        })
        .collect()
}

/// A well-formed error body.
pub(super) fn error(status: u16, code: &str, message: &str) -> Value {
    let name = match status {
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        408 | 504 => "DEADLINE_EXCEEDED",
        429 => "RESOURCE_EXHAUSTED",
        501 => "UNIMPLEMENTED",
        502 | 503 => "UNAVAILABLE",
        500.. => "INTERNAL",
        _ => "INVALID_ARGUMENT",
    };
    json!({ "error": {
        "code": status,
        "message": message,
        "status": name,
        "details": [{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": code.to_ascii_uppercase(),
            "domain": "slope",
        }],
    } })
}

/// Merges a chunk of a stream into the response. A stream of this dialect has no last event: its
/// last chunk has a finish reason, and a server may still send usage after it.
pub(super) fn merge(response: &mut Value, chunk: &Value, keep: bool) -> bool {
    for key in ["modelVersion", "responseId", "promptFeedback"] {
        if let Some(value) = chunk.get(key) {
            response[key] = value.clone();
        }
    }
    super::assemble::merge_usage(&mut response["usageMetadata"], &chunk["usageMetadata"]);
    let mut finished = chunk["promptFeedback"]["blockReason"].is_string();
    for part in list(chunk, "candidates") {
        let index = part["index"].as_u64().unwrap_or_default();
        let Some(known) = candidate_of(response, index) else {
            continue;
        };
        for key in ["finishReason", "finishMessage"] {
            if let Some(value) = part.get(key).filter(|value| !value.is_null()) {
                known[key] = value.clone();
                finished |= key == "finishReason";
            }
        }
        if keep {
            merge_parts(known, list(&part["content"], "parts"));
        }
    }
    finished
}

/// The candidate of an index, made if it is new; `None` beyond any sensible number.
fn candidate_of(response: &mut Value, index: u64) -> Option<&mut Value> {
    let at = usize::try_from(index).ok().filter(|at| *at < 64)?;
    if !response["candidates"].is_array() {
        response["candidates"] = json!([]);
    }
    let known = response["candidates"].as_array_mut()?;
    while known.len() <= at {
        let mut new = candidate(&[]);
        new["index"] = json!(known.len());
        known.push(new);
    }
    known.get_mut(at)
}

/// Appends parts, joining consecutive texts of the same kind.
fn merge_parts(candidate: &mut Value, new: &[Value]) {
    let Some(parts) = candidate["content"]["parts"].as_array_mut() else {
        return;
    };
    for part in new {
        let same = |last: &Value| {
            last["text"].is_string()
                && part["text"].is_string()
                && (last["thought"] == true) == (part["thought"] == true)
                && last.get("thoughtSignature").is_none()
        };
        match parts.last_mut().filter(|last| same(last)) {
            Some(Value::Object(last)) => {
                if let Some(Value::String(said)) = last.get_mut("text") {
                    said.push_str(text(part, "text"));
                }
                if let Some(signature) = part.get("thoughtSignature") {
                    last.insert("thoughtSignature".to_owned(), signature.clone());
                }
            }
            _ => parts.push(part.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(usage: Value) -> Tokens {
        tokens(&usage).unwrap_or_default()
    }

    #[test]
    fn inclusive_and_exclusive_counts_agree() {
        let seen = counted(json!({
            "promptTokenCount": 1000, "cachedContentTokenCount": 600, "toolUsePromptTokenCount": 50,
            "candidatesTokenCount": 20, "thoughtsTokenCount": 30, "totalTokenCount": 1100,
        }));
        let expected = Tokens {
            input: 450,
            cache_read: 600,
            cache_write: 0,
            cache_write_1h: 0,
            output: 50,
            reasoning: 30,
        };
        assert_eq!(seen, expected);
        // The same, from a server that counts thinking as output.
        let inside = counted(json!({
            "promptTokenCount": 1000, "cachedContentTokenCount": 600, "toolUsePromptTokenCount": 50,
            "candidatesTokenCount": 50, "thoughtsTokenCount": 30, "totalTokenCount": 1100,
        }));
        assert_eq!(inside, expected);
    }

    #[test]
    fn missing_counts_are_zero_except_prompt() {
        let seen = counted(
            json!({ "promptTokenCount": 9, "thoughtsTokenCount": 4, "totalTokenCount": 13 }),
        );
        assert_eq!((seen.input, seen.output, seen.reasoning), (9, 4, 4));
        assert_eq!(tokens(&json!({ "candidatesTokenCount": 3 })), None);
    }

    #[test]
    fn both_spellings_and_schemas_are_read() {
        let view = view(&json!({
            "contents": [
                { "parts": [{ "text": "hello" }] },
                { "role": "model", "parts": [{ "functionCall": { "name": "f", "args": {} } }] },
                { "role": "user", "parts": [{ "functionResponse": { "name": "f", "response": { "output": "not said" } } }] },
                { "role": "model", "parts": [{ "text": "a" }] },
                { "role": "model", "parts": [{ "text": "b" }] },
            ],
            "tools": [
                { "functionDeclarations": [{ "name": "one", "parameters": { "type": "OBJECT" } }] },
                { "function_declarations": [{ "name": "two", "parametersJsonSchema": { "type": "object" } }] },
                { "googleSearch": {} },
            ],
        }));
        assert_eq!((view.user_text.as_str(), view.turns), ("hello\n", 2));
        let names: Vec<&str> = view.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["one", "two", "googleSearch"]);
        assert_eq!(view.tools[2].kind, ToolKind::Other);
    }

    #[test]
    fn stream_chunks_merge_keeping_signatures() {
        let mut response = json!({});
        let chunk = |parts: Value| json!({ "candidates": [{ "content": { "parts": parts } }] });
        for parts in [
            json!([{ "text": "thi", "thought": true }]),
            json!([{ "text": "nk", "thought": true, "thoughtSignature": "s" }]),
            json!([{ "text": "sa" }]),
            json!([{ "text": "y" }, { "functionCall": { "name": "f" }, "thoughtSignature": "t" }]),
        ] {
            assert!(!merge(&mut response, &chunk(parts), true));
        }
        let parts = &response["candidates"][0]["content"]["parts"];
        assert_eq!(
            *parts,
            json!([
                { "text": "think", "thought": true, "thoughtSignature": "s" },
                { "text": "say" },
                { "functionCall": { "name": "f" }, "thoughtSignature": "t" },
            ])
        );
        assert!(merge(
            &mut response,
            &json!({ "promptFeedback": { "blockReason": "SAFETY" } }),
            true
        ));
    }

    #[test]
    fn later_usage_adds_to_earlier_chunk() {
        let mut response = json!({});
        for chunk in [
            json!({ "usageMetadata": { "promptTokenCount": 40, "thoughtsTokenCount": 8, "totalTokenCount": 48 } }),
            json!({ "usageMetadata": { "promptTokenCount": 40, "candidatesTokenCount": 5, "totalTokenCount": 53 },
                    "candidates": [{ "finishReason": "STOP" }] }),
        ] {
            merge(&mut response, &chunk, true);
        }
        let seen = tokens(&response["usageMetadata"]).unwrap_or_default();
        assert_eq!((seen.output, seen.reasoning), (13, 8));
    }
}
