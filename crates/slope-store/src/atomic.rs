//! Atomic writes: files are either complete or absent, whatever interrupts the writer.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

use crate::Error;

/// Writes `bytes` to `path` so that a reader sees the old content or the new, never a part.
///
/// Missing parent folders are made. The file is durable when this returns.
///
/// # Errors
/// When the folder cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = Pending::new(path)?;
    file.write_all(bytes)
        .map_err(Error::io("cannot write", path))?;
    file.sync()?.keep()
}

/// Writes `bytes` to a path that a user named: a file keeps its mode, and a device or a pipe is
/// written to directly. A link to a plain file is replaced and never followed: it may belong to an
/// examined repository and lead anywhere.
///
/// # Errors
/// As for [`write()`], and if the existing file is not writable.
pub fn write_to(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = || Error::io("cannot write", path);
    let Ok(there) = std::fs::metadata(path) else {
        return write(path, bytes);
    };
    // A file that the shell has already opened, such as `/dev/stdout`, is appended to.
    let is_open = path.starts_with("/dev") || path.starts_with("/proc");
    if is_open || !there.is_file() {
        let mut open = File::options().append(true).open(path).map_err(failed())?;
        return open.write_all(bytes).map_err(failed());
    }
    if path.is_symlink() {
        return write(path, bytes);
    }
    // Opening without truncation checks for write permission, which a rename would ignore.
    File::options().write(true).open(path).map_err(failed())?;
    let mut file = Pending::new(path)?;
    let unnamed = file.file.get_ref().file.as_file();
    unnamed
        .set_permissions(there.permissions())
        .map_err(failed())?;
    file.write_all(bytes).map_err(failed())?;
    file.sync()?.keep()
}

/// Paths of the files without their final names.
static PENDING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn pending() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every [`Pending`] and [`Whole`] file of this process. No new one can be created
/// afterwards: call it in a process that exits at once without dropping anything.
pub fn abandon_pending() {
    let pending = pending();
    for path in pending.iter() {
        // A file that was renamed meanwhile does not exist, and other errors cannot be reported.
        drop(std::fs::remove_file(path));
    }
    std::mem::forget(pending);
}

/// File not renamed yet, listed for removal on a signal while it exists.
#[derive(Debug)]
struct Unnamed {
    file: NamedTempFile,
    _listed: Listed,
}

/// An entry of the list of files without their names.
#[derive(Debug)]
struct Listed(PathBuf);

impl Unnamed {
    fn new_in(folder: &Path) -> Result<Self, Error> {
        // Held while the file is made, so that every file is in the list.
        let mut pending = pending();
        let file = new_file_in(folder)?;
        let path = file.path().to_owned();
        pending.insert(path.clone());
        Ok(Self {
            file,
            _listed: Listed(path),
        })
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        pending().remove(&self.0);
    }
}

impl Write for Unnamed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// A file that is written in pieces and renamed when it is complete. Dropped before that, it leaves
/// nothing behind.
#[derive(Debug)]
pub struct Pending {
    file: BufWriter<Unnamed>,
    path: PathBuf,
}

/// A file with durable content that has not been renamed yet. Dropped before [`Whole::keep`], it
/// leaves nothing behind.
#[derive(Debug)]
pub struct Whole {
    file: Unnamed,
    path: PathBuf,
}

impl Pending {
    /// Begins the file for `path`. Missing parent folders are made.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let folder = folder_of(path);
        std::fs::create_dir_all(folder).map_err(Error::io("cannot create", folder))?;
        Ok(Self {
            file: BufWriter::new(Unnamed::new_in(folder)?),
            path: path.to_owned(),
        })
    }

    /// Completes the file. Its content is durable when this returns; the file at the final path is
    /// unchanged.
    ///
    /// # Errors
    /// If the rest of it cannot be written.
    pub fn sync(self) -> Result<Whole, Error> {
        let path = self.path;
        let file = self.file.into_inner().map_err(|e| e.into_error());
        let file = file.map_err(Error::io("cannot write", &path))?;
        file.file
            .as_file()
            .sync_all()
            .map_err(Error::io("cannot write", &path))?;
        Ok(Whole { file, path })
    }
}

