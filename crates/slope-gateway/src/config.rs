//! A gateway's settings: its upstream, its patience, its limits, and each attempt.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slope_model::usage::Prices;

use crate::dialect::Dialect;
use crate::error::GatewayError;
use crate::limiter::RateLimits;
use crate::prices::PriceTable;
use crate::recording::Recordings;
use crate::script::LoadedScript;

/// Configuration of a gateway, which serves a whole run.
#[derive(Debug, Clone)]
pub struct GatewayConfig {
    /// Source of replies.
    pub upstream: Upstream,
    /// Retry policy for failures of the upstream.
    pub retry: RetryPolicy,
    /// Rate limits of the upstream's key; shared by all attempts.
    pub rates: RateLimits,
    /// Limits on sizes and times, against hostile clients.
    pub limits: Limits,
    /// Prices of models for attempts without their own; the built-in ones if absent.
    pub prices: Option<PriceTable>,
    /// Whether to record each attempt's exchanges, with unchanged bodies, into `recording.jsonl`
    /// next to its log.
    pub record: bool,
    /// Caps of each trial: of all its attempts together.
    pub trial_caps: Caps,
    /// Caps of the run: of all its trials together.
    pub run_caps: Caps,
    /// Receives a message when the upstream starts to fail, and when it recovers.
    pub notify: Notify,
    /// Model that agents should use. A server without it is a failure of the server; a server
    /// without another model that an agent requests is not.
    pub model: Option<String>,
}

/// A listener for messages to the user; none by default.
#[derive(Clone, Default)]
pub struct Notify(Option<Arc<Listener>>);

/// Called with each message.
type Listener = dyn Fn(&str) + Send + Sync;

impl Notify {
    /// Passes messages to `listener`, from any thread.
    #[must_use]
    pub fn new(listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    pub(crate) fn send(&self, message: &str) {
        if let Some(listener) = &self.0 {
            listener(message);
        }
    }
}

impl fmt::Debug for Notify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Notify" } else { "Silent" })
    }
}

impl GatewayConfig {
    /// A gateway with default patience and limits, built-in prices, and no caps.
    #[must_use]
    pub fn new(upstream: Upstream) -> Self {
        Self {
            upstream,
            retry: RetryPolicy::default(),
            rates: RateLimits::default(),
            limits: Limits::default(),
            prices: None,
            record: false,
            trial_caps: Caps::default(),
            run_caps: Caps::default(),
            notify: Notify::default(),
            model: None,
        }
    }
}

/// Source of replies.
#[derive(Debug, Clone)]
pub enum Upstream {
    /// Replies come from a script.
    Scripted(Arc<LoadedScript>),
    /// Requests are forwarded to a server of the same dialect.
    Http(HttpUpstream),
    /// Replies come from recordings of earlier sessions.
    Replay(Recordings),
}

/// A server to forward to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpUpstream {
    /// Base address as the dialect's own clients take it: with the version for the two `OpenAI`
    /// dialects (`https://host/v1`), without it for Messages and Gemini (`https://host`). For an
    /// address without a path, the version is added if needed.
    pub base_url: String,
    /// Dialect of the server; clients must use the same one.
    pub dialect: Dialect,
    /// Source of the server's key.
    #[serde(default)]
    pub key: KeySource,
    /// Header that carries the key.
    #[serde(default)]
    pub key_header: KeyHeader,
    /// Model name to request instead of the client's; the client's if absent.
    #[serde(default)]
    pub model: Option<String>,
}

/// Source of an upstream's key. The key itself is in no configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeySource {
    /// The server needs no key.
    #[default]
    None,
    /// An environment variable of the host.
    Env(String),
    /// A file on the host; white space around the key is dropped.
    File(PathBuf),
}

impl KeySource {
    /// Reads the key.
    pub(crate) fn read(&self) -> Result<Option<Secret>, GatewayError> {
        match self {
            Self::None => Ok(None),
            Self::Env(name) => match std::env::var(name) {
                Ok(value) if !value.trim().is_empty() => Ok(Some(Secret(value.trim().to_owned()))),
                _ => Err(GatewayError::KeyVariable { name: name.clone() }),
            },
            Self::File(path) => {
                let text = std::fs::read_to_string(path).map_err(|source| GatewayError::Read {
                    path: path.clone(),
                    source,
                })?;
                if text.trim().is_empty() {
                    return Err(GatewayError::KeyEmpty { path: path.clone() });
                }
                Ok(Some(Secret(text.trim().to_owned())))
            }
        }
    }
}

/// Header that carries an upstream's key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyHeader {
    /// The header of the dialect's own clients: `x-api-key` for Messages, `x-goog-api-key` for
    /// Gemini, otherwise `Authorization: Bearer`.
    #[default]
    Dialect,
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// `x-api-key: KEY`.
    XApiKey,
    /// `x-goog-api-key: KEY`.
    XGoogApiKey,
}

