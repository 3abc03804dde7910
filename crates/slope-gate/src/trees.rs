//! The files of both sides of a comparison.
//!
//! | module | what it holds |
//! |---|---|
//! | `base` | which commit a change is compared with |
//! | `worktree` | the files of a worktree, and edits of them |
//! | `diff` | what a diff makes of the files of a commit |
//! | `links` | symbolic links in place of files that were judged |
//! | `moved` | code that moves to where it is left out by its name |
//! | `sides` | both sides of a change, and what it does to what is judged, and to how |

mod base;
mod diff;
mod links;
mod moved;
mod sides;
mod worktree;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use slope_git::{Content as IndexContent, Id, Kind, Line, Reader, Repo};
use slope_measure::{Choice, Content, LFS_POINTER, Measurer, Selection, is_lfs_pointer};
use slope_model::gate::Side;
use slope_model::path::slashed;

use crate::{Error, Head};
use base::{base_of, checked_out, stopgap_notes};
use diff::of_diff;
use links::Links;
use sides::Sides;
use worktree::{of_edits, of_worktree};

pub use base::EMPTY_TREE;
pub(crate) use sides::{Rewritten, Steering, is_config, name_of};

/// Where the content of a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Blob(Id),
    Disk(PathBuf),
    Bytes(Vec<u8>),
}

/// What is compared.
pub(crate) struct Trees {
    pub(crate) repo: Option<Repo>,
    pub(crate) base: Side,
    pub(crate) head: Side,
    /// How the base was chosen.
    pub(crate) chosen: String,
    /// Files of the base that are measured.
    pub(crate) files: BTreeMap<String, Place>,
    /// Files put onto the base before the judgement.
    pub(crate) setup: BTreeMap<String, Option<Place>>,
    /// Files that differ, as they are in the head; `None` for those that are gone.
    pub(crate) changes: BTreeMap<String, Option<Place>>,
    /// Only paths below are shown; empty for everything.
    pub(crate) below: String,
    pub(crate) notes: Vec<String>,
    /// Changes of judgement rules.
    pub(crate) steering: Steering,
    /// The selection; with the base commit, for its history.
    past: Option<(Id, Selection)>,
}

/// Seconds of a week.
const WEEK: i64 = 7 * 24 * 60 * 60;

/// The files of a week before.
pub(crate) struct Week {
    pub(crate) files: BTreeMap<String, Place>,
    /// A note about it.
    pub(crate) note: Option<String>,
}

impl Trees {
    /// The trees of a subject in a repository. `ratchet` is the name of the ratchet's file.
    pub(crate) fn of_git(
        measurer: &Measurer,
        path: &Path,
        (base, ratchet): (Option<&str>, Option<&str>),
        head: &Head,
    ) -> Result<Self, Error> {
        let repo = match Repo::open(path) {
            Ok(repo) => repo,
            Err(slope_git::Error::NoRepository { .. }) => {
                let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
                return Err(Error::NoRepository { path });
            }
            Err(error) => return Err(error.into()),
        };
        let reader = repo.reader();
        let below = below(&repo, path);
        let found = match head {
            Head::Commit(revision) => {
                of_commit(&reader, &repo, measurer, (base, ratchet), revision)?
            }
            Head::Worktree => of_worktree(&reader, &repo, measurer, (base, ratchet))?,
            Head::Staged => of_index(&reader, measurer, (base, ratchet))?,
            Head::Diff(diff) => of_diff(&reader, measurer, (base, ratchet), diff)?,
            Head::Edits(edits) => of_edits(&reader, &repo, measurer, edits)?,
        };
        drop(reader);
        Ok(Self {
            repo: Some(repo),
            below,
            ..found
        })
    }

    /// Ids of the contents of the base's files, if all of them are in the repository.
    pub(crate) fn ids(&self) -> Option<BTreeMap<String, String>> {
        let id = |(path, place): (&String, &Place)| match place {
            Place::Blob(id) => Some((path.clone(), id.to_string())),
            Place::Disk(_) | Place::Bytes(_) => None,
        };
        self.files.iter().map(id).collect()
    }

