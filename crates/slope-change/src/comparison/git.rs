//! A change in a repository: trees, and the measured files.

use std::collections::BTreeMap;
use std::path::Path;

use slope_git::{Id, Kind, Reader};
use slope_measure::{Measurer, Selection};
use slope_model::gate::Side;

use super::scope::ScopeChanges;
use crate::Error;
use crate::base_files::{Files, Place, bytes};

/// Settings of a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub struct ComparisonOptions<'a> {
    /// The default base; `None` for the merge base with the default branch.
    pub base: Option<&'a str>,
    /// File name of the ratchet. Its changes are in [`ScopeChanges::rewritten`].
    pub ratchet: Option<&'a str>,
}

/// A change in a repository, before its files are read.
pub(super) struct GitChange {
    pub(super) base: Side,
    pub(super) head: Side,
    pub(super) chosen: String,
    /// Measured files of the base.
    pub(super) files: Files,
    /// Files applied to the base before the change.
    pub(super) setup: BTreeMap<String, Option<Place>>,
    /// Files that differ, in the head; `None` for removed ones.
    pub(super) changes: BTreeMap<String, Option<Place>>,
    pub(super) notes: Vec<String>,
    pub(super) scope: ScopeChanges,
    /// The commit of the base, and the selection of measured files.
    pub(super) past: Option<(Id, Selection)>,
}

pub(super) fn side(name: &str, commit: Option<Id>) -> Side {
    Side {
        name: name.to_owned(),
        commit: commit.map(|id| id.to_string()),
    }
}

/// Files of a tree by path, without links and submodules.
pub(super) fn listing(
    reader: &Reader,
    tree: Option<Id>,
    enter: &dyn Fn(&str) -> bool,
) -> Result<Files, Error> {
    let Some(tree) = tree else {
        return Ok(BTreeMap::new());
    };
    let files = reader.files(tree, enter)?.into_iter();
    let files = files.filter(|file| file.kind == Kind::File);
    Ok(files
        .map(|file| (file.path, Place::Blob(file.id)))
        .collect())
}

/// Selects the measured paths by the ignore files among `files`.
pub(super) fn selection(
    measurer: &Measurer,
    reader: &Reader,
    files: &Files,
    exclude: Option<&Path>,
) -> Result<Selection, Error> {
    let text = |path: &str| bytes(reader, path, files.get(path)?).ok();
    // Ignore files of this clone only. They come before the ignore file of the root.
    let excluded = exclude.and_then(|path| std::fs::read(path).ok());
    let find = |path: &str| match (&excluded, path) {
        (Some(excluded), ".gitignore") => {
            let mut all = excluded.clone();
            all.push(b'\n');
            all.extend(text(path).unwrap_or_default());
            Some(all)
        }
        _ => text(path),
    };
    let top = (excluded.is_some() && !files.contains_key(".gitignore")).then_some(".gitignore");
    let paths = files.keys().map(String::as_str).chain(top);
    Ok(measurer.selection(paths, &find)?)
}
