//! The hash of a problem: over all that can change a verdict or a prompt.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::Error;

/// Version of the hash; change it with the method of hashing.
const DOMAIN: &str = "slope.problem/1";

/// One file or link below a problem's root, by its path relative to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) relative: PathBuf,
    pub(crate) is_link: bool,
}

/// Files and links at and below `root/relative`, in path order, caches left out. Links are not followed.
pub(crate) fn walk(root: &Path, relative: &Path) -> Result<Vec<Entry>, Error> {
    let start = root.join(relative);
    // Only the contents of folders are left out, not what was asked for.
    let is_kept =
        |entry: &DirEntry| entry.depth() == 0 || !is_cache(&entry.file_name().to_string_lossy());
    let mut entries = Vec::new();
    for entry in WalkDir::new(&start)
        .follow_root_links(false)
        .into_iter()
        .filter_entry(is_kept)
    {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(&start).to_owned();
            let source = error.into_io_error();
            Error::io(&path, "cannot read")(source.unwrap_or_else(|| ErrorKind::Other.into()))
        })?;
        if !entry.file_type().is_dir() {
            let inner = entry.path().strip_prefix(&start).ok();
            let inner = inner.filter(|inner| !inner.as_os_str().is_empty());
            entries.push(Entry {
                relative: inner.map_or_else(|| relative.to_owned(), |inner| relative.join(inner)),
                is_link: entry.path_is_symlink(),
            });
        }
    }
    entries.sort();
    Ok(entries)
}

/// Leftovers of Python and pytest.
pub(crate) fn is_cache(name: &str) -> bool {
    name == "__pycache__" || name == ".pytest_cache" || name.ends_with(".pyc")
}

/// The hash over `parts` (files and folders relative to `root`), by content and path.
pub(crate) fn hash(root: &Path, parts: &[PathBuf]) -> Result<String, Error> {
    let mut entries = Vec::new();
    for part in parts {
        entries.extend(walk(root, part)?);
    }
    entries.sort();
    entries.dedup();
    let mut hasher = blake3::Hasher::new();
    field(&mut hasher, DOMAIN.as_bytes());
    for entry in entries {
        let path = root.join(&entry.relative);
        field(&mut hasher, entry.relative.as_os_str().as_encoded_bytes());
        if entry.is_link {
            let target = fs::read_link(&path).map_err(Error::io(&path, "cannot read"))?;
            field(&mut hasher, b"link");
            field(&mut hasher, target.as_os_str().as_encoded_bytes());
        } else {
            let bytes = fs::read(&path).map_err(Error::io(&path, "cannot read"))?;
            field(&mut hasher, b"file");
            field(&mut hasher, &bytes);
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Length first, so that no two lists of fields run together to the same bytes.
fn field(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}
