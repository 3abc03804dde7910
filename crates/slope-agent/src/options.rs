//! User settings of an agent, and those that it cannot honour.

use std::path::PathBuf;

use crate::Error;
use crate::agent::{Dialect, Effort};

/// User settings of an agent besides its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentOptions {
    /// Settings file; required by `command`.
    pub config: Option<PathBuf>,
    /// Turn cap, overriding the settings file; an error if the agent has none.
    pub max_turns: Option<u32>,
    /// Dialect, overriding the settings file; an error if the agent supports only one.
    pub dialect: Option<Dialect>,
    /// Reasoning effort of the model; an error if the agent cannot set it.
    pub effort: Option<Effort>,
}

impl AgentOptions {
    /// Options with only this settings file.
    #[must_use]
    pub fn with_config(path: impl Into<PathBuf>) -> Self {
        Self {
            config: Some(path.into()),
            ..Self::default()
        }
    }
}

/// Features that an agent may lack.
pub(crate) enum Lacks {
    Turns,
    Dialect,
    Effort,
}

/// Refuses options that an agent would ignore.
pub(crate) fn refuse(
    name: &str,
    options: &AgentOptions,
    lacks: impl IntoIterator<Item = Lacks>,
) -> Result<(), Error> {
    for lack in lacks {
        let name = name.to_owned();
        match lack {
            Lacks::Turns if options.max_turns.is_some() => return Err(Error::NoTurnCap { name }),
            Lacks::Dialect if options.dialect.is_some() => {
                return Err(Error::NoDialectChoice { name });
            }
            Lacks::Effort if options.effort.is_some() => return Err(Error::NoEffort { name }),
            _ => {}
        }
    }
    Ok(())
}
