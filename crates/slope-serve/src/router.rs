//! All routes, and what surrounds them.

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::app::App;
use crate::problem::Problem;
use crate::{access, api, fresh, pages};

/// Nothing from elsewhere is loaded, and nothing on a page can run but the server's own files.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

impl App {
    /// All routes.
    pub fn router(self: &Arc<Self>) -> Router {
        let app = self.clone();
        api::router(self)
            .merge(pages::router(self))
            .fallback(no_route)
            .method_not_allowed_fallback(no_method)
            .layer(from_fn(fresh::compare))
            .layer(RequestBodyTimeoutLayer::new(self.settings.patience))
            .layer(DefaultBodyLimit::max(self.settings.body_bytes))
            .layer(from_fn_with_state(app.clone(), limit))
            .layer(from_fn_with_state(app, access::check_sender))
            .layer(self.cors())
            .layer(CatchPanicLayer::custom(broken))
            .layer(from_fn(dress))
            .with_state(self.clone())
    }

    fn cors(&self) -> CorsLayer {
        let origins = self.settings.origins.iter();
        let origins = origins.filter_map(|origin| HeaderValue::from_str(origin).ok());
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins))
            .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
            .allow_headers([
                HeaderName::from_static("idempotency-key"),
                header::AUTHORIZATION,
                header::CONTENT_TYPE,
                header::IF_NONE_MATCH,
            ])
    }
}

/// Refuses requests while too many are answered.
async fn limit(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match app.turns.try_acquire() {
        Ok(_turn) => next.run(request).await,
        Err(_) => Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many requests at the same time",
            "send the request again in a second",
        )
        .retry_after(1)
        .into_response(),
    }
}

/// Adds what protects a browser.
async fn dress(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn broken(_: Box<dyn Any + Send>) -> Response {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "slope failed on this request",
        "report it with the request",
    )
    .into_response()
}

async fn no_route() -> Problem {
    Problem::not_found("there is nothing at this path")
}

async fn no_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this path has no such method",
        "see /openapi.json for the methods of each path",
    )
}
