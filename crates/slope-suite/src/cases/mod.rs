//! slope's own declarative cases.

mod asides;
mod calibrate;
mod check;
mod client;
mod efficiency;
mod files;
mod fill;
mod generated;
mod goals;
mod json;
mod other;
mod payload;
mod plan;
mod program;
mod rehearsal;
mod runner;
mod service;
mod stalls;
mod steps;
mod streams;
mod text;
mod usage;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use slope_model::problem::Checkpoint;
use slope_model::verdict::{Outcome, Verdict};
use slope_sandbox::outcome::{Exit, Outcome as Sandboxed};
use slope_sandbox::spec::{Command, Enclosure, Spec, Volume};
use slope_sandbox::{Builtin, CASE_VARIABLE};

use crate::archive::SnapshotIndex;
use crate::error::Error;
use crate::inside;
use crate::request::{Driver, GradeRequest, default_suite_limit};
use crate::stability::{Condition, Ended, Expected, Observed, RunRecord, Stalls, SuiteRun, assess};
use crate::track::{
    DEPENDENCIES, Environments, Interpreter, PROGRAM, ProgramEnvironment, Track, WORKSPACE,
};
use crate::verdict;

use asides::GradingMetadata;
use payload::{Line, Payload};
use plan::{Planned, pack_programs, read_suite};

pub use rehearsal::{Listed, Rehearsal, Wanted};

/// Programs inside sandboxes, for `slope_sandbox::dispatch`.
pub const BUILTINS: &[(&str, Builtin)] = &[(RUNNER, runner::main)];

/// Name of the built-in runner.
const RUNNER: &str = "cases-runner";
/// Starter of programs under test.
const LAUNCHER: &str = "/opt/launch/slope-enter";
/// The message of every case if there is no program.
const UNBUILT: &str = "the program could not be built";

/// Driver for slope's own cases.
///
/// The runner is a function of this binary, started inside the sandbox with the cases in its
/// memory, so that no file inside contains an expectation.
#[derive(Debug, Clone, Copy)]
pub struct Cases;

impl Driver for Cases {
    fn grade(&self, request: &GradeRequest<'_>) -> Result<Verdict, Error> {
        let began = Instant::now();
        let grading = Grading::prepare(request)?;
        let expected: Vec<Expected> = grading.cases.iter().map(|c| c.expected.clone()).collect();
        let mut assessment = assess(&expected, &grading, request.options)?;
        let mut measured = Vec::new();
        let goals = grading.current.goals.as_ref();
        if let Some(goals) = goals.filter(|_| assessment.infrastructure.is_none()) {
            for judged in goals::judge(&grading, goals, &assessment.results)? {
                assessment.results.push(judged.result);
                measured.extend(judged.measured);
            }
        }
        // A side measure that fails is missing, and the verdict counts.
        let tests = &assessment.results;
        let compare = || efficiency::measure(&grading, tests).unwrap_or(None);
        let efficiency = request.options.compare_reference.then(compare).flatten();
        let mut notes = grading.track.notes(&grading.snapshot);
        notes.extend(verdict::link_notes(&grading.snapshot));
        let mut verdict = verdict::conclude(&grading.current.name, assessment, notes);
        verdict.grader = grading.describe();
        verdict.grader.extend(measured);
        verdict.efficiency = efficiency;
        verdict.duration_s = began.elapsed().as_secs_f64();
        Ok(verdict)
    }
}

/// Everything that is settled before the first case runs.
struct Grading<'a> {
    request: &'a GradeRequest<'a>,
    current: &'a Checkpoint,
    track: Track,
    interpreter: Interpreter,
    program: ProgramEnvironment,
    snapshot: SnapshotIndex,
    workspace_tar: PathBuf,
    cases: Vec<Planned>,
    suite_hash: String,
    /// Programs of the suite, where it has any.
    programs_tar: Option<PathBuf>,
    /// Metadata of sessions.
    asides: RefCell<GradingMetadata>,
    stop_at_failure: bool,
}

