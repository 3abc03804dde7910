//! Errors of judges.

/// Why code cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The code cannot be measured.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// The repository cannot be read.
    #[error(transparent)]
    Git(#[from] slope_git::Error),
}
