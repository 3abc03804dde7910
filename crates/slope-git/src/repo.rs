//! Opening a repository, naming its commits, reading its objects.

use std::fmt;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::ByteSlice;

use crate::{Commit, Error};

/// Size of a reader's cache of trees and deltas, in bytes.
const OBJECT_CACHE_BYTES: usize = 16 << 20;

/// Remedy for a shallow clone.
const UNSHALLOW: &str = "get the rest of the history with `git fetch --unshallow`";

/// Remedy for a partial clone.
const REFETCH: &str = "get the objects with `git fetch --refetch --no-filter`";

/// Object name: SHA-1 or SHA-256, depending on the repository.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub(crate) ObjectId);

impl Id {
    /// The bytes of the hash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// First ten digits, for display.
    #[must_use]
    pub fn short(&self) -> String {
        self.0.to_hex_with_len(10).to_string()
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.to_hex())
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.to_hex())
    }
}

/// A repository that threads share; each reads through a [`Reader`] of its own.
pub struct Repo {
    repo: gix::ThreadSafeRepository,
    path: PathBuf,
}

impl Repo {
    /// Opens the repository at a path or above it: a worktree, a linked worktree, a bare
    /// repository, a `.git` folder or a file in any of them. Environment variables such as
    /// `GIT_DIR` are ignored.
    ///
    /// # Errors
    /// If no repository is found, or it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |error: gix::Error| Error::NoRepository {
            path: path.to_owned(),
            message: one_line(&error),
        };
        if !path.exists() {
            return Err(Error::NoPath {
                path: path.to_owned(),
            });
        }
        let above = path.parent().filter(|_| path.is_file());
        let folder = match above {
            Some(above) if above == Path::new("") => Path::new("."),
            Some(above) => above,
            None => path,
        };
        let repo = gix::ThreadSafeRepository::discover(folder).map_err(failed)?;
        let local = repo.to_thread_local();
        readable_references(&local)?;
        let root = local.workdir().unwrap_or_else(|| local.git_dir());
        // Messages name it, and `.` would not help the reader.
        let path = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Ok(Self { repo, path })
    }

    /// Folder of the files; `None` for a bare repository.
    #[must_use]
    pub fn workdir(&self) -> Option<PathBuf> {
        self.repo.to_thread_local().workdir().map(Path::to_owned)
    }

    /// Folder of the files, or of the repository if it is bare.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Folder with the data of this worktree alone, such as `HEAD`: `.git`, or a folder below it
    /// for a linked worktree.
    #[must_use]
    pub fn git_dir(&self) -> PathBuf {
        self.repo.to_thread_local().git_dir().to_owned()
    }

    /// Folder with the data that all worktrees of the repository share.
    #[must_use]
    pub fn common_dir(&self) -> PathBuf {
        self.repo.to_thread_local().common_dir().to_owned()
    }

    /// A handle for one thread.
    #[must_use]
    pub fn reader(&self) -> Reader {
        let mut repo = self.repo.to_thread_local();
        repo.object_cache_size_if_unset(OBJECT_CACHE_BYTES);
        Reader {
            repo,
            path: self.path.clone(),
        }
    }
}

/// Rejects reference formats other than `files`. The repository would look empty, and all of its code new.
fn readable_references(repo: &gix::Repository) -> Result<(), Error> {
    let format = repo.config_snapshot().string("extensions.refStorage");
    match format {
        Some(format) if !format.eq_ignore_ascii_case(b"files") => Err(Error::References {
            path: repo.workdir().unwrap_or_else(|| repo.git_dir()).to_owned(),
            format: format.to_string(),
        }),
        _ => Ok(()),
    }
}

/// Reads a repository in one thread.
pub struct Reader {
    pub(crate) repo: gix::Repository,
    pub(crate) path: PathBuf,
}

impl Reader {
    /// Folder of the files, or of the repository if it is bare.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The commit of a revision: an id, a branch, a tag, `HEAD~3`.
    ///
    /// # Errors
    /// If the revision is invalid, or the repository lacks the commit.
    pub fn resolve(&self, revision: &str) -> Result<Id, Error> {
        let failed = |message: String| Error::Revision {
            revision: revision.to_owned(),
            path: self.path.clone(),
            message,
            remedy: if self.is_shallow() {
                UNSHALLOW
            } else {
                "list revisions with `git log --oneline`, `git branch --all` and `git tag`"
            },
        };
        if revision == "HEAD" {
            return self.head();
        }
        // Commands are given text, never an option or an empty name.
        if revision.is_empty() {
            return Err(failed("its name is empty".to_owned()));
        }
        let found = self.repo.rev_parse_single(revision);
        let id = found.map_err(|error| failed(self.why_unresolved(revision, &error)))?;
        let object = id.object().map_err(|error| failed(one_line(&error)))?;
        match object.peel_to_kind(gix::object::Kind::Commit) {
            Ok(commit) => Ok(Id(commit.id)),
            Err(_) => Err(failed("it is a file or folder, not a commit".to_owned())),
        }
    }

