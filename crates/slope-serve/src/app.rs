//! The server's state.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::http::StatusCode;
use slope_database::Database;
use slope_report::{HtmlError, SITE_SCRIPT, SITE_STYLE, Site};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast};

use crate::event::Event;
use crate::problem::Problem;
use crate::settings::Settings;

/// The version of style and script, which is part of their addresses.
static FILES: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(SITE_STYLE.as_bytes())
        .update(SITE_SCRIPT.as_bytes());
    hasher.finalize().to_hex()[..12].to_owned()
});

/// Events that a slow reader may lag behind.
const EVENTS: usize = 1024;

/// Requests that wait until one of those that work on code ends.
const MOST_WAITING: usize = 64;

/// Longest time that such a request waits.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The state of a server.
pub struct App {
    pub(crate) settings: Settings,
    pub(crate) database: Database,
    pub(crate) site: Site,
    pub(crate) events: broadcast::Sender<Event>,
    pub(crate) turns: Semaphore,
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
            site: Site::new(&FILES, !settings.is_open)?,
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
}
