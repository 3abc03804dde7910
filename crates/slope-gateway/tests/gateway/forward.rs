//! Forwarding, tested against a second gateway that plays a script, and against servers that
//! misbehave.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::common::front::{Front, GOOD, KEY, PROMPT, ask, canned, http};
use crate::common::{Bench, Client, MAIN, data};
use serde_json::{Value, json};
use slope_gateway::{
    AttemptRecord, Dialect, Gateway, GatewayConfig, GatewayError, HttpUpstream, KeyHeader,
    KeySource, Upstream,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

#[tokio::test]
async fn forwarded_tokens_match_the_script() {
    for dialect in Dialect::ALL {
        for stream in [false, true] {
            let back = Bench::scripted();
            let upstream = back.serve();
            let front = Front::new(upstream.base_url(), dialect, &back.token);
            let serving = front.serve();
            let client = Client::new(dialect, &serving, &front.token);
            let (commands, seen) = client.converse(stream, PROMPT).await;
            let (record, behind) = (serving.finish(), upstream.finish());
            let name = format!("{} stream {stream}", dialect.name());
            assert_eq!(commands.len(), 2, "{name}");
            assert_eq!(record.usage.tokens, MAIN, "{name}");
            assert_eq!(record.usage, behind.usage, "{name}");
            assert_eq!(record.errors, Vec::<String>::new(), "{name}");
            let log = front.log();
            assert!(log.contains("the-real-model"), "{name}");
            assert!(
                !log.contains(&front.token) && !log.contains(&back.token),
                "{name}"
            );
            if stream && dialect == Dialect::ChatCompletions {
                assert!(
                    data(&seen).iter().all(|chunk| !chunk["usage"].is_object()),
                    "{name}"
                );
            }
        }
    }
}

#[tokio::test]
async fn stream_is_forwarded_byte_exact() {
    for dialect in Dialect::ALL {
        let back = Bench::scripted();
        let upstream = back.serve();
        let front = Front::new(upstream.base_url(), dialect, &back.token);
        let serving = front.serve();
        let direct = Client::new(dialect, &upstream, &back.token);
        let through = Client::new(dialect, &serving, &front.token);
        let body = direct.request(&[json!({ "role": "user", "content": PROMPT })], true);
        let expected = direct.post(&body).await.bytes().await.unwrap();
        assert_eq!(
            through.post(&body).await.bytes().await.unwrap(),
            expected,
            "{}",
            dialect.name()
        );
        assert_eq!(serving.finish().usage.tokens.input, 1200);
    }
}

#[tokio::test]
async fn other_dialect_client_gets_not_implemented() {
    let back = Bench::scripted();
    let upstream = back.serve();
    let front = Front::new(upstream.base_url(), Dialect::Messages, &back.token);
    let serving = front.serve();
    let client = Client::new(Dialect::Responses, &serving, &front.token);
    let response = client.post(&client.request(&[], true)).await;
    assert_eq!(response.status(), 501);
    assert_eq!(response.headers()["x-should-retry"], "false");
    let text = response.text().await.unwrap();
    assert!(
        text.contains("speaks responses") && text.contains("upstream messages"),
        "{text}"
    );
    assert_eq!(upstream.finish().usage.requests, 0);
}

#[tokio::test]
async fn upstream_counts_and_errors_are_forwarded() {
    let back = Bench::scripted();
    let upstream = back.serve();
    let front = Front::new(upstream.base_url(), Dialect::Messages, &back.token);
    let serving = front.serve();
    let client = Client::new(Dialect::Messages, &serving, &front.token);
    let count = client
        .http
        .post(format!("{}/v1/messages/count_tokens", serving.base_url()));
    let count = count
        .bearer_auth(&front.token)
        .json(&json!({ "messages": [] }))
        .send();
    assert!(count.await.unwrap().json::<Value>().await.unwrap()["input_tokens"].is_u64());
    let body = client.request(&[json!({ "role": "user", "content": "unknown" })], true);
    let response = client.post(&body).await;
    assert_eq!(response.status(), 400);
    assert!(
        response
            .text()
            .await
            .unwrap()
            .contains("no conversation matches")
    );
    let record = serving.finish();
    assert!(
        record.errors[0].contains("no conversation matches"),
        "{:?}",
        record.errors
    );
    assert_eq!(
        record.infrastructure, None,
        "a refused request is not the harness's trouble"
    );
    assert_eq!(
        (record.usage.requests, record.usage.failed_requests),
        (0, 1)
    );
}

#[tokio::test]
async fn overloaded_upstream_is_retried() {
    let answers = vec![
        http("429 Too Many", "retry-after-ms: 20\r\n", "{}"),
        http("503 Away", "", "{}"),
        http("200 OK", "", GOOD),
    ];
    let (base, asked) = canned(answers).await;
    let (status, text, record, log) = ask(base, KEY, false).await;
    assert_eq!((status, text.as_str()), (200, GOOD));
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    assert_eq!(
        (record.usage.requests, record.usage.failed_requests),
        (1, 2)
    );
    assert_eq!(
        (record.usage.tokens.input, record.usage.tokens.cache_read),
        (4, 2)
    );
    assert!(log.contains("\"failed_tries\":2"));
    assert_eq!(record.infrastructure, None);
}

#[tokio::test]
async fn unavailable_upstream_is_infrastructure_failure() {
    let (base, asked) = canned(vec![http(
        "529 Overloaded",
        "",
        r#"{"error":{"message":"later"}}"#,
    )])
    .await;
    let (status, text, record, _) = ask(base, KEY, true).await;
    assert_eq!(status, 529);
    assert!(text.contains("later"));
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    assert_eq!(
        (record.usage.requests, record.usage.failed_requests),
        (0, 3)
    );
    assert!(record.infrastructure.unwrap().contains("529"));

    // Asked to wait longer than we do: no use in asking again.
    let (base, asked) = canned(vec![http("429 No", "retry-after: 3600\r\n", "{}")]).await;
    let (status, _, record, _) = ask(base, KEY, true).await;
    assert_eq!((status, asked.load(Ordering::SeqCst)), (429, 1));
    assert_eq!(record.usage.failed_requests, 1);

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let (status, text, record, _) = ask(nobody, KEY, true).await;
    assert_eq!(status, 502);
    assert!(text.contains("could not be reached"), "{text}");
    assert_eq!(record.usage.failed_requests, 3);
    assert!(record.infrastructure.is_some());
}

#[tokio::test]
async fn refused_key_is_reported_but_hidden() {
    let echo = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}"}}}}"#);
    let (base, asked) = canned(vec![http("401 No", "", &echo)]).await;
    let (status, text, record, log) = ask(base, KEY, false).await;
    assert_eq!((status, asked.load(Ordering::SeqCst)), (401, 1));
    let everything = format!("{text}{log}{record:?}");
    assert!(!everything.contains(KEY), "{everything}");
    assert!(
        record
            .infrastructure
            .unwrap()
            .contains("refused the host's key")
    );
}

