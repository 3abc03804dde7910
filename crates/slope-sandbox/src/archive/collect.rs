//! Packs a tree that a hostile command has left behind.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, Stat, chmodat, fstat, openat, readlinkat, statat,
};
use rustix::io::Errno;
use tar::{Builder, EntryType, Header};

use super::{MAX_ENTRIES, MAX_PATH, Notes};

/// Packs everything below `root` into `out`, at most `bytes` of file content. Returns notes on
/// omitted entries.
///
/// No process may run in the tree any more. Equal trees give equal bytes: entries are sorted by
/// name, times are zero, modes are reduced to "executable or not". Hard links become plain files.
pub(crate) fn collect(
    root: BorrowedFd<'_>,
    out: impl Write,
    bytes: u64,
) -> io::Result<Vec<String>> {
    let here = open_dir(root, b".")?;
    let device = fstat(&here)?.st_dev;
    let mut walk = Walk {
        tar: Builder::new(out),
        notes: Notes::default(),
        device,
        entries: 0,
        bytes,
        path: Vec::new(),
    };
    walk.run(here)?;
    walk.tar.into_inner()?.flush()?;
    Ok(walk.notes.into_lines())
}

struct Walk<W: Write> {
    tar: Builder<W>,
    notes: Notes,
    device: u64,
    entries: u64,
    bytes: u64,
    path: Vec<u8>,
}

/// One folder of the walk: names still to visit (last first), and the length of the path above it.
struct Level {
    names: Vec<Vec<u8>>,
    above: usize,
}

impl<W: Write> Walk<W> {
    /// Walks without recursion and with one descriptor: folders are left by `..`, which is safe
    /// because nothing runs.
    fn run(&mut self, mut here: OwnedFd) -> io::Result<()> {
        let mut levels = vec![Level {
            names: names_of(&here)?,
            above: 0,
        }];
        while let Some(level) = levels.last_mut() {
            let Some(name) = level.names.pop() else {
                let above = level.above;
                levels.pop();
                if !levels.is_empty() {
                    here = open_dir(here.as_fd(), b"..")?;
                    self.path.truncate(above);
                }
                continue;
            };
            let above = self.path.len();
            self.extend(&name);
            if let Some(below) = self.visit(here.as_fd(), &name)? {
                here = below;
                levels.push(Level {
                    names: names_of(&here)?,
                    above,
                });
            } else {
                self.path.truncate(above);
            }
        }
        Ok(())
    }

    fn extend(&mut self, name: &[u8]) {
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name);
    }

    /// Packs one entry. Returns the folder to descend into.
    fn visit(&mut self, dir: BorrowedFd<'_>, name: &[u8]) -> io::Result<Option<OwnedFd>> {
        let stat = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if stat.st_dev != self.device {
            return Ok(None); // another volume or a bind, collected or not on its own terms
        }
        if self.path.len() > MAX_PATH {
            self.notes.add(&self.path, "nested too deeply");
            return Ok(None);
        }
        if self.entries >= MAX_ENTRIES {
            self.notes.add(&self.path, "too many entries");
            return Ok(None);
        }
        self.entries += 1;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                let below = open_forced(dir, name, OFlags::DIRECTORY)?;
                let mut path = self.path.clone();
                path.push(b'/');
                self.append(EntryType::Directory, 0o755, 0, &path, io::empty())?;
                return Ok(Some(below));
            }
            FileType::RegularFile => self.file(dir, name, &stat)?,
            FileType::Symlink => self.symlink(dir, name)?,
            FileType::Socket => self.notes.add(&self.path, "socket"),
            FileType::Fifo => self.notes.add(&self.path, "fifo"),
            _ => self.notes.add(&self.path, "device"),
        }
        Ok(None)
    }

    fn file(&mut self, dir: BorrowedFd<'_>, name: &[u8], stat: &Stat) -> io::Result<()> {
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        if size > self.bytes {
            self.notes
                .add(&self.path, "larger than the remaining limit of the volume");
            return Ok(());
        }
        self.bytes -= size;
        let file = File::from(open_forced(dir, name, OFlags::empty())?);
        let mode = if stat.st_mode & 0o111 == 0 {
            0o644
        } else {
            0o755
        };
        // Padded, so that the archive stays well-formed even if the file turned out shorter.
        let content = file.chain(io::repeat(0)).take(size);
        let path = self.path.clone();
        self.append(EntryType::Regular, mode, size, &path, content)
    }

    fn symlink(&mut self, dir: BorrowedFd<'_>, name: &[u8]) -> io::Result<()> {
        let target = readlinkat(dir, name, Vec::new())?;
        let mut header = header(EntryType::Symlink, 0o777, 0);
        let path = Path::new(std::ffi::OsStr::from_bytes(&self.path));
        let target = Path::new(std::ffi::OsStr::from_bytes(target.as_bytes()));
        if header
            .set_link_name_literal(target.as_os_str().as_bytes())
            .is_ok()
        {
            self.tar.append_data(&mut header, path, io::empty())
        } else {
            self.tar.append_link(&mut header, path, target)
        }
    }

    fn append(
        &mut self,
        kind: EntryType,
        mode: u32,
        size: u64,
        path: &[u8],
        content: impl Read,
    ) -> io::Result<()> {
        let path = Path::new(std::ffi::OsStr::from_bytes(path));
        self.tar
            .append_data(&mut header(kind, mode, size), path, content)
    }
}

/// The header of an entry owned by root without a time, so that equal trees give equal bytes.
#[must_use]
pub fn header(kind: EntryType, mode: u32, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header
}

/// Names in a folder, in reverse order (they are taken from the end).
fn names_of(dir: &OwnedFd) -> io::Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(name.to_vec());
        }
        if names.len() as u64 > MAX_ENTRIES {
            break; // the walk stops at this number anyway and says so
        }
    }
    names.sort_unstable_by(|a, b| b.cmp(a));
    Ok(names)
}

fn open_dir(dir: BorrowedFd<'_>, name: &[u8]) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(dir, name, flags, Mode::empty())?)
}

/// Opens for reading despite the mode bits: as a privileged user inside a sandbox, as the owner
/// outside.
fn open_forced(dir: BorrowedFd<'_>, name: &[u8], more: OFlags) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | more;
    match openat(dir, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {
            chmodat(dir, name, Mode::RWXU, AtFlags::empty())?;
            Ok(openat(dir, name, flags, Mode::empty())?)
        }
        opened => Ok(opened?),
    }
}
