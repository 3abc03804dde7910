//! Requests to receivers.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

/// Time limit of a request.
const WHOLE: Duration = Duration::from_secs(20);
/// Largest answer in bytes.
const MAX_ANSWER: u64 = 4 << 20;
/// Characters of a receiver's text in a fault.
const MAX_TEXT: usize = 200;

/// Method of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Verb {
    Get,
    Post,
    Patch,
}

/// A client for all receivers.
pub(crate) struct Client {
    agent: Agent,
}

impl Client {
    pub(crate) fn new() -> Self {
        let config = slope_request::settings().timeout_global(Some(WHOLE));
        Self {
            agent: config.build().into(),
        }
    }

    /// Sends a request, and returns the text of a successful answer. A fault never names the address,
    /// which may be a secret.
    pub(crate) fn send(
        &self,
        verb: Verb,
        url: &str,
        headers: &[(&'static str, String)],
        body: Option<&str>,
    ) -> Result<String, String> {
        let mut request = ureq::http::Request::builder()
            .method(match verb {
                Verb::Get => "GET",
                Verb::Post => "POST",
                Verb::Patch => "PATCH",
            })
            .uri(url);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let fault = |_| "the address or a header is malformed".to_owned();
        let request = request
            .body(body.unwrap_or_default().to_owned())
            .map_err(fault)?;
        let mut response = self
            .agent
            .run(request)
            .map_err(|error| without(url, &error))?;
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(MAX_ANSWER);
        let text = text.read_to_vec();
        if (200..300).contains(&status) {
            // The receiver took the message, whatever it says.
            let text = text.unwrap_or_default();
            return Ok(String::from_utf8_lossy(&text).into_owned());
        }
        let text = text.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let start: String = text.chars().take(MAX_TEXT).collect();
        Err(format!("status {status}: {}", start.trim()))
    }

    /// Sends JSON with a token, and reads the JSON of the answer.
    pub(crate) fn json(
        &self,
        verb: Verb,
        url: &str,
        token: &str,
        body: Option<&Value>,
    ) -> Result<Value, String> {
        let headers = [
            ("authorization", format!("Bearer {token}")),
            ("accept", "application/vnd.github+json".to_owned()),
            ("x-github-api-version", "2022-11-28".to_owned()),
        ];
        let body = body.map(Value::to_string);
        let text = self.send(verb, url, &headers, body.as_deref())?;
        serde_json::from_str(&text).map_err(|_| "the answer is not JSON".to_owned())
    }
}

/// The text of an error without the address.
fn without(url: &str, error: &ureq::Error) -> String {
    format!(
        "no answer: {}",
        error.to_string().replace(url, "the address")
    )
}
