//! Agent adapters and slope's own minimal agent.
//!
//! An [`Agent`] is installed once, launched for each attempt, and asked afterwards what it
//! makes of the evidence. Launches are plain data: this crate starts no agent and knows no
//! sandbox and no gateway. `docs/agents.md` describes every agent for users.
//!
//! | agent | what it is |
//! |---|---|
//! | `slope` | our own: a loop around one tool, bash, run by the binary itself |
//! | `claude-code`, `codex` | pinned versions from the npm registry |
//! | `oracle` | lays down the checkpoint's reference solution |
//! | `nop` | leaves the workspace as it is |
//! | `command` | any executable that a TOML file describes |

mod agent;
mod claude;
mod codex;
mod command;
mod error;
mod evidence;
mod fixed;
pub mod hooks;
mod npm;
pub mod own;
mod settings;
mod template;
#[cfg(test)]
mod testing;

use std::path::PathBuf;

pub use agent::{
    AGENT_ROOT, Agent, Conclusion, Dialect, Evidence, HookCommand, INNER_PATH, InstallContext,
    Installed, InstalledBind, Launch, LaunchContext, Process, ProcessExit, Program,
};
pub use claude::{CLAUDE_CODE_VERSION, ClaudeCode};
pub use codex::{CODEX_VERSION, Codex};
pub use command::CommandAgent;
pub use error::Error;
pub use fixed::{Nop, Oracle};
pub use own::{BUILTINS, OWN_AGENT, OwnAgent, own_agent_main};

/// Names that [`by_name`] knows, with one line of description each.
pub const KNOWN: [(&str, &str); 6] = [
    (
        "slope",
        "our own minimal agent, a loop around bash; nothing to install",
    ),
    ("claude-code", "Claude Code from the npm registry"),
    ("codex", "Codex CLI from the npm registry"),
    ("oracle", "lays down the reference solution"),
    ("nop", "leaves the workspace as it is"),
    ("command", "any executable, described in a TOML file"),
];

/// What a user may say of an agent beside its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentOptions {
    /// Settings file; `command` cannot do without one.
    pub config: Option<PathBuf>,
    /// Turn cap, which replaces that of the settings file; an error where the agent has none.
    pub max_turns: Option<u32>,
    /// Dialect, which replaces that of the settings file; an error where the agent speaks one only.
    pub dialect: Option<Dialect>,
}

impl AgentOptions {
    /// With this settings file and no more.
    #[must_use]
    pub fn with_config(path: impl Into<PathBuf>) -> Self {
        Self {
            config: Some(path.into()),
            ..Self::default()
        }
    }
}

/// The agent of that name.
///
/// # Errors
/// Where the name is unknown, the file is missing, unreadable or malformed, or the agent
/// does not have what the options ask for.
pub fn by_name(name: &str, options: &AgentOptions) -> Result<Box<dyn Agent>, Error> {
    let config = options.config.as_deref();
    if options.max_turns.is_some() && matches!(name, "codex" | "oracle" | "nop" | "command") {
        return Err(Error::NoTurnCap {
            name: name.to_owned(),
        });
    }
    let known = KNOWN.iter().any(|(known, _)| *known == name);
    if options.dialect.is_some() && known && name != "slope" {
        return Err(Error::NoDialectChoice {
            name: name.to_owned(),
        });
    }
    match (name, config) {
        ("slope", _) => Ok(Box::new(
            OwnAgent::new(config)?
                .with_max_turns(options.max_turns)
                .with_dialect(options.dialect)?,
        )),
        ("claude-code", _) => Ok(Box::new(
            ClaudeCode::new(config)?.with_max_turns(options.max_turns),
        )),
        ("codex", _) => Ok(Box::new(Codex::new(config)?)),
        ("command", Some(path)) => Ok(Box::new(CommandAgent::read(path)?)),
        ("command", None) => Err(Error::ConfigRequired {
            name: name.to_owned(),
        }),
        ("oracle", None) => Ok(Box::new(Oracle)),
        ("nop", None) => Ok(Box::new(Nop)),
        ("oracle" | "nop", Some(path)) => Err(Error::ConfigNotTaken {
            name: name.to_owned(),
            path: path.to_owned(),
        }),
        _ => Err(Error::UnknownAgent {
            name: name.to_owned(),
            known: KNOWN.map(|(known, _)| known).join(", "),
        }),
    }
}
