//! A case's folder, read safely because its writer may be hostile.
//!
//! No link is followed at any step, only regular files are opened for reading, and the size read is
//! limited.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, mkdirat, openat, unlinkat};
use rustix::io::Errno;

/// Largest file whose content is compared, in bytes.
const FILE_LIMIT: u64 = 16 << 20;

/// The entry at a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing.
    Nothing,
    /// A regular file with this content.
    File(Vec<u8>),
    /// Something else, described in text.
    Other(String),
}

/// The folder of one case.
#[derive(Debug)]
pub(super) struct CaseFolder {
    path: PathBuf,
}

impl CaseFolder {
    /// Creates a folder with an unpredictable name below `parent`.
    pub(super) fn create(parent: &Path) -> io::Result<Self> {
        let path = tempfile::Builder::new()
            .prefix("")
            .rand_bytes(16)
            .tempdir_in(parent)?
            .keep();
        Ok(Self { path })
    }

    /// Writes a file and its parent folders, replacing any old file. No link is followed.
    pub(super) fn write(&self, relative: &str, bytes: &[u8]) -> io::Result<()> {
        let (parent, name) = self.parent(relative, true)?;
        remove(&parent, name)?;
        let new =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&parent, name, new, Mode::from_raw_mode(0o644))?;
        File::from(file).write_all(bytes)
    }

    /// Removes the file or the folder with its content; a missing one is fine. No link is followed.
    pub(super) fn remove(&self, relative: &str) -> io::Result<()> {
        match self.parent(relative, false) {
            Ok((parent, name)) => remove(&parent, name),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
            Err(why) => Err(why.into()),
        }
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the entry at `relative`, without following a link or blocking.
    pub(super) fn read(&self, relative: &str) -> Found {
        match self.open(relative) {
            Ok(file) => read_regular(file),
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => Found::Nothing,
            Err(rustix::io::Errno::LOOP) => Found::Other("a symbolic link".to_owned()),
            Err(other) => Found::Other(format!("something that cannot be opened ({other})")),
        }
    }

    fn open(&self, relative: &str) -> rustix::io::Result<OwnedFd> {
        let (parent, name) = self.parent(relative, false)?;
        let file =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        openat(&parent, name, file, Mode::empty())
    }

    /// The parent folder of `relative`, and the last part of its name; missing folders are created
    /// if `make`.
    fn parent<'p>(&self, relative: &'p str, make: bool) -> rustix::io::Result<(OwnedFd, &'p str)> {
        let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut at = openat(CWD, &self.path, folder, Mode::empty())?;
        let parts: Vec<_> = relative
            .split('/')
            .filter(|p| !p.is_empty() && *p != ".")
            .collect();
        let (last, parents) = parts.split_last().ok_or(Errno::INVAL)?;
        for part in parents {
            if make {
                match mkdirat(&at, *part, Mode::from_raw_mode(0o755)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(why) => return Err(why),
                }
            }
            // A link to a folder gives NOTDIR here; distinguish it from a missing folder.
            at = openat(&at, *part, folder, Mode::empty()).map_err(|e| link_or(&at, part, e))?;
        }
        Ok((at, last))
    }
}

/// Removes the entry `name` of `parent`; a folder with its content.
fn remove(parent: &OwnedFd, name: &str) -> io::Result<()> {
    match unlinkat(parent, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        // Through the open folder, so that a link swapped in meanwhile cannot redirect the removal.
        Err(Errno::ISDIR) => {
            fs::remove_dir_all(format!("/proc/self/fd/{}/{name}", parent.as_raw_fd()))
        }
        Err(why) => Err(why.into()),
    }
}

/// `LOOP` if `name` is a link, otherwise the error as it was.
fn link_or(at: &OwnedFd, name: &str, error: rustix::io::Errno) -> rustix::io::Errno {
    match rustix::fs::statat(at, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => {
            rustix::io::Errno::LOOP
        }
        _ => error,
    }
}

fn read_regular(file: OwnedFd) -> Found {
    let kind = match fstat(&file) {
        Ok(stat) => FileType::from_raw_mode(stat.st_mode),
        Err(why) => return Found::Other(format!("something that cannot be looked at ({why})")),
    };
    match kind {
        FileType::RegularFile => {}
        FileType::Directory => return Found::Other("a folder".to_owned()),
        FileType::Fifo => return Found::Other("a pipe".to_owned()),
        _ => return Found::Other("neither a file nor a folder".to_owned()),
    }
    let mut bytes = Vec::new();
    match File::from(file)
        .take(FILE_LIMIT + 1)
        .read_to_end(&mut bytes)
    {
        Err(why) => Found::Other(format!("a file that cannot be read ({why})")),
        Ok(read) if read as u64 > FILE_LIMIT => {
            Found::Other(format!("a file of more than {FILE_LIMIT} bytes"))
        }
        Ok(_) => Found::File(bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_regular_files_inside_are_read() {
        let parent = tempfile::tempdir().unwrap();
        let folder = CaseFolder::create(parent.path()).unwrap();
        folder.write("in/a.txt", b"hello").unwrap();
        assert_eq!(folder.read("in/a.txt"), Found::File(b"hello".to_vec()));
        assert_eq!(folder.read("in/b.txt"), Found::Nothing);
        assert_eq!(folder.read("none/b.txt"), Found::Nothing);
        assert_eq!(folder.read("in"), Found::Other("a folder".to_owned()));

        symlink("/etc/hostname", folder.path().join("link")).unwrap();
        symlink("/etc", folder.path().join("linked")).unwrap();
        let link = Found::Other("a symbolic link".to_owned());
        assert_eq!(folder.read("link"), link);
        assert_eq!(folder.read("linked/hostname"), link);

        let fifo = folder.path().join("fifo");
        rustix::fs::mknodat(CWD, &fifo, FileType::Fifo, Mode::RWXU, 0).unwrap();
        assert_eq!(folder.read("fifo"), Found::Other("a pipe".to_owned()));

        let huge = File::create(folder.path().join("huge")).unwrap();
        huge.set_len(1 << 40).unwrap();
        assert!(matches!(folder.read("huge"), Found::Other(what) if what.contains("more than")));
    }

    #[test]
    fn files_are_not_written_through_links() {
        let parent = tempfile::tempdir().unwrap();
        let outside = parent.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "kept").unwrap();
        let folder = CaseFolder::create(parent.path()).unwrap();
        symlink(outside.join("kept"), folder.path().join("a")).unwrap();
        symlink(&outside, folder.path().join("linked")).unwrap();
        fs::create_dir_all(folder.path().join("b/c")).unwrap();
        symlink(&outside, folder.path().join("b/c/linked")).unwrap();

        folder.write("a", b"new").unwrap();
        assert_eq!(folder.read("a"), Found::File(b"new".to_vec()));
        folder.write("b", &[0xff]).unwrap();
        assert_eq!(folder.read("b"), Found::File(vec![0xff]));
        assert!(folder.write("linked/kept", b"new").is_err());
        assert!(folder.remove("linked/kept").is_err());
        folder.remove("linked").unwrap();
        folder.remove("none/at/all").unwrap();
        assert_eq!(folder.read("linked"), Found::Nothing);
        assert_eq!(fs::read_to_string(outside.join("kept")).unwrap(), "kept");
    }
}
