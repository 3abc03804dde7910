//! Tokens of a project.

use std::sync::Arc;

use aide::axum::routing::{delete_with, get_with, post_with};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_database::{Scope, Token};

use super::describe::{BODY, Page, Routes, TEXT, cached, gone, operation};
use super::projects::OfProject;
use crate::app::App;
use crate::extract::{Given, Json, Path};
use crate::problem::Problem;

/// The token of a path.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfToken {
    /// Name of the project.
    project: String,
    /// Id of the token.
    id: String,
}

/// A new token.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewToken {
    /// What it allows.
    scope: Scope,
    /// Note on its use.
    #[serde(default)]
    #[schemars(length(max = 200), regex(pattern = TEXT))]
    label: String,
}

impl Given for NewToken {}

/// A new token with its secret.
#[derive(Debug, Serialize, JsonSchema)]
struct MadeToken {
    /// The token.
    #[serde(flatten)]
    token: Token,
    /// The secret, which the server does not keep.
    secret: String,
}

pub(super) fn admin() -> Routes {
    let all = "/api/v1/projects/{project}/tokens";
    Routes::new()
        .api_route(
            all,
            get_with(list, |it| {
                let what = (
                    "listTokens",
                    "List the tokens of a project, without their secrets",
                );
                cached(operation(it, what, Some(Scope::Admin), &[400, 404]))
            }),
        )
        .api_route(
            all,
            post_with(add, |it| {
                let what = ("addToken", "Add a token for a project");
                operation(it, what, Some(Scope::Admin), &BODY)
                    .response::<201, Json<MadeToken>>()
                    .response::<404, Problem>()
            }),
        )
        .api_route(
            "/api/v1/projects/{project}/tokens/{id}",
            delete_with(revoke, |it| {
                let what = ("revokeToken", "Revoke a token");
                gone(operation(it, what, Some(Scope::Admin), &[400, 404, 507]))
            }),
        )
}

async fn list(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
) -> Result<Json<Page<Token>>, Problem> {
    app.database.project(&of.project).await?;
    let items = app.database.tokens(Some(&of.project)).await?;
    Ok(Json(Page { items, next: None }))
}

async fn add(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
    Json(new): Json<NewToken>,
) -> Result<(StatusCode, Json<MadeToken>), Problem> {
    let project = Some(of.project.as_str());
    let (token, secret) = app
        .database
        .add_token(new.scope, project, &new.label)
        .await?;
    Ok((StatusCode::CREATED, Json(MadeToken { token, secret })))
}

async fn revoke(
    State(app): State<Arc<App>>,
    Path(of): Path<OfToken>,
) -> Result<StatusCode, Problem> {
    app.database.revoke_token(&of.id, Some(&of.project)).await?;
    Ok(StatusCode::NO_CONTENT)
}
