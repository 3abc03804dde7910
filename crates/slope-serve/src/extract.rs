//! Bodies, paths and queries whose errors are problems.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use aide::OperationIo;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use jsonschema::Validator;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::Problem;

/// What a body may be.
pub(crate) trait Given: DeserializeOwned + JsonSchema + 'static {
    /// Checks what the type does not. The error begins with the field.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// A body of JSON.
#[derive(OperationIo)]
#[aide(
    input_with = "axum::Json<T>",
    output_with = "axum::Json<T>",
    json_schema
)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Given, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        if !is_json(kind) {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                format!("the body is `{kind}`, not JSON"),
                "send JSON with `Content-Type: application/json`",
            ));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(unread)?;
        json(&bytes).map(Self)
    }
}

/// Reads JSON. An error names the field.
fn json<T: Given>(bytes: &[u8]) -> Result<T, Problem> {
    let faulty =
        |detail: String| Problem::invalid(detail, "correct the body; /openapi.json describes it");
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        // A number may be too large for any type. Reading the type itself names the field.
        let mut again = serde_json::Deserializer::from_slice(bytes);
        let path = serde_path_to_error::deserialize::<_, T>(&mut again).err();
        let path = path.map(|error| error.path().to_string());
        let place = path.filter(|path| path != "." && path != "?");
        faulty(match place {
            Some(place) => format!("{place}: {error}"),
            None => format!("the body is not JSON: {error}"),
        })
    })?;
    let read: T = serde_path_to_error::deserialize(&value).map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." {
            "the body".to_owned()
        } else {
            path
        };
        faulty(format!("{place}: {}", error.into_inner()))
    })?;
    read.check().map_err(faulty)?;
    // The types accept more than the description says, for example a list for an object.
    match validator::<T>().validate(&value) {
        Ok(()) => Ok(read),
        Err(error) => Err(faulty(format!(
            "{}: {error}",
            place(error.instance_path().as_str())
        ))),
    }
}

/// A pointer into JSON, as errors write places.
fn place(pointer: &str) -> String {
    let parts = pointer.split('/').skip(1);
    let text: String = parts
        .map(|part| match part.parse::<usize>() {
            Ok(at) => format!("[{at}]"),
            Err(_) => format!(".{part}"),
        })
        .collect();
    match text.trim_start_matches('.') {
        "" => "the body".to_owned(),
        text => text.to_owned(),
    }
}

/// The description of a type as a check.
fn validator<T: Given>() -> Arc<Validator> {
    static KNOWN: LazyLock<Mutex<HashMap<TypeId, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let made = known.entry(TypeId::of::<T>()).or_insert_with(|| {
        let schema = schema_for!(T).to_value();
        // A schema of our own that is faulty would be one for all requests, and every test would see it.
        let made = jsonschema::validator_for(&schema);
        Arc::new(made.unwrap_or_else(|error| panic!("a faulty schema: {error}")))
    });
    made.clone()
}

/// Whether a media type is JSON, with or without parameters.
fn is_json(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn unread(error: BytesRejection) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the body is too large",
            "send less at once",
        );
    }
    Problem::new(
        StatusCode::BAD_REQUEST,
        "the body ended early",
        "send the request again",
    )
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// Parts of the path.
#[derive(OperationIo)]
#[aide(input_with = "axum::extract::Path<T>", json_schema)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        check_null("path", parts.uri.path())?;
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Self(value))
            .map_err(|error| in_address("path", &error.body_text()))
    }
}

/// What follows `?`.
#[derive(OperationIo)]
#[aide(input_with = "axum::extract::Query<T>", json_schema)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        check_null("query", parts.uri.query().unwrap_or_default())?;
        let query = axum::extract::Query::from_request_parts(parts, state).await;
        query
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|error| in_address("query", &error.body_text()))
    }
}

/// Refuses a character that no name has, and that PostgreSQL refuses.
fn check_null(place: &str, text: &str) -> Result<(), Problem> {
    if text.contains("%00") {
        return Err(in_address(place, "it has a null character"));
    }
    Ok(())
}

fn in_address(place: &str, detail: &str) -> Problem {
    Problem::new(
        StatusCode::BAD_REQUEST,
        format!("the {place}: {detail}"),
        "correct the address",
    )
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_are_written_like_fields() {
        assert_eq!(place("/points/0/time"), "points[0].time");
        assert_eq!(place(""), "the body");
    }
}
