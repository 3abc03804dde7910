//! What the tests of several crates share; a development dependency, never more.
//!
//! Everything here panics where it fails, as tests do.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

pub mod git;
pub mod postgres;

use std::path::Path;

use tempfile::TempDir;

/// Writes a file, and creates the folders that it needs.
#[track_caller]
pub fn write_file<T: AsRef<[u8]> + ?Sized>(path: &Path, text: &T) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Writes files below a folder.
#[track_caller]
pub fn write<P: AsRef<Path>, T: AsRef<[u8]>>(dir: &Path, files: &[(P, T)]) {
    for (path, text) in files {
        write_file(&dir.join(path), text);
    }
}

/// A new folder with these files.
#[must_use]
#[track_caller]
pub fn folder<P: AsRef<Path>, T: AsRef<[u8]>>(files: &[(P, T)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    dir
}

/// A Python function of 12 lines, long enough to be found as a clone.
pub const HELPER: &str = "\
def normalise(rows, key, default):
    seen = {}
    for row in rows:
        name = row.get(key, default)
        if name is None:
            continue
        name = name.strip().lower()
        seen.setdefault(name, []).append(row)
    result = []
    for name, group in sorted(seen.items()):
        result.append((name, len(group), group[0]))
    return result
";
