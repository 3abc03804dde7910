//! Hidden tests of problems, for edits that answer a checkpoint.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use slope_grade::{Case, Ended, Ran, Report};
use slope_model::grade::TestOutcome;
use slope_model::grade_request::TestSuite;
use slope_model::problem::Problem;
use slope_model::verdict::{Outcome, State, TestResult, Verdict};
use slope_sandbox::Runtime;
use slope_suite::{GradeOptions, GradeRequest, driver_for};

use crate::runner::end_of;

/// Problems by name, and how their tests run.
#[derive(Default)]
pub struct Suites {
    problems: BTreeMap<String, Problem>,
    options: Option<GradeOptions>,
}

impl Suites {
    /// The suites of problems.
    #[must_use]
    pub fn new(problems: Vec<Problem>, options: GradeOptions) -> Self {
        let named = problems
            .into_iter()
            .map(|problem| (problem.name.clone(), problem));
        Self {
            problems: named.collect(),
            options: Some(options),
        }
    }

    /// Runs the tests of a checkpoint on a program in an archive. The error says why the grader itself could not work.
    pub(crate) fn grade(
        &self,
        suite: &TestSuite,
        snapshot_tar: &Path,
        limit: Duration,
        runtime: &dyn Runtime,
    ) -> Result<Ran, String> {
        let known = self.problems.get(&suite.problem).zip(self.options.clone());
        let (problem, mut options) = known.ok_or("the problem is not known")?;
        options.suite_limit = Some(limit);
        let folder = snapshot_tar.parent().unwrap_or(snapshot_tar);
        let work = tempfile::tempdir_in(folder).map_err(|error| error.to_string())?;
        let verdict = driver_for(problem.suite).grade(&GradeRequest {
            problem,
            checkpoint: suite.checkpoint,
            snapshot_tar,
            work_dir: work.path(),
            runtime,
            options: &options,
        });
        ran(&verdict.map_err(|error| error.to_string())?)
    }
}

/// A verdict as a run whose report is complete.
fn ran(verdict: &Verdict) -> Result<Ran, String> {
    if matches!(verdict.state, State::Infrastructure | State::Ungraded) {
        let why = verdict.reason.clone();
        return Err(why.unwrap_or_else(|| "the tests did not run".to_owned()));
    }
    let cases: Vec<Case> = verdict.tests.iter().map(case).collect();
    let report = match (&verdict.reason, cases.is_empty()) {
        (Some(why), true) => Report::Unreadable(why.clone()),
        _ => Report::Cases(cases),
    };
    let messages = verdict.tests.iter().filter_map(|test| {
        let message = test.message.as_deref()?;
        Some(format!("{}/{}: {message}\n", test.checkpoint, test.id))
    });
    Ok(Ran {
        ended: Ended::Code(i32::from(verdict.state != State::Passed)),
        report: Some(report),
        left_processes: 0,
        limits: Vec::new(),
        seconds: verdict.duration_s,
        output: end_of(&messages.collect::<String>()),
    })
}

/// A test as `CHECKPOINT/TEST`.
fn case(test: &TestResult) -> Case {
    let outcome = match test.outcome {
        Outcome::Passed => TestOutcome::Passed,
        Outcome::Failed | Outcome::Timeout => TestOutcome::Failed,
        Outcome::Error => TestOutcome::Error,
        // A test that a suite skips counts against the program, as in a benchmark.
        Outcome::Skipped | Outcome::Missing => TestOutcome::Missing,
        // A test that passes only sometimes decides nothing.
        Outcome::Unstable => TestOutcome::Skipped,
    };
    Case {
        id: format!("{}/{}", test.checkpoint, test.id),
        outcome,
    }
}
