//! Retry policy by the cause of an attempt's end: one table for code, documents and people.

use slope_model::run::{Attempt, AttemptState, Cause};

/// Rule for a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The cause.
    pub cause: Cause,
    /// The cause, in words.
    pub what: &'static str,
    /// State of the attempt.
    pub state: AttemptState,
    /// Whether the same execution of the run retries it, up to `--retries` times.
    pub retried: bool,
    /// Whether a later execution (`slope resume`) tries again.
    pub resumed: bool,
    /// Whether the attempt's workspace is graded and measured.
    pub graded: bool,
    /// Whether the checkpoint counts in rates. Others are reported as coverage.
    pub counted: bool,
}

const fn agents(cause: Cause, what: &'static str, state: AttemptState, graded: bool) -> Rule {
    Rule {
        cause,
        what,
        state,
        retried: false,
        resumed: false,
        graded,
        counted: true,
    }
}

const fn ours(cause: Cause, what: &'static str, retried: bool) -> Rule {
    Rule {
        cause,
        what,
        state: AttemptState::Infrastructure,
        retried,
        resumed: true,
        graded: false,
        counted: false,
    }
}

/// The table.
pub const POLICY: [Rule; 12] = [
    agents(
        Cause::Completed,
        "the agent ended by itself",
        AttemptState::Completed,
        true,
    ),
    agents(
        Cause::NoOp,
        "the agent ended by itself and left the workspace as it was",
        AttemptState::Completed,
        true,
    ),
    agents(
        Cause::AgentError,
        "it crashed, reported an error, or could not log in",
        AttemptState::AgentError,
        false,
    ),
    agents(
        Cause::Killed,
        "a signal or the memory limit ended it",
        AttemptState::AgentError,
        false,
    ),
    agents(
        Cause::Refusal,
        "the agent ended by itself after the model or its provider refused to answer",
        AttemptState::Completed,
        true,
    ),
    agents(Cause::Budget, "a cap ended it", AttemptState::Budget, true),
    agents(
        Cause::Timeout,
        "its wall clock ended it",
        AttemptState::Timeout,
        true,
    ),
    ours(
        Cause::Outage,
        "the model's server limited the rate, failed or was out of reach to the end",
        true,
    ),
    ours(
        Cause::Harness,
        "a sandbox or a file failed, or the disk was full",
        true,
    ),
    ours(
        Cause::WorkerLost,
        "the trial's worker was killed or crashed",
        true,
    ),
    ours(
        Cause::Interrupted,
        "the coordinator was killed meanwhile",
        true,
    ),
    ours(Cause::Cancelled, "`slope cancel`", false),
];

/// The name of a cause in every output.
#[must_use]
pub fn name(cause: Cause) -> String {
    let name = serde_json::to_value(cause).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

/// The rule for a cause.
#[must_use]
pub fn rule(cause: Cause) -> Rule {
    let found = POLICY.into_iter().find(|rule| rule.cause == cause);
    // A test ensures that every cause is in the table.
    found.unwrap_or(POLICY[0])
}

/// The cause of an attempt's end; for attempts of older versions, derived from the state.
#[must_use]
pub fn cause(attempt: &Attempt) -> Cause {
    attempt.cause.unwrap_or_else(|| of_state(attempt.state))
}

/// The cause, derived from the state alone.
pub(crate) fn of_state(state: AttemptState) -> Cause {
    match state {
        AttemptState::Completed => Cause::Completed,
        AttemptState::AgentError => Cause::AgentError,
        AttemptState::Budget => Cause::Budget,
        AttemptState::Timeout => Cause::Timeout,
        AttemptState::Infrastructure => Cause::Harness,
    }
}

/// Whether slope grades and measures the workspace of an ended attempt.
#[must_use]
pub fn graded(attempt: &Attempt) -> bool {
    rule(cause(attempt)).graded && attempt.snapshot.is_some()
}

/// Whether an attempt's end is final.
#[must_use]
pub fn stands(attempt: &Attempt) -> bool {
    !rule(cause(attempt)).resumed
}

/// Table in Markdown, as included in `docs/scheduling.md`.
#[must_use]
pub fn markdown() -> String {
    let yes = |is: bool| if is { "yes" } else { "no" };
    let rows = POLICY.iter().map(|rule| {
        let retried = if rule.retried { "`--retries`" } else { "no" };
        format!(
            "| `{}` | {} | {} | {retried} | {} | {} | {} |\n",
            name(rule.cause),
            rule.what,
            rule.state.name(),
            yes(rule.resumed),
            yes(rule.graded),
            yes(rule.counted)
        )
    });
    let head = "| cause | what it is | state | tried again at once | tried again by `slope resume` | \
                graded | in rates |\n|---|---|---|---|---|---|---|\n";
    head.to_owned() + &rows.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_retry_table_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scheduling.md");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(&markdown()), "put this in:\n{}", markdown());
    }

    #[test]
    fn retry_policy_is_consistent() {
        for rule in POLICY {
            assert_eq!(rule.resumed, !rule.counted, "{rule:?}");
            assert!(!rule.retried || rule.resumed, "{rule:?}");
            assert!(rule.graded || rule.state != AttemptState::Completed);
            assert!(!rule.graded || rule.counted);
            let same = POLICY.iter().filter(|other| other.cause == rule.cause);
            assert_eq!(same.count(), 1);
        }
    }
}
