//! The folder for temporary files. It is removed at the end, or by the next process if this one is killed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Begin of the names of folders.
const PREFIX: &str = "slope-grade-tests-";
/// The file that a living process has locked.
const LOCK: &str = "lock";

/// The folder for temporary files cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot create a folder for tests in {path}\nhelp: set TMPDIR to a folder that can be written to", path = path.display())]
pub struct Error {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// A folder for temporary files.
pub(crate) struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// A new folder below `parent`. Folders of processes that are dead are removed.
    pub(crate) fn new(parent: &Path) -> Result<Self, Error> {
        sweep(parent);
        let make = || {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
            let lock = File::create_new(folder.path().join(LOCK))?;
            lock.lock()?;
            Ok(Self {
                folder,
                _lock: lock,
            })
        };
        make().map_err(|source| Error {
            path: parent.to_owned(),
            source,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders of dead processes. Those that cannot be removed are left.
fn sweep(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_ours && is_folder && is_abandoned(&entry.path()) {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Whether the lock of a folder is free. A folder without one is just being made.
fn is_abandoned(folder: &Path) -> bool {
    let lock = File::open(folder.join(LOCK));
    lock.is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::{LOCK, PREFIX, Scratch};
    use std::fs;

    #[test]
    fn folders_of_dead_processes_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let dead = parent.path().join(format!("{PREFIX}dead"));
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        fs::write(dead.join("base.tar"), "x").unwrap();
        let living = Scratch::new(parent.path()).unwrap();
        assert!(!dead.exists());
        let other = Scratch::new(parent.path()).unwrap();
        assert!(living.path().exists() && other.path().exists());
        let path = living.path().to_owned();
        drop(living);
        assert!(!path.exists());
    }
}
