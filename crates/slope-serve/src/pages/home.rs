//! The first page: what got worse.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use jiff::Timestamp;
use serde::Deserialize;
use slope_database::LatestSeries;
use slope_report::{Home, WatchLine, Week};

use super::answer::{Failure, answer, days};
use crate::access::Caller;
use crate::app::App;
use crate::extract::Query;
use crate::periods::{age_days, until_next_period};
use crate::problem::Problem;

/// Projects that the page shows.
pub(super) const MOST_PROJECTS: u32 = 1000;
/// Series that the page shows: those with the latest code.
pub(super) const MOST_SERIES: u32 = 300;
/// Series that are read at the same time.
const AT_ONCE: usize = 4;

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    days: Option<u32>,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Response {
    let page = make(&app, &caller, days(asked.days)).await;
    let page = page.and_then(|home| app.site.home(&home).map_err(Failure::Html));
    answer(&app, page)
}

impl App {
    /// Reads what the home page shows, now and when the next hour begins, so that no visitor waits for it. Never ends.
    pub async fn keep_home_ready(self: Arc<Self>) {
        loop {
            // An error is for the visitor, whose own request meets it again.
            let _ = make(&self, &Caller::Operator, days(None)).await;
            tokio::time::sleep(until_next_period()).await;
        }
    }
}

async fn make(app: &Arc<App>, caller: &Caller, days: u32) -> Result<Home, Failure> {
    let projects = match caller.project() {
        Some(own) => vec![app.database.project(own).await?],
        None => app.database.projects("", MOST_PROJECTS).await?,
    };
    let latest = app.database.latest_series(caller.project(), MOST_SERIES);
    let (latest, has_more) = latest.await?;
    let mut titles: BTreeMap<String, (String, bool)> = projects
        .into_iter()
        .map(|project| (project.name, (project.title, false)))
        .collect();
    let mut titled = Vec::with_capacity(latest.len());
    for series in latest {
        let title = match titles.get_mut(&series.project) {
            Some((title, has_points)) => {
                *has_points = true;
                title.clone()
            }
            None => series.project.clone(),
        };
        titled.push((title, series));
    }
    let weeks = titled
        .into_iter()
        // Tasks of their own, since most of the time goes into reading summaries.
        .map(|(title, series)| tokio::spawn(week(app.clone(), title, series, days)))
        .map(async |week| {
            week.await
                .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
        });
    let weeks = stream::iter(weeks).buffered(AT_ONCE).try_collect().await?;
    // With more series than the page shows, a project without a row may have points.
    let is_empty = |(_, (_, has_points)): &(String, (String, bool))| !has_points && !has_more;
    let empty = titles.into_iter().filter(is_empty);
    let watches = super::watch::lines(app, caller, MOST_SERIES).await?;
    let has_alarm = |line: &WatchLine| !line.card.open.is_empty();
    Ok(Home {
        days,
        alarms: watches.into_iter().filter(has_alarm).collect(),
        weeks,
        empty: empty.map(|(name, (title, _))| (name, title)).collect(),
        has_more,
    })
}

async fn week(app: Arc<App>, title: String, of: LatestSeries, days: u32) -> Result<Week, Problem> {
    let period = app.periods.of(&app.database, &of, days).await?;
    let last = Timestamp::from_millisecond(of.last_ms).unwrap_or_default();
    let last = last.to_string();
    Ok(Week {
        title,
        period,
        all: of.points,
        age_days: age_days(&last),
        last: last.get(..10).unwrap_or_default().to_owned(),
        project: of.project,
        series: of.series,
    })
}
