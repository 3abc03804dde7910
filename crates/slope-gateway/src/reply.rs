//! Responses to the client: complete bodies, refusals, and streams with usage counting.

use std::io;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::Response;
use hyper::body::Frame;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::dialect::{Assembler, Dialect, Step};
use crate::exchange::{self, Exchange, Outcome};
use crate::sse::{Event, Splitter};

/// Type of a stream.
pub(crate) const EVENTS: &str = "text/event-stream; charset=utf-8";

/// Body of every response.
pub(crate) type Body = UnsyncBoxBody<Bytes, io::Error>;

/// A complete response.
pub(crate) fn whole(status: u16, kind: &'static str, body: impl Into<Bytes>) -> Response<Body> {
    let body = Full::new(body.into())
        .map_err(|never| match never {})
        .boxed_unsync();
    let mut response = Response::new(body);
    *response.status_mut() =
        hyper::StatusCode::from_u16(status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
    if !kind.is_empty() {
        response
            .headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    response
}

/// A complete response in JSON.
pub(crate) fn json(status: u16, body: &Value) -> Response<Body> {
    whole(status, "application/json", body.to_string())
}

/// A refusal in the dialect, which clients should not retry.
pub(crate) fn refusal(dialect: Dialect, status: u16, code: &str, why: &str) -> Response<Body> {
    final_word(json(status, &dialect.error(status, code, why)))
}

/// Marks a response as not retryable; the SDKs of both vendors read this header.
pub(crate) fn final_word(mut response: Response<Body>) -> Response<Body> {
    response.headers_mut().insert(
        HeaderName::from_static("x-should-retry"),
        HeaderValue::from_static("false"),
    );
    response
}

/// Adds an upstream's headers.
pub(crate) fn with_headers(mut response: Response<Body>, headers: &HeaderMap) -> Response<Body> {
    for (name, value) in headers {
        response.headers_mut().insert(name.clone(), value.clone());
    }
    response
}

/// A stream that is forwarded and counted.
pub(crate) fn stream(
    mut exchange: Exchange,
    source: BoxStream<'static, Result<Bytes, String>>,
    hide_usage: bool,
    room: usize,
) -> Response<Body> {
    exchange.answered(200, EVENTS);
    let tally = CountedStream {
        assembler: Some(Assembler::new(exchange.dialect, room)),
        exchange,
        source: Some(source),
        splitter: Splitter::default(),
        hide_usage,
    };
    let frames = stream::unfold(tally, |mut tally| async move {
        let chunk = tally.next().await?;
        Some((Ok::<_, io::Error>(Frame::data(chunk)), tally))
    });
    let mut response = Response::new(StreamBody::new(frames).boxed_unsync());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(
        hyper::header::CACHE_CONTROL,
        HeaderValue::from_static("no-cache"),
    );
    response
}

/// A stream in progress. It is polled only as fast as the client reads. It settles its exchange
/// before the client can see its last event, so that record and log are complete before the
/// client's next action; if the client leaves, it settles on drop.
struct CountedStream {
    exchange: Exchange,
    assembler: Option<Assembler>,
    source: Option<BoxStream<'static, Result<Bytes, String>>>,
    splitter: Splitter,
    hide_usage: bool,
}

impl CountedStream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            self.source.as_ref()?;
            let passed = match self.chunk().await {
                Some(Some(Ok(chunk))) => {
                    self.exchange.passed(&chunk);
                    self.take(&chunk)
                }
                Some(Some(Err(why))) => {
                    self.break_off(&format!("the upstream's stream broke: {why}"), true)
                }
                Some(None) => self.end(),
                None => {
                    let hit = self.exchange.out_of_time();
                    self.break_off(&hit.map_or_else(String::new, |hit| hit.message), false)
                }
            };
            if !passed.is_empty() {
                return Some(passed);
            }
        }
    }

    /// The source's next item; `None` if a cap in seconds is reached first.
    async fn chunk(&mut self) -> Option<Option<Result<Bytes, String>>> {
        let next = self.source.as_mut()?.next();
        match &self.exchange.deadline {
            Some(deadline) => tokio::time::timeout_at(deadline.at.into(), next).await.ok(),
            None => Some(next.await),
        }
    }

    /// Processes a chunk. Returns the bytes to forward to the client.
    fn take(&mut self, chunk: &Bytes) -> Bytes {
        let events = self.splitter.push(chunk);
        if self.splitter.overflowed() {
            return self.break_off("the upstream sent an event of more than 16 MiB", true);
        }
        let kept = self.count(events);
        if self.hide_usage { kept } else { chunk.clone() }
    }

    /// Counts events. Returns those for the client.
    fn count(&mut self, events: Vec<Event>) -> Bytes {
        let mut kept = Vec::new();
        let mut ended = false;
        for event in events {
            let step = match &mut self.assembler {
                Some(assembler) => assembler.push(&event.data),
                None => Step::More,
            };
            ended |= step == Step::End;
            if self.hide_usage && step != Step::UsageOnly {
                kept.extend_from_slice(&event.raw);
            }
        }
        if ended {
            self.settle(None, false);
        }
        kept.into()
    }

    /// Handles the end of the source.
    fn end(&mut self) -> Bytes {
        self.source = None;
        let rest: Vec<Event> = self.splitter.rest().into_iter().collect();
        // If nothing is hidden, the bytes were forwarded as they arrived.
        let kept = self.count(rest);
        let whole = self
            .assembler
            .as_ref()
            .is_none_or(|all| all.ended() || all.usage_complete());
        let error = (!whole).then(|| "the upstream's stream ended early".to_owned());
        self.settle(error, true);
        kept
    }

    /// Ends the stream with an error that the client understands.
    fn break_off(&mut self, why: &str, infrastructure: bool) -> Bytes {
        self.exchange.broke();
        self.source = None;
        self.settle(Some(why.to_owned()), infrastructure);
        self.exchange.dialect.error_event(why).into()
    }

    fn settle(&mut self, error: Option<String>, infrastructure: bool) {
        self.settle_as(error, infrastructure, false);
    }

    fn settle_as(&mut self, error: Option<String>, infrastructure: bool, given_up: bool) {
        let Some(assembler) = self.assembler.take() else {
            return;
        };
        let told = assembler
            .error()
            .map(|why| format!("the upstream reported in its stream: {why}"));
        let complete = assembler.usage_complete();
        let response = assembler.finish();
        let tokens = self.exchange.dialect.tokens(&response);
        self.exchange.settle(&Outcome {
            status: 200,
            complete: complete && tokens.is_some(),
            tokens,
            response,
            reached: true,
            infrastructure: infrastructure || told.is_some(),
            lacks_model: false,
            given_up,
            error: error.or(told),
        });
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        // A client may leave at the last event without waiting for the end of the stream.
        let ended = self.assembler.as_ref().is_none_or(Assembler::ended);
        if !ended {
            self.exchange.broke();
        }
        let left = "the client left before the stream's end";
        let silent = self.exchange.stalled().filter(|_| !ended);
        let error = match silent {
            Some(silent) => Some(format!("{left}: {}", exchange::silence(silent))),
            None => (!ended).then(|| left.to_owned()),
        };
        self.settle_as(error, false, silent.is_some());
    }
}
