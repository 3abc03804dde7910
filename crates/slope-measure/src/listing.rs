//! Selection of the paths of a tree that is not on disk.
//!
//! The same selection as for a folder, made by paths alone. The ignore files are those of one tree
//! and apply to all trees compared with it: numbers of a history are comparable only if the same
//! paths count in all of it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use slope_model::measurement::Part;
use slope_syntax::Language;

use crate::discover::{self, Globs, Ignores, kinds};
use crate::options::{Options, Profile, Tests};
use crate::{Error, Measurer};

/// Names of ignore files, those that win last.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".slopeignore"];

/// Prefix of paths, which ignore files want to be absolute.
const ROOT: &str = "/";

/// Selection result for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Measured, if its content is in a supported language.
    Measured,
    /// Left out on purpose, with the reason.
    Skipped(String),
    /// Not code.
    Passed,
}

/// Chooses the paths of trees that are measured.
pub struct Selection {
    options: Options,
    globs: Globs,
    ignores: Ignores,
    /// Folders of virtual environments.
    environments: Vec<String>,
    /// Requested folders, and whether they matter.
    known: Mutex<HashMap<String, bool>>,
}

impl Measurer {
    /// Creates a selection with these options. `paths` are those of the tree whose ignore files
    /// apply, and `read` returns the content of one.
    ///
    /// # Errors
    /// If a glob of the options is invalid.
    pub fn selection<'a>(
        &self,
        paths: impl IntoIterator<Item = &'a str>,
        read: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<Selection, Error> {
        let mut selection = Selection {
            options: self.options.clone(),
            globs: Globs::of_repository(&self.options)?,
            ignores: Ignores::default(),
            environments: Vec::new(),
            known: Mutex::default(),
        };
        let trusting = self.options.ignore_files || self.options.leave_out;
        let mut ignoring: Vec<(&str, &str)> = Vec::new();
        for path in paths {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            if trusting && name == "pyvenv.cfg" {
                selection.environments.push(folder.to_owned());
            }
            if self.options.ignore_files && IGNORE_FILES.contains(&name) {
                ignoring.push((folder, name));
            }
        }
        // Outer folders first, and in each the file that wins last.
        ignoring.sort_by_key(|&(folder, name)| (folder.matches('/').count(), folder, name));
        for (folder, name) in ignoring {
            let path = discover::join(folder, name);
            if let Some(text) = read(&path) {
                let text = String::from_utf8_lossy(&text);
                selection.ignores.add_text(&absolute(folder), name, &text);
            }
        }
        Ok(selection)
    }
}

impl Selection {
    /// Whether a change of a file changes the selection, so that a selection made without it is
    /// outdated.
    #[must_use]
    pub fn is_steered_by(&self, path: &str) -> bool {
        let folder = path.rsplit_once('/').map(|(folder, _)| folder);
        self.is_steering(path) && folder.is_none_or(|folder| self.enters(folder))
    }

    /// Whether a file of this name affects the selection, regardless of its folder: it may exclude
    /// its own folder.
    #[must_use]
    pub fn is_steering(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let options = &self.options;
        let is_ignoring = options.ignore_files && IGNORE_FILES.contains(&name);
        let is_environment = name == "pyvenv.cfg" && (options.ignore_files || options.leave_out);
        is_ignoring || is_environment
    }

    /// Whether an ignore file names a file.
    #[must_use]
    pub fn ignores(&self, path: &str) -> bool {
        self.ignores.ignored_by(&absolute(path), false).is_some()
    }

    /// The same selection, but with generated files, vendored files and virtual environments.
    #[must_use]
    pub fn whatever_its_name(mut self) -> Self {
        self.options.leave_out = false;
        self.environments.clear();
        self.known = Mutex::default();
        self
    }

