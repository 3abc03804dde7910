//! Symbolic links and submodules that replace judged files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use slope_git::{Content as IndexContent, Id, Kind, Reader};
use slope_measure::{Choice, Selection};
use slope_model::path::{shown, shown_bytes};

use super::gone::gone;
use crate::Error;
use crate::base_files::Files;

/// Source of the symbolic links of the later side.
#[derive(Clone, Copy)]
pub(super) enum Links<'a> {
    /// The tree of a commit.
    Tree(Id),
    /// The index.
    Index,
    /// The worktree below this folder.
    Disk(&'a Path),
    /// No links, for a diff or an edit.
    None,
}

impl Links<'_> {
    /// Judged files that are now links to something that is not judged, or in a submodule, each with the reason.
    pub(super) fn hidden(
        self,
        reader: &Reader,
        sides: (&Files, &Files),
        selection: &Selection,
    ) -> Result<Vec<(String, String)>, Error> {
        let mut gone = gone(sides, selection).peekable();
        if gone.peek().is_none() {
            return Ok(Vec::new());
        }
        let targets = self.targets(reader)?;
        let is_judged =
            |path: &str| sides.1.contains_key(path) && selection.choice(path) == Choice::Measured;
        let mut hidden = Vec::new();
        let submodules = self.submodules(reader)?;
        for (path, _) in gone {
            let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
            if let Some(folder) = folders.find(|folder| submodules.contains(*folder)) {
                let reason = format!("{folder} is now a submodule, which slope does not judge");
                hidden.push((path.clone(), reason));
                continue;
            }
            let Some((link, target)) = targets.link_around(path) else {
                continue;
            };
            if !targets.end(path).is_some_and(|end| is_judged(&end)) {
                let shown: String = target.chars().take(MAX_SHOWN).collect();
                let reason =
                    format!("{link} is now a symbolic link to {shown}, which slope does not judge");
                hidden.push((path.clone(), reason));
            }
        }
        Ok(hidden)
    }

    /// Paths of submodules. Those of a worktree are in its index.
    fn submodules(self, reader: &Reader) -> Result<BTreeSet<String>, Error> {
        let paths: Vec<(String, Kind)> = match self {
            Self::None => Vec::new(),
            Self::Tree(tree) => {
                let files = reader.files(tree, &|_| true)?.into_iter();
                files.map(|file| (file.path, file.kind)).collect()
            }
            Self::Index | Self::Disk(_) => {
                let staged = reader.staged()?.into_iter();
                staged.map(|file| (file.path, file.kind)).collect()
            }
        };
        let found = paths
            .into_iter()
            .filter(|(_, kind)| *kind == Kind::Submodule);
        Ok(found.map(|(path, _)| path).collect())
    }

    fn targets<'r>(self, reader: &'r Reader) -> Result<Targets<'r>, Error>
    where
        Self: 'r,
    {
        let (ids, top) = match self {
            Self::None => (BTreeMap::new(), None),
            Self::Disk(top) => (BTreeMap::new(), Some(top)),
            Self::Tree(tree) => {
                let files = reader.files(tree, &|_| true)?.into_iter();
                let links = files.filter(|file| file.kind == Kind::Link);
                (links.map(|file| (file.path, file.id)).collect(), None)
            }
            Self::Index => {
                let staged = reader.staged()?.into_iter();
                let links = staged.filter(|file| file.kind == Kind::Link);
                let ids = links.filter_map(|file| match file.content {
                    IndexContent::Blob(id) => Some((file.path, id)),
                    IndexContent::Disk(_) => None,
                });
                (ids.collect(), None)
            }
        };
        Ok(Targets { reader, ids, top })
    }
}

/// Maximum characters of a link's target in a message.
const MAX_SHOWN: usize = 200;

/// Maximum number of links in a chain.
const MAX_LINKS: usize = 8;

/// Reads targets of links, in the repository or on disk.
struct Targets<'r> {
    reader: &'r Reader,
    ids: BTreeMap<String, Id>,
    top: Option<&'r Path>,
}

impl Targets<'_> {
    /// Target of the link at a path, if it is one.
    fn at(&self, path: &str) -> Option<String> {
        let Some(top) = self.top else {
            let target = self.reader.blob(*self.ids.get(path)?, path).ok()?;
            return Some(shown_bytes(&target).into_owned());
        };
        let target = std::fs::read_link(top.join(path)).ok()?;
        Some(shown(target.as_os_str()).into_owned())
    }

    /// The outermost link at a path or one of its folders, and its target.
    fn link_around<'p>(&self, path: &'p str) -> Option<(&'p str, String)> {
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        let mut places = folders.chain([path]);
        places.find_map(|place| Some((place, self.at(place)?)))
    }

    /// The path at the end of the links; `None` if it is outside of the repository, or if the links form a cycle.
    fn end(&self, path: &str) -> Option<String> {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            let Some((link, target)) = self.link_around(&path) else {
                return Some(path);
            };
            let top = self.top.map(Path::to_string_lossy);
            let inside = top
                .as_deref()
                .and_then(|top| target.strip_prefix(top)?.strip_prefix('/'));
            let (folder, target) = match inside {
                Some(inside) => ("", inside),
                None => (link, target.as_str()),
            };
            path = resolved(folder, &format!("{target}{}", &path[link.len()..]))?;
        }
        None
    }
}

/// The path that a link points to; `None` if it is outside of the repository.
pub(super) fn resolved(path: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn links_lead_from_their_folder() {
        let to = |target| resolved("a/b/c.py", target);
        assert_eq!(to("d.py").as_deref(), Some("a/b/d.py"));
        assert_eq!(to("../../d/./e.py").as_deref(), Some("d/e.py"));
        assert_eq!(to("../../../e.py"), None);
        assert_eq!(to("/tmp/e.py"), None);
    }
}
