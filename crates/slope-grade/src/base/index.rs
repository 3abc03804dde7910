//! A base in one file, which opens without measuring: the index of its code, and its files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use slope_change::CodeBase;
use slope_measure::{BadIndex, Measurer};
use slope_store::facts::Key;
use slope_store::pack::Pack;

use super::layout::EntryKind;
use super::sources::{Extras, Stored};
use super::{Base, selection};
use crate::Error;

/// What an index says of a base besides its code.
#[derive(Serialize, Deserialize)]
struct About {
    /// Hash of the code.
    id: String,
    /// Files and links in order of path.
    files: Vec<(String, EntryKind)>,
}

impl Base {
    /// Writes the base into a file that [`Engine::open`](super::Engine::open) opens without measuring.
    ///
    /// # Errors
    /// If a file of the base cannot be read, or the index cannot be written, for example because something else than a
    /// file is there.
    pub fn write_index(&self, file: &Path) -> Result<(), Error> {
        // The file is replaced by another one, so devices, pipes and links would be lost.
        if std::fs::symlink_metadata(file).is_ok_and(|there| !there.is_file()) {
            return Err(Error::NoFile {
                path: file.display().to_string(),
            });
        }
        let mut files = Vec::new();
        let mut texts: BTreeMap<Key, Vec<u8>> = BTreeMap::new();
        let read = self.layout()?.read(|entry| {
            files.push((entry.path.to_owned(), entry.kind));
            texts.insert(key(entry.path), entry.bytes.to_vec());
            Ok(())
        });
        read.map_err(|source| Error::Folder {
            path: "the base".to_owned(),
            source,
        })?;
        let id = self.id.clone();
        let about = postcard::to_stdvec(&About { id, files }).unwrap_or_default();
        let values = self.code.values(&self.measurer, &about);
        let mut values = values.ok_or_else(|| bad(file, BadIndex::Damaged))?;
        values.append(&mut texts);
        Ok(Pack::write_file(file, values)?)
    }
}

/// Opens the base in an index.
pub(super) fn open(measurer: &Arc<Measurer>, file: &Path) -> Result<Base, Error> {
    let pack = Pack::open_file(file).ok_or_else(|| bad(file, BadIndex::Damaged))?;
    let pack = Arc::new(pack);
    let opened = CodeBase::of_pack(measurer, pack.clone());
    let (code, about) = opened.map_err(|reason| bad(file, reason))?;
    let damaged = || bad(file, BadIndex::Damaged);
    let about: About = postcard::from_bytes(&about).map_err(|_| damaged())?;
    let mut files = BTreeMap::new();
    let mut extras = Extras::default();
    for (path, kind) in about.files {
        let held = pack.of_key(&key(&path)).ok_or_else(damaged)?;
        let stored = Stored::Packed(pack.clone(), held);
        match kind {
            EntryKind::Link => drop(extras.links.insert(path, stored)),
            EntryKind::File => drop(files.insert(path, stored)),
            EntryKind::Executable => {
                extras.executables.insert(path.clone());
                files.insert(path, stored);
            }
        }
    }
    Ok(Base {
        id: about.id,
        code,
        selection: selection(measurer, &files, None)?,
        measurer: measurer.clone(),
        files,
        blobs: BTreeMap::new(),
        repo: None,
        extras: Arc::new(extras),
        layout: OnceLock::new(),
    })
}

fn bad(file: &Path, reason: BadIndex) -> Error {
    Error::Index {
        path: file.display().to_string(),
        reason,
    }
}

/// The key of a file's content.
fn key(path: &str) -> Key {
    *blake3::hash(format!("\0text\0{path}").as_bytes()).as_bytes()
}
