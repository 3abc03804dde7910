//! What judges say: of a series, and of all.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use slope_database::Search;
use slope_report::{JudgeLine, JudgePage, JudgesPage};

use super::answer::{Failure, answer};
use super::home::{MOST_PROJECTS, MOST_SERIES};
use super::human;
use crate::access::Caller;
use crate::app::App;
use crate::extract::Query;
use crate::problem::Problem;

/// Points with scores of models that the page looks at, the latest ones.
const MOST_JUDGED: u32 = 200;
/// Text of the summaries of points that a model judged.
const BY_MODEL: &str = "\"model.";

pub(super) async fn list(State(app): State<Arc<App>>, caller: Caller) -> Response {
    let page = make_list(&app, &caller).await;
    answer(
        &app,
        page.and_then(|page| app.site.judges(&page).map_err(Failure::Html)),
    )
}

async fn make_list(app: &App, caller: &Caller) -> Result<JudgesPage, Failure> {
    let projects = match caller.project() {
        Some(own) => vec![app.database.project(own).await?],
        None => app.database.projects("", MOST_PROJECTS).await?,
    };
    let titles: BTreeMap<String, String> = projects
        .into_iter()
        .map(|project| (project.name, project.title))
        .collect();
    let latest = app.database.latest_series(caller.project(), MOST_SERIES);
    let (latest, has_more) = latest.await?;
    let mut lines = Vec::with_capacity(latest.len());
    for of in latest {
        let place = (of.project.as_str(), of.series.as_str());
        let last = app.database.summary_before(place, i64::MAX).await?;
        let title = titles.get(&of.project).unwrap_or(&of.project).clone();
        lines.extend(last.map(|last| JudgeLine {
            title,
            last,
            project: of.project,
            series: of.series,
        }));
    }
    Ok(JudgesPage { lines, has_more })
}

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    score: String,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path((project, series)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Response {
    let page = make(&app, (&project, &series), asked.score).await;
    answer(
        &app,
        page.and_then(|page| app.site.judge(&page).map_err(Failure::Html)),
    )
}

async fn make(app: &App, place: (&str, &str), score: String) -> Result<JudgePage, Failure> {
    let (project, series) = place;
    let known = app.database.project(project).await?;
    let points = app.database.summaries(place, None).await?;
    let Some(last) = points.last() else {
        return Err(Problem::not_found(format!("the project has no series `{series}`")).into());
    };
    let last = app.database.point(project, series, &last.key).await?;
    let search = Search::summaries(BY_MODEL, MOST_JUDGED);
    let judged = app.database.search(place, &search);
    Ok(JudgePage {
        project: known.name,
        title: known.title,
        series: series.to_owned(),
        ranks: human::ranks(&last),
        judged: judged.await?,
        last,
        points,
        score,
    })
}
