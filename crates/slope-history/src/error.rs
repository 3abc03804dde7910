//! Errors of histories and ledgers.

/// Reason that there is no history or ledger.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The repository cannot be read.
    #[error(transparent)]
    Git(#[from] slope_git::Error),
    /// Nothing can be measured.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// There is no data.
    #[error("{0}")]
    Empty(String),
    /// Invalid glob.
    #[error("`{pattern}` is not a valid glob: {message}")]
    Glob {
        /// The pattern.
        pattern: String,
        /// Error message.
        message: String,
    },
    /// A ledger does not add up to the change; this is a bug in slope.
    #[error(
        "the entries of {commit} sum to {entries}, and the whole changed by {whole}; please report this"
    )]
    Sum {
        /// The commit.
        commit: String,
        /// Sum of the entries.
        entries: String,
        /// Change of the totals.
        whole: String,
    },
}
