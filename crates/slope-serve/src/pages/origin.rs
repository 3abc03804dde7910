//! The address of the server in the commands that pages show. A page with a script puts it there itself; others get it
//! from the request.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;

use super::sign_in::is_encrypted;

/// The address in the templates of pages.
const SHOWN: &str = "<span class=\"origin\">http://127.0.0.1:8750</span>";

/// Puts the address by which a visitor reaches the server into the commands of a page.
pub(super) async fn with_origin(request: Request, next: Next) -> Response {
    let origin = origin(request.headers());
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    match origin {
        Some(origin) if is_page => replaced(response, &origin).await,
        _ => response,
    }
}

async fn replaced(response: Response, origin: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    // A page is in memory as a whole.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return Response::from_parts(parts, Body::empty());
    };
    let text = String::from_utf8_lossy(&bytes);
    if !text.contains(SHOWN) {
        return Response::from_parts(parts, Body::from(bytes));
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    let shown = format!("<span class=\"origin\">{origin}</span>");
    Response::from_parts(parts, Body::from(text.replace(SHOWN, &shown)))
}

/// The address in a request. `None` if its host has other characters than a name and a port: it is part of a page.
pub(super) fn origin(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    let is_host = !host.is_empty() && host.len() <= 255 && host.chars().all(is_plain);
    let scheme = if is_encrypted(headers) {
        "https"
    } else {
        "http"
    };
    is_host.then(|| format!("{scheme}://{host}"))
}
