//! Health, readiness and metrics. They need no token.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde_json::json;

use crate::answer::{json_of, with_type};
use crate::app::App;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
}

/// The process answers.
async fn healthz() -> Response {
    json_of(StatusCode::OK, &json!({"status": "ok"}))
}

/// The bases of the start are open.
async fn readyz(State(app): State<Arc<App>>) -> Response {
    let (code, status) = if app.is_ready() {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "opening bases")
    };
    json_of(
        code,
        &json!({"status": status, "bases": app.bases.list().len()}),
    )
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    with_type(StatusCode::OK, kind, Body::from(app.metrics.text()))
}
