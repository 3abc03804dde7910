//! What is judged.

use std::path::PathBuf;

/// The judged code, and its base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Something of a git repository.
    Git {
        /// A path in the repository. If it is not its top, only paths below are shown.
        path: PathBuf,
        /// The revision to compare with; `None` for where the branch left the default branch, and
        /// [`EMPTY_TREE`](crate::EMPTY_TREE) for nothing.
        base: Option<String>,
        /// Judged state.
        head: Head,
    },
    /// Two folders.
    Folders {
        /// The earlier one.
        base: PathBuf,
        /// The later one.
        head: PathBuf,
    },
}

/// What of a repository is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// The files as they are on disk, those included that were never added and are not ignored.
    Worktree,
    /// The next commit.
    Staged,
    /// A commit.
    Commit(String),
    /// A unified diff of the base (the commit that is checked out if none is named).
    Diff(Vec<u8>),
    /// Edits of single files, the files on disk around them. The base is the disk before them;
    /// no revision is needed, and none that is named counts.
    Edits(Vec<Edit>),
}

/// An edit of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Path on disk, absolute or relative to the working directory.
    pub path: PathBuf,
    /// The content before; `None` for a file that was not there.
    pub before: Option<Vec<u8>>,
    /// The content after; `None` for a file that is gone.
    pub after: Option<Vec<u8>>,
}

impl Subject {
    /// A part of the repository around a path.
    #[must_use]
    pub fn git(path: impl Into<PathBuf>, base: Option<&str>, head: Head) -> Self {
        Self::Git {
            path: path.into(),
            base: base.map(str::to_owned),
            head,
        }
    }
}
