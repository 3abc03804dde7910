//! Errors of settings files.

use std::path::PathBuf;

/// Why hooks could not be installed or removed. No file has changed then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no home to look for settings in.
    #[error("no home folder\nhelp: set HOME, or use --project")]
    NoHome,
    /// A settings file is no JSON.
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
    /// Something in a settings file has another form than the agent's.
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
    /// A file that is not ours is in the place of ours.
    #[error(
        "{} was not written by slope, so it stays unchanged\nhelp: move it away first",
        .0.display()
    )]
    Foreign(PathBuf),
    /// The settings file is a folder or a link that leads nowhere.
    #[error("{} is not a file\nhelp: move it away first", .0.display())]
    NoFile(PathBuf),
    /// A settings file is far too large to be one.
    #[error("{} is too large for a settings file: the limit is 16 MiB", .0.display())]
    TooLarge(PathBuf),
    /// A settings file is no text.
    #[error("{} is not UTF-8\nhelp: save it as UTF-8 first", .0.display())]
    NotUtf8(PathBuf),
    /// Somebody else wrote the file meanwhile.
    #[error("{} was changed by another program at the same time\nhelp: try again", .0.display())]
    Changed(PathBuf),
    /// The system refused something.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// Failed action.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
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
