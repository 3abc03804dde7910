//! Reads a request's body, with limits on one body and on all bodies of an attempt.

use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use hyper::{Request, Response};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;

use crate::attempt::Attempt;
use crate::config::Limits;
use crate::dialect::Dialect;
use crate::reply::{self, Body};

/// Reason that a body was refused.
pub(crate) struct Refused {
    status: u16,
    code: &'static str,
    pub(crate) why: String,
}

impl Refused {
    /// The refusal in the dialect.
    pub(crate) fn response(&self, dialect: Dialect) -> Response<Body> {
        reply::refusal(dialect, self.status, self.code, &self.why)
    }
}

/// Reads a request's JSON object, with the room that it takes up until it is done with.
pub(crate) async fn read(
    limits: &Limits,
    attempt: &Attempt,
    request: Request<Incoming>,
) -> Result<(Value, OwnedSemaphorePermit), Refused> {
    let refuse = |status, code, why: String| Err(Refused { status, code, why });
    let header = |name| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    if header(CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        return refuse(
            415,
            "encoded_body",
            "the gateway takes no compressed bodies".to_owned(),
        );
    }
    let limit = limits.request_bytes;
    let told = header(CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    let room = attempt.room_for(told.unwrap_or(limit).min(limit)).await;
    let Some(room) = room else {
        return refuse(503, "closing", "the attempt is over".to_owned());
    };
    let bytes = match tokio::time::timeout(limits.client_patience, bytes_of(request, limit)).await {
        Ok(Ok(Some(bytes))) => bytes,
        Ok(Ok(None)) => {
            let why = format!("the request is longer than {limit} bytes");
            return refuse(413, "request_too_large", why);
        }
        Ok(Err(why)) => return refuse(400, "broken_body", format!("the body broke off: {why}")),
        Err(_) => return refuse(408, "slow_body", "the body did not come in time".to_owned()),
    };
    match serde_json::from_slice::<Value>(&bytes) {
        Ok(body) if body.is_object() => Ok((body, room)),
        Ok(_) => refuse(
            400,
            "invalid_json",
            "the body is not a JSON object".to_owned(),
        ),
        Err(why) => refuse(400, "invalid_json", format!("the body is not JSON: {why}")),
    }
}

/// The body's bytes; `None` if it is too long. A slightly too long body is read to its end and
/// dropped, since a client that is still sending would not see the answer.
async fn bytes_of(request: Request<Incoming>, limit: usize) -> Result<Option<Bytes>, String> {
    let mut body = Limited::new(request.into_body(), limit.saturating_mul(8));
    let mut out = Vec::new();
    let mut length = 0usize;
    while let Some(frame) = body.frame().await {
        let frame = match frame {
            Ok(frame) => frame,
            Err(_) if length > limit => return Ok(None),
            Err(why) => return Err(why.to_string()),
        };
        if let Ok(data) = frame.into_data() {
            length += data.len();
            if length > limit {
                out = Vec::new();
            } else {
                out.extend_from_slice(&data);
            }
        }
    }
    Ok((length <= limit).then(|| out.into()))
}
