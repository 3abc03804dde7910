//! A solution's files, in memory, so that a changed one costs no copy on disk.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::Error;

/// One file of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceFile {
    /// Content.
    pub bytes: Vec<u8>,
    /// Whether it may be executed.
    pub executable: bool,
}

/// The regular files of a workspace by path. Links and byte-code caches are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workspace {
    /// Path relative to the workspace, and the file.
    pub files: BTreeMap<PathBuf, WorkspaceFile>,
}

impl Workspace {
    /// A workspace that holds one file.
    #[must_use]
    pub fn of_file(path: impl Into<PathBuf>, text: &str) -> Self {
        let mut workspace = Self::default();
        workspace.put(path.into(), text);
        workspace
    }

    /// Reads the folder `dir`.
    ///
    /// # Errors
    /// If a folder or file cannot be read.
    pub fn read(dir: &Path) -> Result<Self, Error> {
        let mut workspace = Self::default();
        let mut pending = vec![PathBuf::new()];
        while let Some(relative) = pending.pop() {
            let folder = dir.join(&relative);
            for entry in fs::read_dir(&folder).map_err(Error::io("list", &folder))? {
                let entry = entry.map_err(Error::io("list", &folder))?;
                let kind = entry.file_type().map_err(Error::io("read", &folder))?;
                let name = entry.file_name();
                if kind.is_dir() {
                    if name != "__pycache__" && name != ".git" {
                        pending.push(relative.join(name));
                    }
                } else if kind.is_file() {
                    let path = entry.path();
                    let meta = entry.metadata().map_err(Error::io("read", &path))?;
                    let file = WorkspaceFile {
                        bytes: fs::read(&path).map_err(Error::io("read", &path))?,
                        executable: meta.permissions().mode() & 0o100 != 0,
                    };
                    workspace.files.insert(relative.join(name), file);
                }
            }
        }
        Ok(workspace)
    }

    /// Lays down a file, in place of one at the same path.
    pub fn put(&mut self, path: PathBuf, text: &str) {
        let executable = self.files.get(&path).is_some_and(|f| f.executable);
        let bytes = text.as_bytes().to_vec();
        self.files.insert(path, WorkspaceFile { bytes, executable });
    }

    /// Writes the files below the folder `dir`, which is made.
    ///
    /// # Errors
    /// If a folder or file cannot be written.
    pub fn lay(&self, dir: &Path) -> Result<(), Error> {
        fs::create_dir_all(dir).map_err(Error::io("create", dir))?;
        for (path, file) in &self.files {
            let path = dir.join(path);
            if let Some(above) = path.parent() {
                fs::create_dir_all(above).map_err(Error::io("create", above))?;
            }
            fs::write(&path, &file.bytes).map_err(Error::io("write", &path))?;
            if file.executable {
                let mode = fs::Permissions::from_mode(0o755);
                fs::set_permissions(&path, mode).map_err(Error::io("write", &path))?;
            }
        }
        Ok(())
    }

    /// Writes the workspace as a plain tar file: equal workspaces give equal bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn pack(&self, tar: &Path) -> Result<(), Error> {
        let file = File::create(tar).map_err(Error::io("create", tar))?;
        let mut builder = tar::Builder::new(BufWriter::new(file));
        for (path, file) in &self.files {
            let mut header = tar::Header::new_gnu();
            header.set_size(file.bytes.len() as u64);
            header.set_mode(if file.executable { 0o755 } else { 0o644 });
            builder
                .append_data(&mut header, path, file.bytes.as_slice())
                .map_err(Error::io("write", tar))?;
        }
        let mut writer = builder.into_inner().map_err(Error::io("write", tar))?;
        writer.flush().map_err(Error::io("write", tar))
    }
}
