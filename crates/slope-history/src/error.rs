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
    /// No commit or file matches the request.
    #[error("{0}")]
    Empty(String),
    /// Invalid glob.
    #[error("invalid glob `{pattern}`: {message}")]
    Glob {
        /// The pattern.
        pattern: String,
        /// Error message.
        message: String,
    },
    /// A change cannot be analysed.
    #[error(transparent)]
    Change(#[from] slope_change::Error),
}
