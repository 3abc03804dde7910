//! The layout of a run directory.
//!
//! ```text
//! RUN/
//!   run.json            the run's configuration, written once
//!   journal.jsonl       events, append-only
//!   lock                held by the process that executes the run
//!   control.json        requested state of the run: run, pause, cancel
//!   status.json         status, while a process executes the run
//!   objects/ snapshots/ workspaces by content
//!   trials/PROBLEM/TRIAL/CHECKPOINT/attempt-K/
//!     prompt.md  stdout.log  stderr.log  requests.jsonl
//!     verdict-J.json  measurement.json  security.json
//! ```

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Error, snapshot::Snapshots};

/// Number of attempts to take the lock, and the pause between them: a process that was just killed,
/// or only tests the lock, may hold it for a moment.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(30);

/// A run directory.
#[derive(Debug, Clone)]
pub struct RunDir {
    root: PathBuf,
}

/// Exclusive right to work in a directory, released when dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a directory, which is created if it does not exist.
    ///
    /// # Errors
    /// [`Error::Locked`] if another process has it.
    pub fn of(root: &Path) -> Result<Self, Error> {
        RunDir::at(root).lock()
    }
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

    /// Requests to the run.
    #[must_use]
    pub fn control(&self) -> PathBuf {
        self.root.join("control.json")
    }

    /// Status of the run, written by the process that executes it.
    #[must_use]
    pub fn status(&self) -> PathBuf {
        self.root.join("status.json")
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

    /// Takes the lock that allows executing the run.
    ///
    /// # Errors
    /// [`Error::Locked`] if another process has it.
    pub fn lock(&self) -> Result<Lock, Error> {
        let path = self.root.join("lock");
        std::fs::create_dir_all(&self.root).map_err(Error::io("cannot create", &self.root))?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(Error::io("cannot open", &path))?;
        for attempt in 1.. {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if attempt < LOCK_TRIES => {
                    std::thread::sleep(LOCK_PAUSE);
                }
                Err(TryLockError::WouldBlock) => return Err(Error::Locked(self.root.clone())),
                Err(TryLockError::Error(source)) => {
                    return Err(Error::io("cannot lock", &path)(source));
                }
            }
        }
        Ok(Lock { _file: file })
    }

    /// Whether a process executes the run.
    ///
    /// # Errors
    /// If that cannot be determined.
    pub fn is_locked(&self) -> Result<bool, Error> {
        let path = self.root.join("lock");
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(e) => return Err(Error::io("cannot open", &path)(e)),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(source)) => Err(Error::io("cannot lock", &path)(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_run_directory_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let run = RunDir::at(dir.path());
        let held = run.lock().unwrap();
        assert!(matches!(run.lock(), Err(Error::Locked(_))));
        assert!(run.is_locked().unwrap());
        drop(held);
        assert!(!run.is_locked().unwrap());
        assert!(run.lock().is_ok());
    }
}
