//! Room for a sandbox's files: on the host's disk where the kernel permits it, else in memory.
//!
//! On disk it is one file system in a sparse file without a name, which all writable places share, so what a
//! program sees as free is what it may use. Only root may mount one. Elsewhere each place is a memory file system.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::fs::{StatVfs, fstatvfs};

use crate::ids::Outer;
use crate::{mounts, sys};

/// Bytes that places in memory may hold before they count as memory of the sandbox.
pub(crate) const FREE_IN_MEMORY: u64 = 4 << 30;
/// A place without this many free pages, or without free inodes, is full.
const LAST_PAGES: u64 = 4;
/// Where the sparse file may lie if the folder for temporary files is in memory itself.
const DISK: &str = "/var/tmp";
/// File systems in memory, as `statfs` names them.
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];
/// Bytes for each file or folder that the file system can hold.
const BYTES_PER_INODE: u64 = 16 << 10;

/// The places of a sandbox that its command writes to.
#[derive(Debug, Default)]
pub(crate) struct Space {
    roots: Vec<(OwnedFd, bool)>,
}

impl Space {
    /// Watches one more place, which is `in_memory` or on disk.
    pub(crate) fn add(&mut self, root: OwnedFd, in_memory: bool) {
        self.roots.push((root, in_memory));
    }

    fn stats(&self) -> impl Iterator<Item = (StatVfs, bool)> {
        let stat = |(root, in_memory): &(OwnedFd, bool)| Some((fstatvfs(root).ok()?, *in_memory));
        self.roots.iter().filter_map(stat)
    }

    /// Whether a place has no room left, for bytes or for files.
    pub(crate) fn is_full(&self) -> bool {
        self.stats()
            .any(|(stat, _)| stat.f_bavail <= LAST_PAGES || stat.f_favail == 0)
    }

    /// Bytes that count as memory.
    pub(crate) fn memory(&self) -> u64 {
        let used = |stat: StatVfs| (stat.f_blocks - stat.f_bfree).saturating_mul(stat.f_frsize);
        let held = self.stats().filter(|(_, in_memory)| *in_memory);
        let held: u64 = held.map(|(stat, _)| used(stat)).sum();
        held.saturating_sub(FREE_IN_MEMORY)
    }
}

/// A detached file system of `size` bytes on the disk that `folder` is on, or that of `/var/tmp`.
///
/// # Errors
/// When this process is not root on the machine, there is no loop device or `mkfs.ext4`, or no disk.
pub(crate) fn on_disk(folder: &Path, size: u64, owner: Outer) -> io::Result<OwnedFd> {
    if !nix::unistd::geteuid().is_root() {
        return Err(io::Error::other("only root may mount a file system"));
    }
    let file = sparse(folder, size)?;
    format(&file, size, owner)?;
    let device = sys::loop_device(file.as_fd())?;
    mounts::ext4(&device.path)
}

/// A file without a name and without content, which is gone when nobody has it open.
fn sparse(folder: &Path, size: u64) -> io::Result<File> {
    let folder = [folder, Path::new(DISK)]
        .into_iter()
        .find(|folder| is_on_disk(folder))
        .ok_or_else(|| io::Error::other("the folder for temporary files is in memory"))?;
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

/// Makes the file system, without a journal: nothing of it survives the sandbox.
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

/// A loop device, which is free again when nothing uses it.
pub(crate) struct LoopDevice {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Keeps it until it is mounted.
    pub(crate) _open: File,
}
