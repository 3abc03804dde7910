//! Agents that run no process: `oracle` and `nop`.

use slope_model::run::AttemptState;

use crate::Error;
use crate::agent::{Agent, Conclusion, Dialect, Evidence, InstallContext, Installed};
use crate::agent::{Launch, LaunchContext};
use crate::evidence::{died, exited_well};

/// Writes the reference solution of the checkpoint, which is the upper bound of the results.
#[derive(Debug, Clone, Copy, Default)]
pub struct Oracle;

impl Agent for Oracle {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn dialect(&self) -> Option<Dialect> {
        None
    }

    fn is_fixed(&self) -> bool {
        true
    }

    fn install(&self, _context: &InstallContext<'_>) -> Result<Installed, Error> {
        Ok(Installed::builtin())
    }

    fn launch(&self, context: &LaunchContext<'_>) -> Result<Launch, Error> {
        let Some(from) = context.reference_solution else {
            return Err(Error::launch(
                self.name(),
                "the problem has no reference solution for this checkpoint\n\
                 help: add one, or use another agent",
            ));
        };
        if !from.is_dir() {
            return Err(Error::launch(
                self.name(),
                format!("the reference solution {} is not a folder", from.display()),
            ));
        }
        Ok(Launch::LayDown {
            from: from.to_owned(),
        })
    }

    fn conclude(&self, evidence: &Evidence<'_>) -> Conclusion {
        fixed(evidence)
    }
}

/// Leaves the workspace unchanged; a test that passes nevertheless tests nothing new.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nop;

impl Agent for Nop {
    fn name(&self) -> &'static str {
        "nop"
    }

    fn dialect(&self) -> Option<Dialect> {
        None
    }

    fn is_fixed(&self) -> bool {
        true
    }

    fn install(&self, _context: &InstallContext<'_>) -> Result<Installed, Error> {
        Ok(Installed::builtin())
    }

    fn launch(&self, _context: &LaunchContext<'_>) -> Result<Launch, Error> {
        Ok(Launch::Nothing)
    }

    fn conclude(&self, evidence: &Evidence<'_>) -> Conclusion {
        fixed(evidence)
    }
}

fn fixed(evidence: &Evidence<'_>) -> Conclusion {
    if exited_well(evidence) {
        return Conclusion::completed();
    }
    // The bench itself writes files, so the agent did not fail.
    Conclusion {
        state: AttemptState::Infrastructure,
        ..died(evidence, "no files were copied")
    }
}
