//! Paths below another path.

use std::path::Path;

use slope_git::Repo;
use slope_model::path::slashed;

/// Whether a path equals `below` or is below it; see [`folder_within`].
#[must_use]
pub fn is_below(below: &str, path: &str) -> bool {
    path == below || below.is_empty() || (below.ends_with('/') && path.starts_with(below))
}

/// A path relative to the root of the repository: empty for the root, with a `/` at the end for
/// folders.
#[must_use]
pub fn folder_within(repo: &Repo, path: &Path) -> String {
    let (Ok(path), Ok(top)) = (path.canonicalize(), repo.path().canonicalize()) else {
        return String::new();
    };
    let Ok(within) = path.strip_prefix(&top) else {
        return String::new();
    };
    let within = slashed(within);
    match within.is_empty() || repo.workdir().is_none() {
        true => String::new(),
        false if path.is_dir() => within + "/",
        false => within,
    }
}
