//! Runs the tests of a checkpoint on the programs behind tasks.
//!
//! The finished program, which is the solution of the later checkpoint, must pass every case. The
//! *unedited* one lacks the expected edit, and only that: it must fail a case, or the edit matters
//! to nobody. A task without an edit shows a file of the finished program, which must be the file
//! of the task.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use slope_model::problem::{Checkpoint, Problem};
use slope_model::verdict::{Outcome, TestResult};
use slope_problem::next_edit::{Made, Source, Task};
use slope_problem::solution_in;
use slope_suite::track::TrackName;
use slope_suite::{Rehearsal, Wanted};

use super::cut;
use super::hunks::hunks;
use crate::Error;
use crate::stage::{self, Stage};
use crate::workspace::Workspace;

/// Version of the JSON form.
pub const SCHEMA: &str = "slope.next-edit-verified/1";

/// A task, and whether the programs behind it behave as they must.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Id of the task.
    pub id: String,
    /// Reason that the task is wrong, if it is.
    pub fault: Option<String>,
}

/// The language that the programs of a lineage are run in.
#[must_use]
pub fn track_of(lineage: &str) -> TrackName {
    let mut all = TrackName::ALL.into_iter();
    all.find(|track| track.solutions() == lineage)
        .unwrap_or_default()
}

/// Checks tasks of one problem, whose lineages are in the language of `stage`. `observer` gets a
/// description of each program before it runs.
///
/// # Errors
/// If the problem has no such lineage or checkpoint, or the sandbox fails. Wrong tasks are part of
/// the result.
pub fn verify(
    stage: &Stage<'_>,
    problem: &Problem,
    tasks: &[&Task],
    observer: &dyn Fn(&str),
) -> Result<Vec<Verified>, Error> {
    let mut steps: BTreeMap<(&str, &str), Vec<&Task>> = BTreeMap::new();
    for task in tasks {
        let Source { lineage, to, .. } = &task.source;
        steps.entry((lineage, to)).or_default().push(task);
    }
    let mut verified = Vec::new();
    for ((lineage, to), tasks) in steps {
        let checkpoint = problem.checkpoints.iter().find(|step| step.name == to);
        let checkpoint = checkpoint
            .ok_or_else(|| Error::Request(format!("{} has no checkpoint {to}", problem.name)))?;
        let programs = Programs {
            problem,
            lineage,
            finished: workspace(problem, lineage, to)?,
            rehearsal: stage.rehearsal(problem, checkpoint.index)?,
            workers: stage.options.workers,
        };
        observer(&format!("{}/{lineage}/{to}, finished", problem.name));
        let broken = programs.failure(&programs.finished, checkpoint)?;
        let cuts = cut::cut(problem, lineage, Some(checkpoint.index))?;
        for task in tasks {
            let fault = if let Some(why) = &broken {
                Some(format!("the finished program fails {why}"))
            } else if !cuts.tasks.contains(task) {
                Some("the solutions give another task by now: cut it again".to_owned())
            } else if task.source.made == Made::All {
                None
            } else {
                observer(&task.id);
                let unedited = programs.unedited(&task.source)?;
                let failed = programs.failure(&unedited, checkpoint)?;
                failed.is_none().then(|| {
                    "the finished program passes every case without the expected edit".to_owned()
                })
            };
            let id = task.id.clone();
            verified.push(Verified { id, fault });
        }
    }
    Ok(verified)
}

/// The solution of a checkpoint in a lineage.
fn workspace(problem: &Problem, lineage: &str, checkpoint: &str) -> Result<Workspace, Error> {
    let folder = solution_in(problem, lineage, checkpoint)
        .ok_or_else(|| Error::Request(format!("{} has no {lineage}/{checkpoint}", problem.name)))?;
    Workspace::read(&folder)
}

/// The programs of one checkpoint of a lineage.
struct Programs<'a> {
    problem: &'a Problem,
    lineage: &'a str,
    finished: Workspace,
    rehearsal: Rehearsal<'a>,
    workers: usize,
}

impl Programs<'_> {
    /// The first case that a program fails, with those of its own checkpoint first.
    fn failure(
        &self,
        program: &Workspace,
        checkpoint: &Checkpoint,
    ) -> Result<Option<String>, Error> {
        let (own, earlier): (Vec<_>, Vec<_>) = self
            .rehearsal
            .cases()
            .partition(|case| case.checkpoint == checkpoint.name);
        let wanted = own.into_iter().chain(earlier).map(|case| Wanted {
            key: case.key,
            at_most_s: None,
        });
        let wanted: Vec<Wanted> = wanted.collect();
        let results = stage::play(&self.rehearsal, program, &wanted, self.workers, true)?;
        let failed = |result: &TestResult| result.outcome != Outcome::Passed;
        Ok(results.into_iter().find(failed).map(|result| result.id))
    }

    /// The finished program without the change of a task.
    fn unedited(&self, source: &Source) -> Result<Workspace, Error> {
        let path = Path::new(&source.path);
        let before = workspace(self.problem, self.lineage, &source.from)?;
        let text = |workspace: &Workspace| {
            let bytes = workspace.files.get(path).map(|file| file.bytes.clone());
            String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
        };
        let [old, new] = [&before, &self.finished].map(text);
        let found = hunks(&old, &new);
        let (without, _) = found.with(|index| index + 1 != source.hunk);
        let mut unedited = self.finished.clone();
        unedited.put(path.to_owned(), &without);
        Ok(unedited)
    }
}
