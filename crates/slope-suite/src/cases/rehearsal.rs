//! Runs chosen cases on one workspace after another, for authors of suites.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use slope_model::cases::Tag;
use slope_model::problem::{Checkpoint, Group, Problem};
use slope_model::verdict::TestResult;
use slope_sandbox::Runtime;

use super::Grading;
use super::plan::{Planned, pack_programs, read_suite};
use crate::archive::SnapshotIndex;
use crate::error::Error;
use crate::inside;
use crate::request::{GradeOptions, GradeRequest, Stability};
use crate::stability::assess;
use crate::track::{Environments, Interpreter, ProgramEnvironment, Track};

/// A checkpoint's suite, read once and run on many workspaces without repeats.
///
/// A verdict comes from [`crate::Driver::grade`]; this is the quick loop of authors.
pub struct Rehearsal<'a> {
    problem: &'a Problem,
    current: &'a Checkpoint,
    runtime: &'a dyn Runtime,
    options: GradeOptions,
    track: Track,
    interpreter: Interpreter,
    cases: Vec<Planned>,
    /// Environments of programs, by the text of their requirements.
    programs: Mutex<BTreeMap<Option<String>, ProgramEnvironment>>,
}

/// A case that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Unique in the rehearsal: `CHECKPOINT::ID`.
    pub key: String,
    /// Checkpoint of its suite.
    pub checkpoint: String,
    /// Id in that suite.
    pub id: String,
    /// Group at the rehearsal's checkpoint.
    pub group: Group,
    /// Kinds of defects that it tests for.
    pub tags: BTreeSet<Tag>,
}

/// A case to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// [`Listed::key`].
    pub key: String,
    /// Limit of one step in seconds, if lower than the suite's.
    pub at_most_s: Option<f64>,
}

impl<'a> Rehearsal<'a> {
    /// Reads the suites that run at `checkpoint` (from 1) and finds the interpreter.
    ///
    /// # Errors
    /// If there is no such checkpoint, a suite is malformed, or Python is missing.
    pub fn new(
        problem: &'a Problem,
        checkpoint: u32,
        runtime: &'a dyn Runtime,
        options: &'a GradeOptions,
    ) -> Result<Self, Error> {
        let asked = GradeRequest {
            problem,
            checkpoint,
            snapshot_tar: Path::new(""),
            work_dir: Path::new(""),
            runtime,
            options,
        };
        let current = asked.current()?;
        let mut hasher = blake3::Hasher::new();
        let mut cases = Vec::new();
        for suite in asked.suites()? {
            cases.extend(read_suite(problem, suite, current, &mut hasher)?);
        }
        let interpreter = Interpreter::discover(options.python.as_deref())?;
        Ok(Self {
            problem,
            current,
            runtime,
            options: GradeOptions {
                stability: Stability::Off,
                ..options.clone()
            },
            track: Track::ready(options.track, &interpreter)?,
            interpreter,
            cases,
            programs: Mutex::default(),
        })
    }

    /// The cases that can be chosen: checkpoint by checkpoint, in the order of their files.
    pub fn cases(&self) -> impl Iterator<Item = Listed> + '_ {
        self.cases.iter().map(|planned| Listed {
            key: planned.task.key.clone(),
            checkpoint: planned.expected.checkpoint.clone(),
            id: planned.expected.id.clone(),
            group: planned.expected.group,
            tags: planned.task.case.tags.clone(),
        })
    }

    /// Runs `wanted` in this order on the workspace in `snapshot_tar`, `workers` at a time. With
    /// `stop_at_failure`, the cases after the first failure are skipped. Returns one result for
    /// each case, in order.
    ///
    /// `work_dir` is a folder for this call alone.
    ///
    /// # Errors
    /// If the sandbox or the runner fails. Failures of the program are in the results.
    pub fn run(
        &self,
        snapshot_tar: &Path,
        work_dir: &Path,
        wanted: &[Wanted],
        workers: usize,
        stop_at_failure: bool,
    ) -> Result<Vec<TestResult>, Error> {
        let options = GradeOptions {
            workers,
            ..self.options.clone()
        };
        let request = GradeRequest {
            problem: self.problem,
            checkpoint: self.current.index,
            snapshot_tar,
            work_dir,
            runtime: self.runtime,
            options: &options,
        };
        let cases = self.chosen(wanted);
        let expected: Vec<_> = cases.iter().map(|c| c.expected.clone()).collect();
        let snapshot = SnapshotIndex::read(snapshot_tar, &self.track.requirements)?;
        let workspace_tar = work_dir.join("workspace.tar");
        inside::pack_workspace(self.problem, snapshot_tar, &snapshot, &workspace_tar)?;
        let programs_tar = work_dir.join("programs.tar");
        let has_programs = pack_programs(
            self.problem,
            &cases,
            &programs_tar,
            &mut blake3::Hasher::new(),
        )?;
        let grading = Grading {
            request: &request,
            current: self.current,
            track: self.track.clone(),
            interpreter: self.interpreter.clone(),
            program: self.program(&snapshot, &workspace_tar)?,
            snapshot,
            workspace_tar,
            cases,
            suite_hash: String::new(),
            programs_tar: has_programs.then_some(programs_tar),
            asides: RefCell::default(),
            stop_at_failure,
        };
        let assessment = assess(&expected, &grading, &options)?;
        match assessment.infrastructure {
            Some(why) => Err(Error::suite(&self.problem.root, why)),
            None => Ok(assessment.results),
        }
    }

    fn chosen(&self, wanted: &[Wanted]) -> Vec<Planned> {
        let by_key: BTreeMap<&str, &Planned> = self
            .cases
            .iter()
            .map(|c| (c.task.key.as_str(), c))
            .collect();
        let chosen = wanted.iter().filter_map(|wanted| {
            let mut planned = (*by_key.get(wanted.key.as_str())?).clone();
            let at_most_s = wanted.at_most_s.unwrap_or(f64::INFINITY);
            planned.task.timeout_s = planned.task.timeout_s.min(at_most_s);
            Some(planned)
        });
        chosen.collect()
    }

    /// The environment of a workspace's program: built, or made once for all with equal requirements.
    fn program(
        &self,
        snapshot: &SnapshotIndex,
        workspace_tar: &Path,
    ) -> Result<ProgramEnvironment, Error> {
        let environments = Environments {
            interpreter: &self.interpreter,
            cache_dir: &self.options.cache_dir,
            wheel_dir: self.options.wheel_dir.as_deref(),
            offline: self.options.offline,
            runtime: self.runtime,
        };
        let make = || {
            let entry_file = &self.problem.entry_file;
            self.track
                .program(&environments, snapshot, workspace_tar, entry_file)
        };
        if self.track.build.is_some() {
            return make();
        }
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = programs.get(&snapshot.requirements) {
            return Ok(made.clone());
        }
        let made = make()?;
        programs.insert(snapshot.requirements.clone(), made.clone());
        Ok(made)
    }
}
