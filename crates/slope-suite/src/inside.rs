//! The layout of a grader's sandbox.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slope_model::integrity::Sighting;
use slope_model::plural;
use slope_model::problem::Problem;
use slope_sandbox::outcome::{LimitHit, Outcome, ProgramNote};
use slope_sandbox::spec::{Bind, Command, Limits, Network, Spec, Volume};
use slope_sandbox::{OPEN_FILES, SHARED_MEMORY};

use crate::archive::{Packer, SnapshotIndex};
use crate::error::Error;

/// A specification with only the interpreter, if it is bound, and the streams.
pub(crate) fn bare_spec(interpreter: Option<&Bind>, stdout: PathBuf, stderr: PathBuf) -> Spec {
    Spec {
        command: Command::Exec(Vec::new()),
        workdir: PathBuf::from("/"),
        env: BTreeMap::new(),
        volumes: Vec::new(),
        binds: interpreter.into_iter().cloned().collect(),
        network: Network::None,
        limits: Limits::default(),
        enclosure: None,
        stdout,
        stderr,
    }
}

/// Size in bytes of a volume that is filled from the tar file `fill` and rarely written to.
///
/// Twice the archive, since a small file takes a whole page, plus 64 MiB.
pub(crate) fn volume_size(fill: &Path) -> u64 {
    let archive = std::fs::metadata(fill).map_or(0, |m| m.len());
    archive.saturating_mul(2).saturating_add(64 << 20)
}

/// Packs the snapshot, with its missing assets where the spec promised them.
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

/// The note about processes that outlived a suite.
pub(crate) fn leftover_note(count: u32) -> Sighting {
    let text = format!(
        "killed {} that still ran when the suite had ended",
        plural(count, "process")
    );
    Sighting::noted("left-processes", text)
}

/// Memory limit of one program, in bytes.
const PROGRAM_MEMORY: u64 = 2 << 30;
/// Process limit of one program.
const PROGRAM_PROCESSES: u64 = 256;
/// Memory of the runner.
const RUNNER_MEMORY: u64 = 2 << 30;

/// Limits of one program, which may write `disk` bytes.
pub(crate) fn program_limits(disk: u64) -> Limits {
    Limits {
        memory: PROGRAM_MEMORY,
        disk,
        processes: PROGRAM_PROCESSES,
        file_size: disk,
        output: 32 << 20,
        ..Limits::default()
    }
}

/// Limits of a whole session: the runner and `programs` programs at their limits, which together
/// may write `disk` bytes.
pub(crate) fn suite_limits(wall: Duration, programs: usize, disk: u64) -> Limits {
    let programs = programs as u64;
    Limits {
        wall,
        disk,
        file_size: disk,
        memory: RUNNER_MEMORY + programs * PROGRAM_MEMORY,
        processes: PROGRAM_PROCESSES * (programs + 1),
        output: 256 << 20,
        ..Limits::default()
    }
}

/// A verdict's entry with the runner's CPU seconds in each session, excluding the programs that it
/// started; `none` for a session that was cut off.
pub(crate) fn runner_cpu(sessions: &[Option<f64>]) -> (String, String) {
    let shown = |cpu_s: &Option<f64>| cpu_s.map_or("none".to_owned(), |s| format!("{s:.3}"));
    let all: Vec<String> = sessions.iter().map(shown).collect();
    ("runner_cpu_s".to_owned(), all.join(" "))
}

/// Folder of the log of limits, hidden from programs under test.
pub(crate) const LIMITS: &str = "/grader/limits";
/// The file in it.
const LIMIT_LOG: &str = "log";

/// The folder [`LIMITS`], collected into the tar file `kept` at the end.
pub(crate) fn limit_volume(kept: PathBuf) -> Volume {
    Volume {
        target: LIMITS.into(),
        fill: None,
        collect: Some(kept),
        size: 4 << 20,
        writable: true,
        shared: false,
    }
}

