//! Runs of the benchmark.

use std::sync::Arc;

use aide::axum::routing::{delete_with, get_with, post_with, put_with};
use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_database::{PlacedStep, RunInfo, StepFilter};
use slope_model::exhibit::CheckpointExhibit;
use slope_model::sent_run::{
    CheckpointPlace, RunKept, RunRequest, SentDetails, SentRun, SentSteps, check_run_key,
};
use slope_model::series::NAME_PATTERN;
use slope_report::RunCard;

use super::describe::{Answer, Done, Page, Routes, reading, removal, sending};
use super::projects::{OfProject, known_limit, page_size};
use crate::app::App;
use crate::event::Event;
use crate::extract::{Given, Json, Path, Query};
use crate::problem::Problem;

/// The run of a path.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfRun {
    /// Name of the project.
    project: String,
    /// Key of the run.
    run: String,
}

/// The run of a path that may be new.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfNewRun {
    /// Name of the project.
    project: String,
    /// Key of the run: letters, digits, `.`, `-` and `_`.
    #[schemars(regex(pattern = NAME_PATTERN))]
    run: String,
}

/// The checkpoint of a query.
#[derive(Debug, Deserialize, JsonSchema)]
struct Which {
    /// Problem name.
    problem: String,
    /// Number of the trial, from 1.
    trial: u32,
    /// Checkpoint name.
    checkpoint: String,
}

/// The steps of a query.
#[derive(Debug, Deserialize, JsonSchema)]
struct WhichSteps {
    /// Problem name.
    problem: String,
    /// Number of the trial, from 1.
    trial: u32,
    /// Checkpoint name.
    checkpoint: String,
    /// `next` of the page before.
    cursor: Option<u32>,
    /// Items of the page, from 1 to 500.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

/// Which runs of a project.
#[derive(Debug, Deserialize, JsonSchema)]
struct WhichRuns {
    /// Number of the latest runs, from 1 to 1,000.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

/// A run.
#[derive(Debug, Serialize, JsonSchema)]
struct RunDetails {
    /// Its entry.
    #[serde(flatten)]
    info: RunInfo,
    /// The content.
    sent: SentRun,
}

/// Request of a visitor to a run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// The request.
    request: RunRequest,
}

/// Name and description of the request with a report.
const PUT: (&str, &str) = (
    "putRun",
    "Keep a run's report in place of an earlier one. The answer says what a visitor asks of the run, and which details \
     are here",
);

impl Given for Asked {}

impl Given for SentRun {
    fn check(&self) -> Result<(), String> {
        Self::check(self)
    }
}

impl Given for SentDetails {
    fn check(&self) -> Result<(), String> {
        Self::check(self)
    }
}

impl Given for SentSteps {
    fn check(&self) -> Result<(), String> {
        Self::check(self)
    }
}

pub(super) fn read() -> Routes {
    Routes::new()
        .api_route(
            "/api/v1/projects/{project}/runs",
            get_with(list, |it| {
                reading(
                    it,
                    ("listRuns", "List the runs of a project, the latest first"),
                )
            }),
        )
        .api_route(
            "/api/v1/projects/{project}/runs/{run}",
            get_with(show, |it| reading(it, ("getRun", "Show a run's report"))),
        )
        .api_route(
            "/api/v1/projects/{project}/runs/{run}/details",
            get_with(details, |it| {
                reading(it, ("getRunDetails", "Show the details of a checkpoint"))
            }),
        )
        .api_route(
            "/api/v1/projects/{project}/runs/{run}/steps",
            get_with(steps, |it| {
                reading(
                    it,
                    ("listRunSteps", "List the agent's steps at a checkpoint"),
                )
            }),
        )
}

pub(super) fn push() -> Routes {
    Routes::new()
        .api_route(
            "/api/v1/projects/{project}/runs/{run}",
            put_with(put, |it| sending(it, PUT)),
        )
        .api_route(
            "/api/v1/projects/{project}/runs/{run}/steps",
            put_with(put_steps, |it| {
                kept(
                    it,
                    (
                        "putRunSteps",
                        "Keep some of an agent's steps at a checkpoint",
                    ),
                )
            }),
        )
        .api_route(
            "/api/v1/projects/{project}/runs/{run}/details",
            put_with(put_details, |it| {
                kept(
                    it,
                    (
                        "putRunDetails",
                        "Keep the details of a checkpoint, after its steps",
                    ),
                )
            }),
        )
        .api_route(
            "/api/v1/projects/{project}/runs/{run}/request",
            post_with(ask, |it| {
                sending(
                    it,
                    (
                        "askRun",
                        "Ask a run that goes on elsewhere to pause, resume or cancel",
                    ),
                )
            }),
        )
}

pub(super) fn admin() -> Routes {
    Routes::new().api_route(
        "/api/v1/projects/{project}/runs/{run}",
        delete_with(remove, |it| {
            removal(it, ("removeRun", "Remove a run with all its details"))
        }),
    )
}

/// Describes a request that sends something, and whose answer has no body.
fn kept<'t>(it: TransformOperation<'t>, what: (&str, &str)) -> TransformOperation<'t> {
    sending(it, what).response_with::<204, (), _>(|it| it.description("It is kept."))
}

