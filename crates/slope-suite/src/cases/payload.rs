//! What the runner inside of the sandbox gets, and what it reports.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use slope_model::cases::Case;
use slope_model::verdict::Outcome;

use crate::stability::Stalls;

/// One case as the runner gets it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Task {
    /// Unique among all cases of a run.
    pub(super) key: String,
    /// The case.
    pub(super) case: Case,
    /// Limit of one step in seconds.
    pub(super) timeout_s: f64,
    /// Start time of an interpreter where the limit is meant for; slope's own figure if absent.
    pub(super) reference_s: Option<f64>,
}

/// The runner's inputs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Payload {
    /// Launcher and program, to which a step's arguments are added.
    pub(super) command: Vec<String>,
    /// Environment of every step.
    pub(super) env: BTreeMap<String, String>,
    /// Folder that contains a folder for each case.
    pub(super) folder: PathBuf,
    /// Cases that run side by side.
    pub(super) workers: usize,
    /// Rhythm of pauses, if programs should stall.
    pub(super) stalls: Option<Stalls>,
    /// Factor by which all time limits are extended.
    pub(super) stretch: f64,
    /// Command to see how fast the machine is at the moment.
    pub(super) calibration: Vec<String>,
    /// The Python of the suite's own programs.
    pub(super) python: String,
    /// Folder of the programs.
    pub(super) programs: PathBuf,
    /// Whether the first failing case ends the session; the others are skipped.
    pub(super) stop_at_failure: bool,
    /// The cases.
    pub(super) tasks: Vec<Task>,
}

/// A line of the runner.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Line {
    /// Start time of an interpreter in seconds; absent if it did not start.
    Begin { start_s: Option<f64> },
    /// One case is done.
    Case {
        key: String,
        outcome: Outcome,
        duration_s: f64,
        message: Option<String>,
        /// Seed to hash of the input that it gave.
        inputs: BTreeMap<String, String>,
    },
    /// All are; CPU seconds of the runner itself, without the programs that it started.
    End { count: usize, cpu_s: f64 },
}
