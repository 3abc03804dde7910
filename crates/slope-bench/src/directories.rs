//! Run directories: where they are, and the configuration of each.

use std::path::{Path, PathBuf};

use slope_model::run::RunConfig;
use slope_model::schema;
use slope_store::atomic;
use slope_store::run_dir::RunDir;

use crate::Error;

/// Depth below a folder to which runs are searched.
const DEEPEST: usize = 8;

/// Reads the configuration of a run.
///
/// # Errors
/// If `dir` contains no run, or one of another schema.
pub fn read_config(dir: &RunDir) -> Result<RunConfig, Error> {
    if !dir.config().exists() {
        return Err(no_run(dir.root()));
    }
    let config: RunConfig = atomic::read_json(&dir.config())?;
    if config.schema != schema::RUN {
        return Err(Error::OtherSchema {
            path: dir.config(),
            found: config.schema,
        });
    }
    Ok(config)
}

/// The error for a directory that cannot be read as a run.
fn no_run(path: &Path) -> Error {
    let (path, runs) = (path.to_owned(), runs_below(path));
    match (path.exists(), runs.is_empty()) {
        (false, _) => Error::NoDirectory(path),
        (true, true) => Error::NoRun(path),
        (true, false) => Error::RunsBelow { path, runs },
    }
}

/// Run directories below `dir`, by path.
pub(crate) fn runs_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find(dir, DEEPEST, &mut found);
    found
}

/// Run directories below `dir`, by path. Runs are not searched for further runs.
fn find(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    let folders = entries.flatten().filter(|entry| {
        let kind = entry.file_type();
        kind.is_ok_and(|kind| kind.is_dir())
    });
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders {
        if is_run(&folder) {
            found.push(folder);
        } else if depth > 0 {
            find(&folder, depth - 1, found);
        }
    }
}

pub(crate) fn is_run(dir: &Path) -> bool {
    is_own(dir) || slope_published::is_run(dir)
}

pub(crate) fn is_own(dir: &Path) -> bool {
    RunDir::at(dir).config().exists()
}
