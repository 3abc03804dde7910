//! Export of snapshots as tar streams; no file is completely in memory.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use slope_model::snapshot::EntryKind;

use super::{Snapshots, tar_error};
use crate::Error;

impl Snapshots {
    /// Writes a snapshot as a tar stream: path order, zero times, owner 0.
    ///
    /// # Errors
    /// When an object is missing or the stream cannot be written.
    pub fn export_tar(&self, id: &str, out: impl Write) -> Result<(), Error> {
        let mut tar = tar::Builder::new(out);
        for entry in self.manifest(id)?.entries {
            let mut header = tar::Header::new_gnu();
            header.set_mtime(0);
            match &entry.kind {
                EntryKind::File {
                    hash,
                    size,
                    executable,
                } => {
                    header.set_mode(if *executable { 0o755 } else { 0o644 });
                    header.set_size(*size);
                    let mut blob = self.open_blob(hash)?;
                    let appended = tar.append_data(&mut header, &entry.path, &mut blob);
                    self.check_blob(hash, *size, &blob)?;
                    appended
                }
                EntryKind::Symlink { target } => {
                    header.set_entry_type(tar::EntryType::Symlink);
                    header.set_mode(0o777);
                    header.set_size(0);
                    tar.append_link(&mut header, &entry.path, target)
                }
                EntryKind::Directory => {
                    header.set_entry_type(tar::EntryType::Directory);
                    header.set_mode(0o755);
                    header.set_size(0);
                    tar.append_data(&mut header, &entry.path, std::io::empty())
                }
            }
            .map_err(tar_error)?;
        }
        tar.finish().map_err(tar_error)
    }

    /// Writes a snapshot's tar to a file.
    ///
    /// # Errors
    /// As for [`Self::export_tar`].
    pub fn export_tar_file(&self, id: &str, path: &Path) -> Result<(), Error> {
        let file = File::create(path).map_err(Error::io("cannot create", path))?;
        let mut out = std::io::BufWriter::new(file);
        self.export_tar(id, &mut out)?;
        out.flush().map_err(Error::io("cannot write", path))
    }

    /// Opens a file for streaming; see [`Self::check_blob`].
    fn open_blob(&self, hash: &str) -> Result<HashedReader, Error> {
        let file =
            File::open(self.blob_path(hash)).map_err(|_| self.missing(hash, "no such object"))?;
        Ok(HashedReader {
            file,
            hasher: blake3::Hasher::new(),
            read: 0,
        })
    }

    /// Checks the streamed bytes against the hash.
    fn check_blob(&self, hash: &str, size: u64, blob: &HashedReader) -> Result<(), Error> {
        if blob.read == size && blob.hasher.finalize().to_hex().as_str() == hash {
            return Ok(());
        }
        Err(self.missing(
            hash,
            "its bytes were changed\nhelp: restore the object, or run again",
        ))
    }
}

/// A file that is hashed while it is read.
struct HashedReader {
    file: File,
    hasher: blake3::Hasher,
    read: u64,
}

impl Read for HashedReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.file.read(buffer)?;
        self.hasher.update(&buffer[..n]);
        self.read += n as u64;
        Ok(n)
    }
}
