//! A case's folder, read as if whoever wrote into it were hostile.
//!
//! No link is followed at any step, nothing but regular files is opened for
//! reading, and no more than a limit is read.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};

/// Largest file whose content is compared.
const FILE_LIMIT: u64 = 16 << 20;

/// What lies at a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing.
    Nothing,
    /// A regular file with this content.
    File(Vec<u8>),
    /// Something else, in words.
    Other(String),
}

/// The folder that one case runs in.
#[derive(Debug)]
pub(super) struct CaseFolder {
    path: PathBuf,
}

impl CaseFolder {
    /// Makes a new folder with a name nobody can foresee below `parent` and lays the case's files there.
    pub(super) fn create<'a>(
        parent: &Path,
        files: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) -> io::Result<Self> {
        let path = tempfile::Builder::new()
            .prefix("")
            .rand_bytes(16)
            .tempdir_in(parent)?
            .keep();
        for (name, text) in files {
            let file = path.join(name);
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            File::create_new(file)?.write_all(text.as_bytes())?;
        }
        Ok(Self { path })
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What lies at `relative`, without following a link or waiting for anybody.
    pub(super) fn read(&self, relative: &str) -> Found {
        match self.open(relative) {
            Ok(file) => read_regular(file),
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR) => Found::Nothing,
            Err(rustix::io::Errno::LOOP) => Found::Other("a symbolic link".to_owned()),
            Err(other) => Found::Other(format!("something that cannot be opened ({other})")),
        }
    }

    fn open(&self, relative: &str) -> rustix::io::Result<OwnedFd> {
        let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut at = openat(CWD, &self.path, folder, Mode::empty())?;
        let parts: Vec<_> = relative
            .split('/')
            .filter(|p| !p.is_empty() && *p != ".")
            .collect();
        let (last, parents) = parts.split_last().ok_or(rustix::io::Errno::INVAL)?;
        for part in parents {
            // A link to a folder answers NOTDIR here; tell it from a missing folder.
            at = openat(&at, *part, folder, Mode::empty()).map_err(|e| link_or(&at, part, e))?;
        }
        let file =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        openat(&at, *last, file, Mode::empty())
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
    fn only_regular_files_below_the_folder_are_read() {
        let parent = tempfile::tempdir().unwrap();
        let laid = [("in/a.txt".to_owned(), "hello".to_owned())];
        let folder = CaseFolder::create(parent.path(), laid.iter().map(|(k, v)| (k, v))).unwrap();
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
}
