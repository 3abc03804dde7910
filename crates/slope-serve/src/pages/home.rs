//! The first page: what got worse.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use serde::Deserialize;
use slope_database::{Database, Project, SeriesInfo};
use slope_report::{Home, Week};

use super::{Failure, answer, days};
use crate::access::Caller;
use crate::app::App;
use crate::extract::Query;
use crate::problem::Problem;

/// Projects that the page shows.
const MOST_PROJECTS: u32 = 1000;
/// Points of a series that the page looks at. Of more, it takes an even choice.
const MOST_POINTS: u32 = 100;
/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

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

async fn make(app: &App, caller: &Caller, days: u32) -> Result<Home, Failure> {
    let projects = match caller.project() {
        Some(own) => vec![app.database.project(own).await?],
        None => app.database.projects("", MOST_PROJECTS).await?,
    };
    let (mut weeks, mut empty) = (Vec::new(), Vec::new());
    for project in projects {
        let all = app.database.series(&project.name).await?;
        if all.is_empty() {
            empty.push((project.name, project.title));
            continue;
        }
        for series in all {
            weeks.push(week(&app.database, &project, &series, days).await?);
        }
    }
    Ok(Home { days, weeks, empty })
}

async fn week(
    database: &Database,
    project: &Project,
    series: &SeriesInfo,
    days: u32,
) -> Result<Week, Problem> {
    let place = (project.name.as_str(), series.name.as_str());
    let since = since_ms(days);
    let before = database.summary_before(place, since).await?;
    let mut points: Vec<_> = before.into_iter().collect();
    points.extend(database.chosen_summaries(place, since, MOST_POINTS).await?);
    Ok(Week {
        project: project.name.clone(),
        title: project.title.clone(),
        series: series.name.clone(),
        points,
        all: series.points,
        age_days: age_days(&series.last),
    })
}

/// The beginning of a period that ends now, in milliseconds since 1970.
pub(super) fn since_ms(days: u32) -> i64 {
    Timestamp::now().as_millisecond() - i64::from(days) * DAY_MS
}

/// Whole days since a time; 0 if it is in the future.
pub(super) fn age_days(time: &str) -> u32 {
    let time: Timestamp = time.parse().unwrap_or_default();
    let ms = Timestamp::now().as_millisecond() - time.as_millisecond();
    u32::try_from(ms / DAY_MS).unwrap_or(0)
}
