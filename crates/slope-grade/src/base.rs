//! Bases: code bases that edits are applied to.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use slope_change::CodeBase;
use slope_git::{Id, Kind, Reader, Repo};
use slope_measure::{Choice, Content, EXCLUDED, Limits, Measurer, Options, Selection, Tests};
use slope_syntax::Language;

use crate::Error;

/// Largest file that an edit can change, in bytes.
pub(crate) const MAX_FILE_BYTES: u64 = 2 << 20;

/// A code base that edits are applied to. It does not change.
pub struct Base {
    pub(crate) measurer: Measurer,
    pub(crate) code: CodeBase,
    pub(crate) selection: Selection,
    files: BTreeMap<String, Stored>,
    /// The repository that blobs are read from.
    repo: Option<Mutex<Reader>>,
    id: String,
}

/// The content of a file.
enum Stored {
    /// In memory: code.
    Text(Arc<[u8]>),
    /// On disk.
    Disk(PathBuf),
    /// In the repository.
    Blob(Id),
}

/// The files of a base before they are read.
struct Listed {
    files: BTreeMap<String, Stored>,
    repo: Option<Repo>,
}

impl Base {
    /// Opens a folder, or a revision of a repository as `PATH@REVISION`.
    ///
    /// # Errors
    /// If it cannot be read, or has no code.
    pub fn open(name: &str, threads: usize) -> Result<Self, Error> {
        let listed = list(name)?;
        let measurer = Measurer::new(options(threads))?;
        let reader = listed.repo.as_ref().map(Repo::reader);
        let selection = {
            let read = |path: &str| bytes(listed.files.get(path)?, reader.as_ref(), path).ok();
            measurer.selection(listed.files.keys().map(String::as_str), &read)?
        };
        let mut files = listed.files;
        let contents = read_code(&measurer, &selection, &mut files, listed.repo.as_ref())?;
        if !contents
            .iter()
            .any(|(_, content)| matches!(content, Content::Code(_)))
        {
            return Err(Error::NoCode {
                path: name.to_owned(),
            });
        }
        let id = id_of(&files);
        Ok(Self {
            code: CodeBase::new(&measurer, contents),
            measurer,
            selection,
            files,
            repo: reader.map(Mutex::new),
            id,
        })
    }

    /// Hash of its code: `blake3:` and 64 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Number of its files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Paths of its files in order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The content of a file; `None` if the base does not have it or it cannot be read.
    pub(crate) fn bytes(&self, path: &str) -> Option<Arc<[u8]>> {
        let stored = self.files.get(path)?;
        if let Stored::Text(bytes) = stored {
            return Some(bytes.clone());
        }
        let reader = self.repo.as_ref().and_then(|reader| reader.lock().ok());
        let found = bytes(stored, reader.as_deref(), path).ok()?;
        (found.len() as u64 <= MAX_FILE_BYTES).then(|| found.into())
    }

    /// Whether code is not measured: by its place, or by a mark in it.
    pub(crate) fn leaves_out(&self, path: &str, content: Option<&Content>) -> bool {
        let is_marked = |content: &Content| content.generated().is_some();
        !self.measures(path) || content.is_some_and(is_marked)
    }

    /// As [`Self::leaves_out`], for a file of the base.
    pub(crate) fn left_out(&self, path: &str) -> bool {
        self.leaves_out(path, self.code.content(path))
    }

    /// Whether an entry of `tests.files` names a file: it, or a folder around it.
    pub(crate) fn has_below(&self, entry: &str) -> bool {
        let folder = format!("{entry}/");
        let mut below = self.files.range(folder.clone()..);
        self.has(entry)
            || below
                .next()
                .is_some_and(|(path, _)| path.starts_with(&folder))
    }

    /// Whether a path is measured if it has code.
    pub(crate) fn measures(&self, path: &str) -> bool {
        self.selection.choice(path) == Choice::Measured
    }
}

/// How bases and edits are measured: as the gate does, but comments in an edit silence nothing.
fn options(threads: usize) -> Options {
    let mut options = Options {
        ignore_files: true,
        leave_out: true,
        tests: Tests::Split,
        threads,
        ..Options::default()
    }
    .comparing();
    options.suppressions = None;
    options
}

