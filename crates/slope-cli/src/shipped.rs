//! Problems that ship with slope, by their names.

use std::path::{Path, PathBuf};

use crate::setup;

/// Folder of a problem: the path itself, or if it does not exist, that of an embedded problem of
/// this name, written to the cache.
///
/// # Errors
/// If there is neither.
pub(crate) fn folder(path: &Path) -> anyhow::Result<PathBuf> {
    let name = path.to_string_lossy();
    let name = name.as_ref();
    if path.exists() {
        return Ok(path.to_owned());
    }
    if !slope_problem::shipped().iter().any(|known| known == name) {
        anyhow::bail!(
            "{name} is neither a folder nor a problem that ships with slope\n\
             help: list the problems with `slope problem list`"
        );
    }
    let key = slope_problem::shipped_key(name);
    let home = setup::cache_dir()?.join("problems");
    let laid = home.join(&key[..16]);
    if !laid.exists() {
        std::fs::create_dir_all(&home)?;
        let part = tempfile::Builder::new().prefix("part-").tempdir_in(&home)?;
        slope_problem::materialize(name, part.path())?;
        // If another process was faster, its folder is used.
        if std::fs::rename(part.path(), &laid).is_ok() {
            drop(part.keep());
        }
    }
    Ok(laid.join(name))
}

/// Folders of problems, found as by [`folder`].
pub(crate) fn folders(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    paths.iter().map(|path| folder(path)).collect()
}
