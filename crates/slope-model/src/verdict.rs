//! Verdicts: the outcomes of a checkpoint's tests, and a state.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::integrity::Sighting;
use crate::problem::Group;

/// Outcome of one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Passed.
    Passed,
    /// Failed.
    Failed,
    /// An error outside the assertion (set-up, tear-down).
    Error,
    /// Skipped by the suite; counts as not passed.
    Skipped,
    /// Exceeded the time limit of one test.
    Timeout,
    /// Different outcomes on the same snapshot; neither passed nor failed.
    Unstable,
    /// Expected, but never reported.
    Missing,
}

impl Outcome {
    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::Skipped => "skipped",
            Self::Timeout => "timeout",
            Self::Unstable => "unstable",
            Self::Missing => "missing",
        }
    }
}

/// One test's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestResult {
    /// Id: the part of the node id after the file, or the case's id.
    pub id: String,
    /// Checkpoint of the test's suite.
    pub checkpoint: String,
    /// Group at the graded checkpoint.
    pub group: Group,
    /// Outcome.
    pub outcome: Outcome,
    /// Outcomes of repeats, in order, where the test was run more than once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<Outcome>,
    /// Seconds of the first run.
    pub duration_s: f64,
    /// Failure message; first lines only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Counts of one group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// Tests that passed.
    pub passed: u32,
    /// Tests in the group, unstable ones included.
    pub total: u32,
    /// Tests that were found unstable.
    #[serde(default)]
    pub unstable: u32,
}

/// The state of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Every stable test passed.
    Passed,
    /// Some test did not pass.
    Failed,
    /// The agent died or reported an error.
    AgentError,
    /// A cap on tokens, cost or turns ended the attempt.
    Budget,
    /// The wall clock ended the attempt.
    Timeout,
    /// The harness failed; never counts as a failure of the agent.
    Infrastructure,
    /// Not graded yet, or not reached because the trial ended before.
    Ungraded,
}

impl State {
    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::AgentError => "agent-error",
            Self::Budget => "budget",
            Self::Timeout => "timeout",
            Self::Infrastructure => "infrastructure",
            Self::Ungraded => "ungraded",
        }
    }
}

/// CPU time and memory of a program in the tests that it passed, next to those of the reference solution in the same
/// tests, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Efficiency {
    /// Tests that both programs passed, and in which all of this was measured.
    pub tests: u32,
    /// CPU seconds of the program.
    pub cpu_s: f64,
    /// CPU seconds of the reference solution.
    pub reference_cpu_s: f64,
    /// Largest memory of the program in any of the tests, in bytes.
    pub peak_memory: u64,
    /// Largest memory of the reference solution, in bytes.
    pub reference_peak_memory: u64,
}

/// The outcomes of a checkpoint's tests, and a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// [`crate::schema::VERDICT`].
    pub schema: String,
    /// Checkpoint.
    pub checkpoint: String,
    /// State.
    pub state: State,
    /// Reason for a state that is neither passed nor failed.
    #[serde(default)]
    pub reason: Option<String>,
    /// Results by checkpoint and id.
    pub tests: Vec<TestResult>,
    /// Counts by group; groups without tests are absent.
    pub counts: BTreeMap<Group, Count>,
    /// Observations of the grader in the workspace and during the suite that cast doubt on the
    /// verdict's honesty.
    #[serde(default)]
    pub integrity: Vec<Sighting>,
    /// Versions and hashes of the grader: driver, interpreter, packages, tests.
    pub grader: BTreeMap<String, String>,
    /// Seconds of the grading.
    pub duration_s: f64,
    /// Efficiency of the program next to the reference solution; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
}

impl Verdict {
    /// A verdict without tests: the state and its reason.
    #[must_use]
    pub fn without_tests(checkpoint: &str, state: State, reason: impl Into<String>) -> Self {
        Self {
            schema: crate::schema::VERDICT.to_owned(),
            checkpoint: checkpoint.to_owned(),
            state,
            reason: Some(reason.into()),
            tests: Vec::new(),
            counts: BTreeMap::new(),
            integrity: Vec::new(),
            grader: BTreeMap::new(),
            duration_s: 0.0,
            efficiency: None,
        }
    }

    /// A graded verdict: counts and state follow from the results.
    ///
    /// Unstable tests are counted separately and decide nothing: the state is [`State::Passed`] if
    /// every other test passed and there is at least one.
    #[must_use]
    pub fn from_tests(checkpoint: &str, mut tests: Vec<TestResult>) -> Self {
        tests.sort_by(|a, b| (&a.checkpoint, &a.id).cmp(&(&b.checkpoint, &b.id)));
        let counts = count(&tests);
        let deciding = |t: &&TestResult| t.outcome != Outcome::Unstable;
        let any = tests.iter().any(|t| deciding(&t));
        let all = tests
            .iter()
            .filter(deciding)
            .all(|t| t.outcome == Outcome::Passed);
        let state = if any && all {
            State::Passed
        } else {
            State::Failed
        };
        Self {
            tests,
            counts,
            state,
            reason: None,
            ..Self::without_tests(checkpoint, state, "")
        }
    }
}

/// Counts `tests` by group.
#[must_use]
pub fn count(tests: &[TestResult]) -> BTreeMap<Group, Count> {
    let mut counts: BTreeMap<Group, Count> = BTreeMap::new();
    for test in tests {
        let count = counts.entry(test.group).or_default();
        count.total += 1;
        count.passed += u32::from(test.outcome == Outcome::Passed);
        count.unstable += u32::from(test.outcome == Outcome::Unstable);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_names_match_serialised_names() {
        let states = [
            State::Passed,
            State::Failed,
            State::AgentError,
            State::Budget,
            State::Timeout,
            State::Infrastructure,
            State::Ungraded,
        ];
        for state in states {
            assert_eq!(serde_json::to_value(state).unwrap(), state.name());
        }
        let outcomes = [
            Outcome::Passed,
            Outcome::Failed,
            Outcome::Error,
            Outcome::Skipped,
            Outcome::Timeout,
            Outcome::Unstable,
            Outcome::Missing,
        ];
        for outcome in outcomes {
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.name());
        }
    }
}
