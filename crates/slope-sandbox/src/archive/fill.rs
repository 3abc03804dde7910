//! Unpacks the entries of an untrusted tar file below a directory.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, openat, symlinkat, unlinkat};
use rustix::io::Errno;
use tar::{Archive, Entry, EntryType};

use super::{MAX_ENTRIES, MAX_PATH, Notes};

/// Extracts `tar` below `root`. Returns notes on omitted entries.
///
/// Entries that would leave the tree, hard links, devices and sockets are omitted; modes are
/// reduced to `rwx`. Fails on a damaged tar file and when the file system is full.
pub(crate) fn fill(root: BorrowedFd<'_>, tar: impl Read) -> io::Result<Vec<String>> {
    let mut notes = Notes::default();
    let mut parents = Parents { root, last: None };
    let mut archive = Archive::new(tar);
    for (count, entry) in archive.entries()?.enumerate() {
        let mut entry = entry?;
        let path = entry.path_bytes().into_owned();
        if count as u64 >= MAX_ENTRIES {
            notes.add(&path, "too many entries");
            break;
        }
        match components(&path) {
            Err(why) => notes.add(&path, why),
            Ok(None) => {}
            Ok(Some((above, name))) => match lay(&mut parents, &above, name, &mut entry) {
                Ok(None) => {}
                Ok(Some(why)) => notes.add(&path, why),
                Err(e) if is_shape_error(&e) => notes.add(&path, "another entry is in the way"),
                Err(e) => return Err(e),
            },
        }
    }
    Ok(notes.into_lines())
}

/// Whether the entry collides with an earlier one (a file or a symlink in place of a needed folder,
/// or the reverse).
fn is_shape_error(e: &io::Error) -> bool {
    [Errno::NOTDIR, Errno::LOOP, Errno::ISDIR, Errno::EXIST]
        .iter()
        .any(|errno| e.raw_os_error() == Some(errno.raw_os_error()))
}

/// Folders above, and the last component.
type Split<'a> = (Vec<&'a [u8]>, &'a [u8]);

/// Splits a path into the parent components and the last one; `None` for the root itself.
fn components(path: &[u8]) -> Result<Option<Split<'_>>, &'static str> {
    if path.len() > MAX_PATH {
        return Err("the path is too long");
    }
    if path.starts_with(b"/") {
        return Err("absolute path");
    }
    if path.contains(&0) {
        return Err("NUL in the path");
    }
    let mut all: Vec<&[u8]> = path
        .split(|b| *b == b'/')
        .filter(|c| !c.is_empty() && *c != b".")
        .collect();
    if all.contains(&b"..".as_slice()) {
        return Err("path with `..`");
    }
    Ok(all.pop().map(|name| (all, name)))
}

/// Creates one entry. Returns the reason if it is omitted.
fn lay(
    parents: &mut Parents<'_>,
    above: &[&[u8]],
    name: &[u8],
    entry: &mut Entry<'_, impl Read>,
) -> io::Result<Option<&'static str>> {
    let mode = Mode::from_raw_mode(entry.header().mode().unwrap_or(0o644) & 0o777);
    match entry.header().entry_type() {
        EntryType::Directory => {
            let parent = parents.open(above)?;
            match mkdirat(parent, name, mode | Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(e) => return Err(e.into()),
            }
        }
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
            let parent = parents.open(above)?;
            remove(parent, name)?;
            let flags =
                OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = openat(parent, name, flags, mode)?;
            io::copy(entry, &mut File::from(file))?;
        }
        EntryType::Symlink => {
            let Some(target) = entry.link_name_bytes() else {
                return Ok(Some("symlink without a target"));
            };
            if target.is_empty() || target.len() > MAX_PATH || target.contains(&0) {
                return Ok(Some("symlink with an impossible target"));
            }
            let parent = parents.open(above)?;
            remove(parent, name)?;
            symlinkat(target.as_ref(), parent, name)?;
        }
        EntryType::Link => return Ok(Some("hard link")),
        EntryType::XGlobalHeader => {}
        _ => return Ok(Some("device or other special file")),
    }
    Ok(None)
}

/// Removes an earlier entry of the same name. A folder is kept, so that the caller fails.
fn remove(parent: BorrowedFd<'_>, name: &[u8]) -> io::Result<()> {
    match unlinkat(parent, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(e) => Err(e.into()),
    }
}

/// The folder of the last entry, so that neighbours need no walk.
struct Parents<'a> {
    root: BorrowedFd<'a>,
    last: Option<(Vec<Vec<u8>>, OwnedFd)>,
}

impl Parents<'_> {
    /// Opens the folder component by component, creating missing ones, never through a symlink.
    fn open(&mut self, path: &[&[u8]]) -> io::Result<BorrowedFd<'_>> {
        if path.is_empty() {
            return Ok(self.root);
        }
        let known = self
            .last
            .as_ref()
            .is_some_and(|(p, _)| p.iter().map(Vec::as_slice).eq(path.iter().copied()));
        if !known {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let mut at: Option<OwnedFd> = None;
            for name in path {
                let from = at.as_ref().map_or(self.root, AsFd::as_fd);
                match mkdirat(from, *name, Mode::from_raw_mode(0o755)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(e) => return Err(e.into()),
                }
                at = Some(openat(from, *name, flags, Mode::empty())?);
            }
            self.last = at.map(|fd| (path.iter().map(|c| c.to_vec()).collect(), fd));
        }
        Ok(self.last.as_ref().map_or(self.root, |(_, fd)| fd.as_fd()))
    }
}
