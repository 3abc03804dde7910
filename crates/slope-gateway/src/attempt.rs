//! The record of one attempt: usage, refusals, errors.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use slope_model::usage::{ModelCost, Usage};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::account::{Accounts, CapHit, CapKind, Deadline, Entry, Ledger};
use crate::config::{AttemptAuth, Limits, Secret};
use crate::costs::{Costs, Pricing, day_of};
use crate::error::GatewayError;
use crate::events;
use crate::exchange::{Exchange, Outcome};
use crate::log::{Line, Log, Time};
use crate::prices::{PriceTable, Rate};
use crate::recording::{ExchangeRecorder, Recorder, Session};

/// Maximum number of messages kept; later ones are only counted.
const MAX_MESSAGES: usize = 100;

/// If the client gave up a delayed request within this time before the attempt's end, the delay
/// counts as the cause of the end. Clients that die leave at once; a client that lives on after
/// that had time to ask again.
const HELD_TO_THE_END: Duration = Duration::from_secs(10);

/// The gateway's record of an attempt.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// Tokens, requests, tool calls and cost.
    pub usage: Usage,
    /// Names of the tools that the agent offered to the model, without hosted ones; sorted.
    pub tools: Vec<String>,
    /// Parts taken out of requests: hosted tools, contents at an address; sorted.
    pub stripped: Vec<String>,
    /// Cost of each model and its price, by model.
    pub costs: Vec<ModelCost>,
    /// Total seconds that requests were delayed by the upstream's rate limits and failures.
    pub waited_s: f64,
    /// The cap that was reached, if a request was refused for it.
    pub budget_hit: Option<CapHit>,
    /// Errors, in order: script errors, refused requests, broken streams. At most a hundred, and
    /// then how many more.
    pub errors: Vec<String>,
    /// A failure of the upstream after which it never answered again and which was passed on to the
    /// agent (no connection, 429 or 5xx after all retries, a refused key): an infrastructure
    /// failure, not the agent's. Requests that were delayed while the upstream failed count too, if
    /// the agent gave them up at its end or in the ten seconds before it. Requests that it gave up
    /// and survived do not count.
    pub infrastructure: Option<String>,
    /// Seconds between that failure and the attempt's end; `None` if there was no failure.
    pub infrastructure_s: Option<f64>,
    /// Reason that the model, or its provider's filter, refused the last answer, in the provider's
    /// words: `refusal`, `content_filter`.
    #[serde(default)]
    pub refusal: Option<String>,
}

/// Books of an attempt that is being served.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) token: Secret,
    pub(crate) trial: String,
    pub(crate) checkpoint: u32,
    accounts: Accounts,
    pricing: Pricing,
    /// Recorder of sessions.
    recorder: Option<Recorder>,
    /// The recording to replay, if there is one.
    pub(crate) session: Option<Session>,
    tape_room: usize,
    log: Log,
    /// Room for request bodies, in KiB.
    room: Arc<Semaphore>,
    /// Replies in its first scripted request: those of the checkpoints before, if it continues their conversation.
    earlier_replies: OnceLock<usize>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    usage: Usage,
    costs: Costs,
    tools: BTreeSet<String>,
    stripped: BTreeSet<String>,
    budget_hit: Option<CapHit>,
    errors: Vec<String>,
    more_errors: u64,
    /// The upstream's last failure, and when it was.
    infrastructure: Option<(String, Instant)>,
    /// The last answer of an upstream without the model, and when it was.
    lacks_model: Option<(String, Instant)>,
    /// The last request that the client gave up while it was delayed.
    given_up: Option<(String, Instant)>,
    /// When the attempt ended.
    ended: Option<Instant>,
    /// Reason that a part of the log is missing, if one is.
    log_lost: Option<String>,
    last_seq: u64,
    /// Whether any request has been answered.
    answered: bool,
    /// Reason that the model refused the last answer, if it did.
    refusal: Option<String>,
    waited: Duration,
}

