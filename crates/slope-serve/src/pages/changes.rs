//! Changes, for example pull requests, as the gate judges them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slope_report::{ChangeLine, ChangePage, ChangesPage};

use super::answer::{Failure, answer};
use crate::access::Caller;
use crate::app::App;
use crate::extract::Query;

/// Changes of the list.
const MOST: u32 = 300;

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    project: String,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Response {
    let page = make(&app, &caller, asked.project).await;
    answer(
        &app,
        page.and_then(|page| app.site.changes(&page).map_err(Failure::Html)),
    )
}

async fn make(app: &App, caller: &Caller, project: String) -> Result<ChangesPage, Failure> {
    let own = caller.project();
    // A token of one project asks for others in vain.
    let is_hidden = own.is_some_and(|own| !project.is_empty() && own != project);
    let wanted = own.or(Some(&*project).filter(|name| !name.is_empty()));
    let found = match is_hidden {
        true => Vec::new(),
        false => app.database.changes(wanted, MOST).await?,
    };
    let line = |info: slope_database::ChangeInfo| ChangeLine {
        project: info.project,
        key: info.key,
        passes: info.passes,
        changed: info.changed,
        title: info.summary.title,
        head: info.summary.head,
        author: info.summary.author,
        errors: info.summary.errors,
        warnings: info.summary.warnings,
        change: info.summary.change,
    };
    Ok(ChangesPage {
        project,
        changes: found.into_iter().map(line).collect(),
    })
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path((project, key)): Path<(String, String)>,
) -> Response {
    let found = app.database.change(&project, &key).await;
    if let (Err(_), Some(name)) = (&found, key.strip_suffix(".json")) {
        return match app.database.change(&project, name).await {
            Ok((_, sent)) => axum::Json(sent).into_response(),
            Err(error) => answer(&app, Err(error.into())),
        };
    }
    let page = found.map_err(Failure::from).map(|(info, sent)| ChangePage {
        project,
        key,
        changed: info.changed,
        sent,
    });
    answer(
        &app,
        page.and_then(|page| app.site.change(&page).map_err(Failure::Html)),
    )
}
