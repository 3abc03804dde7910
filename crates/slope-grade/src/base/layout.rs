//! All files of a base, for a folder that tests run in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use slope_git::Reader;

use super::Base;
use super::sources::{Stored, bytes};
use crate::Error;

/// Number of the next layout.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The files of a base with their links and modes.
pub struct Layout {
    number: u64,
    files: BTreeMap<String, Stored>,
    links: BTreeMap<String, Stored>,
    executables: BTreeSet<String>,
    repo: Option<Arc<Mutex<Reader>>>,
}

/// A file of a layout.
#[derive(Debug)]
pub struct Entry<'a> {
    /// Path from the top of the base.
    pub path: &'a str,
    /// Its kind.
    pub kind: EntryKind,
    /// Its content; of a link, its target.
    pub bytes: &'a [u8],
}

/// Kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryKind {
    /// A file.
    File,
    /// A file that can be run.
    Executable,
    /// A symbolic link.
    Link,
}

impl Base {
    /// Its layout, made when it is first needed.
    pub(crate) fn layout(&self) -> Result<Arc<Layout>, Error> {
        if let Some(known) = self.layout.get() {
            return Ok(known.clone());
        }
        let mut executables = self.extras.executables.clone();
        if let (Some(tree), Some(reader)) = (self.extras.tree, self.reader()) {
            executables.extend(reader.executables(tree)?);
        }
        let layout = Layout {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            files: self.files.clone(),
            links: self.extras.links.clone(),
            executables,
            repo: self.repo.clone(),
        };
        Ok(self.layout.get_or_init(|| Arc::new(layout)).clone())
    }
}

impl Layout {
    /// A number that no other layout of this process has.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The kind of the file at a path, which the base need not have.
    #[must_use]
    pub fn kind(&self, path: &str) -> EntryKind {
        if self.executables.contains(path) {
            EntryKind::Executable
        } else {
            EntryKind::File
        }
    }

    /// Calls `each` with every file in order of path.
    ///
    /// # Errors
    /// If a file cannot be read, and those of `each`.
    pub fn read(&self, mut each: impl FnMut(Entry<'_>) -> io::Result<()>) -> io::Result<()> {
        let files = self.files.iter().map(|(path, stored)| {
            let kind = self.kind(path);
            (path, stored, kind)
        });
        let links = self.links.iter();
        let links = links.filter(|(path, _)| !self.files.contains_key(*path));
        let links = links.map(|(path, stored)| (path, stored, EntryKind::Link));
        let mut all: Vec<_> = files.chain(links).collect();
        all.sort_by_key(|(path, ..)| *path);
        for (path, stored, kind) in all {
            let content = self.content(path, stored)?;
            each(Entry {
                path,
                kind,
                bytes: &content,
            })?;
        }
        Ok(())
    }

    /// A whole file, however large.
    fn content(&self, path: &str, stored: &Stored) -> io::Result<Arc<[u8]>> {
        if let Stored::Disk(file) = stored {
            return Ok(fs::read(file)?.into());
        }
        let repo = self.repo.as_ref();
        let reader = repo.map(|repo| repo.lock().unwrap_or_else(PoisonError::into_inner));
        bytes(stored, reader.as_deref(), path).map_err(io::Error::other)
    }
}
