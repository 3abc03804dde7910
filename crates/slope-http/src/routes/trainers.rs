//! Routes in the forms of training packages. The edit is the unified diff in a model's response.
//!
//! Base and tests are in the label of each sample: `{"base": "...", "tests": {"passed": 3, "failed": 0}}`, as an object
//! or as text. They are never taken from the response.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use axum::{Json, Router};
use futures_util::stream::{FuturesOrdered, StreamExt};
use serde_json::{Map, Value, json};
use slope_grade::{diff_in, flat, read_json, request_of};
use slope_model::grade::Grade;
use tower_http::limit::RequestBodyLimitLayer;

use super::grade::{MAX_MANY, MAX_ONE};
use crate::answer::{Refusal, json_of};
use crate::app::App;

pub(crate) fn routes() -> Router<Arc<App>> {
    let one = Router::new()
        .route("/seed_session", post(seed_session))
        .route("/verify", post(verify))
        .route("/rm/slime", post(slime))
        .layer(RequestBodyLimitLayer::new(MAX_ONE));
    let many = Router::new()
        .route("/rm/lists", post(lists))
        .route("/rm/records", post(records))
        .layer(RequestBodyLimitLayer::new(MAX_MANY));
    one.merge(many)
}

/// NeMo Gym starts a session before it verifies. There is nothing to keep.
async fn seed_session() -> Json<Value> {
    Json(json!({}))
}

/// NeMo Gym: the request with `reward`, its components, and the same numbers at the top.
async fn verify(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let mut echo = object(&body)?;
    let label = echo.get("verifier_metadata").cloned();
    let label = label.unwrap_or_else(|| Value::Object(echo.clone()));
    let response = output_text(echo.get("response").unwrap_or(&Value::Null));
    let _place = app.queue.take(1)?;
    let grade = grade_text(&app, &response, &label, "verifier_metadata").await?;
    let numbers = flat(&grade);
    echo.insert("reward".to_owned(), json!(grade.reward));
    let components: Map<String, Value> = named(&numbers).collect();
    for (key, value) in named(&numbers).filter(|(key, _)| key != "reward") {
        echo.insert(key, value);
    }
    echo.insert("reward_components".to_owned(), Value::Object(components));
    Ok(json_of(StatusCode::OK, &Value::Object(echo)))
}

/// slime: `{prompt, response, label}` to a number.
async fn slime(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let sample = object(&body)?;
    let text = |key: &str| sample.get(key).map(output_text).unwrap_or_default();
    let label = sample.get("label").unwrap_or(&Value::Null);
    let _place = app.queue.take(1)?;
    let grade = grade_text(&app, &text("response"), label, "label").await?;
    let reward = flat(&grade)[0].1;
    Ok(json_of(StatusCode::OK, &reward))
}

/// OpenRLHF: lists of `query`, `prompts` and `labels` to lists of rewards, scores and further numbers.
async fn lists(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let lists = object(&body)?;
    let list = |key: &'static str| match lists.get(key) {
        Some(Value::Array(list)) => Ok(list),
        _ => Err(Refusal::bad(
            key,
            format!("{key} is no list"),
            "send the lists query, prompts and labels",
        )),
    };
    let (queries, labels) = (list("query")?, list("labels")?);
    let prompts = match lists.get("prompts") {
        Some(Value::Array(prompts)) => prompts.as_slice(),
        _ => &[],
    };
    if queries.len() != labels.len() {
        let message = format!(
            "there are {} queries and {} labels",
            queries.len(),
            labels.len()
        );
        return Err(Refusal::bad(
            "labels",
            message,
            "send one label for each query",
        ));
    }
    let _places = app.queue.take(queries.len())?;
    let graded = queries
        .iter()
        .zip(labels)
        .enumerate()
        .map(|(at, (query, label))| {
            let prompt = prompts.get(at).and_then(Value::as_str).unwrap_or_default();
            // A query begins with its prompt.
            let query = output_text(query);
            let response = query.strip_prefix(prompt).unwrap_or(&query).to_owned();
            let app = app.clone();
            async move { grade_text(&app, &response, label, "labels").await }
        });
    let graded: Vec<Result<Grade, Refusal>> = graded.collect::<FuturesOrdered<_>>().collect().await;
    let grades = with_faults(&app, graded);
    let mut columns: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for grade in &grades {
        for (key, value) in flat(grade) {
            columns.entry(key).or_default().push(value);
        }
    }
    let rewards = columns.remove("reward").unwrap_or_default();
    let scores = columns.remove("score").unwrap_or_default();
    Ok(json_of(
        StatusCode::OK,
        &json!({"rewards": rewards, "scores": scores, "extra_logs": columns}),
    ))
}

