//! The problems that ship with slope.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rust_embed::RustEmbed;

use crate::{Error, hash};

/// Name of the problem that ships with slope, and of its folder.
pub const BUILTIN: &str = "household-stock";

/// The scripts of the built-in problem, relative to its folder: the tidy and the sloppy model.
pub const BUILTIN_SCRIPTS: [&str; 2] = ["scripts/tidy.yaml", "scripts/sloppy.yaml"];

#[derive(RustEmbed)]
#[folder = "../../problems/"]
struct Embedded;

/// Names of the problems that ship with slope, in order.
#[must_use]
pub fn shipped() -> Vec<String> {
    let files = Embedded::iter();
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.split_once('/')?.0.to_owned()))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Writes the problem `name` that ships with slope, with its solutions and scripts, below `dest`.
/// Returns its folder.
///
/// `dest` should be new or empty: files of the same path are overwritten, others are kept.
///
/// # Errors
/// [`Error::Missing`] if no problem of that name ships; [`Error::Io`] if a folder or file cannot be
/// written.
pub fn materialize(name: &str, dest: &Path) -> Result<PathBuf, Error> {
    let files = files_of(name);
    if files.is_empty() {
        return Err(Error::Missing {
            path: PathBuf::from(name),
            what: "a problem of that name".to_owned(),
            remedy: format!("use one of {}", shipped().join(", ")),
        });
    }
    for (file, data) in files {
        let path = dest.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io(parent, "cannot create"))?;
        }
        fs::write(&path, &data).map_err(Error::io(&path, "cannot write"))?;
    }
    Ok(dest.join(name))
}

/// Writes the built-in problem, like [`materialize`].
///
/// # Errors
/// As for [`materialize`].
pub fn materialize_builtin(dest: &Path) -> Result<PathBuf, Error> {
    materialize(BUILTIN, dest)
}

/// Hash over the files of the problem `name` that ships with slope, as 64 hexadecimal digits. It
/// differs between versions of slope with different forms of the problem.
#[must_use]
pub fn shipped_key(name: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for (file, data) in files_of(name) {
        hasher.update(file.as_bytes()).update(&[0]);
        hasher.update(blake3::hash(&data).as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// Path and content of each file of a problem, in order.
fn files_of(name: &str) -> BTreeMap<String, Cow<'static, [u8]>> {
    let below = format!("{name}/");
    Embedded::iter()
        .filter(|file| file.starts_with(&below) && !file.split('/').any(hash::is_cache))
        .filter_map(|file| Some((file.to_string(), Embedded::get(&file)?.data)))
        .collect()
}
