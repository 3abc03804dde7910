//! Both sides of a change: its base, and the files that differ.
//!
//! | module | what it holds |
//! |---|---|
//! | `base` | which commit a change is compared with |
//! | `worktree` | the files of a worktree, and edits of them |
//! | `untracked` | files of a worktree that git does not track |
//! | `diff` | the effect of a diff on the files of a commit |
//! | `folders` | two folders |
//! | `sides` | the files of both sides, and which of them differ |
//! | `scope` | what a change does to the files that are judged, and to the settings |
//! | `links` | symbolic links in place of files that were judged |
//! | `moved` | code that moves to where it is left out by its name |
//! | `week` | what the commits of the last week did |

mod base;
mod diff;
mod folders;
mod links;
mod moved;
mod scope;
mod sides;
mod untracked;
mod week;
mod worktree;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use slope_git::{Content as IndexContent, Id, Kind, Reader, Repo};
use slope_measure::{Content, LFS_POINTER, Measurer, Selection, is_lfs_pointer};
use slope_model::gate::Side;
use slope_model::path::slashed;

use crate::impact::{Analysis, Impact, replaced};
use crate::{Error, Head, Subject};
use base::{base_of, checked_out, stopgap_notes};
use diff::of_diff;
use links::Links;
use sides::Sides;
use worktree::{of_edits, of_worktree};

pub use base::EMPTY_TREE;
pub use scope::{Rewritten, ScopeChanges, is_config};
pub use week::Week;

/// Where the content of a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Blob(Id),
    Disk(PathBuf),
    Bytes(Vec<u8>),
}

/// The contents of paths; [`Content::Nothing`] for removed ones.
pub(crate) type Contents = BTreeMap<String, Content>;

/// The files of a tree by path.
pub(crate) type Files = BTreeMap<String, Place>;

/// Settings of a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub struct ComparisonOptions<'a> {
    /// The base of a subject that names none; `None` for the merge base with the default branch.
    pub base: Option<&'a str>,
    /// Name of the file of the gate's ratchet. Changes of it are [`ScopeChanges::rewritten`].
    pub ratchet: Option<&'a str>,
}

/// Both sides of a change.
pub struct Comparison {
    /// The earlier side.
    pub base: Side,
    /// The later side.
    pub head: Side,
    /// How the base was chosen.
    pub chosen: String,
    /// Only paths below are reported; empty for everything.
    pub below: String,
    /// The top of the worktree, or the later folder.
    pub top: PathBuf,
    /// Number of compared files.
    pub files: usize,
    /// Paths of compared files that could not be read or measured.
    pub unread: Vec<String>,
    /// What people should know, in order.
    pub notes: Vec<String>,
    /// Files that differ, in their later state.
    after: Contents,
    /// Files put onto the base before the change.
    setup: Contents,
    scope: ScopeChanges,
    source: BaseSource,
}

/// Where the files of the base are.
enum BaseSource {
    /// In a repository.
    Repository(Box<RepositoryBase>),
    /// In memory.
    Memory(Vec<(String, Content)>),
}

/// A base in a repository.
struct RepositoryBase {
    files: BaseFiles,
    /// The commit, if the base is one, and what is measured.
    past: Option<(Id, Selection)>,
}

/// A change in a repository, before its files are read.
struct GitChange {
    base: Side,
    head: Side,
    chosen: String,
    /// Files of the base that are measured.
    files: Files,
    /// Files put onto the base before the change.
    setup: BTreeMap<String, Option<Place>>,
    /// Files that differ, in the head; `None` for removed ones.
    changes: BTreeMap<String, Option<Place>>,
    notes: Vec<String>,
    scope: ScopeChanges,
    /// The commit of the base, and what is measured.
    past: Option<(Id, Selection)>,
}

impl Comparison {
    /// Resolves the base of a subject, and reads the files that differ.
    ///
    /// # Errors
    /// If the subject cannot be read, or lacks a base.
    pub fn new(
        measurer: &Measurer,
        subject: &Subject,
        options: ComparisonOptions<'_>,
    ) -> Result<Self, Error> {
        match subject {
            Subject::Git { path, base, head } => {
                let base = base.as_deref().or(options.base);
                let options = ComparisonOptions { base, ..options };
                Self::in_repository(measurer, path, head, options)
            }
            Subject::Folders { base, head } => folders::compare(measurer, base, head),
        }
    }