#[tokio::test]
async fn missing_model_is_infrastructure_failure() {
    for status in ["404 No", "405 No", "410 Gone"] {
        let (base, _) = canned(vec![http(status, "", "{}")]).await;
        let (_, _, record, _) = ask(base, KEY, false).await;
        assert!(record.infrastructure.is_some(), "{status}");
    }
    // A client may request the impossible.
    let (base, _) = canned(vec![http("400 No", "", "{}")]).await;
    let (_, _, record, _) = ask(base, KEY, false).await;
    assert_eq!(record.infrastructure, None);
}

/// The record of an attempt at a server that answers 404 to everything. Agents are given `given`.
async fn without_model(given: &str) -> AttemptRecord {
    let (base, _) = canned(vec![http("404 No", "", "{}")]).await;
    let front = Front::tuned(base, Dialect::Messages, KEY, |config| {
        config.model = Some(given.to_owned());
        if let Upstream::Http(upstream) = &mut config.upstream {
            upstream.model = None;
        }
    });
    let serving = front.serve();
    let client = Client::new(Dialect::Messages, &serving, &front.token);
    let body = client.request(&[json!({ "role": "user", "content": PROMPT })], false);
    client.post(&body).await;
    serving.finish()
}

#[tokio::test]
async fn wrong_model_name_is_agent_fault() {
    assert!(without_model("m").await.infrastructure.is_some());
    assert_eq!(without_model("another").await.infrastructure, None);
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let (elsewhere, asked) = canned(vec![http("200 OK", "", GOOD)]).await;
    let location = format!("location: {elsewhere}/v1/messages\r\n");
    let (base, _) = canned(vec![http("307 There", &location, "")]).await;
    let (status, _, record, _) = ask(base, KEY, false).await;
    assert_eq!((status, asked.load(Ordering::SeqCst)), (502, 0));
    assert!(record.infrastructure.is_some());
}

