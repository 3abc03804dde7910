//! What clients can do wrong: tokens, bodies, leaving early, never reading.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::common::{Bench, Client, MAIN, parse};
use serde_json::json;
use slope_gateway::Dialect;

const PROMPT: &str = "Please add a file with a greeting.";

#[tokio::test]
async fn only_the_attempt_token_is_accepted() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    for dialect in Dialect::ALL {
        let mut client = Client::new(dialect, &serving, "");
        let body = client.request(&[json!({ "role": "user", "content": PROMPT })], true);
        for token in ["", "x", &bench.token[1..], &format!("{}0", bench.token)] {
            token.clone_into(&mut client.token);
            let response = client.post(&body).await;
            assert_eq!(response.status(), 401);
            assert_eq!(response.headers()["x-should-retry"], "false");
            let body = parse(&response.text().await.unwrap());
            let kind = match dialect {
                Dialect::Gemini => &body["error"]["status"],
                _ => &body["error"]["type"],
            };
            assert!(
                kind == "authentication_error" || kind == "UNAUTHENTICATED",
                "{body}"
            );
        }
    }
    let models = format!("{}/v1/models", serving.base_url());
    let client = Client::new(Dialect::Messages, &serving, "");
    assert_eq!(client.http.get(models).send().await.unwrap().status(), 401);
    let record = serving.finish();
    assert_eq!(
        (record.usage.requests, record.usage.failed_requests),
        (0, 4 * Dialect::ALL.len() as u64 + 1)
    );
    assert!(record.errors[0].contains("token"));
}

#[tokio::test]
async fn attempt_tokens_do_not_mix() {
    let bench = Bench::scripted();
    let one = bench.serve();
    let mut auth = bench.auth();
    auth.token = slope_gateway::random_token().unwrap();
    auth.log_path = bench.dir.path().join("other.jsonl");
    let other_token = auth.token.clone();
    let two = bench.gateway.serve_loopback(auth).unwrap();
    let stray = Client::new(Dialect::Messages, &two, &bench.token);
    let body = stray.request(&[json!({ "role": "user", "content": PROMPT })], false);
    assert_eq!(stray.post(&body).await.status(), 401);
    let client = Client::new(Dialect::Messages, &two, &other_token);
    client.converse(true, PROMPT).await;
    assert_eq!(one.finish().usage.requests, 0);
    assert_eq!(two.finish().usage.tokens, MAIN);
}

#[tokio::test]
async fn invalid_bodies_are_refused_in_dialect() {
    let bench = Bench::tuned(|config| config.limits.request_bytes = 100_000);
    let serving = bench.serve();
    let client = Client::new(Dialect::Messages, &serving, &bench.token);
    for dialect in Dialect::ALL {
        let url = format!("{}{}", serving.base_url(), dialect.path("m", true));
        let post = |body: Vec<u8>| {
            client
                .http
                .post(&url)
                .bearer_auth(&bench.token)
                .body(body)
                .send()
        };
        for (body, status, part) in [
            (b"{\"model\": ".to_vec(), 400, "not JSON"),
            (b"[]".to_vec(), 400, "not a JSON object"),
            (b"\xff\xfe".to_vec(), 400, "not JSON"),
            (Vec::new(), 400, "not JSON"),
            (vec![b' '; 100_001], 413, "longer than 100000 bytes"),
            (vec![b' '; 700_000], 413, "longer than 100000 bytes"),
        ] {
            let response = post(body).await.unwrap();
            assert_eq!(response.status(), status, "{}", dialect.name());
            let body = parse(&response.text().await.unwrap());
            assert!(
                body["error"]["message"].as_str().unwrap().contains(part),
                "{body}"
            );
        }
    }
    drop(serving.finish());
}

#[tokio::test]
async fn odd_requests_always_get_answers() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let http = Client::new(Dialect::Messages, &serving, &bench.token).http;
    let post = |path: &str| {
        http.post(format!("{}{path}", serving.base_url()))
            .bearer_auth(&bench.token)
    };
    for dialect in Dialect::ALL {
        for odd in [
            json!({}),
            json!({ "messages": 3, "tools": "x", "input": [[], 4, null], "contents": 5 }),
            json!({
                "messages": [null, { "role": "user", "content": { "a": 1 } }],
                "contents": [null, { "role": "model", "parts": [null, 3, { "text": [] }] }],
                "tools": [1], "stream_options": 7, "stream": true,
            }),
        ] {
            let status = post(&dialect.path("m", false))
                .json(&odd)
                .send()
                .await
                .unwrap()
                .status();
            assert!(status == 200 || status == 400, "{status}");
        }
    }
    let encoded = post("/v1/responses")
        .header("content-encoding", "zstd")
        .body("x");
    assert_eq!(encoded.send().await.unwrap().status(), 415);
    for path in [
        "/v1/nothing",
        "/v1/embeddings",
        "/v1/alpha/search",
        "/../etc/passwd",
    ] {
        assert_eq!(post(path).send().await.unwrap().status(), 404);
    }
    drop(serving.finish());
}

