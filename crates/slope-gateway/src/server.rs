//! Serving one attempt: connections, routes, and what becomes of a model request.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap};
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::attempt::{Attempt, Exchange, Outcome};
use crate::body;
use crate::config::Limits;
use crate::dialect::{self, Dialect, Reply, messages};
use crate::reply::{self, Body};
use crate::script::LoadedScript;
use crate::upstream::{HttpClient, key_refused};

/// What all attempts of a gateway share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) source: Source,
    pub(crate) limits: Limits,
}

/// Where replies come from.
#[derive(Debug)]
pub(crate) enum Source {
    Scripted(Arc<LoadedScript>),
    Http(Box<HttpClient>),
}

impl Source {
    /// The model to ask for, whatever the client asks for.
    fn forced_model(&self) -> Option<&str> {
        match self {
            Self::Scripted(_) => None,
            Self::Http(client) => client.model.as_deref(),
        }
    }
}

/// Accepts connections until told to stop, then waits, with bounded patience, for what is in
/// flight. Whatever is left then is cut off; its exchanges are settled as they are dropped.
pub(crate) async fn serve(
    listener: TcpListener,
    shared: Arc<Shared>,
    attempt: Arc<Attempt>,
    mut stop: watch::Receiver<bool>,
) {
    let limits = shared.limits;
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        attempt.refused("the listening socket could not be used");
        return;
    };
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            _ = stop.changed() => break,
            Some(_) = tasks.join_next() => {}
            accepted = listener.accept(), if tasks.len() < limits.connections => match accepted {
                Ok((socket, _)) => {
                    tasks.spawn(connection(socket, shared.clone(), attempt.clone(), stop.clone()));
                }
                // Out of file descriptors, most likely: let some be freed.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
        }
    }
    drop(listener);
    let all = async { while tasks.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(limits.finish_patience, all).await;
    tasks.shutdown().await;
}

