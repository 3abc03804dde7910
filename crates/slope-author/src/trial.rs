//! One solution on the cases of its checkpoint.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use slope_model::problem::{Checkpoint, Group, Problem};
use slope_model::verdict::{Count, Outcome, TestResult, count};
use slope_problem::solution_in;
use slope_suite::Wanted;
use slope_suite::track::TrackName;

use crate::Error;
use crate::stage::{self, Stage};
use crate::workspace::Workspace;

/// Version of the JSON form of [`Tried`].
pub const SCHEMA: &str = "slope.try/1";

/// Solution and cases to try.
#[derive(Debug, Clone, Default)]
pub struct Asked<'a> {
    /// Number of the checkpoint, from 1; all if `None`.
    pub checkpoint: Option<u32>,
    /// Folder of the solution; the reference solution if `None`.
    pub solution: Option<&'a Path>,
    /// Ids of the cases to run; all if empty.
    pub cases: &'a [String],
    /// Leave out the cases of earlier checkpoints.
    pub own: bool,
}

/// The results of a problem's cases.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Problem.
    pub problem: String,
    /// By checkpoint, in order.
    pub checkpoints: Vec<TriedCheckpoint>,
    /// Reasons that solutions in other languages were not tried on this machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// The results of the cases that run at one checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TriedCheckpoint {
    /// Checkpoint.
    pub checkpoint: String,
    /// Language of the solution.
    pub track: TrackName,
    /// Folder of the solution.
    pub solution: PathBuf,
    /// Counts by group.
    pub counts: BTreeMap<Group, Count>,
    /// Seconds that it took, with the sandbox.
    pub duration_s: f64,
    /// Cases that did not pass, with their position.
    pub failed: Vec<Failure>,
}

/// A case that did not pass.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    /// File of the case, relative to the problem.
    pub path: PathBuf,
    /// Line of the case from 1, if it was found.
    pub line: Option<u64>,
    /// Its result.
    #[serde(flatten)]
    pub result: TestResult,
}

impl Tried {
    /// Whether every case passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.checkpoints.iter().all(|c| c.failed.is_empty())
    }
}

/// Runs the requested cases, each once.
///
/// # Errors
/// If the problem has no such checkpoint, case or solution, or the sandbox fails. Failing cases are
/// part of the result.
pub fn run(stage: &Stage<'_>, problem: &Problem, asked: &Asked<'_>) -> Result<Tried, Error> {
    if asked.solution.is_some() && asked.checkpoint.is_none() {
        let why = "say which checkpoint the folder answers: --solution needs --checkpoint N";
        return Err(Error::Request(why.to_owned()));
    }
    let mut checkpoints = Vec::new();
    let mut unknown: BTreeSet<&str> = asked.cases.iter().map(String::as_str).collect();
    for checkpoint in stage::checkpoints(problem, asked.checkpoint)? {
        let tried = of_checkpoint(stage, problem, checkpoint, asked, &mut unknown)?;
        checkpoints.extend(tried);
    }
    if !unknown.is_empty() {
        let ids: Vec<_> = unknown.into_iter().collect();
        let why = format!("{}: no case is called {}", problem.name, ids.join(", "));
        return Err(Error::Request(why));
    }
    Ok(Tried {
        schema: SCHEMA,
        problem: problem.name.clone(),
        checkpoints,
        left_out: Vec::new(),
    })
}

/// The folder that answers a checkpoint.
fn solution(
    problem: &Problem,
    checkpoint: &Checkpoint,
    solutions: &str,
    asked: Option<&Path>,
) -> Result<PathBuf, Error> {
    if let Some(dir) = asked {
        return Ok(dir.to_owned());
    }
    let name = &checkpoint.name;
    solution_in(problem, solutions, name).ok_or_else(|| {
        Error::Request(format!(
            "{} has no reference solution for {name}: write {solutions}/{name}, or name a folder with \
             --solution DIR",
            problem.name
        ))
    })
}

fn of_checkpoint(
    stage: &Stage<'_>,
    problem: &Problem,
    checkpoint: &Checkpoint,
    asked: &Asked<'_>,
    unknown: &mut BTreeSet<&str>,
) -> Result<Option<TriedCheckpoint>, Error> {
    let rehearsal = stage.rehearsal(problem, checkpoint.index)?;
    let mut wanted = Vec::new();
    for case in rehearsal.cases() {
        let named = asked.cases.is_empty() || asked.cases.contains(&case.id);
        unknown.remove(case.id.as_str());
        let own = case.checkpoint == checkpoint.name;
        // A case requested by name runs at its own checkpoint, unless a checkpoint is given.
        let here = own || !(asked.own || (!asked.cases.is_empty() && asked.checkpoint.is_none()));
        if named && here {
            wanted.push(Wanted {
                key: case.key,
                at_most_s: None,
            });
        }
    }
    if wanted.is_empty() {
        return Ok(None);
    }
    let dir = solution(
        problem,
        checkpoint,
        &stage.options.track.solutions(),
        asked.solution,
    )?;
    let began = Instant::now();
    let workspace = Workspace::read(&dir)?;
    let results = if checkpoint.goals.is_some() && asked.cases.is_empty() {
        stage::grade(stage, problem, checkpoint, &workspace)?.tests
    } else {
        let workers = stage.options.workers;
        stage::play(&rehearsal, &workspace, &wanted, workers, false)?
    };
    let mut tried = TriedCheckpoint {
        checkpoint: checkpoint.name.clone(),
        track: stage.options.track,
        solution: dir,
        counts: count(&results),
        duration_s: 0.0,
        failed: Vec::new(),
    };
    for result in results {
        if result.outcome != Outcome::Passed {
            tried.failed.push(placed(problem, result)?);
        }
    }
    tried.duration_s = began.elapsed().as_secs_f64();
    Ok(Some(tried))
}

fn placed(problem: &Problem, result: TestResult) -> Result<Failure, Error> {
    let (path, line) = slope_problem::place_of_case(problem, &result.checkpoint, &result.id)?;
    Ok(Failure { path, line, result })
}
