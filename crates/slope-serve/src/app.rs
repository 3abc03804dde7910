//! The server's state, all routes, and what surrounds them.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use slope_database::Database;
use slope_report::{HtmlError, Site};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::api::Event;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::{access, api, fresh, pages};

/// Events that a slow reader may lag behind.
const EVENTS: usize = 1024;

/// Requests that wait until one of those that work on code ends.
const MOST_WAITING: usize = 64;

/// Longest time that such a request waits.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Nothing from elsewhere is loaded, and nothing on a page can run but the server's own files.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The state of a server.
pub struct App {
    pub(crate) settings: Settings,
    pub(crate) database: Database,
    pub(crate) site: Site,
    pub(crate) events: broadcast::Sender<Event>,
    turns: Semaphore,
    /// Held by a request with an idempotency key.
    pub(crate) repeats: tokio::sync::Mutex<()>,
    /// Requests that work on code.
    work_turns: Arc<Semaphore>,
    /// Requests that wait for such a turn.
    waiting: Semaphore,
}

impl App {
    /// A server of a database.
    ///
    /// # Errors
    /// If a template of a page is faulty.
    pub fn new(settings: Settings, database: Database) -> Result<Arc<Self>, HtmlError> {
        Ok(Arc::new(Self {
            site: Site::new(&pages::VERSION, !settings.is_open)?,
            turns: Semaphore::new(settings.requests),
            repeats: tokio::sync::Mutex::default(),
            work_turns: Arc::new(Semaphore::new(settings.workers)),
            waiting: Semaphore::new(MOST_WAITING),
            events: broadcast::channel(EVENTS).0,
            settings,
            database,
        }))
    }

    /// Time that a client may take for its headers.
    #[must_use]
    pub fn patience(&self) -> Duration {
        self.settings.patience
    }

    /// The turn of a request that works on code.
    pub(crate) async fn work_turn(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let full = || {
            let detail = "too many requests work on code";
            let problem =
                Problem::new(StatusCode::TOO_MANY_REQUESTS, detail, "send it again later");
            problem.retry_after(5)
        };
        let _place = self.waiting.try_acquire().map_err(|_| full())?;
        let turn = self.work_turns.clone().acquire_owned();
        let turn = tokio::time::timeout(LONGEST_WAIT, turn).await;
        turn.map_err(|_| full())?.map_err(|_| full())
    }

    /// Closes the database.
    pub async fn close(&self) {
        self.database.close().await;
    }

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
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
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
