//! Signing in with a token, which the browser then sends as a cookie.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Form, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use tower_http::timeout::TimeoutLayer;

use super::answer::{Failure, answer};
use crate::access::COOKIE;
use crate::app::App;

/// Largest form, in bytes.
const LARGEST: usize = 4096;
/// Longest time for a form.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a browser keeps the cookie, in seconds: 30 days.
const AGE: u32 = 30 * 24 * 60 * 60;

#[derive(Debug, Deserialize)]
struct Asked {
    #[serde(default)]
    next: String,
}

#[derive(Debug, Deserialize)]
struct Given {
    token: String,
    #[serde(default)]
    next: String,
}

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/sign-in", get(ask).post(check))
        .route("/sign-out", post(forget))
        // Anybody may send these.
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            PATIENCE,
        ))
}

async fn ask(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Response {
    answer(
        &app,
        app.site.sign_in(false, &asked.next).map_err(Failure::Html),
    )
}

async fn check(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Form(given): Form<Given>,
) -> Response {
    let secret = given.token.trim();
    let known = match app.database.token(secret).await {
        Ok(known) => known.filter(|token| token.revoked.is_none()),
        Err(error) => return answer(&app, Err(error.into())),
    };
    if known.is_none() {
        let page = app.site.sign_in(true, &given.next).map_err(Failure::Html);
        let mut response = answer(&app, page);
        *response.status_mut() = StatusCode::UNAUTHORIZED;
        return response;
    }
    let cookie = cookie(secret, AGE, is_encrypted(&headers));
    (
        [(header::SET_COOKIE, cookie)],
        Redirect::to(own_path(&given.next)),
    )
        .into_response()
}

async fn forget(headers: HeaderMap) -> Response {
    let cookie = cookie("", 0, is_encrypted(&headers));
    ([(header::SET_COOKIE, cookie)], Redirect::to("/sign-in")).into_response()
}

/// A cookie that no script reads, and that no other site makes a browser send.
fn cookie(secret: &str, age: u32, is_encrypted: bool) -> String {
    let secure = if is_encrypted { "; Secure" } else { "" };
    format!("{COOKIE}={secret}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}")
}

/// Whether a proxy says that the browser's connection has TLS.
pub(super) fn is_encrypted(headers: &HeaderMap) -> bool {
    headers
        .get("x-forwarded-proto")
        .is_some_and(|proto| proto == "https")
}

/// A path of this server; the first page for anything else, so that no link leads elsewhere.
fn own_path(next: &str) -> &str {
    let is_own = next.starts_with('/')
        && !next.starts_with("//")
        && !next.contains(|c: char| c == '\\' || c.is_control());
    if is_own { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn links_stay_on_this_server() {
        assert_eq!(own_path("/projects/a?days=7"), "/projects/a?days=7");
        for next in [
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "",
            "/a\r\nx: y",
            "/\t/evil.example",
        ] {
            assert_eq!(own_path(next), "/", "{next}");
        }
    }
}
