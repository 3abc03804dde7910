//! Space for a sandbox's files: on the host's disk if the kernel permits it, otherwise in memory.
//!
//! On disk, all writable folders share one file system in an unnamed sparse file, so the free space
//! that a program sees is exactly its limit. Only root may mount such a file system. In memory,
//! each folder is a tmpfs of its own.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{StatVfs, fstatvfs};

use crate::ids::Outer;
use crate::{mounts, sys};

/// Bytes of files in memory that do not count as memory of the sandbox.
pub(crate) const FREE_IN_MEMORY: u64 = 4 << 30;
/// A folder with no more free pages than this, or without free inodes, is full.
const LAST_PAGES: u64 = 4;
/// Folder of the sparse file if the folder for temporary files is in memory.
const DISK: &str = "/var/tmp";
/// Magic numbers of tmpfs and ramfs, as `statfs` reports them.
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];
/// Bytes of the file system per file or folder that it can contain.
const BYTES_PER_INODE: u64 = 16 << 10;

/// The writable folders of a sandbox.
#[derive(Debug, Default)]
pub(crate) struct Space {
    /// Root of each file system, and whether it is in memory.
    roots: Vec<(OwnedFd, bool)>,
    /// Root of `/dev/shm`.
    shared: Option<OwnedFd>,
}

impl Space {
    /// The existing folders among those that a program under test may write to. Their files count
    /// only towards the memory of the whole sandbox.
    pub(crate) fn of_program(folders: &[&Path]) -> Self {
        let open = |folder: &Path| File::open(folder).map(OwnedFd::from).ok();
        let roots = folders.iter().filter_map(|folder| open(folder));
        Self {
            roots: roots.map(|root| (root, false)).collect(),
            shared: open(Path::new("/dev/shm")),
        }
    }

    /// Adds a file system.
    pub(crate) fn add(&mut self, root: OwnedFd, in_memory: bool) {
        self.roots.push((root, in_memory));
    }

    /// Names the root of `/dev/shm`.
    pub(crate) fn share(&mut self, root: OwnedFd) {
        self.shared = Some(root);
    }

    fn stats(&self) -> impl Iterator<Item = (StatVfs, bool)> {
        let stat = |(root, in_memory): &(OwnedFd, bool)| Some((fstatvfs(root).ok()?, *in_memory));
        self.roots.iter().filter_map(stat)
    }

    /// Whether a file system has no space left, for bytes or for files.
    pub(crate) fn is_full(&self) -> bool {
        self.stats().any(|(stat, _)| has_no_space(&stat))
    }

    /// Whether `/dev/shm` has no space left.
    pub(crate) fn is_shared_full(&self) -> bool {
        let stat = self.shared.as_ref().and_then(|root| fstatvfs(root).ok());
        stat.is_some_and(|stat| has_no_space(&stat))
    }

    /// Bytes that count as memory.
    pub(crate) fn memory(&self) -> u64 {
        let used = |stat: StatVfs| {
            let blocks = stat.f_blocks.saturating_sub(stat.f_bfree);
            blocks.saturating_mul(stat.f_frsize)
        };
        let held = self.stats().filter(|(_, in_memory)| *in_memory);
        let held: u64 = held.map(|(stat, _)| used(stat)).sum();
        held.saturating_sub(FREE_IN_MEMORY)
    }
}

fn has_no_space(stat: &StatVfs) -> bool {
    // Some file systems do not count files.
    stat.f_bavail <= LAST_PAGES || stat.f_files > 0 && stat.f_favail == 0
}

/// A detached file system of `size` bytes on the disk of `folder`, or of `/var/tmp`.
///
/// # Errors
/// If this process is not root on the machine, if there is no loop device or `mkfs.ext4`, and if
/// neither folder is on a disk with `size` free bytes. A sandbox that fills the host's disk would
/// get I/O errors instead of `ENOSPC`.
pub(crate) fn on_disk(folder: &Path, size: u64, owner: Outer) -> io::Result<OwnedFd> {
    if !nix::unistd::geteuid().is_root() {
        return Err(io::Error::other("only root may mount a file system"));
    }
    let file = sparse(folder, size)?;
    format(&file, size, owner)?;
    let device = sys::loop_device(file.as_fd())?;
    mounts::ext4(&device.path)
}

/// An unnamed, empty file. The kernel deletes it when no process has it open.
fn sparse(folder: &Path, size: u64) -> io::Result<File> {
    let folder = [folder, Path::new(DISK)]
        .into_iter()
        .find(|folder| is_on_disk(folder) && free(folder) >= size)
        .ok_or_else(|| {
            io::Error::other("no folder for temporary files is on a disk with enough free space")
        })?;
    let file = File::options()
        .read(true)
        .write(true)
        .custom_flags(libc::O_TMPFILE)
        .mode(0o600)
        .open(folder)?;
    file.set_len(size)?;
    Ok(file)
}

fn is_on_disk(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|stat| {
        let kind = u64::try_from(stat.f_type).unwrap_or_default() & 0xffff_ffff;
        !IN_MEMORY.contains(&kind)
    })
}

/// Free bytes of the file system of a folder.
fn free(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(0, |stat| stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Creates the file system without a journal, since it does not outlive the sandbox.
fn format(file: &File, size: u64, owner: Outer) -> io::Result<()> {
    let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
    let options = format!("root_owner={owner},lazy_itable_init=1,nodiscard");
    let inodes = (size / BYTES_PER_INODE).max(1024).to_string();
    let made = Command::new("mkfs.ext4")
        .args(["-q", "-F", "-m", "0", "-O", "^has_journal,^resize_inode"])
        .args(["-E", &options, "-N", &inodes, &path])
        .env("PATH", "/usr/sbin:/sbin:/usr/bin:/bin")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if made.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!("mkfs.ext4 failed ({made})")))
    }
}
