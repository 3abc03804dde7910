//! The books of one attempt: what was used, what was refused, what went wrong.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use slope_model::usage::{Prices, Tokens, Usage};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::{AttemptAuth, Caps, Limits, Secret};
use crate::dialect::Dialect;
use crate::error::GatewayError;
use crate::log::{Line, Log, Time};

/// Messages that are kept; what comes after is counted only.
const MOST_MESSAGES: usize = 100;

/// Responses without usage after which a cap on tokens or dollars counts as reached: it could
/// no longer be kept.
const MOST_UNREPORTED: u64 = 3;

/// What the gateway knows of an attempt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AttemptRecord {
    /// Tokens, requests, tool calls and cost.
    pub usage: Usage,
    /// Names of the tools that the agent offered to the model, hosted ones taken out; sorted.
    pub tools: Vec<String>,
    /// What was taken out of requests: hosted tools, contents at an address; sorted.
    pub stripped: Vec<String>,
    /// The cap that was reached, if a request was refused for it.
    pub budget_hit: Option<String>,
    /// What went wrong, in order: script errors, refused requests, broken streams. At most
    /// a hundred, and then how many more.
    pub errors: Vec<String>,
    /// A failure of the upstream after which it never answered again, and that had to be passed on to the agent (no connection,
    /// 429 or 5xx after all retries, a refused key): the harness's trouble, not the agent's.
    pub infrastructure: Option<String>,
}

/// Books of an attempt that is being served.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) token: Secret,
    trial: String,
    pub(crate) checkpoint: u32,
    caps: Caps,
    prices: Option<Prices>,
    log: Log,
    /// Room for request bodies, in KiB.
    room: Arc<Semaphore>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    usage: Usage,
    tools: BTreeSet<String>,
    stripped: BTreeSet<String>,
    budget_hit: Option<String>,
    errors: Vec<String>,
    more_errors: u64,
    infrastructure: Option<String>,
    /// Why a part of the log is missing, if one is.
    log_lost: Option<String>,
    last_seq: u64,
    in_flight: u64,
}

impl Attempt {
    /// Opens the books.
    pub(crate) fn open(
        auth: AttemptAuth,
        prices: Option<Prices>,
        key: Option<&Secret>,
        limits: &Limits,
    ) -> Result<Self, GatewayError> {
        if auth.token.len() < 16 {
            return Err(GatewayError::WeakToken);
        }
        let prices = auth.prices.or(prices);
        if let (Some(cap), None) = (auth.caps.cost_usd, prices) {
            return Err(GatewayError::CapWithoutPrices { cap });
        }
        let secrets = [auth.token.as_str(), key.map_or("", |key| key.0.as_str())];
        let log = Log::open(&auth.log_path, limits.log_bytes, &secrets).map_err(|source| {
            GatewayError::Log {
                path: auth.log_path.clone(),
                source,
            }
        })?;
        Ok(Self {
            token: Secret(auth.token),
            trial: auth.trial,
            checkpoint: auth.checkpoint_index,
            caps: auth.caps,
            prices,
            log,
            room: Arc::new(Semaphore::new(
                kib(limits.in_flight_bytes.max(limits.request_bytes)) as usize,
            )),
            state: Mutex::default(),
        })
    }

