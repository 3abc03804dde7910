//! Watches: settings, days and state.

use std::sync::Arc;

use aide::axum::routing::{delete_with, get_with, post_with, put_with};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_database::{AddedDay, Outcome, WatchInfo};
use slope_model::sent_watch::{SentWatch, WatchKept, check_watch_name};
use slope_model::series::NAME_PATTERN;
use slope_model::watch::WatchDay;
use slope_model::watch_card::WatchCard;
use slope_model::watch_notes::is_day;
use slope_model::watch_status::Status;

use super::describe::{Answer, Done, Page, Routes, reading, removal, sending};
use super::projects::{OfProject, known_limit, page_size};
use crate::app::App;
use crate::event::Event;
use crate::extract::{Given, Json, Path, Query};
use crate::problem::Problem;

/// Days that a request may send.
const MOST_SENT: usize = 100;
/// Days of a page: each may have thousands of runs.
const MOST_DAYS: u32 = 20;

/// The watch of a path.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct OfWatch {
    /// Name of the project.
    pub(super) project: String,
    /// Name of the watch.
    pub(super) watch: String,
}

impl OfWatch {
    pub(super) fn place(&self) -> (&str, &str) {
        (&self.project, &self.watch)
    }
}

/// The watch of a path that may be new.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfNewWatch {
    /// Name of the project.
    project: String,
    /// Name of the watch: letters, digits, `.`, `-` and `_`.
    #[schemars(regex(pattern = NAME_PATTERN))]
    watch: String,
}

/// The day of a path.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfDay {
    /// Name of the project.
    project: String,
    /// Name of the watch.
    watch: String,
    /// The day: `2026-11-30`.
    date: String,
}

/// Which watches of a project.
#[derive(Debug, Deserialize, JsonSchema)]
struct WhichWatches {
    /// Number of watches, from 1 to 1,000.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

/// Which page of the days.
#[derive(Debug, Deserialize, JsonSchema)]
struct WhichDays {
    /// `next` of the page before.
    cursor: Option<String>,
    /// Days of the page, from 1 to 20.
    #[schemars(range(min = 1, max = 20))]
    limit: Option<u32>,
}

/// A watch in a list, with its state.
#[derive(Debug, Serialize, JsonSchema)]
struct ListedWatch {
    /// Its entry.
    #[serde(flatten)]
    info: WatchInfo,
    /// Its state, and its open alarms.
    #[serde(flatten)]
    card: WatchCard,
}

/// A watch.
#[derive(Debug, Serialize, JsonSchema)]
struct WatchDetails {
    /// Its entry.
    #[serde(flatten)]
    info: WatchInfo,
    /// What its monitors need.
    sent: SentWatch,
}

/// Days to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewDays {
    /// At most 100 days.
    #[schemars(length(max = 100))]
    days: Vec<WatchDay>,
}

impl Given for NewDays {
    fn check(&self) -> Result<(), String> {
        if self.days.len() > MOST_SENT {
            return Err(format!(
                "days: {} are more than {MOST_SENT}",
                self.days.len()
            ));
        }
        for (at, day) in self.days.iter().enumerate() {
            day.check().map_err(|fault| format!("days[{at}].{fault}"))?;
        }
        Ok(())
    }
}

impl Given for SentWatch {
    fn check(&self) -> Result<(), String> {
        Self::check(self)
    }
}

/// What became of the days that were sent.
#[derive(Debug, Serialize, JsonSchema)]
struct AllAddedDays {
    /// One entry per day, in the order of the request.
    results: Vec<AddedDay>,
}

/// Paths of a watch, of its days and of its state.
const WATCH: &str = "/api/v1/projects/{project}/watches/{watch}";
const DAYS: &str = "/api/v1/projects/{project}/watches/{watch}/days";
const DAY: &str = "/api/v1/projects/{project}/watches/{watch}/days/{date}";
const STATUS: &str = "/api/v1/projects/{project}/watches/{watch}/status";

