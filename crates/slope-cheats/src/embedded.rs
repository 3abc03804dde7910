//! The files of `fixtures/`, which are part of this program.

use std::fs;
use std::path::Path;

use rust_embed::RustEmbed;

use crate::Error;

#[derive(RustEmbed)]
#[folder = "fixtures/"]
struct Files;

/// Paths of all files.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let all = Files::iter().map(std::borrow::Cow::into_owned);
    all.filter(|path| !path.contains("__pycache__"))
}

/// The bytes of a file.
pub(crate) fn bytes(path: &str) -> Result<Vec<u8>, Error> {
    let file = Files::get(path);
    file.map(|file| file.data.into_owned())
        .ok_or_else(|| Error::Catalogue(format!("{path} is missing")))
}

/// The text of a file.
pub(crate) fn text(path: &str) -> Result<String, Error> {
    String::from_utf8(bytes(path)?).map_err(|_| Error::Catalogue(format!("{path} is not text")))
}

/// Files below `folder`: path relative to it, bytes.
pub(crate) fn below(folder: &str) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let prefix = format!("{folder}/");
    names()
        .filter_map(|path| Some((path.strip_prefix(&prefix)?.to_owned(), path.clone())))
        .map(|(short, path)| Ok((short, bytes(&path)?)))
        .collect()
}

/// Writes the files below `folder` to `dest`.
pub(crate) fn lay(folder: &str, dest: &Path) -> Result<(), Error> {
    for (name, bytes) in below(folder)? {
        let path = dest.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io("cannot create", parent))?;
        }
        fs::write(&path, bytes).map_err(Error::io("cannot write", &path))?;
    }
    Ok(())
}
