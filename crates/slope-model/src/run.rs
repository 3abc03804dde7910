//! Runs, trials, attempts, and the trajectory they leave.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::integrity::Sighting;
use crate::measurement::{Definitions, Totals};
use crate::problem::Group;
use crate::usage::{ModelCost, Usage};
use crate::verdict::{Count, Efficiency, State};

/// Track of a run that names none, which runs of older versions do not. Specs are written for it.
pub const DEFAULT_TRACK: &str = "python";

/// Final state of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptState {
    /// The agent ended by itself and reported no error.
    Completed,
    /// The agent died or reported an error.
    AgentError,
    /// A cap on tokens, cost or turns ended it.
    Budget,
    /// The wall clock ended it.
    Timeout,
    /// The harness failed.
    Infrastructure,
}

impl AttemptState {
    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::AgentError => "agent-error",
            Self::Budget => "budget",
            Self::Timeout => "timeout",
            Self::Infrastructure => "infrastructure",
        }
    }
}

/// Cause of an attempt's end, finer than its state. The retry policy by cause is in one table,
/// `slope_bench::retry`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The agent ended by itself and reported no error.
    Completed,
    /// The agent ended by itself and left the workspace as it was.
    NoOp,
    /// The agent reported an error, such as a failed login, or exited with an error code.
    AgentError,
    /// A signal ended the agent, or the limit on its memory.
    Killed,
    /// A cap on tokens, cost, requests, seconds or turns ended it.
    Budget,
    /// The wall clock ended it.
    Timeout,
    /// The agent ended by itself after the model, or its provider's filter, refused to answer.
    Refusal,
    /// The model's server limited the rate, failed, or could not be reached, to the end.
    Outage,
    /// The harness failed: a sandbox could not be made or was lost, a file could not be written.
    Harness,
    /// The process that worked on the trial was killed or crashed.
    WorkerLost,
    /// The coordinator was killed while the attempt was running.
    Interrupted,
    /// A person cancelled the run.
    Cancelled,
}

/// Seconds by purpose; names end in `_s`.
pub type Spans = BTreeMap<String, f64>;

/// One agent invocation on one checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    /// Checkpoint.
    pub checkpoint: String,
    /// Number of the attempt at this checkpoint, from 1.
    pub number: u32,
    /// Final state.
    pub state: AttemptState,
    /// Cause, finer than `state`; `None` in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Reason, if it did not complete.
    #[serde(default)]
    pub reason: Option<String>,
    /// Usage, counted by the gateway.
    pub usage: Usage,
    /// Usage reported by the agent itself, as a cross-check.
    #[serde(default)]
    pub reported: Option<Usage>,
    /// Cost and price of each model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<ModelCost>,
    /// Wall-clock seconds of the agent.
    pub duration_s: f64,
    /// Id of the workspace's snapshot afterwards.
    #[serde(default)]
    pub snapshot: Option<String>,
    /// Id of the snapshot that it started from, if that is not the workspace after the checkpoint
    /// before ([`Start::Reference`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Hash of the rendered prompt.
    pub prompt_hash: String,
    /// Tools that the agent offered to the model in its requests.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Limits hit and observations of the sandbox.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Observations about the agent that cast doubt on the honesty of later results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub integrity: Vec<Sighting>,
    /// Overhead of the harness: `prepare_s` (prompt, workspace and archives), `start_s` (sandbox),
    /// `collect_s` (from the agent's end until its sandbox is gone), `snapshot_s`, `conclude_s`
    /// (output and trajectory).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spans: Spans,
}

/// Code that each checkpoint of a trial starts from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The agent's own code of the checkpoint before. Trials are trajectories.
    #[default]
    Own,
    /// The reference solution of the checkpoint before. Each checkpoint is a task of its own.
    Reference,
}

impl Start {
    /// Whether this is the default.
    #[must_use]
    pub fn is_own(&self) -> bool {
        *self == Self::Own
    }
}

/// The configuration of a run, written once when it is planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunConfig {
    /// [`crate::schema::RUN`].
    pub schema: String,
    /// Version of slope that planned the run.
    pub slope_version: String,
    /// A label for tables, for example `tidy`.
    pub label: String,
    /// Agent name.
    pub agent: String,
    /// Version of the agent at planning time.
    pub agent_version: String,
    /// Model requested by the agent.
    pub model: String,
    /// Prompt strategy name, or path of a template.
    pub prompt: String,
    /// Hash of the template's text.
    pub prompt_hash: String,
    /// Problems: name to folder on the host and hash.
    pub problems: BTreeMap<String, ProblemRef>,
    /// Trials for each problem.
    pub trials: u32,
    /// Code that each checkpoint starts from.
    #[serde(default, skip_serializing_if = "Start::is_own")]
    pub start: Start,
    /// Isolation: `namespaces`, `containers` or `none`.
    pub isolation: String,
    /// Capabilities of the sandbox as probed: name to state.
    #[serde(default)]
    pub capabilities: BTreeMap<String, String>,
    /// All other options of the run; free form, stable names.
    #[serde(default)]
    pub options: BTreeMap<String, serde_json::Value>,
}

