//! Requests to a service under test, which may answer anything, slowly, endlessly or not at all.

use std::collections::BTreeMap;
use std::io::Read;
use std::time::{Duration, Instant};

use serde_json::Value;
use slope_model::cases::{Capture, Request, ResponseExpect};
use ureq::config::AutoHeaderValue;
use ureq::http;

use super::json::only;
use super::text::{shown, text};

/// Largest response body, in bytes.
const BODY_LIMIT: u64 = 8 << 20;
/// Largest head of a response.
const HEAD_LIMIT: usize = 64 << 10;

/// A complete response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    /// Headers by name in lower case; values of the same name are joined.
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

/// Reason for a missing response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoResponse {
    /// Whether the time limit was exceeded.
    pub(super) late: bool,
    pub(super) why: String,
}

/// Sends `request` to `port` on loopback over a connection of its own.
pub(super) fn send(port: u16, request: &Request, limit: Duration) -> Result<Response, NoResponse> {
    let began = Instant::now();
    let failed = |error: &dyn std::fmt::Display, late: bool| NoResponse {
        late,
        why: format!("{}: {error}", String::from(request.send.clone())),
    };
    let unanswered = |error: ureq::Error| {
        if matches!(error, ureq::Error::Timeout(_)) {
            let seconds = limit.as_secs_f64();
            return failed(&format!("no whole answer within {seconds} s"), true);
        }
        failed(&format!("no valid answer: {error}"), false)
    };
    let (builder, body) = outgoing(port, request);
    let agent = agent(limit);
    let answer = match body {
        Some(bytes) => builder
            .body(bytes)
            .map_err(ureq::Error::from)
            .and_then(|r| agent.run(r)),
        None => builder
            .body(())
            .map_err(ureq::Error::from)
            .and_then(|r| agent.run(r)),
    };
    let answer = answer.map_err(unanswered)?;
    let (head, body) = answer.into_parts();
    let mut bytes = Vec::new();
    let read = body
        .into_reader()
        .take(BODY_LIMIT + 1)
        .read_to_end(&mut bytes);
    if let Err(error) = read {
        let late = began.elapsed() >= limit;
        return Err(failed(&format!("the body ends early: {error}"), late));
    }
    if bytes.len() as u64 > BODY_LIMIT {
        return Err(failed(
            &format!("a body of more than {BODY_LIMIT} bytes"),
            false,
        ));
    }
    Ok(Response {
        status: head.status.as_u16(),
        headers: joined(&head.headers),
        body: bytes,
    })
}

fn agent(limit: Duration) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .max_redirects(0)
        .proxy(None)
        .user_agent(AutoHeaderValue::None)
        .accept_encoding(AutoHeaderValue::None)
        // A kept connection could lead to a service that has ended since.
        .max_idle_connections(0)
        .max_response_header_size(HEAD_LIMIT)
        .timeout_global(Some(limit))
        .build();
    config.into()
}

/// The head of the request, and its body. Methods that usually have a body get an empty one by
/// default.
fn outgoing(port: u16, request: &Request) -> (http::request::Builder, Option<Vec<u8>>) {
    let method = request.send.method.as_str();
    let url = format!("http://127.0.0.1:{port}{}", request.send.path);
    let mut builder = http::Request::builder().method(method).uri(url);
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    let mut names = request.headers.keys();
    if request.json.is_some() && !names.any(|n| n.eq_ignore_ascii_case("content-type")) {
        builder = builder.header("content-type", "application/json");
    }
    let json = request.json.as_ref().map(|j| j.to_string().into_bytes());
    let text = || request.text.as_ref().map(|t| t.clone().into_bytes());
    let bytes = || request.base64.as_ref().map(|b| b.0.clone());
    let empty = || matches!(method, "POST" | "PUT" | "PATCH").then(Vec::new);
    (builder, json.or_else(text).or_else(bytes).or_else(empty))
}

fn joined(headers: &http::HeaderMap) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        all.entry(name.as_str().to_lowercase())
            .and_modify(|before| *before += &format!(", {value}"))
            .or_insert_with(|| value.clone().into_owned());
    }
    all
}

/// Compares a response with its expectation. With `any_status`, every status is fine unless one is
/// expected.
pub(super) fn check(
    expect: &ResponseExpect,
    response: &Response,
    any_status: bool,
) -> Result<(), String> {
    let status = response.status;
    let wanted = match expect.status {
        Some(wanted) if wanted != status => Some(wanted.to_string()),
        None if !any_status && !(200..300).contains(&status) => Some("200 to 299".to_owned()),
        _ => None,
    };
    if let Some(wanted) = wanted {
        let body = String::from_utf8_lossy(&response.body);
        return Err(format!(
            "status: expected {wanted}, got {status} (body: {})",
            shown(body.trim())
        ));
    }
    for (name, expected) in &expect.headers {
        let value = response
            .headers
            .get(&name.to_lowercase())
            .ok_or_else(|| format!("header {name}: expected, but not there"))?;
        text(&format!("header {name}"), expected, value.as_bytes())?;
    }
    let absent = |name: &&String| response.headers.contains_key(&name.to_lowercase());
    if let Some(name) = expect.no_headers.iter().find(absent) {
        return Err(format!("header {name}: expected none, there is one"));
    }
    expect
        .body
        .as_ref()
        .map_or(Ok(()), |body| text("body", body, &response.body))
}

/// The part of a response that later steps use.
pub(super) fn captured(capture: &Capture, response: &Response) -> Result<Value, String> {
    match capture {
        Capture::Header(name) => response
            .headers
            .get(&name.to_lowercase())
            .map(|value| Value::String(value.clone()))
            .ok_or_else(|| format!("header {name}: expected, but not there")),
        Capture::Json(path) => {
            let body: Value = serde_json::from_slice(&response.body)
                .map_err(|e| format!("body: not JSON ({e})"))?;
            only(path, &body)
                .map(|(_, value)| value.clone())
                .map_err(|why| format!("body: {why}"))
        }
    }
}
