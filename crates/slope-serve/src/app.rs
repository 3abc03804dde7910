//! The server's state.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use slope_database::Database;
use slope_report::{HtmlError, SITE_SCRIPT, SITE_STYLE, Site};
use tokio::sync::{Semaphore, broadcast};

use crate::api::Streams;
use crate::event::Event;
use crate::periods::Periods;
use crate::settings::Settings;
use crate::watch_state::WatchStates;
use crate::work::Pool;

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

/// The state of a server.
pub struct App {
    pub(crate) settings: Settings,
    pub(crate) database: Database,
    pub(crate) site: Site,
    pub(crate) events: broadcast::Sender<Event>,
    pub(crate) turns: Semaphore,
    /// Held by a request with an idempotency key.
    pub(crate) repeats: tokio::sync::Mutex<()>,
    /// Open streams of events.
    pub(crate) streams: Arc<Streams>,
    /// What works on code.
    pub(crate) pool: Arc<Pool>,
    /// What the points of series say about periods.
    pub(crate) periods: Periods,
    /// States of watches.
    pub(crate) watches: WatchStates,
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
            streams: Arc::default(),
            watches: WatchStates::default(),
            pool: Pool::new(&settings),
            periods: Periods::default(),
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

    /// Ends what works on code, and closes the database.
    pub async fn close(&self) {
        self.pool.close();
        self.database.close().await;
    }
}
