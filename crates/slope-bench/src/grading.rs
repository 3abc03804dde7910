//! A snapshot's verdict and measurement.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use slope_measure::Measurer;
use slope_model::error_text::one_line;
use slope_model::measurement::Measurement;
use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::{Attempt, Spans};
use slope_model::verdict::{State, Verdict};
use slope_store::snapshot::Snapshots;
use slope_store::{Error as StoreError, atomic};
use slope_suite::{GradeRequest, driver_for};

use crate::Error;
use crate::event::{Event, Phase, Progress};
use crate::layout::scratch;
use crate::log;
use crate::machine::Machine;
use crate::security;
use crate::state::CheckpointState;
use crate::trial::{Stopwatch, Trial};

/// A snapshot to judge.
struct Submission<'a> {
    checkpoint: &'a Checkpoint,
    attempt: &'a Attempt,
    snapshot: &'a str,
    /// Snapshot before the attempt; `None` for nothing.
    start: Option<&'a str>,
    /// Folder of the attempt, for the results.
    folder: PathBuf,
}

impl Trial<'_> {
    /// Grades and measures an attempt's snapshot, unless that is done. `carried` is the workspace before it, where the
    /// attempt does not say.
    pub(crate) fn judge(
        &self,
        checkpoint: &Checkpoint,
        progress: &CheckpointState,
        attempt: &Attempt,
        carried: Option<&str>,
    ) -> Result<(), Error> {
        let Some(snapshot) = attempt.snapshot.as_deref() else {
            return Ok(());
        };
        let submission = Submission {
            checkpoint,
            attempt,
            snapshot,
            start: attempt.start.as_deref().or(carried),
            folder: self.attempt_dir(checkpoint, attempt.number),
        };
        if !progress.verdict_stands() {
            let mut laps = Stopwatch::start();
            self.coordinator.grade(self.key)?;
            let spans = Spans::from([("slot_s".to_owned(), laps.lap())]);
            self.announce(checkpoint, Phase::Grade);
            let number = progress.gradings + 1;
            // A run may have been cancelled while this grading waited for its place.
            let cancelled = self.coordinator.cancelled();
            let graded = (!cancelled).then(|| self.grade(&submission, number, spans));
            self.coordinator.graded(self.key)?;
            let Some(graded) = graded else {
                return Ok(());
            };
            graded?;
        }
        if progress.measurement.is_none() {
            self.announce(checkpoint, Phase::Measure);
            self.measure(&submission)?;
        }
        Ok(())
    }

    /// Grades a snapshot as grading `number` of its attempt.
    fn grade(
        &self,
        submission: &Submission<'_>,
        number: u32,
        mut spans: Spans,
    ) -> Result<(), Error> {
        let (plan, checkpoint) = (self.run.plan, submission.checkpoint);
        let mut laps = Stopwatch::start();
        let verdict = grade(
            self.run.machine,
            self.problem,
            checkpoint,
            &plan.dir.snapshots(),
            submission.snapshot,
            &scratch(plan),
        )?;
        let pack = laps.lap() - verdict.duration_s;
        spans.insert("pack_s".to_owned(), pack.max(0.0));
        let file = submission.folder.join(format!("verdict-{number}.json"));
        atomic::write_json(&file, &verdict)?;
        spans.insert("write_s".to_owned(), laps.lap());
        let event = Event::Graded {
            key: self.key.clone(),
            checkpoint: checkpoint.name.clone(),
            number: submission.attempt.number,
            state: verdict.state,
            verdict: plan.dir.relative(&file),
            spans,
            at: Timestamp::now(),
        };
        self.keep(checkpoint, event)?;
        let passed = verdict.counts.values().map(|c| c.passed).sum();
        let total = verdict.counts.values().map(|c| c.total).sum();
        self.coordinator.show(Progress::Graded {
            key: self.key.clone(),
            index: checkpoint.index,
            state: verdict.state,
            passed: (passed, total),
        });
        Ok(())
    }

    fn measure(&self, submission: &Submission<'_>) -> Result<(), Error> {
        let (dir, checkpoint) = (&self.run.plan.dir, submission.checkpoint);
        let mut laps = Stopwatch::start();
        let mut spans = Spans::new();
        let (machine, snapshots) = (self.run.machine, dir.snapshots());
        let measurement = measure(&machine.measurer, &snapshots, submission.snapshot)?;
        spans.insert("measure_s".to_owned(), laps.lap());
        let (start, end) = (submission.start, submission.snapshot);
        let security = security::added(&machine.security, &snapshots, start, end)?;
        spans.insert("security_s".to_owned(), laps.lap());
        atomic::write_json(&submission.folder.join(security::FILE), &security)?;
        let file = submission.folder.join("measurement.json");
        atomic::write_json(&file, &measurement)?;
        spans.insert("write_s".to_owned(), laps.lap());
        let journal = self.take_journal_time(checkpoint).as_secs_f64();
        spans.insert("journal_s".to_owned(), journal);
        let event = Event::Measured {
            key: self.key.clone(),
            checkpoint: checkpoint.name.clone(),
            number: submission.attempt.number,
            measurement: dir.relative(&file),
            spans,
            at: Timestamp::now(),
        };
        self.keep(checkpoint, event)
    }
}

/// Measures a snapshot. Files above the size limit are not read in full.
pub(crate) fn measure(
    measurer: &Measurer,
    snapshots: &Snapshots,
    snapshot: &str,
) -> Result<Measurement, Error> {
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
    let _span = log::grading(checkpoint).entered();
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
    let verdict = driver_for(problem.suite)
        .grade(&request)
        .unwrap_or_else(|error| {
            Verdict::without_tests(&checkpoint.name, State::Infrastructure, one_line(&error))
        });
    log::graded(&verdict);
    Ok(verdict)
}
