//! Errors before an attempt is served.

use std::io;
use std::path::PathBuf;

/// A failure to set up the gateway or to serve an attempt.
///
/// Errors while an attempt is served are not included: the client gets them in its dialect, and
/// [`crate::AttemptRecord`] keeps them.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// A file or folder could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path to read.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// A script is not YAML, or not of the script's shape.
    #[error("{}:{line}:{column}: {message}", path.display())]
    ScriptSyntax {
        /// The script.
        path: PathBuf,
        /// Line, from 1; 0 if unknown.
        line: u64,
        /// Column, from 1; 0 if unknown.
        column: u64,
        /// Parser's message.
        message: String,
    },
    /// A script has the right shape but requests something impossible.
    #[error("{}: {message}", path.display())]
    ScriptInvalid {
        /// The script.
        path: PathBuf,
        /// Error message, with the conversation and turn.
        message: String,
    },
    /// The environment variable of the upstream's key is not set.
    #[error(
        "the upstream's key is to be read from the environment variable {name}, which is not set; set it, or name another one"
    )]
    KeyVariable {
        /// Name of the variable.
        name: String,
    },
    /// The file of the upstream's key is empty.
    #[error("the upstream's key is to be read from {}, which is empty", path.display())]
    KeyEmpty {
        /// The file.
        path: PathBuf,
    },
    /// The upstream's address is not an http or https URL.
    #[error("upstream address {url:?}: {message}; it should look like https://host/v1")]
    Url {
        /// The address as given.
        url: String,
        /// Error message.
        message: String,
    },
    /// The HTTP client could not be built.
    #[error("cannot build the HTTP client: {message}")]
    Client {
        /// Its message.
        message: String,
    },
    /// The asynchronous runtime could not be started.
    #[error("cannot start the gateway's threads: {source}")]
    Runtime {
        /// Cause of the failure.
        source: io::Error,
    },
    /// The listening socket could not be used.
    #[error("cannot listen: {source}")]
    Listen {
        /// Cause of the failure.
        source: io::Error,
    },
    /// The request log could not be opened.
    #[error("cannot open the request log {}: {source}", path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// A price file is not of the right shape.
    #[error("{}: {message}", path.display())]
    Prices {
        /// The file.
        path: PathBuf,
        /// Error message, with its place.
        message: String,
    },
    /// A line of a request log is invalid.
    #[error("{}:{line}: this is not a line of a request log: {message}", path.display())]
    LogLine {
        /// The log.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Error message.
        message: String,
    },
    /// A recording is not of the right shape.
    #[error("{}:{line}: this is not a recording of slope's: {message}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Error message.
        message: String,
    },
    /// There is no recording to answer an attempt from.
    #[error(
        "nothing was recorded of trial {trial}, checkpoint {checkpoint}, attempt {attempt}; replay the same problems and trials as were recorded"
    )]
    NotRecorded {
        /// The trial.
        trial: String,
        /// The checkpoint, from 1.
        checkpoint: u32,
        /// Number of the attempt at this checkpoint, from 1.
        attempt: usize,
    },
    /// A cap in dollars needs prices.
    #[error(
        "a cap of {cap} USD cannot be kept without prices; give the model's prices, or cap tokens instead"
    )]
    CapWithoutPrices {
        /// The cap.
        cap: f64,
    },
    /// The token of the attempt is too short to be secret.
    #[error("the attempt's token is shorter than 16 characters; use slope_gateway::random_token()")]
    WeakToken,
}
