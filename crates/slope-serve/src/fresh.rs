//! Answers that a client has already: `ETag` and `If-None-Match`.

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Largest answer whose hash is made, in bytes.
const LARGEST: u64 = 64 << 20;

/// Gives each answer to GET a hash, and answers 304 to a client that has it. Streams pass unchanged.
pub(crate) async fn compare(request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    let is_whole = response
        .body()
        .size_hint()
        .exact()
        .is_some_and(|size| size <= LARGEST);
    if !is_read || !is_whole || response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let hash = format!("\"{}\"", &blake3::hash(&bytes).to_hex()[..32]);
    let is_known = known.is_some_and(|known| known.to_str().is_ok_and(|known| names(known, &hash)));
    if let Ok(tag) = HeaderValue::from_str(&hash) {
        parts.headers.insert(header::ETAG, tag);
    }
    let headers = &mut parts.headers;
    let entry = headers.entry(header::CACHE_CONTROL);
    entry.or_insert(HeaderValue::from_static("no-cache"));
    if is_known {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_LENGTH);
        parts.headers.remove(header::CONTENT_TYPE);
        return Response::from_parts(parts, Body::empty());
    }
    Response::from_parts(parts, Body::from(bytes))
}

/// Whether a list of tags has this one.
fn names(list: &str, tag: &str) -> bool {
    let mut tags = list
        .split(',')
        .map(|one| one.trim().trim_start_matches("W/"));
    tags.any(|one| one == "*" || one == tag)
}