/// A problem as a run refers to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemRef {
    /// Folder on the host.
    pub path: PathBuf,
    /// Hash of the problem.
    pub hash: String,
    /// Names of the checkpoints that the run attempts, in order.
    pub checkpoint_names: Vec<String>,
}

/// One step of a benchmark's trajectory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckpointReport {
    /// Checkpoint name.
    pub checkpoint: String,
    /// Position, from 1.
    pub index: u32,
    /// State of the verdict.
    pub state: State,
    /// Reason, if the state is neither passed nor failed.
    #[serde(default)]
    pub reason: Option<String>,
    /// Counts by group.
    pub counts: BTreeMap<Group, Count>,
    /// Ids of tests that did not pass, with their checkpoint.
    #[serde(default)]
    pub not_passed: Vec<String>,
    /// Ids of tests found unstable.
    #[serde(default)]
    pub unstable: Vec<String>,
    /// Observations about the agent and its program that cast doubt on the verdict's honesty.
    #[serde(default)]
    pub integrity: Vec<Sighting>,
    /// Totals of the measurement; `None` if nothing was measured.
    pub totals: Option<Totals>,
    /// Usage of the attempt; `None` if there was none.
    pub usage: Option<Usage>,
    /// Wall-clock seconds of the agent. `None` if there was no attempt.
    pub agent_s: Option<f64>,
    /// Seconds of the grading; `None` if there was none.
    pub grade_s: Option<f64>,
    /// Seconds that the harness itself took: everything but the agent and the tests; `None` where
    /// that was not measured.
    #[serde(default)]
    pub harness_s: Option<f64>,
    /// Snapshot id; `None` if there is no snapshot.
    pub snapshot: Option<String>,
    /// Efficiency of the program next to the reference solution; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
    /// Verdict on the workspace of an attempt that its clock or a cap ended. `state` and `counts` do not include it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<LeftOver>,
    /// The same checkpoint after a second agent refactored the code, from which the next checkpoint
    /// starts. `None` if there was no such pass. The other fields describe the code before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_pass: Option<Box<CheckpointReport>>,
}

impl CheckpointReport {
    /// A checkpoint that was not graded, for this reason.
    #[must_use]
    pub fn ungraded(checkpoint: &str, index: u32, reason: &str) -> Self {
        Self {
            checkpoint: checkpoint.to_owned(),
            index,
            state: State::Ungraded,
            reason: Some(reason.to_owned()),
            counts: BTreeMap::new(),
            not_passed: Vec::new(),
            unstable: Vec::new(),
            integrity: Vec::new(),
            totals: None,
            usage: None,
            agent_s: None,
            grade_s: None,
            harness_s: None,
            snapshot: None,
            efficiency: None,
            left: None,
            after_pass: None,
        }
    }
}

/// Verdict on the workspace of an attempt that was ended early.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOver {
    /// State of the verdict.
    pub state: State,
    /// Counts by group.
    pub counts: BTreeMap<Group, Count>,
}

/// All attempts of a run together, also those that others replaced.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AllAttempts {
    /// Attempts that began.
    pub started: u32,
    /// Attempts by cause of their end; running ones are not counted.
    pub causes: BTreeMap<Cause, u32>,
    /// Total usage. The cost is `None` if that of one attempt is unknown.
    pub usage: Usage,
    /// Wall-clock seconds of all agents.
    pub agent_s: f64,
}

/// One agent on one problem: the trajectory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialReport {
    /// Problem name.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// All checkpoints of the problem in order, unreached ones included.
    pub checkpoints: Vec<CheckpointReport>,
}

/// Report from a run's directory. Apart from the times named `*_s` nothing in it differs between
/// executions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunReport {
    /// [`crate::schema::RUN_REPORT`].
    pub schema: String,
    /// Directory of the run.
    pub run: PathBuf,
    /// The run's configuration.
    pub config: RunConfig,
    /// Definitions of the measurements, without repeats; several if slope was updated in the middle
    /// of the run, which makes their numbers incomparable.
    #[serde(default)]
    pub definitions: Vec<Definitions>,
    /// All attempts together, including interrupted and retried ones. `trials` only contain the
    /// last attempt at each checkpoint.
    #[serde(default)]
    pub all_attempts: AllAttempts,
    /// Trials by problem and number.
    pub trials: Vec<TrialReport>,
}