    /// Whether anything in a folder may be measured.
    #[must_use]
    pub fn enters(&self, folder: &str) -> bool {
        let known = self
            .known
            .lock()
            .ok()
            .and_then(|known| known.get(folder).copied());
        if let Some(enters) = known {
            return enters;
        }
        let above = folder.rsplit_once('/').map(|(above, _)| above);
        let enters = above.is_none_or(|above| self.enters(above)) && self.enters_itself(folder);
        if let Ok(mut known) = self.known.lock() {
            known.insert(folder.to_owned(), enters);
        }
        enters
    }

    fn enters_itself(&self, folder: &str) -> bool {
        let options = &self.options;
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        let named = |names: &[String]| names.iter().any(|other| other == name);
        !(named(&options.excluded)
            || (above.is_empty() && named(&options.excluded_at_top))
            || self.globs.is_match(folder, true)
            || self.environments.iter().any(|e| e == folder)
            || self.ignores.ignored_by(&absolute(folder), true).is_some()
            || (options.leave_out && kinds::folder_by_name(folder, true).is_some()))
    }

    /// Selection result for a file.
    #[must_use]
    pub fn choice(&self, path: &str) -> Choice {
        let options = &self.options;
        let file = Path::new(path);
        let language = Language::of_path(file);
        // A file without a suffix may be a script, which only its text shows.
        let may_be = language.is_some() || file.extension().is_none();
        let by_paper = options.profile != Profile::Paper || path.ends_with(".py");
        if may_be && by_paper {
            self.choice_in_any_language(path)
        } else {
            Choice::Passed
        }
    }

    /// As [`Selection::choice`], for a file in any language.
    #[must_use]
    pub fn choice_in_any_language(&self, path: &str) -> Choice {
        let options = &self.options;
        let language = Language::of_path(Path::new(path));
        let folder = path.rsplit_once('/').map(|(folder, _)| folder);
        if folder.is_some_and(|folder| !self.enters(folder)) {
            return Choice::Passed;
        }
        let skipped = |reason: &str| Choice::Skipped(reason.to_owned());
        if self.globs.is_match(path, false) {
            return skipped("excluded by the configuration");
        }
        if let Some(file) = self.ignores.ignored_by(&absolute(path), false) {
            return Choice::Skipped(format!("ignored by {file}"));
        }
        if let Some(reason) = kinds::by_name(path).filter(|_| options.leave_out) {
            return Choice::Skipped(reason);
        }
        let part = discover::part_of(path, language.map_or("", Language::id), false);
        if options.tests == Tests::Exclude && part == Part::Tests {
            return skipped("tests are excluded");
        }
        Choice::Measured
    }
}

fn absolute(path: &str) -> PathBuf {
    Path::new(ROOT).join(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listing_follows_ignores_names_options() {
        let mut options = Options::trusting("2026-11-22".parse().unwrap());
        options.excluded_globs = vec!["gen/**".to_owned()];
        options.threads = 1;
        options.own_rules = false;
        let measurer = Measurer::new(options).unwrap();
        let tree = ["a/.slopeignore", ".gitignore", "env/pyvenv.cfg", "a/x.py"];
        let read = |path: &str| {
            let text = if path == ".gitignore" {
                "*.tmp.py\nbuild/\n"
            } else {
                "/skip.py\n"
            };
            Some(text.as_bytes().to_vec())
        };
        let selection = measurer.selection(tree, &read).unwrap();
        for path in ["a/x.py", "skip.py", "a/b/skip.py", "tool", "tests/t.py"] {
            assert_eq!(selection.choice(path), Choice::Measured, "{path}");
        }
        for path in ["a/skip.py", "b/x.tmp.py", "gen/x.py", "a_pb2.py"] {
            let choice = selection.choice(path);
            assert!(matches!(choice, Choice::Skipped(_)), "{path}: {choice:?}");
        }
        for path in [
            "env/lib/x.py",
            "a/build/x.py",
            "vendor/x.py",
            "x.png",
            "node_modules/x.js",
        ] {
            assert_eq!(selection.choice(path), Choice::Passed, "{path}");
        }
        assert!(!selection.enters("a/build/deep") && selection.enters("a/b"));
    }
}
