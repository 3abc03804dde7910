//! A grading that is requested, and what answers it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use slope_model::problem::{Checkpoint, Problem};
use slope_model::verdict::Verdict;
use slope_sandbox::Runtime;

use crate::error::Error;
use crate::track::TrackName;

/// Tests that are repeated to find outcomes that change from run to run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stability {
    /// None.
    Off,
    /// Tests that did not pass, again and alone.
    #[default]
    Failing,
    /// Tests that did not pass, again and alone; and those that passed, again with a program that
    /// is repeatedly stopped for a second.
    All,
}

/// Options of a grading. None of them may change the result of a correct program.
#[derive(Debug, Clone, PartialEq)]
pub struct GradeOptions {
    /// Use only the cache and `wheel_dir`.
    pub offline: bool,
    /// Time limit of one run of a whole suite; `None` for [`default_suite_limit`].
    pub suite_limit: Option<Duration>,
    /// Maximum number of repeats of a test that did not pass.
    pub repeats: u32,
    /// Tests to repeat.
    pub stability: Stability,
    /// Language that the program is written in.
    pub track: TrackName,
    /// Python to use; the first `python3` on `PATH` if `None`.
    pub python: Option<PathBuf>,
    /// Folder shared with later gradings: environments and inventories.
    pub cache_dir: PathBuf,
    /// Folder with wheels to use in place of the package index.
    pub wheel_dir: Option<PathBuf>,
    /// Cases that run in parallel (cases driver only).
    pub workers: usize,
    /// Bytes that programs may write: workspace, home and `/tmp` together.
    pub disk: u64,
    /// Run the reference solution, too, to compare CPU time and memory (cases driver only).
    pub compare_reference: bool,
}

impl GradeOptions {
    /// The defaults, with `cache_dir` as the shared cache.
    #[must_use]
    pub fn new(cache_dir: PathBuf) -> Self {
        Self {
            offline: false,
            suite_limit: None,
            repeats: 2,
            stability: Stability::default(),
            track: TrackName::default(),
            python: None,
            cache_dir,
            wheel_dir: None,
            workers: std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 4)),
            disk: slope_sandbox::Limits::default().disk,
            compare_reference: false,
        }
    }
}

/// A grading: problem, checkpoint, snapshot, folders and options.
#[derive(Clone, Copy)]
pub struct GradeRequest<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Number of the checkpoint, from 1.
    pub checkpoint: u32,
    /// The snapshot as a plain tar file, paths relative to the workspace.
    pub snapshot_tar: &'a Path,
    /// Existing folder on the host for temporary files of this grading.
    ///
    /// Output of the runners stays there as evidence; the caller removes it.
    pub work_dir: &'a Path,
    /// Runtime of programs.
    pub runtime: &'a dyn Runtime,
    /// Options.
    pub options: &'a GradeOptions,
}

impl<'a> GradeRequest<'a> {
    /// The checkpoint that is graded.
    ///
    /// # Errors
    /// If the problem has no such checkpoint.
    pub fn current(&self) -> Result<&'a Checkpoint, Error> {
        self.problem
            .checkpoints
            .iter()
            .find(|c| c.index == self.checkpoint)
            .ok_or_else(|| Error::NoCheckpoint {
                problem: self.problem.name.clone(),
                index: self.checkpoint,
                count: self.problem.checkpoints.len(),
            })
    }

    /// The checkpoints whose suites run, in order; the current one is last.
    pub(crate) fn suites(&self) -> Result<Vec<&'a Checkpoint>, Error> {
        let current = self.current()?;
        let mut all: Vec<_> = self
            .problem
            .checkpoints
            .iter()
            .filter(|c| {
                c.index == current.index || (current.include_prior_tests && c.index < current.index)
            })
            .collect();
        all.sort_by_key(|c| c.index);
        Ok(all)
    }
}

/// Time limit of one run of a complete suite of `tests` tests with `per_test` seconds each.
///
/// The larger of ten minutes and three seconds per test. This cuts off a suite in which every test
/// reaches its own limit. Tests that were not reached count as
/// [`slope_model::verdict::Outcome::Timeout`].
#[must_use]
pub fn default_suite_limit(tests: usize, per_test: f64) -> Duration {
    let per_test = Duration::from_secs_f64(per_test.clamp(0.0, 3600.0));
    let by_count = Duration::from_secs(3).saturating_mul(u32::try_from(tests).unwrap_or(u32::MAX));
    Duration::from_secs(600)
        .max(by_count)
        .max(per_test.saturating_mul(3))
}

/// Turns a snapshot and a suite into a verdict.
pub trait Driver {
    /// Grades one checkpoint.
    ///
    /// # Errors
    /// If the grader itself cannot work: no Python, no packages, a malformed suite, no sandbox.
    /// Failures of the snapshot give a verdict instead.
    fn grade(&self, request: &GradeRequest<'_>) -> Result<Verdict, Error>;
}
