//! Settings, ratchet and waivers of a commit, which a change cannot edit.

use std::path::{Path, PathBuf};

use slope_change::folder_within;
use slope_git::{Entry, Id, Reader, Repo};
use slope_measure::{Config, FoundConfig};

use crate::ratchet::Ratchet;
use crate::{Check, Error};

/// Settings, ratchet and waivers of a commit.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The configuration; `None` if the commit has none for the path.
    pub config: Option<FoundConfig>,
    /// Rules and limits of the gate.
    pub check: Check,
    /// The ratchet; `None` if the commit has none.
    pub(crate) ratchet: Option<Ratchet>,
    /// What to say about it: the revision and its commit.
    pub(crate) name: String,
}

impl Policy {
    /// The policy for a path at a revision. Its files have the paths that they would have on disk.
    ///
    /// # Errors
    /// If there is no such revision, or a file of it is not valid.
    pub fn at(path: &Path, revision: &str) -> Result<Self, Error> {
        let git = |error: slope_git::Error| Error::Change(error.into());
        let repo = Repo::open(path).map_err(git)?;
        let reader = repo.reader();
        let id = reader.resolve(revision).map_err(git)?;
        let tree = Tree {
            tree: reader.commit(id).map_err(git)?.tree,
            reader: &reader,
            top: repo.workdir().unwrap_or_else(|| path.to_owned()),
        };
        let below = folder_within(&repo, path);
        let found = tree.config(&below)?;
        let check = match &found {
            Some((found, text)) => Check::of_text(&found.path, text)?,
            None => Check::default(),
        };
        let folder = found
            .as_ref()
            .map_or("", |(found, _)| tree.folder_of(&found.path));
        let ratchet = slashed(&Path::new(folder).join(&check.ratchet));
        Ok(Self {
            ratchet: tree.ratchet(&ratchet)?,
            config: found.map(|(found, _)| found),
            check,
            name: format!("{revision} ({})", id.short()),
        })
    }
}

/// The files of a commit.
struct Tree<'r> {
    reader: &'r Reader,
    tree: Id,
    /// Where they would be on disk.
    top: PathBuf,
}

impl Tree<'_> {
    /// The configuration of the nearest folder that has one, from `below` upwards, and its text.
    fn config(&self, below: &str) -> Result<Option<(FoundConfig, String)>, Error> {
        for folder in Path::new(below).ancestors() {
            for name in ["slope.toml", "pyproject.toml"] {
                let within = slashed(&folder.join(name));
                let Some(text) = self.text(&within)? else {
                    continue;
                };
                if let Some(found) = Config::of_text(&self.top.join(&within), &text)? {
                    return Ok(Some((found, text)));
                }
            }
        }
        Ok(None)
    }

    fn ratchet(&self, within: &str) -> Result<Option<Ratchet>, Error> {
        let Some(text) = self.text(within)? else {
            return Ok(None);
        };
        let parsed = Ratchet::parse(&text).map_err(|(line, message)| Error::Config {
            path: self.top.join(within),
            line,
            message,
        });
        parsed.map(Some)
    }

    /// The text of a file; `None` if it is not there.
    fn text(&self, within: &str) -> Result<Option<String>, Error> {
        let git = |error: slope_git::Error| Error::Change(error.into());
        let leads_there = |folder: &str| {
            let folder = folder.trim_end_matches('/');
            within
                .strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        let files = self.reader.files(self.tree, &leads_there).map_err(git)?;
        let is_it = |entry: &Entry| entry.path == within && entry.kind == slope_git::Kind::File;
        let Some(entry) = files.into_iter().find(is_it) else {
            return Ok(None);
        };
        let bytes = self.reader.blob(entry.id, within).map_err(git)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The folder of a file from the top of the tree.
    fn folder_of<'p>(&self, path: &'p Path) -> &'p str {
        let within = path.strip_prefix(&self.top).ok();
        within
            .and_then(Path::parent)
            .and_then(Path::to_str)
            .unwrap_or("")
    }
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
