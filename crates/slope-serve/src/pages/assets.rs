//! The files that all pages share.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use slope_report::{SITE_SCRIPT, SITE_STYLE};

use crate::app::App;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route(
            "/assets/site.css",
            get(async || kept("text/css; charset=utf-8", SITE_STYLE)),
        )
        .route(
            "/assets/site.js",
            get(async || kept("text/javascript; charset=utf-8", SITE_SCRIPT)),
        )
}

/// A file that browsers may keep, because its address has its version.
fn kept(kind: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, text).into_response()
}
