//! `.gitignore` and `.slopeignore`, with git's semantics.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Ignore files of a folder, those that win first.
const FILES: [&str; 2] = [".slopeignore", ".gitignore"];

/// The ignore files that apply to a folder, outermost first.
#[derive(Clone, Default)]
pub(crate) struct Ignores {
    layers: Vec<Arc<Layer>>,
}

/// One ignore file.
struct Layer {
    name: String,
    matcher: Gitignore,
    /// Folder that the layer is limited to, if layers of several folders are in one list.
    folder: Option<PathBuf>,
}

/// Ignore file that could not be read completely.
pub(super) struct Trouble {
    pub(super) file: &'static str,
    pub(super) message: String,
}

impl Ignores {
    /// Ignore files above a root, up to the top of its git repository, and the exclude file of the
    /// repository. Empty without a repository.
    pub(super) fn above(root: &Path) -> Self {
        let mut ignores = Self::default();
        let Ok(root) = root.canonicalize() else {
            return ignores;
        };
        let Some(top) = root.ancestors().find(|folder| folder.join(".git").exists()) else {
            return ignores;
        };
        ignores.add(top, &top.join(".git/info/exclude"), ".git/info/exclude");
        let mut between: Vec<PathBuf> = root
            .ancestors()
            .skip(1)
            .take_while(|folder| folder.starts_with(top))
            .map(Path::to_owned)
            .collect();
        between.reverse();
        for folder in between {
            // Trouble with files outside the root is not the measured tree's.
            let _ = ignores.enter(&folder, |_| true);
        }
        ignores
    }

    /// Adds the ignore files of a folder. `may_hold` is called first to avoid a system call for a
    /// file that is known not to exist.
    pub(super) fn enter(&mut self, folder: &Path, may_hold: impl Fn(&str) -> bool) -> Vec<Trouble> {
        let mut troubles = Vec::new();
        for file in FILES.iter().rev().filter(|file| may_hold(file)) {
            let path = folder.join(file);
            if let Some(message) = self.add(folder, &path, file) {
                troubles.push(Trouble { file, message });
            }
        }
        troubles
    }

    /// Adds an ignore file of a folder that is not on disk. Lines without a pattern are skipped, as
    /// in git.
    pub(crate) fn add_text(&mut self, folder: &Path, name: &str, text: &str) {
        let mut builder = GitignoreBuilder::new(folder);
        for line in text.lines() {
            let _ = builder.add_line(None, line);
        }
        if let Ok(matcher) = builder.build() {
            self.layers.push(Arc::new(Layer {
                name: name.to_owned(),
                matcher,
                folder: Some(folder.to_owned()),
            }));
        }
    }

    fn add(&mut self, folder: &Path, path: &Path, name: &str) -> Option<String> {
        let is_file = std::fs::symlink_metadata(path).is_ok_and(|m| m.is_file());
        if !is_file {
            return None;
        }
        let mut builder = GitignoreBuilder::new(folder);
        let trouble = builder.add(path).map(|error| error.to_string());
        match builder.build() {
            Ok(matcher) => {
                let name = name.to_owned();
                let folder = None;
                let layer = Layer {
                    name,
                    matcher,
                    folder,
                };
                self.layers.push(Arc::new(layer));
                trouble
            }
            Err(error) => Some(error.to_string()),
        }
    }

    /// The name of the ignore file by which a path is ignored, if it is.
    pub(crate) fn ignored_by(&self, path: &Path, is_folder: bool) -> Option<&str> {
        for layer in self.layers.iter().rev() {
            if layer.folder.as_ref().is_some_and(|f| !path.starts_with(f)) {
                continue;
            }
            // The matcher of a file above the root uses the canonical path of the root.
            let found = layer.matcher.matched(path, is_folder);
            if found.is_ignore() {
                return Some(&layer.name);
            }
            if found.is_whitelist() {
                return None;
            }
        }
        None
    }
}
