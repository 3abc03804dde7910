//! Errors as problem details (RFC 9457).

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{
    MediaType, Operation, Response as Documented, SchemaObject, StatusCode as Status,
};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_database::Error;

/// Media type of problem details.
const MEDIA_TYPE: &str = "application/problem+json";

/// Characters of a detail.
const LONGEST_DETAIL: usize = 500;

/// Why a request has no answer of its own: problem details (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// Kind of the problem, which does not change: `about:blank` if the status says it all.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status in words.
    pub title: String,
    /// The status.
    pub status: u16,
    /// The problem.
    pub detail: String,
    /// What to do.
    pub help: String,
    #[serde(skip)]
    retry_after: Option<u32>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>, help: &str) -> Self {
        Self {
            kind: "about:blank".to_owned(),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            detail: shortened(detail.into()),
            help: help.to_owned(),
            retry_after: None,
        }
    }

    pub(crate) fn invalid(detail: impl Into<String>, help: &str) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail, help)
    }

    /// A part of the path is not valid.
    pub(crate) fn path(fault: &str) -> Self {
        let detail = format!("the path: {fault}");
        Self::new(StatusCode::BAD_REQUEST, detail, "correct the address")
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            detail,
            "check the spelling; /openapi.json lists all paths",
        )
    }

    /// The client may send the request again after some seconds.
    pub(crate) fn retry_after(self, seconds: u32) -> Self {
        Self {
            retry_after: Some(seconds),
            ..self
        }
    }

    pub(crate) fn code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        let (detail, help) = text
            .split_once("\nhelp: ")
            .unwrap_or((&text, "report it with the server's log"));
        let status = match &error {
            Error::Unknown { kind, .. } => {
                return Self {
                    help: remedy(kind).to_owned(),
                    ..Self::not_found(detail)
                };
            }
            Error::Taken { .. } => StatusCode::CONFLICT,
            Error::Invalid(_) => {
                return Self::invalid(detail, "correct it; /openapi.json describes all bodies");
            }
            Error::Full => StatusCode::INSUFFICIENT_STORAGE,
            Error::Locked | Error::ReadOnly => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let problem = Self::new(status, detail, help);
        match error {
            Error::Taken { .. } => Self {
                help: "choose another name, or remove that one first".to_owned(),
                ..problem
            },
            Error::Locked => problem.retry_after(1),
            _ => problem,
        }
    }
}

/// A text that does not repeat a whole request.
fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST_DETAIL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What to do about something that is not there.
fn remedy(kind: &str) -> &'static str {
    match kind {
        "project" => "add it with `slope serve project add NAME`, or check the spelling",
        "point" => "GET …/summaries lists the keys of all points",
        "token" => "`slope serve token list` lists the tokens",
        "watch" => "GET /api/v1/projects/{project}/watches lists the watches",
        "alarm" | "acknowledgement of" => {
            "GET /api/v1/projects/{project}/alarms lists all with their ids"
        }
        "day" => "GET …/watches/{watch}/days lists the days",
        "series" => "GET /api/v1/projects/{project} lists the series",
        _ => "begin again with the first page, without a cursor",
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.code(), body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == 401 {
            let scheme = HeaderValue::from_static("Bearer");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

impl OperationOutput for Problem {
    type Inner = Self;

    fn operation_response(context: &mut GenContext, _: &mut Operation) -> Option<Documented> {
        let schema = context.schema.subschema_for::<Self>();
        let media = MediaType {
            schema: Some(SchemaObject {
                json_schema: schema,
                example: None,
                external_docs: None,
            }),
            ..MediaType::default()
        };
        Some(Documented {
            description: "The problem, and what to do.".to_owned(),
            content: [(MEDIA_TYPE.to_owned(), media)].into_iter().collect(),
            ..Documented::default()
        })
    }

    fn inferred_responses(
        _: &mut GenContext,
        _: &mut Operation,
    ) -> Vec<(Option<Status>, Documented)> {
        // Each route names its statuses.
        Vec::new()
    }
}
