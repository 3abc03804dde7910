//! Removes provider-side tools from a request: search, fetch, code execution. They would bypass the
//! sandbox and the accounting.
//!
//! Only tools known to run at the client are kept, so that a new tool of a provider is not a
//! loophole.

use serde_json::Value;

use super::{Dialect, text};

/// Fields that switch on something at the provider, by dialect-independent name.
const FIELDS: [&str; 8] = [
    "web_search_options",
    "search_parameters",
    "enable_search",
    "plugins",
    "mcp_servers",
    "container",
    "web_search",
    "search_options",
];

/// Fields that have no meaning without tools.
const TOOL_FIELDS: [&str; 5] = [
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "toolConfig",
    "tool_config",
];

/// Fields with contents.
const CONTENTS: [&str; 6] = [
    "messages",
    "input",
    "system",
    "contents",
    "systemInstruction",
    "system_instruction",
];

/// Removes hosted tools and remote contents. Returns their names, each once, in order.
pub(crate) fn strip(dialect: Dialect, body: &mut Value) -> Vec<String> {
    let mut taken = Vec::new();
    let Some(object) = body.as_object_mut() else {
        return taken;
    };
    for field in FIELDS {
        if object.remove(field).is_some() {
            note(&mut taken, field);
        }
    }
    if let Some(Value::Array(tools)) = object.get_mut("tools") {
        keep_client_tools(dialect, tools, &mut taken);
        if tools.is_empty() {
            for key in TOOL_FIELDS {
                object.remove(key);
            }
        }
    }
    // Tools may also be offered in the middle of a conversation.
    for key in ["messages", "input"] {
        let items = object.get_mut(key).and_then(Value::as_array_mut);
        let tools = items
            .into_iter()
            .flatten()
            .filter_map(|item| item.get_mut("tools"));
        for tools in tools.filter_map(Value::as_array_mut) {
            keep_client_tools(dialect, tools, &mut taken);
        }
    }
    drop_choice_of_hosted(body, &taken);
    drop_inclusions_of_hosted(body);
    drop_search_suffix(body, &mut taken);
    for key in CONTENTS {
        if let Some(value) = body.get_mut(key) {
            remote_contents(value, &mut taken);
        }
    }
    taken
}

/// Takes off a suffix by which a provider searches the web for the model.
fn drop_search_suffix(body: &mut Value, taken: &mut Vec<String>) {
    let model = body["model"].as_str();
    if let Some(model) = model.and_then(|model| model.strip_suffix(":online")) {
        body["model"] = Value::String(model.to_owned());
        note(taken, "model suffix :online");
    }
}

/// Takes out requests to include results of removed calls.
fn drop_inclusions_of_hosted(body: &mut Value) {
    let hosted = [
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
    ];
    let of_hosted = |entry: &Value| {
        let name = entry.as_str().unwrap_or_default();
        hosted.iter().any(|kind| name.starts_with(kind))
    };
    if let Some(Value::Array(include)) = body.get_mut("include") {
        include.retain(|entry| !of_hosted(entry));
    }
}

/// Reason that a request cannot be served at all; `None` if it can.
///
/// State at the provider could continue another attempt's conversation, and background work is
/// never counted.
pub(crate) fn refusal(dialect: Dialect, body: &Value) -> Option<String> {
    let state: &[&str] = match dialect {
        Dialect::ChatCompletions | Dialect::Messages => return None,
        Dialect::Gemini => &["cachedContent", "cached_content"],
        Dialect::Responses => &["previous_response_id", "conversation", "prompt"],
    };
    let set = |key: &str| body.get(key).is_some_and(|value| !value.is_null());
    for key in state {
        if set(key) {
            return Some(format!(
                "{key} is not supported: a request must carry its whole conversation"
            ));
        }
    }
    (body["background"] == true)
        .then(|| "background is not supported: its tokens cannot be counted".to_owned())
}

fn note(taken: &mut Vec<String>, what: &str) {
    if !taken.iter().any(|known| known == what) {
        taken.push(what.to_owned());
    }
}

