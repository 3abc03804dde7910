//! The server's state, its routes, and what surrounds them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request as HttpRequest, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use quick_cache::sync::Cache;
use slope_grade::{Begun, Engine, Pack, TestService};
use slope_model::grade::{Fault, Grade, Status};
use slope_model::grade_request::Request;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::answer::{Refusal, explained};
use crate::bases::{Bases, Missing, Open};
use crate::metrics::Metrics;
use crate::queue::Queue;
use crate::routes;
use crate::sender::{bearer, is_loopback_name};
use crate::settings::Settings;

/// Grades that are kept, for edits that come again.
const KEPT_GRADES: usize = 16_384;
/// Bytes that a body without a length is taken to have.
const UNKNOWN_LENGTH: u64 = 16 << 20;

/// The state of a server.
pub struct App {
    pub(crate) settings: Settings,
    pub(crate) bases: Bases,
    pub(crate) queue: Arc<Queue>,
    pub(crate) metrics: Arc<Metrics>,
    known: Cache<[u8; 32], Arc<Grade>>,
    is_ready: AtomicBool,
    /// Bases are opened one after the other: each uses all threads.
    pub(crate) opening: tokio::sync::Semaphore,
    /// Runs of tests at the same time.
    test_turns: tokio::sync::Semaphore,
}

impl App {
    /// A server without bases, with what runs the tests of requests. It is not ready yet.
    #[must_use]
    pub fn new(
        settings: Settings,
        engine: Engine,
        pack: Pack,
        tests: Option<Arc<TestService>>,
    ) -> Arc<Self> {
        let metrics = Arc::new(Metrics::default());
        let queue = Queue::new(
            settings.queue,
            settings.held_bytes,
            settings.workers,
            metrics.clone(),
        );
        Arc::new(Self {
            test_turns: tokio::sync::Semaphore::new(
                tests.as_ref().map_or(1, |tests| tests.rules().jobs.max(1)),
            ),
            bases: Bases::new(engine, pack, settings.bases, tests),
            queue: Arc::new(queue),
            metrics,
            known: Cache::new(KEPT_GRADES),
            is_ready: AtomicBool::new(false),
            opening: tokio::sync::Semaphore::new(1),
            settings,
        })
    }

    /// Its bases.
    #[must_use]
    pub fn bases(&self) -> &Bases {
        &self.bases
    }

    /// Time that a client may take for its headers, and between two parts of its body.
    #[must_use]
    pub fn patience(&self) -> Duration {
        self.settings.patience
    }

    /// Says that the bases of the start are open.
    pub fn set_ready(&self) {
        self.metrics.bases(self.bases.list().len());
        self.is_ready.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::SeqCst)
    }

    /// Refuses work while the bases of the start are opened, so that no record of many fails for that.
    pub(crate) fn check_ready(&self) -> Result<(), Refusal> {
        if self.is_ready() {
            Ok(())
        } else {
            Err(Missing::NoneOpen.into())
        }
    }

    /// The routes.
    pub fn router(self: &Arc<Self>) -> Router {
        let open = routes::health::routes();
        let guarded = Router::new()
            .merge(routes::grade::routes())
            .merge(routes::bases::routes())
            .merge(routes::trainers::routes())
            .layer(RequestBodyTimeoutLayer::new(self.settings.patience))
            // Routes have limits of their own.
            .layer(DefaultBodyLimit::disable())
            .layer(from_fn_with_state(self.clone(), hold))
            .layer(from_fn_with_state(self.clone(), check_token));
        open.merge(guarded)
            .fallback(no_route)
            .method_not_allowed_fallback(no_method)
            .layer(CatchPanicLayer::new())
            .layer(from_fn(explained))
            .layer(from_fn_with_state(self.clone(), check_sender))
            .layer(from_fn_with_state(self.clone(), count))
            .with_state(self.clone())
    }

    /// The grade of a request that has a place in the queue.
    pub(crate) async fn grade(&self, mut request: Request) -> Grade {
        let open = match self.bases.find(request.base.as_deref()) {
            Ok(open) => open,
            Err(missing) => return self.without_base(&request.id, missing),
        };
        let deadline = request.options.deadline_ms;
        request.options.deadline_ms = Some(deadline.unwrap_or(self.settings.deadline_ms));
        let key = key(&open, &request);
        let grade = match key.and_then(|key| self.known.get(&key)) {
            Some(known) => {
                self.metrics.repeated();
                Grade {
                    id: request.id,
                    ..(*known).clone()
                }
            }
            None => self.grade_anew(open, request, key).await,
        };
        self.metrics.graded(word(grade.status));
        grade
    }

    async fn grade_anew(&self, open: Arc<Open>, request: Request, key: Option<[u8; 32]>) -> Grade {
        let id = request.id.clone();
        let engine = self.bases.engine().clone();
        let grading = open.clone();
        let begun = self
            .queue
            .run(move || engine.install(|| grading.grader.begin(&request)))
            .await;
        let Some(begun) = begun else {
            return self.failed(&id);
        };
        if begun.run().is_some() {
            return self.grade_with_tests(open, begun, id, key).await;
        }
        let grade = open.grader.finish(begun);
        if let Some(key) = key.filter(|_| is_lasting(&grade)) {
            self.known.insert(key, Arc::new(grade.clone()));
        }
        grade
    }

    /// A grade that waits for a run of tests. Equal edits that wait at the same time share it.
    async fn grade_with_tests(
        &self,
        open: Arc<Open>,
        begun: Begun,
        id: String,
        key: Option<[u8; 32]>,
    ) -> Grade {
        let run = async {
            let turn = self.test_turns.acquire().await;
            let finished = tokio::task::spawn_blocking(move || open.grader.finish(begun)).await;
            drop(turn);
            let grade = finished.unwrap_or_else(|_| self.failed(&id));
            let is_kept = is_lasting(&grade);
            let grade = Arc::new(grade);
            if is_kept { Ok(grade) } else { Err(grade) }
        };
        let grade = match key {
            Some(key) => self.known.get_or_insert_async(&key, run).await,
            None => run.await,
        };
        let grade = grade.unwrap_or_else(|grade| grade);
        Grade {
            id,
            ..(*grade).clone()
        }
    }

    /// The grade of an edit on which slope fails.
    fn failed(&self, id: &str) -> Grade {
        let message = "slope failed on this edit".to_owned();
        self.bases
            .faulty(id, fault("", message, "report it with the edit"))
    }

    fn without_base(&self, id: &str, missing: Missing) -> Grade {
        self.refused(id, missing.into())
    }

    /// The grade of a record that is refused.
    pub(crate) fn refused(&self, id: &str, refusal: Refusal) -> Grade {
        self.bases.faulty(id, refusal.into_fault())
    }
}