impl Attempt {
    /// Opens the books.
    pub(crate) fn open(
        auth: AttemptAuth,
        pricing: Pricing,
        key: Option<&Secret>,
        limits: &Limits,
        ledger: &Ledger,
        record: bool,
    ) -> Result<Self, GatewayError> {
        if auth.token.len() < 16 {
            return Err(GatewayError::WeakToken);
        }
        let given = auth.prices.map(|prices| Rate::fixed(prices, "given"));
        let pricing = given.map_or(pricing, Pricing::Fixed);
        let accounts = ledger.open(&auth.trial, auth.caps);
        let priced = !matches!(&pricing, Pricing::Listed(table) if *table == PriceTable::none());
        if let (Some((_, cap)), false) = (accounts.cost_cap(), priced) {
            return Err(GatewayError::CapWithoutPrices { cap });
        }
        let secrets = [auth.token.as_str(), key.map_or("", |key| key.0.as_str())];
        let log = Log::open(&auth.log_path, limits.log_bytes, &secrets).map_err(|source| {
            GatewayError::Log {
                path: auth.log_path.clone(),
                source,
            }
        })?;
        let begin = || {
            let (trial, checkpoint) = (&auth.trial, auth.checkpoint_index);
            Recorder::begin(
                &auth.log_path,
                limits.log_bytes,
                &secrets,
                trial,
                checkpoint,
            )
        };
        let recorder = record.then(begin).transpose()?;
        Ok(Self {
            token: Secret(auth.token),
            trial: auth.trial,
            checkpoint: auth.checkpoint_index,
            accounts,
            pricing,
            recorder,
            session: None,
            tape_room: limits.response_bytes,
            log,
            room: Arc::new(Semaphore::new(
                kib(limits.in_flight_bytes.max(limits.request_bytes)) as usize,
            )),
            earlier_replies: OnceLock::new(),
            state: Mutex::default(),
        })
    }

    /// Waits for room for a body; `None` once the attempt is over.
    pub(crate) async fn room_for(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        self.room.clone().acquire_many_owned(kib(bytes)).await.ok()
    }

    /// The turn of a script at a request with this number of replies.
    pub(crate) fn turn(&self, replies: usize) -> usize {
        if self.checkpoint == 1 {
            return replies;
        }
        let earlier = self.earlier_replies.get_or_init(|| replies);
        replies.saturating_sub(*earlier)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The record so far.
    pub(crate) fn record(&self) -> AttemptRecord {
        let state = self.state();
        let mut errors = state.errors.clone();
        if state.more_errors > 0 {
            errors.push(format!("and {} more", state.more_errors));
        }
        let mut usage = state.usage.clone();
        // Computed from the sums, so that the order of the exchanges does not matter.
        let costs = state.costs.list();
        // Start at zero: the sum of an empty iterator is -0.0.
        usage.cost_usd = costs
            .iter()
            .try_fold(0.0, |sum, cost| Some(sum + cost.cost_usd?));
        if costs.is_empty() && matches!(self.pricing, Pricing::Listed(_)) {
            usage.cost_usd = None;
        }
        let ended = state.ended.unwrap_or_else(Instant::now);
        let age = |at: &Instant| ended.saturating_duration_since(*at);
        let held = state.given_up.as_ref();
        let held = held.filter(|(_, at)| age(at) <= HELD_TO_THE_END);
        // A server that has answered before has the model.
        let lacks_model = state.lacks_model.as_ref().filter(|_| !state.answered);
        let trouble = state.infrastructure.as_ref().or(held).or(lacks_model);
        AttemptRecord {
            usage,
            costs,
            waited_s: state.waited.as_secs_f64(),
            tools: state.tools.iter().cloned().collect(),
            stripped: state.stripped.iter().cloned().collect(),
            budget_hit: state.budget_hit.clone(),
            errors,
            infrastructure: state
                .log_lost
                .clone()
                .or(trouble.map(|(why, _)| why.clone())),
            infrastructure_s: trouble.map(|(_, at)| age(at).as_secs_f64()),
            refusal: state.refusal.clone(),
        }
    }

    /// A tape for an exchange, if the attempt is recorded.
    pub(crate) fn tape(&self) -> Option<ExchangeRecorder> {
        self.recorder
            .as_ref()
            .map(|_| ExchangeRecorder::new(self.tape_room))
    }

    /// Records an exchange that has ended.
    pub(crate) fn record_tape(&self, exchange: &Exchange, tape: &ExchangeRecorder) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        if let Err(why) = recorder.write(exchange, tape) {
            self.lost(format!("the recording could not be written: {why}"));
        }
    }

    /// Notes that a part of the log or of the recording is missing.
    fn lost(&self, message: String) {
        let mut state = self.state();
        state.error(message.clone());
        state.log_lost = Some(message);
    }

    /// Takes secrets out of a text.
    pub(crate) fn redact(&self, text: String) -> String {
        self.log.redact(text)
    }

    /// Records a request that was refused before it could be read.
    pub(crate) fn refused(&self, why: &str) {
        events::refused(self);
        let mut state = self.state();
        state.usage.failed_requests += 1;
        state.error(self.redact(why.to_owned()));
    }

    /// Whether the model has answered a request.
    pub(crate) fn was_answered(&self) -> bool {
        self.state().answered
    }

    /// Records the tools of a request and the names of stripped ones.
    pub(crate) fn offered(&self, tools: impl Iterator<Item = String>, stripped: &[String]) {
        let mut state = self.state();
        state.tools.extend(tools);
        state.stripped.extend(stripped.iter().cloned());
    }

