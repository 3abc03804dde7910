//! The files of a worktree as they are on disk, and edits of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use slope_git::{Content as IndexContent, Kind, Reader, Repo};
use slope_measure::{Measurer, Selection};
use slope_model::path::slashed;

use super::base::{checked_out, stopgap_notes};
use super::sides::{Sides, Steering};
use super::{Place, Trees, listing, selection, side};
use crate::{Edit, Error, untracked};

/// The files of a worktree that are measured or may be: tracked ones, and those that were never
/// added and are not ignored.
fn worktree(
    reader: &Reader,
    repo: &Repo,
    measurer: &Measurer,
) -> Result<(BTreeMap<String, Place>, Selection), Error> {
    let tracked = reader.worktree()?;
    let mut files = BTreeMap::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for file in tracked {
        known.insert(file.path.clone());
        if file.kind == Kind::File {
            let place = match file.content {
                IndexContent::Blob(id) => Place::Blob(id),
                IndexContent::Disk(disk) => Place::Disk(disk),
            };
            files.insert(file.path, place);
        }
    }
    let top = repo.path().to_owned();
    let exclude = repo.common_dir().join("info/exclude");
    let select = |files: &_| selection(measurer, Some(reader), files, Some(&exclude));
    // Files that are tracked are judged by what is tracked, as git ignores none of them: nobody hides
    // a change by an ignore file that is in no commit.
    let of_tracked = select(&files)?;
    let mut selection = select(&files)?;
    // What the top's own ignore files name is not entered to look for others.
    if add_steering(&mut files, &selection, &untracked::at_top(&top)) {
        selection = select(&files)?;
    }
    let mut found = untracked::files(&top, &selection, &known);
    for _ in 0..MOST_STEERING {
        if !add_steering(&mut files, &selection, &found) {
            break;
        }
        selection = select(&files)?;
        found = untracked::files(&top, &selection, &known);
    }
    let found = found.into_iter();
    files.extend(found.map(|(path, disk)| (path, Place::Disk(disk))));
    Ok((files, of_tracked))
}

/// How often ignore files may show further ones; what they leave out beyond that is judged.
const MOST_STEERING: usize = 8;

/// Adds the files that say what is measured, which count before they are added, as they do for
/// git. Tells whether there were any that are new.
fn add_steering(
    files: &mut BTreeMap<String, Place>,
    selection: &Selection,
    found: &[(String, PathBuf)],
) -> bool {
    let before = files.len();
    for (path, disk) in found
        .iter()
        .filter(|(path, _)| selection.is_steered_by(path))
    {
        let file = files.entry(path.clone());
        file.or_insert_with(|| Place::Disk(disk.clone()));
    }
    files.len() > before
}

pub(super) fn of_worktree(
    reader: &Reader,
    repo: &Repo,
    measurer: &Measurer,
    (base, ratchet): (Option<&str>, Option<&str>),
) -> Result<Trees, Error> {
    let (tree, base) = checked_out(reader, base)?;
    let (new, selection) = worktree(reader, repo, measurer)?;
    let sides = Sides::of(reader, tree, new, &selection)?;
    let (files, mut changes, steering) = sides.parted(reader, measurer, ratchet)?;
    forget_unchanged(reader, &files, &mut changes);
    let notes = stopgap_notes(reader, repo, (&base, "HEAD"), changes.is_empty())?;
    Ok(Trees {
        repo: None,
        base: base.side,
        head: side("working tree", None),
        chosen: base.chosen,
        files,
        setup: BTreeMap::new(),
        changes,
        below: String::new(),
        notes,
        steering,
        past: base.id.map(|id| (id, selection)),
    })
}

/// Drops files that the system says were written and that have the same content all the same.
fn forget_unchanged(
    reader: &Reader,
    files: &BTreeMap<String, Place>,
    changes: &mut BTreeMap<String, Option<Place>>,
) {
    changes.retain(|path, place| {
        let (Some(Place::Disk(disk)), Some(Place::Blob(id))) = (place, files.get(path)) else {
            return true;
        };
        !std::fs::read(disk).is_ok_and(|new| reader.is_content(*id, &new))
    });
}

pub(super) fn of_edits(
    reader: &Reader,
    repo: &Repo,
    measurer: &Measurer,
    edits: &[Edit],
) -> Result<Trees, Error> {
    let (mut old, selection) = worktree(reader, repo, measurer)?;
    let top = repo.path().canonicalize();
    let top = top.unwrap_or_else(|_| repo.path().to_owned());
    let mut new = old.clone();
    for edit in edits {
        let Some(path) = within(&top, &edit.path) else {
            continue;
        };
        put(&mut old, &path, edit.before.as_ref());
        put(&mut new, &path, edit.after.as_ref());
    }
    let head = reader.head().ok();
    let tree = head.map(|head| reader.commit(head)).transpose()?;
    let tree = tree.map(|commit| commit.tree);
    let committed = listing(reader, tree, &|folder| selection.enters(folder))?;
    let sides = |old, new| Sides {
        old,
        new,
        selection: &selection,
    };
    let (_, changes) = sides(old.clone(), new).compared();
    let (files, mut setup) = sides(committed, old).compared();
    forget_unchanged(reader, &files, &mut setup);
    Ok(Trees {
        repo: None,
        base: side("before the edit", None),
        head: side("after the edit", None),
        chosen: "the files on disk around it".to_owned(),
        files,
        setup,
        changes,
        below: String::new(),
        notes: Vec::new(),
        steering: Steering::default(),
        past: None,
    })
}

fn put(files: &mut BTreeMap<String, Place>, path: &str, bytes: Option<&Vec<u8>>) {
    match bytes {
        Some(bytes) => files.insert(path.to_owned(), Place::Bytes(bytes.clone())),
        None => files.remove(path),
    };
}

/// A path on disk as one within a folder; `None` if it is not below it. The file itself need
/// not be there.
fn within(top: &Path, path: &Path) -> Option<String> {
    let name = path.file_name()?;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    let path = folder.join(name);
    path.strip_prefix(top).ok().map(slashed)
}
