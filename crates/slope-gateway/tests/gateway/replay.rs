//! Recording sessions and answering from the recordings.

use std::path::{Path, PathBuf};

use crate::common::{Bench, Client, MAIN, parse};
use serde_json::{Value, json};
use slope_gateway::{
    AttemptAuth, Caps, Dialect, Gateway, GatewayConfig, GatewayError, HttpUpstream, KeyHeader,
    KeySource, Recordings, Serving, Upstream, random_token,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const PROMPT: &str = "Please add a file with a greeting.";

/// A gateway in a folder of its own.
struct Place {
    dir: tempfile::TempDir,
    gateway: Gateway,
    token: String,
}

impl Place {
    fn new(upstream: Upstream) -> Self {
        let mut config = GatewayConfig::new(upstream);
        config.record = true;
        Self {
            dir: tempfile::tempdir().unwrap(),
            gateway: Gateway::new(config).unwrap(),
            token: random_token().unwrap(),
        }
    }

    fn forwarding(base_url: String, dialect: Dialect, key_file: PathBuf) -> Self {
        Self::new(Upstream::Http(HttpUpstream {
            base_url,
            dialect,
            key: KeySource::File(key_file),
            key_header: KeyHeader::Dialect,
            model: Some("the-real-model".into()),
        }))
    }

    fn replaying(recording: &Path) -> Self {
        let recordings = Recordings::load(&[recording.to_owned()]).unwrap();
        Self::new(Upstream::Replay(recordings))
    }

    fn try_serve(&self) -> Result<Serving, GatewayError> {
        self.gateway.serve_loopback(AttemptAuth {
            token: self.token.clone(),
            trial: "trial".into(),
            checkpoint_index: 1,
            log_path: self.dir.path().join("log.jsonl"),
            caps: Caps::default(),
            prices: None,
        })
    }

    fn serve(&self) -> Serving {
        self.try_serve().unwrap()
    }

    fn recording(&self) -> PathBuf {
        self.dir.path().join("recording.jsonl")
    }
}

fn key_file(dir: &Path, key: &str) -> PathBuf {
    let path = dir.join("key-of-the-host");
    std::fs::write(&path, key).unwrap();
    path
}

#[tokio::test]
async fn session_replays_identically() {
    for dialect in Dialect::ALL {
        for stream in [false, true] {
            let name = format!("{} stream {stream}", dialect.name());
            let back = Bench::scripted();
            let upstream = back.serve();
            let keys = tempfile::tempdir().unwrap();
            let key = key_file(keys.path(), &back.token);
            let first = Place::forwarding(upstream.base_url(), dialect, key);
            let serving = first.serve();
            let client = Client::new(dialect, &serving, &first.token);
            // Something that differs from session to session, and the token.
            let prompt = |place: &Place| {
                let day = if std::ptr::eq(place, &raw const first) {
                    "22"
                } else {
                    "3"
                };
                format!("{PROMPT} November {day}; TOKEN={}", place.token)
            };
            let (commands, seen) = client.converse(stream, &prompt(&first)).await;
            let recorded = serving.finish();
            drop(upstream.finish());

            let second = Place::replaying(&first.recording());
            let serving = second.serve();
            let client = Client::new(dialect, &serving, &second.token);
            let (again, seen_again) = client.converse(stream, &prompt(&second)).await;
            let replayed = serving.finish();
            assert_eq!((commands, seen), (again, seen_again), "{name}");
            assert_eq!(replayed.usage.tokens, MAIN, "{name}");
            assert_eq!(replayed.usage, recorded.usage, "{name}");
            assert_eq!(replayed.tools, recorded.tools, "{name}");
            assert_eq!(replayed.errors, Vec::<String>::new(), "{name}");
            // A replay can be recorded again: the same exchanges, in the same pieces.
            let lines = |place: &Place| {
                let text = std::fs::read_to_string(place.recording()).unwrap();
                let lines = text.lines().map(|line| {
                    let mut line = parse(line);
                    line["request"].take();
                    line["path"].take();
                    line
                });
                lines.collect::<Vec<Value>>()
            };
            assert_eq!(lines(&first), lines(&second), "{name}");
            assert_eq!(lines(&first).len(), 4, "{name}");
        }
    }
}

#[tokio::test]
async fn unrecorded_request_is_reported() {
    let back = Bench::tuned(|config| config.record = true);
    let serving = back.serve();
    let dialect = Dialect::Messages;
    let client = Client::new(dialect, &serving, &back.token);
    client.converse(false, PROMPT).await;
    drop(serving.finish());
    let recording = back.log_path().with_file_name("recording.jsonl");

    let place = Place::replaying(&recording);
    let serving = place.serve();
    let client = Client::new(dialect, &serving, &place.token);
    let ask = |said: &str| client.request(&[json!({ "role": "user", "content": said })], false);
    let response = client
        .post(&ask("Please add a folder with a greeting."))
        .await;
    assert_eq!(response.status(), 400);
    assert_eq!(response.headers()["x-should-retry"], "false");
    let message = parse(&response.text().await.unwrap())["error"]["message"].clone();
    for part in [
        "recording.jsonl",
        "exchange 1 of 3",
        "/messages/0/content",
        "add a file",
        "add a folder",
    ] {
        assert!(message.as_str().unwrap().contains(part), "{message}");
    }
    // What was recorded is still there, each exchange once.
    client.converse(false, PROMPT).await;
    let response = client.post(&ask(PROMPT)).await;
    let text = response.text().await.unwrap();
    assert!(
        text.contains("all 3 exchanges have been replayed"),
        "{text}"
    );
    let record = serving.finish();
    assert_eq!((record.usage.requests, record.errors.len()), (3, 2));
    assert_eq!(record.infrastructure, None);

    // The recording is of one attempt.
    let error = place.try_serve().unwrap_err().to_string();
    assert!(error.contains("attempt 2"), "{error}");
}

#[test]
fn invalid_recording_is_refused_with_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    for text in [
        "",
        "{}",
        "{\"schema\":\"slope.recording/9\",\"trial\":\"t\",\"checkpoint\":1}",
    ] {
        std::fs::write(&path, text).unwrap();
        let error = Recordings::load(std::slice::from_ref(&path)).unwrap_err();
        assert!(
            matches!(error, GatewayError::Recording { line: 1, .. }),
            "{error}"
        );
        assert!(error.to_string().contains("x.jsonl:1"), "{error}");
    }
}

