//! Watches: a list of all, one of them, its data, its feed and its badge.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slope_database::{Error, WatchInfo};
use slope_model::watch_card::WatchCard;
use slope_model::watch_compare::Comparison;
use slope_report::{
    ChosenDays, ParquetFile, RowTable, WatchBadge, WatchFeed, WatchLine, WatchPage, WatchesPage,
    csv_head, csv_rows, watch_runs_table, watch_series_table,
};

use super::answer::{Failure, PARQUET, answer, file};
use super::{origin, project};
use crate::access::Caller;
use crate::app::App;
use crate::extract::Query;
use crate::periods::age_days;
use crate::problem::Problem;

/// Watches of the list.
const MOST: u32 = 300;
/// Days whose runs are in memory at the same time.
const DAYS_AT_ONCE: u32 = 20;
/// Name of the arm that is compared without a choice.
const MAIN_ARM: &str = "main";
/// A series with the name of these pages.
const SERIES: &str = "watch";

/// A project, and a watch of it.
type Named = (String, String);

pub(super) async fn list(State(app): State<Arc<App>>, caller: Caller) -> Response {
    let lines = lines(&app, &caller, MOST + 1).await;
    let page = lines.map_err(Failure::from).and_then(|mut watches| {
        let has_more = watches.len() > MOST as usize;
        watches.truncate(MOST as usize);
        let page = WatchesPage { watches, has_more };
        app.site.watches(&page).map_err(Failure::Html)
    });
    answer(&app, page)
}

/// The watches that a caller may see.
pub(super) async fn lines(
    app: &App,
    caller: &Caller,
    most: u32,
) -> Result<Vec<WatchLine>, Problem> {
    let cards = app.watch_cards(caller.project(), most).await?;
    let line = |(info, card): (WatchInfo, WatchCard)| WatchLine {
        age_days: age_of(card.date.as_deref()),
        project: info.project,
        watch: info.watch,
        days: info.days,
        card,
    };
    Ok(cards.into_iter().map(line).collect())
}

/// Whole days since the end of a day; 0 without one.
fn age_of(date: Option<&str>) -> u32 {
    date.map_or(0, |date| age_days(&format!("{date}T00:00:00Z")))
}

/// Days to compare.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
    #[serde(default)]
    arm: String,
}

/// A watch as a page; as data if the name ends with a form of data and no watch has that name.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(named): Path<Named>,
    Query(asked): Query<Asked>,
) -> Response {
    let place = (named.0.as_str(), named.1.as_str());
    let page = match make(&app, place, asked).await {
        Ok(page) => page,
        Err(problem) => return otherwise(&app, place, problem).await,
    };
    let own = app.clone();
    let text = tokio::task::spawn_blocking(move || own.site.watch(&page)).await;
    let text = text.map_err(|_| Failure::from(failed()));
    answer(&app, text.and_then(|text| text.map_err(Failure::Html)))
}

async fn make(app: &App, place: (&str, &str), asked: Asked) -> Result<WatchPage, Problem> {
    let (_, sent) = app.database.watch(place).await?;
    let status = app.watch_status(place).await?;
    let arms = || status.arms.iter().map(|arm| arm.name.as_str());
    let arm = match asked.arm.as_str() {
        "" => arms().next().unwrap_or(MAIN_ARM).to_owned(),
        arm => arm.to_owned(),
    };
    let chosen = ChosenDays {
        from: asked.from,
        to: asked.to,
        arm,
    };
    let is_chosen = !chosen.from.is_empty() && !chosen.to.is_empty();
    let comparison = match is_chosen {
        true => Some(compare(app, place, &chosen).await?),
        false => None,
    };
    Ok(WatchPage {
        project: place.0.to_owned(),
        watch: place.1.to_owned(),
        age_days: age_of(status.date.as_deref()),
        sent,
        status,
        chosen,
        comparison,
    })
}

