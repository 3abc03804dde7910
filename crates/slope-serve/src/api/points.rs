//! Points of series.

use std::sync::Arc;

use aide::axum::routing::{delete_with, get_with, post_with};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_database::{Added, Cursor, Outcome};
use slope_model::series::Point;
use slope_model::summary::Summary;

use super::describe::{Page, Routes, reading, removal, sending};
use super::projects::{OfProject, page_size};
use crate::app::App;
use crate::event::Event;
use crate::extract::{Given, Json, Path, Query};
use crate::problem::Problem;

/// Points that a request may send.
const MOST_SENT: usize = 500;
/// Summaries of a page.
const MOST_SUMMARIES: u32 = 5_000;

/// The series of a path.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfSeries {
    /// Name of the project.
    project: String,
    /// Name of the series.
    series: String,
}

/// The point of a path.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfPoint {
    /// Name of the project.
    project: String,
    /// Name of the series.
    series: String,
    /// Key of the point.
    key: String,
}

/// Which page of a series.
#[derive(Debug, Deserialize, JsonSchema)]
struct Which {
    /// `next` of the page before.
    cursor: Option<String>,
    /// Items of the page, from 1 to 500.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

/// Which page of the summaries of a series.
#[derive(Debug, Deserialize, JsonSchema)]
struct WhichSummaries {
    /// `next` of the page before.
    cursor: Option<String>,
    /// Items of the page, from 1 to 5,000.
    #[schemars(range(min = 1, max = 5000))]
    limit: Option<u32>,
}

/// Points to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewPoints {
    /// At most 500 points.
    #[schemars(length(max = 500))]
    points: Vec<Point>,
}

impl Given for NewPoints {
    fn check(&self) -> Result<(), String> {
        if self.points.len() > MOST_SENT {
            return Err(format!(
                "points: {} are more than {MOST_SENT}",
                self.points.len()
            ));
        }
        for (at, point) in self.points.iter().enumerate() {
            point
                .check()
                .map_err(|fault| fault.at(&format!("points[{at}]")))?;
        }
        Ok(())
    }
}

/// What became of the points that were sent.
#[derive(Debug, Serialize, JsonSchema)]
struct AllAdded {
    /// One entry per point, in the order of the request.
    results: Vec<Added>,
}

pub(super) fn read() -> Routes {
    Routes::new()
        .api_route(
            "/api/v1/projects/{project}/series/{series}/points",
            get_with(list, |it| {
                reading(
                    it,
                    ("listPoints", "List the points of a series in their order"),
                )
            }),
        )
        .api_route(
            "/api/v1/projects/{project}/series/{series}/summaries",
            get_with(summaries, |it| {
                reading(
                    it,
                    (
                        "listSummaries",
                        "List the points of a series, with headline values only",
                    ),
                )
            }),
        )
        .api_route(
            "/api/v1/projects/{project}/series/{series}/points/{key}",
            get_with(show, |it| reading(it, ("getPoint", "Show a point"))),
        )
}

pub(super) fn push() -> Routes {
    Routes::new().api_route(
        "/api/v1/projects/{project}/points",
        post_with(add, |it| sending(it, ("addPoints", "Add points. A point that is there stays, even if the new one has other numbers"))),
    )
}

pub(super) fn admin() -> Routes {
    Routes::new().api_route(
        "/api/v1/projects/{project}/series/{series}/points/{key}",
        delete_with(remove, |it| removal(it, ("removePoint", "Remove a point"))),
    )
}

async fn list(
    State(app): State<Arc<App>>,
    Path(of): Path<OfSeries>,
    Query(which): Query<Which>,
) -> Result<Json<Page<Point>>, Problem> {
    let limit = page_size(which.limit, 500)?;
    let cursor: Option<Cursor> = which.cursor.map(|text| text.parse()).transpose()?;
    app.database.check_series(&of.project, &of.series).await?;
    let place = (of.project.as_str(), of.series.as_str());
    let (items, next) = app.database.page(place, cursor.as_ref(), limit).await?;
    let next = next.map(|next| next.to_string());
    Ok(Json(Page { items, next }))
}

async fn summaries(
    State(app): State<Arc<App>>,
    Path(of): Path<OfSeries>,
    Query(which): Query<WhichSummaries>,
) -> Result<Json<Page<Summary>>, Problem> {
    let limit = which.limit.unwrap_or(MOST_SUMMARIES);
    let limit = page_size(Some(limit), MOST_SUMMARIES)?;
    let cursor: Option<Cursor> = which.cursor.map(|text| text.parse()).transpose()?;
    app.database.check_series(&of.project, &of.series).await?;
    let place = (of.project.as_str(), of.series.as_str());
    let page = app.database.page(place, cursor.as_ref(), limit);
    let (items, next) = page.await?;
    let next = next.map(|next| next.to_string());
    Ok(Json(Page { items, next }))
}

async fn show(
    State(app): State<Arc<App>>,
    Path(of): Path<OfPoint>,
) -> Result<Json<Point>, Problem> {
    Ok(Json(
        app.database.point(&of.project, &of.series, &of.key).await?,
    ))
}

async fn add(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
    Json(new): Json<NewPoints>,
) -> Result<Json<AllAdded>, Problem> {
    let results = app.database.add_points(&of.project, &new.points).await?;
    for stored in results.iter().filter(|it| it.outcome == Outcome::Stored) {
        app.tell(Event::point(&of.project, stored));
    }
    Ok(Json(AllAdded { results }))
}

async fn remove(
    State(app): State<Arc<App>>,
    Path(of): Path<OfPoint>,
) -> Result<StatusCode, Problem> {
    app.database
        .remove_point(&of.project, &of.series, &of.key)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
