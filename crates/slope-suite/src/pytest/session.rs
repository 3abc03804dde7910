//! One session of the runner in a sandbox.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slope_model::integrity::Sighting;
use slope_model::problem::StaticAsset;
use slope_sandbox::outcome::{Exit, LimitHit};
use slope_sandbox::spec::{Command, Enclosure, Volume};

use super::Grading;
use super::stage::{self, ENVIRONMENT, Job, LAUNCHER, RUNNER, TESTS};
use crate::archive::Packer;
use crate::error::Error;
use crate::inside;
use crate::stability::{Condition, Stalls};
use crate::track::{PROGRAM, WORKSPACE};

/// Seconds between a collection's start and its end, at most.
const COLLECTION_LIMIT: Duration = Duration::from_secs(300);

/// The results of a session.
pub(super) struct Session {
    /// The runner's output.
    pub(super) stdout: PathBuf,
    /// Output of pytest and the tests.
    stderr: PathBuf,
    /// Exit of the runner, as text.
    pub(super) exit: String,
    /// Limits of the whole session that were hit.
    pub(super) limits: Vec<LimitHit>,
    /// Observations.
    pub(super) notes: Vec<Sighting>,
}

impl Session {
    /// Runs the tests with these keys, or all of them, on a fresh copy of the snapshot.
    pub(super) fn run(
        grading: &Grading<'_>,
        only: Option<&BTreeSet<String>>,
        condition: Condition,
        limit: Duration,
    ) -> Result<Self, Error> {
        let workspace = Some(grading.workspace_tar.as_path());
        Self::with(grading, workspace, only, condition, limit)
    }

    /// Runs all tests without any program, to see whether the runner can.
    pub(super) fn control(grading: &Grading<'_>, limit: Duration) -> Result<Self, Error> {
        Self::with(grading, None, None, Condition::Calm, limit)
    }

    fn with(
        grading: &Grading<'_>,
        workspace: Option<&Path>,
        only: Option<&BTreeSet<String>>,
        condition: Condition,
        limit: Duration,
    ) -> Result<Self, Error> {
        let stalls = (condition == Condition::Stalled).then_some(Stalls::RHYTHM);
        let stretch = stalls.map_or(1.0, Stalls::stretch);
        let stretched = |seconds: u64| Duration::from_secs(seconds).mul_f64(stretch).as_secs();
        let job = Job {
            checkpoint: &grading.current.name,
            timeout_s: grading.timeout_s().map(stretched),
            collect: false,
            only,
            stalls,
        };
        let name = format!("session-{}", inside::next_session(grading.request.work_dir));
        start(grading, &name, &job, workspace, limit.mul_f64(stretch))
    }

    /// Collects the tests, with an empty workspace and without the program.
    pub(super) fn collect(grading: &Grading<'_>) -> Result<Self, Error> {
        let job = Job {
            checkpoint: &grading.current.name,
            timeout_s: None,
            collect: true,
            only: None,
            stalls: None,
        };
        start(grading, "collection", &job, None, COLLECTION_LIMIT)
    }

    /// The last lines of pytest's output.
    pub(super) fn last_words(&self) -> String {
        let said = fs::read(&self.stderr).unwrap_or_default();
        let text = String::from_utf8_lossy(&said);
        let lines: Vec<_> = text.trim().lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }
}

/// The command that starts the program, as one line for a shell-like splitter.
fn entrypoint(grading: &Grading<'_>) -> String {
    let program = grading
        .track
        .entry_command(&grading.request.problem.entry_file);
    shell_words::join(std::iter::once(LAUNCHER.to_owned()).chain(program))
}

