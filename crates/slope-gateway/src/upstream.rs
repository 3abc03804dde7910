//! Forwarding to a server of the same dialect, with retries.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use crate::config::{GatewayConfig, HttpUpstream, KeyHeader, Limits, Notify, RetryPolicy, Secret};
use crate::dialect::Dialect;
use crate::error::GatewayError;
use crate::events;
use crate::limiter::{Debit, Limiter};

/// Request headers that are forwarded; others are dropped, above all keys.
const FORWARDED: [&str; 4] = [
    "accept",
    "anthropic-version",
    "anthropic-beta",
    "openai-beta",
];

/// Headers of a response that go back.
const RETURNED: [&str; 6] = [
    "content-type",
    "retry-after",
    "retry-after-ms",
    "request-id",
    "x-request-id",
    "x-should-retry",
];

/// Client of an upstream server.
#[derive(Debug)]
pub(crate) struct HttpClient {
    client: reqwest::Client,
    base: String,
    pub(crate) dialect: Dialect,
    pub(crate) model: Option<String>,
    /// Model that agents are given, or that each request is changed to.
    wanted: Option<String>,
    key: Option<(HeaderName, HeaderValue)>,
    retry: RetryPolicy,
    response_bytes: usize,
    limiter: Arc<Limiter>,
    notify: Notify,
    /// Whether a failure was reported and no answer has come since.
    in_trouble: AtomicBool,
    /// Whether the server has answered, or its silence was reported.
    is_known: AtomicBool,
    patience: Duration,
}

/// Statuses of a server that lacks the requested resource.
const ABSENT: [u16; 3] = [404, 405, 410];

/// Silence of a server without any answer so far after which the user is notified.
const FIRST_SILENCE: Duration = Duration::from_secs(10);

/// A response that is being received.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: BoxStream<'static, Result<Bytes, String>>,
}

/// The result of repeated requests.
pub(crate) struct Tried {
    /// Requests that failed before the last.
    pub(crate) failed: u64,
    /// Time that the request was delayed.
    pub(crate) waited: Duration,
    /// Its estimated use, where it was answered.
    pub(crate) debit: Option<Debit>,
    /// The last response, or the reason that there was none.
    pub(crate) last: Result<Answer, Failure>,
}

/// Reason for a missing response.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) why: String,
    /// Whether the upstream accepted the request and then stayed silent until the gateway gave up.
    stalled: bool,
}

