//! The folder through which a container's first process comes in and calls back.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use slope_sandbox::hosted::{INIT, SOCKET};
use tempfile::TempDir;

use crate::Error;

/// How such folders begin. Their path shows in a container's mount table, so it says nothing.
pub(crate) const PREFIX: &str = "sandbox-";

/// A folder of this process, closed to other users, that holds the binary once for all containers.
#[derive(Debug)]
pub(crate) struct Seats {
    dir: TempDir,
}

/// One container's folder.
#[derive(Debug)]
pub(crate) struct Seat {
    dir: TempDir,
}

impl Seats {
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
        Ok(Self { dir })
    }

    /// A folder for one more container, with the binary and a socket that listens.
    pub(crate) fn take(&self) -> Result<(Seat, UnixListener), Error> {
        let made = || -> io::Result<(Seat, UnixListener)> {
            let dir = tempfile::Builder::new()
                .prefix("s")
                .tempdir_in(self.dir.path())?;
            // Open to the container's user; the folder above is closed to all but this one.
            fs::set_permissions(dir.path(), Permissions::from_mode(0o755))?;
            fs::hard_link(self.dir.path().join(INIT), dir.path().join(INIT))?;
            let socket = dir.path().join(SOCKET);
            let door = UnixListener::bind(&socket)?;
            fs::set_permissions(&socket, Permissions::from_mode(0o666))?;
            Ok((Seat { dir }, door))
        };
        made().map_err(Error::file("create a folder in", self.dir.path()))
    }

    /// Bytes of the binary.
    pub(crate) fn binary_size(&self) -> u64 {
        fs::metadata(self.dir.path().join(INIT)).map_or(0, |meta| meta.len())
    }
}

impl Seat {
    /// The folder on the host.
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Takes binary and socket away, so that nothing in the container can read or use them.
    pub(crate) fn clear(&self) {
        for name in [INIT, SOCKET] {
            // What is gone already need not be removed.
            let _ = fs::remove_file(self.dir.path().join(name));
        }
    }
}

/// Folders in the place for temporary ones that processes left which no longer live.
pub(crate) fn abandoned() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let pid = name
                .to_str()
                .and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'))
                .and_then(|(pid, _)| pid.parse::<u32>().ok());
            pid.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists())
                && entry.path().join(INIT).is_file()
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}
