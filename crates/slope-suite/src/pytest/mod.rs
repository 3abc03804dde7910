//! The published pytest contract, with the grader outside the workspace.

mod group;
mod inventory;
mod report;
mod session;
mod stage;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use slope_model::integrity::Sighting;
use slope_model::problem::Checkpoint;
use slope_model::verdict::Verdict;

use crate::archive::SnapshotIndex;
use crate::error::Error;
use crate::inside;
use crate::request::{Driver, GradeRequest, default_suite_limit};
use crate::stability::{Condition, Ended, RunRecord, SuiteRun, assess};
use crate::track::{Archive, Environments, Interpreter, ProgramEnvironment, Track, TrackName};
use crate::verdict;
use report::{Collected, Report};
use session::Session;
use stage::TestTree;

/// Versions of everything that grades.
const CONSTRAINTS: &str = include_str!("constraints.txt");
/// Packages available to a suite in addition to those of its problem.
const REQUIREMENTS: [&str; 4] = ["deepdiff", "jsonschema", "pytest", "pytest-timeout"];

/// Driver for the published pytest contract.
#[derive(Debug, Clone, Copy)]
pub struct Pytest;

impl Driver for Pytest {
    fn grade(&self, request: &GradeRequest<'_>) -> Result<Verdict, Error> {
        let began = Instant::now();
        let grading = Grading::prepare(request)?;
        let collected = inventory::collect(&grading)?;
        let expected = group::expected(request.problem, grading.current, &collected);
        let suite = PytestSuite {
            grading: &grading,
            collected: &collected,
            runner_cpu_s: RefCell::default(),
        };
        let assessment = assess(&expected, &suite, request.options)?;
        let mut notes = grading.track.notes(&grading.snapshot);
        notes.extend(verdict::link_notes(&grading.snapshot));
        let mut verdict = verdict::conclude(&grading.current.name, assessment, notes);
        verdict.grader = grading.describe(collected.len());
        let sessions = suite.runner_cpu_s.borrow();
        verdict.grader.extend([inside::runner_cpu(&sessions)]);
        verdict.duration_s = began.elapsed().as_secs_f64();
        Ok(verdict)
    }
}

/// Refuses programs in other languages than the contract has.
fn refuse_other_tracks(request: &GradeRequest<'_>) -> Result<(), Error> {
    let track = request.options.track;
    if track == TrackName::Python {
        return Ok(());
    }
    let what =
        format!("pytest suites start only programs in Python\nhelp: leave out --track {track}");
    Err(Error::suite(&request.problem.root, what))
}

/// Everything that is settled before the first test runs.
struct Grading<'a> {
    request: &'a GradeRequest<'a>,
    current: &'a Checkpoint,
    track: Track,
    interpreter: Interpreter,
    /// The runner's environment.
    environment: Archive,
    /// The program's environment.
    program: ProgramEnvironment,
    tests: TestTree,
    snapshot: SnapshotIndex,
    workspace_tar: PathBuf,
}

impl<'a> Grading<'a> {
    fn prepare(request: &'a GradeRequest<'a>) -> Result<Self, Error> {
        let (current, suites) = (request.current()?, request.suites()?);
        let options = request.options;
        refuse_other_tracks(request)?;
        let interpreter = Interpreter::discover(options.python.as_deref())?;
        let track = Track::ready(options.track, &interpreter)?;
        interpreter.require_pytest()?;
        let environments = Environments {
            interpreter: &interpreter,
            cache_dir: &options.cache_dir,
            wheel_dir: options.wheel_dir.as_deref(),
            offline: options.offline,
            runtime: request.runtime,
        };
        let snapshot = SnapshotIndex::read(request.snapshot_tar, &track.requirements)?;
        let mut requirements: Vec<String> = REQUIREMENTS.map(String::from).to_vec();
        requirements.extend(request.problem.test_dependencies.iter().cloned());
        requirements.sort();
        requirements.dedup();
        let environment = environments.ensure(
            Path::new(stage::ENVIRONMENT),
            &requirements,
            Some(CONSTRAINTS),
        )?;
        let program = track.environment(&environments, &snapshot)?;
        let tests = stage::pack_tests(
            request.problem,
            &suites,
            &request.work_dir.join("tests.tar"),
        )?;
        let workspace_tar = request.work_dir.join("workspace.tar");
        inside::pack_workspace(
            request.problem,
            request.snapshot_tar,
            &snapshot,
            &workspace_tar,
        )?;
        Ok(Self {
            request,
            current,
            track,
            interpreter,
            environment,
            program,
            tests,
            snapshot,
            workspace_tar,
        })
    }

