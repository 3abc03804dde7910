//! Requests that may be sent again: the header `Idempotency-Key`.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use slope_database::Repeat;

use crate::access::Caller;
use crate::app::App;
use crate::problem::Problem;

/// The header with the client's key.
const KEY: &str = "idempotency-key";
/// The path of all projects.
const PROJECTS: &str = "/api/v1/projects";
/// Times of projects are rounded to seconds.
const ROUNDED_MS: i64 = 1000;
/// Longest key, in bytes.
const LONGEST_KEY: usize = 255;

/// Answers a request whose key was used before with the first answer. Needs a caller, so it comes after the guard.
pub(crate) async fn answer_again(
    State(app): State<Arc<App>>,
    caller: Caller,
    request: Request,
    next: Next,
) -> Response {
    let Some(key) = request.headers().get(KEY).cloned() else {
        return next.run(request).await;
    };
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let key = match key.to_str() {
        Ok(key) if is_key(key) => key.to_owned(),
        _ => return faulty("the idempotency key is empty, too long, or has spaces or other characters than visible ASCII").into_response(),
    };
    match known_or_new(&app, &caller, &key, request, next).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

/// Whether a text is as the description of the header says.
fn is_key(key: &str) -> bool {
    (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
}

fn faulty(detail: &str) -> Problem {
    Problem::new(
        StatusCode::BAD_REQUEST,
        detail,
        "use another key for each new request, of at most 255 characters",
    )
}

async fn known_or_new(
    app: &App,
    caller: &Caller,
    key: &str,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, app.settings.body_bytes).await.map_err(|_| {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the body is too large, or ended early",
            "send less at once",
        )
    })?;
    let mut hasher = blake3::Hasher::new();
    let start = format!("{} {}\n", parts.method, parts.uri);
    hasher.update(start.as_bytes()).update(&bytes);
    let hash = hasher.finalize().to_hex().to_string();
    // The second of two requests at the same time waits for the first answer.
    let _turn = app.repeats.lock().await;
    if let Some(known) = app.database.repeat(caller.id(), key).await? {
        if known.request != hash {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "the idempotency key was used for another request",
                "use another key for each new request",
            ));
        }
        if is_still_true(app, (&parts.method, parts.uri.path()), &known).await? {
            return Ok(kept(known));
        }
        app.database.forget_repeat(caller.id(), key).await?;
    }
    let request = Request::from_parts(parts, Body::from(bytes));
    let response = next.run(request).await;
    if !response.status().is_success() {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let answer = String::from_utf8_lossy(&bytes).into_owned();
    let repeat = Repeat::new(hash, parts.status.as_u16(), answer);
    app.database.keep_repeat(caller.id(), key, &repeat).await?;
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

/// Whether the project of a kept answer is still there. One that was removed and added again is another one.
async fn is_still_true(
    app: &App,
    (method, path): (&Method, &str),
    known: &Repeat,
) -> Result<bool, Problem> {
    let below = path.strip_prefix(PROJECTS).unwrap_or_default();
    let name = match below.trim_start_matches('/').split_once('/') {
        Some((name, _)) => name.to_owned(),
        // The first answer to the removal of the project itself stays right.
        None if *method == Method::DELETE => return Ok(true),
        None => added(known).unwrap_or_default(),
    };
    let project = match app.database.project(&name).await {
        Ok(project) => project,
        Err(slope_database::Error::Unknown { .. }) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let created: jiff::Timestamp = project.created.parse().unwrap_or_default();
    Ok(created.as_millisecond() <= known.created_ms + ROUNDED_MS)
}

/// The name of the project that a kept answer says is added.
fn added(known: &Repeat) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_str(&known.answer).ok()?;
    Some(answer["name"].as_str()?.to_owned())
}

fn kept(known: Repeat) -> Response {
    let status = StatusCode::from_u16(known.status).unwrap_or(StatusCode::OK);
    let mut response = (status, known.answer).into_response();
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
