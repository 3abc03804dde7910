//! slope's own declarative cases.

mod check;
mod files;
mod program;
mod runner;
mod stalls;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use slope_model::cases::{Case, CaseFile};
use slope_model::problem::{Checkpoint, Group, Problem};
use slope_model::verdict::{Outcome, Verdict};
use slope_sandbox::Builtin;
use slope_sandbox::outcome::{Exit, Outcome as Sandboxed};
use slope_sandbox::spec::{Command, Enclosure, Spec, Volume};

use crate::archive::SnapshotIndex;
use crate::driver::{Driver, GradeRequest, default_suite_limit};
use crate::error::Error;
use crate::inside;
use crate::stability::{Condition, Ended, Expected, Observed, RunRecord, Stalls, SuiteRun, assess};
use crate::track::{Environments, Interpreter, PROGRAM, ProgramEnvironment, Track, WORKSPACE};
use crate::verdict;

/// What this crate runs inside sandboxes, for `slope_sandbox::dispatch`.
pub const BUILTINS: &[(&str, Builtin)] = &[(RUNNER, runner::main)];

/// Name of the built-in runner.
const RUNNER: &str = "cases-runner";
/// What starts programs under test.
const LAUNCHER: &str = "/opt/launch/slope-enter";
/// Room for what programs write into the workspace.
const WORKSPACE_ROOM: u64 = 1 << 30;

/// Driver for slope's own cases.
///
/// The runner is a function of this binary, started inside the sandbox with the cases
/// in its memory, so that no file inside holds an expectation.
#[derive(Debug, Clone, Copy)]
pub struct Cases;

impl Driver for Cases {
    fn grade(&self, request: &GradeRequest<'_>) -> Result<Verdict, Error> {
        let began = Instant::now();
        let grading = Grading::prepare(request)?;
        let expected: Vec<Expected> = grading.cases.iter().map(|c| c.expected.clone()).collect();
        let assessment = assess(&expected, &grading, request.options)?;
        let mut notes = grading.track.notes(&grading.snapshot);
        notes.extend(verdict::link_notes(&grading.snapshot));
        let mut verdict = verdict::conclude(&grading.current.name, assessment, notes);
        verdict.grader = grading.describe();
        verdict.duration_s = began.elapsed().as_secs_f64();
        Ok(verdict)
    }
}

/// One case as the runner gets it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Task {
    /// Unique among all cases of a run.
    key: String,
    /// The case.
    case: Case,
    /// Limit of one step in seconds.
    timeout_s: f64,
}

/// What the runner gets.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Payload {
    /// Launcher and program, to which a step's arguments are added.
    command: Vec<String>,
    /// Environment of every step.
    env: BTreeMap<String, String>,
    /// Folder in which every case gets one of its own.
    folder: PathBuf,
    /// Cases that run side by side.
    workers: usize,
    /// Rhythm of pauses, if programs are to be stalled.
    stalls: Option<Stalls>,
    /// The cases.
    tasks: Vec<Task>,
}

/// A line of the runner.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line {
    /// One case is done.
    Case {
        key: String,
        outcome: Outcome,
        duration_s: f64,
        message: Option<String>,
    },
    /// All are.
    End { count: usize },
}

/// A case, with what is expected of it and its limit.
struct Planned {
    expected: Expected,
    task: Task,
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
}

impl<'a> Grading<'a> {
    fn prepare(request: &'a GradeRequest<'a>) -> Result<Self, Error> {
        let (current, suites) = (request.current()?, request.suites()?);
        let options = request.options;
        let track = Track::python()?;
        let mut hasher = blake3::Hasher::new();
        let mut cases = Vec::new();
        for suite in suites {
            cases.extend(read_suite(request.problem, suite, current, &mut hasher)?);
        }
        let interpreter = Interpreter::discover(options.python.as_deref())?;
        let environments = Environments {
            interpreter: &interpreter,
            cache_dir: &options.cache_dir,
            wheel_dir: options.wheel_dir.as_deref(),
            offline: options.offline,
            runtime: request.runtime,
        };
        let snapshot = SnapshotIndex::read(request.snapshot_tar, &track.requirements)?;
        let program = track.program(&environments, &snapshot)?;
        let workspace_tar = request.work_dir.join("workspace.tar");
        inside::pack_workspace(
            request.problem,
            request.snapshot_tar,
            &snapshot,
            &workspace_tar,
        )?;
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
        if let Some(why) = &self.program.failure {
            grader.insert("program_environment_failure".to_owned(), why.clone());
        }
        grader
    }

    /// The environment of every step.
    fn env(&self) -> BTreeMap<String, String> {
        let mut env = inside::environment(self.track.path_variable());
        env.extend(self.current.env.clone());
        env
    }

    fn payload(&self, only: Option<&BTreeSet<String>>, stalls: Option<Stalls>) -> Payload {
        let program = self.track.entry_command(&self.request.problem.entry_file);
        let chosen = self
            .cases
            .iter()
            .filter(|c| only.is_none_or(|o| o.contains(&c.task.key)));
        let stretch = stalls.map_or(1.0, Stalls::stretch);
        let tasks = chosen
            .map(|c| Task {
                timeout_s: c.task.timeout_s * stretch,
                ..c.task.clone()
            })
            .collect();
        Payload {
            command: std::iter::once(LAUNCHER.to_owned())
                .chain(program)
                .collect(),
            env: self.env(),
            folder: PathBuf::from("/tmp/cases"),
            workers: self.request.options.workers.max(1),
            stalls,
            tasks,
        }
    }

