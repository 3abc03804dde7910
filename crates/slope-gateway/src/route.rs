//! Routes: mapping from request paths to operations, and their authorisation.

use std::sync::Arc;

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HeaderMap};
use hyper::{Method, Request, Response, Uri};
use serde_json::{Value, json};

use crate::attempt::Attempt;
use crate::dialect::{self, Dialect};
use crate::reply::{self, Body};
use crate::server::{Shared, Source};
use crate::upstream::HttpClient;
use crate::{answer, body};

/// The gateway's note on a request without the attempt's token.
pub const WRONG_TOKEN: &str = "the request does not carry the attempt's token";

/// Version prefixes of clients' paths, longest first.
const VERSIONS: [&str; 4] = ["/v1alpha", "/v1beta1", "/v1beta", "/v1"];

/// The parts of a model request's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) dialect: Dialect,
    /// The model, where the dialect names it in the address.
    model: Option<String>,
    /// Whether the address requests a stream.
    pub(crate) stream: bool,
    /// Whether the address requests beta features.
    pub(crate) beta: bool,
}

impl Target {
    fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            model: None,
            stream: false,
            beta: false,
        }
    }

    /// The model to request; also written to the body if the dialect has it there.
    pub(crate) fn settle_model(&self, forced: Option<&str>, body: &mut Value) -> String {
        if let (Some(forced), Some(field)) = (forced, self.dialect.model_field()) {
            body[field] = json!(forced);
        }
        let asked = self.model.as_deref().or_else(|| body["model"].as_str());
        forced.or(asked).unwrap_or_default().to_owned()
    }
}

/// Kind of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    /// A reply of the model.
    Reply(Target),
    /// Count the tokens of a request.
    Count(Target),
    /// The models on offer.
    Models(Dialect),
    /// A WebSocket.
    Socket,
    /// Something that cannot be had, with the status and the reason.
    Refused(Dialect, u16, String),
}

/// Reads an address.
fn wanted(method: &Method, uri: &Uri, headers: &HeaderMap) -> Wanted {
    let path = uri.path().trim_end_matches('/');
    let (version, path) = VERSIONS
        .iter()
        .find_map(|version| Some((*version, path.strip_prefix(version)?)))
        .filter(|(_, path)| path.starts_with('/'))
        .unwrap_or(("", path));
    let guess = if version.len() > "/v1".len() || headers.contains_key("x-goog-api-key") {
        Dialect::Gemini
    } else if headers.contains_key("anthropic-version") {
        Dialect::Messages
    } else {
        Dialect::ChatCompletions
    };
    let beta = has_query(uri, "beta=true");
    match (method.as_str(), path) {
        ("POST", "/chat/completions") => Wanted::Reply(Target::new(Dialect::ChatCompletions)),
        ("POST", "/responses") => Wanted::Reply(Target::new(Dialect::Responses)),
        ("POST", "/messages") => Wanted::Reply(Target {
            beta,
            ..Target::new(Dialect::Messages)
        }),
        ("POST", "/messages/count_tokens") => Wanted::Count(Target::new(Dialect::Messages)),
        ("GET" | "HEAD", "/models") => Wanted::Models(guess),
        // Some clients try a WebSocket here first and fall back when it is refused.
        ("GET", "/responses") => Wanted::Socket,
        ("POST", path) if path.starts_with("/models/") => gemini(&path["/models/".len()..], uri),
        _ => {
            let why = format!("the gateway has no {method} {}", uri.path());
            Wanted::Refused(guess, 404, why)
        }
    }
}

/// Reads `MODEL:METHOD`.
fn gemini(rest: &str, uri: &Uri) -> Wanted {
    let dialect = Dialect::Gemini;
    let (model, method) = rest.rsplit_once(':').unwrap_or((rest, ""));
    // The name becomes a part of an upstream's address, which it must not redirect.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
    if model.is_empty() || model.starts_with('.') || !model.chars().all(plain) {
        let why = "the address names no model: it should be /v1beta/models/MODEL:generateContent";
        return Wanted::Refused(dialect, 400, why.to_owned());
    }
    let target = Target {
        model: Some(model.to_owned()),
        ..Target::new(dialect)
    };
    match method {
        "generateContent" => Wanted::Reply(target),
        "streamGenerateContent" if has_query(uri, "alt=sse") => Wanted::Reply(Target {
            stream: true,
            ..target
        }),
        "streamGenerateContent" => {
            let why = "the gateway streams server-sent events only: add alt=sse to the address";
            Wanted::Refused(dialect, 400, why.to_owned())
        }
        "countTokens" => Wanted::Count(target),
        _ => {
            let why = format!("the gateway has no method {method:?} of a model");
            Wanted::Refused(dialect, 404, why)
        }
    }
}

fn has_query(uri: &Uri, wanted: &str) -> bool {
    let query = uri.query().unwrap_or_default();
    query.split('&').any(|part| part == wanted)
}