impl HttpClient {
    pub(crate) fn new(
        config: &GatewayConfig,
        upstream: &HttpUpstream,
        key: Option<&Secret>,
    ) -> Result<Self, GatewayError> {
        let bad = |message: &str| GatewayError::Url {
            url: upstream.base_url.clone(),
            message: message.to_owned(),
        };
        let url =
            reqwest::Url::parse(&upstream.base_url).map_err(|error| bad(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(bad("it is not an HTTP or HTTPS address"));
        }
        if url.query().is_some() || !url.username().is_empty() || url.password().is_some() {
            return Err(bad(
                "it contains a query or a user, but the key has an option of its own",
            ));
        }
        let base = base(&url, upstream.dialect);
        let limiter = Limiter::of(&base, key.map_or("", |key| &key.0), config.rates);
        let key = match key {
            Some(key) => Some(
                key_header(upstream, key)
                    .map_err(|()| bad("the key contains characters that a header cannot have"))?,
            ),
            None => None,
        };
        Ok(Self {
            client: client(&url, &config.limits)?,
            base,
            dialect: upstream.dialect,
            model: upstream.model.clone(),
            wanted: upstream.model.clone().or_else(|| config.model.clone()),
            key,
            retry: config.retry,
            response_bytes: config.limits.response_bytes,
            limiter,
            notify: config.notify.clone(),
            in_trouble: AtomicBool::new(false),
            is_known: AtomicBool::new(false),
            patience: config.limits.upstream_patience,
        })
    }

    /// Whether a status means that the server lacks the agents' model. For another model the status
    /// proves nothing about the server.
    pub(crate) fn lacks_model(&self, status: u16, model: &str) -> bool {
        ABSENT.contains(&status) && self.wanted.as_deref() == Some(model)
    }

    /// Time until the next request to the server after a failure.
    pub(crate) fn backing_off(&self) -> Option<Duration> {
        self.limiter.quiet_for()
    }

    /// Sends a request, and retries while the server is overloaded or unreachable. `on_try` gets
    /// the number of failed requests and whether one is in flight.
    pub(crate) async fn ask(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        body: Option<Bytes>,
        mut on_try: impl FnMut(u64, bool),
    ) -> Tried {
        let begun = Instant::now();
        let mut failed = 0;
        let mut waited = Duration::ZERO;
        // Usage is known with the answer; until then, estimate four bytes per token.
        let estimate = body.as_ref().map_or(0, |body| body.len() as u64 / 4);
        loop {
            let asked = Instant::now();
            let pass = self.limiter.depart(estimate, &self.retry).await;
            waited += asked.elapsed();
            on_try(failed, true);
            let once = self.once(method, path, headers, body.clone());
            let last = self.notify_silence(once).await;
            let Some(trouble) = Trouble::of(&last) else {
                self.limiter.went_well(&pass);
                self.notify_end();
                return Tried {
                    failed,
                    waited,
                    debit: Some(pass.debit),
                    last: last.map(|answer| answer.holding(pass.permit)),
                };
            };
            pass.debit.refund();
            let tries = u32::try_from(failed + 1).unwrap_or(u32::MAX);
            let wait = trouble.asked.unwrap_or_else(|| self.retry.wait(tries));
            if trouble.shared {
                self.limiter.trouble(&pass, trouble.asked, &self.retry);
            }
            let outage = trouble.shared && begun.elapsed() + wait <= self.retry.outage;
            let again = (tries <= self.retry.retries && !trouble.stalled) || outage;
            self.notify_begin(&last, again);
            if !again || wait > self.retry.longest_wait {
                return Tried {
                    failed,
                    waited,
                    debit: None,
                    last,
                };
            }
            failed += 1;
            events::retried(last.as_ref().ok().map(|answer| answer.status), failed, wait);
            on_try(failed, false);
            drop((last, pass));
            if !trouble.shared {
                tokio::time::sleep(wait).await;
                waited += wait;
            }
        }
    }

    /// Waits for an answer, and reports once that a server which has never answered is silent.
    async fn notify_silence<A>(&self, answer: impl Future<Output = A>) -> A {
        if self.is_known.load(Ordering::Relaxed) {
            return answer.await;
        }
        let mut answer = std::pin::pin!(answer);
        let silence = FIRST_SILENCE.min(self.patience / 2);
        if let Ok(answer) = tokio::time::timeout(silence, &mut answer).await {
            self.is_known.store(true, Ordering::Relaxed);
            return answer;
        }
        if !self.is_known.swap(true, Ordering::Relaxed) {
            self.notify.send(&format!(
                "the model's server {} has not answered its first request for {} s; slope waits up to {} s",
                self.base,
                silence.as_secs_f64().round(),
                self.patience.as_secs()
            ));
        }
        answer.await
    }

    /// Reports the first failure after an answer.
    fn notify_begin(&self, last: &Result<Answer, Failure>, again: bool) {
        if self.in_trouble.swap(true, Ordering::Relaxed) {
            return;
        }
        let what = match last {
            Ok(answer) => format!("the model's server {} answers {}", self.base, answer.status),
            Err(failure) => format!("nothing answers at {}: {}", self.base, failure.why),
        };
        let next = if again {
            let longest = self.retry.outage.as_secs();
            format!("; slope tries each request again, up to {longest} s")
        } else {
            String::new()
        };
        self.notify.send(&format!("{what}{next}"));
    }

    /// Reports the first answer after a failure.
    fn notify_end(&self) {
        if self.in_trouble.swap(false, Ordering::Relaxed) {
            self.notify
                .send(&format!("the model's server {} answers again", self.base));
        }
    }

    async fn once(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        body: Option<Bytes>,
    ) -> Result<Answer, Failure> {
        let path = path.strip_prefix(self.dialect.version()).unwrap_or(path);
        let url = format!("{}{path}", self.base);
        // Decompression costs more than it saves here. Compressed answers are still decoded, see `client`.
        let mut request = self
            .client
            .request(method.clone(), url)
            .header(ACCEPT_ENCODING, "identity");
        for name in FORWARDED {
            for value in headers.get_all(name) {
                request = request.header(name, value);
            }
        }
        if let Some((name, value)) = &self.key {
            request = request.header(name, value);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        let response = request.send().await.map_err(|error| Failure {
            why: describe(&error),
            stalled: error.is_timeout() && !error.is_connect(),
        })?;
        readable(response.headers())?;
        let mut returned = HeaderMap::new();
        for name in RETURNED {
            if let Some(value) = response.headers().get(name) {
                returned.insert(HeaderName::from_static(name), value.clone());
            }
        }
        Ok(Answer {
            status: response.status().as_u16(),
            headers: returned,
            body: response
                .bytes_stream()
                .map_err(|error| describe(&error))
                .boxed(),
        })
    }

    /// The complete body of a response that is not streamed.
    pub(crate) async fn whole(&self, answer: Answer) -> Result<Bytes, String> {
        let mut body = answer.body;
        let mut out = Vec::new();
        while let Some(chunk) = body.next().await {
            let chunk = chunk?;
            if out.len() + chunk.len() > self.response_bytes {
                return Err(format!(
                    "the response is longer than {} bytes",
                    self.response_bytes
                ));
            }
            out.extend_from_slice(&chunk);
        }
        Ok(out.into())
    }
}

impl Answer {
    /// Answer with a permit that is released when its body is complete or dropped.
    fn holding(mut self, permit: Option<OwnedSemaphorePermit>) -> Self {
        if let Some(permit) = permit {
            let body = self.body.map(move |chunk| {
                let _held = &permit;
                chunk
            });
            self.body = body.boxed();
        }
        self
    }
}

/// Rejects an answer in an encoding that the client cannot decode.
fn readable(headers: &HeaderMap) -> Result<(), Failure> {
    let Some(encoding) = headers.get(CONTENT_ENCODING) else {
        return Ok(());
    };
    if encoding.as_bytes().eq_ignore_ascii_case(b"identity") {
        return Ok(());
    }
    Err(Failure {
        why: format!(
            "the answer has the encoding {encoding:?}, which slope did not request and cannot read"
        ),
        stalled: false,
    })
}

/// A failure that passes.
struct Trouble {
    /// Whether it is the server's, and so everybody's, rather than perhaps this request's.
    shared: bool,
    /// Wait requested by the server.
    asked: Option<Duration>,
    stalled: bool,
}

impl Trouble {
    fn of(last: &Result<Answer, Failure>) -> Option<Self> {
        match last {
            Ok(answer) if transient(answer.status) => {
                let asked = asked_wait(&answer.headers);
                Some(Self {
                    shared: asked.is_some() || !matches!(answer.status, 408 | 500),
                    asked,
                    stalled: false,
                })
            }
            Ok(_) => None,
            Err(failure) => Some(Self {
                shared: true,
                asked: None,
                stalled: failure.stalled,
            }),
        }
    }
}

fn client(url: &reqwest::Url, limits: &Limits) -> Result<reqwest::Client, GatewayError> {
    // Fails only if another part of the process has already chosen a provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        // A redirect would carry the key to another host.
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(30))
        .read_timeout(limits.upstream_patience);
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let loopback = host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    if loopback {
        // A proxy cannot reach this machine's own servers.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| GatewayError::Client {
        message: describe(&error),
    })
}

