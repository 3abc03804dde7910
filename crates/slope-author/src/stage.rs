//! The sandbox for solutions, which is the one that grades agents.

use std::path::{Path, PathBuf};

use slope_model::plural;
use slope_model::problem::{Checkpoint, Problem, SuiteKind};
use slope_model::verdict::{TestResult, Verdict};
use slope_problem::LoadOptions;
use slope_sandbox::Runtime;
use slope_suite::{Cases, Driver, GradeOptions, GradeRequest, Rehearsal, Stability, Wanted};

use crate::Error;
use crate::workspace::Workspace;

/// Facilities of a machine for authors of problems.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// Runtime of programs.
    pub runtime: &'a dyn Runtime,
    /// Options for running suites.
    pub options: &'a GradeOptions,
}

/// Loads a problem with declarative cases.
///
/// # Errors
/// As for [`slope_problem::load`], and for problems in the published layout, whose tests pytest
/// runs.
pub fn load(dir: &Path) -> Result<Problem, Error> {
    load_as(dir, &LoadOptions::default())
}

/// As [`load`], for programs in a language other than Python.
///
/// # Errors
/// As for [`load`].
pub fn load_as(dir: &Path, said: &LoadOptions) -> Result<Problem, Error> {
    let problem = slope_problem::load(dir, said)?;
    if problem.suite == SuiteKind::Cases {
        return Ok(problem);
    }
    Err(Error::Request(format!(
        "{} has pytest suites, and this command needs declarative cases (`suite: cases` in config.yaml)\n\
         help: run its reference solutions with `slope run {} --agent oracle`",
        dir.display(),
        dir.display()
    )))
}

/// The checkpoint with number `index`, or all of them.
///
/// # Errors
/// If there is no such checkpoint.
pub fn checkpoints(problem: &Problem, index: Option<u32>) -> Result<Vec<&Checkpoint>, Error> {
    let all = problem.checkpoints.iter();
    let chosen: Vec<_> = all
        .filter(|c| index.is_none_or(|wanted| c.index == wanted))
        .collect();
    if chosen.is_empty() {
        return Err(Error::Request(format!(
            "problem {} has {}, not {}",
            problem.name,
            plural(problem.checkpoints.len(), "checkpoint"),
            index.unwrap_or_default()
        )));
    }
    Ok(chosen)
}

/// Folders of complete lineages of solutions in a problem, each with its name in tables.
const LINEAGES: [(&str, &str); 3] = [
    ("solutions", "solutions"),
    ("sloppy", "sloppy"),
    ("sloppy", "scripts/sloppy"),
];

/// A lineage: one workspace for each checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    /// `solutions` or `sloppy`, or the language of solutions other than Python.
    pub name: &'static str,
    /// Its folder.
    pub folder: PathBuf,
}

impl Lineage {
    /// The lineages of a problem: `solutions`, and `sloppy` (or `scripts/sloppy`).
    #[must_use]
    pub fn all(problem: &Problem) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for (name, folder) in LINEAGES {
            let folder = problem.root.join(folder);
            if folder.is_dir() && found.iter().all(|l| l.name != name) {
                found.push(Self { name, folder });
            }
        }
        found
    }

    /// The workspace at a checkpoint.
    ///
    /// # Errors
    /// If its folder is missing or cannot be read.
    pub fn workspace(&self, checkpoint: &Checkpoint) -> Result<Workspace, Error> {
        Workspace::read(&self.folder.join(&checkpoint.name))
    }
}

impl<'a> Stage<'a> {
    /// The suite of a checkpoint (number from 1), ready to run.
    ///
    /// # Errors
    /// If a suite is malformed, or Python is missing.
    pub fn rehearsal(&self, problem: &'a Problem, index: u32) -> Result<Rehearsal<'a>, Error> {
        Ok(Rehearsal::new(problem, index, self.runtime, self.options)?)
    }
}

/// The verdict on `workspace` at a checkpoint, with its goals and without repeats.
///
/// # Errors
/// If the grader cannot work, or there is no space for scratch files.
pub fn grade(
    stage: &Stage<'_>,
    problem: &Problem,
    checkpoint: &Checkpoint,
    workspace: &Workspace,
) -> Result<Verdict, Error> {
    let scratch =
        tempfile::tempdir().map_err(Error::io("make a folder in", &std::env::temp_dir()))?;
    let tar = scratch.path().join("solution.tar");
    workspace.pack(&tar)?;
    let options = GradeOptions {
        stability: Stability::Off,
        ..stage.options.clone()
    };
    Ok(Cases.grade(&GradeRequest {
        problem,
        checkpoint: checkpoint.index,
        snapshot_tar: &tar,
        work_dir: scratch.path(),
        runtime: stage.runtime,
        options: &options,
    })?)
}

/// Runs `wanted` on `workspace`; see [`Rehearsal::run`].
///
/// # Errors
/// If the sandbox or the runner fails, or there is no space for scratch files.
pub fn play(
    rehearsal: &Rehearsal<'_>,
    workspace: &Workspace,
    wanted: &[Wanted],
    workers: usize,
    stop_at_failure: bool,
) -> Result<Vec<TestResult>, Error> {
    let scratch =
        tempfile::tempdir().map_err(Error::io("make a folder in", &std::env::temp_dir()))?;
    let tar = scratch.path().join("solution.tar");
    workspace.pack(&tar)?;
    Ok(rehearsal.run(&tar, scratch.path(), wanted, workers, stop_at_failure)?)
}