#[tokio::test]
async fn departed_client_leaves_nothing_running() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let client = Client::new(Dialect::Responses, &serving, &bench.token);
    let body = client.request(&[json!({ "role": "user", "content": "wait" })], true);
    let gone = tokio::time::timeout(Duration::from_millis(300), client.post(&body)).await;
    assert!(gone.is_err(), "the script waits for a minute");
    drop(client);
    for _ in 0..100 {
        if !bench.log().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let log = bench.log();
    assert_eq!(log[0]["status"], 499);
    assert_eq!(log[0]["error"], "the client left before there was a reply");
    let record = serving.finish();
    assert_eq!(
        (record.usage.requests, record.usage.failed_requests),
        (0, 1)
    );
}

#[test]
fn stalled_reader_does_not_delay_finish() {
    let bench = Bench::tuned(|config| config.limits.finish_patience = Duration::from_millis(300));
    let serving = bench.serve();
    let body = json!({
        "model": "m", "stream": true, "input": [{ "role": "user", "content": "a long one" }],
        "tools": [{ "type": "function", "name": "bash", "parameters": { "properties": { "command": {} } } }],
    })
    .to_string();
    let mut sockets = Vec::new();
    for _ in 0..6 {
        let mut socket = TcpStream::connect(serving.address()).unwrap();
        write!(
            socket,
            "POST /v1/responses HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-length: {}\r\n\r\n{body}",
            bench.token,
            body.len()
        )
        .unwrap();
        let mut start = [0; 12];
        socket.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
        sockets.push(socket);
    }
    // One more that sends half a request and then nothing.
    let mut half = TcpStream::connect(serving.address()).unwrap();
    half.write_all(b"POST /v1/mess").unwrap();
    let address = serving.address();
    let record = serving.finish();
    assert!(
        TcpStream::connect(address).is_err(),
        "the listener is closed"
    );
    let log = bench.log();
    assert_eq!(log.len(), 6, "each exchange is booked once");
    assert_eq!(record.usage.requests, 6);
    let incomplete = log.iter().filter(|line| line["complete"] == false).count() as u64;
    assert_eq!(record.usage.unreported, incomplete);
    assert_eq!(record.usage.tokens.output, 6 - incomplete);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn request_bodies_share_memory_limit() {
    // Room for one body only, so that each waits for the one before it.
    let bench = Bench::tuned(|config| {
        config.limits.request_bytes = 20_000;
        config.limits.in_flight_bytes = 1;
    });
    let serving = bench.serve();
    let mut tasks = Vec::new();
    for _ in 0..8 {
        let client = Client::new(Dialect::Messages, &serving, &bench.token);
        let prompt = format!("{PROMPT} {}", "x".repeat(15_000));
        tasks.push(tokio::spawn(
            async move { client.converse(true, &prompt).await },
        ));
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(serving.finish().usage.requests, 24);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_conversations_are_counted_exactly() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let mut tasks = Vec::new();
    for number in 0..60 {
        let dialect = Dialect::ALL[number % 3];
        let client = Client::new(dialect, &serving, &bench.token);
        tasks.push(tokio::spawn(async move {
            client.converse(number % 2 == 0, PROMPT).await
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let record = serving.finish();
    assert_eq!(record.usage.requests, 180);
    assert_eq!(record.usage.tokens.input, MAIN.input * 60);
    assert_eq!(record.usage.tokens.reasoning, MAIN.reasoning * 60);
    let mut numbers: Vec<u64> = bench
        .log()
        .iter()
        .map(|line| line["seq"].as_u64().unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=180).collect::<Vec<_>>());
}

#[test]
fn idle_connection_does_not_delay_finish() {
    let patience = Duration::from_hours(1);
    let bench = Bench::tuned(|config| config.limits.finish_patience = patience);
    let serving = bench.serve();
    let mut reserve = TcpStream::connect(serving.address()).unwrap();
    // Answered, so the one before it was accepted too.
    let mut used = TcpStream::connect(serving.address()).unwrap();
    used.write_all(b"HEAD / HTTP/1.1\r\nhost: x\r\n\r\n")
        .unwrap();
    let mut start = [0; 12];
    used.read_exact(&mut start).unwrap();
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        drop(serving.finish());
        let _ = done.send(());
    });
    assert!(
        ended.recv_timeout(Duration::from_mins(1)).is_ok(),
        "finish waits for nobody"
    );
    assert_eq!(reserve.read(&mut start).unwrap_or(0), 0, "closed");
}

#[test]
fn early_drop_is_harmless() {
    let bench = Bench::scripted();
    let serving = bench.serve();
    let address = serving.address();
    drop(serving);
    std::thread::sleep(Duration::from_millis(200));
    assert!(TcpStream::connect(address).is_err());
    let serving = bench.serve();
    drop(bench);
    assert_eq!(serving.finish().usage.requests, 0);
}
