//! Projects and their series.

use std::sync::Arc;

use aide::axum::routing::{delete_with, get_with, post_with};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_database::{Project, Scope, SeriesInfo};
use slope_model::series::NAME_PATTERN;

use super::describe::{BODY, Page, Routes, TEXT, cached, operation, reading, removal, repeatable};
use crate::access::Caller;
use crate::app::App;
use crate::extract::{Given, Json, Path, Query};
use crate::problem::Problem;

/// Items of a page, if the request does not say.
const PAGE: u32 = 100;

/// The project of a path.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct OfProject {
    /// Name of the project.
    pub(super) project: String,
}

/// A new project.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewProject {
    /// Name in addresses: letters, digits, `.`, `-` and `_`.
    #[schemars(regex(pattern = NAME_PATTERN))]
    name: String,
    /// Name for people. The name, if it is missing.
    #[serde(default)]
    #[schemars(length(max = 200), regex(pattern = TEXT))]
    title: String,
}

impl Given for NewProject {}

/// A project with its series.
#[derive(Debug, Serialize, JsonSchema)]
struct ProjectDetails {
    /// The project.
    #[serde(flatten)]
    project: Project,
    /// Its series, by name.
    series: Vec<SeriesInfo>,
}

/// Which page of the projects.
#[derive(Debug, Deserialize, JsonSchema)]
struct WhichProjects {
    /// `next` of the page before.
    #[serde(default)]
    cursor: String,
    /// Items of the page, from 1 to 1,000.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

pub(super) fn read() -> Routes {
    Routes::new()
        .api_route(
            "/api/v1/projects",
            get_with(list, |it| {
                let what = ("listProjects", "List the projects that the token may read");
                cached(operation(it, what, Some(Scope::Read), &[400]))
            }),
        )
        .api_route(
            "/api/v1/projects/{project}",
            get_with(show, |it| {
                reading(it, ("getProject", "Show a project and its series"))
            }),
        )
}

pub(super) fn admin() -> Routes {
    Routes::new()
        .api_route(
            "/api/v1/projects",
            post_with(add, |it| {
                let what = ("addProject", "Add a project");
                let it = repeatable(operation(it, what, Some(Scope::Admin), &BODY));
                it.response::<201, Json<Project>>()
            }),
        )
        .api_route(
            "/api/v1/projects/{project}",
            delete_with(remove, |it| {
                removal(
                    it,
                    (
                        "removeProject",
                        "Remove a project with its points and tokens",
                    ),
                )
            }),
        )
}

/// The number of items that a request asks for.
pub(super) fn page_size(limit: Option<u32>, most: u32) -> Result<u32, Problem> {
    match limit {
        None => Ok(PAGE.min(most)),
        Some(limit) if (1..=most).contains(&limit) => Ok(limit),
        Some(limit) => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            format!("the limit {limit} is not from 1 to {most}"),
            "ask for a number in this range, and follow `next`",
        )),
    }
}

/// The number of items that a request asks for, of a project that there is.
pub(super) async fn known_limit(
    app: &App,
    of: &OfProject,
    limit: Option<u32>,
) -> Result<u32, Problem> {
    let limit = page_size(limit, 1000)?;
    app.database.project(&of.project).await?;
    Ok(limit)
}

async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichProjects>,
) -> Result<Json<Page<Project>>, Problem> {
    let limit = page_size(which.limit, 1000)?;
    if let Some(own) = caller.project() {
        let own = app.database.project(own).await?;
        let items = if own.name > which.cursor {
            vec![own]
        } else {
            Vec::new()
        };
        return Ok(Json(Page { items, next: None }));
    }
    let items = app.database.projects(&which.cursor, limit + 1).await?;
    Ok(Json(Page::first(items, limit, |last| &last.name)))
}

async fn show(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
) -> Result<Json<ProjectDetails>, Problem> {
    Ok(Json(ProjectDetails {
        project: app.database.project(&of.project).await?,
        series: app.database.series(&of.project).await?,
    }))
}

async fn add(
    State(app): State<Arc<App>>,
    Json(new): Json<NewProject>,
) -> Result<(StatusCode, Json<Project>), Problem> {
    let project = app.database.add_project(&new.name, &new.title).await?;
    Ok((StatusCode::CREATED, Json(project)))
}

async fn remove(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
) -> Result<StatusCode, Problem> {
    app.database.remove_project(&of.project).await?;
    Ok(StatusCode::NO_CONTENT)
}
