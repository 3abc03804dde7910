//! What this machine offers to runs: sandbox, interpreter, caches.

use std::path::PathBuf;

use slope_sandbox::Runtime;
use slope_suite::GradeOptions;
use slope_suite::track::Interpreter;

/// What this machine offers to runs.
pub struct Machine {
    /// Where agents and programs run.
    pub runtime: Box<dyn Runtime>,
    /// Interpreter of the Python track.
    pub interpreter: Interpreter,
    /// Folder on the host shared by all runs: agents, environments, inventories.
    pub cache_dir: PathBuf,
    /// How snapshots are graded.
    pub grade: GradeOptions,
}