pub(crate) fn fault(field: &str, message: String, help: &str) -> Fault {
    Fault {
        field: field.to_owned(),
        message,
        help: help.to_owned(),
    }
}

/// Whether an edit that comes again has the same grade: no time limit ended it, and no sandbox failed.
fn is_lasting(grade: &Grade) -> bool {
    let is_of_tests = |fault: &Fault| fault.field == "tests";
    grade.status != Status::Timeout && !grade.error.as_ref().is_some_and(is_of_tests)
}

/// What makes two requests the same, apart from their ids.
fn key(open: &Open, request: &Request) -> Option<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(open.id().as_bytes());
    let request = Request {
        id: String::new(),
        base: None,
        ..request.clone()
    };
    serde_json::to_writer(&mut hasher, &request).ok()?;
    Some(*hasher.finalize().as_bytes())
}

/// The word that a status has in JSON.
fn word(status: Status) -> String {
    let word = serde_json::to_value(status).ok();
    word.and_then(|word| word.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// Refuses requests without the token.
async fn check_token(State(app): State<Arc<App>>, request: HttpRequest, next: Next) -> Response {
    let Some(token) = &app.settings.token else {
        return next.run(request).await;
    };
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given.and_then(|value| bearer(value.to_str().ok()?));
    // Hashes are compared, so that the time tells nothing of the token.
    let is_it = |given: &str| blake3::hash(given.as_bytes()) == blake3::hash(token.as_bytes());
    if given.is_some_and(is_it) {
        return next.run(request).await;
    }
    Refusal::new(
        StatusCode::UNAUTHORIZED,
        "",
        "the request has no valid token",
        "send the server's token as `Authorization: Bearer TOKEN`",
    )
    .into_response()
}

/// Without a token, refuses what a page of another site lets a browser send: names that lead to this machine, and
/// requests across sites.
async fn check_sender(State(app): State<Arc<App>>, request: HttpRequest, next: Next) -> Response {
    let headers = request.headers();
    let text = |name| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    let host = text(header::HOST).is_none_or(is_loopback_name);
    let origin = text(header::ORIGIN).map(|origin| origin.split_once("://").unwrap_or_default().1);
    if app.settings.token.is_some() || host && origin.is_none_or(is_loopback_name) {
        return next.run(request).await;
    }
    Refusal::new(
        StatusCode::FORBIDDEN,
        "",
        "without a token, the server answers only this machine by its own names",
        "use the address http://127.0.0.1 or http://localhost, or start the server with --token-file",
    )
    .into_response()
}

/// Refuses bodies while too many are held.
async fn hold(State(app): State<Arc<App>>, request: HttpRequest, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
    match app.queue.hold(length.unwrap_or(UNKNOWN_LENGTH)) {
        Ok(_held) => next.run(request).await,
        Err(full) => Refusal::from(full).into_response(),
    }
}

/// Counts answers.
async fn count(State(app): State<Arc<App>>, request: HttpRequest, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("other", MatchedPath::as_str).to_owned();
    let response = next.run(request).await;
    app.metrics.answered(&path, response.status().as_u16());
    response
}

async fn no_route() -> Refusal {
    elsewhere(StatusCode::NOT_FOUND, "there is nothing at this path")
}

async fn no_method() -> Refusal {
    elsewhere(
        StatusCode::METHOD_NOT_ALLOWED,
        "this path has no such method",
    )
}

fn elsewhere(code: StatusCode, message: &str) -> Refusal {
    let help = "`slope grade serve --help` lists the paths; POST /v1/score grades an edit";
    Refusal::new(code, "", message, help)
}
