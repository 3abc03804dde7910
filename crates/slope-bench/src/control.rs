//! Requests to a run from outside, and its progress: two files in its directory.
//!
//! `control.json` says what is wanted, and outlives the coordinator; `status.json` is written by the
//! coordinator about once a second, and means nothing where none works on the run.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slope_model::run::{AttemptState, Cause};
use slope_model::usage::Usage;
use slope_store::atomic;
use slope_store::run_dir::RunDir;

use crate::admission::{Admission, Held};
use crate::event::{Phase, TrialKey};
use crate::plan::CapPlan;
use crate::state::RunState;
use crate::{Error, assemble, journal};

/// Schema of `status.json` and of `slope status --format json`.
pub const STATUS_SCHEMA: &str = "slope.status/1";

/// What is wanted of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// To go on.
    #[default]
    Run,
    /// To let running attempts end, and start none.
    Pause,
    /// To end running attempts and stop.
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

/// Asks something of a run that somebody works on.
///
/// # Errors
/// When there is no run in `root`, or nobody works on it.
pub fn ask_running(root: &Path, wanted: Wanted) -> Result<(), Error> {
    let dir = RunDir::at(root);
    assemble::read_config(&dir)?;
    if !dir.is_locked()? {
        return Err(Error::NotRunning(root.to_owned()));
    }
    ask(&dir, wanted)
}

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// Trials run.
    Running,
    /// Running attempts end, and none is started.
    Pausing,
    /// Nothing runs until it is resumed.
    Paused,
    /// Running attempts are being ended.
    Cancelling,
    /// Nobody works on it, as requested.
    Cancelled,
    /// Nobody works on it, and something is left to do.
    Interrupted,
    /// Nothing is left to do.
    Finished,
}

/// How a run goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// [`STATUS_SCHEMA`].
    pub schema: String,
    /// Label of the run.
    pub label: String,
    /// Its activity.
    pub doing: Doing,
    /// Process that coordinates it, where one does.
    pub coordinator: Option<u32>,
    /// Trials in all.
    pub trials: u32,
    /// Trials of which nothing is left to do.
    pub trials_done: u32,
    /// Checkpoints in all.
    pub checkpoints: u32,
    /// Checkpoints of which nothing is left to do, also since their trial has ended.
    pub checkpoints_done: u32,
    /// How many trials may run at a time, and why; `None` where nobody works on the run.
    pub admission: Option<Admission>,
    /// Why no further trial is admitted just now.
    pub held: Option<Held>,
    /// Seconds for which the model's server is still left alone after a failure.
    pub upstream_quiet_s: Option<f64>,
    /// What all attempts used so far, also what runs.
    pub usage: Usage,
    /// Caps of the run.
    pub caps: CapPlan,
    /// Seconds since this execution began; `None` where nobody works on the run.
    pub elapsed_s: Option<f64>,
    /// Seconds that the rest will take if it goes as before; `None` before a checkpoint is done.
    pub estimate_s: Option<f64>,
    /// Attempts that did not complete, the last ones last.
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
    /// How it ended.
    pub state: AttemptState,
    /// Why, in short.
    pub cause: Cause,
    /// Why, in words.
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
    /// What is done; `None` while it starts or waits.
    pub phase: Option<Phase>,
    /// Number of the attempt, while one runs.
    pub attempt: Option<u32>,
    /// Process that works on it, where it is not the coordinator itself.
    pub worker: Option<u32>,
    /// Seconds since the phase began.
    pub phase_s: f64,
    /// Tokens of all attempts of the trial.
    pub tokens: u64,
    /// Requests of all attempts of the trial.
    pub requests: u64,
    /// Their cost in US dollars; `None` where it is not known.
    pub cost_usd: Option<f64>,
}

/// How the run in `root` goes, whether somebody works on it or not.
///
/// # Errors
/// When there is no run, or its files are broken.
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
        (true, _) => Doing::Running,
        _ if status.checkpoints_done == status.checkpoints => Doing::Finished,
        (false, Wanted::Cancel) => Doing::Cancelled,
        (false, Wanted::Pause) => Doing::Paused,
        (false, Wanted::Run) => Doing::Interrupted,
    };
    Ok(status)
}

/// What a run's configuration and state alone say.
pub(crate) fn at_rest(config: &slope_model::run::RunConfig, state: &RunState) -> Status {
    let mut status = Status {
        schema: STATUS_SCHEMA.to_owned(),
        label: config.label.clone(),
        doing: Doing::Interrupted,
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