/// Reward functions in the cloud: records with an id and messages, to records with the same id.
async fn records(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let samples: Vec<Map<String, Value>> = read_json(&body).map_err(|_| {
        Refusal::bad(
            "",
            "the body is no array of objects",
            "send [{\"id\": ..., \"messages\": [...]}]",
        )
    })?;
    let _places = app.queue.take(samples.len())?;
    let graded = samples.iter().map(|sample| {
        let messages = sample.get("messages").and_then(Value::as_array);
        let last = messages.and_then(|messages| messages.last());
        let response = last.and_then(|message| message.get("content"));
        let response = response.map(output_text).unwrap_or_default();
        let label = ["metadata", "reference_answer"]
            .iter()
            .find_map(|key| sample.get(*key));
        let app = app.clone();
        async move { grade_text(&app, &response, label.unwrap_or(&Value::Null), "metadata").await }
    });
    let graded: Vec<Result<Grade, Refusal>> = graded.collect::<FuturesOrdered<_>>().collect().await;
    let grades = with_faults(&app, graded);
    let answers = samples.iter().zip(&grades).map(|(sample, grade)| {
        let numbers = flat(grade);
        let metrics = numbers[1..]
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value, "type": "Metric"}));
        json!({
            "id": sample.get("id"),
            "aggregate_reward_score": numbers[0].1,
            "metrics_list": metrics.collect::<Vec<Value>>(),
        })
    });
    Ok(json_of(StatusCode::OK, &answers.collect::<Vec<Value>>()))
}

/// Grades of samples. One whose label cannot be used gets a grade with an error, and the others are graded.
fn with_faults(app: &App, graded: Vec<Result<Grade, Refusal>>) -> Vec<Grade> {
    let faulty = |refusal: Refusal| app.refused("", refusal);
    let each = graded.into_iter();
    each.map(|grade| grade.unwrap_or_else(faulty)).collect()
}

fn named(numbers: &[(&'static str, f64)]) -> impl Iterator<Item = (String, Value)> {
    numbers
        .iter()
        .map(|(key, value)| ((*key).to_owned(), json!(value)))
}

fn object(body: &[u8]) -> Result<Map<String, Value>, Refusal> {
    read_json(body).map_err(|error| {
        Refusal::bad(
            "",
            format!("the body is no JSON object: {error}"),
            "send an object",
        )
    })
}

/// Parts of a response that a tool wrote, or that are no answer.
const OTHER_PARTS: [&str; 5] = [
    "function_call",
    "function_call_output",
    "reasoning",
    "tool_result",
    "tool_use",
];

/// The text that the model itself answered: text, or the text parts of its messages, the last message last.
fn output_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().map(output_text);
            texts
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join("\n")
        }
        Value::Object(map) if is_answer(map) => {
            let keys = ["output", "content", "text", "choices", "message"];
            let inner = keys.iter().find_map(|key| map.get(*key));
            inner.map(output_text).unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn is_answer(part: &Map<String, Value>) -> bool {
    let is = |key: &str, values: &[&str]| {
        let value = part.get(key).and_then(Value::as_str);
        value.is_some_and(|value| values.contains(&value))
    };
    let has_role = part.get("role").is_some_and(Value::is_string);
    !is("type", &OTHER_PARTS) && (!has_role || is("role", &["assistant"]))
}

/// The grade of the diff in a response. A response without a diff, or with one that does not fit, is an edit that
/// changes nothing: otherwise a model could avoid a failure by a broken diff.
async fn grade_text(
    app: &Arc<App>,
    response: &str,
    label: &Value,
    field: &'static str,
) -> Result<Grade, Refusal> {
    let diff = diff_in(response).unwrap_or_default();
    let grade = grade_diff(app, diff, label, field).await?;
    let fault = grade.error.as_ref();
    if fault.is_some_and(|fault| fault.field.starts_with("change")) {
        grade_diff(app, "", label, field).await
    } else {
        Ok(grade)
    }
}

async fn grade_diff(
    app: &Arc<App>,
    diff: &str,
    label: &Value,
    field: &'static str,
) -> Result<Grade, Refusal> {
    let mut record = match label {
        Value::String(text) => read_json(text.as_bytes()).ok(),
        Value::Object(label) => Some(label.clone()),
        _ => None,
    }
    .ok_or_else(|| {
        Refusal::bad(
            field,
            format!("{field} is no object, and no text of one"),
            "give {\"base\": ..., \"tests\": {\"passed\": ..., \"failed\": ...}}",
        )
    })?;
    record.insert("change".to_owned(), json!({"kind": "diff", "data": diff}));
    record.entry("id").or_insert_with(|| json!(""));
    let request =
        request_of(Value::Object(record), field).map_err(|bad| Refusal::of_fault(bad.fault))?;
    app.bases.find(request.base.as_deref())?;
    Ok(app.grade(request).await)
}
