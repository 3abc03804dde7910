//! A solution's files, in memory, so that changing one needs no copy on disk.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::Error;

/// One file of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceFile {
    /// Content.
    pub bytes: Vec<u8>,
    /// Whether it may be executed.
    pub executable: bool,
}

impl WorkspaceFile {
    /// Reads a file; a link is followed.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let meta = fs::metadata(path).map_err(Error::io("read", path))?;
        Ok(Self {
            bytes: fs::read(path).map_err(Error::io("read", path))?,
            executable: meta.permissions().mode() & 0o100 != 0,
        })
    }
}

/// Whether a path names something below the folder that it is joined to: it has components, and all are names.
#[must_use]
pub fn is_below(path: &Path) -> bool {
    let name = |part: Component<'_>| matches!(part, Component::Normal(_));
    path.components().next().is_some() && path.components().all(name)
}

/// The regular files of a workspace by path. Links and byte-code caches are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workspace {
    /// Path relative to the workspace, and the file.
    pub files: BTreeMap<PathBuf, WorkspaceFile>,
}

impl Workspace {
    /// A workspace with one file.
    #[must_use]
    pub fn of_file(path: impl Into<PathBuf>, text: &str) -> Self {
        let mut workspace = Self::default();
        workspace.put(path.into(), text);
        workspace
    }

    /// Reads the folder `dir`, which must not be a link itself: the author of the parent folder
    /// must not choose which host files are read.
    ///
    /// # Errors
    /// If a folder or file cannot be read, or `dir` is a link.
    pub fn read(dir: &Path) -> Result<Self, Error> {
        let meta = dir.symlink_metadata().map_err(Error::io("read", dir))?;
        if meta.is_symlink() {
            return Err(Error::Request(format!(
                "{} is a link, which slope does not follow\nhelp: use the folder itself, or copy the files there",
                dir.display()
            )));
        }
        let is_kept = |entry: &DirEntry| {
            let is_left_out = entry.file_name() == "__pycache__" || entry.file_name() == ".git";
            entry.depth() == 0 || !(is_left_out && entry.file_type().is_dir())
        };
        let mut workspace = Self::default();
        for entry in WalkDir::new(dir).into_iter().filter_entry(is_kept) {
            let entry = entry.map_err(|error| {
                let path = error.path().unwrap_or(dir).to_owned();
                let source = error.into_io_error();
                Error::io("read", &path)(source.unwrap_or_else(|| ErrorKind::Other.into()))
            })?;
            if entry.file_type().is_file() {
                let relative = entry.path().strip_prefix(dir).unwrap_or(entry.path());
                let file = WorkspaceFile::read(entry.path())?;
                workspace.files.insert(relative.to_owned(), file);
            }
        }
        Ok(workspace)
    }

    /// Stores a file, replacing one at the same path.
    pub fn put(&mut self, path: PathBuf, text: &str) {
        let executable = self.files.get(&path).is_some_and(|f| f.executable);
        let bytes = text.as_bytes().to_vec();
        self.files.insert(path, WorkspaceFile { bytes, executable });
    }

    /// Adds a file that does not exist yet.
    ///
    /// # Errors
    /// If a different file has the path.
    pub fn add(&mut self, path: PathBuf, file: WorkspaceFile) -> Result<(), Error> {
        match self.files.get(&path) {
            Some(there) if *there != file => Err(Error::Request(format!(
                "two files would be called {}\nhelp: give one of them another path",
                path.display()
            ))),
            _ => {
                self.files.insert(path, file);
                Ok(())
            }
        }
    }

    /// Writes the files to the folder `out`, which must not exist. On failure nothing is left.
    ///
    /// # Errors
    /// If `out` exists or cannot be written, or a path leads out of it.
    pub fn create(&self, out: &Path) -> Result<(), Error> {
        if out.symlink_metadata().is_ok() {
            return Err(Error::Request(format!(
                "{} already exists\nhelp: choose another folder, or remove it first",
                out.display()
            )));
        }
        let parent = match out.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
        let scratch = tempfile::Builder::new()
            .prefix(".being-written-")
            .tempdir_in(parent)
            .map_err(Error::io("make a folder in", parent))?;
        let made = scratch.path().join("whole");
        self.lay(&made)?;
        fs::rename(&made, out).map_err(Error::io("create", out))
    }

    /// Writes the files to the folder `dir`, creating it.
    ///
    /// # Errors
    /// If a path leads out of the folder, and then nothing is written; or a folder or file cannot
    /// be written.
    pub fn lay(&self, dir: &Path) -> Result<(), Error> {
        if let Some(path) = self.files.keys().find(|path| !is_below(path)) {
            return Err(Error::Request(format!(
                "a file called {:?} would be outside of {}\nhelp: give it a relative path without `..`",
                path.display().to_string(),
                dir.display()
            )));
        }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

    use super::*;

    #[test]
    fn file_outside_workspace_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let absolute = dir.path().join("absolute").display().to_string();
        for path in ["../beside", "a/../../beside", &absolute, "", "."] {
            let mut workspace = Workspace::of_file("a/inside", "i");
            workspace.put(PathBuf::from(path), "o");
            let out = dir.path().join("out");
            for told in [workspace.lay(&out), workspace.create(&out)] {
                let told = told.unwrap_err().to_string();
                assert!(told.contains("would be outside of"), "{path}: {told}");
            }
            let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
            assert!(left.is_empty(), "{path}: {left:?}");
        }
    }

    #[test]
    fn link_to_folder_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, link) = (dir.path().join("folder"), dir.path().join("link"));
        Workspace::of_file("a", "a").create(&folder).unwrap();
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        let told = Workspace::read(&link).unwrap_err().to_string();
        assert!(told.contains("is a link"), "{told}");
        let told = Workspace::default().create(&link).unwrap_err().to_string();
        assert!(told.contains("already exists"), "{told}");
    }

    #[test]
    fn conflicting_file_is_not_replaced() {
        let mut workspace = Workspace::of_file("config.yaml", "a");
        let file = |text: &str| WorkspaceFile {
            bytes: text.into(),
            executable: false,
        };
        workspace.add("config.yaml".into(), file("a")).unwrap();
        let told = workspace.add("config.yaml".into(), file("b")).unwrap_err();
        let told = told.to_string();
        assert!(told.contains("would be called config.yaml"), "{told}");
        assert_eq!(workspace.files[Path::new("config.yaml")], file("a"));
    }
}
