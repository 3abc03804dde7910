//! The problem that ships with slope.

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

/// Writes the built-in problem with its solutions and scripts to `dest`, and gives its folder.
///
/// `dest` should be new or empty: files of the same path are overwritten, others are left.
///
/// # Errors
/// [`Error::Io`] when a folder or file cannot be written.
pub fn materialize_builtin(dest: &Path) -> Result<PathBuf, Error> {
    for name in Embedded::iter() {
        if name.split('/').any(hash::is_cache) {
            continue;
        }
        let Some(file) = Embedded::get(&name) else {
            continue;
        };
        let path = dest.join(&*name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io(parent, "cannot create"))?;
        }
        fs::write(&path, &file.data).map_err(Error::io(&path, "cannot write"))?;
    }
    Ok(dest.join(BUILTIN))
}