/// The log's path inside.
pub(crate) fn limit_log() -> PathBuf {
    Path::new(LIMITS).join(LIMIT_LOG)
}

/// Notes of a verdict on the limits that programs reached, from those of a session.
pub(crate) fn limit_sightings(
    outcome: &Outcome,
    spec: &Spec,
    notes: &[ProgramNote],
) -> Vec<Sighting> {
    let mut by_limit: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for note in notes {
        for limit in &note.limits {
            let test = note.test.clone().unwrap_or_default();
            by_limit.entry(limit.name()).or_default().insert(test);
        }
    }
    // All programs share these folders.
    for shared in [LimitHit::Disk, LimitHit::SharedMemory] {
        if outcome.limits.contains(&shared) {
            by_limit.entry(shared.name()).or_default();
        }
    }
    let Some(enclosure) = &spec.enclosure else {
        return Vec::new();
    };
    let sighting = |(limit, tests): (&str, BTreeSet<String>)| {
        let bound = bound_in_words(limit, &enclosure.limits);
        let text = format!("a program reached its limit of {bound}");
        let tests = tests.into_iter().filter(|test| !test.is_empty());
        Sighting::noted("limit-reached", text).showing(tests.take(MAX_TESTS_SHOWN))
    };
    let together = [LimitHit::Memory, LimitHit::Processes]
        .into_iter()
        .filter(|hit| outcome.limits.contains(hit))
        .map(|hit| {
            let bound = bound_in_words(hit.name(), &spec.limits);
            let text = format!("the suite's programs together reached their limit of {bound}");
            Sighting::noted("limit-reached", text)
        });
    by_limit.into_iter().map(sighting).chain(together).collect()
}

/// Maximum number of tests that one note lists.
const MAX_TESTS_SHOWN: usize = 20;

/// The log of programs, from the tar file `kept`. It is empty if the kernel killed the sandbox before the log was collected.
pub(crate) fn program_notes(kept: &Path) -> Result<Vec<ProgramNote>, Error> {
    if !kept.exists() {
        return Ok(Vec::new());
    }
    let mut tar = tar::Archive::new(File::open(kept).map_err(Error::io("read", kept))?);
    let mut text = String::new();
    for entry in tar.entries().map_err(Error::io("read", kept))? {
        let mut entry = entry.map_err(Error::io("read", kept))?;
        if entry.path().is_ok_and(|path| path.ends_with(LIMIT_LOG)) {
            entry
                .read_to_string(&mut text)
                .map_err(Error::io("read", kept))?;
        }
    }
    // The last line may be incomplete if a launcher was killed.
    let notes = text.lines().map(serde_json::from_str);
    Ok(notes.filter_map(Result::ok).collect())
}

fn bound_in_words(limit: &str, limits: &Limits) -> String {
    let size = |bytes: u64| match bytes >> 20 {
        mebibytes if mebibytes % 1024 == 0 => format!("{} GiB", mebibytes / 1024),
        mebibytes => format!("{mebibytes} MiB"),
    };
    match limit {
        "memory" => format!("{} of memory", size(limits.memory)),
        "disk" => format!("{} of files", size(limits.disk)),
        "output" => format!("{} of output", size(limits.output)),
        "processes" => format!("{} processes", limits.processes),
        "shared_memory" => format!("{} in /dev/shm", size(SHARED_MEMORY)),
        "open_files" => format!("{OPEN_FILES} open files of a process"),
        "wall" => format!("{} s", limits.wall.as_secs()),
        other => other.to_owned(),
    }
}

/// The environment that everything in a grader's sandbox starts from.
pub(crate) fn environment(path: String) -> BTreeMap<String, String> {
    let fixed = [("HOME", "/home/user"), ("LANG", "C.UTF-8")];
    let fixed = fixed.map(|(name, value)| (name.to_owned(), value.to_owned()));
    BTreeMap::from_iter(fixed.into_iter().chain([("PATH".to_owned(), path)]))
}
