//! Effect of a diff on the files of a commit.

use std::collections::{BTreeMap, BTreeSet};

use slope_git::Reader;
use slope_git::patch::FilePatch;
use slope_measure::Measurer;

use super::base::diff_base;
use super::git::{ComparisonOptions, GitChange, selection, side};
use super::links::Links;
use super::sides::{Sides, all_files};
use crate::Error;
use crate::base_files::{Files, Place};

/// Effect of patches on the files of a base.
fn patched(
    reader: &Reader,
    old: &Files,
    patches: &[FilePatch],
    base: &str,
) -> Result<Files, Error> {
    let mut new = old.clone();
    // Files that earlier patches of a series changed, which later patches continue from.
    let mut touched: BTreeSet<&String> = BTreeSet::new();
    for patch in patches {
        let place = patch.old.as_ref().map(|path| {
            let files = if touched.contains(path) { &new } else { old };
            (path, files.get(path))
        });
        let before = match place {
            None => Vec::new(),
            Some((path, Some(Place::Blob(blob)))) => reader.blob(*blob, path)?,
            Some((_, Some(Place::Bytes(bytes)))) => bytes.clone(),
            Some((path, _)) => {
                return Err(Error::NotInBase {
                    path: path.clone(),
                    base: base.to_owned(),
                });
            }
        };
        if patch.is_binary() {
            continue;
        }
        let after = patch.apply(&before).map_err(slope_git::Error::from)?;
        if let Some(path) = patch.old.as_ref().filter(|_| !patch.is_copy) {
            new.remove(path);
        }
        if let Some(path) = &patch.new {
            new.insert(path.clone(), Place::Bytes(after));
            // Another file of the same diff may move to the place of a renamed file.
            if patch.old.as_ref().is_none_or(|old| old == path) {
                touched.insert(path);
            }
        }
    }
    Ok(new)
}

pub(super) fn of_diff(
    reader: &Reader,
    measurer: &Measurer,
    options: ComparisonOptions<'_>,
    diff: &[u8],
) -> Result<GitChange, Error> {
    // A diff applies to the named commit itself, not to a merge base.
    let base = options.base;
    let name = base.unwrap_or("HEAD");
    let id = diff_base(reader, base)?;
    let tree = id.map(|id| reader.commit(id)).transpose()?;
    let old_tree = tree.map(|commit| commit.tree);
    let old = all_files(reader, old_tree)?;
    let has = |path: &str| old.contains_key(path);
    let patches = slope_git::patch::parse(diff, &has).map_err(slope_git::Error::from)?;
    let new = patched(reader, &old, &patches, name)?;
    let selection = selection(measurer, reader, &new, None)?;
    let sides = Sides {
        old_tree,
        old,
        new,
        links: Links::None,
        selection: &selection,
    };
    let (files, changes, scope) = sides.parted(reader, measurer, options.ratchet)?;
    Ok(GitChange {
        base: match id {
            Some(id) => side(name, Some(id)),
            None => side("nothing", None),
        },
        head: side("diff", None),
        chosen: match (base, id) {
            (Some(name), _) => format!("--base {name}"),
            (None, Some(_)) => "the last commit".to_owned(),
            (None, None) => "there is no commit yet".to_owned(),
        },
        files,
        setup: BTreeMap::new(),
        changes,
        notes: Vec::new(),
        scope,
        past: None,
    })
}