impl<'a> Grading<'a> {
    fn prepare(request: &'a GradeRequest<'a>) -> Result<Self, Error> {
        let (current, suites) = (request.current()?, request.suites()?);
        let options = request.options;
        let mut hasher = blake3::Hasher::new();
        let mut cases = Vec::new();
        for suite in suites {
            cases.extend(read_suite(request.problem, suite, current, &mut hasher)?);
        }
        let programs_tar = request.work_dir.join("programs.tar");
        let has_programs = pack_programs(request.problem, &cases, &programs_tar, &mut hasher)?;
        let interpreter = Interpreter::discover(options.python.as_deref())?;
        let track = Track::ready(options.track, &interpreter)?;
        let environments = Environments {
            interpreter: &interpreter,
            cache_dir: &options.cache_dir,
            wheel_dir: options.wheel_dir.as_deref(),
            offline: options.offline,
            runtime: request.runtime,
        };
        let snapshot = SnapshotIndex::read(request.snapshot_tar, &track.requirements)?;
        let workspace_tar = request.work_dir.join("workspace.tar");
        inside::pack_workspace(
            request.problem,
            request.snapshot_tar,
            &snapshot,
            &workspace_tar,
        )?;
        let entry_file = &request.problem.entry_file;
        let program = track.program(&environments, &snapshot, &workspace_tar, entry_file)?;
        let suite_hash = hasher.finalize().to_hex().to_string();
        Ok(Self {
            request,
            current,
            track,
            interpreter,
            program,
            snapshot,
            workspace_tar,
            cases,
            suite_hash,
            programs_tar: has_programs.then_some(programs_tar),
            asides: RefCell::default(),
            stop_at_failure: false,
        })
    }

    fn describe(&self) -> BTreeMap<String, String> {
        let mut grader = BTreeMap::from([
            ("driver".to_owned(), "cases".to_owned()),
            ("python".to_owned(), self.interpreter.version.clone()),
            ("tests".to_owned(), self.suite_hash.clone()),
            ("collected".to_owned(), self.cases.len().to_string()),
            (
                "program_packages".to_owned(),
                self.program.archive.packages.join(" "),
            ),
        ]);
        let last = self.cases.last().and_then(|c| c.task.reference_s);
        grader.extend(self.asides.borrow().describe(last));
        if let Some(toolchain) = self.track.toolchain() {
            grader.insert("track".to_owned(), self.track.name.to_string());
            grader.insert("toolchain".to_owned(), toolchain.version.clone());
        }
        let troubles = [
            ("program_environment_failure", &self.program.failure),
            ("program_build_failure", &self.program.unbuilt),
        ];
        for (name, why) in troubles {
            grader.extend(why.clone().map(|why| (name.to_owned(), why)));
        }
        grader
    }

    /// The environment of every step.
    fn env(&self) -> BTreeMap<String, String> {
        let mut env = inside::environment(self.track.path_variable());
        env.extend(self.current.env.clone());
        env
    }

    /// The result if there is no program to run: every case fails, and the first gives the reason.
    fn unbuilt(&self, why: &str, only: Option<&BTreeSet<String>>) -> RunRecord {
        let mut message = format!("{UNBUILT}: {why}");
        let mut observed = BTreeMap::new();
        for case in &self.cases {
            let said = Observed {
                outcome: Outcome::Failed,
                duration_s: 0.0,
                message: Some(std::mem::replace(&mut message, UNBUILT.to_owned())),
            };
            if only.is_none_or(|only| only.contains(&case.task.key)) {
                observed.insert(case.task.key.clone(), said);
            }
        }
        RunRecord {
            observed,
            ended: Ended::Complete,
            notes: Vec::new(),
        }
    }

    fn payload(&self, only: Option<&BTreeSet<String>>, stalls: Option<Stalls>) -> Payload {
        let program = self.track.entry_command(&self.request.problem.entry_file);
        let chosen = self
            .cases
            .iter()
            .filter(|c| only.is_none_or(|o| o.contains(&c.task.key)));
        let tasks = chosen.map(|c| c.task.clone()).collect();
        Payload {
            command: std::iter::once(LAUNCHER.to_owned())
                .chain(program)
                .collect(),
            env: self.env(),
            folder: PathBuf::from("/tmp/cases"),
            workers: self.request.options.workers.max(1),
            stalls,
            stretch: stalls.map_or(1.0, Stalls::stretch),
            calibration: std::iter::once(LAUNCHER.to_owned())
                .chain(self.track.calibration_command())
                .collect(),
            python: self.interpreter.executable.display().to_string(),
            programs: PathBuf::from(generated::PROGRAMS),
            stop_at_failure: self.stop_at_failure,
            tasks,
        }
    }