async fn list(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
    Query(which): Query<WhichRuns>,
) -> Answer<Page<RunInfo>> {
    let limit = known_limit(&app, &of, which.limit).await?;
    let items = app.database.runs(Some(&of.project), limit).await?;
    Ok(Json(Page::whole(items)))
}

async fn show(State(app): State<Arc<App>>, Path(of): Path<OfRun>) -> Answer<RunDetails> {
    let (info, sent) = app.database.run(&of.project, &of.run).await?;
    Ok(Json(RunDetails { info, sent }))
}

async fn details(
    State(app): State<Arc<App>>,
    Path(of): Path<OfRun>,
    Query(which): Query<Which>,
) -> Result<Json<CheckpointExhibit>, Problem> {
    let place = CheckpointPlace {
        problem: which.problem,
        trial: which.trial,
        checkpoint: which.checkpoint,
    };
    let found = app.database.details(&of.project, &of.run, &place).await?;
    let missing = || Problem::not_found("the server has no details of this checkpoint");
    found.map(Json).ok_or_else(missing)
}

async fn steps(
    State(app): State<Arc<App>>,
    Path(of): Path<OfRun>,
    Query(which): Query<WhichSteps>,
) -> Result<Json<Page<PlacedStep>>, Problem> {
    let limit = page_size(which.limit, 500)?;
    let place = CheckpointPlace {
        problem: which.problem,
        trial: which.trial,
        checkpoint: which.checkpoint,
    };
    app.database.run(&of.project, &of.run).await?;
    let filter = StepFilter {
        from: which.cursor.unwrap_or(0),
        most: limit + 1,
        ..StepFilter::default()
    };
    let mut items = app
        .database
        .steps(&of.project, &of.run, &place, &filter)
        .await?;
    let next = items.get(limit as usize).map(|step| step.place.to_string());
    items.truncate(limit as usize);
    Ok(Json(Page { items, next }))
}

async fn put(
    State(app): State<Arc<App>>,
    Path(of): Path<OfNewRun>,
    Json(sent): Json<SentRun>,
) -> Result<Json<RunKept>, Problem> {
    check_run_key(&of.run).map_err(|fault| Problem::path(&fault))?;
    let card = RunCard::of(&sent.report);
    let card = serde_json::to_string(&card).unwrap_or_default();
    let kept = app
        .database
        .put_run(&of.project, &of.run, &sent, &card)
        .await?;
    if kept.is_new {
        app.tell(Event::run(&of.project, &of.run));
    }
    Ok(Json(kept))
}

async fn put_steps(
    State(app): State<Arc<App>>,
    Path(of): Path<OfRun>,
    Json(sent): Json<SentSteps>,
) -> Result<StatusCode, Problem> {
    app.database.put_steps(&of.project, &of.run, &sent).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn put_details(
    State(app): State<Arc<App>>,
    Path(of): Path<OfRun>,
    Json(sent): Json<SentDetails>,
) -> Result<StatusCode, Problem> {
    app.database
        .put_details(&of.project, &of.run, &sent)
        .await?;
    app.tell(Event::run(&of.project, &of.run));
    Ok(StatusCode::NO_CONTENT)
}

async fn ask(
    State(app): State<Arc<App>>,
    Path(of): Path<OfRun>,
    Json(asked): Json<Asked>,
) -> Result<Json<RunInfo>, Problem> {
    let info = app
        .database
        .ask_run(&of.project, &of.run, asked.request)
        .await?;
    app.tell(Event::run(&of.project, &of.run));
    Ok(Json(info))
}

async fn remove(State(app): State<Arc<App>>, Path(of): Path<OfRun>) -> Done {
    app.database.remove_run(&of.project, &of.run).await?;
    Ok(StatusCode::NO_CONTENT)
}
