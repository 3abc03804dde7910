//! The folder from which a container's first process starts and through which it connects.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use slope_sandbox::hosted::{INIT, SOCKET};
use tempfile::TempDir;

use crate::Error;

/// Prefix of such folders. A container's mount table shows their path, so it reveals nothing.
pub(crate) const PREFIX: &str = "sandbox-";

/// A file that the folder's creating process keeps locked.
const LOCK: &str = "lock";

/// A folder of this process, closed to other users, with one copy of the binary for all containers.
#[derive(Debug)]
pub(crate) struct ControlDirs {
    /// Held as long as this process lives.
    _lock: File,
    dir: TempDir,
}

/// One container's folder.
#[derive(Debug)]
pub(crate) struct ControlDir {
    dir: TempDir,
}

impl ControlDirs {
    /// Copies the running binary.
    pub(crate) fn new() -> Result<Self, Error> {
        let parent = std::env::temp_dir();
        let parent = fs::canonicalize(&parent).map_err(Error::file("find", &parent))?;
        let dir = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{}-", std::process::id()))
            .tempdir_in(&parent)
            .map_err(Error::file("create a folder in", &parent))?;
        let copy = dir.path().join(INIT);
        let made = fs::copy("/proc/self/exe", &copy)
            .and_then(|_| fs::set_permissions(&copy, Permissions::from_mode(0o555)));
        made.map_err(Error::file("create", &copy))?;
        let path = dir.path().join(LOCK);
        let lock = File::create(&path).and_then(|file| file.lock().map(|()| file));
        let lock = lock.map_err(Error::file("lock", &path))?;
        Ok(Self { _lock: lock, dir })
    }

    /// A folder for another container, with the binary and a listening socket.
    pub(crate) fn take(&self) -> Result<(ControlDir, UnixListener), Error> {
        let made = || -> io::Result<(ControlDir, UnixListener)> {
            let dir = tempfile::Builder::new()
                .prefix("s")
                .tempdir_in(self.dir.path())?;
            // Open to the container's user; the parent folder is closed to all but this one.
            fs::set_permissions(dir.path(), Permissions::from_mode(0o755))?;
            fs::hard_link(self.dir.path().join(INIT), dir.path().join(INIT))?;
            let socket = dir.path().join(SOCKET);
            let door = UnixListener::bind(&socket)?;
            fs::set_permissions(&socket, Permissions::from_mode(0o666))?;
            Ok((ControlDir { dir }, door))
        };
        made().map_err(Error::file("create a folder in", self.dir.path()))
    }

    /// Bytes of the binary.
    pub(crate) fn binary_size(&self) -> u64 {
        fs::metadata(self.dir.path().join(INIT)).map_or(0, |meta| meta.len())
    }
}

impl ControlDir {
    /// The folder on the host.
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Removes binary and socket, so that nothing in the container can read or use them.
    pub(crate) fn clear(&self) {
        for name in [INIT, SOCKET] {
            // A missing file need not be removed.
            let _ = fs::remove_file(self.dir.path().join(name));
        }
    }
}

/// Folders in the temporary directory whose processes are dead.
pub(crate) fn abandoned() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX))
        .map(|entry| entry.path())
        .filter(|folder| is_abandoned(folder).unwrap_or(false))
        .collect();
    found.sort();
    found
}

/// Whether a folder was made by this module and its lock is free.
fn is_abandoned(folder: &Path) -> io::Result<bool> {
    if !folder.join(INIT).is_file() {
        return Ok(false);
    }
    let lock = File::open(folder.join(LOCK))?;
    Ok(lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlocked_folder_is_abandoned() {
        let seats = ControlDirs::new().expect("made");
        let folder = seats.dir.path().to_owned();
        assert!(!is_abandoned(&folder).expect("held"));
        let (seat, _door) = seats.take().expect("taken");
        assert!(seat.path().join(INIT).is_file());
        seat.clear();
        assert_eq!(fs::read_dir(seat.path()).expect("a folder").count(), 0);
        drop(seats._lock);
        assert!(is_abandoned(&folder).expect("free"));
        drop(seats.dir);
        assert!(is_abandoned(&folder).is_ok_and(|gone| !gone));
    }
}
