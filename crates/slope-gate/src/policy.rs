//! Settings, ratchet and waivers of a commit, which a change cannot edit.

use std::path::{Component, Path, PathBuf};

use slope_change::folder_within;
use slope_git::{Id, Kind, Reader, Repo};
use slope_measure::{Config, FoundConfig};
use slope_model::series::Point;

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
    /// Ids of the commits of all points of series.
    pub(crate) points: Vec<String>,
    /// The revision and its commit, for messages.
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
            name: revision.to_owned(),
        };
        let below = folder_within(&repo, path);
        let found = tree.config(&below)?;
        let check = match &found {
            Some((found, text)) => {
                Check::of_text(&found.path, text).map_err(|error| at_revision(error, revision))?
            }
            None => Check::default(),
        };
        let folder = found
            .as_ref()
            .map_or("", |(found, _)| tree.folder_of(&found.path));
        let ratchet = plain(&Path::new(folder).join(&check.ratchet));
        let ratchet = ratchet.map(|file| tree.ratchet(&file)).transpose()?;
        Ok(Self {
            ratchet: ratchet.flatten(),
            points: tree.points(folder)?,
            config: found.map(|(found, _)| found),
            check,
            name: format!("{revision} ({})", id.short()),
        })
    }
}

/// Names the revision in an error of a configuration, because the file on disk may be another one.
fn at_revision(error: Error, revision: &str) -> Error {
    match error {
        Error::Config {
            path,
            line,
            message,
        } => Error::Config {
            path: PathBuf::from(format!("{revision}:{}", path.display())),
            line,
            message,
        },
        other => other,
    }
}

/// Links that are followed one after another.
const MAX_LINKS: usize = 8;

/// An entry of a commit.
enum Found {
    Text(String),
    /// The target of a link.
    Link(String),
}

/// The files of a commit.
struct Tree<'r> {
    reader: &'r Reader,
    tree: Id,
    /// Where they would be on disk.
    top: PathBuf,
    /// The revision, for messages.
    name: String,
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

    /// The entry at a path; `None` if the path does not exist.
    fn found(&self, within: &str) -> Result<Option<Found>, Error> {
        let git = |error: slope_git::Error| Error::Change(error.into());
        let leads_there = |folder: &str| {
            let folder = folder.trim_end_matches('/');
            within
                .strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        let files = self.reader.files(self.tree, &leads_there).map_err(git)?;
        let Some(entry) = files.into_iter().find(|entry| entry.path == within) else {
            return Ok(None);
        };
        let bytes = self.reader.blob(entry.id, within).map_err(git)?;
        let text = String::from_utf8(bytes).map_err(|_| self.faulty(within, "it is not UTF-8"))?;
        Ok(Some(match entry.kind {
            Kind::File => Found::Text(text),
            Kind::Link => Found::Link(text),
            Kind::Submodule => return Err(self.faulty(within, "it is a submodule")),
        }))
    }

    /// The text of a file, also through links within the tree; `None` if it is not there.
    fn text(&self, within: &str) -> Result<Option<String>, Error> {
        let mut place = within.to_owned();
        for _ in 0..MAX_LINKS {
            match self.found(&place)? {
                None if place == within => return Ok(None),
                None => return Err(self.faulty(within, "it is a link to nothing in the commit")),
                Some(Found::Text(text)) => return Ok(Some(text)),
                Some(Found::Link(target)) => {
                    let folder = Path::new(&place).parent().unwrap_or(Path::new(""));
                    let target = plain(&folder.join(target));
                    let outside =
                        || self.faulty(within, "it is a link that leads out of the commit");
                    place = target.ok_or_else(outside)?;
                }
            }
        }
        Err(self.faulty(within, "it is a link that leads back to itself"))
    }

    fn faulty(&self, within: &str, message: &str) -> Error {
        Error::Config {
            path: PathBuf::from(format!("{}:{within}", self.name)),
            line: 1,
            message: format!("cannot use it as the policy: {message}"),
        }
    }

    /// Ids of the commits of all points of series, next to the configuration.
    fn points(&self, folder: &str) -> Result<Vec<String>, Error> {
        let git = |error: slope_git::Error| Error::Change(error.into());
        let below = slashed(&Path::new(folder).join(slope_store::series::FOLDER));
        let leads_there = |folder: &str| {
            let folder = folder.trim_end_matches('/');
            folder.starts_with(&below)
                || below
                    .strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        let files = self.reader.files(self.tree, &leads_there).map_err(git)?;
        let mut ids = Vec::new();
        for entry in files {
            if entry.kind != Kind::File || !entry.path.starts_with(&format!("{below}/")) {
                continue;
            }
            let bytes = self.reader.blob(entry.id, &entry.path).map_err(git)?;
            let point: Option<Point> = serde_json::from_slice(&bytes).ok();
            ids.extend(point.and_then(|point| point.commit).map(|commit| commit.id));
        }
        Ok(ids)
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

/// A path without `.` and `..`; `None` if it leads out.
fn plain(path: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
