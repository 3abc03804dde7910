//! Conclusion and cause of an agent's execution.

use slope_agent::{Conclusion, Evidence, ProcessExit};
use slope_gateway::AttemptRecord;
use slope_model::plural;
use slope_model::run::{AttemptState, Cause};
use slope_sandbox::outcome::{Exit, LimitHit, Outcome};
use slope_sandbox::spec::Spec;

use super::Beginning;
use crate::retry;
use crate::trial::Trial;

/// Seconds before the wall clock's end after which an outage that the agent saw is not a reason for that end:
/// agents ask again within a minute.
const OUTAGE_S: f64 = 120.0;

impl Trial<'_> {
    /// The adapter's conclusion, overridden where the sandbox and the gateway know better, and the
    /// cause.
    pub(super) fn conclude(
        &self,
        spec: &Spec,
        outcome: &Outcome,
        record: &AttemptRecord,
        beginning: &Beginning<'_>,
    ) -> (Conclusion, Cause) {
        let mut conclusion = self.run.agent.conclude(&Evidence {
            exit: match outcome.exit {
                Exit::Code(code) => ProcessExit::Code(code),
                Exit::Signal(signal) => ProcessExit::Signal(signal),
            },
            stdout: &spec.stdout,
            stderr: &spec.stderr,
            stdout_cut: outcome.limits.contains(&LimitHit::Output),
            gateway_requests: record.usage.requests + record.usage.failed_requests,
        });
        let counts_more =
            beginning.conversation.is_some() && self.run.agent.reports_whole_conversation();
        if counts_more {
            conclusion.reported = None;
        }
        let cause = self.cause(&conclusion, outcome, record);
        let said = match cause {
            Cause::Cancelled => Some("the run was cancelled".to_owned()),
            Cause::Budget => record.budget_hit.as_ref().map(|cap| cap.message.clone()),
            Cause::Timeout => {
                let limit = self.run.plan.options.timeout_s;
                Some(format!("the agent was stopped after {limit} s"))
            }
            Cause::Outage => {
                let trouble = record
                    .infrastructure
                    .as_deref()
                    .unwrap_or("no reason given");
                Some(format!("the model could not be reached: {trouble}"))
            }
            Cause::Refusal => record
                .refusal
                .as_ref()
                .map(|reason| format!("the model refused to answer ({reason})")),
            Cause::Killed if outcome.is_sandbox_killed() => Some(
                "the sandbox reached its memory limit, and the kernel killed it with the workspace"
                    .to_owned(),
            ),
            Cause::AgentError | Cause::Killed => record.errors.last().map(|error| {
                let said = conclusion.reason.take().unwrap_or_default();
                format!("{said} (gateway: {error})")
            }),
            _ => None,
        };
        conclusion.reason = said.or(conclusion.reason);
        conclusion.state = retry::rule(cause).state;
        (conclusion, cause)
    }

    fn cause(&self, conclusion: &Conclusion, outcome: &Outcome, record: &AttemptRecord) -> Cause {
        if self.coordinator.cancelled() && conclusion.state != AttemptState::Completed {
            return Cause::Cancelled;
        }
        if outcome.is_sandbox_killed() {
            return Cause::Killed;
        }
        if record.budget_hit.is_some() {
            return Cause::Budget;
        }
        if outcome.limits.contains(&LimitHit::Wall) {
            // Whether it waited for its model's server until its time was over.
            let recent = record.infrastructure_s.is_none_or(|s| s <= OUTAGE_S);
            return match &record.infrastructure {
                Some(_) if recent => Cause::Outage,
                _ => Cause::Timeout,
            };
        }
        match conclusion.state {
            AttemptState::Completed if record.refusal.is_some() => Cause::Refusal,
            AttemptState::AgentError => cause_of_error(outcome, record),
            state => retry::of_state(state),
        }
    }
}

/// Cause of an agent's error.
fn cause_of_error(outcome: &Outcome, record: &AttemptRecord) -> Cause {
    let killed =
        matches!(outcome.exit, Exit::Signal(_)) || outcome.limits.contains(&LimitHit::Memory);
    match &record.infrastructure {
        // The model's server failed, not the agent.
        Some(_) => Cause::Outage,
        None if killed => Cause::Killed,
        None => Cause::AgentError,
    }
}

/// Notes on an execution: limits hit, processes left over, files left out, gateway errors.
pub(super) fn notes(outcome: &Outcome, record: &AttemptRecord) -> Vec<String> {
    let limits = outcome.limits.iter().map(|limit| {
        let limit = serde_json::to_value(limit).unwrap_or_default();
        format!("limit hit: {}", limit.as_str().unwrap_or("unknown"))
    });
    let leftover = (outcome.leftover_processes > 0).then(|| {
        format!(
            "killed {} that the agent left",
            plural(outcome.leftover_processes, "process")
        )
    });
    let left_out = outcome
        .left_out
        .iter()
        .map(|what| format!("left out of the snapshot: {what}"));
    let errors = record
        .errors
        .iter()
        .map(|error| format!("gateway: {error}"));
    limits
        .chain(leftover)
        .chain(left_out)
        .chain(errors)
        .collect()
}
