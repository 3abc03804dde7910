//! A gateway before a server of the test, and servers that misbehave.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use slope_gateway::{
    AttemptAuth, AttemptRecord, Caps, Dialect, Gateway, GatewayConfig, HttpUpstream, KeyHeader,
    KeySource, RetryPolicy, Serving, Upstream, random_token,
};
use slope_model::usage::Prices;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::Client;

pub(crate) const PROMPT: &str = "Please add a file with a greeting.";

/// A key of an upstream.
pub(crate) const KEY: &str = "sk-secret-of-the-host";

pub(crate) struct Front {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) gateway: Gateway,
    pub(crate) token: String,
}

impl Front {
    pub(crate) fn new(base_url: String, dialect: Dialect, key: &str) -> Self {
        Self::tuned(base_url, dialect, key, |_| {})
    }

    pub(crate) fn tuned(
        base_url: String,
        dialect: Dialect,
        key: &str,
        tune: impl FnOnce(&mut GatewayConfig),
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let key_file = dir.path().join("key");
        std::fs::write(&key_file, format!("{key}\n")).unwrap();
        let mut config = GatewayConfig::new(Upstream::Http(HttpUpstream {
            base_url,
            dialect,
            key: KeySource::File(key_file),
            key_header: KeyHeader::Dialect,
            model: Some("the-real-model".into()),
        }));
        config.retry = RetryPolicy {
            retries: 2,
            first_wait: Duration::from_millis(5),
            longest_wait: Duration::from_secs(2),
            outage: Duration::ZERO,
        };
        tune(&mut config);
        let gateway = Gateway::new(config).unwrap();
        Self {
            dir,
            gateway,
            token: random_token().unwrap(),
        }
    }

    pub(crate) fn serve(&self) -> Serving {
        self.gateway
            .serve_loopback(AttemptAuth {
                token: self.token.clone(),
                trial: "trial".into(),
                checkpoint_index: 1,
                log_path: self.dir.path().join("log.jsonl"),
                caps: Caps::default(),
                prices: Some(Prices {
                    input: 3.0,
                    cache_read: 0.3,
                    cache_write: 3.75,
                    cache_write_1h: None,
                    output: 15.0,
                }),
            })
            .unwrap()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("log.jsonl")).unwrap_or_default()
    }
}

/// A server that answers its requests with these bytes, one answer a connection, the last one
/// from then on.
pub(crate) async fn canned<A>(answers: Vec<A>) -> (String, Arc<AtomicUsize>)
where
    A: AsRef<[u8]> + Clone + Send + Sync + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let at = count.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
            let answer = answers[at].clone();
            tokio::spawn(async move {
                let mut seen = Vec::new();
                let mut buffer = [0; 65536];
                while let Ok(length @ 1..) = socket.read(&mut buffer).await {
                    seen.extend_from_slice(&buffer[..length]);
                    if whole(&seen) {
                        break;
                    }
                }
                let _ = socket.write_all(answer.as_ref()).await;
                let _ = socket.shutdown().await;
            });
        }
    });
    (base, asked)
}

pub(crate) fn whole(seen: &[u8]) -> bool {
    let text = String::from_utf8_lossy(seen);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().ok())?
    });
    body.len() >= length.unwrap_or_default()
}

pub(crate) fn http(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

/// An answer of Messages.
pub(crate) const GOOD: &str = r#"{"content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":4,"cache_read_input_tokens":2,"output_tokens":3}}"#;

pub(crate) async fn ask(
    base: String,
    key: &str,
    stream: bool,
) -> (u16, String, AttemptRecord, String) {
    let front = Front::new(base, Dialect::Messages, key);
    let serving = front.serve();
    let client = Client::new(Dialect::Messages, &serving, &front.token);
    let body = client.request(&[json!({ "role": "user", "content": PROMPT })], stream);
    let response = client.post(&body).await;
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, text, serving.finish(), front.log())
}
