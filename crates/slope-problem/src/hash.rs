//! The hash of a problem: over all that can change a verdict or a prompt.

use std::fs;
use std::path::{Path, PathBuf};

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
    let mut entries = Vec::new();
    let mut pending = vec![relative.to_owned()];
    while let Some(relative) = pending.pop() {
        let path = root.join(&relative);
        let kind = fs::symlink_metadata(&path)
            .map_err(Error::io(&path, "cannot read"))?
            .file_type();
        if !kind.is_dir() {
            entries.push(Entry {
                relative,
                is_link: kind.is_symlink(),
            });
            continue;
        }
        for child in fs::read_dir(&path).map_err(Error::io(&path, "cannot list"))? {
            let name = child.map_err(Error::io(&path, "cannot list"))?.file_name();
            if !is_cache(&name.to_string_lossy()) {
                pending.push(relative.join(name));
            }
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
