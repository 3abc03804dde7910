//! Upstreams that compress, stall, refuse, or report what they cost.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::Client;
use crate::common::front::{Front, GOOD, KEY, PROMPT, ask, canned, http};
use async_compression::tokio::write::{BrotliEncoder, GzipEncoder, ZlibEncoder, ZstdEncoder};
use serde_json::{Value, json};
use slope_gateway::{AttemptAuth, AttemptRecord, Caps, Dialect, Notify};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// An answer with a body in an unrequested encoding.
fn encoded(encoding: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-encoding: {encoding}\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

macro_rules! compress {
    ($encoder:ident, $text:expr) => {{
        let mut encoder = $encoder::new(Vec::new());
        encoder.write_all($text.as_bytes()).await.unwrap();
        encoder.shutdown().await.unwrap();
        encoder.into_inner()
    }};
}

/// The text in each encoding that is decoded.
async fn in_each_encoding(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("gzip", compress!(GzipEncoder, text)),
        ("br", compress!(BrotliEncoder, text)),
        ("zstd", compress!(ZstdEncoder, text)),
        ("deflate", compress!(ZlibEncoder, text)),
        ("identity", text.as_bytes().to_vec()),
    ]
}

const STREAM: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":4,\"cache_read_input_tokens\":2,\"output_tokens\":1}}}\n\n\
event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":3}}\n\n\
event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

#[tokio::test]
async fn compressed_answers_are_counted() {
    for (kind, text, stream) in [
        ("application/json", GOOD, false),
        ("text/event-stream", STREAM, true),
    ] {
        for (encoding, body) in in_each_encoding(text).await {
            let (base, _) = canned(vec![encoded(encoding, kind, &body)]).await;
            let (status, received, record, _) = ask(base, KEY, stream).await;
            assert_eq!((status, received.as_str()), (200, text), "{encoding}");
            let usage = record.usage;
            assert_eq!((usage.requests, usage.unreported), (1, 0), "{encoding}");
            let tokens = usage.tokens;
            assert_eq!(
                (tokens.input, tokens.cache_read, tokens.output),
                (4, 2, 3),
                "{encoding}"
            );
        }
    }
}

#[tokio::test]
async fn unknown_encodings_are_infrastructure_failures() {
    for encoding in ["compress", "gzip, br", "x-own"] {
        let (base, _) = canned(vec![encoded(encoding, "application/json", b"????")]).await;
        let (status, text, record, _) = ask(base, KEY, false).await;
        assert_eq!(status, 502, "{text}");
        assert!(text.contains(encoding), "{text}");
        assert_eq!(record.usage.requests, 0);
        assert!(record.infrastructure.unwrap().contains("encoding"));
    }
}

#[tokio::test]
async fn requests_ask_for_plain_answers() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let request = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut buffer = vec![0; 65536];
        let length = socket.read(&mut buffer).await.unwrap();
        let answer = http("200 OK", "", GOOD);
        socket.write_all(answer.as_bytes()).await.unwrap();
        String::from_utf8_lossy(&buffer[..length]).to_lowercase()
    });
    ask(base, KEY, false).await;
    let request = request.await.unwrap();
    assert!(
        request.contains("accept-encoding: identity\r\n"),
        "{request}"
    );
}

/// A server that takes requests, sends `start`, and then nothing.
async fn stalled(start: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read(&mut [0; 65536]).await;
            let _ = socket.write_all(start).await;
            held.push(socket);
        }
    });
    base
}