    /// The contents of changed files by path; nothing for those that are gone.
    pub(crate) fn changed(
        &self,
        measurer: &Measurer,
        changes: &BTreeMap<String, Option<Place>>,
    ) -> Result<BTreeMap<String, Content>, Error> {
        let there = changes
            .iter()
            .filter_map(|(path, place)| Some((path.as_str(), place.as_ref()?)));
        let found = self.contents(measurer, there.collect(), &|_| true)?;
        let gone = changes.keys().map(|path| (path.clone(), Content::Nothing));
        let mut contents: BTreeMap<String, Content> = gone.collect();
        contents.extend(found);
        Ok(contents)
    }

    /// The top of the worktree.
    pub(crate) fn top(&self) -> Option<&Path> {
        self.repo.as_ref().map(Repo::path)
    }

    /// The files before the commits of the last seven days on the base's first-parent line.
    pub(crate) fn week(&self, now: jiff::Timestamp) -> Result<Option<Week>, Error> {
        let (Some(repo), Some((base, selection))) = (&self.repo, &self.past) else {
            return Ok(None);
        };
        let reader = repo.reader();
        let since = now.as_second() - WEEK;
        let walk = reader.walk(*base, Line::FirstParent, Some(since))?;
        let note = walk.is_cut_off.then(|| {
            "the clone is shallow, so the week's budget counts only the commits that are there"
                .to_owned()
        });
        let oldest = walk.commits.first();
        let parent = oldest.and_then(|commit| commit.parents.first());
        let start = match (oldest, parent) {
            (None, _) => Some(reader.commit(*base)?.tree),
            (Some(oldest), _) if walk.is_cut_off => Some(oldest.tree),
            (Some(_), Some(parent)) => Some(reader.commit(*parent)?.tree),
            (Some(_), None) => None,
        };
        let files = listing(&reader, start, &|folder| selection.enters(folder))?;
        let files = files.into_iter();
        let files = files.filter(|(path, _)| selection.choice(path) == Choice::Measured);
        Ok(Some(Week {
            files: files.collect(),
            note,
        }))
    }

    /// The contents of places, in parallel, in their order: whole where that is wanted, else in
    /// outline.
    pub(crate) fn contents<'p>(
        &self,
        measurer: &Measurer,
        places: Vec<(&'p str, &'p Place)>,
        is_whole: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<(String, Content)>, Error> {
        let one = |reader: &mut Option<Reader>, (path, place): (&str, &Place)| {
            let content = match bytes(reader.as_ref(), path, place)? {
                bytes if is_lfs_pointer(&bytes) => Content::Unmeasured(LFS_POINTER.to_owned()),
                bytes if is_whole(path) => measurer.content(path, &bytes),
                bytes => measurer.outline(path, &bytes),
            };
            Ok((path.to_owned(), content))
        };
        let reader = || self.repo.as_ref().map(Repo::reader);
        measurer.install(|| {
            let each = places.into_par_iter().with_max_len(8);
            each.map_init(reader, one).collect()
        })
    }
}

fn bytes(reader: Option<&Reader>, path: &str, place: &Place) -> Result<Vec<u8>, Error> {
    Ok(match (place, reader) {
        (Place::Blob(id), Some(reader)) => reader.blob(*id, path)?,
        (Place::Disk(file), _) => read(file)?,
        (Place::Bytes(bytes), _) => bytes.clone(),
        (Place::Blob(_), None) => Vec::new(),
    })
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })
}

/// Whether a path is the named one or below it; see [`below`].
pub(crate) fn is_below(below: &str, path: &str) -> bool {
    path == below || below.is_empty() || (below.ends_with('/') && path.starts_with(below))
}