    fn spec(&self, payload: &Payload, name: &str) -> Result<Spec, Error> {
        let work_dir = self.request.work_dir;
        let at = |suffix: &str| work_dir.join(format!("{name}{suffix}"));
        let mut spec = inside::bare_spec(&self.interpreter, at(".jsonl"), at(".log"));
        let payload = serde_json::to_string(payload)
            .map_err(|e| Error::suite(&self.request.problem.root, e.to_string()))?;
        spec.command = Command::Builtin {
            name: RUNNER.to_owned(),
            payload,
        };
        spec.workdir = PathBuf::from("/tmp");
        spec.env = self.env();
        let room = |path: &Path| inside::volume_size(path);
        spec.volumes = vec![
            Volume {
                target: WORKSPACE.into(),
                fill: Some(self.workspace_tar.clone()),
                collect: None,
                size: room(&self.workspace_tar) + WORKSPACE_ROOM,
                writable: true,
                shared: false,
            },
            Volume {
                target: PROGRAM.into(),
                fill: Some(self.program.archive.tar.clone()),
                collect: None,
                size: room(&self.program.archive.tar),
                writable: false,
                shared: true,
            },
        ];
        spec.enclosure = Some(Enclosure {
            launcher: LAUNCHER.into(),
            hidden: Vec::new(),
            passable: Vec::new(),
            never_pass: Vec::new(),
            strip_env: Vec::new(),
            env: BTreeMap::new(),
            limits: inside::program_limits(),
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
        let stalls = (condition == Condition::Stalled).then_some(Stalls::RHYTHM);
        let payload = self.payload(only, stalls);
        let steps: f64 = payload
            .tasks
            .iter()
            .map(|t| t.timeout_s)
            .fold(0.0, f64::max);
        let limit = self
            .request
            .options
            .suite_limit
            .unwrap_or_else(|| default_suite_limit(payload.tasks.len(), steps));
        let name = format!("session-{}", inside::next_session(self.request.work_dir));
        let mut spec = self.spec(&payload, &name)?;
        spec.limits = inside::suite_limits(
            limit.mul_f64(stalls.map_or(1.0, Stalls::stretch)),
            payload.workers,
        );
        let outcome = self.request.runtime.run(&spec)?;
        read_lines(&spec, &outcome, payload.tasks.len())
    }
}

/// What the runner told, and whether it adds up.
fn read_lines(spec: &Spec, outcome: &Sandboxed, wanted: usize) -> Result<RunRecord, Error> {
    let text = fs::read(&spec.stdout).map_err(Error::io("read", &spec.stdout))?;
    let (mut observed, mut end) = (BTreeMap::new(), None);
    for line in String::from_utf8_lossy(&text).split_inclusive('\n') {
        match serde_json::from_str(line) {
            Ok(Line::Case {
                key,
                outcome,
                duration_s,
                message,
            }) => {
                observed.insert(
                    key,
                    Observed {
                        outcome,
                        duration_s,
                        message,
                    },
                );
            }
            Ok(Line::End { count }) => end = Some(count),
            Err(_) => break,
        }
    }
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

/// The cases of `suite`, as they count at `current`.
fn read_suite(
    problem: &Problem,
    suite: &Checkpoint,
    current: &Checkpoint,
    hasher: &mut blake3::Hasher,
) -> Result<Vec<Planned>, Error> {
    let path = problem
        .root
        .join("suite")
        .join(format!("{}.yaml", suite.name));
    let text = fs::read_to_string(&path).map_err(Error::io("read", &path))?;
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
    let file: CaseFile =
        serde_saphyr::from_str(&text).map_err(|e| Error::suite(&path, e.to_string()))?;
    if file.schema != slope_model::schema::CASES {
        return Err(Error::suite(
            &path,
            format!(
                "schema is `{}`, expected `{}`",
                file.schema,
                slope_model::schema::CASES
            ),
        ));
    }
    let mut ids = BTreeSet::new();
    let mut planned = Vec::with_capacity(file.cases.len());
    for case in file.cases {
        check::suite_mistakes(&case)
            .map_err(|what| Error::suite(&path, format!("case `{}`: {what}", case.id)))?;
        if !ids.insert(case.id.clone()) {
            return Err(Error::suite(
                &path,
                format!("case `{}` occurs twice", case.id),
            ));
        }
        let key = format!("{}::{}", suite.name, case.id);
        let group = if suite.index == current.index {
            case.group
        } else {
            Group::Regression
        };
        let expected = Expected {
            key: key.clone(),
            id: case.id.clone(),
            checkpoint: suite.name.clone(),
            group,
        };
        let timeout_s = case
            .timeout_s
            .unwrap_or(file.timeout_s)
            .clamp(0.1, 86_400.0);
        planned.push(Planned {
            expected,
            task: Task {
                key,
                timeout_s,
                case,
            },
        });
    }
    if planned.is_empty() {
        return Err(Error::suite(&path, "has no cases"));
    }
    Ok(planned)
}