const STALLS: [&[u8]; 5] = [
    b"",
    b"H",
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n",
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{",
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: message_start\n",
];

#[tokio::test]
async fn stalled_upstreams_time_out() {
    for start in STALLS {
        let base = stalled(start).await;
        let front = Front::tuned(base, Dialect::Messages, KEY, |config| {
            config.limits.upstream_patience = Duration::from_millis(200);
        });
        let serving = front.serve();
        let client = Client::new(Dialect::Messages, &serving, &front.token);
        let body = client.request(&[json!({ "role": "user", "content": PROMPT })], true);
        let answered = async { client.post(&body).await.text().await };
        let text = tokio::time::timeout(Duration::from_secs(20), answered).await;
        let name = String::from_utf8_lossy(start);
        assert!(text.is_ok(), "not given up: {name}");
        let record = serving.finish();
        assert!(record.infrastructure.is_some(), "{name}: {record:?}");
        let tries = record.usage.requests + record.usage.failed_requests;
        assert_eq!(
            tries, 1,
            "a stalled request is not sent again: {name}, {record:?}"
        );
    }
}

#[tokio::test]
async fn stalled_end_is_infrastructure_failure() {
    for start in STALLS {
        let base = stalled(start).await;
        let front = Front::new(base, Dialect::Messages, KEY);
        let serving = front.serve();
        let client = Client::new(Dialect::Messages, &serving, &front.token);
        let body = client.request(&[json!({ "role": "user", "content": PROMPT })], true);
        let asked = async { client.post(&body).await.text().await };
        assert!(
            tokio::time::timeout(Duration::from_millis(500), asked)
                .await
                .is_err()
        );
        let record = tokio::task::spawn_blocking(move || serving.finish());
        let record = record.await.unwrap();
        let why = record.infrastructure.unwrap_or_default();
        assert!(why.contains("sent nothing"), "{why}");
    }
}

/// A listener, and the messages it has received.
fn listener() -> (Notify, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::<Mutex<Vec<String>>>::default();
    let kept = heard.clone();
    let notify = Notify::new(move |text: &str| kept.lock().unwrap().push(text.to_owned()));
    (notify, heard)
}

#[tokio::test]
async fn first_failure_and_recovery_are_notified() {
    let answers = vec![
        http("503 Away", "", "{}"),
        http("503 Away", "", "{}"),
        http("200 OK", "", GOOD),
        http("200 OK", "", GOOD),
    ];
    let (base, _) = canned(answers).await;
    let (notify, heard) = listener();
    let front = Front::tuned(base, Dialect::Messages, KEY, |config| {
        config.notify = notify
    });
    let serving = front.serve();
    let client = Client::new(Dialect::Messages, &serving, &front.token);
    let body = client.request(&[json!({ "role": "user", "content": PROMPT })], false);
    for _ in 0..2 {
        assert_eq!(client.post(&body).await.status(), 200);
    }
    drop(serving);
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(heard[0].contains("answers 503"), "{heard:?}");
    assert!(heard[1].contains("answers again"), "{heard:?}");
}

#[tokio::test]
async fn refused_connections_are_notified_at_once() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let (notify, heard) = listener();
    let front = Front::tuned(base.clone(), Dialect::Messages, KEY, |config| {
        config.notify = notify;
        config.retry.outage = Duration::from_mins(4);
        config.retry.first_wait = Duration::from_secs(30);
        config.retry.longest_wait = Duration::from_mins(2);
    });
    let serving = front.serve();
    let client = Client::new(Dialect::Messages, &serving, &front.token);
    let body = client.request(&[json!({ "role": "user", "content": PROMPT })], false);
    let asked = tokio::time::timeout(Duration::from_secs(3), client.post(&body)).await;
    assert!(asked.is_err(), "the request is still held back");
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert!(
        heard[0].contains(&base) && heard[0].contains("tries"),
        "{heard:?}"
    );
    assert!(!heard[0].contains(KEY));
}

/// The books after one request of a dialect, without a price for the model.
async fn unpriced(dialect: Dialect, answer: String, stream: bool) -> AttemptRecord {
    let (base, _) = canned(vec![answer]).await;
    let front = Front::new(base, dialect, KEY);
    let serving = front
        .gateway
        .serve_loopback(AttemptAuth {
            token: front.token.clone(),
            trial: "trial".into(),
            checkpoint_index: 1,
            log_path: front.dir.path().join("log.jsonl"),
            caps: Caps::default(),
            prices: None,
        })
        .unwrap();
    let client = Client::new(dialect, &serving, &front.token);
    let body = client.request(&[json!({ "role": "user", "content": PROMPT })], stream);
    client.post(&body).await.text().await.unwrap();
    serving.finish()
}

