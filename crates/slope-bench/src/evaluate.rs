//! Regrading: the snapshots of a run, or one directory.

use std::path::Path;

use jiff::Timestamp;
use slope_model::measurement::Measurement;
use slope_model::problem::Problem;
use slope_model::verdict::Verdict;
use slope_store::atomic;
use slope_store::ignore::Ignore;
use slope_store::snapshot::{Imported, Snapshots};
use tempfile::TempDir;

use crate::event::{Event, Observer, Phase, Progress, TrialKey};
use crate::journal::Journal;
use crate::machine::Machine;
use crate::plan::Plan;
use crate::state::RunState;
use crate::{Error, grading, sightings};

/// Grades every snapshot of a run again. The new verdicts count; the old ones stay on disk.
///
/// # Errors
/// If another process executes the run, or its files are broken.
pub fn regrade(plan: &Plan, machine: &Machine, observer: Observer<'_>) -> Result<(), Error> {
    let _lock = plan.dir.lock()?;
    let (journal, events) = Journal::open(&plan.dir.journal())?;
    let state = RunState::fold(events.iter().map(|entry| &entry.event));
    for (name, problem) in &plan.problems {
        for trial in 1..=plan.config.trials {
            let key = TrialKey {
                problem: name.clone(),
                trial,
            };
            regrade_trial(plan, machine, observer, &journal, &state, &key, problem)?;
        }
    }
    Ok(())
}

fn regrade_trial(
    plan: &Plan,
    machine: &Machine,
    observer: Observer<'_>,
    journal: &Journal,
    state: &RunState,
    key: &TrialKey,
    problem: &Problem,
) -> Result<(), Error> {
    let of = u32::try_from(problem.checkpoints.len()).unwrap_or(u32::MAX);
    for checkpoint in &problem.checkpoints {
        let progress = state.checkpoint(key, &checkpoint.name);
        let Some(attempt) = progress
            .attempt
            .as_ref()
            .filter(|_| progress.verdict.is_some())
        else {
            continue;
        };
        let Some(snapshot) = &attempt.snapshot else {
            continue;
        };
        observer(Progress::Phase {
            key: key.clone(),
            index: checkpoint.index,
            of,
            phase: Phase::Grade,
        });
        let scratch = plan.dir.root().join("tmp");
        let verdict = grading::grade(
            machine,
            problem,
            checkpoint,
            &plan.dir.snapshots(),
            snapshot,
            &scratch,
        )?;
        let folder = plan
            .dir
            .attempt(&key.problem, key.trial, &checkpoint.name, attempt.number);
        let file = folder.join(format!("verdict-{}.json", progress.gradings + 1));
        atomic::write_json(&file, &verdict)?;
        journal.append(Event::Graded {
            key: key.clone(),
            checkpoint: checkpoint.name.clone(),
            number: attempt.number,
            state: verdict.state,
            verdict: plan.dir.relative(&file),
            spans: slope_model::run::Spans::new(),
            at: Timestamp::now(),
        })?;
    }
    observer(Progress::TrialEnded { key: key.clone() });
    Ok(())
}

/// Verdict and measurement of one directory.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Evaluation {
    /// Verdict.
    pub verdict: Verdict,
    /// Measurement of the same snapshot.
    pub measurement: Measurement,
}

/// Grades and measures the directory `dir` as a workspace at a checkpoint (from 1). The directory
/// is only read.
///
/// # Errors
/// If the problem has no such checkpoint or the directory cannot be read.
pub fn evaluate_dir(
    dir: &Path,
    problem: &Problem,
    index: u32,
    machine: &Machine,
) -> Result<Evaluation, Error> {
    let workspace = Workspace::read(dir, &Ignore::default())?;
    let verdict = workspace.grade(problem, index, machine)?;
    let measurement = grading::measure(
        &machine.measurer,
        &workspace.snapshots,
        &workspace.imported.id,
    )?;
    Ok(Evaluation {
        verdict,
        measurement,
    })
}

/// Grades the directory `dir`, except for paths that match `ignore`, as a workspace at a checkpoint
/// (from 1). The directory is only read.
///
/// # Errors
/// If the problem has no such checkpoint or the directory cannot be read.
pub(crate) fn grade_dir(
    dir: &Path,
    problem: &Problem,
    index: u32,
    machine: &Machine,
    ignore: &Ignore,
) -> Result<Verdict, Error> {
    Workspace::read(dir, ignore)?.grade(problem, index, machine)
}

/// A directory as a temporary snapshot, removed on drop.
struct Workspace {
    scratch: TempDir,
    snapshots: Snapshots,
    imported: Imported,
}

impl Workspace {
    fn read(dir: &Path, ignore: &Ignore) -> Result<Self, Error> {
        let scratch = tempfile::tempdir().map_err(slope_store::Error::io("cannot create", dir))?;
        let snapshots = Snapshots::at(scratch.path());
        let imported = snapshots.import_dir(dir, ignore)?;
        Ok(Self {
            scratch,
            snapshots,
            imported,
        })
    }

    fn grade(&self, problem: &Problem, index: u32, machine: &Machine) -> Result<Verdict, Error> {
        let mut checkpoints = problem.checkpoints.iter();
        let checkpoint =
            checkpoints
                .find(|c| c.index == index)
                .ok_or_else(|| Error::NoCheckpoint {
                    problem: problem.name.clone(),
                    checkpoint: index.to_string(),
                    count: problem.checkpoints.len(),
                })?;
        let mut verdict = grading::grade(
            machine,
            problem,
            checkpoint,
            &self.snapshots,
            &self.imported.id,
            &self.scratch.path().join("tmp"),
        )?;
        verdict
            .integrity
            .extend(sightings::left_out(&self.imported.left_out));
        Ok(verdict)
    }
}
