//! Spans and log events of requests.
//!
//! Errors may quote a request, so their text is only in the attempt's request log.

use std::time::Duration;

use tracing::{Span, debug, info, info_span, warn};

use crate::attempt::Attempt;
use crate::exchange::{Exchange, Outcome};

/// Target of all lines of this crate.
const TARGET: &str = "slope_gateway";

/// Longest name of a model in a log line, in characters: the client chooses it.
const MAX_MODEL: usize = 80;

/// The span of a request to the model.
pub(crate) fn request(attempt: &Attempt, exchange: (u64, &str, &str, bool)) -> Span {
    let (request, dialect, model, stream) = exchange;
    let model: String = model.chars().take(MAX_MODEL).collect();
    let trial = attempt.trial.as_str();
    let checkpoint = attempt.checkpoint;
    info_span!(target: TARGET, "request", trial, checkpoint, request, dialect, model, stream)
}

/// Logs that a request was refused before it was read.
pub(crate) fn refused(attempt: &Attempt) {
    let trial = attempt.trial.as_str();
    warn!(target: TARGET, trial, checkpoint = attempt.checkpoint, "request refused");
}

/// Logs that the upstream failed and the request waits for a retry.
pub(crate) fn retried(status: Option<u16>, failed: u64, wait: Duration) {
    let wait_s = wait.as_secs_f64();
    debug!(target: TARGET, status, failed, wait_s, "upstream failed; trying again");
}

/// Logs the end of a request.
pub(crate) fn ended(exchange: &Exchange, outcome: &Outcome, cost_usd: Option<f64>) {
    exchange.span.in_scope(|| match cause(outcome) {
        None => answered(exchange, outcome, cost_usd),
        Some(cause) => failed(exchange, outcome, cause),
    });
}

fn answered(exchange: &Exchange, outcome: &Outcome, cost_usd: Option<f64>) {
    let tokens = outcome.tokens.unwrap_or_default();
    info!(
        target: TARGET,
        status = outcome.status,
        input = tokens.input,
        cache_read = tokens.cache_read,
        output = tokens.output,
        cost_usd,
        failed_tries = exchange.failed_tries,
        waited_s = exchange.waited.as_secs_f64(),
        duration_s = exchange.begun.elapsed().as_secs_f64(),
        "request answered"
    );
}

fn failed(exchange: &Exchange, outcome: &Outcome, cause: &'static str) {
    warn!(
        target: TARGET,
        status = outcome.status,
        cause,
        failed_tries = exchange.failed_tries,
        waited_s = exchange.waited.as_secs_f64(),
        duration_s = exchange.begun.elapsed().as_secs_f64(),
        "request failed"
    );
}

/// Cause of a failed request; `None` if it did not fail.
fn cause(outcome: &Outcome) -> Option<&'static str> {
    if outcome.error.is_none() && outcome.status < 400 {
        return None;
    }
    Some(match outcome {
        _ if outcome.lacks_model => "unknown_model",
        _ if outcome.infrastructure => "infrastructure",
        _ if outcome.given_up => "given_up",
        _ if outcome.status == 499 => "client_left",
        _ if outcome.reached => "model",
        _ => "refused",
    })
}
