//! Attacks of programs: workspaces and archives, graded like any other.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use slope_bench::machine::Machine;
use slope_model::problem::Problem;
use slope_model::verdict::{Outcome, State, Verdict};
use slope_suite::{GradeOptions, GradeRequest, Stability, driver_for};

use crate::bait::Bait;
use crate::{Attack, Error, embedded};

/// A workspace as an unfinished archive, without owners and times.
pub(crate) struct Workspace(tar::Builder<Vec<u8>>);

impl Workspace {
    /// A workspace with the named solution and the files that attacks share.
    pub(crate) fn of(solution: &str) -> Result<Self, Error> {
        let text = embedded::bytes(&format!("problem/solutions/{solution}/stock.py"))?;
        let mut workspace = Self(tar::Builder::new(Vec::new()));
        workspace.file(b"honest.py", &text)?;
        workspace.file(b"cheat.py", &embedded::bytes("cheat.py")?)?;
        workspace.file(b"stock.py", &text)?;
        Ok(workspace)
    }

    /// A workspace with an attack on top of the honest wrong solution.
    fn attack(attack: &Attack, bait: &Bait) -> Result<Self, Error> {
        let mut workspace = Self::of("wrong")?;
        workspace.file(b"bait.json", bait.json().as_bytes())?;
        for (name, bytes) in embedded::below(&format!("program/{}", attack.id))? {
            match name.as_str() {
                "ENTRIES" => {
                    for line in String::from_utf8_lossy(&bytes).lines() {
                        workspace.entry(line)?;
                    }
                }
                _ => workspace.file(name.as_bytes(), &bytes)?,
            }
        }
        Ok(workspace)
    }

    /// Adds an executable file.
    pub(crate) fn file(&mut self, name: &[u8], bytes: &[u8]) -> Result<(), Error> {
        self.raw(tar::EntryType::Regular, name, b"", 0o755, bytes)
    }

    /// Adds one line of an `ENTRIES` file: kind, name, and arguments.
    fn entry(&mut self, line: &str) -> Result<(), Error> {
        let mut words = line.splitn(3, ' ');
        let (kind, name) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let (name, rest) = (unescape(name), words.next().unwrap_or(""));
        let kinds = [
            ("file", tar::EntryType::Regular, 0o644),
            ("setuid", tar::EntryType::Regular, 0o6755),
            ("link", tar::EntryType::Symlink, 0o777),
            ("hard", tar::EntryType::Link, 0o644),
            ("char", tar::EntryType::Char, 0o666),
            ("block", tar::EntryType::Block, 0o666),
            ("fifo", tar::EntryType::Fifo, 0o666),
        ];
        let Some((_, kind, mode)) = kinds.into_iter().find(|(word, ..)| *word == kind) else {
            return Err(Error::Catalogue(format!("ENTRIES: {line}")));
        };
        match kind {
            tar::EntryType::Regular => self.raw(kind, &name, b"", mode, rest.as_bytes()),
            _ => self.raw(kind, &name, rest.as_bytes(), mode, b""),
        }
    }

    /// Adds an entry without the checks of a well-behaved packer.
    fn raw(
        &mut self,
        kind: tar::EntryType,
        name: &[u8],
        target: &[u8],
        mode: u32,
        bytes: &[u8],
    ) -> Result<(), Error> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(mode);
        let device = matches!(kind, tar::EntryType::Char | tar::EntryType::Block);
        let old = header.as_old_mut();
        let (name_field, link_field) = (&mut old.name, &mut old.linkname);
        let copy = |to: &mut [u8], from: &[u8]| {
            let fits = from.len() < to.len();
            let length = from.len().min(to.len());
            to[..length].copy_from_slice(&from[..length]);
            fits
        };
        if !copy(name_field, name) || (!device && !copy(link_field, target)) {
            let name = String::from_utf8_lossy(name);
            return Err(Error::Catalogue(format!("{name} is too long")));
        }
        if device {
            let numbers = String::from_utf8_lossy(target);
            let mut numbers = numbers.split(' ').map(|n| n.parse().unwrap_or(0));
            let broken = |e: io::Error| Error::Catalogue(e.to_string());
            header
                .set_device_major(numbers.next().unwrap_or(0))
                .map_err(broken)?;
            header
                .set_device_minor(numbers.next().unwrap_or(0))
                .map_err(broken)?;
        }
        header.set_cksum();
        let added = self.0.append(&header, bytes);
        added.map_err(|e| Error::Catalogue(e.to_string()))
    }

    /// Writes the archive to `path`.
    fn write(self, path: &Path) -> Result<(), Error> {
        let bytes = self
            .0
            .into_inner()
            .map_err(Error::io("cannot pack", path))?;
        fs::write(path, bytes).map_err(Error::io("cannot write", path))
    }
}

/// `\xff` as the byte that it names.
fn unescape(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or("").as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(part.len().min(2));
        bytes.push(u8::from_str_radix(digits, 16).unwrap_or(b'?'));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

/// Grades a workspace at a checkpoint, and leaves the output in `work`.
pub(crate) fn grade(
    workspace: Workspace,
    problem: &Problem,
    checkpoint: u32,
    machine: &Machine,
    options: &GradeOptions,
    work: &Path,
) -> Result<Verdict, Error> {
    fs::create_dir_all(work).map_err(Error::io("cannot create", work))?;
    let tar = work.join("snapshot.tar");
    workspace.write(&tar)?;
    let request = GradeRequest {
        problem,
        checkpoint,
        snapshot_tar: &tar,
        work_dir: work,
        runtime: machine.runtime.as_ref(),
        options,
    };
    let verdict = driver_for(problem.suite).grade(&request)?;
    let file =
        File::create(work.join("verdict.json")).map_err(Error::io("cannot write in", work))?;
    serde_json::to_writer_pretty(file, &verdict).map_err(|e| Error::Catalogue(e.to_string()))?;
    Ok(verdict)
}

/// Grades the attack's workspace. Returns the verdict, and the attack's successes.
pub(crate) fn run(
    attack: &Attack,
    problem: &Problem,
    honest: &Verdict,
    machine: &Machine,
    work: &Path,
) -> Result<(Verdict, Vec<String>), Error> {
    let mut bait = Bait::new()?;
    let workspace = Workspace::attack(attack, &bait)?;
    let mut options = machine.grade.clone();
    if attack.repeats {
        options.stability = Stability::Failing;
    }
    let verdict = grade(workspace, problem, 1, machine, &options, work)?;
    let mut wrong = bait.harm();
    wrong.extend(differences(honest, &verdict, attack.worse));
    Ok((verdict, wrong))
}

/// Checkpoints and ids of passed tests.
fn passed(verdict: &Verdict) -> BTreeSet<(&str, &str)> {
    let tests = verdict.tests.iter();
    tests
        .filter(|t| t.outcome == Outcome::Passed)
        .map(|t| (t.checkpoint.as_str(), t.id.as_str()))
        .collect()
}

/// Forbidden differences between a verdict and the honest one.
pub(crate) fn differences(honest: &Verdict, verdict: &Verdict, worse: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    if verdict.state != State::Failed {
        let why = verdict.reason.as_deref().unwrap_or("");
        wrong.push(format!(
            "the verdict is {}, not failed {why}",
            verdict.state.name()
        ));
    }
    let (before, after) = (passed(honest), passed(verdict));
    for (_, id) in after.difference(&before) {
        wrong.push(format!("{id} passes, but fails for the honest solution"));
    }
    if worse {
        return wrong;
    }
    for (_, id) in before.difference(&after) {
        wrong.push(format!("{id} fails, but passes for the honest solution"));
    }
    wrong
}
