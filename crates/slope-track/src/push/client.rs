//! Requests to a server.

use std::io::Read;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

use super::Message;

/// Largest answer in bytes.
const MAX_ANSWER: u64 = 16 << 20;
/// Time limits of a connection, and of a whole request with all its tries.
const CONNECT: Duration = Duration::from_secs(10);
const WHOLE: Duration = Duration::from_secs(60);
/// Time limit of a request for the state of the server.
const HEALTH: Duration = Duration::from_secs(5);
/// Tries of a request.
const TRIES: u32 = 3;
/// Wait before the second try. It doubles for each further one.
const FIRST_WAIT: Duration = Duration::from_millis(300);
/// Longest wait that a server may ask for. With a longer one, points are kept for later.
const MAX_WAIT: u64 = 10;
/// Characters of a server's text that messages contain.
const MAX_TEXT: usize = 300;

/// A server, and a project on it.
#[derive(Debug, Clone)]
pub struct Server {
    /// Address, without a slash at the end.
    pub url: String,
    /// Name of the project.
    pub project: String,
    /// Token, if the server wants one.
    pub token: Option<String>,
}

impl Server {
    /// Whether requests have a token that others on the network could read.
    #[must_use]
    pub fn exposes_token(&self) -> bool {
        let is_plain = self.url.starts_with("http://");
        self.token.is_some() && is_plain && !self.is_loopback()
    }

    /// Whether the server is on this machine.
    fn is_loopback(&self) -> bool {
        let uri = self.url.parse::<Uri>().ok();
        let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let is_address = |ip: std::net::IpAddr| ip.is_loopback();
        host == "localhost" || host.parse().is_ok_and(is_address)
    }
}

/// Reason that a server did not accept points.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// There is no whole answer.
    #[error(
        "no answer from {url}: {message}\nhelp: check that the server runs, and that the address is right"
    )]
    NoAnswer {
        /// Address of the server.
        url: String,
        /// The reason.
        message: String,
    },
    /// The server redirects. slope does not follow, because the token is for the named server only.
    #[error("{url} redirects to {target}\nhelp: name that address with --server if you trust it")]
    Redirect {
        /// Address of the server.
        url: String,
        /// The other address.
        target: String,
    },
    /// The server refuses the request.
    #[error("{url} answered with status {status}: {message}{}", line_of(help.as_deref()))]
    Refused {
        /// Address of the server.
        url: String,
        /// HTTP status.
        status: u16,
        /// Reason of the server.
        message: String,
        /// Remedy.
        help: Option<String>,
    },
    /// The answer does not fit the request.
    #[error(
        "the answer of {url} does not fit the request: {message}\nhelp: check that the address is that of a slope server, and that both have the same version"
    )]
    Unfit {
        /// Address of the server.
        url: String,
        /// The problem.
        message: String,
    },
}

fn line_of(help: Option<&str>) -> String {
    help.map_or(String::new(), |help| format!("\nhelp: {help}"))
}

impl ServerError {
    /// Whether the server refuses what was sent, so that it may take something else.
    #[must_use]
    pub fn is_about_contents(&self) -> bool {
        self.may_be_one_point()
    }

    /// Whether a single point of the request may be the reason: it is too large, or not valid.
    pub(super) fn may_be_one_point(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                status: 413 | 422,
                ..
            }
        )
    }
}

/// The answer about a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    /// The server stored it.
    Stored,
    /// The server had it.
    Same,
    /// The server has it with other numbers.
    Conflict,
}

/// The answer about a point, with its key.
#[derive(Debug, Deserialize)]
pub(super) struct PointResult {
    series: String,
    key: String,
    pub(super) outcome: Outcome,
    pub(super) message: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<PointResult>,
}

/// Problem details, as far as messages contain them.
#[derive(Deserialize)]
struct Problem {
    title: Option<String>,
    detail: Option<String>,
    help: Option<String>,
}

/// A client of one server.
pub(super) struct Client<'s> {
    agent: Agent,
    server: &'s Server,
    /// Time limit of a request with all its tries.
    limit: Duration,
}

/// Method of a request.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verb {
    Post,
    Put,
    Delete,
}

