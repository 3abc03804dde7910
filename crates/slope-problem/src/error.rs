//! Errors of a problem folder or a prompt template.

use std::fmt;
use std::path::{Path, PathBuf};

/// Reason that a problem, a suite or a prompt cannot be used.
///
/// Every message names the file, the line if known, and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder that must be there is not.
    #[error("{}: {what} is missing\nhelp: {remedy}", path.display())]
    Missing {
        /// Missing path.
        path: PathBuf,
        /// Its kind.
        what: String,
        /// Remedy.
        remedy: String,
    },
    /// A file has unusable content.
    #[error("{}{}: {what}\nhelp: {remedy}", path.display(), Line(*line))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line from 1, if known.
        line: Option<u64>,
        /// Error message.
        what: String,
        /// Remedy.
        remedy: String,
    },
    /// The operating system refused.
    #[error("{}: {action}\nhelp: check that the path exists and that you may access it", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// Failed action.
        action: &'static str,
        /// The refusal.
        source: std::io::Error,
    },
}

impl Error {
    /// The file or folder that the error is about.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path, .. } | Self::Malformed { path, .. } | Self::Io { path, .. } => {
                path
            }
        }
    }

    /// The line, from 1, if known.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::Malformed { line, .. } => *line,
            Self::Missing { .. } | Self::Io { .. } => None,
        }
    }

    pub(crate) fn missing(path: &Path, what: &str, remedy: impl Into<String>) -> Self {
        Self::Missing {
            path: path.to_owned(),
            what: what.to_owned(),
            remedy: remedy.into(),
        }
    }

    pub(crate) fn malformed(
        path: &Path,
        line: Option<u64>,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Malformed {
            path: path.to_owned(),
            line,
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            path,
            action,
            source,
        }
    }
}

/// `:7`; empty if unknown.
struct Line(Option<u64>);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}
