//! Responses: JSON, and errors that name the field and the remedy.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
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
        Self {
            retry_after: Some(full.retry_after),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "",
                "too many edits wait",
                format!("send the request again in {} s", full.retry_after),
            )
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