/// Answers a request.
pub(crate) async fn route(
    shared: &Shared,
    attempt: &Arc<Attempt>,
    request: Request<Incoming>,
) -> Response<Body> {
    let method = request.method();
    if request.uri().path() == "/" && matches!(*method, Method::GET | Method::HEAD) {
        return reply::whole(200, "", Bytes::new());
    }
    let wanted = wanted(method, request.uri(), request.headers());
    let spoken = match &wanted {
        Wanted::Reply(target) | Wanted::Count(target) => target.dialect,
        Wanted::Models(dialect) | Wanted::Refused(dialect, ..) => *dialect,
        Wanted::Socket => Dialect::Responses,
    };
    if !authorised(attempt, &request) {
        let why = WRONG_TOKEN;
        attempt.refused(why);
        return reply::refusal(spoken, 401, "invalid_token", why);
    }
    match wanted {
        Wanted::Reply(target) => answer::model_request(shared, attempt, target, request).await,
        Wanted::Count(target) => count_tokens(shared, attempt, &target, request).await,
        Wanted::Models(_) => models(shared, spoken, request.headers()).await,
        Wanted::Socket => {
            let why = "this gateway speaks HTTP and SSE only";
            reply::refusal(spoken, 426, "no_websocket", why)
        }
        Wanted::Refused(_, status, why) => {
            let code = if status == 404 {
                "not_found"
            } else {
                "unsupported"
            };
            reply::refusal(spoken, status, code, &why)
        }
    }
}

/// Whether a request has the attempt's token, in any header or parameter where clients put a key.
fn authorised(attempt: &Attempt, request: &Request<Incoming>) -> bool {
    let header = |name| {
        let value: Option<&hyper::header::HeaderValue> = request.headers().get(name);
        value.and_then(|value| value.to_str().ok())
    };
    let bearer = header(AUTHORIZATION.as_str()).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let query = request.uri().query().unwrap_or_default();
    let in_query = query.split('&').find_map(|part| part.strip_prefix("key="));
    [
        bearer,
        header("x-api-key"),
        header("x-goog-api-key"),
        in_query,
    ]
    .into_iter()
    .flatten()
    .any(|given| attempt.token.matches(given))
}

async fn count_tokens(
    shared: &Shared,
    attempt: &Attempt,
    target: &Target,
    request: Request<Incoming>,
) -> Response<Body> {
    let dialect = target.dialect;
    let headers = request.headers().clone();
    let read = body::read(&shared.limits, attempt, request).await;
    let (mut body, _room) = match read {
        Ok(read) => read,
        Err(refused) => {
            attempt.refused(&refused.why);
            return refused.response(dialect);
        }
    };
    let Source::Http(client) = &shared.source else {
        return reply::json(200, &dialect.rough_count(&body));
    };
    if client.dialect != dialect {
        return reply::json(200, &dialect.rough_count(&body));
    }
    dialect::strip(dialect, &mut body);
    let model = target.settle_model(client.model.as_deref(), &mut body);
    // Gemini takes the request to be counted also as a field of its own.
    if let Some(inner) = body.get_mut("generateContentRequest") {
        dialect::strip(dialect, inner);
        inner["model"] = json!(format!("models/{model}"));
    }
    let path = match dialect {
        Dialect::Gemini => format!("/v1beta/models/{model}:countTokens"),
        _ => "/v1/messages/count_tokens".to_owned(),
    };
    let body = Some(Bytes::from(body.to_string()));
    plain(client, &Method::POST, &path, &headers, body).await
}

async fn models(shared: &Shared, dialect: Dialect, headers: &HeaderMap) -> Response<Body> {
    let model = match &shared.source {
        Source::Scripted(script) => script.script().model.as_str(),
        Source::Replay(_) => "replayed",
        Source::Http(client) => match &client.model {
            Some(model) => model,
            None => {
                let path = format!("{}/models", client.dialect.version());
                return plain(client, &Method::GET, &path, headers, None).await;
            }
        },
    };
    reply::json(200, &dialect.models(model))
}

/// Forwards a request that costs nothing and is not booked.
async fn plain(
    client: &HttpClient,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    body: Option<Bytes>,
) -> Response<Body> {
    let failed =
        |why: &str| reply::json(502, &client.dialect.error(502, "upstream_unreachable", why));
    let tried = client.ask(method, path, headers, body, |_, _| {}).await;
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
        Err(why) => failed(&why.why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(method: &str, uri: &str) -> Wanted {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        wanted(&method, &uri.parse().unwrap(), &HeaderMap::new())
    }

    #[test]
    fn api_version_prefix_is_optional() {
        let chat = Wanted::Reply(Target::new(Dialect::ChatCompletions));
        assert_eq!(read("POST", "/v1/chat/completions"), chat);
        assert_eq!(read("POST", "/chat/completions/"), chat);
        assert!(matches!(
            read("POST", "/v1chat/completions"),
            Wanted::Refused(_, 404, _)
        ));
    }

    #[test]
    fn gemini_address_names_model_and_stream() {
        let target = |stream| {
            Wanted::Reply(Target {
                model: Some("gemini-2.5-pro".into()),
                stream,
                ..Target::new(Dialect::Gemini)
            })
        };
        let address = "/v1beta/models/gemini-2.5-pro";
        assert_eq!(
            read("POST", &format!("{address}:generateContent")),
            target(false)
        );
        let sse = format!("{address}:streamGenerateContent?key=k&alt=sse");
        assert_eq!(read("POST", &sse), target(true));
        assert!(matches!(
            read("POST", &format!("{address}:streamGenerateContent")),
            Wanted::Refused(Dialect::Gemini, 400, _)
        ));
        assert!(matches!(
            read("POST", &format!("{address}:countTokens")),
            Wanted::Count(_)
        ));
        assert!(matches!(
            read("POST", &format!("{address}:embedContent")),
            Wanted::Refused(Dialect::Gemini, 404, _)
        ));
        for elsewhere in ["..%2Fx", "../x", "..", "a/b", "", "a%20b"] {
            let address = format!("/v1beta/models/{elsewhere}:generateContent");
            assert!(
                matches!(
                    read("POST", &address),
                    Wanted::Refused(Dialect::Gemini, 400, _)
                ),
                "{address}"
            );
        }
    }
}
