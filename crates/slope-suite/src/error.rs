//! Errors outside the tests themselves.

use std::path::{Path, PathBuf};

/// Errors outside the tests themselves.
///
/// A problem of the *snapshot* is never an error: it ends in a verdict.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{path}: cannot {action}", path = .path.display())]
    Io {
        /// Failed action, as an infinitive.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// The problem's suite is not as its driver needs it.
    #[error("{path}: {what}", path = .path.display())]
    Suite {
        /// The file or folder.
        path: PathBuf,
        /// The problem and the expected value.
        what: String,
    },
    /// The requested checkpoint does not exist.
    #[error("problem {problem} has no checkpoint {index}: it has {count}")]
    NoCheckpoint {
        /// Problem.
        problem: String,
        /// Requested number, from 1.
        index: u32,
        /// Number of checkpoints.
        count: usize,
    },
    /// Python is missing or unusable.
    #[error("the Python {python} {what}\nhelp: choose another one with --python PATH")]
    Python {
        /// Requested executable.
        python: String,
        /// Error message.
        what: String,
    },
    /// The Python found cannot make environments with packages.
    #[error(
        "the Python {python} has no `ensurepip`, so the graders' packages cannot be installed\n\
         help: run `apt-get install python3-venv` on Debian or Ubuntu, or choose another Python with --python PATH"
    )]
    NoEnsurepip {
        /// Executable.
        python: PathBuf,
    },
    /// Packages are neither in the cache nor in a local folder, and the network is disabled.
    #[error(
        "the packages {packages} are neither in the cache {cache} nor in a wheel directory, and the run is offline\n\
         help: run once without --offline, or pass a folder of wheels with --wheels DIR",
        cache = .cache.display()
    )]
    Offline {
        /// Requirements, separated by commas.
        packages: String,
        /// Cache that was searched.
        cache: PathBuf,
    },
    /// Packages could not be fetched or installed.
    #[error("cannot install {packages}: {why}")]
    Install {
        /// Requirements, separated by commas.
        packages: String,
        /// Last lines of the installer's output.
        why: String,
    },
    /// The track's toolchain is missing or unusable on this machine.
    #[error("the track {track} cannot be used here: {what}\nhelp: {install}")]
    Toolchain {
        /// Track.
        track: &'static str,
        /// Error message.
        what: String,
        /// Remedy.
        install: String,
    },
    /// The program could not be built. Drivers make a verdict of it.
    #[error("the program could not be built: {why}")]
    Build {
        /// Exit of the build, and the last lines of its output.
        why: String,
    },
    /// The suite could not be collected, so the tests to run are unknown.
    #[error("the tests of {problem} cannot be collected: {why}")]
    Collect {
        /// Problem and checkpoint.
        problem: String,
        /// Output of the runner.
        why: String,
    },
    /// The sandbox failed.
    #[error("the grader's sandbox failed")]
    Sandbox(#[from] slope_sandbox::Error),
}

impl Error {
    /// An I/O error at `path` while trying to `action`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }

    /// A malformed suite.
    pub(crate) fn suite(path: &Path, what: impl Into<String>) -> Self {
        Self::Suite {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}
