//! A request to the model, from acceptance to booking.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use serde_json::Value;
use slope_model::usage::Tokens;
use tokio::sync::OwnedSemaphorePermit;
use tracing::Span;

use crate::account::{CapHit, Deadline};
use crate::attempt::Attempt;
use crate::dialect::Dialect;
use crate::events;
use crate::limiter::Debit;
use crate::recording::ExchangeRecorder;

/// Longest usual silence of a model that is working on an answer.
const UNUSUAL_SILENCE: Duration = Duration::from_mins(1);

/// Message about a silent upstream.
pub(crate) fn silence(silent: Duration) -> String {
    format!("the upstream had sent nothing for {} s", silent.as_secs())
}

/// A request and its handling. It is booked and logged exactly once, however it ends, including by
/// the client's disconnection.
#[derive(Debug)]
pub(crate) struct Exchange {
    attempt: Arc<Attempt>,
    pub(crate) dialect: Dialect,
    pub(crate) path: String,
    pub(crate) model: String,
    pub(crate) stream: bool,
    pub(crate) request: Value,
    pub(crate) stripped: Vec<String>,
    pub(crate) seq: u64,
    /// Memory permit of its request, released with it.
    pub(crate) room: Option<OwnedSemaphorePermit>,
    /// The cap for which it must be refused, if it must.
    pub(crate) over_cap: Option<CapHit>,
    /// Whether it was taken up.
    pub(crate) admitted: bool,
    /// When a cap in seconds cuts it off.
    pub(crate) deadline: Option<Deadline>,
    /// Requests to the upstream that failed.
    pub(crate) failed_tries: u64,
    /// Time that it was delayed because of the upstream.
    pub(crate) waited: Duration,
    /// Its estimated use of the upstream's rate.
    pub(crate) debit: Option<Debit>,
    /// Recorder of the exchange, if it is recorded.
    pub(crate) tape: Option<ExchangeRecorder>,
    /// Whether a request is out at the upstream, which may be working on it.
    pub(crate) out: bool,
    /// Whether the upstream reported that it lacks the agents' model.
    pub(crate) lacks_model: bool,
    /// Time of the last bytes from the upstream, or of the exchange's start.
    heard: Instant,
    pub(crate) begun: Instant,
    pub(crate) unix_ms: u64,
    settled: bool,
    /// The span of its log lines.
    pub(crate) span: Span,
}

/// Result of an exchange.
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
    /// Whether the upstream lacks the agents' model.
    pub(crate) lacks_model: bool,
    /// Whether the client left while the gateway was waiting to retry, or while the upstream was silent.
    pub(crate) given_up: bool,
}

/// Accepted request.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) dialect: Dialect,
    /// Path and query, as the dialect's own clients send them.
    pub(crate) path: String,
    /// Requested model; empty if none is named.
    pub(crate) model: String,
    pub(crate) stream: bool,
    /// The body, after stripping.
    pub(crate) request: Value,
    /// Parts removed from it.
    pub(crate) stripped: Vec<String>,
}

impl Exchange {
    /// Takes a request up.
    pub(crate) fn begin(attempt: &Arc<Attempt>, asked: Asked) -> Self {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let unix_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let (seq, over_cap) = attempt.admit(&asked.model, unix_ms);
        let named = (
            seq,
            asked.dialect.name(),
            asked.model.as_str(),
            asked.stream,
        );
        let span = events::request(attempt, named);
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
            admitted: over_cap.is_none(),
            over_cap,
            deadline: attempt.deadline(),
            failed_tries: 0,
            waited: Duration::ZERO,
            debit: None,
            tape: attempt.tape(),
            out: false,
            lacks_model: false,
            heard: Instant::now(),
            begun: Instant::now(),
            unix_ms,
            settled: false,
            span,
        }
    }

    /// The attempt that the exchange belongs to.
    pub(crate) fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// The cap in seconds that has ended it, if one has; also booked.
    pub(crate) fn out_of_time(&self) -> Option<CapHit> {
        let deadline = self.deadline.as_ref();
        let hit = deadline.filter(|deadline| deadline.at <= Instant::now())?;
        self.attempt.over(hit.hit.clone());
        Some(hit.hit.clone())
    }

    /// Notes an answer's head for the recording.
    pub(crate) fn answered(&mut self, status: u16, content_type: &str) {
        if let Some(tape) = &mut self.tape {
            tape.begin(status, content_type);
        }
    }

    /// Notes a piece of the answer's body.
    pub(crate) fn passed(&mut self, chunk: &Bytes) {
        self.heard = Instant::now();
        if let Some(tape) = &mut self.tape {
            tape.push(chunk);
        }
    }

    /// Notes for the recording that the answer's body broke off.
    pub(crate) fn broke(&mut self) {
        if let Some(tape) = &mut self.tape {
            tape.broke();
        }
    }

    /// Time that the upstream has been silent, if a request is pending and the silence is unusual:
    /// a minute or more, or any silence in an attempt without an answer so far.
    pub(crate) fn stalled(&self) -> Option<Duration> {
        let silent = self.heard.elapsed();
        let unusual = silent >= UNUSUAL_SILENCE || !self.attempt.was_answered();
        (self.out && unusual).then_some(silent)
    }

    /// Books and logs the exchange; only the first call counts.
    pub(crate) fn settle(&mut self, outcome: &Outcome) {
        if !std::mem::replace(&mut self.settled, true) {
            if let Some(debit) = self.debit.take() {
                debit.settle(outcome.tokens);
            }
            self.attempt.settle(self, outcome);
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if self.settled && self.tape.is_none() {
            return;
        }
        let cut = (!self.settled).then(|| self.out_of_time()).flatten();
        let left = "the client left before there was a reply".to_owned();
        let stalled = self.stalled().filter(|_| cut.is_none());
        let error = match (&cut, self.failed_tries, stalled) {
            (Some(hit), ..) => format!("cut off: {hit}"),
            (None, _, Some(silent)) => format!("{left}: {}", silence(silent)),
            (None, 0, None) => left,
            (None, tries, None) => format!("{left}, after {tries} failures of the upstream"),
        };
        self.settle(&Outcome {
            status: 499,
            reached: self.out,
            error: Some(error),
            // The request was delayed because of the upstream until the client gave up. The
            // client's next actions decide whether that ended the attempt.
            given_up: cut.is_none() && (self.failed_tries > 0 || stalled.is_some()),
            ..Outcome::default()
        });
        if let Some(tape) = self.tape.take() {
            self.attempt.clone().record_tape(self, &tape);
        }
    }
}
