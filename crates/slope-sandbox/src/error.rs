//! Errors of a sandbox itself (never of the command inside).

use std::io;
use std::path::PathBuf;

/// Reason that a sandbox could not be built, or was lost.
///
/// Results of the command itself are in [`Outcome`](crate::Outcome) instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The kernel refuses something that the sandbox needs.
    #[error("the kernel refuses {feature}: {why}; {remedy}")]
    Refused {
        /// Feature in words.
        feature: String,
        /// Kernel error.
        why: String,
        /// Remedy.
        remedy: String,
    },
    /// The specification cannot be carried out.
    #[error("the sandbox's specification is wrong: {0}")]
    Spec(String),
    /// A host file of the specification cannot be used.
    #[error("{path}: cannot {action}: {source}", path = path.display())]
    HostFile {
        /// The file.
        path: PathBuf,
        /// Failed action.
        action: &'static str,
        /// System error.
        source: io::Error,
    },
    /// Building the sandbox failed.
    #[error("cannot build the sandbox: {0}")]
    Setup(String),
    /// The command's executable cannot be started inside.
    #[error("cannot start `{program}` in the sandbox: {why}")]
    Exec {
        /// The requested executable.
        program: String,
        /// Reason.
        why: String,
    },
    /// The first process of the sandbox ended without a report, for example because it was killed.
    #[error("the sandbox was lost: {0}")]
    Lost(String),
    /// Talking to the sandbox failed.
    #[error("cannot talk to the sandbox: {0}")]
    Io(#[from] io::Error),
}
