//! The table of attacks.

use serde::{Deserialize, Serialize};
use slope_model::run::AttemptState;

use crate::{Error, embedded};

/// Attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// An agent in its sandbox.
    Agent,
    /// A program under test, in the sandbox of its grader.
    Program,
}

impl By {
    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Program => "program",
        }
    }
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// Name, unique among those of the same attacker.
    pub id: String,
    /// Attacker.
    pub by: By,
    /// Kind of attack, in a word.
    pub class: String,
    /// The attempt, as an imperative.
    pub tries: String,
    /// Result if the attack fails.
    pub expected: String,
    /// States that an agent's attempt may end in.
    #[serde(default = "completed")]
    pub ends: Vec<AttemptState>,
    /// Whether a program may get a worse verdict than the honest wrong solution.
    #[serde(default)]
    pub worse: bool,
    /// Whether failed tests of a program are repeated, in sessions of their own.
    #[serde(default)]
    pub repeats: bool,
    /// Texts that the integrity column must contain.
    #[serde(default)]
    pub noticed: Vec<String>,
    /// Whether the agent gets a gateway.
    #[serde(default)]
    pub gateway: bool,
    /// Checkpoints of the agent's trial.
    #[serde(default = "one")]
    pub checkpoints: u32,
    /// Time limit of one attempt of the agent in seconds.
    #[serde(default = "minute")]
    pub timeout_s: u64,
}

impl Attack {
    /// Its unique name: `agent/daemons`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.by.name(), self.id)
    }
}

fn completed() -> Vec<AttemptState> {
    vec![AttemptState::Completed]
}

fn one() -> u32 {
    1
}

fn minute() -> u64 {
    60
}

#[derive(Deserialize)]
struct File {
    attack: Vec<Attack>,
}

/// All attacks, in the order of the table.
///
/// # Errors
/// If the embedded table is malformed, which a test excludes.
pub fn all() -> Result<Vec<Attack>, Error> {
    let text = embedded::text("catalogue.toml")?;
    let file: File = toml::from_str(&text).map_err(|e| Error::Catalogue(e.to_string()))?;
    Ok(file.attack)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_has_one_attack() {
        let all = all().unwrap();
        for by in [By::Agent, By::Program] {
            let of = all.iter().filter(|a| a.by == by).count();
            assert!(of >= 25, "{} attacks of a {}", of, by.name());
        }
        let names: BTreeSet<String> = all.iter().map(Attack::name).collect();
        assert_eq!(names.len(), all.len(), "names are unique");
        let found: BTreeSet<String> = embedded::names()
            .filter_map(|path| {
                let (by, rest) = path.split_once('/')?;
                let id = match by {
                    "agent" => rest.strip_suffix(".py")?,
                    "program" => rest.split_once('/')?.0,
                    _ => return None,
                };
                (id != "probe").then(|| format!("{by}/{id}"))
            })
            .collect();
        assert_eq!(found, names);
    }
}
