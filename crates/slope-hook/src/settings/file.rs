//! Reading and writing settings files: atomically, through links, and with their permissions.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::Error;

/// Maximum size of a settings file in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The text of a file; `None` if it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<String>, Error> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(Error::NoFile(path.to_owned())),
        Ok(found) if found.len() > MAX_BYTES => return Err(Error::TooLarge(path.to_owned())),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // A broken link would be replaced by a file.
            return match std::fs::symlink_metadata(path) {
                Ok(_) => Err(Error::NoFile(path.to_owned())),
                Err(_) => Ok(None),
            };
        }
        Err(error) => return Err(Error::io("read", path)(error)),
    }
    match std::fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(Error::NotUtf8(path.to_owned())),
        },
        Err(error) => Err(Error::io("read", path)(error)),
    }
}

/// Replaces a file with `new` if its content is still `old`.
pub(super) fn write(path: &Path, old: Option<&str>, new: &str) -> Result<(), Error> {
    // Settings are often links into a repository of dotfiles. Replace the target, not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
    let permissions = match std::fs::metadata(&target) {
        Ok(found) => found.permissions(),
        Err(_) => std::os::unix::fs::PermissionsExt::from_mode(0o644),
    };
    let mut file =
        tempfile::NamedTempFile::new_in(folder).map_err(Error::io("write in", folder))?;
    file.write_all(new.as_bytes())
        .and_then(|()| file.as_file().set_permissions(permissions))
        .and_then(|()| file.as_file().sync_all())
        .map_err(Error::io("write", path))?;
    if read(path)?.as_deref() != old {
        return Err(Error::Changed(path.to_owned()));
    }
    file.persist(&target)
        .map_err(|error| Error::io("write", path)(error.error))?;
    Ok(())
}

/// Removes a file if it exists, and those of the folders that are empty afterwards.
pub(super) fn remove(path: &Path, folders: &[PathBuf]) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Error::io("remove", path)(error));
        }
        _ => {}
    }
    for folder in folders.iter().rev() {
        // A folder with other files stays.
        if std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

/// Missing parent folders of a file, outermost first.
pub(super) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1);
    let missing = above.take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}
