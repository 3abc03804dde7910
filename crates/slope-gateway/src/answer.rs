//! Handling of a request to the model.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use hyper::{Method, Request, Response};
use serde_json::{Value, json};
use tracing::Instrument;

use crate::attempt::Attempt;
use crate::body;
use crate::dialect::{self, Dialect, Reply};
use crate::exchange::{Asked, Exchange, Outcome};
use crate::reply::{self, Body};
use crate::route::Target;
use crate::script::LoadedScript;
use crate::server::{Shared, Source};
use crate::upstream::{HttpClient, key_refused};

/// Answers a request to the model.
pub(crate) async fn model_request(
    shared: &Shared,
    attempt: &Arc<Attempt>,
    target: Target,
    request: Request<Incoming>,
) -> Response<Body> {
    let dialect = target.dialect;
    let headers = request.headers().clone();
    let (mut body, room) = match body::read(&shared.limits, attempt, request).await {
        Ok(read) => read,
        Err(refused) => {
            attempt.refused(&refused.why);
            return refused.response(dialect);
        }
    };
    if let Some(why) = dialect::refusal(dialect, &body) {
        attempt.refused(&why);
        return reply::refusal(dialect, 400, "unsupported", &why);
    }
    let stripped = dialect::strip(dialect, &mut body);
    let model = target.settle_model(shared.source.forced_model(), &mut body);
    let mut view = dialect.view(&body);
    view.stream |= target.stream;
    attempt.offered(view.tools.iter().map(dialect::Tool::full_name), &stripped);
    let mut path = dialect.path(&model, view.stream);
    if target.beta {
        path.push_str("?beta=true");
    }
    let asked = Asked {
        dialect,
        path,
        model,
        stream: view.stream,
        request: body,
        stripped,
    };
    let mut exchange = Exchange::begin(attempt, asked);
    exchange.room = Some(room);
    if let Some(hit) = exchange.over_cap.take() {
        return refused(exchange, 400, "budget_exceeded", hit.message);
    }
    let span = exchange.span.clone();
    let Some(deadline) = exchange.deadline.clone() else {
        let answer = answered(shared, exchange, &view, &headers);
        return answer.instrument(span).await;
    };
    let answer = answered(shared, exchange, &view, &headers).instrument(span);
    // A timeout drops the exchange, which books it.
    match tokio::time::timeout_at(deadline.at.into(), answer).await {
        Ok(response) => response,
        Err(_) => reply::refusal(dialect, 400, "budget_exceeded", &deadline.hit.message),
    }
}

/// Lets the gateway's source answer an exchange.
async fn answered(
    shared: &Shared,
    exchange: Exchange,
    view: &dialect::View,
    headers: &HeaderMap,
) -> Response<Body> {
    match &shared.source {
        Source::Scripted(script) => scripted(shared, script, exchange, view).await,
        Source::Http(client) => forwarded(shared, client, exchange, headers).await,
        Source::Replay(_) => replayed(shared, exchange),
    }
}

/// Content type of a complete answer.
const JSON: &str = "application/json";

/// Records a complete answer.
fn tape_json(exchange: &mut Exchange, status: u16, response: &Value) {
    if exchange.tape.is_some() {
        exchange.answered(status, JSON);
        exchange.passed(&Bytes::from(response.to_string()));
    }
}

/// Refuses an exchange that was taken up.
fn refused(mut exchange: Exchange, status: u16, code: &str, why: String) -> Response<Body> {
    let dialect = exchange.dialect;
    let response = dialect.error(status, code, &why);
    let answer = reply::final_word(reply::json(status, &response));
    exchange.settle(&Outcome {
        status,
        response,
        error: Some(why),
        ..Outcome::default()
    });
    answer
}