fn key_header(upstream: &HttpUpstream, key: &Secret) -> Result<(HeaderName, HeaderValue), ()> {
    let header = match (upstream.key_header, upstream.dialect) {
        (KeyHeader::Dialect, Dialect::Messages) => KeyHeader::XApiKey,
        (KeyHeader::Dialect, Dialect::Gemini) => KeyHeader::XGoogApiKey,
        (header, _) => header,
    };
    let (name, text) = match header {
        KeyHeader::XApiKey => (HeaderName::from_static("x-api-key"), key.0.clone()),
        KeyHeader::XGoogApiKey => (HeaderName::from_static("x-goog-api-key"), key.0.clone()),
        KeyHeader::Dialect | KeyHeader::Bearer => {
            (hyper::header::AUTHORIZATION, format!("Bearer {}", key.0))
        }
    };
    let mut value = HeaderValue::from_str(&text).map_err(|_| ())?;
    value.set_sensitive(true);
    Ok((name, value))
}

/// The address in front of a path that starts after the version.
fn base(url: &reqwest::Url, dialect: Dialect) -> String {
    let text = url.as_str().trim_end_matches('/');
    let bare = url.path().trim_end_matches('/').is_empty();
    let versioned = match dialect {
        // Also in the middle, as in `/v1/publishers/google`.
        Dialect::Gemini => url.path().split('/').any(|part| part.starts_with("v1")),
        _ => text.ends_with("/v1"),
    };
    let by_client = matches!(dialect, Dialect::Messages | Dialect::Gemini);
    if (by_client && !versioned) || bare {
        format!("{text}{}", dialect.version())
    } else {
        text.to_owned()
    }
}

