//! Errors other than faults of the tried problems.

use std::path::Path;

/// Errors outside the problems that are tried.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{what}")]
    Io {
        /// The path and the failed action.
        what: String,
        /// System error.
        source: std::io::Error,
    },
    /// The request is impossible; with the reason and an alternative.
    #[error("{0}")]
    Request(String),
    /// A problem's folder is malformed.
    #[error(transparent)]
    Problem(#[from] slope_problem::Error),
    /// The solutions cannot be measured.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// The grader failed.
    #[error(transparent)]
    Suite(#[from] slope_suite::Error),
}

impl Error {
    /// An I/O error at `path` while trying to `action`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let what = format!("{}: cannot {action}", path.display());
        move |source| Self::Io { what, source }
    }
}
