//! Where things lie in a run directory.
//!
//! ```text
//! RUN/
//!   run.json            the run's configuration, written once
//!   journal.jsonl       what happened, append-only
//!   lock                held by the process that works here
//!   objects/ snapshots/ workspaces by content
//!   trials/PROBLEM/TRIAL/CHECKPOINT/attempt-K/
//!     prompt.md  stdout.log  stderr.log  requests.jsonl
//!     verdict-J.json  measurement.json
//! ```

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::{Error, snapshot::Snapshots};

/// A run directory.
#[derive(Debug, Clone)]
pub struct RunDir {
    root: PathBuf,
}

/// The right to work in a run directory; given back when dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl RunDir {
    /// The run directory at `root`.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The run's configuration.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.root.join("run.json")
    }

    /// The journal.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.root.join("journal.jsonl")
    }

    /// The snapshots.
    #[must_use]
    pub fn snapshots(&self) -> Snapshots {
        Snapshots::at(&self.root)
    }

    /// The folder of a trial's checkpoint.
    #[must_use]
    pub fn checkpoint(&self, problem: &str, trial: u32, checkpoint: &str) -> PathBuf {
        self.root
            .join("trials")
            .join(problem)
            .join(trial.to_string())
            .join(checkpoint)
    }

    /// The folder of an attempt.
    #[must_use]
    pub fn attempt(&self, problem: &str, trial: u32, checkpoint: &str, number: u32) -> PathBuf {
        self.checkpoint(problem, trial, checkpoint)
            .join(format!("attempt-{number}"))
    }

    /// `path` relative to the run directory, for the journal.
    #[must_use]
    pub fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }

    /// Takes the right to work here.
    ///
    /// # Errors
    /// [`Error::Locked`] when another process has it.
    pub fn lock(&self) -> Result<Lock, Error> {
        let path = self.root.join("lock");
        std::fs::create_dir_all(&self.root).map_err(Error::io("cannot create", &self.root))?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(Error::io("cannot open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::Locked(self.root.clone())),
            Err(TryLockError::Error(source)) => Err(Error::io("cannot lock", &path)(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_worker_is_told_that_the_directory_is_in_use() {
        let dir = tempfile::tempdir().unwrap();
        let run = RunDir::at(dir.path());
        let held = run.lock().unwrap();
        assert!(matches!(run.lock(), Err(Error::Locked(_))));
        drop(held);
        assert!(run.lock().is_ok());
    }
}