/// Result of one try.
enum Try {
    Done(Vec<u8>),
    Failed(ServerError),
    /// Another try may succeed, after a wait if the server asks for one.
    Again(ServerError, Option<Duration>),
}

impl<'s> Client<'s> {
    pub(super) fn new(server: &'s Server) -> Self {
        let mut config = slope_request::settings().timeout_connect(Some(CONNECT));
        if server.is_loopback() {
            config = config.proxy(None);
        }
        Self {
            agent: config.build().into(),
            server,
            limit: WHOLE,
        }
    }

    /// Asks once whether the server works.
    pub(super) fn health(&self) -> Result<(), ServerError> {
        let url = &self.server.url;
        let no_answer = |message: String| ServerError::NoAnswer {
            url: url.clone(),
            message,
        };
        let request = self.agent.get(format!("{url}/api/v1/health"));
        let request = request.config().timeout_global(Some(HEALTH)).build();
        let response = request
            .call()
            .map_err(|error| no_answer(error.to_string()))?;
        match response.status().as_u16() {
            200 => Ok(()),
            status => Err(self.refused(status, &text(response).map_err(no_answer)?)),
        }
    }

    /// Sends points. The answers are in the order of the points.
    pub(super) fn send(&self, batch: &[Message]) -> Result<Vec<PointResult>, ServerError> {
        let points: Vec<&str> = batch.iter().map(|message| message.json.as_str()).collect();
        let body = format!("{{\"points\":[{}]}}", points.join(","));
        let text = self.request(Verb::Post, "points", &body)?;
        self.fitting(&text, batch)
            .map_err(|message| self.unfit(message))
    }

    /// Sends JSON to a path below the project's address, with a few tries. Returns the body of the answer.
    pub(super) fn request(
        &self,
        verb: Verb,
        path: &str,
        body: &str,
    ) -> Result<Vec<u8>, ServerError> {
        let until = Instant::now() + self.limit;
        let mut wait = FIRST_WAIT;
        for number in 1.. {
            match self.once(verb, path, body, until) {
                Try::Done(text) => return Ok(text),
                Try::Failed(error) => return Err(error),
                Try::Again(error, _) if number == TRIES => return Err(error),
                Try::Again(error, Some(asked)) if asked > Duration::from_secs(MAX_WAIT) => {
                    return Err(error);
                }
                Try::Again(error, asked) => {
                    let pause = asked.unwrap_or(wait);
                    if Instant::now() + pause >= until {
                        return Err(error);
                    }
                    std::thread::sleep(pause);
                }
            }
            wait *= 2;
        }
        unreachable!("the last try ends the loop")
    }

    /// The error of an answer that does not fit the request.
    pub(super) fn unfit(&self, message: String) -> ServerError {
        ServerError::Unfit {
            url: self.server.url.clone(),
            message,
        }
    }

    fn once(&self, verb: Verb, path: &str, body: &str, until: Instant) -> Try {
        let Server {
            url,
            project,
            token,
        } = self.server;
        let address = format!("{url}/api/v1/projects/{project}/{path}");
        let mut request = match verb {
            Verb::Post => self.agent.post(address),
            Verb::Put => self.agent.put(address),
            Verb::Delete => self.agent.delete(address).force_send_body(),
        };
        let left = until.saturating_duration_since(Instant::now());
        request = request.config().timeout_global(Some(left)).build();
        request = request.header("content-type", "application/json");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let no_answer = |message: String| ServerError::NoAnswer {
            url: url.clone(),
            message,
        };
        let response = match request.send(body.as_bytes()) {
            Ok(response) => response,
            Err(error) => {
                let is_refused = is_refused(&error);
                let error = no_answer(error.to_string());
                return if is_refused {
                    Try::Failed(error)
                } else {
                    Try::Again(error, None)
                };
            }
        };
        let status = response.status().as_u16();
        let target = header(&response, "location");
        let asked = header(&response, "retry-after").and_then(|text| text.parse().ok());
        let text = match text(response) {
            Ok(text) => text,
            Err(message) => return Try::Again(no_answer(message), None),
        };
        match status {
            200..=299 => Try::Done(text),
            300..=399 => Try::Failed(ServerError::Redirect {
                url: url.clone(),
                target: target.map_or("nowhere".to_owned(), |target| shortened(&target)),
            }),
            429 | 500..=599 => {
                Try::Again(self.refused(status, &text), asked.map(Duration::from_secs))
            }
            _ => Try::Failed(self.refused(status, &text)),
        }
    }