    /// Why a revision names nothing. The library says only how it searched.
    fn why_unresolved(&self, revision: &str, error: &gix::Error) -> String {
        if error.to_string().contains("ambiguous") {
            return "more than one object starts with it".to_owned();
        }
        if revision.contains("..") || revision.starts_with('^') {
            return "it is a range, expected one commit".to_owned();
        }
        let end = revision.find(['~', '^', '@', ':']).unwrap_or_default();
        let (stem, rest) = revision.split_at(end);
        if !stem.is_empty() && self.repo.rev_parse_single(stem).is_ok() {
            return format!("`{stem}` has no `{rest}`");
        }
        "no such revision".to_owned()
    }

    /// The checked-out commit.
    ///
    /// # Errors
    /// If the repository has no commit yet.
    pub fn head(&self) -> Result<Id, Error> {
        let empty = || Error::Empty {
            path: self.path.clone(),
        };
        let id = self.repo.head_id().map_err(|_| empty())?;
        Ok(Id(id.detach()))
    }

    /// The default branch, by name and newest commit: the one of [`Self::named_default_branch`],
    /// else the checked-out one.
    ///
    /// # Errors
    /// If the repository has no commit yet.
    pub fn default_branch(&self) -> Result<(String, Id), Error> {
        if let Some(found) = self.named_default_branch() {
            return Ok(found);
        }
        let id = self.head()?;
        let name = self.branch().unwrap_or_else(|| "HEAD".to_owned());
        Ok((name, id))
    }

    /// The default branch, by name and newest commit, if it can be determined: the one that
    /// `origin` declares, else `main`, `master`, `trunk` or `develop`.
    #[must_use]
    pub fn named_default_branch(&self) -> Option<(String, Id)> {
        let names = [
            "refs/remotes/origin/HEAD",
            "refs/heads/main",
            "refs/heads/master",
            "refs/heads/trunk",
            "refs/heads/develop",
            "refs/remotes/origin/main",
            "refs/remotes/origin/master",
        ];
        names.iter().find_map(|name| {
            let mut reference = self.repo.try_find_reference(*name).ok().flatten()?;
            let target = match reference.target().try_name() {
                Some(name) => name.shorten().to_string(),
                None => reference.name().shorten().to_string(),
            };
            let id = reference.peel_to_id().ok()?;
            Some((target, Id(id.detach())))
        })
    }

    /// The branch that is checked out; `None` if that is a commit and no branch.
    #[must_use]
    pub fn branch(&self) -> Option<String> {
        let name = self.repo.head_name().ok().flatten();
        name.map(|name| name.shorten().to_string())
    }

    /// Whether the checked-out branch is the only one, both local and of all remotes.
    #[must_use]
    pub fn is_only_branch(&self) -> bool {
        let Some(own) = self.repo.head_name().ok().flatten() else {
            return false;
        };
        let Ok(references) = self.repo.references() else {
            return false;
        };
        let others = |prefix: &str| {
            let found = references.prefixed(prefix).ok();
            let mut found = found.into_iter().flatten().flatten();
            found.any(|reference| reference.name() != own.as_ref())
        };
        !others("refs/heads/") && !others("refs/remotes/")
    }

    /// The best common ancestor of two commits.
    ///
    /// # Errors
    /// If there is none, or a shallow clone lacks it.
    pub fn merge_base(&self, one: Id, two: Id) -> Result<Id, Error> {
        let (reason, remedy) = if self.is_shallow() {
            (
                "the clone is shallow",
                "get more of the history with `git fetch --deepen=200` or `git fetch --unshallow`, \
                 or name a base commit that the clone has",
            )
        } else {
            ("their histories are unrelated", "name a base commit")
        };
        match self.repo.merge_base(one.0, two.0) {
            Ok(Some(id)) => Ok(Id(id.detach())),
            _ => Err(Error::NoMergeBase {
                one: one.short(),
                two: two.short(),
                path: self.path.clone(),
                reason,
                remedy,
            }),
        }
    }

