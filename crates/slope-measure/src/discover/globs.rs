//! Glob patterns of excluded paths.
//!
//! Patterns of the command line are relative to the measured folder, those of a configuration to
//! its own folder, so they mean the same whichever part of a project is measured.

use std::path::Path;

use globset::{Glob, GlobSet, GlobSetBuilder};

use slope_model::path::slashed;

use super::join;
use crate::Error;
use crate::options::Options;

/// Patterns of the options for one root.
pub(crate) struct Globs {
    /// For paths relative to the root.
    own: Set,
    /// For paths relative to the configuration's folder.
    configured: Set,
    place: Place,
}

/// Path of a root relative to the folder of the configuration.
enum Place {
    /// In this folder below it; empty if it is the same.
    Below(String),
    /// Above it, with this folder between.
    Above(String),
}

impl Place {
    /// Path of a root relative to the folder of a configuration. `None` if neither contains the
    /// other.
    fn between(root: &Path, folder: &Path) -> Option<Self> {
        if let Ok(below) = root.strip_prefix(folder) {
            return Some(Self::Below(slashed(below)));
        }
        let between = folder.strip_prefix(root).ok()?;
        Some(Self::Above(slashed(between)))
    }
}

impl Default for Place {
    fn default() -> Self {
        Self::Below(String::new())
    }
}

/// Patterns by the kind of paths they can match.
struct Set {
    any: GlobSet,
    folders: GlobSet,
}

impl Globs {
    /// The patterns for a folder on disk.
    pub(crate) fn of_folder(options: &Options, root: &Path) -> Result<Self, Error> {
        let configured = options.configured_globs.folder.as_deref();
        let place = configured.and_then(|folder| {
            let (root, folder) = (root.canonicalize().ok()?, folder.canonicalize().ok()?);
            Place::between(&root, &folder)
        });
        // If a named configuration is in an unrelated folder, its paths are relative to the root.
        Self::new(options, place.unwrap_or_default())
    }

    /// Patterns for the complete tree of a repository.
    pub(crate) fn of_repository(options: &Options) -> Result<Self, Error> {
        let configured = options.configured_globs.folder.as_deref();
        let place = configured.and_then(|folder| {
            let folder = folder.canonicalize().ok()?;
            let top = folder.ancestors().find(|f| f.join(".git").exists())?;
            Place::between(top, &folder)
        });
        Self::new(options, place.unwrap_or_default())
    }

    fn new(options: &Options, place: Place) -> Result<Self, Error> {
        let configured = &options.configured_globs.patterns;
        // A pattern without `/` applies to the measured folder, too.
        let names = configured
            .iter()
            .filter(|p| !p.trim_end_matches('/').contains('/'));
        Ok(Self {
            own: set(options.excluded_globs.iter().chain(names))?,
            configured: set(configured.iter())?,
            place,
        })
    }

    /// Whether a path relative to the root is left out.
    pub(crate) fn is_match(&self, path: &str, is_folder: bool) -> bool {
        if self.own.is_match(path, is_folder) {
            return true;
        }
        match &self.place {
            Place::Below(folder) => self.configured.is_match(&join(folder, path), is_folder),
            Place::Above(folder) => path
                .strip_prefix(folder.as_str())
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|path| self.configured.is_match(path, is_folder)),
        }
    }
}

impl Set {
    fn is_match(&self, path: &str, is_folder: bool) -> bool {
        self.any.is_match(path) || is_folder && self.folders.is_match(path)
    }
}

fn set<'a>(patterns: impl Iterator<Item = &'a String>) -> Result<Set, Error> {
    let failed = |pattern: &str, message: String| Error::Glob {
        pattern: pattern.to_owned(),
        message,
    };
    let (mut any, mut folders) = (GlobSetBuilder::new(), GlobSetBuilder::new());
    for pattern in patterns {
        let meant = Meant::of(pattern).map_err(|why| failed(pattern, why.to_owned()))?;
        let glob = Glob::new(meant.glob).map_err(|e| failed(pattern, e.kind().to_string()))?;
        let set = if meant.only_folders {
            &mut folders
        } else {
            &mut any
        };
        set.add(glob);
    }
    let build = |set: GlobSetBuilder| set.build().map_err(|e| failed("", e.kind().to_string()));
    Ok(Set {
        any: build(any)?,
        folders: build(folders)?,
    })
}

/// Refuses a pattern of paths that is not valid or can never match.
///
/// # Errors
/// If it is refused: the reason and a remedy.
pub fn check_glob(pattern: &str) -> Result<(), Error> {
    set(std::iter::once(&pattern.to_owned())).map(|_| ())
}

/// Meaning of a pattern.
struct Meant<'a> {
    glob: &'a str,
    only_folders: bool,
}

impl<'a> Meant<'a> {
    /// Leading `./` and `/` stand for the folder that all patterns are relative to, a trailing `/`
    /// means a folder. A pattern that can never match is refused with the reason.
    fn of(pattern: &'a str) -> Result<Self, &'static str> {
        if pattern.starts_with('!') {
            return Err("`!` is not supported: name only files to leave out");
        }
        let mut glob = pattern;
        while let Some(rest) = glob.strip_prefix("./").or_else(|| glob.strip_prefix('/')) {
            glob = rest;
        }
        let whole = glob.trim_end_matches('/');
        if whole.is_empty() || whole == "." {
            return Err("it names no path");
        }
        if whole.split('/').any(|part| part == "..") {
            return Err("it leaves the folder with `..`");
        }
        Ok(Self {
            glob: whole,
            only_folders: whole.len() < glob.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(patterns: &[&str], place: Place) -> Result<Globs, Error> {
        let mut options = Options::default();
        options.configured_globs.patterns = patterns.iter().map(|&p| p.to_owned()).collect();
        Globs::new(&options, place)
    }

    #[test]
    fn glob_patterns_cover_files_and_folders() {
        let below = || Place::Below("src".to_owned());
        for (pattern, path, is_folder, left_out) in [
            ("src/gen/**", "gen/a.py", false, true),
            ("./src/gen/**", "gen/a.py", false, true),
            ("/src/gen", "gen", true, true),
            ("src/gen/", "gen", true, true),
            ("src/gen/", "gen", false, false),
            ("gen", "gen", true, true),
            ("gen/", "gen", true, true),
            ("/gen", "gen", true, false),
            ("gen/**", "gen/a.py", false, false),
            ("*.gen.py", "a/b.gen.py", false, true),
        ] {
            let globs = globs(&[pattern], below()).unwrap();
            assert_eq!(
                globs.is_match(path, is_folder),
                left_out,
                "{pattern} {path}"
            );
        }
        let above = globs(&["gen/**"], Place::Above("pkg".to_owned())).unwrap();
        assert!(above.is_match("pkg/gen/a.py", false));
        assert!(!above.is_match("gen/a.py", false) && !above.is_match("pkgs/gen/a.py", false));
    }

    #[test]
    fn unmatchable_patterns_are_refused() {
        for pattern in ["", "/", "./", "!src", "../src/**", "a/../b", "a["] {
            let refused = globs(&[pattern], Place::Below(String::new()));
            assert!(matches!(refused, Err(Error::Glob { .. })), "{pattern}");
        }
    }
}