/// Retry policy for failures of the upstream (429, 5xx, no connection).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Retries after the first try.
    pub retries: u32,
    /// Wait before the first retry; doubled each time.
    pub first_wait: Duration,
    /// Longest wait. If the upstream requests more, the request is not retried.
    pub longest_wait: Duration,
    /// Longest time that a request is delayed, with any number of retries, while the server as a
    /// whole fails: it limits the rate, is overloaded, or cannot be reached. Less than agents wait
    /// for a reply.
    pub outage: Duration,
}

impl RetryPolicy {
    /// The wait after this number of consecutive failures, if the server requests none.
    pub(crate) fn wait(&self, failures: u32) -> Duration {
        let factor = 2u32.saturating_pow(failures.saturating_sub(1));
        self.first_wait
            .saturating_mul(factor)
            .min(self.longest_wait / 4)
            .max(self.first_wait)
    }
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            retries: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_mins(1),
            outage: Duration::from_mins(4),
        }
    }
}

/// Limits on sizes and times, against hostile clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest request body, in bytes; larger ones are answered 413.
    pub request_bytes: usize,
    /// Bytes of request bodies that an attempt may have in flight together; more wait. JSON takes
    /// several times its length in memory, so this bounds the memory of a hostile agent.
    pub in_flight_bytes: usize,
    /// Largest response kept for the log, in bytes. A longer stream continues, but its text is
    /// missing from the log; a longer response that is not streamed is refused.
    pub response_bytes: usize,
    /// Size of the log, in bytes, after which bodies are left out of it.
    pub log_bytes: u64,
    /// Connections open at once for an attempt; more wait.
    pub connections: usize,
    /// Time for a client to send its headers, and again its body.
    pub client_patience: Duration,
    /// Longest silence of the upstream.
    pub upstream_patience: Duration,
    /// Time that [`crate::Serving::finish`] waits for requests in flight.
    pub finish_patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request_bytes: 32 << 20,
            in_flight_bytes: 128 << 20,
            response_bytes: 32 << 20,
            log_bytes: 2 << 30,
            connections: 256,
            client_patience: Duration::from_mins(1),
            upstream_patience: Duration::from_mins(10),
            finish_patience: Duration::from_secs(3),
        }
    }
}

/// Caps of an attempt, a trial or a run. A request is refused once a cap is reached; requests
/// already in flight finish, so tokens and dollars can exceed a cap by their usage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Tokens of all kinds together.
    #[serde(default)]
    pub tokens: Option<u64>,
    /// US dollars; needs prices.
    #[serde(default)]
    pub cost_usd: Option<f64>,
    /// Requests that reached the model.
    #[serde(default)]
    pub requests: Option<u64>,
    /// Seconds: of an attempt since it is served, of a trial the sum over its attempts, of a run
    /// since its gateway was made.
    #[serde(default)]
    pub wall_s: Option<u64>,
}

/// One attempt as the gateway sees it.
#[derive(Clone)]
pub struct AttemptAuth {
    /// Secret that the agent's requests must carry; see [`crate::random_token`].
    pub token: String,
    /// Name of the trial, for the log.
    pub trial: String,
    /// Checkpoint that the attempt works on, from 1.
    pub checkpoint_index: u32,
    /// Request log, appended to; created with its folder if absent.
    pub log_path: PathBuf,
    /// Caps.
    pub caps: Caps,
    /// Prices for whatever model is requested; if absent, a script's prices or else the gateway's.
    pub prices: Option<Prices>,
}

impl fmt::Debug for AttemptAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AttemptAuth")
            .field("token", &"[redacted]")
            .field("trial", &self.trial)
            .field("checkpoint_index", &self.checkpoint_index)
            .field("log_path", &self.log_path)
            .field("caps", &self.caps)
            .field("prices", &self.prices)
            .finish()
    }
}

/// A key or a token: never shown, and compared without an early exit.
#[derive(Clone)]
pub(crate) struct Secret(pub(crate) String);

impl Secret {
    pub(crate) fn matches(&self, given: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), given.as_bytes());
        let difference = ours
            .iter()
            .zip(theirs)
            .fold(0u8, |sum, (a, b)| sum | (a ^ b));
        ours.len() == theirs.len() && std::hint::black_box(difference) == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_match_exactly_and_print_redacted() {
        let secret = Secret("abc".into());
        assert!(secret.matches("abc"));
        assert!(!secret.matches("abd") && !secret.matches("ab") && !secret.matches("abcd"));
        assert_eq!(format!("{secret:?}"), "[redacted]");
    }

    #[test]
    fn key_file_is_trimmed_and_nonempty() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("key");
        std::fs::write(&path, " sk-1\n").unwrap();
        assert_eq!(
            KeySource::File(path.clone()).read().unwrap().unwrap().0,
            "sk-1"
        );
        std::fs::write(&path, "\n").unwrap();
        assert!(matches!(
            KeySource::File(path).read(),
            Err(GatewayError::KeyEmpty { .. })
        ));
        let missing = KeySource::Env("SLOPE_TEST_NO_SUCH_KEY".into())
            .read()
            .unwrap_err();
        assert!(missing.to_string().contains("SLOPE_TEST_NO_SUCH_KEY"));
    }
}
