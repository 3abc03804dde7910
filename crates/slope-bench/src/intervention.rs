//! Interventions: measures of a study's arm to keep an agent's code from degrading.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_agent::HookCommand;

/// Folder inside with slope's program.
pub(crate) const PROGRAM: &str = "/opt/slope/bin";

/// Folder inside with the workspace as it was at the start.
pub(crate) const BASE: &str = "/opt/slope/base";

/// Time limit of a hook inside, in seconds. Generous, since a study must not depend on how busy the
/// machine is: it only stops endless hooks.
const PATIENCE_S: u32 = 300;

/// An arm of an intervention study.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intervention {
    /// Nothing: the baseline.
    #[default]
    None,
    /// The prompt asks for code without slop.
    AntiSlop,
    /// The prompt asks for a plan before the code.
    PlanFirst,
    /// slope's hooks are installed for the agent.
    Hooks,
}

impl Intervention {
    /// All arms.
    pub const ALL: [Self; 4] = [Self::None, Self::AntiSlop, Self::PlanFirst, Self::Hooks];

    /// Its name in arguments, plans and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::AntiSlop => "anti-slop",
            Self::PlanFirst => "plan-first",
            Self::Hooks => "hooks",
        }
    }

    /// The prompt of the arm, by name.
    #[must_use]
    pub fn prompt(self) -> &'static str {
        match self {
            Self::None | Self::Hooks => slope_problem::DEFAULT_PROMPT,
            Self::AntiSlop => "anti-slop",
            Self::PlanFirst => "plan-first",
        }
    }

    /// The command of the agent's hooks, if the arm has hooks.
    pub(crate) fn hooks(self, workspace: &Path) -> Option<HookCommand> {
        (self == Self::Hooks).then(|| HookCommand {
            program: Path::new(PROGRAM).join("slope"),
            top: workspace.to_owned(),
            base: PathBuf::from(BASE),
            patience_s: Some(PATIENCE_S),
        })
    }
}
