//! Facilities of this machine for runs: sandbox, interpreter, caches.

use std::path::PathBuf;

use slope_measure::Measurer;
use slope_sandbox::Runtime;
use slope_suite::GradeOptions;
use slope_suite::track::{Interpreter, Track};

/// Facilities of this machine for runs.
pub struct Machine {
    /// This program, which hooks run inside.
    pub program: PathBuf,
    /// Runtime of agents and programs.
    pub runtime: Box<dyn Runtime>,
    /// Interpreter of the Python track.
    pub interpreter: Interpreter,
    /// Language that programs are written in, with this machine's toolchain for it.
    pub track: Track,
    /// Folder on the host shared by all runs: agents, environments, inventories.
    pub cache_dir: PathBuf,
    /// Options for grading snapshots.
    pub grade: GradeOptions,
    /// Measures snapshots.
    pub measurer: Measurer,
    /// Finds security findings in snapshots.
    pub security: Measurer,
}

/// A measurer for snapshots: slope's own definitions, with nothing excluded except the history of
/// the agent's own repository, since an agent could hide code in any excluded folder.
///
/// # Errors
/// If the embedded rules cannot be compiled.
pub fn snapshot_measurer() -> Result<Measurer, slope_measure::Error> {
    measurer_with(slope_measure::Options::default())
}

/// A measurer of the same files that reports only slope's rules about security.
///
/// # Errors
/// As for [`snapshot_measurer`].
pub fn security_measurer() -> Result<Measurer, slope_measure::Error> {
    measurer_with(slope_measure::Options::only_security())
}

fn measurer_with(options: slope_measure::Options) -> Result<Measurer, slope_measure::Error> {
    let excluded = vec![".git".to_owned()];
    Measurer::new(slope_measure::Options {
        excluded,
        ..options
    })
}
