//! Errors of the gate.

use std::path::PathBuf;

/// Reason that a change cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The change cannot be analysed.
    #[error(transparent)]
    Change(#[from] slope_change::Error),
    /// Nothing can be measured.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// The configuration of the measurement is invalid.
    #[error(transparent)]
    Options(#[from] slope_measure::ConfigError),
    /// A configuration of the gate is invalid.
    #[error("{}:{line}: {message}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Error message.
        message: String,
    },
    /// The profile has no functions to compare.
    #[error("the gate does not support the profile paper\nhelp: remove it from the configuration")]
    Profile,
    /// The base that the configuration names cannot be used.
    #[error("{place}: cannot use the base")]
    Base {
        /// The place in the configuration.
        place: String,
        /// The error.
        source: Box<slope_change::Error>,
    },
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// There is no ratchet yet.
    #[error(
        "no ratchet at {}\nhelp: create it with `slope check --ratchet --update` and commit it", path.display()
    )]
    NoRatchet {
        /// Expected path of the ratchet.
        path: PathBuf,
    },
    /// The ratchet cannot be written.
    #[error(transparent)]
    Store(#[from] slope_store::Error),
    /// Invalid glob.
    #[error("invalid glob `{pattern}`: {message}")]
    Glob {
        /// The pattern.
        pattern: String,
        /// Error message.
        message: String,
    },
}

impl Error {
    /// Whether the history has no commit to compare with: it is shallow, or the histories are unrelated.
    #[must_use]
    pub fn is_without_base(&self) -> bool {
        use slope_change::Error as Change;
        matches!(
            self,
            Self::Change(
                Change::NoDefaultBranch { .. } | Change::Git(slope_git::Error::NoMergeBase { .. })
            )
        )
    }

    /// Whether a diff causes the error.
    #[must_use]
    pub fn is_of_diff(&self) -> bool {
        use slope_change::Error::{Git, NotInBase};
        matches!(
            self,
            Self::Change(Git(slope_git::Error::Patch(_)) | NotInBase { .. })
        )
    }
}