    /// Takes an exchange up: its number, and the cap for which it must be refused, if any.
    pub(crate) fn admit(&self, model: &str, unix_ms: u64) -> (u64, Option<CapHit>) {
        let admitted = match self.unpriced(model, unix_ms) {
            Some(hit) => Err(hit),
            None => self.accounts.admit(),
        };
        let mut state = self.state();
        state.last_seq += 1;
        let reached = admitted.err();
        if reached.is_some() {
            state.budget_hit.clone_from(&reached);
        }
        (state.last_seq, reached)
    }

    /// The cap in dollars that cannot be enforced for a model without a price.
    fn unpriced(&self, model: &str, unix_ms: u64) -> Option<CapHit> {
        let (scope, cap) = self.accounts.cost_cap()?;
        if self
            .pricing
            .rate(model, day_of(unix_ms), u64::MAX)
            .is_some()
        {
            return None;
        }
        Some(CapHit {
            scope,
            kind: CapKind::Cost,
            message: format!(
                "cap of {cap} USD cannot be kept: no price is known for the model {model:?}"
            ),
        })
    }

    /// End of the cap in seconds, if there is one.
    pub(crate) fn deadline(&self) -> Option<Deadline> {
        self.accounts.deadline()
    }

    /// Notes that a cap was reached.
    pub(crate) fn over(&self, hit: CapHit) {
        self.state().budget_hit = Some(hit);
    }

    /// Records when the agent ended, to compare its last failures with.
    pub(crate) fn ended(&self, at: Instant) {
        self.state().ended.get_or_insert(at);
    }

    /// Ends the attempt's time.
    pub(crate) fn close(&self) {
        self.accounts.close();
    }

    /// Books an exchange. Returns its cost.
    fn book(
        &self,
        exchange: &Exchange,
        outcome: &Outcome,
        calls: u64,
        error: Option<&str>,
    ) -> Option<f64> {
        let mut state = self.state();
        let cost = outcome.tokens.and_then(|tokens| {
            let day = day_of(exchange.unix_ms);
            let reported = exchange.dialect.reported_cost(&outcome.response);
            state
                .costs
                .add(&self.pricing, &exchange.model, day, tokens, reported)
        });
        state.waited += exchange.waited;
        let usage = &mut state.usage;
        usage.failed_requests += exchange.failed_tries + u64::from(!outcome.reached);
        if outcome.reached {
            usage.requests += 1;
            usage.unreported += u64::from(!outcome.complete);
            usage.tool_calls += calls;
        }
        if let Some(tokens) = outcome.tokens {
            usage.tokens += tokens;
        }
        if let Some(error) = error {
            state.error(format!("request {}: {error}", exchange.seq));
            let now = Instant::now();
            if outcome.infrastructure {
                state.infrastructure = Some((error.to_owned(), now));
            }
            if outcome.lacks_model {
                state.lacks_model = Some((error.to_owned(), now));
            }
            if outcome.given_up {
                state.given_up = Some((error.to_owned(), now));
            }
        } else {
            // The upstream answers again: later failures of the agent are its own.
            state.answered = true;
            state.refusal = exchange.dialect.refusal_reason(&outcome.response);
            state.infrastructure = None;
            state.given_up = None;
        }
        cost
    }

    /// Books and logs an exchange.
    pub(crate) fn settle(&self, exchange: &Exchange, outcome: &Outcome) {
        let calls = exchange.dialect.tool_calls(&outcome.response);
        let error = outcome.error.clone().map(|error| self.redact(error));
        let cost = self.book(exchange, outcome, calls.len() as u64, error.as_deref());
        if exchange.admitted {
            self.accounts.settle(&Entry {
                reached: outcome.reached,
                complete: outcome.complete,
                tokens: outcome.tokens,
                cost_usd: cost,
            });
        }
        events::ended(exchange, outcome, cost);
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
                waited_ms: u64::try_from(exchange.waited.as_millis()).unwrap_or(u64::MAX),
            },
        });
        if let Err(why) = written {
            self.lost(format!("the request log could not be written: {why}"));
        }
    }
}

/// Size in KiB, rounded up, at most the limit of a semaphore.
fn kib(bytes: usize) -> u32 {
    u32::try_from(bytes / 1024 + 1)
        .unwrap_or(u32::MAX)
        .min(1 << 28)
}

impl State {
    fn error(&mut self, message: String) {
        if self.errors.len() < MAX_MESSAGES {
            self.errors.push(message);
        } else {
            self.more_errors += 1;
        }
    }
}

#[cfg(test)]
mod tests;