#[tokio::test]
async fn missing_usage_is_booked_as_unreported() {
    let (base, _) = canned(vec![http("200 OK", "", r#"{"content":[]}"#)]).await;
    let (status, _, record, log) = ask(base, KEY, false).await;
    assert_eq!(
        (status, record.usage.requests, record.usage.unreported),
        (200, 1, 1)
    );
    assert!(log.contains("\"tokens\":null"));
}

#[tokio::test]
async fn broken_stream_is_reported_and_booked() {
    let start = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\n";
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
    for answer in [
        // Says how much will come and sends less.
        format!("{head}content-length: 5000\r\n\r\n{start}"),
        // Ends in good order, too early.
        format!("{head}content-length: {}\r\n\r\n{start}", start.len()),
    ] {
        let (base, _) = canned(vec![answer]).await;
        let (status, text, record, log) = ask(base, KEY, true).await;
        assert_eq!(status, 200);
        assert!(text.starts_with(start));
        assert_eq!((record.usage.requests, record.usage.unreported), (1, 1));
        assert_eq!(record.usage.tokens.input, 9, "what was reported counts");
        assert!(log.contains("\"complete\":false"));
        assert!(record.infrastructure.is_some(), "{:?}", record.errors);
    }
}

#[test]
fn missing_key_variable_is_named() {
    let config = GatewayConfig::new(Upstream::Http(HttpUpstream {
        base_url: "https://example.org/v1".into(),
        dialect: Dialect::ChatCompletions,
        key: KeySource::Env("SLOPE_TEST_NO_SUCH_KEY".into()),
        key_header: KeyHeader::Dialect,
        model: None,
    }));
    let error = Gateway::new(config).unwrap_err();
    assert!(matches!(error, GatewayError::KeyVariable { .. }), "{error}");
}

/// TLS is there and refuses a server without TLS, rather than talking plainly.
#[tokio::test]
async fn https_upstream_uses_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    let first = tokio::spawn(async move {
        let mut first = None;
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut start = [0; 3];
            let _ = socket.read_exact(&mut start).await;
            let _ = socket.write_all(http("200 OK", "", GOOD).as_bytes()).await;
            if first.replace(start).is_some() {
                break;
            }
        }
        first
    });
    let (status, text, _, _) = ask(base, KEY, false).await;
    assert_eq!(status, 502);
    assert!(text.contains("could not be reached"), "{text}");
    // A handshake record of TLS, not the letters of a request.
    assert_eq!(
        first.await.unwrap().map(|start| start[..2].to_vec()),
        Some(vec![0x16, 0x03])
    );
}

#[tokio::test]
async fn outage_outlasts_the_retry_limit() {
    let mut answers = vec![http("503 Away", "", "{}"); 6];
    answers.push(http("200 OK", "", GOOD));
    let (base, asked) = canned(answers).await;
    let front = Front::tuned(base, Dialect::Messages, KEY, |config| {
        config.retry.outage = Duration::from_mins(4);
    });
    let serving = front.serve();
    let client = Client::new(Dialect::Messages, &serving, &front.token);
    let body = client.request(&[json!({ "role": "user", "content": PROMPT })], false);
    assert_eq!(client.post(&body).await.status(), 200);
    let record = serving.finish();
    assert_eq!(asked.load(Ordering::SeqCst), 7);
    assert_eq!(
        (record.usage.requests, record.usage.failed_requests),
        (1, 6)
    );
    assert!(record.waited_s > 0.0);
    assert_eq!((record.errors, record.infrastructure), (Vec::new(), None));
}

#[tokio::test]
async fn agent_retries_use_no_request_cap() {
    let (base, _) = canned(vec![http("500 Odd", "", "{}"), http("200 OK", "", GOOD)]).await;
    let front = Front::tuned(
        base,
        Dialect::Messages,
        "sk-another-key-of-the-host",
        |config| {
            config.retry.retries = 0;
            config.trial_caps.requests = Some(1);
        },
    );
    let serving = front.serve();
    let client = Client::new(Dialect::Messages, &serving, &front.token);
    let body = client.request(&[json!({ "role": "user", "content": PROMPT })], false);
    for (expected, troubled) in [(500, true), (200, false), (400, false)] {
        assert_eq!(client.post(&body).await.status(), expected);
        assert_eq!(serving.record().infrastructure.is_some(), troubled);
    }
    let record = serving.finish();
    assert_eq!(record.infrastructure, None);
    assert_eq!(record.usage.requests, 1);
    assert!(record.budget_hit.is_some());
}