    fn in_repository(
        measurer: &Measurer,
        path: &Path,
        head: &Head,
        options: ComparisonOptions<'_>,
    ) -> Result<Self, Error> {
        let repo = match Repo::open(path) {
            Ok(repo) => repo,
            Err(slope_git::Error::NoRepository { .. }) => {
                let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
                return Err(Error::NoRepository { path });
            }
            Err(error) => return Err(error.into()),
        };
        let change = {
            let reader = repo.reader();
            let (reader, repo) = (&reader, &repo);
            match head {
                Head::Commit(revision) => of_commit(reader, repo, measurer, options, revision)?,
                Head::Worktree => of_worktree(reader, repo, measurer, options)?,
                Head::Staged => of_index(reader, measurer, options)?,
                Head::Diff(diff) => of_diff(reader, measurer, options, diff)?,
                Head::Edits(edits) => of_edits(reader, repo, measurer, edits)?,
            }
        };
        let below = folder_within(&repo, path);
        let base = BaseFiles {
            repo,
            files: change.files,
        };
        let setup = base.changed(measurer, &change.setup)?;
        let after = base.changed(measurer, &change.changes)?;
        Ok(Self {
            base: change.base,
            head: change.head,
            chosen: change.chosen,
            below,
            top: base.top().to_owned(),
            files: after.len(),
            unread: unread(&after),
            notes: [change.notes, unread_notes(&after)].concat(),
            after,
            setup,
            scope: change.scope,
            source: BaseSource::Repository(Box::new(RepositoryBase {
                files: base,
                past: change.past,
            })),
        })
    }

    /// The effect of the change. `with_whole` also asks for the amounts of the whole base; without it, files
    /// that the change does not concern are read in outline.
    ///
    /// # Errors
    /// If a file of the base cannot be read, or the ledger does not sum.
    pub fn impact(&self, measurer: &Measurer, with_whole: bool) -> Result<Impact, Error> {
        let impact = match &self.source {
            BaseSource::Repository(base) => Analysis {
                measurer,
                base: &base.files,
                setup: &self.setup,
                after: &self.after,
                with_whole,
            }
            .run(),
            BaseSource::Memory(before) => replaced(measurer, before.clone(), &self.after),
        };
        measurer.keep();
        impact
    }

    /// What the change does to the files that are judged, and to the settings by which they are.
    #[must_use]
    pub fn scope_changes(&self, measurer: &Measurer, impact: &Impact) -> ScopeChanges {
        let contents = self.after.iter();
        self.scope
            .with_contents(measurer, contents, impact, &self.below)
    }
}

/// The files of a base in a repository.
pub(crate) struct BaseFiles {
    repo: Repo,
    files: Files,
}

impl BaseFiles {
    /// The top of the worktree.
    pub(crate) fn top(&self) -> &Path {
        self.repo.path()
    }

    /// Ids of the contents by path, if all of them are in the repository.
    pub(crate) fn ids(&self) -> Option<BTreeMap<String, String>> {
        let id = |(path, place): (&String, &Place)| match place {
            Place::Blob(id) => Some((path.clone(), id.to_string())),
            Place::Disk(_) | Place::Bytes(_) => None,
        };
        self.files.iter().map(id).collect()
    }

    /// All contents, in order of path: whole where `is_whole` says so, else in outline.
    pub(crate) fn contents(
        &self,
        measurer: &Measurer,
        is_whole: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<(String, Content)>, Error> {
        self.read(measurer, listed(&self.files), is_whole)
    }

    /// The whole contents of some paths; those that the base does not have are left out.
    pub(crate) fn contents_of(
        &self,
        measurer: &Measurer,
        paths: &[String],
    ) -> Result<Vec<(String, Content)>, Error> {
        let places = paths.iter().filter_map(|path| {
            let (path, place) = self.files.get_key_value(path)?;
            Some((path.as_str(), place))
        });
        self.read(measurer, places.collect(), &|_| true)
    }

    /// The contents of changed files by path; nothing for removed ones.
    fn changed(
        &self,
        measurer: &Measurer,
        changes: &BTreeMap<String, Option<Place>>,
    ) -> Result<Contents, Error> {
        let there = changes
            .iter()
            .filter_map(|(path, place)| Some((path.as_str(), place.as_ref()?)));
        let found = self.read(measurer, there.collect(), &|_| true)?;
        let gone = changes.keys().map(|path| (path.clone(), Content::Nothing));
        let mut contents: Contents = gone.collect();
        contents.extend(found);
        Ok(contents)
    }

    /// The contents of places, in parallel, in their order.
    fn read<'p>(
        &self,
        measurer: &Measurer,
        places: Vec<(&'p str, &'p Place)>,
        is_whole: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<(String, Content)>, Error> {
        let one = |reader: &mut Reader, (path, place): (&str, &Place)| {
            let content = match bytes(reader, path, place)? {
                bytes if is_lfs_pointer(&bytes) => Content::Unmeasured(LFS_POINTER.to_owned()),
                bytes if is_whole(path) => measurer.content(path, &bytes),
                bytes => measurer.outline(path, &bytes),
            };
            Ok((path.to_owned(), content))
        };
        measurer.install(|| {
            let each = places.into_par_iter().with_max_len(8);
            each.map_init(|| self.repo.reader(), one).collect()
        })
    }
}

fn listed(files: &Files) -> Vec<(&str, &Place)> {
    let each = files.iter();
    each.map(|(path, place)| (path.as_str(), place)).collect()
}

/// Paths of files that could not be measured.
fn unread(contents: &Contents) -> Vec<String> {
    let is_unread = |content: &Content| matches!(content, Content::Unmeasured(_));
    let paths = contents.iter().filter(|(_, content)| is_unread(content));
    paths.map(|(path, _)| path.clone()).collect()
}

/// Names files that could not be measured, each with the reason.
#[must_use]
pub fn unread_notes(contents: &BTreeMap<String, Content>) -> Vec<String> {
    let note = |(path, content): (&String, &Content)| match content {
        Content::Unmeasured(reason) => Some(format!("{path} was not judged: {reason}")),
        _ => None,
    };
    contents.iter().filter_map(note).collect()
}

fn bytes(reader: &Reader, path: &str, place: &Place) -> Result<Vec<u8>, Error> {
    Ok(match place {
        Place::Blob(id) => reader.blob(*id, path)?,
        Place::Disk(file) => read_file(file)?,
        Place::Bytes(bytes) => bytes.clone(),
    })
}

fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })
}

