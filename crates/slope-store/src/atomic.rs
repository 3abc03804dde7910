//! Files that are either whole or absent, whatever interrupts the writer.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

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
    file.keep()
}

/// A file that is written piece by piece, and has its name only when it is whole. Dropped before
/// [`Pending::keep`] it leaves nothing behind.
#[derive(Debug)]
pub struct Pending {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Pending {
    /// Begins the file that is to be at `path`. Missing parent folders are made.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let folder = folder_of(path);
        std::fs::create_dir_all(folder).map_err(Error::io("cannot create", folder))?;
        Ok(Self {
            file: BufWriter::new(new_file_in(folder)?),
            path: path.to_owned(),
        })
    }

    /// Gives the file its name, in place of what had it. It is durable when this returns.
    ///
    /// # Errors
    /// When what is left of it cannot be written, or it cannot be renamed.
    pub fn keep(self) -> Result<(), Error> {
        let path = &self.path;
        let file = self.file.into_inner().map_err(|e| e.into_error());
        let file = file.map_err(Error::io("cannot write", path))?;
        file.as_file()
            .sync_all()
            .map_err(Error::io("cannot write", path))?;
        file.persist(path)
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

/// A new file with the permissions that the user's umask gives, to be renamed when it is whole.
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
/// As [`write()`].
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    let mut bytes = serde_json::to_vec_pretty(value)
        .map_err(|e| Error::io("cannot serialise", path)(std::io::Error::other(e)))?;
    bytes.push(b'\n');
    write(path, &bytes)
}

/// Reads a JSON file.
///
/// # Errors
/// When it cannot be read, or is not of the expected form; the message has file and line.
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
    fn a_write_replaces_the_whole_file_and_leaves_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b.json");
        write_json(&path, &vec![1, 2, 3]).unwrap();
        write_json(&path, &vec![4]).unwrap();
        assert_eq!(read_json::<Vec<u32>>(&path).unwrap(), vec![4]);
        assert_eq!(std::fs::read_dir(dir.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn what_is_not_kept_leaves_the_old_content_and_no_other_file() {
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
        file.keep().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new, whole");
    }

    #[test]
    fn a_malformed_file_is_named_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.json");
        std::fs::write(&path, "[1,\n2,\nx]").unwrap();
        let message = read_json::<Vec<u32>>(&path).unwrap_err().to_string();
        assert!(message.contains("x.json:3:"), "{message}");
    }
}