    /// Waits for room for a body; `None` once the attempt is over.
    pub(crate) async fn room_for(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        self.room.clone().acquire_many_owned(kib(bytes)).await.ok()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known so far.
    pub(crate) fn record(&self) -> AttemptRecord {
        let state = self.state();
        let mut errors = state.errors.clone();
        if state.more_errors > 0 {
            errors.push(format!("and {} more", state.more_errors));
        }
        let mut usage = state.usage.clone();
        // From the sum, so that the order of the exchanges does not matter.
        usage.cost_usd = self.prices.map(|prices| prices.cost(&usage.tokens));
        AttemptRecord {
            usage,
            tools: state.tools.iter().cloned().collect(),
            stripped: state.stripped.iter().cloned().collect(),
            budget_hit: state.budget_hit.clone(),
            errors,
            infrastructure: state.log_lost.clone().or(state.infrastructure.clone()),
        }
    }

    /// Takes secrets out of a text.
    pub(crate) fn redact(&self, text: String) -> String {
        self.log.redact(text)
    }

    /// Notes a request that was refused before it could be read.
    pub(crate) fn refused(&self, why: &str) {
        let mut state = self.state();
        state.usage.failed_requests += 1;
        state.error(self.redact(why.to_owned()));
    }

    /// Notes the tools of a request and what was taken out of it.
    pub(crate) fn offered(&self, tools: impl Iterator<Item = String>, stripped: &[String]) {
        let mut state = self.state();
        state.tools.extend(tools);
        state.stripped.extend(stripped.iter().cloned());
    }

    /// Takes an exchange up: its number, and the reason why it must be refused, if any.
    fn admit(&self) -> (u64, Option<String>) {
        let mut state = self.state();
        state.last_seq += 1;
        state.in_flight += 1;
        let reached = self.cap_reached(&state);
        if reached.is_some() {
            state.budget_hit.clone_from(&reached);
        }
        (state.last_seq, reached)
    }

    fn cap_reached(&self, state: &State) -> Option<String> {
        let used = &state.usage;
        let tokens = &used.tokens;
        let total = tokens.input + tokens.cache_read + tokens.cache_write + tokens.output;
        if let Some(cap) = self.caps.requests
            && used.requests + state.in_flight > cap
        {
            return Some(format!("cap of {cap} requests reached"));
        }
        if let Some(cap) = self.caps.tokens
            && total >= cap
        {
            return Some(format!("cap of {cap} tokens reached: {total} used"));
        }
        if let (Some(cap), Some(prices)) = (self.caps.cost_usd, self.prices)
            && prices.cost(tokens) >= cap
        {
            return Some(format!(
                "cap of {cap} USD reached: {:.6} used",
                prices.cost(tokens)
            ));
        }
        let counted = self.caps.tokens.is_some() || self.caps.cost_usd.is_some();
        (counted && used.unreported >= MOST_UNREPORTED).then(|| {
            format!(
                "the upstream reported no usage for {} responses, so the cap cannot be kept",
                used.unreported
            )
        })
    }

    fn settle(&self, exchange: &Exchange, outcome: &Outcome) {
        let calls = exchange.dialect.tool_calls(&outcome.response);
        let error = outcome.error.clone().map(|error| self.redact(error));
        {
            let mut state = self.state();
            state.in_flight = state.in_flight.saturating_sub(1);
            let usage = &mut state.usage;
            usage.failed_requests += exchange.failed_tries + u64::from(!outcome.reached);
            if outcome.reached {
                usage.requests += 1;
                usage.unreported += u64::from(!outcome.complete);
                usage.tool_calls += calls.len() as u64;
            }
            if let Some(tokens) = outcome.tokens {
                usage.tokens += tokens;
            }
            if let Some(error) = &error {
                state.error(format!("request {}: {error}", exchange.seq));
                if outcome.infrastructure {
                    state.infrastructure = Some(error.clone());
                }
            } else {
                // The upstream answers again: what the agent dies of later is its own.
                state.infrastructure = None;
            }
        }
        let cost = self
            .prices
            .zip(outcome.tokens)
            .map(|(prices, tokens)| prices.cost(&tokens));
        let elapsed = exchange.begun.elapsed().as_millis();
        let written = self.log.append(&Line {
            seq: exchange.seq,
            trial: &self.trial,
            checkpoint: self.checkpoint,
            dialect: exchange.dialect.name(),
            model: &exchange.model,
            stream: exchange.stream,
            stripped: &exchange.stripped,
            request: &exchange.request,
            status: outcome.status,
            response: &outcome.response,
            complete: outcome.complete,
            tokens: outcome.tokens,
            cost_usd: cost,
            tool_calls: &calls,
            failed_tries: exchange.failed_tries,
            error: error.as_deref(),
            time: Time {
                unix_ms: exchange.unix_ms,
                duration_ms: u64::try_from(elapsed).unwrap_or(u64::MAX),
            },
        });
        if let Err(why) = written {
            let message = format!("the request log could not be written: {why}");
            let mut state = self.state();
            state.error(message.clone());
            state.log_lost = Some(message);
        }
    }
}

/// KiB, rounded up, and within what a semaphore can hold.
fn kib(bytes: usize) -> u32 {
    u32::try_from(bytes / 1024 + 1)
        .unwrap_or(u32::MAX)
        .min(1 << 28)
}

impl State {
    fn error(&mut self, message: String) {
        if self.errors.len() < MOST_MESSAGES {
            self.errors.push(message);
        } else {
            self.more_errors += 1;
        }
    }
}

/// A request and what becomes of it. However it ends, also by the client going away, it is
/// booked and logged once.
#[derive(Debug)]
pub(crate) struct Exchange {
    attempt: Arc<Attempt>,
    pub(crate) dialect: Dialect,
    pub(crate) path: String,
    pub(crate) model: String,
    pub(crate) stream: bool,
    pub(crate) request: Value,
    stripped: Vec<String>,
    seq: u64,
    /// Room of its request, given back with it.
    pub(crate) room: Option<OwnedSemaphorePermit>,
    /// Why it must be refused, if it must.
    pub(crate) over_cap: Option<String>,
    /// Requests to the upstream that failed.
    pub(crate) failed_tries: u64,
    /// Whether a request is out at the upstream, which may be working on it.
    pub(crate) out: bool,
    begun: Instant,
    unix_ms: u64,
    settled: bool,
}

/// How an exchange ended.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) status: u16,
    pub(crate) response: Value,
    pub(crate) tokens: Option<Tokens>,
    /// Whether `tokens` are all of them.
    pub(crate) complete: bool,
    /// Whether the model worked on it.
    pub(crate) reached: bool,
    pub(crate) error: Option<String>,
    /// Whether the error is the upstream's or the gateway's own.
    pub(crate) infrastructure: bool,
}

