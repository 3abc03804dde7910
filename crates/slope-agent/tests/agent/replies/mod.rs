//! Streamed replies of a model in each dialect.

use serde_json::{Value, json};
use slope_agent::Dialect;

use crate::server::Answer;

/// A streamed reply in the Messages dialect; the arguments come in two pieces.
pub(crate) fn messages(text: &str, calls: &[(&str, &str, &str)]) -> Answer {
    let mut events = vec![json!({"type": "message_start", "message": {"usage": {
        "input_tokens": 10, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2,
        "output_tokens": 1}}})];
    let mut index = 0;
    let mut block = |block: Value, deltas: Vec<Value>| {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        for delta in deltas {
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    };
    if !text.is_empty() {
        let (a, b) = text.split_at(1);
        let delta = |text: &str| json!({"type": "text_delta", "text": text});
        block(
            json!({"type": "text", "text": ""}),
            vec![delta(a), delta(b)],
        );
    }
    for (id, name, arguments) in calls {
        let (a, b) = arguments.split_at(arguments.len() / 2);
        let delta = |part: &str| json!({"type": "input_json_delta", "partial_json": part});
        block(
            json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
            vec![delta(a), delta(b)],
        );
    }
    let stop = if calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    };
    events.push(
        json!({"type": "message_delta", "delta": {"stop_reason": stop},
        "usage": {"output_tokens": 20}}),
    );
    events.push(json!({"type": "message_stop"}));
    Answer::events(&events)
}

/// A streamed reply in the Chat dialect.
fn chat(text: &str, calls: &[(&str, &str, &str)]) -> Answer {
    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]});
    let mut events = vec![delta(json!({"role": "assistant", "content": text}))];
    for (index, (id, name, arguments)) in calls.iter().enumerate() {
        let (a, b) = arguments.split_at(arguments.len() / 2);
        events.push(delta(
            json!({"tool_calls": [{"index": index, "id": id, "type": "function",
            "function": {"name": name, "arguments": a}}]}),
        ));
        events.push(delta(
            json!({"tool_calls": [{"index": index, "function": {"arguments": b}}]}),
        ));
    }
    let stop = if calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": stop}]}));
    events.push(
        json!({"choices": [], "usage": {"prompt_tokens": 16, "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 2},
        "completion_tokens_details": {"reasoning_tokens": 5}}}),
    );
    Answer::events(&events).done()
}

/// A streamed reply in a dialect.
pub(crate) fn reply(dialect: Dialect, text: &str, calls: &[(&str, &str, &str)]) -> Answer {
    if dialect == Dialect::Chat {
        chat(text, calls)
    } else {
        messages(text, calls)
    }
}
