//! A snapshot's verdict and measurement.

use std::path::Path;

use jiff::Timestamp;
use slope_model::error_text::one_line;
use slope_model::measurement::Measurement;
use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::{Attempt, Spans};
use slope_model::verdict::{State, Verdict};
use slope_store::snapshot::Snapshots;
use slope_store::{Error as StoreError, atomic};
use slope_suite::{GradeRequest, driver_for};

use crate::Error;
use crate::event::{Event, Phase, Progress, TrialKey};
use crate::layout::scratch;
use crate::log;
use crate::machine::Machine;
use crate::state::CheckpointState;
use crate::trial::{Bench, Stopwatch};

impl Bench<'_> {
    /// Grades and measures an attempt's snapshot, unless that is done.
    pub(crate) fn judge(
        &self,
        key: &TrialKey,
        problem: &Problem,
        checkpoint: &Checkpoint,
        progress: &CheckpointState,
        attempt: &Attempt,
        snapshot: &str,
    ) -> Result<(), Error> {
        let folder =
            self.plan
                .dir
                .attempt(&key.problem, key.trial, &checkpoint.name, attempt.number);
        if !progress.verdict_stands() {
            let mut laps = Stopwatch::start();
            self.desk.grade(key)?;
            let mut spans = Spans::from([("slot_s".to_owned(), laps.lap())]);
            self.announce(key, problem, checkpoint, Phase::Grade);
            let number = progress.gradings + 1;
            // A run may have been cancelled while this grading waited for its place.
            let graded = (!self.desk.cancelled()).then(|| {
                self.grade(
                    key, problem, checkpoint, attempt, snapshot, &folder, number, &mut spans,
                )
            });
            self.desk.graded(key)?;
            let Some(graded) = graded else {
                return Ok(());
            };
            graded?;
        }
        if progress.measurement.is_none() {
            self.announce(key, problem, checkpoint, Phase::Measure);
            self.measure(key, checkpoint, attempt, snapshot, &folder)?;
        }
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one grading is one line of the journal"
    )]
    fn grade(
        &self,
        key: &TrialKey,
        problem: &Problem,
        checkpoint: &Checkpoint,
        attempt: &Attempt,
        snapshot: &str,
        folder: &Path,
        number: u32,
        spans: &mut Spans,
    ) -> Result<(), Error> {
        let mut laps = Stopwatch::start();
        let snapshots = self.plan.dir.snapshots();
        let verdict = grade(
            self.machine,
            problem,
            checkpoint,
            &snapshots,
            snapshot,
            &scratch(self.plan),
        )?;
        let pack = laps.lap() - verdict.duration_s;
        spans.insert("pack_s".to_owned(), pack.max(0.0));
        let file = folder.join(format!("verdict-{number}.json"));
        atomic::write_json(&file, &verdict)?;
        spans.insert("write_s".to_owned(), laps.lap());
        let event = Event::Graded {
            key: key.clone(),
            checkpoint: checkpoint.name.clone(),
            number: attempt.number,
            state: verdict.state,
            verdict: self.plan.dir.relative(&file),
            spans: std::mem::take(spans),
            at: Timestamp::now(),
        };
        self.keep(checkpoint, event)?;
        let passed = verdict.counts.values().map(|c| c.passed).sum();
        let total = verdict.counts.values().map(|c| c.total).sum();
        self.desk.show(Progress::Graded {
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
        let mut laps = Stopwatch::start();
        let mut spans = Spans::new();
        let measurement = measure(self.machine, &self.plan.dir.snapshots(), snapshot)?;
        spans.insert("measure_s".to_owned(), laps.lap());
        let file = folder.join("measurement.json");
        atomic::write_json(&file, &measurement)?;
        spans.insert("write_s".to_owned(), laps.lap());
        let journal = self.take_journal_time(checkpoint).as_secs_f64();
        spans.insert("journal_s".to_owned(), journal);
        let event = Event::Measured {
            key: key.clone(),
            checkpoint: checkpoint.name.clone(),
            number: attempt.number,
            measurement: self.plan.dir.relative(&file),
            spans,
            at: Timestamp::now(),
        };
        self.keep(checkpoint, event)
    }
}

/// Measures a snapshot. Files above the size limit are not read in full.
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
