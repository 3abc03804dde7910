//! A base in one file, which opens without measuring: the index of its code, and the texts of its files.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use slope_change::CodeBase;
use slope_measure::{BadIndex, Measurer};
use slope_store::facts::Key;
use slope_store::pack::Pack;

use super::sources::Stored;
use super::{Base, selection};
use crate::Error;

/// What an index says of a base besides its code.
#[derive(Serialize, Deserialize)]
struct About {
    /// Hash of the code.
    id: String,
    /// The files in order of path, and whether their texts are in the index: those of a size that an edit can change.
    files: Vec<(String, bool)>,
}

impl Base {
    /// Writes the base into a file that [`Engine::open`](super::Engine::open) opens without measuring.
    ///
    /// # Errors
    /// If a file of the base cannot be read, or the index cannot be written.
    pub fn write_index(&self, file: &Path) -> Result<(), Error> {
        let texts: Vec<(&str, Option<Arc<[u8]>>)> =
            self.paths().map(|path| (path, self.bytes(path))).collect();
        let about = About {
            id: self.id.clone(),
            files: texts
                .iter()
                .map(|(path, text)| ((*path).to_owned(), text.is_some()))
                .collect(),
        };
        let about = postcard::to_stdvec(&about).unwrap_or_default();
        let values = self.code.values(&self.measurer, &about);
        let mut values = values.ok_or_else(|| bad(file, BadIndex::Damaged))?;
        let texts = texts.into_iter();
        values.extend(texts.filter_map(|(path, text)| Some((key(path), text?.to_vec()))));
        Ok(Pack::write_file(file, values)?)
    }
}

/// Opens the base in an index.
pub(super) fn open(measurer: &Arc<Measurer>, file: &Path) -> Result<Base, Error> {
    let pack = Pack::open_file(file).ok_or_else(|| bad(file, BadIndex::Damaged))?;
    let pack = Arc::new(pack);
    let (code, about) =
        CodeBase::of_pack(measurer, pack.clone()).map_err(|reason| bad(file, reason))?;
    let about: About = postcard::from_bytes(&about).map_err(|_| bad(file, BadIndex::Damaged))?;
    let stored = |(path, has_text): (String, bool)| {
        let held = pack.of_key(&key(&path)).filter(|_| has_text);
        let stored = held.map_or(Stored::TooLarge, |held| Stored::Packed(pack.clone(), held));
        (path, stored)
    };
    let files = about.files.into_iter().map(stored).collect();
    Ok(Base {
        id: about.id,
        code,
        selection: selection(measurer, &files, None)?,
        measurer: measurer.clone(),
        files,
        blobs: std::collections::BTreeMap::new(),
        repo: None,
    })
}

fn bad(file: &Path, reason: BadIndex) -> Error {
    Error::Index {
        path: file.display().to_string(),
        reason,
    }
}

/// The key of a file's text.
fn key(path: &str) -> Key {
    *blake3::hash(format!("\0text\0{path}").as_bytes()).as_bytes()
}
