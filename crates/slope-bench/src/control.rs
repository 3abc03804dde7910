//! Control and status of a run: two files in its directory.
//!
//! `control.json` is the requested state; it outlives the coordinator. The coordinator writes
//! `status.json` about once a second; without a coordinator that file is stale.

use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slope_model::usage::Usage;
use slope_store::atomic;
use slope_store::run_dir::RunDir;

use crate::event::TrialKey;
use crate::read::assemble;
use crate::state::RunState;
use crate::{Error, directories, journal};

pub use crate::status::{RunPhase, Status, TrialStatus, Trouble, Wanted};

/// Schema of `status.json` and of `slope status --format json`.
pub const STATUS_SCHEMA: &str = "slope.status/1";

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
    directories::read_config(&dir)?;
    if !dir.is_locked()? {
        return Err(Error::NotRunning(root.to_owned()));
    }
    ask(&dir, wanted)
}

/// Status of the run in `root`, whether a process executes it or not.
///
/// # Errors
/// If there is no run, or its files are broken.
pub fn status(root: &Path) -> Result<Status, Error> {
    let dir = RunDir::at(root);
    let config = directories::read_config(&dir)?;
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
            let done = state.done(&key, names, config.start);
            let all = u32::try_from(names.len()).unwrap_or(u32::MAX);
            status.trials += 1;
            status.trials_done += u32::from(done == all);
            status.checkpoints += all;
            status.checkpoints_done += done;
        }
    }
    status
}
