//! Errors of the analysis.

use std::path::PathBuf;

/// Reason that a change cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The index of a base is damaged.
    #[error("the index of the base is damaged\nhelp: write it again: slope grade index")]
    Index,
    /// The repository cannot be read.
    #[error(transparent)]
    Git(#[from] slope_git::Error),
    /// Nothing can be measured.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// The path is not in a repository.
    #[error(
        "{} is not in a git repository\nhelp: compare two directories instead: slope check OLD_DIR NEW_DIR", path.display()
    )]
    NoRepository {
        /// The path.
        path: PathBuf,
    },
    /// A shallow clone has no commit to compare with except the judged one.
    #[error(
        "{} is a shallow clone without a default branch, so there is nothing to compare {head} with\nhelp: fetch the target branch with `git fetch --deepen=200 origin BRANCH`, and pass --base FETCH_HEAD", path.display()
    )]
    NoDefaultBranch {
        /// The repository.
        path: PathBuf,
        /// Judged state.
        head: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// A diff does not fit the base.
    #[error(
        "the diff changes {path}, which {base} does not have\nhelp: name the commit that the diff was made against with --base, and if its paths have other prefixes, make it with `git diff --src-prefix=a/ --dst-prefix=b/`"
    )]
    NotInBase {
        /// The file.
        path: String,
        /// The base.
        base: String,
    },
    /// A ledger does not sum to the change, which is a bug in slope.
    #[error(
        "the entries of {commit} sum to {entries}, but the total changed by {whole}\nhelp: report this as a bug in slope"
    )]
    Sum {
        /// The commit.
        commit: String,
        /// Sum of the entries.
        entries: String,
        /// Total change.
        whole: String,
    },
}
