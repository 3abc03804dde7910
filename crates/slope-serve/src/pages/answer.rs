//! Answers of all pages: HTML, files, and problems as pages.

use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use slope_report::HtmlError;

use crate::app::App;
use crate::problem::Problem;

/// Period of the pages in days, unless the address names one.
const DAYS: u32 = 7;
/// Longest period, in days.
const MOST_DAYS: u32 = 3660;

/// A page, or the page of a problem.
pub(super) fn answer(app: &App, page: Result<String, Failure>) -> Response {
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
pub(super) fn page_of(app: &App, problem: &Problem) -> Response {
    let text = app
        .site
        .problem(&problem.title, &problem.detail, &problem.help);
    let text = text.unwrap_or_else(|_| problem.detail.clone());
    (problem.code(), Html(text)).into_response()
}

/// Why a page cannot be made.
pub(super) enum Failure {
    Problem(Problem),
    Html(HtmlError),
}

impl<E: Into<Problem>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Problem(error.into())
    }
}

/// The number of days of a period, within limits.
pub(super) fn days(asked: Option<u32>) -> u32 {
    asked.unwrap_or(DAYS).clamp(1, MOST_DAYS)
}

/// A file for download.
pub(super) fn file(kind: &'static str, content: impl IntoResponse) -> Response {
    ([(header::CONTENT_TYPE, kind)], content).into_response()
}

/// The type of Parquet files.
pub(super) const PARQUET: &str = "application/vnd.apache.parquet";
