//! Code to judge.

use std::path::PathBuf;

/// Code to judge, and its base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A git repository.
    Git {
        /// A path in the repository. If it is not the root, only paths below it are reported.
        path: PathBuf,
        /// The revision to compare with; `None` for the commit where the branch left the default
        /// branch, [`EMPTY_TREE`](crate::EMPTY_TREE) for an empty base.
        base: Option<String>,
        /// Judged state.
        head: Head,
    },
    /// Two folders.
    Folders {
        /// Earlier folder.
        base: PathBuf,
        /// Later folder.
        head: PathBuf,
    },
}

/// Judged state of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// The files on disk, including untracked files that are not ignored.
    Worktree,
    /// The index: the next commit.
    Staged,
    /// A commit.
    Commit(String),
    /// A unified diff, applied to the base, or to the current commit if no base is given.
    Diff(Vec<u8>),
    /// Edits of single files, with the other files as they are on disk. The base is the disk before
    /// the edits, so a given revision is ignored.
    Edits(Vec<Edit>),
}

/// An edit of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Path on disk, absolute or relative to the working directory.
    pub path: PathBuf,
    /// Content before; `None` for a new file.
    pub before: Option<Vec<u8>>,
    /// Content after; `None` for a removed file.
    pub after: Option<Vec<u8>>,
}

impl Subject {
    /// The part of a repository around a path.
    #[must_use]
    pub fn git(path: impl Into<PathBuf>, base: Option<&str>, head: Head) -> Self {
        Self::Git {
            path: path.into(),
            base: base.map(str::to_owned),
            head,
        }
    }
}
