//! Finds and reads the runs below folders.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use slope_model::detail::RunDetail;
use slope_model::error_text::one_line;
use slope_model::run::RunReport;
use slope_published::Remark;
use slope_store::run_dir::RunDir;

use super::assemble;
use crate::Error;
use crate::directories::{is_own, is_run, runs_below};

/// Maximum number of runs read at a time, so that memory does not grow with the cores.
const MAX_AT_A_TIME: usize = 8;

/// Maximum number of bytes read of a source file.
const MAX_SOURCE: u64 = 1 << 20;

/// Runs that were read, and the folders that were left out.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Reports of the runs, in the order of their paths below each folder.
    pub reports: Vec<RunReport>,
    /// Folders with a run that could not be read or was already read, and the reason.
    pub left_out: Vec<(PathBuf, String)>,
    /// Caveats about stored numbers of imported runs, each with its run.
    pub remarks: Vec<(PathBuf, Remark)>,
}

/// Run directory that was found.
struct Met {
    dir: PathBuf,
    /// Whether the path itself was named; then the run must be readable.
    is_named: bool,
    /// Whether the same run was found before.
    is_again: bool,
}

/// The run directories that `paths` name or contain, in order.
fn met<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<Met>, Error> {
    let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
    for path in paths.iter().map(AsRef::as_ref) {
        let is_named = is_run(path);
        let found = if is_named {
            vec![path.to_owned()]
        } else {
            runs_below(path)
        };
        if found.is_empty() {
            return Err(Error::NoRun(path.to_owned()));
        }
        all.extend(found.into_iter().map(|dir| {
            let place = dir.canonicalize().unwrap_or_else(|_| dir.clone());
            Met {
                is_named,
                is_again: !seen.insert(place),
                dir,
            }
        }));
    }
    Ok(all)
}

/// A run's report, and the value that the caller's `reduce` made of its details.
struct Read<T> {
    report: RunReport,
    made: T,
    remarks: Vec<Remark>,
}

/// Reads the run in `dir`: one of slope, or of the published benchmark's harness.
fn read<T>(dir: &Path, reduce: impl Fn(&RunReport, RunDetail) -> T) -> Result<Read<T>, Error> {
    let (report, detail, remarks) = if is_own(dir) {
        let (report, detail) = assemble::read(dir)?;
        (report, detail, Vec::new())
    } else {
        let imported = slope_published::import(dir)?;
        (imported.report, imported.detail, imported.remarks)
    };
    Ok(Read {
        made: reduce(&report, detail),
        report,
        remarks,
    })
}

/// Reads the runs in `paths`: run directories, of slope or of the published benchmark's harness,
/// and folders that contain run directories at any depth. Links below a folder are not followed.
///
/// A run below a folder that cannot be read, or was found before, is left out and listed.
///
/// # Errors
/// If a path is itself an unreadable run, or contains no run.
pub fn gather<P: AsRef<Path>>(paths: &[P]) -> Result<Gathered, Error> {
    gather_each(paths, |_, _| (), |()| Ok(()))
}

