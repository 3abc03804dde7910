//! A snapshot's verdict and measurement.

use std::path::Path;

use jiff::Timestamp;
use slope_model::measurement::Measurement;
use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::Attempt;
use slope_model::verdict::{State, Verdict};
use slope_store::snapshot::Snapshots;
use slope_store::{Error as StoreError, atomic};
use slope_suite::{GradeRequest, driver_for};

use crate::Error;
use crate::event::{Event, Phase, Progress, TrialKey};
use crate::execute::{Bench, scratch};
use crate::machine::Machine;

impl Bench<'_> {
    /// Grades and measures what an attempt left, as far as that is not done.
    pub(crate) fn judge(
        &self,
        key: &TrialKey,
        problem: &Problem,
        checkpoint: &Checkpoint,
        attempt: &Attempt,
        snapshot: &str,
    ) -> Result<(), Error> {
        let progress = self.state.checkpoint(key, &checkpoint.name);
        let known = progress
            .attempt
            .as_ref()
            .is_some_and(|a| a.number == attempt.number);
        let folder =
            self.plan
                .dir
                .attempt(&key.problem, key.trial, &checkpoint.name, attempt.number);
        if !(known && progress.verdict_stands()) {
            self.announce(key, problem, checkpoint, Phase::Grade);
            let gradings = if known { progress.gradings } else { 0 };
            self.grade(
                key,
                problem,
                checkpoint,
                attempt,
                snapshot,
                &folder,
                gradings + 1,
            )?;
        }
        if !(known && progress.measurement.is_some()) {
            self.announce(key, problem, checkpoint, Phase::Measure);
            self.measure(key, checkpoint, attempt, snapshot, &folder)?;
        }
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one grading is one line of the journal"
    )]
    pub(crate) fn grade(
        &self,
        key: &TrialKey,
        problem: &Problem,
        checkpoint: &Checkpoint,
        attempt: &Attempt,
        snapshot: &str,
        folder: &Path,
        number: u32,
    ) -> Result<(), Error> {
        let snapshots = self.plan.dir.snapshots();
        let verdict = grade(
            self.machine,
            problem,
            checkpoint,
            &snapshots,
            snapshot,
            &scratch(self.plan),
        )?;
        let file = folder.join(format!("verdict-{number}.json"));
        atomic::write_json(&file, &verdict)?;
        self.journal.append(&Event::Graded {
            key: key.clone(),
            checkpoint: checkpoint.name.clone(),
            number: attempt.number,
            state: verdict.state,
            verdict: self.plan.dir.relative(&file),
            at: Timestamp::now(),
        })?;
        let passed = verdict.counts.values().map(|c| c.passed).sum();
        let total = verdict.counts.values().map(|c| c.total).sum();
        (self.observer)(Progress::Graded {
            key: key.clone(),
            index: checkpoint.index,
            state: verdict.state,
            passed: (passed, total),
        });
        Ok(())
    }

    fn measure(
        &self,
        key: &TrialKey,
        checkpoint: &Checkpoint,
        attempt: &Attempt,
        snapshot: &str,
        folder: &Path,
    ) -> Result<(), Error> {
        let measurement = measure(self.machine, &self.plan.dir.snapshots(), snapshot)?;
        let file = folder.join("measurement.json");
        atomic::write_json(&file, &measurement)?;
        self.journal.append(&Event::Measured {
            key: key.clone(),
            checkpoint: checkpoint.name.clone(),
            number: attempt.number,
            measurement: self.plan.dir.relative(&file),
            at: Timestamp::now(),
        })?;
        Ok(())
    }
}

/// Measures a snapshot. Files that are too large to be measured are not read whole.
pub(crate) fn measure(
    machine: &Machine,
    snapshots: &Snapshots,
    snapshot: &str,
) -> Result<Measurement, Error> {
    let measurer = &machine.measurer;
    let limit = measurer.largest() as u64 + 1;
    let files = snapshots.files(snapshot, |path| measurer.measures(Path::new(path)), limit)?;
    Ok(measurer.measure_files(files))
}

/// Grades a snapshot in a fresh grader sandbox. A grader that cannot work is a verdict too:
/// infrastructure, with the reason.
pub(crate) fn grade(
    machine: &Machine,
    problem: &Problem,
    checkpoint: &Checkpoint,
    snapshots: &Snapshots,
    snapshot: &str,
    scratch: &Path,
) -> Result<Verdict, Error> {
    std::fs::create_dir_all(scratch).map_err(StoreError::io("cannot create", scratch))?;
    let work = tempfile::tempdir_in(scratch).map_err(StoreError::io("cannot create", scratch))?;
    let tar = work.path().join("snapshot.tar");
    snapshots.export_tar_file(snapshot, &tar)?;
    let request = GradeRequest {
        problem,
        checkpoint: checkpoint.index,
        snapshot_tar: &tar,
        work_dir: work.path(),
        runtime: machine.runtime.as_ref(),
        options: &machine.grade,
    };
    Ok(driver_for(problem.suite)
        .grade(&request)
        .unwrap_or_else(|error| {
            Verdict::without_tests(&checkpoint.name, State::Infrastructure, error.to_string())
        }))
}
