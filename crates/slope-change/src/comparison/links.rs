//! Symbolic links in place of files that were judged.

use std::collections::BTreeMap;
use std::path::Path;

use slope_git::{Content as IndexContent, Id, Kind, Reader};
use slope_measure::{Choice, Selection};
use slope_model::path::{shown, shown_bytes};

use super::gone::gone;
use crate::Error;
use crate::base_files::Files;

/// Where the new side of a change keeps its symbolic links.
#[derive(Clone, Copy)]
pub(super) enum Links<'a> {
    /// In the tree of a commit.
    Tree(Id),
    /// In the index.
    Index,
    /// In the worktree below this folder.
    Disk(&'a Path),
    /// A diff or an edit has files only.
    None,
}

impl Links<'_> {
    /// Files that were judged and are links to something that is not judged now, each with the reason.
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
        for (path, _) in gone {
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

/// Most characters of a link's target that a message shows.
const MAX_SHOWN: usize = 200;

/// Most links that are followed from one to the next.
const MAX_LINKS: usize = 8;

/// The targets of links: in the repository, or on disk below a folder.
struct Targets<'r> {
    reader: &'r Reader,
    ids: BTreeMap<String, Id>,
    top: Option<&'r Path>,
}

impl Targets<'_> {
    /// The target of the link at a path, if it is one.
    fn at(&self, path: &str) -> Option<String> {
        let Some(top) = self.top else {
            let target = self.reader.blob(*self.ids.get(path)?, path).ok()?;
            return Some(shown_bytes(&target).into_owned());
        };
        let target = std::fs::read_link(top.join(path)).ok()?;
        Some(shown(target.as_os_str()).into_owned())
    }

    /// The outermost link at a path or a folder around it, and its target.
    fn link_around<'p>(&self, path: &'p str) -> Option<(&'p str, String)> {
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        let mut places = folders.chain([path]);
        places.find_map(|place| Some((place, self.at(place)?)))
    }

    /// The path that is reached through the links at a path; `None` if it is outside of the repository, or
    /// the links lead around in a circle.
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

/// The path that a link at another path leads to; `None` if it leads out of the repository.
fn resolved(path: &str, target: &str) -> Option<String> {
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
