//! Responses: JSON, and errors that name the field and the remedy.

use axum::body::Body;
use axum::extract::Request as HttpRequest;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use slope_model::grade::Fault;

use crate::bases::{Missing, Refused};
use crate::queue::Full;

/// Why a request has no answer of its own.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: StatusCode,
    fault: Fault,
    retry_after: Option<u64>,
}

impl Refusal {
    pub(crate) fn new(
        code: StatusCode,
        field: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            fault: Fault {
                field: field.to_owned(),
                message: message.into(),
                help: help.into(),
            },
            retry_after: None,
        }
    }

    /// A request that cannot be read.
    pub(crate) fn of_fault(fault: Fault) -> Self {
        Self {
            code: StatusCode::BAD_REQUEST,
            fault,
            retry_after: None,
        }
    }

    pub(crate) fn into_fault(self) -> Fault {
        self.fault
    }

    pub(crate) fn bad(field: &'static str, message: impl Into<String>, help: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, field, message, help)
    }
}

impl From<Full> for Refusal {
    fn from(full: Full) -> Self {
        match full {
            Full::Now(seconds) => Self {
                retry_after: Some(seconds),
                ..Self::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "",
                    "too many edits wait",
                    format!("send the request again in {seconds} s"),
                )
            },
            Full::Ever(places) => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "",
                format!("the queue has {places} places, and the request has more edits"),
                format!(
                    "send at most {places} edits at once, or start the server with a larger --queue"
                ),
            ),
        }
    }
}

impl From<Missing> for Refusal {
    fn from(missing: Missing) -> Self {
        let (code, message, help) = match missing {
            Missing::NoneOpen => (
                StatusCode::SERVICE_UNAVAILABLE,
                "the bases are not open yet".to_owned(),
                "wait until /readyz answers 200, or add a base with POST /v1/bases".to_owned(),
            ),
            Missing::Unnamed(names) => (
                StatusCode::BAD_REQUEST,
                "the request names no base, and several are open".to_owned(),
                format!("name one of {} in `base`", names.join(", ")),
            ),
            Missing::Unknown(name) => (
                StatusCode::NOT_FOUND,
                format!("there is no base {name:?}"),
                "GET /v1/bases lists the bases; POST /v1/bases adds one".to_owned(),
            ),
        };
        Self::new(code, "base", message, help)
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Taken(name) => Self::new(
                StatusCode::CONFLICT,
                "name",
                format!("the base {name:?} has other code"),
                "choose another name, or delete that base first",
            ),
            Refused::TooMany(most) => Self::new(
                StatusCode::INSUFFICIENT_STORAGE,
                "",
                format!("{most} bases are open, and no more are allowed"),
                "delete one with DELETE /v1/bases/{id}, or start the server with a higher --max-bases",
            ),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json_of(self.code, &json!({"error": self.fault}));
        if let Some(seconds) = self.retry_after {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Longest text of an error that is kept.
const MAX_ERROR: usize = 4_096;

/// Turns an error that a library wrote as text into JSON with a remedy.
pub(crate) async fn explained(request: HttpRequest, next: Next) -> Response {
    let response = next.run(request).await;
    let code = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_explained = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/"));
    if is_explained || !(code.is_client_error() || code.is_server_error()) {
        return response;
    }
    let text = axum::body::to_bytes(response.into_body(), MAX_ERROR).await;
    let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
    let reason = code.canonical_reason().unwrap_or("an error").to_lowercase();
    let message = if text.is_empty() { reason } else { text };
    Refusal::new(code, "", message, remedy(code)).into_response()
}

/// What to do about an error of a library.
fn remedy(code: StatusCode) -> &'static str {
    match code {
        StatusCode::PAYLOAD_TOO_LARGE => "send fewer edits, or a smaller archive",
        StatusCode::REQUEST_TIMEOUT => "send the body without pauses",
        _ if code.is_server_error() => "report it with the request",
        _ => "`slope grade serve --help` lists the paths and their parameters",
    }
}

/// A response with a value as JSON.
pub(crate) fn json_of(code: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => with_type(code, "application/json", Body::from(body)),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// A response with a body of a type.
pub(crate) fn with_type(code: StatusCode, kind: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = code;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
