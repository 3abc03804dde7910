//! The files of a base as an archive, and copies of it with an edit.
//!
//! The archive of a base is written once. The one of a run is a copy of its parts, without the files that the edit
//! changes, and with these at its end. Parts are copied by the kernel.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use slope_grade::{EntryKind, Job, Layout};
use tempfile::NamedTempFile;

/// Files that differ from a base; `None` for one that is not there.
type Files = BTreeMap<String, Option<Arc<[u8]>>>;

/// The archive of a base.
pub(crate) struct BaseArchive {
    file: NamedTempFile,
    /// Paths in the order of the archive, with the end of each entry.
    entries: Vec<(String, u64)>,
}

/// A writer that counts.
struct Counter<W> {
    inner: W,
    count: u64,
}

impl<W: Write> Write for Counter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl BaseArchive {
    /// Writes the files of a base.
    pub(crate) fn write(layout: &Layout, folder: &Path) -> io::Result<Self> {
        let file = NamedTempFile::new_in(folder)?;
        let writer = Counter {
            inner: BufWriter::new(file.as_file()),
            count: 0,
        };
        let mut tar = tar::Builder::new(writer);
        let mut entries = Vec::new();
        layout.read(|entry| {
            append(&mut tar, entry.path, entry.kind, entry.bytes)?;
            entries.push((entry.path.to_owned(), tar.get_ref().count));
            Ok(())
        })?;
        // Copies leave out the end of the archive, since entries follow.
        tar.into_inner()?.flush()?;
        Ok(Self { file, entries })
    }

    /// Writes an archive with the files of a run: all but those below `without`.
    pub(crate) fn copy_for(
        &self,
        job: &Job,
        without: Option<&str>,
        target: &Path,
    ) -> io::Result<()> {
        let mut base = File::open(self.file.path())?;
        let mut file = File::create(target)?;
        let hidden = Hidden::of(&job.files, without);
        let (mut begin, mut end) = (0, 0);
        for (path, next) in &self.entries {
            if hidden.hides(path) {
                copy(&mut base, begin, end, &mut file)?;
                begin = *next;
            }
            end = *next;
        }
        copy(&mut base, begin, end, &mut file)?;
        let mut tar = tar::Builder::new(BufWriter::new(file));
        for (path, text) in &job.files {
            let Some(text) = text else { continue };
            if without.is_some_and(|folder| is_below(path, folder)) {
                continue;
            }
            let kind = match job.layout.kind(path) {
                EntryKind::File if text.starts_with(b"#!") => EntryKind::Executable,
                kind => kind,
            };
            append(&mut tar, path, kind, text)?;
        }
        tar.into_inner()?.flush()
    }
}

/// Files of a base that a run does not have.
struct Hidden<'j> {
    changed: &'j Files,
    /// Folders around changed files, which no file or link of the base may replace.
    folders: BTreeSet<&'j str>,
    without: Option<&'j str>,
}

impl<'j> Hidden<'j> {
    fn of(changed: &'j Files, without: Option<&'j str>) -> Self {
        let new = changed.iter().filter(|(_, text)| text.is_some());
        Self {
            changed,
            folders: new.flat_map(|(path, _)| above(path)).collect(),
            without,
        }
    }

    fn hides(&self, path: &str) -> bool {
        let is_file = |folder: &str| self.changed.get(folder).is_some_and(Option::is_some);
        self.changed.contains_key(path)
            || self.folders.contains(path)
            || above(path).any(is_file)
            || self.without.is_some_and(|folder| is_below(path, folder))
    }
}

/// The folders around a path.
fn above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn copy(from: &mut File, begin: u64, end: u64, to: &mut File) -> io::Result<()> {
    from.seek(SeekFrom::Start(begin))?;
    io::copy(&mut from.take(end - begin), to).map(drop)
}

/// Adds an entry without times and owners.
fn append<W: Write>(
    tar: &mut tar::Builder<W>,
    path: &str,
    kind: EntryKind,
    bytes: &[u8],
) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_mode(if kind == EntryKind::File {
        0o644
    } else {
        0o755
    });
    if kind == EntryKind::Link {
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        let target = String::from_utf8_lossy(bytes);
        return tar.append_link(&mut header, path, target.as_ref());
    }
    header.set_size(bytes.len() as u64);
    tar.append_data(&mut header, path, bytes)
}
