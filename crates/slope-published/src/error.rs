//! Why a run directory cannot be read.

use std::path::PathBuf;

/// A run directory that cannot be read as a run.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// A file has unexpected content.
    #[error("{path}: {reason}\nhelp: restore the file, or remove the run")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The problem, and its position.
        reason: String,
    },
}
