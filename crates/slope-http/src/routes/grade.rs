//! Grades: one, many, and groups.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use futures_util::stream::{FuturesOrdered, FuturesUnordered, Stream, StreamExt};
use serde::Deserialize;
use serde_json::value::RawValue;
use slope_grade::shaping::Place;
use slope_grade::{BadRecord, group, read_request};
use slope_model::grade::Grade;
use slope_model::grade_request::Request;
use tower_http::limit::RequestBodyLimitLayer;

use crate::answer::{Refusal, json_of, with_type};
use crate::app::App;
use crate::queue::Places;

/// Most edits of one request.
const MAX_BATCH: usize = 4_096;
/// Most bytes of a request with one edit, and with many.
pub(super) const MAX_ONE: usize = 16 << 20;
pub(super) const MAX_MANY: usize = 256 << 20;

pub(crate) fn routes() -> Router<Arc<App>> {
    let one = Router::new()
        .route("/v1/score", post(score))
        .layer(RequestBodyLimitLayer::new(MAX_ONE));
    let many = Router::new()
        .route("/v1/score:batch", post(batch))
        .route("/v1/group", post(grade_group))
        .layer(RequestBodyLimitLayer::new(MAX_MANY));
    one.merge(many)
}

async fn score(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let request = read_request(&body, "the body").map_err(|bad| Refusal::of_fault(bad.fault))?;
    app.bases.find(request.base.as_deref())?;
    let _place = app.queue.take(1)?;
    Ok(json_of(StatusCode::OK, &app.grade(request).await))
}

/// Order of the grades of a batch.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Order {
    /// Each when it is done.
    #[default]
    Finished,
    /// That of the requests.
    Input,
}

#[derive(Debug, Default, Deserialize)]
struct BatchQuery {
    #[serde(default)]
    order: Order,
}

/// A record of a batch: a request, or what is wrong with it.
type Record = Result<Request, BadRecord>;

async fn batch(
    State(app): State<Arc<App>>,
    Query(query): Query<BatchQuery>,
    body: Bytes,
) -> Result<Response, Refusal> {
    app.check_ready()?;
    let records = records(&body)?;
    let places = app.queue.take(records.len())?;
    let grades = records
        .into_iter()
        .map(|record| grade_record(app.clone(), record));
    let grades: std::pin::Pin<Box<dyn Stream<Item = Grade> + Send>> = match query.order {
        Order::Finished => Box::pin(grades.collect::<FuturesUnordered<_>>()),
        Order::Input => Box::pin(grades.collect::<FuturesOrdered<_>>()),
    };
    Ok(lines(grades, places))
}

async fn grade_record(app: Arc<App>, record: Record) -> Grade {
    match record {
        Ok(request) => app.grade(request).await,
        Err(BadRecord { id, fault }) => app.bases.faulty(&id, fault),
    }
}

/// Grades as lines of JSON. The places are free when the last is written.
fn lines(grades: impl Stream<Item = Grade> + Send + 'static, places: Places) -> Response {
    let lines = grades.map(move |grade| {
        let _places = &places;
        let mut line = serde_json::to_vec(&grade)?;
        line.push(b'\n');
        Ok::<_, serde_json::Error>(Bytes::from(line))
    });
    with_type(
        StatusCode::OK,
        "application/x-ndjson",
        Body::from_stream(lines),
    )
}

async fn grade_group(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    app.check_ready()?;
    let mut records = records(&body)?;
    let _places = app.queue.take(records.len())?;
    // Without a name, all attempts of the request are one group.
    for request in records.iter_mut().flatten() {
        request.task.group.get_or_insert_default();
    }
    let place_of = |record: &Record| record.as_ref().map(Place::from).unwrap_or_default();
    let places: Vec<Place> = records.iter().map(place_of).collect();
    let grades = records
        .into_iter()
        .map(|record| grade_record(app.clone(), record));
    let mut grades: Vec<Grade> = grades.collect::<FuturesOrdered<_>>().collect().await;
    group::apply_all(&mut grades, &places, app.bases.pack());
    Ok(json_of(StatusCode::OK, &grades))
}

/// The records of a body: an array, or lines of JSON.
fn records(body: &[u8]) -> Result<Vec<Record>, Refusal> {
    let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
    let records: Vec<&[u8]> = match first {
        Some(b'[') => {
            let array = serde_json::from_slice::<Vec<&RawValue>>(body);
            let array = array.map_err(|error| {
                let message = format!("the body is not an array of JSON: {error}");
                Refusal::bad("", message, "send an array, or one object per line")
            })?;
            array.iter().map(|value| value.get().as_bytes()).collect()
        }
        _ => {
            let lines = body.split(|byte| *byte == b'\n');
            lines.filter(|line| !line.trim_ascii().is_empty()).collect()
        }
    };
    if records.is_empty() {
        return Err(Refusal::bad(
            "",
            "the body has no records",
            "send an array, or one object per line",
        ));
    }
    if records.len() > MAX_BATCH {
        let message = format!("the body has {} records", records.len());
        let help = format!("send at most {MAX_BATCH} at once");
        return Err(Refusal::bad("", message, &help));
    }
    let read =
        |(number, record): (usize, &[u8])| read_request(record, &format!("record {}", number + 1));
    Ok(records.into_iter().enumerate().map(read).collect())
}
