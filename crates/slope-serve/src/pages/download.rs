//! Downloads of series. Their parts are made while they are sent, so that a long series needs little memory.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use slope_database::Cursor;
use slope_model::summary::Summary;
use slope_report::{ParquetFile, RowError, csv_head, csv_rows, point_table};

use super::answer::{self, PARQUET};
use crate::app::App;

/// Points that are in memory at the same time.
const AT_ONCE: u32 = 500;

/// The form of a download.
enum Form {
    /// One row per point, one column per value of these names.
    Csv(BTreeSet<String>),
    Json,
}

/// A series as a file, whose parts are made while they are sent; `None` if it has no points, or there is no such form.
pub(super) async fn file(
    app: &Arc<App>,
    (project, series): (&str, &str),
    form: &str,
) -> Option<Response> {
    let (kind, form) = match form {
        "csv" => {
            let names = names(app, (project, series)).await?;
            ("text/csv; charset=utf-8", Form::Csv(names))
        }
        "json" => ("application/json", Form::Json),
        "parquet" => return parquet(app, (project, series)).await,
        _ => return None,
    };
    let parts = Parts {
        app: app.clone(),
        place: (project.to_owned(), series.to_owned()),
        form,
        next: Next::First,
    };
    let (first, rest) = parts.next().await.ok()??;
    let first = stream::once(async { Ok(first) });
    let rest = stream::try_unfold(rest, Parts::next);
    let body = Body::from_stream(first.chain(rest));
    Some(([(header::CONTENT_TYPE, kind)], body).into_response())
}

/// A series as a Parquet file, whose end has its index: so it is made before it is sent.
async fn parquet(app: &App, place: (&str, &str)) -> Option<Response> {
    let names = names(app, place).await?;
    let made = async {
        let mut file = ParquetFile::new(&point_table(&[], &names))?;
        let mut cursor = None;
        loop {
            let page = app.database.page(place, cursor.as_ref(), AT_ONCE);
            let (points, next) = page.await.map_err(std::io::Error::other)?;
            file.add(point_table(&points, &names))?;
            cursor = next;
            if cursor.is_none() {
                return file.finish();
            }
        }
    };
    let made: Result<Vec<u8>, RowError> = made.await;
    Some(answer::file(PARQUET, made.ok()?))
}

/// The names of all values in a series; `None` if it has no points.
async fn names(app: &App, place: (&str, &str)) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let mut cursor = None;
    loop {
        let page = app
            .database
            .page::<Summary>(place, cursor.as_ref(), AT_ONCE);
        let (points, next) = page.await.ok()?;
        if points.is_empty() {
            return None;
        }
        names.extend(
            points
                .into_iter()
                .flat_map(|point| point.values.into_keys()),
        );
        match next {
            Some(next) => cursor = Some(next),
            None => return Some(names),
        }
    }
}

/// Which points come next.
enum Next {
    First,
    After(Cursor),
    End,
}

/// The parts of a file that are not sent yet.
struct Parts {
    app: Arc<App>,
    place: (String, String),
    form: Form,
    next: Next,
}

impl Parts {
    /// The next part, and those after it; `None` at the end.
    async fn next(mut self) -> Result<Option<(String, Self)>, slope_database::Error> {
        let (after, is_first) = match &self.next {
            Next::First => (None, true),
            Next::After(cursor) => (Some(cursor), false),
            Next::End => return Ok(None),
        };
        let place = (self.place.0.as_str(), self.place.1.as_str());
        let page = self.app.database.page::<Summary>(place, after, AT_ONCE);
        let (points, next) = page.await?;
        if points.is_empty() {
            return Ok(None);
        }
        let text = match &self.form {
            Form::Csv(names) => csv(&points, names, is_first),
            Form::Json => json(&points, is_first, next.is_none()),
        };
        self.next = next.map_or(Next::End, Next::After);
        Ok(Some((text, self)))
    }
}

/// A part of an indented list.
fn json(points: &[Summary], is_first: bool, is_last: bool) -> String {
    let list = serde_json::to_string_pretty(points).unwrap_or_default();
    let items = list.trim_start_matches("[\n").trim_end_matches("\n]");
    let start = if is_first { "[\n" } else { "" };
    let end = if is_last { "\n]\n" } else { ",\n" };
    format!("{start}{items}{end}")
}

/// Rows of points, with the head before the first ones.
fn csv(points: &[Summary], names: &BTreeSet<String>, is_first: bool) -> String {
    let table = point_table(points, names);
    let rows = csv_rows(&table);
    if is_first {
        csv_head(&table) + &rows
    } else {
        rows
    }
}
