//! The state of watches. It takes a moment of a processor, so it is made once for each change of their days.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use slope_database::{KeptWatch, WatchInfo};
use slope_model::sent_watch::SentWatch;
use slope_model::watch::WatchDay;
use slope_model::watch_card::WatchCard;
use slope_model::watch_notes::Notes;
use slope_model::watch_status::Status;
use slope_watch::Limits;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::problem::Problem;

/// States that are in memory.
const MOST_KEPT: usize = 16;
/// States that are made at the same time: each has all days of a watch in memory.
const AT_ONCE: usize = 2;
/// Version of kept cards. Another one makes them again.
const CARDS: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");

/// A project, and a watch of it.
pub(crate) type Place<'a> = (&'a str, &'a str);

/// States of watches in memory.
pub(crate) struct WatchStates {
    /// The last used is at the end.
    kept: Mutex<Vec<Known>>,
    turns: Semaphore,
}

/// The state of a watch as of a revision.
struct Known {
    project: String,
    watch: String,
    revision: String,
    status: Arc<Status>,
}

impl Default for WatchStates {
    fn default() -> Self {
        Self {
            kept: Mutex::default(),
            turns: Semaphore::new(AT_ONCE),
        }
    }
}

impl WatchStates {
    fn open(&self) -> MutexGuard<'_, Vec<Known>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, place: Place<'_>, revision: &str) -> Option<Arc<Status>> {
        let mut kept = self.open();
        let wanted = (place.0, place.1, revision);
        let at = kept
            .iter()
            .position(|one| (&*one.project, &*one.watch, &*one.revision) == wanted)?;
        let found = kept.remove(at);
        let status = found.status.clone();
        kept.push(found);
        Some(status)
    }

    fn keep(&self, place: Place<'_>, revision: String, status: Arc<Status>) {
        let mut kept = self.open();
        kept.retain(|one| (&*one.project, &*one.watch) != place);
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push(Known {
            project: place.0.to_owned(),
            watch: place.1.to_owned(),
            revision,
            status,
        });
    }
}

impl App {
    /// The state of a watch after its last day, with the acknowledgements that hold today.
    pub(crate) async fn watch_status(&self, place: Place<'_>) -> Result<Status, Problem> {
        let mut status = (*self.computed(place).await?).clone();
        let notes = self.database.notes(place).await?;
        status.acknowledge(&notes, &today());
        Ok(status)
    }

    /// The watches of one project or of all, with what lists need.
    pub(crate) async fn watch_cards(
        &self,
        project: Option<&str>,
        most: u32,
    ) -> Result<Vec<(WatchInfo, WatchCard)>, Problem> {
        let today = today();
        let mut cards = Vec::new();
        for kept in self.database.watches(project, most).await? {
            let place = (kept.info.project.as_str(), kept.info.watch.as_str());
            let mut card = match known_card(&kept) {
                Some(card) => card,
                None => WatchCard::from(&*self.computed(place).await?),
            };
            if !card.open.is_empty() {
                let notes: Notes = self.database.notes(place).await?;
                card.acknowledge(&notes, &today);
            }
            cards.push((kept.info, card));
        }
        Ok(cards)
    }

    /// Makes the state of a watch ready, so that the next visitor does not wait for it.
    pub(crate) fn prepare_watch(self: &Arc<Self>, (project, watch): Place<'_>) {
        let (app, project, watch) = (self.clone(), project.to_owned(), watch.to_owned());
        // A failure is reported to whoever asks for it.
        tokio::spawn(async move { drop(app.computed((&project, &watch)).await) });
    }

    /// The state without acknowledgements.
    async fn computed(&self, place: Place<'_>) -> Result<Arc<Status>, Problem> {
        let (watch, _) = self.database.watch(place).await?;
        if let Some(known) = self.watches.find(place, &watch.revision) {
            return Ok(known);
        }
        let _turn = self.watches.turns.acquire().await.map_err(|_| failed())?;
        // Another request may have made it meanwhile, or a day may have come.
        let (watch, sent) = self.database.watch(place).await?;
        if let Some(known) = self.watches.find(place, &watch.revision) {
            return Ok(known);
        }
        let texts = self.database.day_texts(place).await?;
        let made = tokio::task::spawn_blocking(move || made(&texts, &sent)).await;
        let status = Arc::new(made.map_err(|_| failed())??);
        self.watches
            .keep(place, watch.revision.clone(), status.clone());
        let card = serde_json::to_string(&WatchCard::from(&*status)).unwrap_or_default();
        // Without space for it, it is made again.
        let of = card_of(&watch.revision);
        drop(self.database.keep_card(place, &card, &of).await);
        Ok(status)
    }
}

fn made(texts: &[String], sent: &SentWatch) -> Result<Status, Problem> {
    let days: Result<Vec<WatchDay>, _> = texts
        .iter()
        .map(|text| serde_json::from_str(text))
        .collect();
    let damaged = |error: serde_json::Error| slope_database::Error::Damaged(error.to_string());
    let days = days.map_err(damaged)?;
    Ok(slope_watch::status(&days, Limits::from(sent)))
}

/// The card that is kept, if it is of the watch as it is now.
fn known_card(kept: &KeptWatch) -> Option<WatchCard> {
    let is_new = kept.card_of == card_of(&kept.revision);
    is_new
        .then(|| serde_json::from_str(&kept.card).ok())
        .flatten()
}

fn card_of(revision: &str) -> String {
    format!("{CARDS} {revision}")
}

/// The day in UTC.
pub(crate) fn today() -> String {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    now.date().to_string()
}

fn failed() -> Problem {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "slope failed to compute the state of this watch",
        "report it with the days of the watch",
    )
}
