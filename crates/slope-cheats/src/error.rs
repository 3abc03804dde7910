//! Errors of the harness.

use std::path::{Path, PathBuf};

/// A failure of the harness that says nothing about an attack.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The embedded catalogue or one of its files is malformed.
    #[error("invalid catalogue of attacks: {0}")]
    Catalogue(String),
    /// A file or folder of the host cannot be used.
    #[error("{action} {}", path.display())]
    Io {
        /// Failed action.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
    /// The honest solutions do not get their expected results, so a comparison would prove nothing.
    #[error(
        "the honest {solution} solution is {got} at checkpoint {checkpoint}, not {expected}: {reason}"
    )]
    Baseline {
        /// `right` or `wrong`.
        solution: &'static str,
        /// Checkpoint, from 1.
        checkpoint: u32,
        /// State that it got.
        got: &'static str,
        /// State that it must get.
        expected: &'static str,
        /// Reason, if known.
        reason: String,
    },
    /// The bench failed.
    #[error(transparent)]
    Bench(#[from] slope_bench::Error),
    /// Grading failed.
    #[error(transparent)]
    Suite(#[from] slope_suite::Error),
    /// The problem cannot be loaded.
    #[error(transparent)]
    Problem(#[from] slope_problem::Error),
    /// The gateway failed.
    #[error(transparent)]
    Gateway(#[from] slope_gateway::GatewayError),
    /// A snapshot cannot be read.
    #[error(transparent)]
    Store(#[from] slope_store::Error),
}

impl Error {
    /// Wraps an error of the file system.
    pub(crate) fn io<'a>(
        action: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(std::io::Error) -> Self + 'a {
        move |source| Self::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }
}
