//! How a grader's sandbox is laid out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slope_model::integrity::Sighting;
use slope_model::problem::Problem;
use slope_sandbox::spec::{Command, Limits, Network, Spec};

use crate::archive::{Packer, SnapshotIndex};
use crate::error::Error;
use crate::track::Interpreter;

/// A specification with nothing in it but the interpreter and the streams.
pub(crate) fn bare_spec(interpreter: &Interpreter, stdout: PathBuf, stderr: PathBuf) -> Spec {
    Spec {
        command: Command::Exec(Vec::new()),
        workdir: PathBuf::from("/"),
        env: BTreeMap::new(),
        volumes: Vec::new(),
        binds: interpreter.bind.iter().cloned().collect(),
        network: Network::None,
        limits: Limits::default(),
        enclosure: None,
        stdout,
        stderr,
    }
}

/// Size of a volume that is filled from the tar file `fill` and not written to much.
///
/// Twice the archive, since a small file takes a whole page, and some room.
pub(crate) fn volume_size(fill: &Path) -> u64 {
    let archive = std::fs::metadata(fill).map_or(0, |m| m.len());
    archive.saturating_mul(2).saturating_add(64 << 20)
}

/// Packs the snapshot, with the assets that it lacks laid where the spec promised them.
pub(crate) fn pack_workspace(
    problem: &Problem,
    snapshot: &Path,
    index: &SnapshotIndex,
    tar: &Path,
) -> Result<(), Error> {
    let mut packer = Packer::create(tar)?;
    packer.copy_of(snapshot)?;
    for asset in problem
        .static_assets
        .iter()
        .filter(|a| !index.has(&a.save_path))
    {
        packer.tree(&asset.save_path, &asset.source)?;
    }
    packer.finish().map(|_| ())
}

/// The first number that no earlier session of this grading has taken.
pub(crate) fn next_session(work_dir: &Path) -> usize {
    (1..)
        .find(|n| !work_dir.join(format!("session-{n}.jsonl")).exists())
        .unwrap_or(1)
}

/// What is said of processes that outlived a suite.
pub(crate) fn leftover_note(count: u32) -> Sighting {
    let text =
        format!("{count} processes were still running when the suite had ended; they were killed");
    Sighting::noted("left-processes", text)
}

/// Memory of one program.
const PROGRAM_MEMORY: u64 = 2 << 30;
/// Processes of one program.
const PROGRAM_PROCESSES: u64 = 256;
/// Memory of the runner.
const RUNNER_MEMORY: u64 = 2 << 30;

/// Limits of one program.
pub(crate) fn program_limits() -> Limits {
    Limits {
        memory: PROGRAM_MEMORY,
        processes: PROGRAM_PROCESSES,
        file_size: 512 << 20,
        output: 32 << 20,
        ..Limits::default()
    }
}

/// Limits of a whole session: room for the runner beside `programs` programs at their limits.
pub(crate) fn suite_limits(wall: Duration, programs: usize) -> Limits {
    let programs = programs as u64;
    Limits {
        wall,
        memory: RUNNER_MEMORY + programs * PROGRAM_MEMORY,
        processes: PROGRAM_PROCESSES * (programs + 1),
        output: 256 << 20,
        ..Limits::default()
    }
}

/// What a verdict says of the CPU seconds that the runner took in each session, without the programs that it started;
/// `none` for a session that was cut off.
pub(crate) fn runner_cpu(sessions: &[Option<f64>]) -> (String, String) {
    let shown = |cpu_s: &Option<f64>| cpu_s.map_or("none".to_owned(), |s| format!("{s:.3}"));
    let all: Vec<String> = sessions.iter().map(shown).collect();
    ("runner_cpu_s".to_owned(), all.join(" "))
}

/// The environment that everything in a grader's sandbox starts from.
pub(crate) fn environment(path: String) -> BTreeMap<String, String> {
    let fixed = [("HOME", "/home/user"), ("LANG", "C.UTF-8")];
    let fixed = fixed.map(|(name, value)| (name.to_owned(), value.to_owned()));
    BTreeMap::from_iter(fixed.into_iter().chain([("PATH".to_owned(), path)]))
}
