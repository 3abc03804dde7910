//! Errors of a repository, and their remedies.

use std::path::PathBuf;

use crate::Id;

/// A failure to read from a repository.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no repository at a path or above it.
    #[error(
        "{} is not in a git repository{}\nhelp: name a directory of a repository, or run `git init` there",
        path.display(),
        found_instead(message)
    )]
    NoRepository {
        /// The path.
        path: PathBuf,
        /// Found instead.
        message: String,
    },
    /// A path does not exist.
    #[error("{} does not exist\nhelp: pass a repository, or a folder or file in one", path.display())]
    NoPath {
        /// The path.
        path: PathBuf,
    },
    /// The repository uses an unsupported reference format.
    #[error(
        "cannot read the references of {}: slope does not support the format {format}\n\
         help: run `git refs migrate --ref-format=files` there",
        path.display()
    )]
    References {
        /// The repository.
        path: PathBuf,
        /// The format as the repository names it.
        format: String,
    },
    /// The repository has no commit yet.
    #[error("{} has no commits\nhelp: commit something first", path.display())]
    Empty {
        /// The repository.
        path: PathBuf,
    },
    /// A revision is unknown or ambiguous.
    #[error("cannot resolve the revision `{revision}` in {}: {message}\nhelp: {remedy}", path.display())]
    Revision {
        /// The revision as given.
        revision: String,
        /// The repository.
        path: PathBuf,
        /// Error message.
        message: String,
        /// Remedy.
        remedy: &'static str,
    },
    /// Two commits have no common ancestor, or it was not fetched.
    #[error("{one} and {two} have no common ancestor in {}: {reason}\nhelp: {remedy}", path.display())]
    NoMergeBase {
        /// One revision.
        one: String,
        /// The other.
        two: String,
        /// The repository.
        path: PathBuf,
        /// Error message.
        reason: &'static str,
        /// Remedy.
        remedy: &'static str,
    },
    /// An object is not there.
    #[error("{what} ({id}) is not in {}: {reason}\nhelp: {remedy}", path.display())]
    Missing {
        /// Kind of the object, with its path if any.
        what: String,
        /// Its id.
        id: Id,
        /// The repository.
        path: PathBuf,
        /// Error message.
        reason: &'static str,
        /// Remedy.
        remedy: &'static str,
    },
    /// An object is there and cannot be understood.
    #[error("{what} ({id}) in {} is damaged: {message}\nhelp: run `git fsck` for details, and clone the repository again", path.display())]
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
    #[error("cannot use the index of {}: {message}\nhelp: {remedy}", path.display())]
    Index {
        /// The repository.
        path: PathBuf,
        /// Error message.
        message: String,
        /// Remedy.
        remedy: &'static str,
    },
    /// A bare repository lacks the requested folder.
    #[error("{} is a bare repository and has no files\nhelp: pass a commit instead", path.display())]
    Bare {
        /// The repository.
        path: PathBuf,
    },
    /// A file of the worktree cannot be read.
    #[error("cannot read {}", path.display())]
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

/// Describes what was found in place of a repository; empty if nothing was.
fn found_instead(message: &str) -> String {
    if message.starts_with("Could not find a git repository") {
        return String::new();
    }
    format!(": {message}")
}