async fn connection(
    socket: tokio::net::TcpStream,
    shared: Arc<Shared>,
    attempt: Arc<Attempt>,
    mut stop: watch::Receiver<bool>,
) {
    let _ = socket.set_nodelay(true);
    let patience = shared.limits.client_patience;
    let used = Arc::new(AtomicBool::new(false));
    let using = used.clone();
    let service = service_fn(move |request| {
        using.store(true, Ordering::Relaxed);
        let (shared, attempt) = (shared.clone(), attempt.clone());
        async move { Ok::<_, Infallible>(route(&shared, &attempt, request).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        // Also the time that a kept connection may idle, so that it is no short one.
        .header_read_timeout(patience.saturating_mul(15))
        .serve_connection(TokioIo::new(socket), service);
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => {}
        _ = stop.changed() => {
            // Clients open connections in reserve. One that never carried a request is not
            // idle in hyper's eyes, and would be waited for.
            if !used.load(Ordering::Relaxed) {
                return;
            }
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

async fn route(
    shared: &Shared,
    attempt: &Arc<Attempt>,
    request: Request<Incoming>,
) -> Response<Body> {
    let path = request.uri().path().trim_end_matches('/').to_owned();
    let path = path.strip_prefix("/v1").unwrap_or(&path);
    let method = request.method().clone();
    if path.is_empty() && matches!(method, Method::GET | Method::HEAD) {
        return reply::whole(200, "", Bytes::new());
    }
    let known = match path {
        "/chat/completions" => Some(Dialect::ChatCompletions),
        "/messages" | "/messages/count_tokens" => Some(Dialect::Messages),
        "/responses" => Some(Dialect::Responses),
        _ => None,
    };
    let anthropic = request.headers().contains_key("anthropic-version");
    let guess = if anthropic {
        Dialect::Messages
    } else {
        Dialect::ChatCompletions
    };
    let spoken = known.unwrap_or(guess);
    if !authorised(attempt, request.headers()) {
        let why = "the request does not carry the attempt's token";
        attempt.refused(why);
        return reply::refusal(spoken, 401, "invalid_token", why);
    }
    match (method.as_str(), path, known) {
        ("GET" | "HEAD", "/models", _) => models(shared, spoken, request.headers()).await,
        ("POST", "/messages/count_tokens", _) => count_tokens(shared, attempt, request).await,
        ("POST", _, Some(dialect)) => model_request(shared, attempt, dialect, request).await,
        // Some clients try a WebSocket here first and fall back when it is refused.
        ("GET", "/responses", _) => reply::refusal(
            spoken,
            426,
            "no_websocket",
            "this gateway speaks HTTP and SSE only",
        ),
        _ => {
            let why = format!("the gateway has no {method} {}", request.uri().path());
            reply::refusal(spoken, 404, "not_found", &why)
        }
    }
}

fn authorised(attempt: &Attempt, headers: &HeaderMap) -> bool {
    let bearer = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let plain = headers
        .get("x-api-key")
        .and_then(|value| value.to_str().ok());
    [bearer, plain]
        .into_iter()
        .flatten()
        .any(|given| attempt.token.matches(given))
}

async fn model_request(
    shared: &Shared,
    attempt: &Arc<Attempt>,
    dialect: Dialect,
    request: Request<Incoming>,
) -> Response<Body> {
    let headers = request.headers().clone();
    let beta = request
        .uri()
        .query()
        .is_some_and(|query| query.contains("beta=true"));
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
    if let Some(model) = shared.source.forced_model() {
        body["model"] = json!(model);
    }
    let view = dialect.view(&body);
    attempt.offered(view.tools.iter().map(dialect::Tool::full_name), &stripped);
    let mut exchange = Exchange::begin(attempt, dialect, view.stream, body, stripped);
    exchange.room = Some(room);
    if let Some(why) = exchange.over_cap.take() {
        return refused(exchange, 400, "budget_exceeded", why);
    }
    match &shared.source {
        Source::Scripted(script) => scripted(shared, script, exchange, &view).await,
        Source::Http(client) => forwarded(shared, client, exchange, &headers, beta).await,
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
    let answer = match script.answer(exchange.attempt().checkpoint, view) {
        Ok(answer) => answer,
        Err(why) => return refused(exchange, 400, "script_error", why),
    };
    tokio::time::sleep(Duration::from_millis(answer.turn.delay_ms)).await;
    if let Some(status) = answer.turn.fail_status {
        let response = dialect.error(status, "scripted_failure", "the script says so");
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
    let answer = reply::json(200, &response);
    settle_whole(&mut exchange, 200, response);
    answer
}

/// Whether the client is to be spared the chunk of usage that the gateway asks for.
fn hides_usage(exchange: &Exchange) -> bool {
    exchange.dialect == Dialect::ChatCompletions
        && exchange.request["stream_options"]["include_usage"] != true
}

/// Books a whole response of the model.
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
    beta: bool,
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
    let mut body = exchange.request.clone();
    if hide {
        if !body["stream_options"].is_object() {
            body["stream_options"] = json!({});
        }
        body["stream_options"]["include_usage"] = json!(true);
    }
    let path = dialect.path().trim_start_matches("/v1");
    let body = Some(Bytes::from(body.to_string()));
    let tried = client
        .ask(&Method::POST, path, beta, headers, body, |failed, out| {
            exchange.failed_tries = failed;
            exchange.out = out;
        })
        .await;
    exchange.out = false;
    exchange.failed_tries = tried.failed;
    let answer = match tried.last {
        Ok(answer) => answer,
        Err(why) => {
            let why = format!("the upstream could not be reached: {why}");
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
    let text = exchange
        .attempt()
        .redact(String::from_utf8_lossy(&bytes).into_owned());
    let response = serde_json::from_str(&text).unwrap_or_else(|_| Value::String(text.clone()));
    if (200..300).contains(&status) {
        settle_whole(&mut exchange, status, response);
        return reply::whole(status, "application/json", bytes);
    }
    // A redirect is not followed, and means nothing to a client of this gateway.
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

async fn count_tokens(
    shared: &Shared,
    attempt: &Attempt,
    request: Request<Incoming>,
) -> Response<Body> {
    let headers = request.headers().clone();
    let read = body::read(&shared.limits, attempt, request).await;
    let (mut body, _room) = match read {
        Ok(read) => read,
        Err(refused) => {
            attempt.refused(&refused.why);
            return refused.response(Dialect::Messages);
        }
    };
    match &shared.source {
        Source::Http(client) if client.dialect == Dialect::Messages => {
            dialect::strip(Dialect::Messages, &mut body);
            if let Some(model) = &client.model {
                body["model"] = json!(model);
            }
            let body = Some(Bytes::from(body.to_string()));
            plain(
                client,
                &Method::POST,
                "/messages/count_tokens",
                &headers,
                body,
            )
            .await
        }
        _ => reply::json(200, &messages::rough_count(&body)),
    }
}

async fn models(shared: &Shared, dialect: Dialect, headers: &HeaderMap) -> Response<Body> {
    let model = match &shared.source {
        Source::Scripted(script) => script.script().model.as_str(),
        Source::Http(client) if client.model.is_some() => {
            client.model.as_deref().unwrap_or_default()
        }
        Source::Http(client) => return plain(client, &Method::GET, "/models", headers, None).await,
    };
    reply::json(
        200,
        &match dialect {
            Dialect::Messages => json!({
                "data": [{ "type": "model", "id": model, "display_name": model, "created_at": "2023-11-14T22:13:20Z" }],
                "has_more": false, "first_id": model, "last_id": model,
            }),
            _ => json!({
                "object": "list",
                "data": [{ "id": model, "object": "model", "created": 1_700_000_000, "owned_by": "slope" }],
            }),
        },
    )
}

/// Passes on a request that costs nothing and is not booked.
async fn plain(
    client: &HttpClient,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    body: Option<Bytes>,
) -> Response<Body> {
    let failed =
        |why: &str| reply::json(502, &client.dialect.error(502, "upstream_unreachable", why));
    let tried = client
        .ask(method, path, false, headers, body, |_, _| {})
        .await;
    match tried.last {
        Ok(answer) => {
            let (status, headers) = (answer.status, answer.headers.clone());
            match client.whole(answer).await {
                Ok(bytes) => {
                    reply::with_headers(reply::whole(status, "application/json", bytes), &headers)
                }
                Err(why) => failed(&why),
            }
        }
        Err(why) => failed(&why),
    }
}
