//! Bases: code bases that edits are applied to.

mod archive;
mod index;
mod layout;
mod sources;

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use rayon::prelude::*;
use slope_change::CodeBase;
use slope_git::{Id, Reader, Repo};
use slope_measure::{Choice, Content, Measurer, Options, Selection, Tests};
use slope_model::grade::Fault;
use slope_model::grade_request::Change;
use slope_store::pack::Pack;

use crate::Error;
use crate::edit::{Edit, fault};
use sources::{Extras, Listed, Stored, bytes};

pub use layout::{Entry, EntryKind, Layout};

/// Largest file that an edit can change, in bytes.
pub(crate) const MAX_FILE_BYTES: u64 = 2 << 20;

/// What bases share: rules and threads.
#[derive(Clone)]
pub struct Engine(pub(crate) Arc<Measurer>);

/// A code base that edits are applied to. It does not change.
pub struct Base {
    pub(crate) measurer: Arc<Measurer>,
    pub(crate) code: CodeBase,
    pub(crate) selection: Selection,
    files: BTreeMap<String, Stored>,
    /// Ids of the files in the repository.
    blobs: BTreeMap<String, Id>,
    /// The repository that blobs are read from.
    repo: Option<Arc<Mutex<Reader>>>,
    id: String,
    extras: Arc<Extras>,
    layout: OnceLock<Arc<Layout>>,
}

impl Engine {
    /// An engine with a number of threads; 0 for one per processor.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(threads: usize) -> Result<Self, Error> {
        Ok(Self(Arc::new(Measurer::new(options(threads))?)))
    }

    /// Opens a folder, a revision of a repository as `PATH@REVISION`, an index that [`Base::write_index`] wrote, or a
    /// tar archive, whose paths lose their first `strip` folders.
    ///
    /// # Errors
    /// If it cannot be read, or has no code.
    pub fn open(&self, name: &str, strip: usize) -> Result<Base, Error> {
        let place = Path::new(name);
        if place.is_file() && Pack::is_in(place) {
            return index::open(&self.0, place);
        }
        self.base(name, sources::list(name, strip)?, None)
    }

    /// Opens a base as [`Self::open`], and takes over what `near` knows of the same files in the same repository.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn open_near(&self, name: &str, near: Option<&Base>) -> Result<Base, Error> {
        self.base(name, sources::list(name, 0)?, near)
    }

    /// A base of the files of a tar archive, which may be compressed by gzip or zstd. Paths lose their first `strip`
    /// folders. `name` is for messages.
    ///
    /// # Errors
    /// If it cannot be read, is too large, or has no code.
    pub fn of_archive(&self, name: &str, input: impl BufRead, strip: usize) -> Result<Base, Error> {
        let files = archive::files(input, name, strip)?;
        self.base(name, files, None)
    }

    /// A base of files in memory, by path. `name` is for messages.
    ///
    /// # Errors
    /// If it has no code.
    pub fn of_files(&self, name: &str, files: BTreeMap<String, Vec<u8>>) -> Result<Base, Error> {
        self.base(name, Listed::of_texts(files), None)
    }

    /// Runs `work` in the threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.0.install(work)
    }

    fn base(&self, name: &str, listed: Listed, near: Option<&Base>) -> Result<Base, Error> {
        let measurer = &self.0;
        let reader = listed.repo.as_ref().map(Repo::reader);
        let mut files = listed.files;
        let selection = selection(measurer, &files, reader.as_ref())?;
        let blobs = blobs(&files);
        let repo = listed.repo.as_ref();
        let contents = read_code(measurer, &selection, &mut files, (repo, near))?;
        if !contents.iter().any(is_code) {
            return Err(Error::NoCode {
                path: name.to_owned(),
            });
        }
        Ok(Base {
            id: id_of(&files, &contents),
            code: CodeBase::new(measurer, contents),
            measurer: measurer.clone(),
            selection,
            files,
            blobs,
            repo: reader.map(|reader| Arc::new(Mutex::new(reader))),
            extras: Arc::new(listed.extras),
            layout: OnceLock::new(),
        })
    }
}

impl Base {
    /// The base after a change. Only the files of the change are measured again.
    ///
    /// # Errors
    /// If the change does not apply, or leaves no code.
    pub fn changed(&self, change: &Change, field: &str) -> Result<Self, Fault> {
        let edit = Edit::of(self, change, field)?;
        let mut files = self.files.clone();
        for (path, (_, after)) in &edit.files {
            match after {
                Some(text) => drop(files.insert(path.clone(), Stored::Text(text.clone()))),
                None => drop(files.remove(path)),
            }
        }
        let of_slope = |error: Error| fault(field, error.to_string(), "report it with the change");
        let reader = self.reader();
        let selection = selection(&self.measurer, &files, reader.as_deref()).map_err(of_slope)?;
        drop(reader);
        let measured = files
            .keys()
            .filter(|path| selection.choice(path) == Choice::Measured);
        let content = |path: &String| {
            let known = (!edit.files.contains_key(path)).then(|| self.code.content(path));
            let content = known.flatten().or_else(|| {
                let text = stored_bytes(&files, path, self.reader().as_deref())?;
                Some(self.measurer.content(path, &text).compact())
            });
            Some((path.clone(), content?))
        };
        let contents: Vec<(String, Content)> = measured.filter_map(content).collect();
        if !contents.iter().any(is_code) {
            let message = "the change leaves no code that slope measures";
            return Err(fault(field, message, "leave some code in the base"));
        }
        Ok(Self {
            id: id_of(&files, &contents),
            code: CodeBase::new(&self.measurer, contents),
            measurer: self.measurer.clone(),
            selection,
            repo: self.repo.clone(),
            blobs: BTreeMap::new(),
            files,
            extras: self.extras.clone(),
            layout: OnceLock::new(),
        })
    }

