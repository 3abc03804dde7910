//! One function over the points of a series.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use slope_database::Search;
use slope_report::FunctionPage;

use super::answer::{Failure, answer};
use crate::app::App;
use crate::extract::Query;
use crate::problem::Problem;

/// Points that the page shows, the latest that name the function.
const MOST_POINTS: u32 = 200;
/// Latest points among which they are looked for.
const AMONG: u32 = 2_000;

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    path: String,
    #[serde(default)]
    name: String,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path((project, series)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Response {
    let page = make(&app, (&project, &series), asked).await;
    answer(
        &app,
        page.and_then(|page| app.site.function(&page).map_err(Failure::Html)),
    )
}

async fn make(app: &App, place: (&str, &str), asked: Asked) -> Result<FunctionPage, Failure> {
    let (project, series) = place;
    let known = app.database.project(project).await?;
    let all = app.database.series(project).await?;
    let Some(info) = all.into_iter().find(|info| info.name == series) else {
        return Err(Problem::not_found(format!("the project has no series `{series}`")).into());
    };
    // The texts as points spell them. A point may have them in other places, which the page leaves out.
    let [path, name] =
        [&asked.path, &asked.name].map(|text| serde_json::Value::from(text.as_str()).to_string());
    let search = Search::points([&path, &name], (AMONG, MOST_POINTS));
    let points = app.database.search(place, &search).await?;
    Ok(FunctionPage {
        project: known.name,
        title: known.title,
        series: series.to_owned(),
        has_more: points.len() >= MOST_POINTS as usize || info.points > u64::from(AMONG),
        last: app.database.summary_before(place, i64::MAX).await?,
        path: asked.path,
        name: asked.name,
        points,
    })
}
