//! Numbers of files that the harness stored next to a snapshot.

use std::collections::BTreeMap;
use std::path::Path;

use crate::files::{self, MeasuredFile, Symbol};

/// Numbers of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FileNumbers {
    /// Lines.
    pub lines: u64,
    /// Source lines.
    pub sloc: u64,
    /// Lines in clones.
    pub clone_lines: u64,
    /// Functions and methods.
    pub callables: usize,
    /// Sum of their masses.
    pub mass: f64,
}

/// Stored numbers of a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredNumbers {
    /// Rows in the list of files.
    pub rows: usize,
    /// Numbers by path.
    pub files: BTreeMap<String, FileNumbers>,
}

/// The stored numbers of the snapshot in `folder`, a folder of [`snapshot_folders`]. `None` if the
/// run has stored no number of a file.
///
/// [`snapshot_folders`]: crate::snapshot_folders
#[must_use]
pub fn stored_numbers(folder: &Path) -> Option<StoredNumbers> {
    let quality = folder.join("quality_analysis");
    let stored = files::lines::<MeasuredFile>(&quality.join("files.jsonl")).ok()?;
    let symbols = files::lines::<Symbol>(&quality.join("symbols.jsonl")).ok()?;
    if stored.is_empty() {
        return None;
    }
    let rows = stored.len();
    let mut files: BTreeMap<String, FileNumbers> = stored
        .into_iter()
        .map(|file| {
            let numbers = FileNumbers {
                lines: file.total_lines,
                sloc: file.loc,
                clone_lines: file.clone_lines,
                callables: 0,
                mass: 0.0,
            };
            (file.file_path, numbers)
        })
        .collect();
    for symbol in symbols.iter().filter(|symbol| symbol.is_function()) {
        if let Some(file) = files.get_mut(&symbol.file_path) {
            file.callables += 1;
            file.mass += symbol.mass();
        }
    }
    Some(StoredNumbers { rows, files })
}