impl Whole {
    /// Gives the file its final path if nothing is there. Returns whether it did; then it is durable.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn keep_new(self) -> Result<bool, Error> {
        let path = &self.path;
        match self.file.file.persist_noclobber(path) {
            Ok(_) => sync_folder(folder_of(path)).map(|()| true),
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(Error::io("cannot write", path)(error.error)),
        }
    }

    /// Renames the file to its final path, replacing any existing one. It is durable when this
    /// returns.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn keep(self) -> Result<(), Error> {
        let path = &self.path;
        self.file
            .file
            .persist(path)
            .map_err(|e| Error::io("cannot write", path)(e.error))?;
        sync_folder(folder_of(path))
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// The folder of a file. A bare file name has the empty path as its parent.
fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// A new file with the permissions of the user's umask, to be renamed when it is complete.
pub(crate) fn new_file_in(folder: &Path) -> Result<tempfile::NamedTempFile, Error> {
    tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(Error::io("cannot write in", folder))
}

/// Makes a rename or a new file in `folder` durable.
fn sync_folder(folder: &Path) -> Result<(), Error> {
    File::open(folder)
        .and_then(|f| f.sync_all())
        .map_err(Error::io("cannot sync", folder))
}

/// Writes `value` as indented JSON with a final newline, atomically.
///
/// # Errors
/// As for [`write()`].
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    write(path, &json_bytes(path, value)?)
}

/// As [`write_json`], but only if nothing is at the path. Returns whether it was written.
///
/// # Errors
/// As for [`write()`].
pub fn create_json<T: Serialize>(path: &Path, value: &T) -> Result<bool, Error> {
    let mut file = Pending::new(path)?;
    file.write_all(&json_bytes(path, value)?)
        .map_err(Error::io("cannot write", path))?;
    file.sync()?.keep_new()
}

fn json_bytes<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>, Error> {
    let mut bytes = serde_json::to_vec_pretty(value)
        .map_err(|e| Error::io("cannot serialise", path)(std::io::Error::other(e)))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads a JSON file.
///
/// # Errors
/// If it cannot be read, or does not have the expected form; the message has file and line.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let bytes = std::fs::read(path).map_err(Error::io("cannot read", path))?;
    serde_json::from_slice(&bytes).map_err(|e| Error::Malformed {
        path: path.to_owned(),
        line: e.line(),
        message: e.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_replaces_file_without_leftovers() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b.json");
        write_json(&path, &vec![1, 2, 3]).unwrap();
        write_json(&path, &vec![4]).unwrap();
        assert_eq!(read_json::<Vec<u32>>(&path).unwrap(), vec![4]);
        assert_eq!(std::fs::read_dir(dir.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn write_keeps_modes_and_replaces_links() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        write_to(&at("new/file"), b"one").unwrap();
        std::fs::set_permissions(at("new/file"), PermissionsExt::from_mode(0o640)).unwrap();
        write_to(&at("new/file"), b"two").unwrap();
        let mode = std::fs::metadata(at("new/file")).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o640);
        // A link is replaced, not followed.
        for (link, target) in [("link", "new/file"), ("ahead", "later")] {
            std::os::unix::fs::symlink(target, at(link)).unwrap();
            write_to(&at(link), b"three").unwrap();
            assert!(!at(link).is_symlink());
            assert_eq!(std::fs::read(at(link)).unwrap(), b"three");
        }
        assert_eq!(std::fs::read(at("new/file")).unwrap(), b"two");
        assert!(!at("later").exists());
        // A device accepts the bytes and remains a device.
        std::os::unix::fs::symlink("/dev/null", at("null")).unwrap();
        write_to(&at("null"), b"four").unwrap();
        assert!(!std::fs::metadata(at("null")).unwrap().is_file());
    }

    #[test]
    fn unkept_write_leaves_old_content() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows.csv");
        write(&path, b"old").unwrap();
        let mut file = Pending::new(&path).unwrap();
        file.write_all(b"new, ").unwrap();
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        let mut file = Pending::new(&path).unwrap();
        file.write_all(b"new, ").unwrap();
        file.write_all(b"whole").unwrap();
        let file = file.sync().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        file.keep().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new, whole");
    }

    #[test]
    fn pending_files_are_listed_until_kept() {
        let dir = tempfile::tempdir().unwrap();
        // Other tests have files of their own.
        let listed = || {
            let all = pending();
            all.iter().filter(|p| p.starts_with(dir.path())).count()
        };
        let first = Pending::new(&dir.path().join("a")).unwrap();
        let second = Pending::new(&dir.path().join("b")).unwrap();
        assert_eq!(listed(), 2);
        let second = second.sync().unwrap();
        drop(first);
        assert_eq!(listed(), 1);
        second.keep().unwrap();
        assert_eq!(listed(), 0);
    }

    #[test]
    fn malformed_json_names_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.json");
        std::fs::write(&path, "[1,\n2,\nx]").unwrap();
        let message = read_json::<Vec<u32>>(&path).unwrap_err().to_string();
        assert!(message.contains("x.json:3:"), "{message}");
    }
}
