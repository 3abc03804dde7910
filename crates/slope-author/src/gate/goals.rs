//! Checks of refactorings: the reference solution reaches the goals, and the legacy code does not.

use slope_model::problem::Checkpoint;
use slope_model::verdict::{Outcome, TestResult, Verdict};

use super::{Check, Gate, burning, faults};
use crate::Error;
use crate::stage;
use crate::workspace::Workspace;

/// Beginning of the ids of goals.
const GOAL: &str = "goal:";

impl Gate<'_> {
    /// Checks the goals of every refactoring that has legacy code in the language of the stage.
    pub(super) fn goals(&self, checks: &mut Vec<Check>) -> Result<(), Error> {
        let refactorings = self.problem.checkpoints.iter();
        for checkpoint in refactorings.filter(|c| c.goals.is_some()) {
            self.goals_of(checkpoint, checks)?;
        }
        Ok(())
    }

    fn goals_of(&self, checkpoint: &Checkpoint, checks: &mut Vec<Check>) -> Result<(), Error> {
        let track = self.stage.options.track;
        let code = |folder: String| -> Result<Option<Workspace>, Error> {
            let dir = self.problem.root.join(folder).join(&checkpoint.name);
            dir.is_dir().then(|| Workspace::read(&dir)).transpose()
        };
        let Some(legacy) = code(track.legacy())? else {
            return Ok(());
        };
        let of = format!("{track}, {}", checkpoint.name);
        if self.asked.sample.is_some() {
            checks.push(Check {
                name: "goals",
                of,
                faults: Vec::new(),
                left_out: Some("a sample does not measure programs".to_owned()),
            });
            return Ok(());
        }
        let mut push = |name: &'static str, faults: Vec<String>| {
            checks.push(Check {
                name,
                of: of.clone(),
                faults,
                left_out: None,
            });
        };
        let before = self.verdict("the legacy code", checkpoint, &legacy)?;
        push("untouched fails", faults_of_start(checkpoint, &before));
        let Some(solution) = code(track.solutions())? else {
            let fault = format!("there is no {}/{}", track.solutions(), checkpoint.name);
            push("goals", vec![fault]);
            return Ok(());
        };
        let after = self.verdict("the goals", checkpoint, &solution)?;
        push("goals", missed(checkpoint, &after));
        let loaded = burning(|| self.verdict("the goals under load", checkpoint, &solution))?;
        push("goals under load", missed(checkpoint, &loaded));
        Ok(())
    }

    fn verdict(
        &self,
        what: &str,
        checkpoint: &Checkpoint,
        workspace: &Workspace,
    ) -> Result<Verdict, Error> {
        self.say(&format!("{}, {what}", checkpoint.name))?;
        let verdict = stage::grade(&self.stage, self.problem, checkpoint, workspace)?;
        match verdict.reason {
            Some(why) if verdict.tests.is_empty() => Err(Error::Request(why)),
            _ => Ok(verdict),
        }
    }
}

fn is_goal(test: &TestResult) -> bool {
    test.id.starts_with(GOAL)
}

/// Faults of the legacy code: it passes every case and reaches no goal.
fn faults_of_start(checkpoint: &Checkpoint, verdict: &Verdict) -> Vec<String> {
    let (goals, cases): (Vec<TestResult>, Vec<TestResult>) =
        verdict.tests.iter().cloned().partition(is_goal);
    let reached = goals.iter().filter(|goal| goal.outcome == Outcome::Passed);
    let reached = reached.map(|goal| format!("the legacy code reaches {}", goal.id));
    faults(checkpoint, &cases)
        .into_iter()
        .chain(reached)
        .collect()
}

/// Everything that the reference solution does not pass.
fn missed(checkpoint: &Checkpoint, verdict: &Verdict) -> Vec<String> {
    faults(checkpoint, &verdict.tests)
}