/// Removes from a list, and from groups in it, tools that do not run at the client.
fn keep_client_tools(dialect: Dialect, tools: &mut Vec<Value>, taken: &mut Vec<String>) {
    tools.retain_mut(|tool| {
        if dialect == Dialect::Gemini {
            return keep_functions(tool, taken);
        }
        if text(tool, "type") == "namespace" && dialect == Dialect::Responses {
            if let Some(Value::Array(inner)) = tool.get_mut("tools") {
                keep_client_tools(dialect, inner, taken);
                return !inner.is_empty();
            }
            return true;
        }
        let keep = runs_at_client(dialect, tool);
        if !keep {
            note(taken, &format!("tool {}", label(tool)));
        }
        keep
    });
}

/// Removes from an entry of Gemini's list, which names each kind of tool by a field, all kinds that
/// do not run at the client. Returns whether any are left.
fn keep_functions(tool: &mut Value, taken: &mut Vec<String>) -> bool {
    let Some(kinds) = tool.as_object_mut() else {
        note(taken, "tool of no known shape");
        return false;
    };
    kinds.retain(|kind, _| {
        let keep = matches!(
            kind.as_str(),
            "functionDeclarations" | "function_declarations" | "computerUse" | "computer_use"
        );
        if !keep {
            note(taken, &format!("tool {kind}"));
        }
        keep
    });
    !kinds.is_empty()
}

fn label(tool: &Value) -> &str {
    match text(tool, "type") {
        "" => text(tool, "name"),
        kind => kind,
    }
}

fn runs_at_client(dialect: Dialect, tool: &Value) -> bool {
    let kind = text(tool, "type");
    match dialect {
        Dialect::ChatCompletions => matches!(kind, "function" | "custom"),
        // Judged by its fields: see `keep_functions`.
        Dialect::Gemini => false,
        Dialect::Messages => {
            kind.is_empty()
                || kind == "custom"
                || [
                    "bash_",
                    "text_editor_",
                    "memory_",
                    "computer_",
                    "tool_search_tool",
                ]
                .iter()
                .any(|known| kind.starts_with(known))
        }
        Dialect::Responses => match kind {
            "function"
            | "custom"
            | "local_shell"
            | "apply_patch"
            | "computer"
            | "computer_use_preview"
            | "tool_search" => true,
            "shell" => matches!(text(&tool["environment"], "type"), "" | "local"),
            _ => false,
        },
    }
}

/// Removes a tool choice that names a removed tool, which the upstream would refuse.
fn drop_choice_of_hosted(body: &mut Value, taken: &[String]) {
    let chosen = text(&body["tool_choice"], "type");
    if taken
        .iter()
        .any(|what| what.strip_prefix("tool ") == Some(chosen))
        && let Some(object) = body.as_object_mut()
    {
        object.remove("tool_choice");
    }
}

/// Replaces contents that the provider would fetch from an address by a line of text.
fn remote_contents(value: &mut Value, taken: &mut Vec<String>) {
    match value {
        Value::Array(parts) => parts
            .iter_mut()
            .for_each(|part| remote_contents(part, taken)),
        Value::Object(object) => {
            let kind = object
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or_default();
            if let Some(name) = ["fileData", "file_data"]
                .into_iter()
                .find(|key| object.get(*key).is_some_and(Value::is_object))
            {
                note(taken, &format!("remote {name}"));
                *value = serde_json::json!({ "text": REMOVED });
                return;
            }
            if let Some(name) = remote(kind, object) {
                note(taken, &format!("remote {name}"));
                let text_type = if name.starts_with("input_") {
                    "input_text"
                } else {
                    "text"
                };
                *value = serde_json::json!({
                    "type": text_type,
                    "text": REMOVED,
                });
                return;
            }
            for key in [
                "content",
                "output",
                "parts",
                "functionResponse",
                "function_response",
            ] {
                if let Some(inner) = object.get_mut(key) {
                    remote_contents(inner, taken);
                }
            }
        }
        _ => {}
    }
}

/// Replaces a removed content.
const REMOVED: &str = "[removed by the gateway: content at an address]";

/// Fields of a content with an address, or with an object that has one as `url`.
const ADDRESSES: [&str; 4] = ["image_url", "file_url", "video_url", "audio_url"];

