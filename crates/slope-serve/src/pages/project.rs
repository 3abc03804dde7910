//! A series of a project, and its points.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use jiff::Timestamp;
use serde::Deserialize;
use slope_database::SeriesInfo;
use slope_model::series::MAIN_SERIES;
use slope_report::{PointPage, ProjectPage};

use super::answer::{Failure, answer, days};
use super::{download, human};
use crate::app::App;
use crate::extract::Query;
use crate::periods::{age_days, since_ms};
use crate::problem::Problem;

/// Watches that the page of a project without points names.
const MOST_WATCHES: u32 = 20;

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    days: Option<u32>,
}

/// The series `main`, otherwise the one with the latest point.
pub(super) async fn main_series(
    State(app): State<Arc<App>>,
    Path(project): Path<String>,
) -> Response {
    let all = match app.database.series(&project).await {
        Ok(all) => all,
        Err(error) => return answer(&app, Err(error.into())),
    };
    let is_main = |info: &&SeriesInfo| info.name == MAIN_SERIES;
    let latest = || all.iter().max_by(|a, b| a.last.cmp(&b.last));
    match all.iter().find(is_main).or_else(latest) {
        Some(latest) => {
            let address = slope_report::series_address(&project, &latest.name);
            Redirect::temporary(&address).into_response()
        }
        None => {
            let page = start(&app, &project).await;
            answer(&app, page)
        }
    }
}

/// The page of a project without points.
async fn start(app: &App, project: &str) -> Result<String, Failure> {
    let has_runs = !app.database.runs(Some(project), 1).await?.is_empty();
    let has_changes = !app.database.changes(Some(project), 1).await?.is_empty();
    let watches = app.database.watches(Some(project), MOST_WATCHES).await?;
    let watches = Vec::from_iter(watches.into_iter().map(|kept| kept.info.watch));
    let page = app.site.start(project, has_runs, has_changes, &watches);
    page.map_err(Failure::Html)
}

/// A series as a page; as data if the name ends with `.csv`, `.json` or `.parquet` and no series has that name.
pub(super) async fn series(
    State(app): State<Arc<App>>,
    Path((project, series)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Response {
    let page = match make(&app, &project, &series, days(asked.days)).await {
        Ok(page) => page,
        Err(failure) => {
            let data = as_data(&app, &project, &series).await;
            return data.unwrap_or_else(|| answer(&app, Err(failure)));
        }
    };
    answer(&app, app.site.project(&page).map_err(Failure::Html))
}

async fn make(app: &App, project: &str, series: &str, days: u32) -> Result<ProjectPage, Failure> {
    let known = app.database.project(project).await?;
    let all = app.database.series(project).await?;
    let Some(info) = all.iter().find(|info| info.name == series) else {
        return Err(Problem::not_found(format!("the project has no series `{series}`")).into());
    };
    let points = app.database.summaries((project, series), None).await?;
    let last = match points.last() {
        Some(last) => Some(app.database.point(project, series, &last.key).await?),
        None => None,
    };
    let since = Timestamp::from_millisecond(since_ms(days)).unwrap_or_default();
    Ok(ProjectPage {
        project: known.name,
        title: known.title,
        age_days: age_days(&info.last),
        series: series.to_owned(),
        all_series: all
            .into_iter()
            .map(|info| (info.name, info.points))
            .collect(),
        points,
        human: last.as_ref().and_then(human::panel),
        last,
        since: since.to_string(),
        days,
    })
}

async fn as_data(app: &Arc<App>, project: &str, name: &str) -> Option<Response> {
    let (series, form) = name.rsplit_once('.')?;
    download::file(app, (project, series), form).await
}

pub(super) async fn point(
    State(app): State<Arc<App>>,
    Path((project, series, key)): Path<(String, String, String)>,
) -> Response {
    let page = make_point(&app, &project, &series, &key).await;
    let page = page.and_then(|page| app.site.point(&page).map_err(Failure::Html));
    answer(&app, page)
}

async fn make_point(
    app: &App,
    project: &str,
    series: &str,
    key: &str,
) -> Result<PointPage, Failure> {
    let known = app.database.project(project).await?;
    let point = app.database.point(project, series, key).await?;
    let (before, after) = app.database.neighbours((project, series), key).await?;
    Ok(PointPage {
        project: known.name,
        title: known.title,
        point,
        before,
        after,
    })
}
