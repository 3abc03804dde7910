//! Errors of a repository, and their remedies.

use std::path::PathBuf;

use crate::Id;

/// A failure to read from a repository.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no repository at a path or above it.
    #[error(
        "neither {} nor a folder above it is a git repository: {message}; give the path of one, or run `git init` there",
        path.display()
    )]
    NoRepository {
        /// The path.
        path: PathBuf,
        /// Found instead.
        message: String,
    },
    /// A path does not exist.
    #[error("there is no {}; name a repository, or a folder or file in one", path.display())]
    NoPath {
        /// The path.
        path: PathBuf,
    },
    /// The repository uses an unsupported reference format.
    #[error(
        "the references of {} are in the {format} format, which slope does not read; \
         `git refs migrate --ref-format=files` there changes that",
        path.display()
    )]
    References {
        /// The repository.
        path: PathBuf,
        /// The format as the repository names it.
        format: String,
    },
    /// The repository has no commit yet.
    #[error("{} has no commit yet; make one first", path.display())]
    Empty {
        /// The repository.
        path: PathBuf,
    },
    /// A revision is unknown or ambiguous.
    #[error("`{revision}` names no commit of {}: {message}; `git branch --all` and `git tag` list what there is{hint}", path.display())]
    Revision {
        /// The revision as given.
        revision: String,
        /// The repository.
        path: PathBuf,
        /// The problem.
        message: String,
        /// Another possible cause; may be empty.
        hint: &'static str,
    },
    /// Two commits have no common ancestor, or it was not fetched.
    #[error("{one} and {two} have no common ancestor in {}; {remedy}", path.display())]
    NoMergeBase {
        /// One revision.
        one: String,
        /// The other.
        two: String,
        /// The repository.
        path: PathBuf,
        /// Remedy.
        remedy: &'static str,
    },
    /// An object is not there.
    #[error("{what} ({id}) is not in {}; {remedy}", path.display())]
    Missing {
        /// Kind of the object, with its path if any.
        what: String,
        /// Its id.
        id: Id,
        /// The repository.
        path: PathBuf,
        /// Remedy.
        remedy: &'static str,
    },
    /// An object is there and cannot be understood.
    #[error("{what} ({id}) in {} is broken: {message}; `git fsck` says more, and a fresh clone repairs it", path.display())]
    Broken {
        /// Kind of the object.
        what: String,
        /// Its id.
        id: Id,
        /// The repository.
        path: PathBuf,
        /// Error message.
        message: String,
    },
    /// The index cannot be used.
    #[error("the index of {} cannot be used: {message}; {remedy}", path.display())]
    Index {
        /// The repository.
        path: PathBuf,
        /// Error message.
        message: String,
        /// Remedy.
        remedy: &'static str,
    },
    /// A bare repository lacks the requested folder.
    #[error("{} is a bare repository without files of its own; name a commit instead", path.display())]
    Bare {
        /// The repository.
        path: PathBuf,
    },
    /// A file of the worktree cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// A patch is malformed, or does not fit its base.
    #[error(transparent)]
    Patch(#[from] crate::patch::PatchError),
}
