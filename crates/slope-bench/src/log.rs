//! Spans and log events of runs, trials, attempts and gradings.
//!
//! Failure reasons may quote an agent's output, so they are in the journal and not in the log.

use std::time::Instant;

use slope_model::problem::Checkpoint;
use slope_model::run::Attempt;
use slope_model::verdict::Verdict;
use tracing::{Span, debug, info, info_span, warn};

use crate::Error;
use crate::event::TrialKey;
use crate::plan::Plan;

/// Target of all lines of this crate.
const TARGET: &str = "slope_bench";

/// The span of a run.
pub(crate) fn run(plan: &Plan) -> Span {
    let label = plan.config.label.as_str();
    info_span!(target: TARGET, "run", label)
}

pub(crate) fn run_started(plan: &Plan) {
    info!(
        target: TARGET,
        agent = plan.config.agent,
        version = plan.config.agent_version,
        model = plan.options.model,
        problems = plan.problems.len(),
        trials = plan.config.trials,
        "run started"
    );
}

pub(crate) fn run_ended(began: Instant, outcome: &Result<(), Error>) {
    let duration_s = began.elapsed().as_secs_f64();
    let status = match outcome {
        Ok(()) => "finished",
        Err(Error::Cancelled(_)) => "cancelled",
        Err(_) => "failed",
    };
    info!(target: TARGET, status, duration_s, "run ended");
}

/// The span of a trial.
pub(crate) fn trial(key: &TrialKey) -> Span {
    info_span!(target: TARGET, "trial", problem = key.problem, trial = key.trial)
}

pub(crate) fn trial_ended(began: Instant, outcome: &Result<(), Error>) {
    match outcome {
        Ok(()) => trial_finished(began),
        Err(_) => trial_failed(began),
    }
}

fn trial_finished(began: Instant) {
    let duration_s = began.elapsed().as_secs_f64();
    info!(target: TARGET, status = "finished", duration_s, "trial ended");
}

fn trial_failed(began: Instant) {
    let duration_s = began.elapsed().as_secs_f64();
    warn!(target: TARGET, status = "failed", duration_s, "trial ended");
}

pub(crate) fn worker_started(process: u32) {
    debug!(target: TARGET, process, "worker started");
}

pub(crate) fn worker_ended(process: u32, status: &str) {
    debug!(target: TARGET, process, status, "worker ended");
}

/// The span of an attempt.
pub(crate) fn attempt(checkpoint: &Checkpoint, number: u32) -> Span {
    info_span!(target: TARGET, "attempt", checkpoint = checkpoint.name, attempt = number)
}

pub(crate) fn attempt_started(model: &str) {
    info!(target: TARGET, model, "attempt started");
}

pub(crate) fn attempt_ended(attempt: &Attempt) {
    let cause = attempt.cause.map(tracing::field::debug);
    info!(target: TARGET, status = attempt.state.name(),
        cause,
        requests = attempt.usage.requests,
        cost_usd = attempt.usage.cost_usd,
        duration_s = attempt.duration_s,
        "attempt ended"
    );
}

/// The span of a grading.
pub(crate) fn grading(checkpoint: &Checkpoint) -> Span {
    info_span!(target: TARGET, "grading", checkpoint = checkpoint.name)
}

pub(crate) fn graded(verdict: &Verdict) {
    let passed: u32 = verdict.counts.values().map(|count| count.passed).sum();
    let total: u32 = verdict.counts.values().map(|count| count.total).sum();
    info!(target: TARGET, status = verdict.state.name(),
        passed,
        total,
        duration_s = verdict.duration_s,
        "grading ended"
    );
}
