//! Extension steps: checkpoints as tasks of their own, each from the reference solution of the one
//! before.

use std::path::PathBuf;

use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::Start;
use slope_suite::track::TrackName;

use crate::Error;
use crate::plan::RunOptions;

/// Names of the checkpoints of `problem` that a run with `options` attempts, in order.
///
/// # Errors
/// If a checkpoint does not exist, or the reference solution that it starts from is missing.
pub(crate) fn attempted(problem: &Problem, options: &RunOptions) -> Result<Vec<String>, Error> {
    let wanted = options.steps.get(&problem.name);
    let known = |name: &String| problem.checkpoints.iter().any(|c| c.name == *name);
    if let Some(name) = wanted.into_iter().flatten().find(|name| !known(name)) {
        return Err(Error::NoCheckpoint {
            problem: problem.name.clone(),
            checkpoint: name.clone(),
            count: problem.checkpoints.len(),
        });
    }
    let is_wanted = |c: &&Checkpoint| wanted.is_none_or(|names| names.contains(&c.name));
    let checkpoints = problem.checkpoints.iter().filter(is_wanted);
    checkpoints
        .map(|checkpoint| {
            if options.start == Start::Reference {
                solution_before(problem, checkpoint, options.track)?;
            }
            Ok(checkpoint.name.clone())
        })
        .collect()
}

/// The reference solution that `checkpoint` extends; `None` for the first one.
///
/// # Errors
/// If it is missing.
pub(crate) fn solution_before(
    problem: &Problem,
    checkpoint: &Checkpoint,
    track: TrackName,
) -> Result<Option<PathBuf>, Error> {
    let place = problem
        .checkpoints
        .iter()
        .position(|c| c.name == checkpoint.name);
    let Some(before) = place.and_then(|at| problem.checkpoints[..at].last()) else {
        return Ok(None);
    };
    let solution = slope_problem::solution_in(problem, &track.solutions(), &before.name);
    let missing = || Error::NoReference {
        problem: problem.name.clone(),
        checkpoint: checkpoint.name.clone(),
        folder: PathBuf::from(track.solutions()).join(&before.name),
    };
    solution.map(Some).ok_or_else(missing)
}