/// The name of a content at an address. Judged by its fields, since servers guess a missing
/// type from them, and know types that are not in any standard.
fn remote(kind: &str, object: &serde_json::Map<String, Value>) -> Option<String> {
    let away = |value: &Value| value.as_str().is_some_and(|url| !url.starts_with("data:"));
    let field = |key: &str| object.get(key).unwrap_or(&Value::Null);
    let address = ADDRESSES
        .into_iter()
        .find(|key| away(field(key)) || away(&field(key)["url"]));
    let scheme = field("file")["file_data"].as_str();
    let found = address.is_some()
        || field("source")["type"] == "url"
        || away(&field("source")["url"])
        || scheme.is_some_and(|data| data.contains("://") && !data.starts_with("data:"));
    let name = if kind.is_empty() {
        address.unwrap_or("content")
    } else {
        kind
    };
    found.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hosted_tools_are_stripped_client_kept() {
        let mut chat = json!({
            "model": "m:online", "web_search_options": {}, "plugins": [{ "id": "web" }],
            "tools": [
                { "type": "function", "function": { "name": "bash" } },
                { "type": "builtin_function", "function": { "name": "$web_search" } },
            ],
        });
        let taken = strip(Dialect::ChatCompletions, &mut chat);
        assert_eq!(
            taken,
            [
                "web_search_options",
                "plugins",
                "tool builtin_function",
                "model suffix :online"
            ]
        );
        assert_eq!(chat["tools"].as_array().unwrap().len(), 1);
        assert_eq!(chat["model"], "m");

        let mut messages = json!({
            "tool_choice": { "type": "auto" },
            "tools": [
                { "name": "Bash", "input_schema": {} },
                { "type": "bash_20250124", "name": "bash" },
                { "type": "web_search_20250305", "name": "web_search" },
                { "type": "web_fetch_20250910", "name": "web_fetch" },
                { "type": "code_execution_20250825", "name": "code_execution" },
            ],
        });
        let taken = strip(Dialect::Messages, &mut messages);
        assert_eq!(taken.len(), 3);
        assert_eq!(messages["tools"].as_array().unwrap().len(), 2);
        assert_eq!(messages["tool_choice"]["type"], "auto");

        let mut responses = json!({
            "include": ["reasoning.encrypted_content", "web_search_call.action.sources"],
            "tool_choice": { "type": "web_search" },
            "tools": [
                { "type": "function", "name": "exec_command" },
                { "type": "namespace", "name": "a", "tools": [{ "type": "function", "name": "b" }] },
                { "type": "namespace", "name": "c", "tools": [{ "type": "file_search" }] },
                { "type": "shell", "environment": { "type": "container_auto" } },
                { "type": "web_search" }, { "type": "mcp" }, { "type": "from_next_year" },
            ],
        });
        let taken = strip(Dialect::Responses, &mut responses);
        assert_eq!(taken.len(), 5);
        assert_eq!(responses["tools"].as_array().unwrap().len(), 2);
        assert_eq!(responses["include"], json!(["reasoning.encrypted_content"]));
        assert!(responses.get("tool_choice").is_none());
    }

    #[test]
    fn gemini_keeps_only_functions_and_inline() {
        let mut body = json!({
            "contents": [{ "role": "user", "parts": [
                { "fileData": { "fileUri": "https://a/video" } },
                { "inlineData": { "mimeType": "image/png", "data": "AA==" } },
                { "functionResponse": { "name": "f", "response": {}, "parts": [
                    { "file_data": { "file_uri": "gs://a/b" } },
                ] } },
            ] }],
            "tools": [
                { "functionDeclarations": [{ "name": "run" }], "googleSearch": {} },
                { "google_search": {} }, { "urlContext": {} }, { "codeExecution": {} },
                { "fileSearch": {} }, { "fromNextYear": {} },
            ],
        });
        let taken = strip(Dialect::Gemini, &mut body);
        let expected = [
            "tool googleSearch",
            "tool google_search",
            "tool urlContext",
            "tool codeExecution",
            "tool fileSearch",
            "tool fromNextYear",
            "remote fileData",
            "remote file_data",
        ];
        assert_eq!(taken, expected);
        assert_eq!(
            body["tools"],
            json!([{ "functionDeclarations": [{ "name": "run" }] }])
        );
        let left = body.to_string();
        assert!(!left.contains("//a") && left.contains("AA=="), "{left}");

        let mut none = json!({ "tools": [{ "googleSearch": {} }], "toolConfig": {} });
        strip(Dialect::Gemini, &mut none);
        assert_eq!(none, json!({}));
        let stored = json!({ "cachedContent": "cachedContents/1" });
        assert!(refusal(Dialect::Gemini, &stored).is_some());
    }

    #[test]
    fn stripping_all_tools_removes_tool_fields() {
        let mut body = json!({
            "tools": [{ "type": "web_search" }], "tool_choice": "auto", "parallel_tool_calls": true,
        });
        assert_eq!(strip(Dialect::Responses, &mut body), ["tool web_search"]);
        assert_eq!(body, json!({}));
    }

    #[test]
    fn tools_inside_conversation_are_stripped_too() {
        let mut body = json!({ "input": [
            { "type": "additional_tools", "tools": [
                { "type": "namespace", "name": "functions", "tools": [
                    { "type": "custom", "name": "exec" }, { "type": "web_search" },
                ] },
                { "type": "code_interpreter" },
            ] },
            { "type": "message", "role": "user", "content": "hi" },
        ] });
        let taken = strip(Dialect::Responses, &mut body);
        assert_eq!(taken, ["tool web_search", "tool code_interpreter"]);
        let left = json!([{ "type": "namespace", "name": "functions", "tools": [
            { "type": "custom", "name": "exec" },
        ] }]);
        assert_eq!(body["input"][0]["tools"], left);
    }

    #[test]
    fn remote_contents_are_stripped_inline_kept() {
        let mut body = json!({ "messages": [
            { "role": "user", "content": [
                { "type": "document", "source": { "type": "url", "url": "https://a/b.pdf" } },
                { "type": "image", "source": { "type": "base64", "data": "AA==" } },
                { "type": "tool_result", "content": [
                    { "type": "image", "source": { "type": "url", "url": "https://a/c.png" } },
                ] },
            ] },
        ] });
        assert_eq!(
            strip(Dialect::Messages, &mut body),
            ["remote document", "remote image"]
        );
        assert!(!body.to_string().contains("https://a"));
        assert!(body.to_string().contains("AA=="));
        let mut chat = json!({ "messages": [{ "role": "user", "content": [
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,AA==" } },
            { "type": "image_url", "image_url": { "url": "http://a/d.png" } },
        ] }] });
        assert_eq!(
            strip(Dialect::ChatCompletions, &mut chat),
            ["remote image_url"]
        );
        assert!(chat.to_string().contains("data:image/png"));
        let mut responses = json!({ "input": [{ "type": "message", "role": "user", "content": [
            { "type": "input_file", "file_url": "http://a/e.pdf" },
        ] }] });
        strip(Dialect::Responses, &mut responses);
        assert_eq!(responses["input"][0]["content"][0]["type"], "input_text");
    }

    #[test]
    fn content_is_judged_by_its_fields() {
        let mut body = json!({ "messages": [{ "role": "user", "content": [
            { "type": "video_url", "video_url": { "url": "http://a/v" } },
            { "type": "audio_url", "audio_url": { "url": "http://a/s" } },
            { "image_url": "http://a/i" },
            { "type": "new", "image_url": { "url": "file:///etc/passwd" } },
            { "type": "file", "file": { "file_data": "https://a/f.pdf" } },
            { "type": "file", "file": { "file_data": "data:application/pdf;base64,AA==" } },
        ] }] });
        strip(Dialect::ChatCompletions, &mut body);
        let left = body.to_string();
        assert!(!left.contains("//a") && !left.contains("passwd"), "{left}");
        assert!(left.contains("base64,AA=="), "{left}");
    }

    #[test]
    fn provider_side_state_is_refused() {
        for key in ["previous_response_id", "conversation", "prompt"] {
            assert!(
                refusal(Dialect::Responses, &json!({ key: "x" }))
                    .unwrap()
                    .contains(key)
            );
            assert!(refusal(Dialect::Responses, &json!({ key: null })).is_none());
        }
        assert!(refusal(Dialect::Responses, &json!({ "background": true })).is_some());
        assert!(refusal(Dialect::Messages, &json!({ "container": "x" })).is_none());
    }
}
