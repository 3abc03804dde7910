//! Whether a model refused to answer.

use serde_json::Value;

use super::{Dialect, list, text};

/// Reasons of Gemini for which an answer is withheld.
const GEMINI: [&str; 9] = [
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "MODEL_ARMOR",
];

/// Reason that the model, or its provider's filter, refused to answer, in the response's words.
pub(super) fn reason(dialect: Dialect, response: &Value) -> Option<String> {
    match dialect {
        Dialect::ChatCompletions => list(response, "choices").iter().find_map(chat),
        Dialect::Messages => Some(text(response, "stop_reason"))
            .filter(|reason| *reason == "refusal")
            .map(str::to_owned),
        Dialect::Responses => responses(response),
        Dialect::Gemini => gemini(response),
    }
}

fn chat(choice: &Value) -> Option<String> {
    let reason = text(choice, "finish_reason");
    if matches!(reason, "content_filter" | "refusal") {
        return Some(reason.to_owned());
    }
    let refusal = text(&choice["message"], "refusal");
    (!refusal.is_empty()).then(|| "refusal".to_owned())
}

fn responses(response: &Value) -> Option<String> {
    let reason = text(&response["incomplete_details"], "reason");
    if reason == "content_filter" {
        return Some(reason.to_owned());
    }
    let mut parts = list(response, "output")
        .iter()
        .flat_map(|item| list(item, "content"));
    parts
        .any(|part| text(part, "type") == "refusal")
        .then(|| "refusal".to_owned())
}

fn gemini(response: &Value) -> Option<String> {
    let finish = list(response, "candidates")
        .iter()
        .map(|candidate| text(candidate, "finishReason"));
    let blocked = text(&response["promptFeedback"], "blockReason");
    let blocked = Some(blocked).filter(|reason| !reason.is_empty());
    let reason = blocked.or_else(|| finish.into_iter().find(|reason| GEMINI.contains(reason)));
    reason.map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_dialect_names_its_refusals() {
        let refused = [
            (
                Dialect::ChatCompletions,
                json!({"choices": [{"finish_reason": "content_filter", "message": {"content": ""}}]}),
                "content_filter",
            ),
            (
                Dialect::ChatCompletions,
                json!({"choices": [{"finish_reason": "stop", "message": {"refusal": "I can't."}}]}),
                "refusal",
            ),
            (
                Dialect::Messages,
                json!({"stop_reason": "refusal"}),
                "refusal",
            ),
            (
                Dialect::Responses,
                json!({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}),
                "content_filter",
            ),
            (
                Dialect::Responses,
                json!({"output": [{"content": [{"type": "refusal", "refusal": "no"}]}]}),
                "refusal",
            ),
            (
                Dialect::Gemini,
                json!({"candidates": [{"finishReason": "SAFETY"}]}),
                "safety",
            ),
            (
                Dialect::Gemini,
                json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
                "prohibited_content",
            ),
        ];
        for (dialect, response, expected) in refused {
            let reason = reason(dialect, &response);
            assert_eq!(reason.as_deref(), Some(expected), "{response}");
        }
    }

    #[test]
    fn ordinary_ends_are_not_refusals() {
        let answered = [
            (
                Dialect::ChatCompletions,
                json!({"choices": [{"finish_reason": "length", "message": {"refusal": null}}]}),
            ),
            (Dialect::Messages, json!({"stop_reason": "max_tokens"})),
            (
                Dialect::Responses,
                json!({"incomplete_details": {"reason": "max_output_tokens"}, "output": []}),
            ),
            (
                Dialect::Gemini,
                json!({"candidates": [{"finishReason": "STOP"}], "promptFeedback": {}}),
            ),
        ];
        for (dialect, response) in answered {
            assert_eq!(reason(dialect, &response), None, "{response}");
        }
    }
}
