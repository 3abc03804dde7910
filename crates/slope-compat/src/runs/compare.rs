//! Stored numbers of published runs versus this profile's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use slope_model::error_text::one_line;

use super::measure;
use crate::published::files::{self, MeasuredFile, Symbol};
use crate::published::{ImportError, snapshot_folders};
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
    let quality = folder.join("quality_analysis");
    let stored = files::lines::<MeasuredFile>(&quality.join("files.jsonl"));
    let symbols = files::lines::<Symbol>(&quality.join("symbols.jsonl"));
    let (Ok(stored), Ok(symbols)) = (stored, symbols) else {
        return None;
    };
    if stored.is_empty() {
        return None;
    }
    let differences = match measure(&folder.join("snapshot"), 1) {
        Ok(measured) => {
            let ours = measured.files.iter();
            let ours = ours.map(|f| (f.path.as_str(), Numbers::measured(f)));
            differences(Numbers::stored(&stored, &symbols), ours.collect())
        }
        Err(Error::Nothing { .. }) => vec!["no file could be measured".to_owned()],
        Err(error) => vec![one_line(&error)],
    };
    Some(Compared {
        folder,
        files: stored.len(),
        differences,
    })
}

/// The stored numbers of a file, or those of this profile.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Numbers {
    lines: u64,
    sloc: u64,
    clone_lines: u64,
    callables: usize,
    mass: f64,
}

impl Numbers {
    fn measured(file: &slope_model::measurement::FileMeasurement) -> Self {
        Self {
            lines: u64::from(file.lines),
            sloc: u64::from(file.sloc),
            clone_lines: u64::from(file.clone_lines),
            callables: file.callables.len(),
            mass: file.callables.iter().map(|c| c.mass).sum(),
        }
    }

    fn stored<'a>(stored: &'a [MeasuredFile], symbols: &[Symbol]) -> BTreeMap<&'a str, Self> {
        let mut numbers: BTreeMap<&str, Self> = stored
            .iter()
            .map(|file| {
                let numbers = Self {
                    lines: file.total_lines,
                    sloc: file.loc,
                    clone_lines: file.clone_lines,
                    callables: 0,
                    mass: 0.0,
                };
                (file.file_path.as_str(), numbers)
            })
            .collect();
        for symbol in symbols.iter().filter(|s| s.is_function()) {
            if let Some(file) = numbers.get_mut(symbol.file_path.as_str()) {
                file.callables += 1;
                file.mass += symbol.mass();
            }
        }
        numbers
    }

    /// Names and values of the differing numbers; `None` if all are equal.
    fn differs(&self, ours: &Self) -> Option<String> {
        let counts = [
            ("lines", self.lines, ours.lines),
            ("source lines", self.sloc, ours.sloc),
            ("clone lines", self.clone_lines, ours.clone_lines),
            ("callables", self.callables as u64, ours.callables as u64),
        ];
        let count = counts.iter().find(|(_, stored, ours)| stored != ours);
        if let Some((name, stored, ours)) = count {
            return Some(format!("{name}: {stored} stored, {ours} here"));
        }
        let near = (self.mass - ours.mass).abs() <= 1e-9 * self.mass.max(1.0);
        (!near).then(|| format!("mass: {} stored, {} here", self.mass, ours.mass))
    }
}

fn differences(stored: BTreeMap<&str, Numbers>, ours: BTreeMap<&str, Numbers>) -> Vec<String> {
    let paths: BTreeSet<&&str> = stored.keys().chain(ours.keys()).collect();
    let differs = paths.into_iter().filter_map(|path| {
        let what = match (stored.get(path), ours.get(path)) {
            (Some(stored), Some(ours)) => stored.differs(ours)?,
            (Some(_), None) => "stored, and not measured here".to_owned(),
            _ => "measured here, and not stored".to_owned(),
        };
        Some(format!("{path}: {what}"))
    });
    differs.collect()
}
