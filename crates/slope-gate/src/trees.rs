//! The files of both sides of a comparison.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use slope_git::{Content as IndexContent, Id, Kind, Line, Reader, Repo, is_lfs_pointer};
use slope_measure::{Choice, Content, Measurer, Selection};
use slope_model::gate::Side;

use crate::{Edit, Error, Head, untracked};

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
    /// What is laid onto the base before anything is judged.
    pub(crate) setup: BTreeMap<String, Option<Place>>,
    /// Files that differ, as they are in the head; `None` for those that are gone.
    pub(crate) changes: BTreeMap<String, Option<Place>>,
    /// Only what lies below is told; empty for everything.
    pub(crate) below: String,
    pub(crate) notes: Vec<String>,
    /// What is measured; with the base commit, for what came before it.
    past: Option<(Id, Selection)>,
}

/// Seconds of a week.
const WEEK: i64 = 7 * 24 * 60 * 60;

/// The files of a week before.
pub(crate) struct Week {
    pub(crate) files: BTreeMap<String, Place>,
    /// What should be said of it.
    pub(crate) note: Option<String>,
}

/// A base commit and why it is the base.
struct Base {
    name: String,
    id: Id,
    chosen: String,
    /// Whether it is the last commit only because nothing says which branch is the default one.
    is_stopgap: bool,
}

impl Trees {
    /// The trees of a subject in a repository.
    pub(crate) fn of_git(
        measurer: &Measurer,
        path: &Path,
        base: Option<&str>,
        head: &Head,
    ) -> Result<Self, Error> {
        let repo = match Repo::open(path) {
            Ok(repo) => repo,
            Err(slope_git::Error::NoRepository { .. }) => {
                return Err(Error::no_repository(path));
            }
            Err(error) => return Err(error.into()),
        };
        let reader = repo.reader();
        let below = below(&repo, path);
        let found = match head {
            Head::Commit(revision) => of_commit(&reader, &repo, measurer, base, revision)?,
            Head::Worktree => of_worktree(&reader, &repo, measurer, base)?,
            Head::Staged => of_index(&reader, measurer, base)?,
            Head::Diff(diff) => of_diff(&reader, measurer, base, diff)?,
            Head::Edits(edits) => of_edits(&reader, &repo, measurer, edits)?,
        };
        drop(reader);
        Ok(Self {
            repo: Some(repo),
            below,
            ..found
        })
    }

    /// What the contents of the base's files are known by, if all of them are in the repository.
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

/// Why a pointer is not measured.
const LFS_POINTER: &str = "a Git LFS pointer: the repository keeps the file elsewhere";

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

/// Whether a path is what was named or lies below it; see [`below`].
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
    let parts: Vec<_> = within
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    match parts.is_empty() || repo.workdir().is_none() {
        true => String::new(),
        false if path.is_dir() => format!("{}/", parts.join("/")),
        false => parts.join("/"),
    }
}

/// The commit to compare with.
fn base_commit(reader: &Reader, said: Option<&str>, head: Id) -> Result<Base, Error> {
    if let Some(name) = said {
        let named = reader.resolve(name)?;
        // What the base gained since is no doing of the change.
        let id = reader.merge_base(named, head)?;
        let chosen = match id == named {
            true if id == head => "the last commit".to_owned(),
            true => format!("--base {name}"),
            false => format!("where the change left {name}"),
        };
        return Ok(Base {
            name: name.to_owned(),
            id,
            chosen,
            is_stopgap: false,
        });
    }
    let Some((name, newest)) = reader.named_default_branch() else {
        return Ok(last_commit(reader, head));
    };
    let id = reader.merge_base(newest, head)?;
    let chosen = match id == head {
        true => "the last commit".to_owned(),
        false => format!("where the branch left {name}"),
    };
    Ok(Base {
        name,
        id,
        chosen,
        is_stopgap: false,
    })
}

/// The commit that is judged itself, where there is no default branch. The only branch of a
/// repository is its default one, whatever it is called.
fn last_commit(reader: &Reader, head: Id) -> Base {
    Base {
        name: reader.branch().unwrap_or_else(|| "HEAD".to_owned()),
        id: head,
        chosen: "the last commit".to_owned(),
        is_stopgap: reader.is_shallow() || !reader.is_only_branch(),
    }
}