    /// A commit.
    ///
    /// # Errors
    /// If it is not there or broken.
    pub fn commit(&self, id: Id) -> Result<Commit, Error> {
        let data = self.object(id, gix::object::Kind::Commit, || "commit".to_owned())?;
        Commit::parse(id, &data).map_err(|message| self.broken("commit".to_owned(), id, message))
    }

    /// The content of a file; `path` is for messages.
    ///
    /// # Errors
    /// If it is not there, as in a partial clone.
    pub fn blob(&self, id: Id, path: &str) -> Result<Vec<u8>, Error> {
        self.object(id, gix::object::Kind::Blob, || format!("the file {path}"))
    }

    /// Bytes of a file, without its content. `None` if the clone does not have it.
    #[must_use]
    pub fn blob_size(&self, id: Id) -> Option<u64> {
        let header = self.repo.find_header(id.0).ok()?;
        Some(header.size())
    }

    /// Whether these bytes have this content id, by their hash: the object itself is not read.
    /// Lines may end as git writes them to disk with `core.autocrlf`.
    #[must_use]
    pub fn is_content(&self, id: Id, bytes: &[u8]) -> bool {
        let is = |bytes: &[u8]| name_of_content(id.0.kind(), bytes) == Some(id);
        is(bytes) || (bytes.contains(&b'\r') && is(&bytes.replace("\r\n", "\n")))
    }

    /// The name that the repository has for these bytes as a file's content; `None` if it cannot be
    /// hashed.
    #[must_use]
    pub fn name_of_content(&self, bytes: &[u8]) -> Option<Id> {
        name_of_content(self.repo.object_hash(), bytes)
    }

    /// Whether the clone lacks older history on purpose.
    #[must_use]
    pub fn is_shallow(&self) -> bool {
        self.repo.is_shallow().unwrap_or(false)
    }

    /// Whether the clone lacks objects on purpose, which git would fetch when it needs them.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        let config = self.repo.config_snapshot();
        if config.string("extensions.partialClone").is_some() {
            return true;
        }
        let remotes = config.plumbing().sections_by_name("remote");
        remotes.into_iter().flatten().any(|section| {
            section
                .value("promisor")
                .is_some_and(|v| v.as_ref() as &[u8] == b"true")
                || section.value("partialclonefilter").is_some()
        })
    }

    /// Whether a commit is at the border of a shallow clone: its parents are missing.
    pub(crate) fn is_border(&self, id: Id) -> bool {
        let commits = self.repo.shallow_commits().ok().flatten();
        commits.is_some_and(|commits| commits.contains(&id.0))
    }

    pub(crate) fn object(
        &self,
        id: Id,
        kind: gix::object::Kind,
        what: impl Fn() -> String,
    ) -> Result<Vec<u8>, Error> {
        let found = self.repo.try_find_object(id.0);
        let found = found.map_err(|error| self.broken(what(), id, one_line(&error)))?;
        let Some(mut object) = found else {
            return Err(self.missing(what(), id));
        };
        if object.kind != kind {
            let message = format!("it is a {}, not a {kind}", object.kind);
            return Err(self.broken(what(), id, message));
        }
        Ok(std::mem::take(&mut object.data))
    }

    pub(crate) fn missing(&self, what: String, id: Id) -> Error {
        let (reason, remedy) = if self.is_partial() {
            ("the clone is partial, and slope uses no network", REFETCH)
        } else if self.is_shallow() {
            ("the clone is shallow", UNSHALLOW)
        } else {
            (
                "the repository is damaged",
                "run `git fsck` for details, and clone the repository again",
            )
        };
        Error::Missing {
            what,
            id,
            path: self.path.clone(),
            reason,
            remedy,
        }
    }

    pub(crate) fn broken(&self, what: String, id: Id, message: String) -> Error {
        Error::Broken {
            what,
            id,
            path: self.path.clone(),
            message,
        }
    }
}

/// An error and its causes in one line.
pub(crate) fn one_line(error: &gix::Error) -> String {
    let text = error.to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Object name of these bytes as a blob.
fn name_of_content(hash: gix::hash::Kind, bytes: &[u8]) -> Option<Id> {
    let kind = gix::object::Kind::Blob;
    gix::objs::compute_hash(hash, kind, bytes).ok().map(Id)
}
