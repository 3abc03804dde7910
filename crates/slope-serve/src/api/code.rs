//! What commands do, on code in the request. Nothing of it runs.

use std::sync::Arc;
use std::time::Duration;

use aide::axum::routing::{get_with, post_with};
use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use slope_database::Scope;
use slope_embed::{Error, ErrorKind};
use slope_model::assessment::Assessment;
use slope_model::gate::Judgement;
use slope_model::grade::Grade;
use slope_model::grade_request::Request as GradeRequest;
use slope_model::ledger::Ledger;
use slope_model::measurement::Measurement;

use super::describe::{BODY, Routes, cached, operation};
use crate::app::App;
use crate::extract::{Given, Json, Path, Query};
use crate::problem::Problem;
use crate::work::{Failure, Files, Job};

/// Files of a request.
const MOST_FILES: usize = 5_000;
/// Folders above a file.
const DEEPEST: usize = 64;
/// Longest path, in bytes.
const LONGEST_PATH: usize = 1_024;

/// The server, as a handler gets it.
type Shared = State<Arc<App>>;

/// Code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneCode {
    /// Texts by path, relative to the top, with `/` between folders. A `slope.toml` among them is the configuration.
    files: Files,
    /// Text of a `slope.toml` that replaces the one among the files.
    #[serde(default)]
    policy: Option<String>,
}

/// Code before and after a change.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TwoCodes {
    /// Texts by path before the change.
    before: Files,
    /// Texts by path after the change.
    after: Files,
    /// Text of a `slope.toml` that replaces the one among the files.
    #[serde(default)]
    policy: Option<String>,
}

/// A code base, and an edit of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Edited {
    /// The code base: texts by path.
    files: Files,
    /// The edit. Its tests do not run here: give their results.
    request: GradeRequest,
}

impl Given for OneCode {
    fn check(&self) -> Result<(), String> {
        check_files("files", &self.files)
    }
}

impl Given for TwoCodes {
    fn check(&self) -> Result<(), String> {
        check_files("before", &self.before)?;
        check_files("after", &self.after)
    }
}

impl Given for Edited {
    fn check(&self) -> Result<(), String> {
        check_files("files", &self.files)
    }
}

fn check_files(field: &str, files: &Files) -> Result<(), String> {
    if files.len() > MOST_FILES {
        return Err(format!(
            "{field}: {} files are more than {MOST_FILES}",
            files.len()
        ));
    }
    let is_long = |path: &&String| path.len() > LONGEST_PATH || path.split('/').count() > DEEPEST;
    match files.keys().find(is_long) {
        Some(path) => {
            let start: String = path.chars().take(60).collect();
            Err(format!(
                "{field}: the path {start}… is too long or too deep"
            ))
        }
        None => Ok(()),
    }
}

/// A rule, signal or metric.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfId {
    /// Id of the rule, signal or metric.
    id: String,
}

/// For which language.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfLanguage {
    /// Id of the language. All languages if it is missing.
    language: Option<String>,
}

/// What an id means: one entry for each rule that has it.
#[derive(Debug, JsonSchema, serde::Serialize)]
struct Explained(Vec<serde_json::Map<String, serde_json::Value>>);

pub(super) fn read() -> Routes {
    Routes::new()
        .api_route("/api/v1/measure", post_with(measure, |it| {
            described::<Measurement>(it, ("measure", "Measure code, like `slope measure --format json`"))
        }))
        .api_route("/api/v1/diff", post_with(diff, |it| {
            described::<Ledger>(it, ("diff", "Show what a change does, like `slope diff --format json`"))
        }))
        .api_route("/api/v1/check", post_with(check, |it| {
            described::<Judgement>(it, ("check", "Check a change, like `slope check --format json`. The policy is that of the request"))
        }))
        .api_route("/api/v1/judge", post_with(judge, |it| {
            described::<Assessment>(it, ("judge", "Score code from 0 to 10, like `slope judge --static --format json`"))
        }))
        .api_route("/api/v1/judge-change", post_with(judge_change, |it| {
            described::<Assessment>(it, ("judgeChange", "Score both sides of a change from 0 to 10"))
        }))
        .api_route("/api/v1/grade", post_with(grade, |it| {
            described::<Grade>(it, ("grade", "Grade an edit, like `slope grade`"))
        }))
        .api_route("/api/v1/explain/{id}", get_with(explain, |it| {
            let what = ("explain", "Explain a rule, signal or metric, like `slope explain --format json`");
            cached(operation(it, what, Some(Scope::Read), &[400, 404])).response::<200, Json<Explained>>()
        }))
}

