//! Control and status of a run: two files in its directory.
//!
//! `control.json` is the requested state; it outlives the coordinator. The coordinator writes
//! `status.json` about once a second; without a coordinator that file is stale.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slope_model::run::{AttemptState, Cause};
use slope_model::usage::Usage;
use slope_store::atomic;
use slope_store::run_dir::RunDir;

use crate::admission::{Admission, WaitReason};
use crate::event::{Phase, TrialKey};
use crate::plan::CapPlan;
use crate::state::RunState;
use crate::{Error, assemble, journal};

/// Schema of `status.json` and of `slope status --format json`.
pub const STATUS_SCHEMA: &str = "slope.status/1";

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

/// The content of `control.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Control {
    wanted: Wanted,
    at: Timestamp,
}

/// The requested state of the run in `dir`. An unreadable file requests nothing.
#[must_use]
pub fn wanted(dir: &RunDir) -> Wanted {
    let control: Option<Control> = atomic::read_json(&dir.control()).ok();
    control.map_or(Wanted::Run, |control| control.wanted)
}

/// Asks something of the run in `dir`.
///
/// # Errors
/// When the directory cannot be written.
pub fn ask(dir: &RunDir, wanted: Wanted) -> Result<(), Error> {
    let control = Control {
        wanted,
        at: Timestamp::now(),
    };
    Ok(atomic::write_json(&dir.control(), &control)?)
}

/// Requests a state of a run that is being executed.
///
/// # Errors
/// If there is no run in `root`, or no process executes it.
pub fn ask_running(root: &Path, wanted: Wanted) -> Result<(), Error> {
    let dir = RunDir::at(root);
    assemble::read_config(&dir)?;
    if !dir.is_locked()? {
        return Err(Error::NotRunning(root.to_owned()));
    }
    ask(&dir, wanted)
}

/// Current phase of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunPhase {
    /// Trials run.
    Running,
    /// Running attempts finish; none is started.
    Pausing,
    /// Nothing runs until it is resumed.
    Paused,
    /// Running attempts are being ended.
    Cancelling,
    /// No process executes it, as requested.
    Cancelled,
    /// No process executes it, and trials are left.
    Interrupted,
    /// No trials are left.
    Finished,
}

/// Status of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// [`STATUS_SCHEMA`].
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

/// Status of the run in `root`, whether a process executes it or not.
///
/// # Errors
/// If there is no run, or its files are broken.
pub fn status(root: &Path) -> Result<Status, Error> {
    let dir = RunDir::at(root);
    let config = assemble::read_config(&dir)?;
    let running = dir.is_locked()?;
    if running && let Ok(status) = atomic::read_json::<Status>(&dir.status()) {
        return Ok(status);
    }
    let entries = if dir.journal().exists() {
        journal::read(&dir.journal())?
    } else {
        Vec::new()
    };
    let state = RunState::fold(entries.iter().map(|entry| &entry.event));
    let mut status = at_rest(&config, &state);
    status.usage = assemble::all_attempts(&dir, &entries).usage;
    status.doing = match (running, wanted(&dir)) {
        (true, _) => RunPhase::Running,
        _ if status.checkpoints_done == status.checkpoints => RunPhase::Finished,
        (false, Wanted::Cancel) => RunPhase::Cancelled,
        (false, Wanted::Pause) => RunPhase::Paused,
        (false, Wanted::Run) => RunPhase::Interrupted,
    };
    Ok(status)
}

/// Status of a run from its configuration and state alone.
pub(crate) fn at_rest(config: &slope_model::run::RunConfig, state: &RunState) -> Status {
    let mut status = Status {
        schema: STATUS_SCHEMA.to_owned(),
        label: config.label.clone(),
        doing: RunPhase::Interrupted,
        coordinator: None,
        trials: 0,
        trials_done: 0,
        checkpoints: 0,
        checkpoints_done: 0,
        admission: None,
        held: None,
        upstream_quiet_s: None,
        usage: Usage::default(),
        caps: config
            .options
            .get("run_caps")
            .and_then(|caps| serde_json::from_value(caps.clone()).ok())
            .unwrap_or_default(),
        elapsed_s: None,
        estimate_s: None,
        trouble: state.trouble(),
        running: Vec::new(),
    };
    for (problem, reference) in &config.problems {
        for trial in 1..=config.trials {
            let key = TrialKey {
                problem: problem.clone(),
                trial,
            };
            let names = &reference.checkpoint_names;
            let done = state.done(&key, names);
            let all = u32::try_from(names.len()).unwrap_or(u32::MAX);
            status.trials += 1;
            status.trials_done += u32::from(done == all);
            status.checkpoints += all;
            status.checkpoints_done += done;
        }
    }
    status
}