/// Whether a path is the named one or below it; see [`folder_within`].
#[must_use]
pub fn is_below(below: &str, path: &str) -> bool {
    path == below || below.is_empty() || (below.ends_with('/') && path.starts_with(below))
}

/// The folder within the repository that a path names, with a `/` at its end, or the file; the
/// top is empty.
#[must_use]
pub fn folder_within(repo: &Repo, path: &Path) -> String {
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

/// What is measured, by the ignore files among `files`.
fn selection(
    measurer: &Measurer,
    reader: &Reader,
    files: &Files,
    exclude: Option<&Path>,
) -> Result<Selection, Error> {
    let text = |path: &str| bytes(reader, path, files.get(path)?).ok();
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
    options: ComparisonOptions<'_>,
    revision: &str,
) -> Result<GitChange, Error> {
    let head = reader.resolve(revision)?;
    let (tree, base) = base_of(reader, options.base, head)?;
    let all = |_: &str| true;
    let new_tree = reader.commit(head)?.tree;
    let new = listing(reader, Some(new_tree), &all)?;
    let selection = selection(measurer, reader, &new, None)?;
    let sides = Sides::of(reader, tree, (new, Links::Tree(new_tree)), &selection)?;
    let (files, changes, scope) = sides.parted(reader, measurer, options.ratchet)?;
    let notes = stopgap_notes(reader, repo, (&base, revision), changes.is_empty())?;
    Ok(GitChange {
        base: base.side,
        head: side(revision, Some(head)),
        chosen: base.chosen,
        files,
        setup: BTreeMap::new(),
        changes,
        notes,
        scope,
        past: base.id.map(|id| (id, selection)),
    })
}

fn of_index(
    reader: &Reader,
    measurer: &Measurer,
    options: ComparisonOptions<'_>,
) -> Result<GitChange, Error> {
    // Staged files are the next commit, so compare them with the last one.
    let (tree, base) =
        checked_out(reader, options.base.or(Some("HEAD"))).or_else(|error| match error {
            Error::Git(slope_git::Error::Empty { .. }) if options.base.is_none() => {
                checked_out(reader, None)
            }
            error => Err(error),
        })?;
    let staged = reader.staged()?.into_iter();
    let staged = staged.filter(|file| file.kind == Kind::File);
    let new: Files = staged
        .map(|file| match file.content {
            IndexContent::Blob(id) => (file.path, Place::Blob(id)),
            IndexContent::Disk(disk) => (file.path, Place::Disk(disk)),
        })
        .collect();
    let selection = selection(measurer, reader, &new, None)?;
    let sides = Sides::of(reader, tree, (new, Links::Index), &selection)?;
    let (files, changes, scope) = sides.parted(reader, measurer, options.ratchet)?;
    Ok(GitChange {
        base: base.side,
        head: side("index", None),
        chosen: base.chosen,
        files,
        setup: BTreeMap::new(),
        changes,
        notes: Vec::new(),
        scope,
        past: base.id.map(|id| (id, selection)),
    })
}
