//! Errors of settings files.

use std::path::PathBuf;

/// Why hooks could not be put in or taken out. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no home to look for settings in.
    #[error("no home folder: set HOME, or use --project")]
    NoHome,
    /// A settings file is no JSON.
    #[error(
        "{}:{line}:{column}: {message}; fix the file first, nothing was changed", path.display()
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
        "{}:{line}:{column}: {message}; fix the file first, nothing was changed", path.display()
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
        "{} is there and was not written by slope; move it away first, nothing was changed",
        .0.display()
    )]
    Foreign(PathBuf),
    /// The settings file is a folder or a link that leads nowhere.
    #[error("{} is not a file; move it away first, nothing was changed", .0.display())]
    NoFile(PathBuf),
    /// A settings file is far too large to be one.
    #[error("{} is larger than 16 MiB, which no settings file is; nothing was changed", .0.display())]
    TooLarge(PathBuf),
    /// A settings file is no text.
    #[error("{} is not UTF-8; save it as UTF-8 first, nothing was changed", .0.display())]
    NotUtf8(PathBuf),
    /// Somebody else wrote the file meanwhile.
    #[error("{} was changed by something else at this moment; try again", .0.display())]
    Changed(PathBuf),
    /// The system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// Failed action.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The state folder cannot be used.
    #[error("{0}; choose another folder for slope's state with SLOPE_STATE_DIR")]
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