/// A server that streams a text in pieces of a few bytes, so that nothing comes whole.
async fn trickling(text: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            socket.set_nodelay(true).unwrap();
            let mut buffer = [0; 65536];
            let _ = socket.read(&mut buffer).await;
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let _ = socket.write_all(head.as_bytes()).await;
            for piece in text.as_bytes().chunks(7) {
                let _ = socket.write_all(piece).await;
                let _ = socket.flush().await;
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
        }
    });
    base
}

#[tokio::test]
async fn attempt_files_contain_no_secrets() {
    const KEY: &str = "sk-secret-of-the-host-0123456789";
    let keys = tempfile::tempdir().unwrap();
    let key = key_file(keys.path(), KEY);
    // A server that says what it was asked with.
    let token_of = |place: &Place| place.token.clone();
    let text = format!(
        "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{KEY} and {KEY}\"}}]}},\"finishReason\":\"STOP\"}}],\"usageMetadata\":{{\"promptTokenCount\":3}}}}\r\n\r\n"
    );
    let base = trickling(text).await;
    let place = Place::forwarding(base, Dialect::Gemini, key);
    let serving = place.serve();
    let client = Client::new(Dialect::Gemini, &serving, &place.token);
    let said = format!("{PROMPT} {KEY} {}", place.token);
    let body = client.request(&[json!({ "role": "user", "content": said })], true);
    let answer = client.post(&body).await.text().await.unwrap();
    assert!(answer.contains(KEY), "passed on as it came: {answer}");
    let record = serving.finish();
    assert_eq!(record.usage.requests, 1);
    let mut files = 0;
    for entry in std::fs::read_dir(place.dir.path()).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        files += 1;
        for secret in [KEY, &token_of(&place)] {
            assert!(!text.contains(secret), "{}", path.display());
        }
        // Nor with the pieces put together.
        for line in text.lines().map(parse) {
            let chunks = line["chunks"].as_array().cloned().unwrap_or_default();
            let joined: String = chunks.iter().filter_map(Value::as_str).collect();
            assert!(!joined.contains(KEY), "{}", path.display());
            if !joined.is_empty() {
                assert!(chunks.len() > 5, "{chunks:?}");
                assert!(joined.contains("[redacted] and [redacted]"), "{joined}");
            }
        }
    }
    assert_eq!(files, 2, "the log and the recording");
    assert!(!format!("{record:?}").contains(KEY));
}
