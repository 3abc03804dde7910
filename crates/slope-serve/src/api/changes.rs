//! Changes, for example pull requests, as the gate judges them.

use std::sync::Arc;

use aide::axum::routing::{delete_with, get_with, put_with};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_database::ChangeInfo;
use slope_model::sent_change::{ChangeKept, SentChange, check_change_key};
use slope_model::series::NAME_PATTERN;

use super::describe::{Answer, Done, Page, Routes, reading, removal, sending};
use super::projects::{OfProject, known_limit};
use crate::app::App;
use crate::event::Event;
use crate::extract::{Given, Json, Path, Query};
use crate::problem::Problem;

/// The change of a path.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfChange {
    /// Name of the project.
    project: String,
    /// Key of the change.
    change: String,
}

/// The change of a path that may be new.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfNewChange {
    /// Name of the project.
    project: String,
    /// Key of the change: letters, digits, `.`, `-` and `_`.
    #[schemars(regex(pattern = NAME_PATTERN))]
    change: String,
}

/// Which changes of a project.
#[derive(Debug, Deserialize, JsonSchema)]
struct WhichChanges {
    /// Number of the changes that were judged last, from 1 to 1,000.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

/// A change.
#[derive(Debug, Serialize, JsonSchema)]
struct ChangeDetails {
    /// Its entry.
    #[serde(flatten)]
    info: ChangeInfo,
    /// The content.
    sent: SentChange,
}

impl Given for SentChange {
    fn check(&self) -> Result<(), String> {
        Self::check(self)
    }
}

pub(super) fn read() -> Routes {
    Routes::new()
        .api_route(
            "/api/v1/projects/{project}/changes",
            get_with(list, |it| {
                reading(
                    it,
                    (
                        "listChanges",
                        "List the changes of a project, those that were judged last first",
                    ),
                )
            }),
        )
        .api_route(
            "/api/v1/projects/{project}/changes/{change}",
            get_with(show, |it| {
                reading(it, ("getChange", "Show a change as the gate judges it"))
            }),
        )
}

/// Name and description of the request with a change.
const PUT: (&str, &str) = (
    "putChange",
    "Keep what the gate says of a change, in place of an earlier judgement of it",
);

pub(super) fn push() -> Routes {
    Routes::new().api_route(
        "/api/v1/projects/{project}/changes/{change}",
        put_with(put, |it| sending(it, PUT)),
    )
}

pub(super) fn admin() -> Routes {
    Routes::new().api_route(
        "/api/v1/projects/{project}/changes/{change}",
        delete_with(remove, |it| {
            removal(it, ("removeChange", "Remove a change"))
        }),
    )
}

async fn list(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
    Query(which): Query<WhichChanges>,
) -> Answer<Page<ChangeInfo>> {
    let limit = known_limit(&app, &of, which.limit).await?;
    let items = app.database.changes(Some(&of.project), limit).await?;
    Ok(Json(Page::whole(items)))
}

async fn show(State(app): State<Arc<App>>, Path(of): Path<OfChange>) -> Answer<ChangeDetails> {
    let (info, sent) = app.database.change(&of.project, &of.change).await?;
    Ok(Json(ChangeDetails { info, sent }))
}

async fn put(
    State(app): State<Arc<App>>,
    Path(of): Path<OfNewChange>,
    Json(sent): Json<SentChange>,
) -> Result<Json<ChangeKept>, Problem> {
    check_change_key(&of.change).map_err(|fault| Problem::path(&fault))?;
    let kept = app
        .database
        .put_change(&of.project, &of.change, &sent)
        .await?;
    if kept.is_new {
        app.tell(Event::change(&of.project, &of.change));
    }
    Ok(Json(kept))
}

async fn remove(State(app): State<Arc<App>>, Path(of): Path<OfChange>) -> Done {
    app.database.remove_change(&of.project, &of.change).await?;
    Ok(StatusCode::NO_CONTENT)
}