async fn scripted(
    shared: &Shared,
    script: &LoadedScript,
    mut exchange: Exchange,
    view: &dialect::View,
) -> Response<Body> {
    let dialect = exchange.dialect;
    let heard = dialect.heard(&exchange.request);
    let answer = match script.answer(exchange.attempt(), view, &heard) {
        Ok(answer) => answer,
        Err(why) => return refused(exchange, 400, "script_error", why),
    };
    tokio::time::sleep(Duration::from_millis(answer.turn.delay_ms)).await;
    if let Some(status) = answer.turn.fail_status {
        let response = dialect.error(status, "scripted_failure", "the script says so");
        tape_json(&mut exchange, status, &response);
        let reply = reply::json(status, &response);
        exchange.settle(&Outcome {
            status,
            response,
            ..Outcome::default()
        });
        return reply;
    }
    let reply = Reply {
        id: answer.id,
        model: &script.script().model,
        text: &answer.turn.text,
        call: answer.call,
        tokens: answer.turn.usage,
    };
    if view.stream {
        let events = dialect
            .events(&reply)
            .into_iter()
            .map(|event| Ok(Bytes::from(event)));
        let hide = hides_usage(&exchange);
        let room = shared.limits.response_bytes;
        return reply::stream(
            exchange,
            stream::iter(events.collect::<Vec<_>>()).boxed(),
            hide,
            room,
        );
    }
    let response = dialect.response(&reply);
    tape_json(&mut exchange, 200, &response);
    let answer = reply::json(200, &response);
    settle_whole(&mut exchange, 200, response);
    answer
}

/// Answers from the attempt's recording.
fn replayed(shared: &Shared, mut exchange: Exchange) -> Response<Body> {
    let attempt = exchange.attempt();
    // Recorded without secrets, so compared without them.
    let request = attempt.redact(exchange.request.to_string());
    let request = serde_json::from_str(&request).unwrap_or_default();
    let found = match &attempt.session {
        Some(session) => session.answer(exchange.dialect.name(), &request),
        None => Err("the attempt has no recording".to_owned()),
    };
    let found = match found {
        Ok(found) => found,
        Err(why) => return refused(exchange, 400, "replay_diverged", why),
    };
    exchange.model = found.model;
    let chunks = stream::iter(found.chunks);
    if found.status == 200 && found.content_type == reply::EVENTS {
        let hide = exchange.stream && hides_usage(&exchange);
        return reply::stream(exchange, chunks.boxed(), hide, shared.limits.response_bytes);
    }
    let whole = chunks
        .collect::<Vec<_>>()
        .now_or_never()
        .unwrap_or_default();
    let whole: Result<Vec<Bytes>, String> = whole.into_iter().collect();
    let whole = whole.map(|chunks| Bytes::from(chunks.concat()));
    forwarded_whole(exchange, found.status, whole)
}

/// Whether to hide from the client the chunk of usage that the gateway requests.
fn hides_usage(exchange: &Exchange) -> bool {
    exchange.dialect == Dialect::ChatCompletions
        && exchange.request["stream_options"]["include_usage"] != true
}

/// The body to send: the client's, with a request for usage added if that is needed.
fn sent(exchange: &Exchange, ask_usage: bool) -> String {
    if !ask_usage {
        return exchange.request.to_string();
    }
    let mut body = exchange.request.clone();
    if !body["stream_options"].is_object() {
        body["stream_options"] = json!({});
    }
    body["stream_options"]["include_usage"] = json!(true);
    body.to_string()
}

/// Books a complete response of the model.
fn settle_whole(exchange: &mut Exchange, status: u16, response: Value) {
    let tokens = exchange.dialect.tokens(&response);
    exchange.settle(&Outcome {
        status,
        complete: tokens.is_some(),
        tokens,
        response,
        reached: true,
        ..Outcome::default()
    });
}

