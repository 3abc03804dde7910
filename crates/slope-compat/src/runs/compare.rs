//! Stored numbers of published runs versus this profile's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use slope_model::error_text::one_line;
use slope_model::measurement::FileMeasurement;
use slope_published::{FileNumbers, ImportError, snapshot_folders, stored_numbers};

use super::measure;
use crate::scb::Error;

/// A stored snapshot: its code and the numbers of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// Folder of the checkpoint, or of the refactoring pass after it.
    pub folder: PathBuf,
    /// Files with stored numbers.
    pub files: usize,
    /// Short descriptions of the differences; empty if all numbers are equal.
    pub differences: Vec<String>,
}

/// Compares every snapshot of the run in `dir`, including those after refactoring passes.
///
/// # Errors
/// If the run's configuration cannot be read.
pub fn compare(dir: &Path) -> Result<Vec<Compared>, ImportError> {
    let folders = snapshot_folders(dir)?;
    Ok(folders.into_par_iter().filter_map(snapshot).collect())
}

/// Compares a snapshot; `None` if the run has stored no number of a file.
fn snapshot(folder: PathBuf) -> Option<Compared> {
    let stored = stored_numbers(&folder)?;
    let differences = match measure(&folder.join("snapshot"), 1) {
        Ok(measured) => {
            let ours = measured.files.iter();
            let ours = ours.map(|file| (file.path.as_str(), numbers(file)));
            differences(&stored.files, &ours.collect())
        }
        Err(Error::Nothing { .. }) => vec!["no file could be measured".to_owned()],
        Err(error) => vec![one_line(&error)],
    };
    Some(Compared {
        folder,
        files: stored.rows,
        differences,
    })
}

/// The numbers of this profile.
fn numbers(file: &FileMeasurement) -> FileNumbers {
    FileNumbers {
        lines: u64::from(file.lines),
        sloc: u64::from(file.sloc),
        clone_lines: u64::from(file.clone_lines),
        callables: file.callables.len(),
        mass: file.callables.iter().map(|c| c.mass).sum(),
    }
}

/// Names and values of the differing numbers; `None` if all are equal.
fn difference(stored: &FileNumbers, ours: &FileNumbers) -> Option<String> {
    let counts = [
        ("lines", stored.lines, ours.lines),
        ("source lines", stored.sloc, ours.sloc),
        ("clone lines", stored.clone_lines, ours.clone_lines),
        ("callables", stored.callables as u64, ours.callables as u64),
    ];
    let count = counts.iter().find(|(_, stored, ours)| stored != ours);
    if let Some((name, stored, ours)) = count {
        return Some(format!("{name}: {stored} stored, {ours} here"));
    }
    let near = (stored.mass - ours.mass).abs() <= 1e-9 * stored.mass.max(1.0);
    (!near).then(|| format!("mass: {} stored, {} here", stored.mass, ours.mass))
}

fn differences(
    stored: &BTreeMap<String, FileNumbers>,
    ours: &BTreeMap<&str, FileNumbers>,
) -> Vec<String> {
    let known = stored.keys().map(String::as_str);
    let paths: BTreeSet<&str> = known.chain(ours.keys().copied()).collect();
    let differs = paths.into_iter().filter_map(|path| {
        let what = match (stored.get(path), ours.get(path)) {
            (Some(stored), Some(ours)) => difference(stored, ours)?,
            (Some(_), None) => "stored, and not measured here".to_owned(),
            _ => "measured here, and not stored".to_owned(),
        };
        Some(format!("{path}: {what}"))
    });
    differs.collect()
}
