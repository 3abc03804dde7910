//! Floods, slow clients, tokens, and the end.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use slope_http::Settings;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::common::{Running, request, start};

/// A request whose edit no other has.
fn own_request(number: usize) -> Value {
    let text = format!("def made_{number}(value):\n    return value + {number}\n");
    json!({
        "id": format!("r{number}"),
        "change": {"kind": "files", "data": {"made.py": text}},
        "tests": {"passed": 1, "failed": 0},
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn flood_is_answered_once_each() {
    let server = start(Settings::default()).await;
    let answers = join_all((0..1_000).map(|number| {
        let server = &server;
        async move { server.post_json("/v1/score", &own_request(number)).await }
    }))
    .await;
    assert!(answers.iter().all(|(code, _)| *code == 200));
    let ids: BTreeSet<&str> = answers
        .iter()
        .map(|(_, grade)| grade["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 1_000);
    let (_, metrics) = server.get("/metrics").await;
    assert!(metrics.contains("slope_grades_in_flight 0"), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn full_server_asks_to_wait() {
    let server = start(Settings {
        held_bytes: 1_000,
        ..Settings::default()
    })
    .await;
    // A client that sends its body later holds the bytes.
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 990\r\n\r\n";
    slow.write_all(head.as_bytes()).await.unwrap();
    let refused = loop {
        let body = own_request(1).to_string();
        let answer = server
            .client
            .post(server.url("/v1/score"))
            .body(body)
            .send();
        let answer = answer.await.unwrap();
        if answer.status() == 429 {
            break answer;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let wait = refused.headers()["retry-after"].to_str().unwrap().parse();
    assert!((1..=60).contains(&wait.unwrap()));
    let error: Value = refused.json().await.unwrap();
    let help = error["error"]["help"].as_str().unwrap();
    assert!(help.contains("again"), "{error}");
    drop(slow);
    // The bytes are free again.
    while server.post("/v1/score", own_request(2).to_string()).await.0 == 429 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn large_bodies_are_refused() {
    let server = start(Settings {
        held_bytes: 1 << 20,
        ..Settings::default()
    })
    .await;
    let mut large = request("large");
    large["note"] = json!("x".repeat(17 << 20));
    // The server answers before it has read all, so a client that still writes may see no answer.
    let mut answers = Vec::new();
    for _ in 0..20 {
        let sent = server.client.post(server.url("/v1/score"));
        let answer = sent.body(large.to_string()).send().await;
        answers.extend(answer.map(|answer| answer.status().as_u16()));
        if !answers.is_empty() {
            break;
        }
    }
    assert_eq!(answers, [413]);
    // One body is always held, so that a small limit does not refuse everything.
    assert_eq!(
        server
            .post("/v1/score", request("small").to_string())
            .await
            .0,
        200
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_are_cut_off() {
    let server = start(Settings {
        patience: Duration::from_millis(300),
        ..Settings::default()
    })
    .await;
    let of_headers = slow(
        &server,
        b"POST /v1/score HTTP/1.1\r\nHost: x\r\n".as_slice(),
    );
    let of_body = slow(
        &server,
        b"POST /v1/score HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{".as_slice(),
    );
    let quick = async {
        assert_eq!(
            server
                .post("/v1/score", request("quick").to_string())
                .await
                .0,
            200
        );
    };
    tokio::join!(of_headers, of_body, quick);
}

/// Sends a beginning, and waits until the server closes the connection.
async fn slow(server: &Running, beginning: &[u8]) {
    let mut socket = TcpStream::connect(server.address).await.unwrap();
    socket.write_all(beginning).await.unwrap();
    let mut answer = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), socket.read_to_end(&mut answer));
    drop(read.await.expect("the server closes the connection"));
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_need_the_token() {
    let server = start(Settings {
        token: Some("secret".to_owned()),
        ..Settings::default()
    })
    .await;
    for (given, wanted) in [(None, 401), (Some("wrong"), 401), (Some("secret"), 200)] {
        let mut sent = server
            .client
            .post(server.url("/v1/score"))
            .json(&request("a"));
        if let Some(given) = given {
            sent = sent.bearer_auth(given);
        }
        assert_eq!(sent.send().await.unwrap().status(), wanted);
    }
    assert_eq!(server.get("/v1/bases").await.0, 401);
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.get(path).await.0, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn grades_have_a_time_limit() {
    let server = start(Settings::default()).await;
    let mut hurried = own_request(1);
    hurried["options"] = json!({"deadline_ms": 0});
    let (code, grade) = server.post_json("/v1/score", &hurried).await;
    assert_eq!(
        (code, &grade["status"], &grade["reward"]),
        (200, &json!("timeout"), &Value::Null)
    );
    // A time limit that ended is not kept.
    let (_, grade) = server.post_json("/v1/score", &own_request(1)).await;
    assert_eq!(grade["status"], "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn end_waits_for_requests_in_flight() {
    let server = start(Settings::default()).await;
    let lines: Vec<String> = (0..100)
        .map(|number| own_request(number).to_string())
        .collect();
    let sent = server
        .client
        .post(server.url("/v1/score:batch"))
        .body(lines.join("\n"));
    let answer = sent.send().await.unwrap();
    let app = server.app.clone();
    let start = Instant::now();
    let ended = server.stop();
    let text = answer.text().await.unwrap();
    assert_eq!(text.lines().count(), 100);
    ended.await.unwrap();
    drop(app);
    assert!(start.elapsed() < Duration::from_secs(300));
}

#[tokio::test(flavor = "multi_thread")]
async fn batch_over_the_queue_is_refused() {
    let queue = 2;
    let server = start(Settings {
        queue,
        ..Settings::default()
    })
    .await;
    let lines: Vec<String> = (0..3)
        .map(|number| own_request(number).to_string())
        .collect();
    let (code, text) = server.post("/v1/score:batch", lines.join("\n")).await;
    assert_eq!(code, 413);
    assert!(text.contains("at most 2 edits"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_are_refused() {
    let token = Some("secret".to_owned());
    for (header, value, code) in [
        ("host", "evil.example:8917", 403),
        ("host", "localhost:8917", 200),
        ("host", "[::1]:8917", 200),
        ("host", "127.0.0.1.evil.example", 403),
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("origin", "http://localhost:3000", 200),
    ] {
        let open = start(Settings::default()).await;
        let guarded = start(Settings {
            token: token.clone(),
            ..Settings::default()
        })
        .await;
        for (server, code) in [(open, code), (guarded, 200)] {
            let sent = server.client.get(server.url("/v1/bases"));
            let sent = sent.bearer_auth("secret").header(header, value).send();
            assert_eq!(sent.await.unwrap().status(), code, "{header}: {value}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_libraries_name_remedies() {
    let server = start(Settings::default()).await;
    for (path, body, code) in [
        ("/v1/score:batch?order=up", "{}", 400),
        ("/v1/bases?strip=-1", "", 400),
        ("/v1/bases?strip=many", "", 400),
        ("/nowhere", "", 404),
        ("/healthz", "", 405),
    ] {
        let (status, text) = server.post(path, body.to_owned()).await;
        assert_eq!(status, code, "{path}: {text}");
        assert!(is_explained(&text), "{path}: {text}");
    }
    // A body that is too long is refused before it is sent.
    let mut client = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000000\r\n\r\n";
    client.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    let (head, text) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 413 "), "{head}");
    assert!(is_explained(text), "{text}");
}

/// Whether a text is an error with its remedy.
fn is_explained(text: &str) -> bool {
    let error: Value = serde_json::from_str(text).unwrap_or_default();
    let has = |key: &str| {
        error["error"][key]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    };
    has("message") && has("help")
}
