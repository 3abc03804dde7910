//! Which files of a folder are measured.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use slope_model::measurement::Unmeasured;
use slope_syntax::{Language, ParseError};

use crate::options::Options;
use crate::{Refused, reason_of};

/// A file to be measured.
pub(crate) struct FoundFile {
    /// Relative to the root, `/`-separated.
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) location: Location,
}

/// Where a file lies, and what it is called in a measurement.
pub(crate) struct Location {
    absolute: PathBuf,
    path: String,
}

/// What a walk found.
pub(crate) struct Found {
    pub(crate) files: Vec<FoundFile>,
    /// Folders and files that could not be looked at.
    pub(crate) unreadable: Vec<Unmeasured>,
}

/// Walks a folder. Symbolic links below it are never followed. A root that is a
/// file is measured by itself.
pub(crate) fn discover(root: &Path, options: &Options) -> io::Result<Found> {
    let kind = std::fs::metadata(root)?;
    if kind.is_dir() {
        std::fs::read_dir(root)?;
    }
    let excluded = options.excluded.clone();
    let walk = WalkBuilder::new(root)
        .standard_filters(false)
        .git_ignore(options.gitignore)
        .require_git(false)
        .parents(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let name = entry.file_name().to_string_lossy();
            entry.depth() == 0 || !folder || !excluded.iter().any(|e| *e == name)
        })
        .build();
    let mut found = Found {
        files: Vec::new(),
        unreadable: Vec::new(),
    };
    for entry in walk {
        match entry {
            Ok(entry) => found.files.extend(measurable(root, &entry)),
            Err(error) => found.unreadable.push(unreadable(root, &error)),
        }
    }
    Ok(found)
}

fn measurable(root: &Path, entry: &ignore::DirEntry) -> Option<FoundFile> {
    let language = Language::of_path(entry.path())?;
    // A root may be a link; below it only true files count.
    let is_file = if entry.depth() == 0 {
        entry.path().is_file()
    } else {
        entry.file_type()?.is_file()
    };
    if !is_file {
        return None;
    }
    let path = relative(root, entry.path());
    Some(FoundFile {
        language,
        location: Location {
            absolute: entry.path().to_owned(),
            path: path.clone(),
        },
        path,
    })
}

fn relative(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    if below.as_os_str().is_empty() {
        let name = path.file_name().unwrap_or(path.as_os_str());
        return name.to_string_lossy().into_owned();
    }
    slashed(below)
}

/// A path with `/` between its parts, whatever the system uses.
pub(crate) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// Whether a folder on the way to a file is excluded.
pub(crate) fn is_below_excluded(path: &Path, options: &Options) -> bool {
    let folders = path.parent().into_iter().flat_map(Path::components);
    folders
        .map(|part| part.as_os_str().to_string_lossy())
        .any(|name| options.excluded.iter().any(|e| *e == name))
}

fn unreadable(root: &Path, error: &ignore::Error) -> Unmeasured {
    let mut inner = error;
    let mut path = String::from(".");
    loop {
        match inner {
            ignore::Error::WithPath { path: at, err } => {
                path = relative(root, at);
                inner = err;
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                inner = err;
            }
            other => {
                return Unmeasured {
                    path,
                    reason: format!("cannot be read: {other}"),
                };
            }
        }
    }
}

/// Reads a file up to the limit; a larger one is refused unread.
pub(crate) fn read(location: &Location, limit: usize) -> Result<Vec<u8>, Refused> {
    let refused = |reason: String| Refused {
        path: location.path.clone(),
        reason,
    };
    let failed = |error: io::Error| refused(format!("cannot be read: {error}"));
    let file = File::open(&location.absolute).map_err(failed)?;
    let size = usize::try_from(file.metadata().map_err(failed)?.len()).unwrap_or(usize::MAX);
    if size > limit {
        let error = ParseError::TooLarge { limit };
        return Err(refused(reason_of(&error).into_owned()));
    }
    let mut bytes = Vec::with_capacity(size);
    // One byte over the limit, so that a file that has grown meanwhile is refused too.
    file.take(limit as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}