fn start(
    grading: &Grading<'_>,
    name: &str,
    job: &Job<'_>,
    workspace: Option<&Path>,
    limit: Duration,
) -> Result<Session, Error> {
    let work_dir = grading.request.work_dir;
    let at = |suffix: &str| work_dir.join(format!("{name}{suffix}"));
    let runner_tar = at(".tar");
    stage::pack_runner(grading.request.problem, job, &runner_tar)?;
    let empty = work_dir.join("empty.tar");
    Packer::create(&empty)?.finish()?;
    let (stdout, stderr) = (at(".jsonl"), at(".log"));
    let mut spec = inside::bare_spec(
        grading.interpreter.bind.as_ref(),
        stdout.clone(),
        stderr.clone(),
    );
    spec.command = Command::Exec(vec![
        format!("{ENVIRONMENT}/bin/python"),
        "-I".to_owned(),
        format!("{RUNNER}/runner.py"),
        format!("{RUNNER}/job.json"),
        TESTS.to_owned(),
        format!("{RUNNER}/pytest.ini"),
        entrypoint(grading),
    ]);
    spec.workdir = WORKSPACE.into();
    spec.env = environment(grading);
    spec.volumes = volumes(grading, &runner_tar, workspace.unwrap_or(&empty));
    let limits_tar = at("-limits.tar");
    spec.volumes.push(inside::limit_volume(limits_tar.clone()));
    spec.limits = inside::suite_limits(limit, 4, grading.request.options.disk);
    spec.enclosure = Some(enclosure(grading));
    let outcome = grading.request.runtime.run(&spec)?;
    let exit = match outcome.exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
    };
    let programs = inside::program_notes(&limits_tar)?;
    let mut notes = inside::limit_sightings(&outcome, &spec, &programs);
    if outcome.leftover_processes > 0 {
        notes.push(inside::leftover_note(outcome.leftover_processes));
    }
    Ok(Session {
        stdout,
        stderr,
        exit,
        limits: outcome.limits,
        notes,
    })
}

fn volumes(grading: &Grading<'_>, runner: &Path, workspace: &Path) -> Vec<Volume> {
    let fixed = |target: &str, fill: &Path| Volume {
        target: target.into(),
        fill: Some(fill.to_owned()),
        collect: None,
        size: inside::volume_size(fill),
        writable: false,
        shared: false,
    };
    let environment = |target: &str, fill: &Path| Volume {
        shared: true,
        ..fixed(target, fill)
    };
    let mut workspace = Volume {
        writable: true,
        ..fixed(WORKSPACE, workspace)
    };
    workspace.size += grading.request.options.disk;
    vec![
        workspace,
        fixed(TESTS, &grading.tests.tar),
        fixed(RUNNER, runner),
        environment(ENVIRONMENT, &grading.environment.tar),
        environment(PROGRAM, &grading.program.archive.tar),
    ]
}

/// The complete environment of the test process.
fn environment(grading: &Grading<'_>) -> BTreeMap<String, String> {
    let mut env = inside::environment(grading.track.path_variable());
    env.extend(grading.current.env.clone());
    env.extend(asset_variables(grading));
    env
}

/// Paths of the problem's assets for the tests, by variable.
fn asset_variables(grading: &Grading<'_>) -> BTreeMap<String, String> {
    let assets = &grading.request.problem.static_assets;
    let variable = |asset: &StaticAsset| {
        let name = format!("SCBENCH_ASSET_{}", asset.name.to_uppercase());
        (name, format!("{TESTS}/assets/{}", asset.name))
    };
    let folder = ("SCBENCH_ASSETS_DIR".to_owned(), format!("{TESTS}/assets"));
    let folder = (!assets.is_empty()).then_some(folder);
    assets.iter().map(variable).chain(folder).collect()
}

/// Variables that pytest sets, or the runner for it. Programs must not see that they are tested, but a test may
/// set any other variable for its program.
const PYTEST_VARIABLES: &[&str] = &[
    "PYTEST_CURRENT_TEST",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    "PYTEST_VERSION",
];

/// The view of programs: their workspace, their environment, and paths that a test passes.
fn enclosure(grading: &Grading<'_>) -> Enclosure {
    let of_pytest = PYTEST_VARIABLES.iter().map(|&name| name.to_owned());
    Enclosure {
        launcher: LAUNCHER.into(),
        hidden: [TESTS, RUNNER, ENVIRONMENT, inside::LIMITS]
            .map(PathBuf::from)
            .to_vec(),
        passable: vec![TESTS.into()],
        never_pass: grading.tests.code.iter().cloned().collect(),
        strip_env: of_pytest
            .chain(asset_variables(grading).into_keys())
            .collect(),
        env: BTreeMap::new(),
        limits: inside::program_limits(grading.request.options.disk),
        limit_log: Some(inside::limit_log()),
    }
}
