//! Mounts by descriptor: clones of host trees and small file systems, with their targets.
//!
//! Everything is attached through descriptors that were opened component by component, so a
//! symlink in an untrusted tree cannot move a mount elsewhere.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, mkdirat, openat};
use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags,
    OpenTreeFlags, fsconfig_create, fsconfig_set_flag, fsconfig_set_string, fsmount, fsopen,
    mount_change, move_mount, open_tree,
};

use crate::sys;

/// Kind of a mount point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Dir,
    File,
}

/// Separates the mount namespace from the one it was copied from.
pub(crate) fn make_private() -> io::Result<()> {
    Ok(mount_change(
        "/",
        MountPropagationFlags::REC | MountPropagationFlags::PRIVATE,
    )?)
}

/// A detached copy of the mounts at `path`, read-only and without set-user-id; without devices
/// unless it is one.
pub(crate) fn clone_tree(path: &Path) -> io::Result<(OwnedFd, Kind)> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let fd = open_tree(CWD, path, flags)?;
    let (kind, device) = match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
        FileType::Directory => (Kind::Dir, false),
        FileType::CharacterDevice => (Kind::File, true),
        _ => (Kind::File, false),
    };
    let attributes = sys::ATTR_RDONLY | sys::ATTR_NOSUID | if device { 0 } else { sys::ATTR_NODEV };
    sys::mount_setattr(fd.as_fd(), attributes, true)?;
    Ok((fd, kind))
}

/// A detached file system of the given type, without set-user-id and devices.
pub(crate) fn new_file_system(
    name: &str,
    options: &[(&str, Option<String>)],
    no_exec: bool,
) -> io::Result<OwnedFd> {
    let context = fsopen(name, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        match value {
            Some(value) => fsconfig_set_string(context.as_fd(), *key, value.as_str())?,
            None => fsconfig_set_flag(context.as_fd(), *key)?,
        }
    }
    fsconfig_create(context.as_fd())?;
    let mut attributes = MountAttrFlags::MOUNT_ATTR_NOSUID;
    if name != "devpts" {
        attributes |= MountAttrFlags::MOUNT_ATTR_NODEV;
    }
    if no_exec {
        attributes |= MountAttrFlags::MOUNT_ATTR_NOEXEC;
    }
    Ok(fsmount(
        context.as_fd(),
        FsMountFlags::FSMOUNT_CLOEXEC,
        attributes,
    )?)
}

/// Maximum number of files and folders in a memory file system of `size` bytes.
pub(crate) fn inodes(size: u64) -> u64 {
    (size / 4096).clamp(1024, 400_000)
}

/// A detached memory file system of at most `size` bytes.
pub(crate) fn tmpfs(size: u64, mode: u32) -> io::Result<OwnedFd> {
    let inodes = inodes(size);
    let options = [
        ("size", Some(size.max(4096).to_string())),
        ("nr_inodes", Some(inodes.to_string())),
        ("mode", Some(format!("{mode:o}"))),
    ];
    new_file_system("tmpfs", &options, false)
}

/// The detached file system on a device. It is too short-lived to initialise its tables in the background.
pub(crate) fn ext4(device: &Path) -> io::Result<OwnedFd> {
    let options = [
        ("source", Some(device.to_string_lossy().into_owned())),
        ("noinit_itable", None),
    ];
    new_file_system("ext4", &options, false)
}

/// Makes an attached or detached mount read-only.
pub(crate) fn seal(mount: BorrowedFd<'_>) -> io::Result<()> {
    sys::mount_setattr(mount, sys::ATTR_RDONLY, false)
}

/// A detached copy of the mount of `folder` with only this folder.
pub(crate) fn part(folder: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_EMPTY_PATH;
    Ok(open_tree(folder, c"", flags)?)
}

/// Attaches a detached mount over `place`.
pub(crate) fn attach(mount: BorrowedFd<'_>, place: BorrowedFd<'_>) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    Ok(move_mount(mount, c"", place, c"", flags)?)
}

/// Attaches a detached mount at the absolute path `target` below `root`, making the mount point.
pub(crate) fn attach_at(
    mount: BorrowedFd<'_>,
    root: BorrowedFd<'_>,
    target: &Path,
    kind: Kind,
) -> io::Result<()> {
    attach(mount, place(root, target, kind)?.as_fd())
}

/// Opens (and makes, if missing) the mount point for the absolute path `target` below `root`.
pub(crate) fn place(root: BorrowedFd<'_>, target: &Path, kind: Kind) -> io::Result<OwnedFd> {
    let names = names(target)?;
    let mut at = openat(
        root,
        c".",
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    for (i, name) in names.iter().enumerate() {
        let last = i + 1 == names.len();
        at = if last && kind == Kind::File {
            open_file(at.as_fd(), name)?
        } else {
            open_dir(at.as_fd(), name)?
        };
    }
    Ok(at)
}

/// The components of an absolute path without `.` and `..`.
fn names(target: &Path) -> io::Result<Vec<&[u8]>> {
    let mut names = Vec::new();
    let mut absolute = false;
    for component in target.components() {
        match component {
            Component::RootDir => absolute = true,
            Component::Normal(name) => names.push(name.as_bytes()),
            _ => return Err(io::Error::other("the path must not contain `.` or `..`")),
        }
    }
    if !absolute || names.is_empty() {
        return Err(io::Error::other("the path must be absolute and not `/`"));
    }
    Ok(names)
}

fn open_dir(at: BorrowedFd<'_>, name: &[u8]) -> io::Result<OwnedFd> {
    match mkdirat(at, name, Mode::from_raw_mode(0o755)) {
        Ok(()) | Err(Errno::EXIST | Errno::ROFS) => {}
        Err(e) => return Err(e.into()),
    }
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(at, name, flags, Mode::empty())?)
}

fn open_file(at: BorrowedFd<'_>, name: &[u8]) -> io::Result<OwnedFd> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    match openat(at, name, flags, Mode::from_raw_mode(0o644)) {
        Ok(_) | Err(Errno::EXIST | Errno::ROFS) => {}
        Err(e) => return Err(e.into()),
    }
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = openat(at, name, flags, Mode::empty())?;
    match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
        FileType::Directory | FileType::Symlink => Err(Errno::EXIST.into()),
        _ => Ok(fd),
    }
}

/// Opens the root of a mount for reading.
pub(crate) fn root_of(mount: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    const HERE: &CStr = c".";
    Ok(openat(
        mount,
        HERE,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?)
}
