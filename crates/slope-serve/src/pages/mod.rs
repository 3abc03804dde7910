//! The pages.

mod answer;
mod assets;
mod changes;
mod download;
mod function;
mod home;
mod human;
mod judge;
mod origin;
mod project;
mod runs;
mod sign_in;
mod watch;

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use slope_database::Scope;
use slope_report::address_part;

use self::answer::page_of;
use crate::access::{bad_path, caller};
use crate::app::App;
use crate::problem::Problem;

pub(crate) fn router(app: &Arc<App>) -> Router<Arc<App>> {
    let guarded = Router::new()
        .route("/", get(home::show))
        .route("/changes", get(changes::list))
        .route("/changes/{project}/{change}", get(changes::show))
        .route("/runs", get(runs::list))
        .route("/runs.csv", get(runs::csv))
        .route("/runs.json", get(runs::json))
        .route("/runs.parquet", get(runs::parquet))
        .route("/runs/compare", get(runs::compare))
        .route("/runs/{project}/{run}", get(runs::run))
        .route("/runs/{project}/{run}/{problem}/{trial}", get(runs::trial))
        .route("/judge", get(judge::list))
        .route("/watch", get(watch::list))
        .route("/projects/{project}/watch/{watch}", get(watch::show))
        .route(
            "/projects/{project}/watch/{watch}/feed.xml",
            get(watch::feed),
        )
        .route(
            "/projects/{project}/watch/{watch}/badge.svg",
            get(watch::badge),
        )
        .route("/projects/{project}", get(project::main_series))
        .route("/projects/{project}/{series}", get(project::series))
        .route("/projects/{project}/{series}/judge", get(judge::show))
        .route("/projects/{project}/{series}/function", get(function::show))
        .route("/projects/{project}/{series}/{key}", get(project::point))
        .route_layer(from_fn(origin::with_origin))
        .route_layer(from_fn_with_state(app.clone(), guard));
    // The guard lets cookies only read, so this form has a check of its own.
    let forms = Router::new().route("/runs/{project}/{run}/request", post(runs::ask));
    guarded
        .merge(forms)
        .merge(sign_in::routes())
        .merge(assets::routes())
}

/// Shows a page to those who may read it; others are sent to the page that asks for a token.
async fn guard(
    State(app): State<Arc<App>>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    mut request: Request,
    next: Next,
) -> Response {
    let Ok(path) = path else {
        return page_of(&app, &bad_path());
    };
    let project = path.iter().find(|(name, _)| *name == "project");
    match caller(&app, request.headers(), request.method()).await {
        Ok(caller) if caller.allows(Scope::Read, project.map(|(_, value)| value)) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Ok(_) => {
            let problem = Problem::new(
                StatusCode::FORBIDDEN,
                "the token is for another project",
                "sign in with a token of this project",
            );
            page_of(&app, &problem)
        }
        Err(problem) if problem.code() == StatusCode::UNAUTHORIZED => {
            let next = request.uri().path_and_query().map_or("/", |it| it.as_str());
            let query = address_part(next);
            Redirect::to(&format!("/sign-in?next={query}")).into_response()
        }
        Err(problem) => page_of(&app, &problem),
    }
}
