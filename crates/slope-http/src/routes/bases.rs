//! Bases: list, add, delete.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::json;
use slope_grade::{Base, Error, read_json};
use slope_model::grade_request::Change;
use tower_http::limit::RequestBodyLimitLayer;

use crate::answer::{Refusal, json_of};
use crate::app::App;
use crate::bases::{Described, within};

/// Most bytes of an archive.
const MAX_UPLOAD: usize = 512 << 20;
/// Longest name of a base in bytes.
const MAX_NAME: usize = 200;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/bases", get(list).merge(post(add)))
        .route("/v1/bases/{name}", get(describe).put(put).delete(remove))
        .layer(RequestBodyLimitLayer::new(MAX_UPLOAD))
}

async fn list(State(app): State<Arc<App>>) -> Response {
    json_of(StatusCode::OK, &json!({"bases": app.bases.list()}))
}

async fn describe(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let open = app.bases.find(Some(&name))?;
    Ok(json_of(StatusCode::OK, &open.described()))
}

async fn remove(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.bases.remove(&name)?;
    app.metrics.bases(app.bases.list().len());
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize)]
struct AddQuery {
    /// Name of the base; its id by default.
    name: Option<String>,
    /// Folders to remove from the beginning of each path in an archive.
    #[serde(default)]
    strip: usize,
}

/// Where a base comes from, if not from an archive.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Source {
    /// A folder of the server, and a revision if it is a repository.
    Path {
        path: PathBuf,
        revision: Option<String>,
    },
    /// Another base with a change.
    Neighbour { of: String, change: Change },
}

async fn add(
    State(app): State<Arc<App>>,
    Query(query): Query<AddQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    put_base(&app, query, &headers, body).await
}

async fn put(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(query): Query<AddQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let name = Some(name);
    put_base(&app, AddQuery { name, ..query }, &headers, body).await
}

async fn put_base(
    app: &Arc<App>,
    query: AddQuery,
    headers: &HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let _turn = app.opening.acquire().await;
    let opening = app.clone();
    let opened = tokio::task::spawn_blocking(move || {
        let base = if is_json {
            from_source(&opening, &body)?
        } else {
            from_archive(&opening, &body, query.strip)?
        };
        let name = query.name.unwrap_or_else(|| base.id().to_owned());
        check_name(&name)?;
        check_hash(&name, &base)?;
        Ok::<Described, Refusal>(opening.bases.put(&name, base)?)
    });
    let failed = |_| Refusal::bad("", "slope failed on this base", "report it with the base");
    let described = opened.await.map_err(failed)??;
    app.metrics.bases(app.bases.list().len());
    Ok(json_of(StatusCode::CREATED, &described))
}

/// A name is a part of a path.
fn check_name(name: &str) -> Result<(), Refusal> {
    let is_odd = |letter: char| letter == '/' || letter.is_control();
    if !name.is_empty() && name.len() <= MAX_NAME && !name.contains(is_odd) {
        return Ok(());
    }
    let message = format!("{name:?} is no name of a base");
    let help = format!("give 1 to {MAX_NAME} bytes without `/` and control characters");
    Err(Refusal::bad("name", message, &help))
}

/// A name that looks like a hash must be that of the code.
fn check_hash(name: &str, base: &Base) -> Result<(), Refusal> {
    if !name.starts_with("blake3:") || name == base.id() {
        return Ok(());
    }
    let message = format!("the code has the id {}", base.id());
    Err(Refusal::new(
        StatusCode::CONFLICT,
        "name",
        message,
        "use that id, or a name of your own",
    ))
}

fn from_archive(app: &App, body: &[u8], strip: usize) -> Result<Base, Refusal> {
    let base = app.bases.engine().of_archive("the body", body, strip);
    base.map_err(|error| of_error("", &error))
}

fn from_source(app: &App, body: &[u8]) -> Result<Base, Refusal> {
    let source: Source = read_json(body).map_err(|_| {
        Refusal::bad(
            "",
            "the body names no base",
            "send {\"path\": ...}, {\"path\": ..., \"revision\": ...}, {\"of\": ..., \"change\": ...}, or a tar archive",
        )
    })?;
    match source {
        Source::Neighbour { of, change } => {
            let open = app.bases.find(Some(&of))?;
            let changed = open.grader.base().changed(&change, "change.data");
            changed.map_err(Refusal::of_fault)
        }
        Source::Path { path, revision } => {
            let Some(real) = within(&app.settings.roots, &path) else {
                return Err(Refusal::new(
                    StatusCode::FORBIDDEN,
                    "path",
                    format!(
                        "{} is in no folder that the server may open",
                        path.display()
                    ),
                    "start the server with --root FOLDER to allow a folder",
                ));
            };
            let name = real.display().to_string();
            let name = revision.map_or(name.clone(), |revision| format!("{name}@{revision}"));
            let base = app.bases.engine().open(&name, 0);
            base.map_err(|error| of_error("path", &error))
        }
    }
}

/// An error of a base, with its cause.
fn of_error(field: &'static str, error: &Error) -> Refusal {
    let text = error.to_string();
    let (message, help) = text.split_once("\nhelp: ").unwrap_or((&text, ""));
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    Refusal::bad(
        field,
        format!("{message}{}", cause.unwrap_or_default()),
        help,
    )
}
