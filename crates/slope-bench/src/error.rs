//! Errors of the harness. Failures of agents and their programs are results, not errors.

use std::path::PathBuf;

/// A failure of the harness or of its input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A directory contains no run.
    #[error(
        "{} contains no run; a run of slope has a run.json, and a run of the published harness has a \
         config.yaml and an environment.yaml",
        .0.display()
    )]
    NoRun(PathBuf),
    /// A directory does not exist.
    #[error("{} does not exist; name the directory of a run", .0.display())]
    NoDirectory(PathBuf),
    /// A directory is not a run, but contains some.
    #[error("{} is not a run, but contains some; name one of them: {}", path.display(), listed(runs))]
    RunsBelow {
        /// The directory.
        path: PathBuf,
        /// The runs in it.
        runs: Vec<PathBuf>,
    },
    /// A run's schema is not supported by this version.
    #[error("{}: schema {found} is not one that this version of slope reads", path.display())]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: String,
    },
    /// A new run would overwrite an existing one.
    #[error("{} already contains a run; continue it with `slope resume`, or choose another --out", .0.display())]
    Exists(PathBuf),
    /// A file that the run was planned with has changed or is missing.
    #[error("cannot resume: {0}")]
    Changed(String),
    /// No process executes the run.
    #[error("{} is not running; `slope status` shows how far it got, `slope resume` continues it", .0.display())]
    NotRunning(PathBuf),
    /// The run was cancelled.
    #[error("the run in {} was cancelled; `slope resume` continues it", .0.display())]
    Cancelled(PathBuf),
    /// The disk of the run is full.
    #[error("the disk of {} is full ({why}); finished work is kept: free some space, then run `slope resume`", run.display())]
    DiskFull {
        /// The run.
        run: PathBuf,
        /// Description of the failed write.
        why: String,
    },
    /// A worker could not go on.
    #[error("{0}")]
    Worker(String),
    /// The request cannot be carried out.
    #[error("{0}")]
    Request(String),
    /// A run of another harness cannot be read.
    #[error(transparent)]
    Import(#[from] slope_compat::published::ImportError),
    /// A problem or prompt cannot be used.
    #[error(transparent)]
    Problem(#[from] slope_problem::Error),
    /// A language track cannot be used.
    #[error(transparent)]
    Track(#[from] slope_suite::Error),
    /// An agent cannot be used.
    #[error(transparent)]
    Agent(#[from] slope_agent::Error),
    /// The gateway failed.
    #[error(transparent)]
    Gateway(#[from] slope_gateway::GatewayError),
    /// The sandbox failed.
    #[error(transparent)]
    Sandbox(#[from] slope_sandbox::Error),
    /// A snapshot cannot be measured.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] slope_store::Error),
}

impl Error {
    /// Whether a full disk caused this.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::DiskFull { .. } => true,
            Self::Store(error) => error.is_disk_full(),
            _ => false,
        }
    }
}

/// The first few of some paths.
fn listed(paths: &[PathBuf]) -> String {
    const MOST: usize = 5;
    let shown = paths
        .iter()
        .take(MOST)
        .map(|path| path.display().to_string());
    let mut shown: Vec<String> = shown.collect();
    if paths.len() > MOST {
        shown.push(format!("and {} more", paths.len() - MOST));
    }
    shown.join(", ")
}
