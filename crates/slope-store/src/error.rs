//! Errors of files on disk.

use std::path::{Path, PathBuf};

/// A failure of the store. Each message names the file and, if there is one, the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading or writing failed.
    #[error("{action} {}{}", path.display(), remedy(source))]
    Io {
        /// Failed action, for example `cannot write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file has unexpected content.
    #[error("{}:{line}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The problem and its remedy.
        message: String,
    },
    /// A snapshot or one of its objects is missing.
    #[error("snapshot {id} is not in {}: {what}", store.display())]
    MissingObject {
        /// Snapshot or object.
        id: String,
        /// The store.
        store: PathBuf,
        /// Missing item.
        what: String,
    },
    /// A tree exceeds a snapshot's limits.
    #[error("cannot take a snapshot of {origin}: {message}")]
    Snapshot {
        /// Source of the tree.
        origin: String,
        /// Error message.
        message: String,
    },
    /// A point exists with the same key and other numbers, another author or another note.
    #[error(
        "{} differs for the same point, in its numbers, author or note\nhelp: add --replace to overwrite it, or choose another --iteration or --series", path.display()
    )]
    OtherPoint {
        /// The file.
        path: PathBuf,
    },
    /// Another process works in the directory.
    #[error("{} is in use by another slope process\nhelp: wait for it, or stop it", .0.display())]
    Locked(PathBuf),
}

/// The remedy for a system error, on a separate line. Empty without a remedy.
fn remedy(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{
        AlreadyExists, IsADirectory, NotADirectory, QuotaExceeded, StorageFull,
    };
    match error.kind() {
        StorageFull | QuotaExceeded => "\nhelp: free some space, or name another place",
        AlreadyExists | NotADirectory => {
            "\nhelp: a part of the path is a file and not a folder: name another place"
        }
        IsADirectory => "\nhelp: name a file in this folder",
        _ => "",
    }
}

impl Error {
    /// Whether the disk, or the user's quota, is full.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded))
    }

    /// Wraps an I/O error with the action that failed and the file.
    pub fn io(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
