//! Tasks of their own: extension steps, each from the reference solution of the checkpoint before, and
//! refactorings, each from legacy code.

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
            if starts_anew(checkpoint, options.start) {
                start_of(problem, checkpoint, options.track)?;
            }
            Ok(checkpoint.name.clone())
        })
        .collect()
}

/// Whether `checkpoint` starts from code of the problem rather than from that of the attempt before.
pub(crate) fn starts_anew(checkpoint: &Checkpoint, start: Start) -> bool {
    start == Start::Reference || checkpoint.goals.is_some()
}

/// The code that `checkpoint` starts from: legacy code for a refactoring, otherwise the reference solution of
/// the one before, and `None` for the first one.
///
/// # Errors
/// If it is missing.
pub(crate) fn start_of(
    problem: &Problem,
    checkpoint: &Checkpoint,
    track: TrackName,
) -> Result<Option<PathBuf>, Error> {
    let Some((folder, name)) = place_of_start(problem, checkpoint, track) else {
        return Ok(None);
    };
    let code = slope_problem::solution_in(problem, &folder, name);
    let missing = || Error::NoReference {
        problem: problem.name.clone(),
        checkpoint: checkpoint.name.clone(),
        folder: PathBuf::from(&folder).join(name),
    };
    code.map(Some).ok_or_else(missing)
}

/// The folder of the problem and the checkpoint's name in it.
fn place_of_start<'a>(
    problem: &'a Problem,
    checkpoint: &'a Checkpoint,
    track: TrackName,
) -> Option<(String, &'a str)> {
    if checkpoint.goals.is_some() {
        return Some((track.legacy(), &checkpoint.name));
    }
    let mut checkpoints = problem.checkpoints.iter();
    let at = checkpoints.position(|c| c.name == checkpoint.name)?;
    let before = problem.checkpoints[..at].last()?;
    Some((track.solutions(), &before.name))
}