/// A request as it is taken up.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) dialect: Dialect,
    /// Path and query, as the dialect's own clients send them.
    pub(crate) path: String,
    /// Model that is asked for; empty where none is named.
    pub(crate) model: String,
    pub(crate) stream: bool,
    /// The body, after stripping.
    pub(crate) request: Value,
    /// What was taken out of it.
    pub(crate) stripped: Vec<String>,
}

impl Exchange {
    /// Takes a request up.
    pub(crate) fn begin(attempt: &Arc<Attempt>, asked: Asked) -> Self {
        let (seq, over_cap) = attempt.admit();
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            attempt: attempt.clone(),
            dialect: asked.dialect,
            path: asked.path,
            model: asked.model,
            stream: asked.stream,
            request: asked.request,
            stripped: asked.stripped,
            seq,
            room: None,
            over_cap,
            failed_tries: 0,
            out: false,
            begun: Instant::now(),
            unix_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            settled: false,
        }
    }

    /// The attempt that the exchange belongs to.
    pub(crate) fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Books and logs the exchange; only the first call counts.
    pub(crate) fn settle(&mut self, outcome: &Outcome) {
        if !std::mem::replace(&mut self.settled, true) {
            self.attempt.settle(self, outcome);
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.settle(&Outcome {
            status: 499,
            reached: self.out,
            error: Some("the client left before there was a reply".to_owned()),
            ..Outcome::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn auth(folder: &Path, caps: Caps) -> AttemptAuth {
        AttemptAuth {
            token: "0123456789abcdef".into(),
            trial: "t".into(),
            checkpoint_index: 1,
            log_path: folder.join("log.jsonl"),
            caps,
            prices: None,
        }
    }

    fn attempt(caps: Caps, prices: Option<Prices>) -> (tempfile::TempDir, Arc<Attempt>) {
        let dir = tempfile::tempdir().unwrap();
        let attempt = Attempt::open(auth(dir.path(), caps), prices, None, &Limits::default());
        (dir, Arc::new(attempt.unwrap()))
    }

    fn begin(attempt: &Arc<Attempt>) -> Exchange {
        let asked = Asked {
            dialect: Dialect::Messages,
            path: "/v1/messages".into(),
            model: "m".into(),
            stream: false,
            request: Value::Null,
            stripped: Vec::new(),
        };
        Exchange::begin(attempt, asked)
    }

    fn good(tokens: Option<Tokens>) -> Outcome {
        Outcome {
            status: 200,
            tokens,
            complete: tokens.is_some(),
            reached: true,
            ..Outcome::default()
        }
    }

    #[test]
    fn each_cap_refuses_what_comes_after_it() {
        let used = Tokens {
            input: 60,
            output: 40,
            ..Tokens::default()
        };
        let prices = Some(Prices {
            input: 1.0,
            cache_read: 0.0,
            cache_write: 0.0,
            output: 1.0,
        });
        for (caps, expected) in [
            (
                Caps {
                    tokens: Some(100),
                    ..Caps::default()
                },
                "100 tokens",
            ),
            (
                Caps {
                    requests: Some(1),
                    ..Caps::default()
                },
                "1 requests",
            ),
            (
                Caps {
                    cost_usd: Some(0.0001),
                    ..Caps::default()
                },
                "USD",
            ),
        ] {
            let (_dir, attempt) = attempt(caps, prices);
            let mut first = begin(&attempt);
            assert_eq!(first.over_cap, None);
            first.settle(&good(Some(used)));
            assert_eq!(attempt.record().budget_hit, None);
            assert!(begin(&attempt).over_cap.clone().unwrap().contains(expected));
            assert!(attempt.record().budget_hit.unwrap().contains(expected));
        }
    }

    #[test]
    fn requests_in_flight_count_towards_their_cap() {
        let (_dir, attempt) = attempt(
            Caps {
                requests: Some(2),
                ..Caps::default()
            },
            None,
        );
        let (first, second, third) = (begin(&attempt), begin(&attempt), begin(&attempt));
        assert!(first.over_cap.is_none() && second.over_cap.is_none());
        assert!(third.over_cap.is_some());
    }

    #[test]
    fn a_cap_that_cannot_be_kept_is_reached() {
        let (_dir, attempt) = attempt(
            Caps {
                tokens: Some(1000),
                ..Caps::default()
            },
            None,
        );
        for _ in 0..MOST_UNREPORTED {
            let mut exchange = begin(&attempt);
            assert_eq!(exchange.over_cap, None);
            exchange.settle(&good(None));
        }
        assert_eq!(attempt.record().usage.unreported, MOST_UNREPORTED);
        assert!(
            begin(&attempt)
                .over_cap
                .clone()
                .unwrap()
                .contains("cannot be kept")
        );
    }

    #[test]
    fn a_cap_in_dollars_needs_prices_and_a_token_must_be_long() {
        let dir = tempfile::tempdir().unwrap();
        let caps = Caps {
            cost_usd: Some(1.0),
            ..Caps::default()
        };
        let error = Attempt::open(auth(dir.path(), caps), None, None, &Limits::default());
        assert!(matches!(error, Err(GatewayError::CapWithoutPrices { .. })));
        let weak = AttemptAuth {
            token: String::new(),
            ..auth(dir.path(), Caps::default())
        };
        let error = Attempt::open(weak, None, None, &Limits::default());
        assert!(matches!(error, Err(GatewayError::WeakToken)));
    }

    #[test]
    fn an_exchange_whose_client_leaves_is_booked_as_unreported_if_it_was_out() {
        let (_dir, attempt) = attempt(Caps::default(), None);
        drop(begin(&attempt));
        let mut out = begin(&attempt);
        out.out = true;
        drop(out);
        let usage = attempt.record().usage;
        assert_eq!(
            (usage.requests, usage.unreported, usage.failed_requests),
            (1, 1, 1)
        );
        assert_eq!(usage.cost_usd, None);
    }

    #[test]
    fn messages_are_bounded() {
        let (_dir, attempt) = attempt(Caps::default(), None);
        (0..250).for_each(|_| attempt.refused("no"));
        let record = attempt.record();
        assert_eq!(record.errors.len(), MOST_MESSAGES + 1);
        assert_eq!(record.errors.last().unwrap(), "and 150 more");
        assert_eq!(record.usage.failed_requests, 250);
    }
}
