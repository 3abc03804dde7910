//! The context of a run: what all of its trials work with.

use slope_agent::{Agent, Installed};
use slope_gateway::Gateway;

use crate::layout::scratch;
use crate::machine::Machine;
use crate::plan::Plan;
use crate::tools::Tools;

/// What all trials of a run work with, for one execution of the run. The coordinator and each of
/// its workers have one.
pub struct RunContext<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) machine: &'a Machine,
    pub(crate) agent: &'a dyn Agent,
    pub(crate) installed: &'a Installed,
    /// Gateway of all attempts. `None` for agents that use no model, and in workers: they ask their
    /// coordinator.
    pub(crate) gateway: Option<&'a Gateway>,
    pub(crate) tools: Tools,
}

impl<'a> RunContext<'a> {
    /// The context of `plan` for `agent`, which is installed as `installed`.
    #[must_use]
    pub fn new(
        plan: &'a Plan,
        machine: &'a Machine,
        agent: &'a dyn Agent,
        installed: &'a Installed,
    ) -> Self {
        Self {
            plan,
            machine,
            agent,
            installed,
            gateway: None,
            tools: Tools::new(&machine.cache_dir, &scratch(plan)),
        }
    }

    /// The context with a gateway for the agent.
    #[must_use]
    pub fn with_gateway(self, gateway: Option<&'a Gateway>) -> Self {
        Self { gateway, ..self }
    }

    /// Label of the run.
    #[must_use]
    pub fn label(&self) -> &'a str {
        &self.plan.config.label
    }
}