fn events(all: &[Value]) -> String {
    let lines: String = all
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    let body = format!("{lines}data: [DONE]\n\n");
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn reported_costs_replace_missing_prices() {
    let usage = |cost: Value| json!({ "prompt_tokens": 10, "completion_tokens": 2, "cost": cost });
    let whole = |cost: Value| {
        let answer =
            json!({ "choices": [{ "message": { "content": "hi" } }], "usage": usage(cost) });
        http("200 OK", "", &answer.to_string())
    };
    let streamed = events(&[
        json!({ "choices": [{ "index": 0, "delta": { "content": "hi" }, "finish_reason": "stop" }] }),
        json!({ "choices": [], "usage": usage(json!(0.25)) }),
    ]);
    let chat = Dialect::ChatCompletions;
    for (answer, stream, cost) in [
        (whole(json!(0.25)), false, Some(0.25)),
        (whole(json!({ "total_cost": 0.5 })), false, Some(0.5)),
        (whole(json!(0)), false, Some(0.0)),
        (whole(json!(-1)), false, None),
        (whole(Value::Null), false, None),
        (streamed, true, Some(0.25)),
    ] {
        let record = unpriced(chat, answer, stream).await;
        assert_eq!(record.usage.cost_usd, cost, "{record:?}");
        assert_eq!(record.costs[0].reported, cost.is_some());
        assert_eq!(record.costs[0].price, None);
    }
}

#[tokio::test]
async fn configured_prices_precede_reported_costs() {
    let answer = json!({
        "content": [{ "type": "text", "text": "hi" }],
        "usage": { "input_tokens": 1_000_000, "output_tokens": 0, "cost": 99 },
    });
    let (base, _) = canned(vec![http("200 OK", "", &answer.to_string())]).await;
    let (_, _, record, _) = ask(base, KEY, false).await;
    assert_eq!(record.usage.cost_usd, Some(3.0));
    assert!(!record.costs[0].reported);
}

#[tokio::test]
async fn streamed_refusals_are_recorded() {
    let chat = events(&[
        json!({ "choices": [{ "index": 0, "delta": { "content": "" }, "finish_reason": "content_filter" }] }),
        json!({ "choices": [], "usage": { "prompt_tokens": 1, "completion_tokens": 0 } }),
    ]);
    let spoken = events(&[
        json!({ "choices": [{ "index": 0, "delta": { "refusal": "I can" } }] }),
        json!({ "choices": [{ "index": 0, "delta": { "refusal": "not." }, "finish_reason": "stop" }] }),
        json!({ "choices": [], "usage": { "prompt_tokens": 1, "completion_tokens": 0 } }),
    ]);
    let messages = events(&[
        json!({ "type": "message_start", "message": { "content": [], "usage": { "input_tokens": 4, "output_tokens": 1 } } }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "refusal" }, "usage": { "output_tokens": 3 } }),
        json!({ "type": "message_stop" }),
    ]);
    let responses = events(&[json!({ "type": "response.incomplete", "response": {
        "status": "incomplete", "incomplete_details": { "reason": "content_filter" }, "output": [],
        "usage": { "input_tokens": 1, "output_tokens": 0 },
    } })]);
    for (dialect, answer, expected) in [
        (Dialect::ChatCompletions, chat, "content_filter"),
        (Dialect::ChatCompletions, spoken, "refusal"),
        (Dialect::Messages, messages, "refusal"),
        (Dialect::Responses, responses, "content_filter"),
    ] {
        let record = unpriced(dialect, answer, true).await;
        assert_eq!(record.refusal.as_deref(), Some(expected), "{record:?}");
    }
}

#[tokio::test]
async fn first_silence_is_notified() {
    let base = stalled(b"").await;
    let (notify, heard) = listener();
    let front = Front::tuned(base.clone(), Dialect::Messages, KEY, |config| {
        config.notify = notify;
        config.limits.upstream_patience = Duration::from_secs(2);
        config.retry.retries = 0;
    });
    let serving = front.serve();
    let client = Client::new(Dialect::Messages, &serving, &front.token);
    let body = client.request(&[json!({ "role": "user", "content": PROMPT })], false);
    client.post(&body).await;
    let heard = heard.lock().unwrap();
    assert!(heard[0].contains(&base), "{heard:?}");
    assert!(heard[0].contains("has not answered"), "{heard:?}");
    let silences = heard
        .iter()
        .filter(|text| text.contains("has not answered"));
    assert_eq!(silences.count(), 1, "{heard:?}");
}