    /// The answers, if there is one for each point, in order.
    fn fitting(&self, text: &[u8], batch: &[Message]) -> Result<Vec<PointResult>, String> {
        let answer: Answer = serde_json::from_slice(text)
            .map_err(|error| slope_model::data_words::of_json(&error.to_string()))?;
        let (sent, answered) = (batch.len(), answer.results.len());
        if sent != answered {
            return Err(format!("{sent} points were sent, and {answered} answered"));
        }
        for (message, result) in batch.iter().zip(&answer.results) {
            if (&message.series, &message.key) != (&result.series, &result.key) {
                let other = shortened(&format!("{}/{}", result.series, result.key));
                let (series, key) = (&message.series, &message.key);
                return Err(format!("it answers {other} instead of {series}/{key}"));
            }
        }
        Ok(answer.results)
    }

    fn refused(&self, status: u16, text: &[u8]) -> ServerError {
        let problem: Option<Problem> = serde_json::from_slice(text).ok();
        let (words, help) = match problem {
            Some(problem) => (problem.detail.or(problem.title), problem.help),
            None => (None, None),
        };
        let own = match status {
            401 | 403 => Some(
                "set a token of this project in SLOPE_TOKEN, or name its variable with --token-env",
            ),
            404 => Some("check the address and --project"),
            _ => None,
        };
        ServerError::Refused {
            url: self.server.url.clone(),
            status,
            message: words.map_or("it gives no reason".to_owned(), |words| self.plain(&words)),
            help: help
                .map(|help| self.plain(&help))
                .or(own.map(str::to_owned)),
        }
    }
}

impl Client<'_> {
    /// A server's text for a message: short, and without the token, which it may repeat.
    fn plain(&self, text: &str) -> String {
        let text = match &self.server.token {
            Some(token) => text.replace(token.as_str(), "(token)"),
            None => text.to_owned(),
        };
        let is_hidden = |c: char| c.is_control() || slope_model::path::is_hidden(c);
        let text = text.replace(is_hidden, " ");
        shortened(&text)
    }
}

/// Whether nobody listens at the address. Another try at once would not help.
fn is_refused(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::Io(error) => error.kind() == std::io::ErrorKind::ConnectionRefused,
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => true,
        _ => false,
    }
}

fn header(response: &Response<Body>, name: &str) -> Option<String> {
    let value = response.headers().get(name)?;
    Some(value.to_str().ok()?.to_owned())
}

fn text(response: Response<Body>) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let body = response.into_body().into_with_config().limit(MAX_ANSWER);
    let read = body.reader().read_to_end(&mut text);
    read.map_err(|error| format!("the answer broke off: {error}"))?;
    Ok(text)
}

/// Text of a server in one line of limited length.
fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silent_servers_cost_one_time_limit() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Server {
            url: format!("http://{}", listener.local_addr().unwrap()),
            project: "p".to_owned(),
            token: None,
        };
        let client = Client {
            limit: Duration::from_secs(1),
            ..Client::new(&server)
        };
        let start = Instant::now();
        let answer = client.request(Verb::Post, "points", "{}");
        assert!(matches!(answer, Err(ServerError::NoAnswer { .. })));
        let took = start.elapsed();
        assert!(took < Duration::from_secs(2), "{took:?}");
    }

    #[test]
    fn tokens_need_tls_beyond_this_machine() {
        let exposes = |url: &str| {
            let server = Server {
                url: url.to_owned(),
                project: "p".to_owned(),
                token: Some("secret".to_owned()),
            };
            server.exposes_token()
        };
        for safe in [
            "https://a.example",
            "http://localhost:8080",
            "http://127.0.0.2",
            "http://[::1]:80/x",
        ] {
            assert!(!exposes(safe), "{safe}");
        }
        for plain in [
            "http://a.example",
            "http://localhost.example:80",
            "http://10.0.0.1",
        ] {
            assert!(exposes(plain), "{plain}");
        }
    }
}
