//! Symbolic links in place of files that were judged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use slope_git::{Content as IndexContent, Id, Kind, Reader};
use slope_measure::{Choice, Selection};
use slope_model::path::{shown, shown_bytes};

use super::Place;
use crate::Error;

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
        (old, new): (&BTreeMap<String, Place>, &BTreeMap<String, Place>),
        selection: &Selection,
    ) -> Result<Vec<(String, String)>, Error> {
        let is_measured = |path: &str| selection.choice(path) == Choice::Measured;
        let gone = old.keys().filter(|path| !new.contains_key(*path));
        let gone: Vec<&String> = gone.filter(|path| is_measured(path)).collect();
        if gone.is_empty() {
            return Ok(Vec::new());
        }
        let links = self.of(reader, &gone)?;
        let mut hidden = Vec::new();
        for path in gone {
            let Some((link, target)) = link_around(&links, path) else {
                continue;
            };
            let rest = &path[link.len()..];
            let judged = resolved(link, &format!("{target}{rest}"));
            if !judged.is_some_and(|path| new.contains_key(&path) && is_measured(&path)) {
                let reason = format!("{link} is a link to {target} now, which is not judged");
                hidden.push((path.clone(), reason));
            }
        }
        Ok(hidden)
    }

    /// All links with what each leads to; on disk those that are in the place of paths, or around them.
    fn of(self, reader: &Reader, paths: &[&String]) -> Result<BTreeMap<String, String>, Error> {
        let read = |path: String, id: Id| -> Result<(String, String), Error> {
            let target = reader.blob(id, &path)?;
            Ok((path, shown_bytes(&target).into_owned()))
        };
        match self {
            Self::None => Ok(BTreeMap::new()),
            Self::Tree(tree) => {
                let files = reader.files(tree, &|_| true)?.into_iter();
                let links = files.filter(|file| file.kind == Kind::Link);
                links.map(|file| read(file.path, file.id)).collect()
            }
            Self::Index => {
                let staged = reader.staged()?.into_iter();
                let links = staged.filter(|file| file.kind == Kind::Link);
                let read = links.filter_map(|file| match file.content {
                    IndexContent::Blob(id) => Some(read(file.path, id)),
                    IndexContent::Disk(_) => None,
                });
                read.collect()
            }
            Self::Disk(top) => {
                let places: BTreeSet<&str> = paths.iter().flat_map(|path| around(path)).collect();
                let target = |path: &str| {
                    let target = std::fs::read_link(top.join(path)).ok()?;
                    Some((path.to_owned(), shown(target.as_os_str()).into_owned()))
                };
                Ok(places.into_iter().filter_map(target).collect())
            }
        }
    }
}

/// The folders around a path, the outermost first, and the path.
fn around(path: &str) -> impl Iterator<Item = &str> {
    let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    folders.chain(std::iter::once(path))
}

/// The outermost link that is in the place of a path, or of a folder around it.
fn link_around<'l>(links: &'l BTreeMap<String, String>, path: &str) -> Option<(&'l str, &'l str)> {
    let found = around(path).find_map(|place| links.get_key_value(place));
    found.map(|(link, target)| (link.as_str(), target.as_str()))
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