/// The files of a folder or of a revision.
fn list(name: &str) -> Result<Listed, Error> {
    let folder = Path::new(name);
    if folder.is_dir() {
        return Ok(Listed {
            files: files_of_folder(folder),
            repo: None,
        });
    }
    let Some((path, revision)) = name
        .rsplit_once('@')
        .filter(|(path, _)| Path::new(path).is_dir())
    else {
        let source = folder.read_dir().err();
        let not_a_folder = || std::io::Error::other("it is not a folder");
        return Err(Error::Folder {
            path: name.to_owned(),
            source: source.unwrap_or_else(not_a_folder),
        });
    };
    let repo = Repo::open(Path::new(path))?;
    let files = {
        let reader = repo.reader();
        let commit = reader.commit(reader.resolve(revision)?)?;
        let files = reader.files(commit.tree, &|_| true)?.into_iter();
        let files = files.filter(|file| file.kind == Kind::File);
        files
            .map(|file| (file.path, Stored::Blob(file.id)))
            .collect()
    };
    Ok(Listed {
        files,
        repo: Some(repo),
    })
}

/// Regular files of a folder, by path relative to it. Links are not followed.
fn files_of_folder(folder: &Path) -> BTreeMap<String, Stored> {
    let is_entered = |entry: &ignore::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !EXCLUDED.contains(&name.as_ref())
    };
    let walk = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(is_entered)
        .build();
    let files = walk.flatten().filter(|entry| {
        let kind = entry.file_type();
        kind.is_some_and(|kind| kind.is_file())
    });
    let named = files.filter_map(|entry| {
        let path = entry.path().strip_prefix(folder).ok()?;
        let path = path.to_str()?.replace('\\', "/");
        Some((path, Stored::Disk(entry.into_path())))
    });
    named.collect()
}

/// Reads and measures the code among the files, and keeps its text in memory.
fn read_code(
    measurer: &Measurer,
    selection: &Selection,
    files: &mut BTreeMap<String, Stored>,
    repo: Option<&Repo>,
) -> Result<Vec<(String, Content)>, Error> {
    let code: Vec<(&String, &Stored)> = files
        .iter()
        .filter(|(path, _)| selection.choice(path) == Choice::Measured)
        .collect();
    let one = |reader: &mut Option<Reader>, (path, stored): (&String, &Stored)| {
        let text = bytes(stored, reader.as_ref(), path)?;
        let content = measurer.content(path, &text).compact();
        Ok((path.clone(), content, Arc::<[u8]>::from(text)))
    };
    let read: Result<Vec<_>, Error> = measurer.install(|| {
        let each = code.into_par_iter().with_max_len(8);
        each.map_init(|| repo.map(Repo::reader), one).collect()
    });
    let mut contents = Vec::new();
    for (path, content, text) in read? {
        files.insert(path.clone(), Stored::Text(text));
        contents.push((path, content));
    }
    Ok(contents)
}

fn bytes(stored: &Stored, reader: Option<&Reader>, path: &str) -> Result<Vec<u8>, Error> {
    match (stored, reader) {
        (Stored::Text(bytes), _) => Ok(bytes.to_vec()),
        (Stored::Blob(id), Some(reader)) => Ok(reader.blob(*id, path)?),
        (Stored::Blob(_), None) => Ok(Vec::new()),
        (Stored::Disk(file), _) => read_file(file).map_err(|source| Error::Folder {
            path: file.display().to_string(),
            source,
        }),
    }
}

/// The content of a file; of one that is too large to be measured or changed, a beginning that is too large.
fn read_file(file: &Path) -> std::io::Result<Vec<u8>> {
    let most = Language::largest_file(Limits::default().max_bytes) as u64 + 1;
    let mut content = Vec::new();
    std::fs::File::open(file)?
        .take(most)
        .read_to_end(&mut content)?;
    Ok(content)
}

/// Hash of the code in memory: paths and contents in order.
fn id_of(files: &BTreeMap<String, Stored>) -> String {
    let mut hasher = blake3::Hasher::new();
    for (path, stored) in files {
        if let Stored::Text(text) = stored {
            hasher.update(path.as_bytes());
            hasher.update(&[0]);
            hasher.update(blake3::hash(text).as_bytes());
        }
    }
    format!("blake3:{}", hasher.finalize().to_hex())
}