    /// The content and text of a file that it has in the same state.
    fn known(&self, path: &str, stored: &Stored) -> Option<(Content, Arc<[u8]>)> {
        let Stored::Blob(id) = stored else {
            return None;
        };
        (self.blobs.get(path)? == id).then_some(())?;
        let Stored::Text(text) = self.files.get(path)? else {
            return None;
        };
        Some((self.code.content(path)?, text.clone()))
    }

    fn reader(&self) -> Option<MutexGuard<'_, Reader>> {
        self.repo.as_ref()?.lock().ok()
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

    /// The content of a file; `None` if the base does not have it, it cannot be read, or it is too large.
    pub(crate) fn bytes(&self, path: &str) -> Option<Arc<[u8]>> {
        let found = self.read(path)?.ok();
        found.filter(|found| found.len() as u64 <= MAX_FILE_BYTES)
    }

    /// The content of a file, of any size; `None` if the base does not have it.
    pub(crate) fn read(&self, path: &str) -> Option<Result<Arc<[u8]>, Error>> {
        let stored = self.files.get(path)?;
        Some(match stored {
            Stored::Text(text) => Ok(text.clone()),
            Stored::Blob(_) => bytes(stored, self.reader().as_deref(), path),
            Stored::Disk(_) | Stored::Packed(..) => bytes(stored, None, path),
        })
    }

    /// Whether code is not measured: by its place, or by a mark in it.
    pub(crate) fn leaves_out(&self, path: &str, content: Option<&Content>) -> bool {
        let is_marked = |content: &Content| content.generated().is_some();
        !self.measures(path) || content.is_some_and(is_marked)
    }

    /// As [`Self::leaves_out`], for a file of the base.
    pub(crate) fn left_out(&self, path: &str) -> bool {
        self.leaves_out(path, self.code.content(path).as_ref())
    }

    /// Whether an entry of `tests.files` names a file: it, or a folder around it.
    pub(crate) fn has_below(&self, entry: &str) -> bool {
        self.has(entry) || self.below(&format!("{entry}/")).next().is_some()
    }

    /// Paths in a folder, which ends by `/`.
    pub(crate) fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        let paths = self.files.range(folder.to_owned()..);
        let paths = paths.map(|(path, _)| path.as_str());
        paths.take_while(move |path| path.starts_with(folder))
    }

    /// Whether a path is measured if it has code.
    pub(crate) fn measures(&self, path: &str) -> bool {
        self.selection.choice(path) == Choice::Measured
    }
}

/// How bases and edits are measured: as the gate does, but comments in an edit silence nothing, and grades have no
/// headline.
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
    options.headline = false;
    options
}

/// Chooses the files that are measured.
fn selection(
    measurer: &Measurer,
    files: &BTreeMap<String, Stored>,
    reader: Option<&Reader>,
) -> Result<Selection, Error> {
    let read = |path: &str| Some(stored_bytes(files, path, reader)?.to_vec());
    Ok(measurer.selection(files.keys().map(String::as_str), &read)?)
}

fn stored_bytes(
    files: &BTreeMap<String, Stored>,
    path: &str,
    reader: Option<&Reader>,
) -> Option<Arc<[u8]>> {
    bytes(files.get(path)?, reader, path).ok()
}

fn blobs(files: &BTreeMap<String, Stored>) -> BTreeMap<String, Id> {
    let id = |(path, stored): (&String, &Stored)| match stored {
        Stored::Blob(id) => Some((path.clone(), *id)),
        _ => None,
    };
    files.iter().filter_map(id).collect()
}

fn is_code((_, content): &(String, Content)) -> bool {
    matches!(content, Content::Code(_))
}

/// Reads and measures the code among the files, and keeps its text in memory.
fn read_code(
    measurer: &Measurer,
    selection: &Selection,
    files: &mut BTreeMap<String, Stored>,
    (repo, near): (Option<&Repo>, Option<&Base>),
) -> Result<Vec<(String, Content)>, Error> {
    let code: Vec<(&String, &Stored)> = files
        .iter()
        .filter(|(path, _)| selection.choice(path) == Choice::Measured)
        .collect();
    let one = |reader: &mut Option<Reader>, (path, stored): (&String, &Stored)| {
        if let Some((content, text)) = near.and_then(|near| near.known(path, stored)) {
            return Ok((path.clone(), content, text));
        }
        let text = bytes(stored, reader.as_ref(), path)?;
        let content = measurer.content(path, &text).compact();
        Ok((path.clone(), content, text))
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

/// Hash of the code: paths and contents in order.
fn id_of(files: &BTreeMap<String, Stored>, contents: &[(String, Content)]) -> String {
    let mut hasher = blake3::Hasher::new();
    let is_other = |content: &Content| matches!(content, Content::Nothing);
    for (path, _) in contents.iter().filter(|(_, content)| !is_other(content)) {
        // Code is in memory or in an index.
        if let Some(text) = stored_bytes(files, path, None) {
            hasher.update(path.as_bytes());
            hasher.update(&[0]);
            hasher.update(blake3::hash(&text).as_bytes());
        }
    }
    format!("blake3:{}", hasher.finalize().to_hex())
}