/// Two days side by side, or why they cannot be compared.
async fn compare(
    app: &App,
    place: (&str, &str),
    chosen: &ChosenDays,
) -> Result<Result<Comparison, String>, Problem> {
    let mut days = Vec::new();
    for date in [&chosen.from, &chosen.to] {
        match app.database.day(place, date).await {
            Ok(day) => days.push(day),
            Err(Error::Unknown { .. }) => {
                let date: String = date.chars().take(20).collect();
                return Ok(Err(format!("{date} has no results. Choose another day.")));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let found = slope_watch::compare(&days[0], &days[1], &chosen.arm);
    let missing = || "One of these days has no results of this arm.".to_owned();
    Ok(found.ok_or_else(missing))
}

/// The data of a watch whose name has no ending, or a point of a series with the name of these pages.
async fn otherwise(app: &Arc<App>, (of, name): (&str, &str), problem: Problem) -> Response {
    if problem.code() != StatusCode::NOT_FOUND {
        return answer(app, Err(problem.into()));
    }
    if let Some(found) = data(app, of, name).await {
        return found.unwrap_or_else(|problem| answer(app, Err(problem.into())));
    }
    if app.database.check_series(of, SERIES).await.is_ok() {
        let path = (of.to_owned(), SERIES.to_owned(), name.to_owned());
        return project::point(State(app.clone()), Path(path)).await;
    }
    answer(app, Err(problem.into()))
}

/// The data of a watch, if the name ends with a form of data.
async fn data(app: &Arc<App>, of: &str, name: &str) -> Option<Result<Response, Problem>> {
    if let Some(watch) = name.strip_suffix(".runs.parquet") {
        return Some(runs(app, (of, watch)).await);
    }
    let (watch, form) = name.rsplit_once('.')?;
    if !["csv", "json", "parquet"].contains(&form) {
        return None;
    }
    let status = match app.watch_status((of, watch)).await {
        Ok(status) => status,
        Err(problem) => return Some(Err(problem)),
    };
    let table = || watch_series_table(&status);
    Some(match form {
        "json" => Ok(axum::Json(status).into_response()),
        "csv" => {
            let table = table();
            let text = csv_head(&table) + &csv_rows(&table);
            Ok(file("text/csv; charset=utf-8", text))
        }
        _ => parquet(table()),
    })
}

fn parquet(table: RowTable) -> Result<Response, Problem> {
    let mut made = ParquetFile::new(&table).map_err(|_| failed())?;
    made.add(table).map_err(|_| failed())?;
    let bytes = made.finish().map_err(|_| failed())?;
    Ok(file(PARQUET, bytes))
}

/// All runs of all days. A part of the days is in memory at a time.
async fn runs(app: &App, place: (&str, &str)) -> Result<Response, Problem> {
    app.database.watch(place).await?;
    let mut made = ParquetFile::new(&watch_runs_table(&[])).map_err(|_| failed())?;
    let mut after = String::new();
    loop {
        let days = app.database.days_after(place, &after, DAYS_AT_ONCE).await?;
        let Some(last) = days.last() else {
            break;
        };
        after.clone_from(&last.date);
        let adding =
            tokio::task::spawn_blocking(move || made.add(watch_runs_table(&days)).map(|()| made));
        made = adding.await.map_err(|_| failed())?.map_err(|_| failed())?;
    }
    let bytes = made.finish().map_err(|_| failed())?;
    Ok(file(PARQUET, bytes))
}

pub(super) async fn feed(
    State(app): State<Arc<App>>,
    Path(named): Path<Named>,
    headers: HeaderMap,
) -> Response {
    let made = make_feed(&app, (&named.0, &named.1), &headers).await;
    match made.and_then(|feed| app.site.watch_feed(&feed).map_err(Failure::Html)) {
        Ok(text) => file("application/atom+xml; charset=utf-8", text),
        Err(failure) => answer(&app, Err(failure)),
    }
}

async fn make_feed(
    app: &App,
    place: (&str, &str),
    headers: &HeaderMap,
) -> Result<WatchFeed, Failure> {
    let (kept, _) = app.database.watch(place).await?;
    let origin = origin::origin(headers);
    Ok(WatchFeed {
        project: place.0.to_owned(),
        watch: place.1.to_owned(),
        origin: origin.unwrap_or_default(),
        heard: kept.info.heard,
        status: app.watch_status(place).await?,
        notes: app.database.notes(place).await?,
    })
}

pub(super) async fn badge(State(app): State<Arc<App>>, Path(named): Path<Named>) -> Response {
    let status = app.watch_status((&named.0, &named.1)).await;
    let made = status.map_err(Failure::from).and_then(|status| {
        let badge = WatchBadge {
            watch: named.1,
            state: status.state,
            is_acknowledged: status.state.is_alarm() && !status.needs_attention(),
            date: status.date,
        };
        app.site.watch_badge(&badge).map_err(Failure::Html)
    });
    match made {
        Ok(text) => file("image/svg+xml; charset=utf-8", text),
        Err(failure) => answer(&app, Err(failure)),
    }
}

fn failed() -> Problem {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "slope failed to make this page",
        "report it with the address of the page",
    )
}