/// Reads runs like [`gather`], a few at a time. For each run, `reduce` extracts the needed part of
/// the details, the details are dropped, and `take` gets the result in the order of the reports.
///
/// # Errors
/// As for [`gather`], and the first error of `take`.
pub fn gather_each<P: AsRef<Path>, T: Send, E: From<Error> + Send>(
    paths: &[P],
    reduce: impl Fn(&RunReport, RunDetail) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<Gathered, E> {
    let mut gathered = Gathered::default();
    let met = met(paths)?;
    let mut made = Vec::new();
    // While some runs are read, the results of earlier ones are taken.
    let at_a_time = (rayon::current_num_threads() * 2).min(MAX_AT_A_TIME);
    for some in met.chunks(at_a_time) {
        let ready = std::mem::take(&mut made);
        let (took, read) = rayon::join(
            || ready.into_iter().try_for_each(&mut take),
            || read_some(some, &reduce),
        );
        took?;
        for (met, read) in some.iter().zip(read) {
            made.extend(gathered.add(met, read)?);
        }
    }
    made.into_iter().try_for_each(take)?;
    Ok(gathered)
}

/// Reads the runs that were not found before.
fn read_some<T: Send>(
    met: &[Met],
    reduce: &(impl Fn(&RunReport, RunDetail) -> T + Sync),
) -> Vec<Option<Result<Read<T>, Error>>> {
    let read = |met: &Met| (!met.is_again).then(|| read(&met.dir, reduce));
    met.par_iter().map(read).collect()
}

impl Gathered {
    /// Adds a run if it was read. Returns the value that `reduce` made of it.
    fn add<T>(
        &mut self,
        met: &Met,
        read: Option<Result<Read<T>, Error>>,
    ) -> Result<Option<T>, Error> {
        let why = match read {
            Some(Ok(read)) => {
                self.reports.push(read.report);
                let remarks = read.remarks.into_iter();
                self.remarks
                    .extend(remarks.map(|remark| (met.dir.clone(), remark)));
                return Ok(Some(read.made));
            }
            Some(Err(error)) if met.is_named => return Err(error),
            Some(Err(error)) => one_line(&error),
            None => "named twice; counted once".to_owned(),
        };
        self.left_out.push((met.dir.clone(), why));
        Ok(None)
    }
}

/// Run directories of the published benchmark's harness that `paths` name or contain, each once.
///
/// # Errors
/// If a path neither is such a run nor contains one.
pub fn published_dirs<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<PathBuf>, Error> {
    let (mut dirs, mut seen) = (Vec::new(), BTreeSet::new());
    for path in paths.iter().map(AsRef::as_ref) {
        let mut found = if slope_published::is_run(path) {
            vec![path.to_owned()]
        } else {
            runs_below(path)
        };
        found.retain(|dir| slope_published::is_run(dir));
        if found.is_empty() {
            return Err(Error::NoRun(path.to_owned()));
        }
        let is_new = |dir: &PathBuf| {
            let place = dir.canonicalize().unwrap_or_else(|_| dir.clone());
            seen.insert(place)
        };
        dirs.extend(found.into_iter().filter(is_new));
    }
    Ok(dirs)
}

/// A file of a checkpoint's snapshot in `report`'s directory, as text.
///
/// # Errors
/// Returns the reason, as text.
pub fn source(
    report: &RunReport,
    problem: &str,
    trial: u32,
    checkpoint: &str,
    path: &str,
) -> Result<String, String> {
    let bytes = if is_own(&report.run) {
        stored(report, problem, trial, checkpoint, path)?
    } else {
        slope_published::source(&report.run, problem, checkpoint, path).map_err(|e| one_line(&e))?
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn stored(
    report: &RunReport,
    problem: &str,
    trial: u32,
    checkpoint: &str,
    path: &str,
) -> Result<Vec<u8>, String> {
    let mut trials = report.trials.iter();
    let own = trials.find(|own| own.problem == problem && own.trial == trial);
    let mut checkpoints = own.into_iter().flat_map(|own| &own.checkpoints);
    let own = checkpoints.find(|own| own.checkpoint == checkpoint);
    let id = own.and_then(|own| own.snapshot.as_deref());
    let id = id.ok_or("the attempt has no snapshot")?;
    let snapshots = RunDir::at(&report.run).snapshots();
    let files = snapshots.files(id, |own| own == path, MAX_SOURCE);
    let first = files.map_err(|error| one_line(&error))?.into_iter().next();
    first
        .map(|(_, bytes)| bytes)
        .ok_or_else(|| format!("{path} is not in snapshot {id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that was planned and not begun.
    fn plan(dir: &Path, label: &str) {
        std::fs::create_dir_all(dir).unwrap();
        let config = serde_json::json!({
            "schema": slope_model::schema::RUN, "slope_version": "0.1.0", "label": label,
            "agent": "a", "agent_version": "1", "model": "m", "prompt": "p", "prompt_hash": "h",
            "problems": {}, "trials": 1, "isolation": "none",
        });
        std::fs::write(dir.join("run.json"), config.to_string()).unwrap();
    }

    #[test]
    fn gather_finds_runs_and_lists_torn() {
        let dir = tempfile::tempdir().unwrap();
        plan(&dir.path().join("b/deep"), "two");
        plan(&dir.path().join("a"), "one");
        let torn = dir.path().join("c");
        std::fs::create_dir_all(&torn).unwrap();
        std::fs::write(torn.join("run.json"), "{\"schema\": \"slope.r").unwrap();
        let other = dir.path().join("d");
        std::fs::create_dir_all(&other).unwrap();
        std::fs::write(torn.join("journal.jsonl"), "").unwrap();
        plan(&other, "older");
        let text = std::fs::read_to_string(other.join("run.json")).unwrap();
        let text = text.replace(slope_model::schema::RUN, "slope.run/0");
        std::fs::write(other.join("run.json"), text).unwrap();
        let mut taken = Vec::new();
        let label = |report: &RunReport, _| report.config.label.clone();
        let take = |label| {
            taken.push(label);
            Ok::<(), Error>(())
        };
        let gathered = gather_each(&[dir.path()], label, take).unwrap();
        let labels: Vec<&str> = gathered
            .reports
            .iter()
            .map(|report| report.config.label.as_str())
            .collect();
        assert_eq!(labels, ["one", "two"]);
        assert_eq!(taken, labels);
        let left: Vec<&Path> = gathered.left_out.iter().map(|l| l.0.as_path()).collect();
        assert_eq!(left, [torn.as_path(), other.as_path()]);
        assert!(gathered.left_out[1].1.contains("slope.run/0"));
        // Named itself, a torn run is an error, and a run named twice is counted once.
        assert!(gather(&[&torn]).is_err());
        let one = dir.path().join("a");
        let twice = gather(&[&one, &one]).unwrap();
        assert_eq!((twice.reports.len(), twice.left_out.len()), (1, 1));
    }

    #[test]
    fn folder_of_runs_names_them() {
        let dir = tempfile::tempdir().unwrap();
        let read = |path: &Path| {
            let read = crate::directories::read_config(&RunDir::at(path));
            read.unwrap_err().to_string()
        };
        assert!(read(dir.path()).contains("contains no run"));
        assert!(read(&dir.path().join("a")).contains("does not exist"));
        for name in ["a", "b", "c", "d", "e", "f", "g"] {
            plan(&dir.path().join(name), name);
        }
        let said = read(dir.path());
        assert!(said.contains("is not a run, but contains runs"), "{said}");
        assert!(
            said.contains(&dir.path().join("e").display().to_string()),
            "{said}"
        );
        assert!(said.ends_with("and 2 more"), "{said}");
    }

    #[test]
    fn folder_without_runs_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(gather(&[dir.path()]), Err(Error::NoRun(_))));
        assert!(matches!(gather(&["/no/such/dir"]), Err(Error::NoRun(_))));
    }
}
