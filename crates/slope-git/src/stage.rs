//! The index, and the files of a worktree.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::{Mode, Stage};
use slope_model::path::shown_bytes;

use crate::repo::one_line;
use crate::{Error, Id, Kind, Reader};

/// Storage of a file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// In the repository.
    Blob(Id),
    /// On disk, changed since it was last added.
    Disk(PathBuf),
}

/// A tracked file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// Path from the top of the worktree.
    pub path: String,
    /// Its kind.
    pub kind: Kind,
    /// Its content.
    pub content: Content,
}

impl Reader {
    /// The staged files, for the next commit, in order of path.
    ///
    /// # Errors
    /// If the repository is bare, or the index cannot be read or contains conflicts.
    pub fn staged(&self) -> Result<Vec<Staged>, Error> {
        if self.repo.workdir().is_none() {
            return Err(Error::Bare {
                path: self.path.clone(),
            });
        }
        self.entries(|_, _| None)
    }

    /// The tracked files in their worktree state, in order of path. Files that have not changed
    /// since they were added are not read. Deleted and untracked files are left out.
    ///
    /// # Errors
    /// If the repository is bare, or the index cannot be read or contains conflicts.
    pub fn worktree(&self) -> Result<Vec<Staged>, Error> {
        let Some(root) = self.repo.workdir() else {
            return Err(Error::Bare {
                path: self.path.clone(),
            });
        };
        // A change during or after writing the index may not show in the file's metadata.
        let time = |file: &Metadata| (file.mtime(), file.mtime_nsec());
        let index = std::fs::metadata(self.repo.index_path());
        let written = index.map_or((0, 0), |index| time(&index));
        self.entries(|path, stat| {
            let file = root.join(path.to_path_lossy());
            let metadata = std::fs::symlink_metadata(&file).ok();
            // Any other type of file in its place is neither followed nor read.
            let Some(metadata) = metadata.filter(Metadata::is_file) else {
                return Some(None);
            };
            let same = time(&metadata) < written && is_unchanged(stat, &metadata);
            (!same).then_some(Some(file))
        })
    }

    /// `disk` reports whether a file is unchanged (`None`), deleted, or on disk.
    fn entries(
        &self,
        disk: impl Fn(&BStr, &gix::index::entry::Stat) -> Option<Option<PathBuf>>,
    ) -> Result<Vec<Staged>, Error> {
        let failed = |message: String, remedy| Error::Index {
            path: self.path.clone(),
            message,
            remedy,
        };
        let index = self.repo.index_or_empty();
        let index = index.map_err(|error| {
            failed(
                one_line(&error),
                "delete it and create a new one with `git reset`",
            )
        })?;
        let mut found = Vec::with_capacity(index.entries().len());
        for entry in index.entries() {
            let path = shown_bytes(entry.path(&index)).into_owned();
            if entry.stage() != Stage::Unconflicted {
                let message = format!("{path} has a merge conflict");
                return Err(failed(
                    message,
                    "resolve the conflict, then run `git add` on the file",
                ));
            }
            let kind = match entry.mode {
                Mode::COMMIT => Kind::Submodule,
                Mode::SYMLINK => Kind::Link,
                Mode::DIR => {
                    let message = format!("{path} is a folder of a sparse index");
                    return Err(failed(
                        message,
                        "run `git sparse-checkout reapply --no-sparse-index`, which changes no file",
                    ));
                }
                _ => Kind::File,
            };
            let content = match disk(entry.path(&index), &entry.stat) {
                None => Content::Blob(Id(entry.id)),
                Some(_) if kind != Kind::File => Content::Blob(Id(entry.id)),
                Some(None)
                    if entry
                        .flags
                        .contains(gix::index::entry::Flags::SKIP_WORKTREE) =>
                {
                    Content::Blob(Id(entry.id))
                }
                Some(None) => continue,
                Some(Some(file)) => Content::Disk(file),
            };
            found.push(Staged {
                path,
                kind,
                content,
            });
        }
        Ok(found)
    }
}

/// Whether a file's metadata match those in the index. Only the fields on which git implementations
/// agree are compared.
fn is_unchanged(stat: &gix::index::entry::Stat, metadata: &Metadata) -> bool {
    let seconds = i64::from(stat.mtime.secs);
    let nanoseconds = i64::from(stat.mtime.nsecs);
    u64::from(stat.size) == metadata.len() & u64::from(u32::MAX)
        && seconds == metadata.mtime()
        && nanoseconds == metadata.mtime_nsec()
}
