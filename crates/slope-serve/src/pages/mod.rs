//! The pages.

mod assets;
mod changes;
mod download;
mod home;
mod origin;
mod project;
mod runs;
mod sign_in;

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use slope_database::Scope;
use slope_report::{HtmlError, address_part};

use crate::access::{bad_path, caller};
use crate::app::App;
use crate::problem::Problem;

/// Period of the pages in days, unless the address names one.
const DAYS: u32 = 7;
/// Longest period, in days.
const MOST_DAYS: u32 = 3660;

pub(crate) fn router(app: &Arc<App>) -> Router<Arc<App>> {
    let guarded = Router::new()
        .route("/", get(home::show))
        .route("/changes", get(changes::list))
        .route("/changes/{project}/{change}", get(changes::show))
        .route("/runs", get(runs::list))
        .route("/runs.csv", get(runs::csv))
        .route("/runs.json", get(runs::json))
        .route("/runs/compare", get(runs::compare))
        .route("/runs/{project}/{run}", get(runs::run))
        .route("/runs/{project}/{run}/{problem}/{trial}", get(runs::trial))
        .route("/projects/{project}", get(project::main_series))
        .route("/projects/{project}/{series}", get(project::series))
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

/// A page, or the page of a problem.
fn answer(app: &App, page: Result<String, Failure>) -> Response {
    match page {
        Ok(text) => Html(text).into_response(),
        Err(Failure::Problem(problem)) => page_of(app, &problem),
        Err(Failure::Html(error)) => page_of(
            app,
            &Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                error.to_string(),
                "report it with the address of the page",
            ),
        ),
    }
}

/// The page of a problem.
fn page_of(app: &App, problem: &Problem) -> Response {
    let text = app
        .site
        .problem(&problem.title, &problem.detail, &problem.help);
    let text = text.unwrap_or_else(|_| problem.detail.clone());
    (problem.code(), Html(text)).into_response()
}

/// Why a page cannot be made.
enum Failure {
    Problem(Problem),
    Html(HtmlError),
}

impl<E: Into<Problem>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Problem(error.into())
    }
}

/// The number of days of a period, within limits.
fn days(asked: Option<u32>) -> u32 {
    asked.unwrap_or(DAYS).clamp(1, MOST_DAYS)
}

/// A file for download.
fn file(kind: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