/// The folder within the repository that a path names, with a `/` at its end, or the file; the
/// top is empty.
pub(crate) fn below(repo: &Repo, path: &Path) -> String {
    let (Ok(path), Ok(top)) = (path.canonicalize(), repo.path().canonicalize()) else {
        return String::new();
    };
    let Ok(within) = path.strip_prefix(&top) else {
        return String::new();
    };
    let within = slashed(within);
    match within.is_empty() || repo.workdir().is_none() {
        true => String::new(),
        false if path.is_dir() => within + "/",
        false => within,
    }
}

fn side(name: &str, commit: Option<Id>) -> Side {
    Side {
        name: name.to_owned(),
        commit: commit.map(|id| id.to_string()),
    }
}

/// Files of a tree by path, without links and submodules.
fn listing(
    reader: &Reader,
    tree: Option<Id>,
    enter: &dyn Fn(&str) -> bool,
) -> Result<BTreeMap<String, Place>, Error> {
    let Some(tree) = tree else {
        return Ok(BTreeMap::new());
    };
    let files = reader.files(tree, enter)?.into_iter();
    let files = files.filter(|file| file.kind == Kind::File);
    Ok(files
        .map(|file| (file.path, Place::Blob(file.id)))
        .collect())
}

/// What is measured, by the ignore files among `files`.
fn selection(
    measurer: &Measurer,
    reader: Option<&Reader>,
    files: &BTreeMap<String, Place>,
    exclude: Option<&Path>,
) -> Result<Selection, Error> {
    let text = |path: &str| match (files.get(path)?, reader) {
        (Place::Blob(id), Some(reader)) => reader.blob(*id, path).ok(),
        (Place::Disk(file), _) => std::fs::read(file).ok(),
        (Place::Bytes(bytes), _) => Some(bytes.clone()),
        (Place::Blob(_), None) => None,
    };
    // Files to overlook in this clone only; they come before the top's ignore file.
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

fn of_commit(
    reader: &Reader,
    repo: &Repo,
    measurer: &Measurer,
    (base, ratchet): (Option<&str>, Option<&str>),
    revision: &str,
) -> Result<Trees, Error> {
    let head = reader.resolve(revision)?;
    let (tree, base) = base_of(reader, base, head)?;
    let all = |_: &str| true;
    let new_tree = reader.commit(head)?.tree;
    let new = listing(reader, Some(new_tree), &all)?;
    let selection = selection(measurer, Some(reader), &new, None)?;
    let sides = Sides::of(reader, tree, (new, Links::Tree(new_tree)), &selection)?;
    let (files, changes, steering) = sides.parted(reader, measurer, ratchet)?;
    let notes = stopgap_notes(reader, repo, (&base, revision), changes.is_empty())?;
    Ok(Trees {
        repo: None,
        base: base.side,
        head: side(revision, Some(head)),
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

fn of_index(
    reader: &Reader,
    measurer: &Measurer,
    (base, ratchet): (Option<&str>, Option<&str>),
) -> Result<Trees, Error> {
    // Staged files are the next commit, so compare them with the last one.
    let (tree, base) = checked_out(reader, base.or(Some("HEAD"))).or_else(|error| match error {
        Error::Git(slope_git::Error::Empty { .. }) if base.is_none() => checked_out(reader, None),
        error => Err(error),
    })?;
    let staged = reader.staged()?.into_iter();
    let staged = staged.filter(|file| file.kind == Kind::File);
    let new: BTreeMap<String, Place> = staged
        .map(|file| match file.content {
            IndexContent::Blob(id) => (file.path, Place::Blob(id)),
            IndexContent::Disk(disk) => (file.path, Place::Disk(disk)),
        })
        .collect();
    let selection = selection(measurer, Some(reader), &new, None)?;
    let sides = Sides::of(reader, tree, (new, Links::Index), &selection)?;
    let (files, changes, steering) = sides.parted(reader, measurer, ratchet)?;
    Ok(Trees {
        repo: None,
        base: base.side,
        head: side("index", None),
        chosen: base.chosen,
        files,
        setup: BTreeMap::new(),
        changes,
        below: String::new(),
        notes: Vec::new(),
        steering,
        past: base.id.map(|id| (id, selection)),
    })
}
