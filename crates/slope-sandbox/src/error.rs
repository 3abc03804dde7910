//! Errors of a sandbox itself (never of the command inside).

use std::error::Error as StdError;
use std::io;
use std::path::PathBuf;

/// Reason that a sandbox could not be built, or was lost.
///
/// Results of the command itself are in [`Outcome`](crate::Outcome) instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The kernel refuses something that the sandbox needs.
    #[error("the kernel refuses {feature}: {why}\nhelp: {remedy}")]
    Refused {
        /// Feature in words.
        feature: String,
        /// Kernel error.
        why: String,
        /// Remedy.
        remedy: String,
    },
    /// The specification is invalid.
    #[error("invalid sandbox specification")]
    Spec(#[from] SpecError),
    /// A host file of the specification cannot be used.
    #[error("{path}: cannot {action}", path = path.display())]
    HostFile {
        /// The file.
        path: PathBuf,
        /// Failed action.
        action: &'static str,
        /// System error.
        source: io::Error,
    },
    /// A step of building the sandbox failed.
    #[error("cannot build the sandbox: {step}")]
    Step {
        /// The step, with its place if any.
        step: String,
        /// System error.
        source: io::Error,
    },
    /// The sandbox's first process reported an error.
    #[error("{0}")]
    Reported(String),
    /// The engine of a container failed.
    #[error("cannot build the sandbox")]
    Engine(#[source] Box<dyn StdError + Send + Sync>),
    /// A container runs, but its first process has not called back.
    #[error(
        "the container runs but has not called back for {seconds} s\n\
         help: run the engine on the kernel that slope runs on, not on another machine or in a virtual one"
    )]
    NoCall {
        /// Time that slope waited.
        seconds: u64,
    },
    /// The command's executable cannot be started inside.
    #[error("cannot start `{program}` in the sandbox: {why}")]
    Exec {
        /// The requested executable.
        program: String,
        /// Reason.
        why: String,
    },
    /// The command's output cannot be written to its file.
    #[error("cannot keep the command's output")]
    Output(#[source] io::Error),
    /// The sandbox's first process ended early, for example because somebody killed it.
    #[error("the sandbox was lost: {how}")]
    Died {
        /// How it ended.
        how: String,
    },
    /// The sandbox's first process ended before it started the command.
    #[error(
        "the sandbox was lost: {how} before the command was started\n\
         help: call slope_sandbox::dispatch first in `main`"
    )]
    DiedEarly {
        /// How it ended.
        how: String,
    },
    /// The sandbox's first process sent an unexpected message.
    #[error("the sandbox sent an unexpected message")]
    Unexpected,
    /// The engine cannot remove the container after the command ended.
    #[error("cannot remove the sandbox: {why}")]
    Remains {
        /// The engine's message.
        why: String,
    },
    /// Talking to the sandbox failed.
    #[error("cannot talk to the sandbox")]
    Io(#[from] io::Error),
}

/// An invalid specification of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no command.
    #[error("the command is empty")]
    NoCommand,
    /// The command's executable has an empty name.
    #[error("the command's executable has no name")]
    NoExecutable,
    /// An argument contains a NUL byte.
    #[error("an argument of the command contains a NUL byte")]
    Nul,
    /// A variable with a name or value that no environment can have.
    #[error("environment variable `{0}` cannot be set")]
    Variable(String),
    /// A path inside is relative or contains `..`.
    #[error("{what} {}: must be absolute, without `..`", path.display())]
    Path {
        /// Use of the path.
        what: &'static str,
        /// The path.
        path: PathBuf,
    },
    /// Two volumes or binds have the same target.
    #[error("two file trees for {}", .0.display())]
    Twice(PathBuf),
    /// The program has no builtin of this name.
    #[error("unknown builtin `{0}`")]
    UnknownBuiltin(String),
}
