//! Errors when hooks are installed or uninstalled.

use std::path::PathBuf;

/// Reason that hooks could not be installed or uninstalled. No file has changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no home folder with settings.
    #[error("no home folder\nhelp: set HOME, or use --project")]
    NoHome,
    /// A settings file is not valid JSON.
    #[error(
        "{}:{line}:{column}: {message}\nhelp: fix the file first; slope has not changed it", path.display()
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
        /// Error message.
        message: &'static str,
    },
    /// A setting has an unexpected type.
    #[error(
        "{}:{line}:{column}: {message}\nhelp: fix the file first; slope has not changed it", path.display()
    )]
    Form {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
        /// Error message.
        message: String,
    },
    /// A file of slope's name exists, but slope did not write it.
    #[error(
        "{} was not written by slope, so it stays unchanged\nhelp: move it away first",
        .0.display()
    )]
    Foreign(PathBuf),
    /// The settings file is a folder or a broken link.
    #[error("{} is not a file\nhelp: move it away first", .0.display())]
    NoFile(PathBuf),
    /// A settings file is too large.
    #[error("{} is too large for a settings file: the limit is 16 MiB", .0.display())]
    TooLarge(PathBuf),
    /// A settings file is not UTF-8.
    #[error("{} is not UTF-8\nhelp: save it as UTF-8 first", .0.display())]
    NotUtf8(PathBuf),
    /// Another program changed the file at the same time.
    #[error("{} was changed by another program at the same time\nhelp: try again", .0.display())]
    Changed(PathBuf),
    /// A file operation failed.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// Failed action.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The state folder cannot be used.
    #[error("cannot use slope's state folder\nhelp: choose another folder with SLOPE_STATE_DIR")]
    State(#[from] slope_store::Error),
}

impl Error {
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