/// What is said where no default branch was found. In a shallow clone, such as CI makes for a
/// pull request, a change that is committed would pass unseen: that is an error.
fn stopgap_notes(
    reader: &Reader,
    repo: &Repo,
    (base, head): (&Against, &str),
    is_nothing: bool,
) -> Result<Vec<String>, Error> {
    if !base.is_stopgap {
        return Ok(Vec::new());
    }
    if is_nothing && reader.is_shallow() {
        return Err(Error::NoDefaultBranch {
            path: repo.path().to_owned(),
            head: head.to_owned(),
        });
    }
    Ok(vec![
        "no default branch was found (origin/HEAD, main, master, trunk or develop), so only what \
         is not committed is judged; name what to compare with by --base, or by `base` in [check] \
         of slope.toml"
            .to_owned(),
    ])
}

fn side(name: &str, commit: Option<Id>) -> Side {
    Side {
        name: name.to_owned(),
        commit: commit.map(|id| id.to_string()),
    }
}

/// Files of a tree by path; links and submodules are no files of it.
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
    // What git is told to overlook in this clone only stands before the top's ignore file.
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

/// Keeps what is measured of both sides, and of the head what differs.
fn compared(
    selection: &Selection,
    base: BTreeMap<String, Place>,
    head: BTreeMap<String, Place>,
) -> (BTreeMap<String, Place>, BTreeMap<String, Option<Place>>) {
    let is_measured = |path: &str| selection.choice(path) == Choice::Measured;
    let mut changes: BTreeMap<String, Option<Place>> = BTreeMap::new();
    for path in base.keys().filter(|path| !head.contains_key(*path)) {
        if is_measured(path) {
            changes.insert(path.clone(), None);
        }
    }
    for (path, place) in head {
        if base.get(&path) != Some(&place) && is_measured(&path) {
            changes.insert(path, Some(place));
        }
    }
    let files = base.into_iter().filter(|(path, _)| is_measured(path));
    (files.collect(), changes)
}

fn of_commit(
    reader: &Reader,
    repo: &Repo,
    measurer: &Measurer,
    base: Option<&str>,
    revision: &str,
) -> Result<Trees, Error> {
    let head = reader.resolve(revision)?;
    let (tree, base) = base_of(reader, base, head)?;
    let all = |_: &str| true;
    let new = listing(reader, Some(reader.commit(head)?.tree), &all)?;
    let selection = selection(measurer, Some(reader), &new, None)?;
    let old = listing(reader, tree, &|folder| selection.enters(folder))?;
    let (files, changes) = compared(&selection, old, new);
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
        past: base.id.map(|id| (id, selection)),
    })
}

/// The base of what is checked out, with its tree; nothing where there is no commit yet.
fn checked_out(reader: &Reader, said: Option<&str>) -> Result<(Option<Id>, Against), Error> {
    if said.is_some_and(is_empty_tree) {
        return Ok((None, Against::nothing("as named")));
    }
    let base = match (reader.head(), said) {
        (Ok(head), _) => return base_of(reader, said, head),
        (Err(slope_git::Error::Empty { .. }), None) => {
            return Ok((None, Against::nothing("there is no commit yet")));
        }
        // A branch without a commit has left nothing yet.
        (Err(slope_git::Error::Empty { .. }), Some(name)) => Base {
            name: name.to_owned(),
            id: reader.resolve(name)?,
            chosen: format!("--base {name}, as this branch has no commit yet"),
            is_stopgap: false,
        },
        (Err(error), _) => return Err(error.into()),
    };
    against(reader, base)
}

/// The base of a commit, with its tree.
fn base_of(reader: &Reader, said: Option<&str>, head: Id) -> Result<(Option<Id>, Against), Error> {
    if said.is_some_and(is_empty_tree) {
        return Ok((None, Against::nothing("as named")));
    }
    against(reader, base_commit(reader, said, head)?)
}

