//! Files of a worktree on disk, and edits of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use slope_git::{Content as IndexContent, Kind, Reader, Repo};
use slope_measure::{Choice, Measurer, Selection};
use slope_model::path::slashed;

use super::base::{checked_out, stopgap_notes};
use super::git::{ComparisonOptions, GitChange, listing, selection, side};
use super::links::Links;
use super::scope::{ScopeChanges, last_of};
use super::sides::Sides;
use super::untracked;
use crate::Error;
use crate::base_files::{Files, Place};
use crate::subject::Edit;

/// Files of a worktree that are measured or may be measured.
struct Worktree {
    /// Tracked files, and untracked files that are not ignored.
    files: Files,
    /// Selection by tracked ignore files.
    selection: Selection,
    /// Untracked files that an untracked `.slopeignore` excludes.
    hidden: Vec<String>,
}

fn worktree(reader: &Reader, repo: &Repo, measurer: &Measurer) -> Result<Worktree, Error> {
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
    let select = |files: &_| selection(measurer, reader, files, Some(&exclude));
    // Tracked files are selected by tracked ignore files, as in git. An uncommitted ignore file cannot hide a change.
    let of_tracked = select(&files)?;
    let mut selection = select(&files)?;
    // Do not search paths that the root's ignore files exclude.
    if add_ignore_files(&mut files, &selection, &untracked::at_top(&top)) {
        selection = select(&files)?;
    }
    let mut found = untracked::files(&top, &selection, &known);
    for _ in 0..MAX_IGNORE_ROUNDS {
        if !add_ignore_files(&mut files, &selection, &found) {
            break;
        }
        selection = select(&files)?;
        found = untracked::files(&top, &selection, &known);
    }
    files.retain(|path, _| last_of(path) != SLOPE_IGNORE || known.contains(path));
    let has_own_ignores = found.iter().any(|(path, _)| last_of(path) == SLOPE_IGNORE);
    let mut hidden = Vec::new();
    if has_own_ignores {
        hidden = hidden_by_own_ignores((&top, measurer), &select(&files)?, &known, &found);
    }
    let found = found.into_iter();
    files.extend(found.map(|(path, disk)| (path, Place::Disk(disk))));
    Ok(Worktree {
        files,
        selection: of_tracked,
        hidden,
    })
}

/// Untracked code that was not found by the selection.
fn hidden_by_own_ignores(
    (top, measurer): (&Path, &Measurer),
    selection: &Selection,
    known: &BTreeSet<String>,
    found: &[(String, PathBuf)],
) -> Vec<String> {
    let there: BTreeSet<&String> = found.iter().map(|(path, _)| path).collect();
    let all = untracked::files(top, selection, known).into_iter();
    let code = all.filter(|(path, disk)| {
        let is_code = || {
            let text = std::fs::read(disk).unwrap_or_default();
            measurer.is_code(path, &text[..text.len().min(512)])
        };
        !there.contains(path) && selection.choice(path) == Choice::Measured && is_code()
    });
    let mut code: Vec<String> = code.map(|(path, _)| path).collect();
    code.sort();
    code
}

/// Ignore file that only slope reads. Git adds the files that it names.
const SLOPE_IGNORE: &str = ".slopeignore";

/// Maximum rounds in which ignore files may reveal further ignore files. Files that later ones
/// exclude are judged.
const MAX_IGNORE_ROUNDS: usize = 8;

/// Adds untracked ignore files and settings, which apply before they are committed, as in git.
/// Returns whether some are new.
fn add_ignore_files(files: &mut Files, selection: &Selection, found: &[(String, PathBuf)]) -> bool {
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
    options: ComparisonOptions<'_>,
) -> Result<GitChange, Error> {
    let (tree, base) = checked_out(reader, options.base)?;
    let worktree = worktree(reader, repo, measurer)?;
    let selection = worktree.selection;
    let new = (worktree.files, Links::Disk(repo.path()));
    let sides = Sides::of(reader, tree, new, &selection)?;
    let (files, mut changes, mut scope) = sides.parted(reader, measurer, options.ratchet)?;
    if !files.is_empty() {
        let hidden = worktree.hidden.into_iter();
        let reason = || format!("ignored by {SLOPE_IGNORE}");
        scope.hidden.extend(hidden.map(|path| (path, reason())));
    }
    forget_unchanged(reader, &files, &mut changes);
    let notes = stopgap_notes(reader, repo, (&base, "HEAD"), changes.is_empty())?;
    Ok(GitChange {
        base: base.side,
        head: side("working tree", None),
        chosen: base.chosen,
        files,
        setup: BTreeMap::new(),
        changes,
        notes,
        scope,
        past: base.id.map(|id| (id, selection)),
    })
}

/// Removes files that have a new modification time but the same content.
fn forget_unchanged(reader: &Reader, files: &Files, changes: &mut BTreeMap<String, Option<Place>>) {
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
) -> Result<GitChange, Error> {
    let worktree = worktree(reader, repo, measurer)?;
    let (mut old, selection) = (worktree.files, worktree.selection);
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
        old_tree: None,
        old,
        new,
        links: Links::None,
        selection: &selection,
    };
    let (_, changes) = sides(old.clone(), new).compared();
    let (files, mut setup) = sides(committed, old).compared();
    forget_unchanged(reader, &files, &mut setup);
    Ok(GitChange {
        base: side("before the edit", None),
        head: side("after the edit", None),
        chosen: "the files on disk around it".to_owned(),
        files,
        setup,
        changes,
        notes: Vec::new(),
        scope: ScopeChanges::default(),
        past: None,
    })
}

fn put(files: &mut Files, path: &str, bytes: Option<&Vec<u8>>) {
    match bytes {
        Some(bytes) => files.insert(path.to_owned(), Place::Bytes(bytes.clone())),
        None => files.remove(path),
    };
}

/// A path on disk, relative to a folder; `None` if it is not below it. The file need not exist.
fn within(top: &Path, path: &Path) -> Option<String> {
    let name = path.file_name()?;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    let path = folder.join(name);
    path.strip_prefix(top).ok().map(slashed)
}