fn described<'t, T: JsonSchema>(
    it: TransformOperation<'t>,
    what: (&str, &str),
) -> TransformOperation<'t> {
    operation(it, what, Some(Scope::Read), &BODY).response::<200, Json<T>>()
}

async fn measure(State(app): Shared, Json(given): Json<OneCode>) -> Result<Response, Problem> {
    work(&app, Job::Measure(given.files, given.policy)).await
}

async fn judge(State(app): Shared, Json(given): Json<OneCode>) -> Result<Response, Problem> {
    work(&app, Job::Judge(given.files, given.policy)).await
}

async fn diff(State(app): Shared, Json(given): Json<TwoCodes>) -> Result<Response, Problem> {
    work(&app, Job::Diff(given.before, given.after, given.policy)).await
}

async fn check(State(app): Shared, Json(given): Json<TwoCodes>) -> Result<Response, Problem> {
    work(&app, Job::Check(given.before, given.after, given.policy)).await
}

async fn judge_change(
    State(app): Shared,
    Json(given): Json<TwoCodes>,
) -> Result<Response, Problem> {
    let job = Job::JudgeChange(given.before, given.after, given.policy);
    work(&app, job).await
}

async fn grade(State(app): Shared, Json(given): Json<Edited>) -> Result<Response, Problem> {
    work(&app, Job::grade(given.files, given.request)).await
}

async fn explain(
    Path(of): Path<OfId>,
    Query(asked): Query<OfLanguage>,
) -> Result<Response, Problem> {
    let found = slope_embed::explain(&of.id, asked.language.as_deref());
    found.map(document).map_err(|error| match error.kind {
        ErrorKind::Argument => Problem::not_found(error.message),
        _ => problem(&error),
    })
}

async fn work(app: &App, job: Job) -> Result<Response, Problem> {
    let document_of = app.pool.run(&job).await;
    document_of
        .map(document)
        .map_err(|failure| failed(failure, app.settings.work_limit))
}

/// The problem of a job without a document. Code that ends its worker is a fault of the request: sent again, it would
/// end another one.
fn failed(failure: Failure, limit: Duration) -> Problem {
    let less = "send less code, or run slope where the code is";
    match failure {
        Failure::Busy => Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many requests work on code",
            "send it again later",
        )
        .retry_after(5),
        Failure::NoWorker(error) => Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("no process can be started that works on the code: {error}"),
            "send it again later; if it stays, the server has too little memory or too many processes",
        )
        .retry_after(10),
        Failure::TooLong => Problem::invalid(
            format!("the code takes longer than {} s", limit.as_secs()),
            less,
        ),
        Failure::Crashed => Problem::invalid(
            "the code takes more memory than a request may have, or is nested too deeply",
            less,
        ),
        Failure::TooLarge => Problem::invalid("the answer is larger than 128 MiB", less),
        Failure::Panicked => Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "slope failed on this code",
            "report it with the code",
        ),
        Failure::Error(error) => problem(&error),
    }
}

fn document(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

fn problem(error: &Error) -> Problem {
    let place = if error.field.is_empty() {
        String::new()
    } else {
        format!("{}: ", error.field)
    };
    let status = match error.kind {
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let help = if error.help.is_empty() {
        "correct the request"
    } else {
        &error.help
    };
    Problem::new(status, format!("{place}{}", error.message), help)
}
