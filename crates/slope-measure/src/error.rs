//! Why nothing could be measured.

use std::path::PathBuf;

use slope_rules::RuleError;

/// Reason that nothing could be measured. Problems with a single file are in
/// [`Measurement::unmeasured`](slope_model::measurement::Measurement::unmeasured) instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The root cannot be read.
    #[error("cannot measure {}", path.display())]
    Root {
        /// The root.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// A rule pack cannot be used.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A rule is enabled or disabled that is not there.
    #[error("{place}unknown rule or signal `{id}`\nhelp: {near}list them all with `slope rules`")]
    UnknownRule {
        /// The place in the configuration, with `: `; empty if it is an argument.
        place: String,
        /// The id.
        id: String,
        /// Similar ids, as a remedy; empty if there are none.
        near: String,
    },
    /// A rule pack of the configuration cannot be used.
    #[error("{place}cannot use the rules")]
    ConfiguredRules {
        /// The place in the configuration, with `: `.
        place: String,
        /// The error.
        source: RuleError,
    },
    /// A rule of the user has the id of a signal or a rule of the gate.
    #[error("{}:{line}: the id `{id}` belongs to a rule or signal of slope\nhelp: give the rule another id", path.display())]
    TakenId {
        /// The file.
        path: PathBuf,
        /// Line of the rule's begin.
        line: usize,
        /// The id.
        id: String,
    },
    /// Invalid glob.
    #[error(
        "invalid glob `{pattern}`: {message}\nhelp: write a path from the folder, such as `lib/*.py`"
    )]
    Glob {
        /// The pattern.
        pattern: String,
        /// Error message.
        message: String,
    },
    /// The threads cannot be started.
    #[error("cannot start the measuring threads\nhelp: use fewer threads with --threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
