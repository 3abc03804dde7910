//! Errors of model judges.

use std::path::PathBuf;

/// Why a model cannot judge.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The gateway cannot start.
    #[error(transparent)]
    Gateway(#[from] slope_gateway::GatewayError),
    /// The system gives no random numbers.
    #[error("cannot read random bytes")]
    Random(#[source] std::io::Error),
    /// The static judge cannot measure.
    #[error(transparent)]
    Measure(#[from] slope_measure::Error),
    /// The estimate is above the limit, or there is none.
    #[error("{0}")]
    Limit(String),
    /// A rubric cannot be read.
    #[error("cannot read the rubric {}\nhelp: name a file in the format of docs/judge.md", path.display())]
    RubricFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A file is no rubric.
    #[error("{}:{line}: {message}", path.display())]
    Rubric {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The reason, and a remedy.
        message: String,
    },
    /// No group of files has an answer that can be used.
    #[error("the model judged nothing: {reason}\nhelp: {help}")]
    NoAnswer {
        /// The first reason.
        reason: String,
        /// The remedy.
        help: &'static str,
    },
    /// There is no code for a model.
    #[error(
        "{target} has no code that a model can judge\nhelp: name a directory or file with code of at most {most} lines per file"
    )]
    NoCode {
        /// The code: a path or a revision.
        target: String,
        /// Longest file.
        most: usize,
    },
}
