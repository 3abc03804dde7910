//! Checks that answers to one form of a problem do not answer another.

use std::path::Path;

use slope_model::problem::{Group, Problem};
use slope_model::verdict::Outcome;
use slope_problem::reference_solution;
use slope_suite::Wanted;

use super::Check;
use crate::Error;
use crate::stage::{self, Stage};
use crate::workspace::Workspace;

/// Runs the published solutions, of the problem in the folder `published`, on the core cases of a
/// variant, up to the first failure: hard-coded answers to one form must fail on another.
///
/// # Errors
/// If there is no published solution, a folder cannot be read, or the sandbox fails.
pub fn apart(stage: &Stage<'_>, variant: &Problem, published: &Path) -> Result<Check, Error> {
    let published = stage::load(published)?;
    let mut same = true;
    for checkpoint in &variant.checkpoints {
        let dir = reference_solution(&published, &checkpoint.name).ok_or_else(|| {
            let (problem, name) = (published.root.display(), &checkpoint.name);
            Error::Request(format!(
                "{problem} has no reference solution for {name}\nhelp: write solutions/{name}"
            ))
        })?;
        let rehearsal = stage.rehearsal(variant, checkpoint.index)?;
        let core = rehearsal
            .cases()
            .filter(|case| case.group == Group::Core)
            .map(|case| Wanted {
                key: case.key,
                at_most_s: None,
            });
        let core: Vec<_> = core.collect();
        let workspace = Workspace::read(&dir)?;
        let results = stage::play(&rehearsal, &workspace, &core, stage.options.workers, true)?;
        same = results.iter().all(|r| r.outcome == Outcome::Passed);
        if !same {
            break;
        }
    }
    let fault = "the published solutions pass every core case: nothing that these look at varies";
    Ok(Check {
        name: "published fails",
        of: String::new(),
        faults: same.then(|| fault.to_owned()).into_iter().collect(),
        left_out: None,
    })
}