    fn spec(&self, payload: &Payload, name: &str) -> Result<Spec, Error> {
        let work_dir = self.request.work_dir;
        let at = |suffix: &str| work_dir.join(format!("{name}{suffix}"));
        let mut spec = inside::bare_spec(self.interpreter.bind.as_ref(), at(".jsonl"), at(".log"));
        let payload = serde_json::to_string(payload)
            .map_err(|e| Error::suite(&self.request.problem.root, e.to_string()))?;
        spec.command = Command::Builtin {
            name: RUNNER.to_owned(),
            payload,
        };
        spec.workdir = PathBuf::from("/tmp");
        spec.env = self.env();
        spec.binds.extend(self.track.program_binds());
        let room = |path: &Path| inside::volume_size(path);
        spec.volumes = vec![
            Volume {
                target: WORKSPACE.into(),
                fill: Some(self.workspace_tar.clone()),
                collect: None,
                size: room(&self.workspace_tar) + self.request.options.disk,
                writable: true,
                shared: false,
            },
            self.program.archive.volume(PROGRAM),
        ];
        let dependencies = self.program.dependencies.as_ref();
        spec.volumes
            .extend(dependencies.map(|d| d.volume(DEPENDENCIES)));
        let programs = self.programs_tar.iter().map(|tar| Volume {
            target: generated::PROGRAMS.into(),
            fill: Some(tar.clone()),
            collect: None,
            size: room(tar),
            writable: false,
            shared: false,
        });
        spec.volumes.extend(programs);
        spec.volumes.push(inside::limit_volume(at("-limits.tar")));
        spec.enclosure = Some(Enclosure {
            launcher: LAUNCHER.into(),
            hidden: self
                .programs_tar
                .iter()
                .map(|_| generated::PROGRAMS.into())
                .chain([inside::LIMITS.into()])
                .collect(),
            passable: Vec::new(),
            never_pass: Vec::new(),
            strip_env: vec![CASE_VARIABLE.to_owned()],
            env: BTreeMap::new(),
            limits: inside::program_limits(self.request.options.disk),
            limit_log: Some(inside::limit_log()),
        });
        Ok(spec)
    }
}

impl SuiteRun for Grading<'_> {
    fn run(
        &self,
        only: Option<&BTreeSet<String>>,
        condition: Condition,
    ) -> Result<RunRecord, Error> {
        if let Some(why) = &self.program.unbuilt {
            return Ok(self.unbuilt(why, only));
        }
        let stalls = (condition == Condition::Stalled).then_some(Stalls::RHYTHM);
        let payload = self.payload(only, stalls);
        let steps: f64 = payload
            .tasks
            .iter()
            .map(|t| t.timeout_s)
            .fold(0.0, f64::max);
        let limit =
            self.request.options.suite_limit.unwrap_or_else(|| {
                default_suite_limit(payload.tasks.len(), steps * calibrate::MOST)
            });
        let name = format!("session-{}", inside::next_session(self.request.work_dir));
        let mut spec = self.spec(&payload, &name)?;
        spec.limits = inside::suite_limits(
            limit.mul_f64(stalls.map_or(1.0, Stalls::stretch)),
            payload.workers,
            self.request.options.disk,
        );
        let outcome = self.request.runtime.run(&spec)?;
        let mut asides = self.asides.borrow_mut();
        let mut record = read_lines(&spec, &outcome, payload.tasks.len(), &mut asides)?;
        let kept = self.request.work_dir.join(format!("{name}-limits.tar"));
        let notes = inside::program_notes(&kept)?;
        let sightings = inside::limit_sightings(&outcome, &spec, &notes);
        record.notes.extend(sightings);
        asides.usage.push(usage::by_case(notes));
        Ok(record)
    }
}

/// The runner's report, and whether it adds up.
fn read_lines(
    spec: &Spec,
    outcome: &Sandboxed,
    wanted: usize,
    asides: &mut GradingMetadata,
) -> Result<RunRecord, Error> {
    let text = fs::read(&spec.stdout).map_err(Error::io("read", &spec.stdout))?;
    let (mut observed, mut end, mut session_cpu_s) = (BTreeMap::new(), None, None);
    for line in String::from_utf8_lossy(&text).split_inclusive('\n') {
        match serde_json::from_str(line) {
            Ok(Line::Case {
                key,
                outcome,
                duration_s,
                message,
                inputs,
            }) => {
                for (seed, hash) in inputs {
                    let of_case = asides.inputs.entry(key.clone()).or_default();
                    of_case.entry(seed).or_default().insert(hash);
                }
                observed.insert(
                    key,
                    Observed {
                        outcome,
                        duration_s,
                        message,
                    },
                );
            }
            Ok(Line::Begin { start_s }) => asides.starts_s.push(start_s),
            Ok(Line::End { count, cpu_s }) => {
                end = Some(count);
                session_cpu_s = Some(cpu_s);
            }
            Err(_) => break,
        }
    }
    asides.runner_cpu_s.push(session_cpu_s);
    let ended = Ended::judge(&outcome.limits, || {
        let whole =
            outcome.exit == Exit::Code(0) && end == Some(wanted) && observed.len() == wanted;
        let said = fs::read(&spec.stderr).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let (reported, exit) = (observed.len(), outcome.exit);
        (!whole).then(|| {
            format!(
                "the runner reported {reported} of {wanted} cases and ended with {exit:?}: {}",
                said.trim()
            )
        })
    });
    let mut notes = Vec::new();
    if outcome.leftover_processes > 0 {
        notes.push(inside::leftover_note(outcome.leftover_processes));
    }
    Ok(RunRecord {
        observed,
        ended,
        notes,
    })
}