pub(super) fn read() -> Routes {
    let all = (
        "listWatches",
        "List the watches of a project by name, each with its state and open alarms",
    );
    let one = ("getWatch", "Show a watch, and what its monitors need");
    let days = (
        "listWatchDays",
        "List the days of a watch in their order, with all results",
    );
    let day = ("getWatchDay", "Show the results of a day");
    let status = (
        "getWatchStatus",
        "Show the state of a watch: series, alarms with what explains them, results by task",
    );
    Routes::new()
        .api_route(
            "/api/v1/projects/{project}/watches",
            get_with(list, |it| reading(it, all)),
        )
        .api_route(WATCH, get_with(show, |it| reading(it, one)))
        .api_route(DAYS, get_with(list_days, |it| reading(it, days)))
        .api_route(DAY, get_with(show_day, |it| reading(it, day)))
        .api_route(STATUS, get_with(show_status, |it| reading(it, status)))
}

pub(super) fn push() -> Routes {
    let put_one = (
        "putWatch",
        "Keep the settings of a watch, and learn which days the server has",
    );
    let add = (
        "addWatchDays",
        "Add days. A day that is there stays, even if the new one has other results",
    );
    Routes::new()
        .api_route(WATCH, put_with(put, |it| sending(it, put_one)))
        .api_route(DAYS, post_with(add_days, |it| sending(it, add)))
}

pub(super) fn admin() -> Routes {
    let what = ("removeWatch", "Remove a watch with its days and notes");
    Routes::new().api_route(WATCH, delete_with(remove, |it| removal(it, what)))
}

async fn list(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
    Query(which): Query<WhichWatches>,
) -> Answer<Page<ListedWatch>> {
    let limit = known_limit(&app, &of, which.limit).await?;
    let cards = app.watch_cards(Some(&of.project), limit).await?;
    let items = cards.into_iter();
    let items = items.map(|(info, card)| ListedWatch { info, card });
    Ok(Json(Page::whole(items.collect())))
}

async fn show(State(app): State<Arc<App>>, Path(of): Path<OfWatch>) -> Answer<WatchDetails> {
    let (kept, sent) = app.database.watch(of.place()).await?;
    Ok(Json(WatchDetails {
        info: kept.info,
        sent,
    }))
}

async fn put(
    State(app): State<Arc<App>>,
    Path(of): Path<OfNewWatch>,
    Json(sent): Json<SentWatch>,
) -> Answer<WatchKept> {
    check_watch_name(&of.watch).map_err(|fault| Problem::path(&fault))?;
    let place = (of.project.as_str(), of.watch.as_str());
    let kept = app.database.put_watch(place, &sent).await?;
    if kept.is_new {
        app.tell(Event::watch(place));
    }
    Ok(Json(kept))
}

async fn list_days(
    State(app): State<Arc<App>>,
    Path(of): Path<OfWatch>,
    Query(which): Query<WhichDays>,
) -> Answer<Page<WatchDay>> {
    let limit = page_size(which.limit, MOST_DAYS)?;
    let after = which.cursor.unwrap_or_default();
    if !after.is_empty() && !is_day(&after) {
        return Err(Problem::not_found("there is no page with this cursor"));
    }
    app.database.watch(of.place()).await?;
    let days = app.database.days_after(of.place(), &after, limit + 1);
    Ok(Json(Page::first(days.await?, limit, |last| &last.date)))
}

async fn show_day(State(app): State<Arc<App>>, Path(of): Path<OfDay>) -> Answer<WatchDay> {
    let day = app.database.day((&of.project, &of.watch), &of.date);
    Ok(Json(day.await?))
}

async fn show_status(State(app): State<Arc<App>>, Path(of): Path<OfWatch>) -> Answer<Status> {
    Ok(Json(app.watch_status(of.place()).await?))
}

async fn add_days(
    State(app): State<Arc<App>>,
    Path(of): Path<OfWatch>,
    Json(new): Json<NewDays>,
) -> Answer<AllAddedDays> {
    let results = app.database.add_days(of.place(), &new.days).await?;
    if results.iter().any(|day| day.outcome == Outcome::Stored) {
        app.tell(Event::watch(of.place()));
        app.prepare_watch(of.place());
    }
    Ok(Json(AllAddedDays { results }))
}

async fn remove(State(app): State<Arc<App>>, Path(of): Path<OfWatch>) -> Done {
    app.database.remove_watch(of.place()).await?;
    Ok(StatusCode::NO_CONTENT)
}
