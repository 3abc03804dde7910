//! Requested state and status of a run.

use serde::{Deserialize, Serialize};
use slope_model::run::{AttemptState, Cause};
pub use slope_model::sent_run::RunPhase;
use slope_model::usage::Usage;

use crate::admission::{Admission, WaitReason};
use crate::event::{Phase, TrialKey};
use crate::plan::CapPlan;

/// Requested state of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// Keep running.
    #[default]
    Run,
    /// Let running attempts end and start none.
    Pause,
    /// End running attempts and stop.
    Cancel,
}

/// Status of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// [`STATUS_SCHEMA`](crate::control::STATUS_SCHEMA).
    pub schema: String,
    /// Label of the run.
    pub label: String,
    /// Its activity.
    pub doing: RunPhase,
    /// Process id of the coordinator, if one is running.
    pub coordinator: Option<u32>,
    /// Trials in all.
    pub trials: u32,
    /// Trials with nothing left to do.
    pub trials_done: u32,
    /// Checkpoints in all.
    pub checkpoints: u32,
    /// Checkpoints with nothing left to do, including those of trials that ended early.
    pub checkpoints_done: u32,
    /// Maximum number of concurrent trials and its reason; `None` if no process executes the run.
    pub admission: Option<Admission>,
    /// Reason that no further trial is admitted at the moment.
    pub held: Option<WaitReason>,
    /// Seconds until the next request to the model's server after a failure.
    pub upstream_quiet_s: Option<f64>,
    /// Usage of all attempts so far, including running ones.
    pub usage: Usage,
    /// Caps of the run.
    pub caps: CapPlan,
    /// Seconds since this execution began; `None` if no process executes the run.
    pub elapsed_s: Option<f64>,
    /// Estimated seconds until the end; `None` before the first checkpoint is done.
    pub estimate_s: Option<f64>,
    /// The last attempts that did not complete, oldest first.
    pub trouble: Vec<Trouble>,
    /// Trials that run.
    pub running: Vec<TrialStatus>,
}

/// An attempt that did not complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trouble {
    /// Trial.
    #[serde(flatten)]
    pub key: TrialKey,
    /// Checkpoint.
    pub checkpoint: String,
    /// Number of the attempt.
    pub number: u32,
    /// Final state of the attempt.
    pub state: AttemptState,
    /// Cause of the end.
    pub cause: Cause,
    /// Reason, as text.
    pub reason: Option<String>,
}

/// A trial that runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialStatus {
    /// Trial.
    #[serde(flatten)]
    pub key: TrialKey,
    /// Position of the checkpoint, from 1; 0 before the first.
    pub checkpoint: u32,
    /// Number of checkpoints.
    pub of: u32,
    /// Current phase; `None` while the trial starts or waits.
    pub phase: Option<Phase>,
    /// Number of the running attempt.
    pub attempt: Option<u32>,
    /// Process that works on it, where it is not the coordinator itself.
    pub worker: Option<u32>,
    /// Seconds since the phase began.
    pub phase_s: f64,
    /// Tokens of all attempts of the trial.
    pub tokens: u64,
    /// Requests of all attempts of the trial.
    pub requests: u64,
    /// Their cost in US dollars; `None` if unknown.
    pub cost_usd: Option<f64>,
}