fn transient(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504 | 520..=529)
}

/// The wait that a server requests, in either spelling. A date is not supported and gives `None`.
fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms")
        .map(|ms| ms / 1000.0)
        .or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// An error with its causes, without the address, which may be private.
fn describe(error: &dyn std::error::Error) -> String {
    let mut out = String::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        let text = text.split(" for url (").next().unwrap_or_default();
        if !out.contains(text) {
            if !out.is_empty() {
                out.push_str(": ");
            }
            out.push_str(text);
        }
        next = error.source();
    }
    out
}

/// Whether a status means that the upstream refused the host's key.
pub(crate) fn key_refused(status: u16) -> bool {
    matches!(
        StatusCode::from_u16(status),
        Ok(StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upstream_address_follows_each_dialect() {
        let of = |url: &str, dialect| base(&reqwest::Url::parse(url).unwrap(), dialect);
        let chat = Dialect::ChatCompletions;
        assert_eq!(of("https://a/v1", chat), "https://a/v1");
        assert_eq!(of("https://a/v1/", chat), "https://a/v1");
        assert_eq!(of("https://a", chat), "https://a/v1");
        assert_eq!(of("https://a/api/paas/v4", chat), "https://a/api/paas/v4");
        assert_eq!(of("https://a", Dialect::Messages), "https://a/v1");
        assert_eq!(of("https://a/v1", Dialect::Messages), "https://a/v1");
        assert_eq!(
            of("https://a/anthropic", Dialect::Messages),
            "https://a/anthropic/v1"
        );
        for (url, expected) in [
            ("https://a", "https://a/v1beta"),
            ("https://a/v1beta/", "https://a/v1beta"),
            ("https://a/gemini", "https://a/gemini/v1beta"),
            (
                "https://a/v1/publishers/google",
                "https://a/v1/publishers/google",
            ),
        ] {
            assert_eq!(of(url, Dialect::Gemini), expected);
        }
        assert_eq!(
            of("http://127.0.0.1:9/v1", Dialect::Responses),
            "http://127.0.0.1:9/v1"
        );
    }

    #[test]
    fn retry_wait_parses_both_headers() {
        let headers = |name: &'static str, value: &'static str| {
            HeaderMap::from_iter([(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )])
        };
        assert_eq!(
            asked_wait(&headers("retry-after", "2")),
            Some(Duration::from_secs(2))
        );
        assert_eq!(
            asked_wait(&headers("retry-after-ms", "250")),
            Some(Duration::from_millis(250))
        );
        for odd in ["-1", "Wed, 21 Oct 2026 07:28:00 GMT", "NaN", "inf", ""] {
            assert_eq!(asked_wait(&headers("retry-after", odd)), None, "{odd}");
        }
    }

    #[test]
    fn invalid_upstream_urls_are_refused() {
        for url in [
            "ftp://a",
            "a/b",
            "https://user:pw@a/v1",
            "https://a/v1?key=1",
        ] {
            let upstream = HttpUpstream {
                base_url: url.into(),
                dialect: Dialect::Responses,
                key: crate::config::KeySource::None,
                key_header: KeyHeader::Dialect,
                model: None,
            };
            let config = GatewayConfig::new(crate::config::Upstream::Http(upstream.clone()));
            assert!(matches!(
                HttpClient::new(&config, &upstream, None),
                Err(GatewayError::Url { .. })
            ));
        }
    }
}
