//! Profile `published-runs`: the numbers that published runs of the benchmark store.
//!
//! The runs of May and June 2026 were measured by the benchmark's harness at version 1.0
//! (2026-04-24). Its callables, complexity and mass are those of profile `paper`. Its source
//! lines and clones are not: see `docs/metrics/python.md`. Python only.
//!
//! The harness took verbosity and rule hits from other programs, so they are missing here.

mod compare;
mod lines;
mod measured;

use std::path::{Path, PathBuf};

use slope_model::measurement::Measurement;

use crate::scb::discover::entries;
use crate::scb::{Error, each};
pub use compare::{Compared, compare};
use measured::{Measured, measured};

/// Name of the profile.
pub const PROFILE: &str = slope_published::DEFINITIONS;

/// Names of folders that the harness skips.
const NEVER_ENTERED: &[&str] = &[
    "__pycache__",
    "venv",
    ".venv",
    "virtualenv",
    ".virtualenv",
    ".git",
    "node_modules",
    ".tox",
    ".nox",
];

/// Measures a folder, or one file, on `threads` threads; 0 for the number of processors.
///
/// # Errors
/// If the root cannot be read, or there is no Python file to measure.
pub fn measure(root: &Path, threads: usize) -> Result<Measurement, Error> {
    let found = files(root)?;
    let path = |file: &Found| file.path.clone();
    let (files, unmeasured) = each(root, &found, path, threads, &measured)?;
    Ok(Measured::together(files, unmeasured))
}

/// A Python file.
pub(crate) struct Found {
    /// Path from the root, `/`-separated.
    pub(crate) path: String,
    pub(crate) absolute: PathBuf,
}

/// The Python files below a root, or the root itself if it is one, by path.
fn files(root: &Path) -> Result<Vec<Found>, Error> {
    if root.is_file() {
        let name = root.file_name().unwrap_or(root.as_os_str());
        return Ok(vec![Found {
            path: name.to_string_lossy().into_owned(),
            absolute: root.to_owned(),
        }]);
    }
    let mut found = Vec::new();
    let mut folders = vec![(root.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in entries(&folder, NEVER_ENTERED)? {
            let path = format!("{prefix}{}", entry.name);
            if entry.is_folder {
                folders.push((entry.path, format!("{path}/")));
            } else if entry.path.extension().is_some_and(|e| e == "py") {
                found.push(Found {
                    path,
                    absolute: entry.path,
                });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}
