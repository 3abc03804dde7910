//! The writable folders of a sandbox: parts of one file system on disk, or memory file systems.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, fchmod, mkdirat, openat};

use crate::mounts::{self, Kind};
use crate::space::Space;

/// Smallest volume that is on disk, in bytes. A smaller one is in memory, which enforces its own limit.
pub(super) const LARGE: u64 = 1 << 30;
/// Mount point of the pool while the root is built.
const MOUNT: &str = ".pool";

/// Creates writable folders.
pub(super) struct Pool {
    disk: Option<OwnedFd>,
    made: u32,
    space: Space,
}

impl Pool {
    /// Uses the file system `disk`, if there is one, and attaches it to the root until [`Pool::close`].
    pub(super) fn open(root: BorrowedFd<'_>, disk: Option<OwnedFd>) -> io::Result<Self> {
        let mut space = Space::default();
        let disk = disk.map(|mount| {
            mounts::attach_at(mount.as_fd(), root, &Path::new("/").join(MOUNT), Kind::Dir)?;
            space.add(mounts::root_of(mount.as_fd())?, false);
            mounts::root_of(mount.as_fd())
        });
        Ok(Self {
            disk: disk.transpose()?,
            made: 0,
            space,
        })
    }

    /// A detached folder of at most `size` bytes.
    pub(super) fn place(&mut self, size: u64, mode: u32) -> io::Result<OwnedFd> {
        match &self.disk {
            Some(disk) if size >= LARGE => {
                self.made += 1;
                part(disk.as_fd(), self.made, Mode::from_raw_mode(mode))
            }
            _ => {
                let place = mounts::tmpfs(size, mode)?;
                self.space.add(mounts::root_of(place.as_fd())?, true);
                Ok(place)
            }
        }
    }

    /// Detaches the pool from the root below `base`. Its parts stay.
    pub(super) fn close(self, base: &Path) -> io::Result<Space> {
        if self.disk.is_some() {
            let mount: PathBuf = base.join(MOUNT);
            nix::mount::umount2(&mount, nix::mount::MntFlags::MNT_DETACH)?;
            std::fs::remove_dir(&mount)?;
        }
        Ok(self.space)
    }
}

/// A new folder of `disk` as a mount of its own.
fn part(disk: BorrowedFd<'_>, number: u32, mode: Mode) -> io::Result<OwnedFd> {
    let name = number.to_string();
    mkdirat(disk, &name, mode)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(disk, &name, flags, Mode::empty())?;
    // `mkdirat` applies the process's mask.
    fchmod(&folder, mode)?;
    mounts::part(folder.as_fd())
}
