//! Errors of this crate.

use std::path::PathBuf;

/// Errors before an agent has started.
///
/// Failures of an agent are not errors here, but part of a [`crate::Conclusion`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No agent of that name.
    #[error("unknown agent `{name}`: expected one of {known}")]
    UnknownAgent {
        /// The requested name.
        name: String,
        /// Known names, separated by commas.
        known: String,
    },
    /// The agent needs a configuration file.
    #[error(
        "agent `{name}` needs a description\n\
         help: write one as shown in docs/agents.md, and pass it with --agent-config FILE"
    )]
    ConfigRequired {
        /// The agent.
        name: String,
    },
    /// The agent does not support a configuration file.
    #[error("agent `{name}` has no settings, so `{}` cannot be used\nhelp: remove --agent-config", path.display())]
    ConfigNotTaken {
        /// The agent.
        name: String,
        /// The file given.
        path: PathBuf,
    },
    /// The agent has no turn cap.
    #[error("agent `{name}` has no turn cap\nhelp: cap requests at the gateway instead")]
    NoTurnCap {
        /// The agent.
        name: String,
    },
    /// The agent cannot set the effort.
    #[error("agent `{name}` does not support --effort\nhelp: remove --effort")]
    NoEffort {
        /// The agent.
        name: String,
    },
    /// The agent does not support the requested dialect.
    #[error(
        "agent `{name}` does not support --dialect with this value\nhelp: remove --dialect, or use the agent `slope` with chat or messages"
    )]
    NoDialectChoice {
        /// The agent.
        name: String,
    },
    /// The executable that a description names is not there.
    #[error(
        "{}: no executable `{program}`: slope looks for bare names in {}\nhelp: {remedy}",
        path.display(),
        crate::inside::INNER_PATH
    )]
    NoExecutable {
        /// The description.
        path: PathBuf,
        /// The executable as named there.
        program: String,
        /// Remedy.
        remedy: String,
    },
    /// A file is malformed.
    #[error("{}:{line}: {message}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The problem and the expected value.
        message: String,
    },
    /// A file could not be read or written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// Failed action.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A tool needed for an installation is missing.
    #[error(
        "cannot install {agent} {version}: `npm` is not on PATH\n\
         help: install Node.js 18 or newer with npm, for example with `apt install npm`, \
         or copy the folder {} from a machine that has it",
        folder.display()
    )]
    NpmMissing {
        /// The agent.
        agent: String,
        /// Its version.
        version: String,
        /// Folder of the missing installation.
        folder: PathBuf,
    },
    /// The agent is not installed and the network may not be used.
    #[error(
        "{agent} {version} is not installed in {}, and this run is offline\n\
         help: run once with network access, or copy that folder from another machine",
        folder.display()
    )]
    Offline {
        /// The agent.
        agent: String,
        /// Its version.
        version: String,
        /// Folder of the missing installation.
        folder: PathBuf,
    },
    /// An installation failed.
    #[error("cannot install {agent} {version}: {message}")]
    Install {
        /// The agent.
        agent: String,
        /// Its version.
        version: String,
        /// Error message, with the last lines of the installer.
        message: String,
    },
    /// An installation's hash differs from the pinned or recorded one.
    #[error(
        "{what} has hash {found}, expected {expected}\n\
         help: delete {} and install again, and do not use this source if the error remains",
        folder.display()
    )]
    Integrity {
        /// The package or file.
        what: String,
        /// Actual hash.
        found: String,
        /// Hash pinned or recorded.
        expected: String,
        /// The installation.
        folder: PathBuf,
    },
    /// The agent cannot be launched in this context.
    #[error("cannot launch {agent}: {message}")]
    Launch {
        /// The agent.
        agent: String,
        /// Reason and remedy.
        message: String,
    },
}

impl Error {
    /// An [`Error::Io`], for `map_err`.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }

    /// An [`Error::Launch`].
    pub(crate) fn launch(agent: &str, message: impl Into<String>) -> Self {
        Self::Launch {
            agent: agent.to_owned(),
            message: message.into(),
        }
    }
}
