//! Agent adapters and slope's own minimal agent.
//!
//! An [`Agent`] is installed once, launched for each attempt, and afterwards concludes from the
//! evidence. Launches are plain data: this crate starts no agent and depends on neither sandbox nor
//! gateway. `docs/agents.md` describes every agent for users.
//!
//! | agent | description |
//! |---|---|
//! | `slope` | slope's own: a loop around one tool, bash, run by the binary itself |
//! | those of `agents/` | third-party programs at pinned versions, each described as data |
//! | `oracle` | writes the checkpoint's reference solution |
//! | `nop` | leaves the workspace unchanged |
//! | `command` | any executable that a TOML file describes |

mod agent;
mod agents;
mod command;
mod description;
mod error;
mod events;
mod evidence;
mod fixed;
pub mod hooks;
mod inside;
mod install;
mod options;
pub mod own;
mod settings;
mod template;
#[cfg(test)]
mod testing;

pub use agent::{
    Agent, Conclusion, Dialect, Effort, Evidence, HookCommand, InstallContext, Installed,
    InstalledBind, Launch, LaunchContext, Process, ProcessExit, Program,
};
use agents::DESCRIPTIONS;
pub use command::CommandAgent;
use description::Described;
pub use error::Error;
pub use fixed::{Nop, Oracle};
pub use inside::{AGENT_ROOT, INNER_PATH};
pub use options::AgentOptions;
use options::{Lacks, refuse};
pub use own::{BUILTINS, OWN_AGENT, OwnAgent, own_agent_main};

/// Agents without a [`description::Description`], each with a line of text.
const BUILT_IN: [(&str, &str); 4] = [
    (
        "slope",
        "our own minimal agent, a loop around bash; nothing to install",
    ),
    ("oracle", "lays down the reference solution"),
    ("nop", "leaves the workspace as it is"),
    ("command", "any executable, described in a TOML file"),
];

/// The npm package of an agent, which has its versions; `None` if it comes from elsewhere.
#[must_use]
pub fn npm_package(name: &str) -> Option<String> {
    let agent = DESCRIPTIONS.iter().find(|agent| agent.name == name)?;
    agent.part.npm_package()
}

/// Names that [`by_name`] accepts, each with a line of description.
pub fn known() -> impl Iterator<Item = (&'static str, &'static str)> {
    let described = DESCRIPTIONS.iter().map(|agent| (agent.name, agent.about));
    let [own, rest @ ..] = BUILT_IN;
    std::iter::once(own).chain(described).chain(rest)
}

/// The agent of that name.
///
/// # Errors
/// If the name is unknown, the file is missing, unreadable or malformed, or the agent does not
/// support an option.
pub fn by_name(name: &str, options: &AgentOptions) -> Result<Box<dyn Agent>, Error> {
    if let Some(agent) = DESCRIPTIONS.iter().find(|agent| agent.name == name) {
        return Ok(Box::new(Described::new(agent, options)?));
    }
    let config = options.config.as_deref();
    if name == "slope" {
        refuse(name, options, [Lacks::Effort])?;
        return Ok(Box::new(
            OwnAgent::new(config)?
                .with_max_turns(options.max_turns)
                .with_dialect(options.dialect)?,
        ));
    }
    if !BUILT_IN.iter().any(|(known, _)| *known == name) {
        return Err(Error::UnknownAgent {
            name: name.to_owned(),
            known: known()
                .map(|(known, _)| known)
                .collect::<Vec<_>>()
                .join(", "),
        });
    }
    refuse(name, options, [Lacks::Turns, Lacks::Dialect, Lacks::Effort])?;
    match (name, config) {
        ("command", Some(path)) => Ok(Box::new(CommandAgent::read(path)?)),
        ("command", None) => Err(Error::ConfigRequired {
            name: name.to_owned(),
        }),
        (_, Some(path)) => Err(Error::ConfigNotTaken {
            name: name.to_owned(),
            path: path.to_owned(),
        }),
        ("oracle", None) => Ok(Box::new(Oracle)),
        (_, None) => Ok(Box::new(Nop)),
    }
}