fn against(reader: &Reader, base: Base) -> Result<(Option<Id>, Against), Error> {
    let against = Against {
        id: Some(base.id),
        side: side(&base.name, Some(base.id)),
        chosen: base.chosen,
        is_stopgap: base.is_stopgap,
    };
    Ok((Some(reader.commit(base.id)?.tree), against))
}

/// git's name for a tree with nothing in it, by which to say that everything is new.
pub const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// The same in a repository whose names are SHA-256.
const EMPTY_TREE_OF_SHA256: &str =
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

fn is_empty_tree(said: &str) -> bool {
    said == EMPTY_TREE || said == EMPTY_TREE_OF_SHA256
}

/// The side that is compared with, and why it is that.
struct Against {
    id: Option<Id>,
    side: Side,
    chosen: String,
    is_stopgap: bool,
}

impl Against {
    /// Against nothing: everything is new.
    fn nothing(chosen: &str) -> Self {
        Self {
            id: None,
            side: side("nothing", None),
            chosen: chosen.to_owned(),
            is_stopgap: false,
        }
    }
}

fn of_index(reader: &Reader, measurer: &Measurer, base: Option<&str>) -> Result<Trees, Error> {
    // What is staged is the next commit, so it is held against the last one.
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
    let old = listing(reader, tree, &|folder| selection.enters(folder))?;
    let (files, changes) = compared(&selection, old, new);
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
        past: base.id.map(|id| (id, selection)),
    })
}

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

fn of_worktree(
    reader: &Reader,
    repo: &Repo,
    measurer: &Measurer,
    base: Option<&str>,
) -> Result<Trees, Error> {
    let (tree, base) = checked_out(reader, base)?;
    let (new, selection) = worktree(reader, repo, measurer)?;
    let old = listing(reader, tree, &|folder| selection.enters(folder))?;
    let (files, mut changes) = compared(&selection, old, new);
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

/// The commit that a diff is laid onto; `None` where that is nothing.
fn diff_base(reader: &Reader, base: Option<&str>) -> Result<Option<Id>, Error> {
    match base {
        Some(name) if is_empty_tree(name) => Ok(None),
        Some(name) => Ok(Some(reader.resolve(name)?)),
        None => match reader.head() {
            Ok(head) => Ok(Some(head)),
            Err(slope_git::Error::Empty { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        },
    }
}

/// What patches make of the files of a base.
fn patched(
    reader: &Reader,
    old: &BTreeMap<String, Place>,
    patches: &[slope_git::patch::FilePatch],
    base: &str,
) -> Result<BTreeMap<String, Place>, Error> {
    let mut new = old.clone();
    // Files that patches of a series made or changed, which further ones go on from.
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
            // A file that was renamed may have its place from another of the same diff.
            if patch.old.as_ref().is_none_or(|old| old == path) {
                touched.insert(path);
            }
        }
    }
    Ok(new)
}

fn of_diff(
    reader: &Reader,
    measurer: &Measurer,
    base: Option<&str>,
    diff: &[u8],
) -> Result<Trees, Error> {
    // A diff says itself what it was made against, so no ancestor is looked for.
    let name = base.unwrap_or("HEAD");
    let id = diff_base(reader, base)?;
    let tree = id.map(|id| reader.commit(id)).transpose()?;
    let old = listing(reader, tree.map(|commit| commit.tree), &|_| true)?;
    let has = |path: &str| old.contains_key(path);
    let patches = slope_git::patch::parse(diff, &has).map_err(slope_git::Error::from)?;
    let new = patched(reader, &old, &patches, name)?;
    let selection = selection(measurer, Some(reader), &new, None)?;
    let (files, changes) = compared(&selection, old, new);
    Ok(Trees {
        repo: None,
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
        below: String::new(),
        notes: Vec::new(),
        past: None,
    })
}

fn of_edits(
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
    let (_, changes) = compared(&selection, old.clone(), new);
    let (files, mut setup) = compared(&selection, committed, old);
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
    let within = path.strip_prefix(top).ok()?;
    let parts = within
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    Some(parts.collect::<Vec<_>>().join("/"))
}
