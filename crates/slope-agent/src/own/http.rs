//! Requests to the model's server: one at a time, blocking, with bounded retries.

use std::io::{BufReader, Read};
use std::time::Duration;

use serde_json::Value;

use super::wire::{self, Parts, Reply};
use super::{Payload, sse};

/// Largest reply, in bytes on the wire.
const LARGEST: u64 = 128 << 20;

/// Longest pause before a retry, whatever the server requests.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Reason that a request failed.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    /// One line.
    pub(super) message: String,
    /// Status of the answer, if there was one.
    pub(super) status: Option<u16>,
    /// Whether the same request may work later.
    pub(super) passing: bool,
    /// Wait that the server requests.
    pub(super) after: Option<Duration>,
}

impl Failure {
    fn passing(message: String) -> Self {
        Self {
            message,
            status: None,
            passing: true,
            after: None,
        }
    }
}

/// Client of the model's server.
pub(super) struct Client<'a> {
    agent: ureq::Agent,
    payload: &'a Payload,
    stream: bool,
}

impl<'a> Client<'a> {
    pub(super) fn new(payload: &'a Payload) -> Self {
        // No timeouts: a reply may take as long as the attempt's wall clock allows, and with a
        // timeout the client would resolve names on a thread of its own.
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .user_agent("agent")
            .build();
        Self {
            agent: config.into(),
            payload,
            stream: payload.stream,
        }
    }

    /// Sends a request until there is a reply or no retry is left. `told` is called for each
    /// failure.
    pub(super) fn ask(
        &mut self,
        history: &[Value],
        mut told: impl FnMut(&Failure, u32),
    ) -> Result<Reply, Failure> {
        let mut pause = Duration::from_millis(self.payload.retry_pause_ms);
        let mut number = 1;
        loop {
            let failure = match self.ask_once(history) {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            told(&failure, number);
            if self.stream && refuses_streams(&failure) {
                self.stream = false;
                continue;
            }
            if !failure.passing || number >= self.payload.tries {
                return Err(failure);
            }
            std::thread::sleep(failure.after.unwrap_or(pause).min(MAX_PAUSE));
            pause = pause.saturating_mul(2);
            number += 1;
        }
    }

    fn ask_once(&self, history: &[Value]) -> Result<Reply, Failure> {
        let dialect = self.payload.dialect;
        let url = format!("{}{}", self.payload.base_url, wire::path(dialect));
        let mut request = self
            .agent
            .post(&url)
            .header("content-type", "application/json");
        for (name, value) in wire::headers(self.payload) {
            request = request.header(name, value);
        }
        let body = wire::request(self.payload, history, self.stream).to_string();
        let response = request
            .send(body.as_bytes())
            .map_err(|error| Failure::passing(format!("no answer from {url}: {error}")))?;
        let status = response.status().as_u16();
        let header = |name: &str| {
            response
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned)
        };
        let streamed = header("content-type")
            .is_some_and(|kind| kind.trim_start().starts_with("text/event-stream"));
        let after = header("retry-after").and_then(|value| value.trim().parse().ok());
        let reader = response
            .into_body()
            .into_with_config()
            .limit(LARGEST)
            .reader();
        if status != 200 {
            return Err(refused(status, after, reader));
        }
        if streamed {
            read_stream(dialect, reader)
        } else {
            read_whole(dialect, reader)
        }
    }
}

fn refused(status: u16, after: Option<u64>, reader: impl Read) -> Failure {
    let mut body = Vec::new();
    // An unreadable part of an error's words is not missed.
    drop(reader.take(64 << 10).read_to_end(&mut body));
    let words = match serde_json::from_slice::<Value>(&body) {
        Ok(body) => wire::error_words(&body),
        Err(_) => crate::evidence::one_line(&String::from_utf8_lossy(&body), 300),
    };
    Failure {
        message: format!("the model's server answered with status {status}: {words}"),
        status: Some(status),
        passing: status == 408 || status == 429 || status >= 500,
        after: after.map(Duration::from_secs),
    }
}

/// Whether the server seems not to know streams, or their usage.
fn refuses_streams(failure: &Failure) -> bool {
    matches!(failure.status, Some(400 | 404 | 422 | 501)) && failure.message.contains("stream")
}

fn read_stream(dialect: crate::Dialect, reader: impl Read) -> Result<Reply, Failure> {
    let mut reader = BufReader::new(reader);
    let mut parts = Parts::new(dialect);
    loop {
        match sse::next(&mut reader) {
            Ok(Some(event)) => parts.take(&event).map_err(Failure::passing)?,
            Ok(None) => break,
            Err(error) => return Err(Failure::passing(format!("the reply broke off: {error}"))),
        }
    }
    parts
        .reply()
        .ok_or_else(|| Failure::passing("the reply broke off before its end".to_owned()))
}

fn read_whole(dialect: crate::Dialect, mut reader: impl Read) -> Result<Reply, Failure> {
    let mut body = Vec::new();
    reader
        .read_to_end(&mut body)
        .map_err(|error| Failure::passing(format!("the reply broke off: {error}")))?;
    let body: Value = serde_json::from_slice(&body)
        .map_err(|error| Failure::passing(format!("the reply is not JSON: {error}")))?;
    wire::whole(dialect, &body).map_err(Failure::passing)
}