    /// The per-test limit in whole seconds, as the contract requires.
    fn timeout_s(&self) -> Option<u64> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to whole positive seconds"
        )]
        self.current
            .test_timeout_s
            .map(|s| s.clamp(1.0, 86_400.0) as u64)
    }

    fn describe(&self, tests: usize) -> BTreeMap<String, String> {
        let mut grader = BTreeMap::from([
            ("driver".to_owned(), "pytest".to_owned()),
            ("python".to_owned(), self.interpreter.version.clone()),
            ("packages".to_owned(), self.environment.packages.join(" ")),
            ("tests".to_owned(), self.tests.hash.clone()),
            ("collected".to_owned(), tests.to_string()),
            (
                "program_packages".to_owned(),
                self.program.archive.packages.join(" "),
            ),
        ]);
        if let Some(why) = &self.program.failure {
            grader.insert("program_environment_failure".to_owned(), why.clone());
        }
        grader
    }
}

/// Runs of the suite, each on a fresh copy of the snapshot.
struct PytestSuite<'a> {
    grading: &'a Grading<'a>,
    collected: &'a [Collected],
    /// CPU seconds of the runner, one entry per session.
    runner_cpu_s: RefCell<Vec<Option<f64>>>,
}

impl SuiteRun for PytestSuite<'_> {
    fn run(
        &self,
        only: Option<&BTreeSet<String>>,
        condition: Condition,
    ) -> Result<RunRecord, Error> {
        let count = only.map_or(self.collected.len(), BTreeSet::len);
        let per_test = self.grading.current.test_timeout_s.unwrap_or(0.0);
        let limit = self
            .grading
            .request
            .options
            .suite_limit
            .unwrap_or_else(|| default_suite_limit(count, per_test));
        let run = || {
            let session = Session::run(self.grading, only, condition, limit)?;
            self.record(session, only)
        };
        let (mut record, fell) = run()?;
        if let (None, true, Ended::Broken(why)) = (only, fell, &record.ended) {
            // Programs share folders with pytest, and can make it stumble where they fail anyway.
            let (again, fell_again) = run()?;
            if !fell_again {
                return Ok(again);
            }
            let control = Session::control(self.grading, limit)?;
            if self.record(control, only)?.0.ended == Ended::Complete {
                record.ended = Ended::Spoiled(why.clone());
            }
        }
        Ok(record)
    }
}

impl PytestSuite<'_> {
    /// The results of a session, and whether its runner ended too early to report all.
    fn record(
        &self,
        session: Session,
        only: Option<&BTreeSet<String>>,
    ) -> Result<(RunRecord, bool), Error> {
        let report = Report::read(&session.stdout)?;
        let cpu_s = report.end.as_ref().map(|end| end.cpu_s);
        self.runner_cpu_s.borrow_mut().push(cpu_s);
        let ended = Ended::judge(&session.limits, || self.complaint(&report, &session, only));
        let fell = report
            .end
            .as_ref()
            .is_none_or(|end| !matches!(end.status, 0 | 1));
        let mut notes = session.notes;
        if report.end.is_some() && report.hash_before != report.hash_after {
            let text = "the tests were changed while they ran";
            notes.push(Sighting::violation("changed-tests", text));
        }
        let record = RunRecord {
            observed: report.observed,
            ended,
            notes,
        };
        Ok((record, fell))
    }

    /// Reason that a session cannot be trusted although it was not cut off; `None` if it can.
    fn complaint(
        &self,
        report: &Report,
        session: &Session,
        only: Option<&BTreeSet<String>>,
    ) -> Option<String> {
        let Some(end) = &report.end else {
            return Some(format!(
                "the runner ended early ({}): {}",
                session.exit,
                session.last_words()
            ));
        };
        if !matches!(end.status, 0 | 1) {
            return Some(format!(
                "pytest ended with status {}: {}",
                end.status,
                session.last_words()
            ));
        }
        if report.hash_before != report.hash_after {
            return Some("the tests changed while they ran".to_owned());
        }
        let seen: BTreeSet<&str> = report
            .collected
            .iter()
            .flatten()
            .map(|c| c.key.as_str())
            .collect();
        let wanted: BTreeSet<&str> = match only {
            Some(only) => only.iter().map(String::as_str).collect(),
            None => self.collected.iter().map(|c| c.key.as_str()).collect(),
        };
        if let Some(differs) = seen.symmetric_difference(&wanted).next() {
            return Some(format!(
                "{} tests were collected where {} were expected; one that differs is {differs}",
                seen.len(),
                wanted.len()
            ));
        }
        let counts = [end.finished, report.finished, report.observed.len()];
        (counts != [wanted.len(); 3]).then(|| {
            format!(
                "of {} tests the runner finished {}, and {} were reported",
                wanted.len(),
                end.finished,
                report.observed.len()
            )
        })
    }
}