async fn forwarded(
    shared: &Shared,
    client: &HttpClient,
    mut exchange: Exchange,
    headers: &HeaderMap,
) -> Response<Body> {
    let dialect = exchange.dialect;
    if dialect != client.dialect {
        let why = format!(
            "the agent speaks {} and the configured upstream {}; this gateway does not translate between dialects, so configure an upstream that speaks {}",
            dialect.name(),
            client.dialect.name(),
            dialect.name()
        );
        return refused(exchange, 501, "dialect_mismatch", why);
    }
    let hide = exchange.stream && hides_usage(&exchange);
    let body = Some(Bytes::from(sent(&exchange, hide)));
    let path = exchange.path.clone();
    let tried = client
        .ask(&Method::POST, &path, headers, body, |failed, out| {
            exchange.failed_tries = failed;
            exchange.out = out;
        })
        .await;
    exchange.out = false;
    exchange.failed_tries = tried.failed;
    exchange.waited = tried.waited;
    exchange.debit = tried.debit;
    let answer = match tried.last {
        Ok(answer) => answer,
        Err(failure) => {
            let why = format!("the upstream could not be reached: {}", failure.why);
            return passed_on(
                exchange,
                502,
                dialect.error(502, "upstream_unreachable", &why),
                why,
            );
        }
    };
    let status = answer.status;
    let kind = answer
        .headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    if (200..300).contains(&status)
        && kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
    {
        exchange.out = true;
        let headers = answer.headers;
        let response = reply::stream(exchange, answer.body, hide, shared.limits.response_bytes);
        return reply::with_headers(response, &headers);
    }
    let headers = answer.headers.clone();
    exchange.out = (200..300).contains(&status);
    exchange.lacks_model = client.lacks_model(status, &exchange.model);
    let whole = client.whole(answer).await;
    reply::with_headers(forwarded_whole(exchange, status, whole), &headers)
}

/// A response of the upstream that is not streamed.
fn forwarded_whole(
    mut exchange: Exchange,
    status: u16,
    whole: Result<Bytes, String>,
) -> Response<Body> {
    let dialect = exchange.dialect;
    let bytes = match whole {
        Ok(bytes) => bytes,
        Err(why) => {
            let why = format!("the upstream's response broke off: {why}");
            return passed_on(
                exchange,
                502,
                dialect.error(502, "upstream_broke_off", &why),
                why,
            );
        }
    };
    exchange.answered(status, JSON);
    exchange.passed(&bytes);
    let text = exchange
        .attempt()
        .redact(String::from_utf8_lossy(&bytes).into_owned());
    let response = serde_json::from_str(&text).unwrap_or_else(|_| Value::String(text.clone()));
    if (200..300).contains(&status) {
        settle_whole(&mut exchange, status, response);
        return reply::whole(status, "application/json", bytes);
    }
    // A redirect is not followed, and is useless to a client of this gateway.
    if !(400..600).contains(&status) {
        let why = format!("the upstream answered {status}");
        return passed_on(exchange, 502, dialect.error(502, "upstream_odd", &why), why);
    }
    let mut why = format!("the upstream answered {status}: {}", brief(&text));
    if key_refused(status) {
        why = format!(
            "the upstream refused the host's key or its rights ({status}): {}",
            brief(&text)
        );
    }
    let theirs = status == 429 || status >= 500 || key_refused(status);
    let answer = reply::whole(status, "application/json", text);
    exchange.settle(&Outcome {
        status,
        response,
        error: Some(why),
        infrastructure: theirs,
        lacks_model: exchange.lacks_model,
        ..Outcome::default()
    });
    if key_refused(status) {
        reply::final_word(answer)
    } else {
        answer
    }
}

/// Passes a failure of the upstream on.
fn passed_on(mut exchange: Exchange, status: u16, response: Value, why: String) -> Response<Body> {
    let answer = reply::json(status, &response);
    exchange.settle(&Outcome {
        status,
        response,
        error: Some(why),
        infrastructure: true,
        ..Outcome::default()
    });
    answer
}

fn brief(text: &str) -> &str {
    let line = text.trim();
    &line[..line.floor_char_boundary(300)]
}
