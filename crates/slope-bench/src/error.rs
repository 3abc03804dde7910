//! What can go wrong with a run, beside what the agent and its program do.

use std::path::PathBuf;

/// A failure of the harness or of what it was given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A directory holds no run.
    #[error("{} is not a run directory: it has no run.json", .0.display())]
    NoRun(PathBuf),
    /// A run of a schema that this version does not read.
    #[error("{}: schema {found} is not one that this version of slope reads", path.display())]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: String,
    },
    /// A new run would overwrite one that exists.
    #[error("{} holds a run already; continue it with --resume, or choose another --out", .0.display())]
    Exists(PathBuf),
    /// What a run was planned with is no longer there.
    #[error("cannot resume: {0}")]
    Changed(String),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The request cannot be carried out.
    #[error("{0}")]
    Request(String),
    /// A problem or prompt cannot be used.
    #[error(transparent)]
    Problem(#[from] slope_problem::Error),
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
