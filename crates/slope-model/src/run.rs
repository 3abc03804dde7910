//! Runs, trials, attempts, and the trajectory they leave.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::integrity::Sighting;
use crate::measurement::{Definitions, Totals};
use crate::problem::Group;
use crate::usage::{ModelCost, Usage};
use crate::verdict::{Count, State};

/// How an attempt of an agent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Why an attempt ended as it did, finer than its state. What follows from a cause is in one table,
/// `slope_bench::retry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The agent ended by itself and reported no error.
    Completed,
    /// The agent ended by itself and left the workspace as it was.
    NoOp,
    /// The agent reported an error, such as a login that failed, or ended with a bad exit code.
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

/// Seconds by what they were spent on; names end in `_s`.
pub type Spans = BTreeMap<String, f64>;

/// One agent invocation on one checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Checkpoint.
    pub checkpoint: String,
    /// Number of the attempt at this checkpoint, from 1.
    pub number: u32,
    /// How it ended.
    pub state: AttemptState,
    /// Why, finer than `state`; `None` in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Why, where it did not complete.
    #[serde(default)]
    pub reason: Option<String>,
    /// What it used, as the gateway counted it.
    pub usage: Usage,
    /// What the agent itself reported, as a cross-check.
    #[serde(default)]
    pub reported: Option<Usage>,
    /// What each model cost at which price.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<ModelCost>,
    /// Wall-clock seconds of the agent.
    pub duration_s: f64,
    /// Id of the workspace's snapshot afterwards.
    #[serde(default)]
    pub snapshot: Option<String>,
    /// Hash of the rendered prompt.
    pub prompt_hash: String,
    /// Tools that the agent offered to the model, as seen in its requests.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Limits hit and what the sandbox noticed.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What was seen of the agent that bears on the honesty of what follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub integrity: Vec<Sighting>,
    /// What the harness spent on it beside the agent: `prepare_s` (prompt, workspace and archives),
    /// `start_s` (sandbox), `collect_s` (from the agent's end until its sandbox is gone),
    /// `snapshot_s`, `conclude_s` (output and trajectory).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spans: Spans,
}

/// The configuration of a run, written once when it is planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// [`crate::schema::RUN`].
    pub schema: String,
    /// Version of slope that planned the run.
    pub slope_version: String,
    /// A label for tables, for example `tidy`.
    pub label: String,
    /// Agent name.
    pub agent: String,
    /// Version of the agent, as found when the run was planned.
    pub agent_version: String,
    /// Model name as the agent is told.
    pub model: String,
    /// Prompt strategy name, or path of a template.
    pub prompt: String,
    /// Hash of the template's text.
    pub prompt_hash: String,
    /// Problems: name to folder on the host and hash.
    pub problems: BTreeMap<String, ProblemRef>,
    /// Trials for each problem.
    pub trials: u32,
    /// Isolation in force: `namespaces`, `containers` or `none`.
    pub isolation: String,
    /// Capabilities of the sandbox as probed: name to state.
    #[serde(default)]
    pub capabilities: BTreeMap<String, String>,
    /// Everything else that the run was asked for; free form, stable names.
    #[serde(default)]
    pub options: BTreeMap<String, serde_json::Value>,
}

/// A problem as a run refers to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemRef {
    /// Folder on the host.
    pub path: PathBuf,
    /// Hash of the problem.
    pub hash: String,
    /// Names of its checkpoints, in order.
    pub checkpoint_names: Vec<String>,
}

/// One step of a benchmark's trajectory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointReport {
    /// Checkpoint name.
    pub checkpoint: String,
    /// Position, from 1.
    pub index: u32,
    /// State of the verdict.
    pub state: State,
    /// Why, where the state is neither passed nor failed.
    #[serde(default)]
    pub reason: Option<String>,
    /// Counts by group.
    pub counts: BTreeMap<Group, Count>,
    /// Ids of tests that did not pass, with the checkpoint they belong to.
    #[serde(default)]
    pub not_passed: Vec<String>,
    /// Ids of tests found unstable.
    #[serde(default)]
    pub unstable: Vec<String>,
    /// What was seen, of the agent and of its program, that bears on the verdict's honesty.
    #[serde(default)]
    pub integrity: Vec<Sighting>,
    /// Totals of the measurement; `None` where nothing was measured.
    pub totals: Option<Totals>,
    /// Usage of the attempt; `None` where there was none.
    pub usage: Option<Usage>,
    /// Wall-clock seconds of the agent; `None` where there was no attempt.
    pub agent_s: Option<f64>,
    /// Seconds of the grading; `None` where there was none.
    pub grade_s: Option<f64>,
    /// Seconds that the harness itself took: everything but the agent and the tests; `None` where
    /// that was not measured.
    #[serde(default)]
    pub harness_s: Option<f64>,
    /// Snapshot id; `None` where there is none.
    pub snapshot: Option<String>,
    /// Verdict on the workspace of an attempt that its clock or a cap ended. `state` and `counts` do not include it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<LeftOver>,
    /// The same checkpoint after a second agent had refactored the code; the next checkpoint starts from there.
    /// `None` if there was no such pass. The other fields describe the code before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_pass: Option<Box<CheckpointReport>>,
}

impl CheckpointReport {
    /// A checkpoint of which nothing is known but why.
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
            left: None,
            after_pass: None,
        }
    }
}

/// Verdict on the workspace of an attempt that was ended early.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOver {
    /// State of the verdict.
    pub state: State,
    /// Counts by group.
    pub counts: BTreeMap<Group, Count>,
}

/// All attempts of a run together, also those that others replaced.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AllAttempts {
    /// Attempts that began.
    pub started: u32,
    /// Attempts by cause of their end; those that have none yet are missing.
    pub causes: BTreeMap<Cause, u32>,
    /// What all of them used. Its cost is `None` where that of one is not known.
    pub usage: Usage,
    /// Wall-clock seconds of all agents.
    pub agent_s: f64,
}

/// One agent on one problem: the trajectory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialReport {
    /// Problem name.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// All checkpoints of the problem in order, unreached ones included.
    pub checkpoints: Vec<CheckpointReport>,
}

/// What a run's directory says, without anything that differs from one execution to the next
/// except the times named `*_s`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// [`crate::schema::RUN_REPORT`].
    pub schema: String,
    /// Directory of the run.
    pub run: PathBuf,
    /// The run's configuration.
    pub config: RunConfig,
    /// Definitions that the measurements were made by, without repeats; more than one where slope was
    /// updated in the middle of the run, and then their numbers do not compare.
    #[serde(default)]
    pub definitions: Vec<Definitions>,
    /// All attempts together, also those that were interrupted or tried again. What `trials` say is
    /// of the last attempt at each checkpoint alone.
    #[serde(default)]
    pub all_attempts: AllAttempts,
    /// Trials by problem and number.
    pub trials: Vec<TrialReport>,
}
