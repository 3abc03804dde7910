//! Both sides of a change: its base, and the files that differ.
//!
//! | module | contents |
//! |---|---|
//! | `base` | the commit that a change is compared with |
//! | `git` | a change in a repository: trees, and the measured files |
//! | `commits` | a commit, and the next commit |
//! | `worktree` | the files of a worktree, and edits of them |
//! | `untracked` | files of a worktree that git does not track |
//! | `diff` | effect of a diff on the files of a commit |
//! | `folders` | two folders |
//! | `sides` | the files of both sides, and which of them differ |
//! | `scope` | effect of a change on the judged files and the settings |
//! | `gone` | files that a change removes |
//! | `links` | symbolic links and submodules that replace judged files |
//! | `moved` | code that moves to another path |
//! | `steering` | files that steer judging |
//! | `week` | effect of the commits before the base: of the last week, or since a commit |

mod base;
mod commits;
mod diff;
mod folders;
mod git;
mod gone;
mod links;
mod moved;
mod scope;
mod sides;
mod steering;
mod untracked;
mod week;
mod worktree;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use slope_git::{Id, Repo};
use slope_measure::{Content, Measurer, Selection};
use slope_model::gate::Side;

use crate::Error;
use crate::analysis::{Analysis, replaced};
use crate::base_files::BaseFiles;
use crate::below::folder_within;
use crate::contents::{Contents, unread, unread_notes};
use crate::impact::Impact;
use crate::ledger::Change;
use crate::subject::{Head, Subject};
use commits::{of_commit, of_index};
use diff::of_diff;
use folders::FolderChange;
use git::side;
use worktree::{of_edits, of_worktree};

pub use base::EMPTY_TREE;
pub use git::ComparisonOptions;
pub use scope::{Rewritten, ScopeChanges};
pub use steering::Steering;
pub use week::Week;

/// Both sides of a change.
pub struct Comparison {
    /// The earlier side.
    pub base: Side,
    /// The later side.
    pub head: Side,
    /// Explanation of the choice of the base.
    pub chosen: String,
    /// Only paths below this one are reported; empty for all.
    pub below: String,
    /// Root of the worktree, or the later folder.
    pub top: PathBuf,
    /// Number of compared files.
    pub files: usize,
    /// Paths of compared files that could not be read or measured.
    pub unread: Vec<String>,
    /// Notes for readers, in order.
    pub notes: Vec<String>,
    /// Files that differ, in their later state.
    after: Contents,
    /// Files applied to the base before the change.
    setup: Contents,
    scope: ScopeChanges,
    source: BaseSource,
}

/// Location of the base's files.
enum BaseSource {
    /// A repository.
    Repository(Box<RepositoryBase>),
    /// Memory.
    Memory(Vec<(String, Content)>),
}

/// A base in a repository.
struct RepositoryBase {
    files: BaseFiles,
    /// The commit, if the base is one, and the measured files.
    past: Option<(Id, Selection)>,
}

impl Comparison {
    /// Resolves the base of a subject, and reads the files that differ.
    ///
    /// # Errors
    /// If the subject cannot be read or has no base.
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
            Subject::Folders { base, head } => Self::of_folders(measurer, base, head),
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

    fn of_folders(measurer: &Measurer, base: &Path, head: &Path) -> Result<Self, Error> {
        let FolderChange {
            before,
            after,
            files,
            unread,
            notes,
            others,
            hidden,
        } = folders::compare(measurer, base, head)?;
        Ok(Self {
            base: side(&base.display().to_string(), None),
            head: side(&head.display().to_string(), None),
            chosen: "as named".to_owned(),
            below: String::new(),
            top: head.to_owned(),
            files,
            unread,
            notes,
            after,
            setup: BTreeMap::new(),
            scope: ScopeChanges {
                others,
                hidden,
                ..ScopeChanges::default()
            },
            source: BaseSource::Memory(before),
        })
    }

    /// Change by the commits of the last seven days on the base's first-parent line; `None` if the base is not a
    /// commit.
    ///
    /// # Errors
    /// If the repository lacks a commit or content.
    pub fn week(&self, measurer: &Measurer, now: jiff::Timestamp) -> Result<Option<Week>, Error> {
        let BaseSource::Repository(base) = &self.source else {
            return Ok(None);
        };
        let past = base.past.as_ref();
        past.map(|(commit, selection)| {
            week::before(measurer, &base.files, (*commit, selection), now)
        })
        .transpose()
    }

    /// Change since the newest of some commits that the base has, up to the base; `None` if it has none of them, or if the
    /// base is not a commit.
    ///
    /// # Errors
    /// If the repository lacks content.
    pub fn since(&self, measurer: &Measurer, commits: &[&str]) -> Result<Option<Change>, Error> {
        let BaseSource::Repository(base) = &self.source else {
            return Ok(None);
        };
        match &base.past {
            Some((id, selection)) => week::since(measurer, &base.files, (*id, selection), commits),
            None => Ok(None),
        }
    }

    /// The effect of the change. With `with_whole`, includes the totals of the base. Without, files that the change
    /// does not concern are read in outline.
    ///
    /// # Errors
    /// If a file of the base cannot be read, or if the ledger does not sum to the change.
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

    /// Effect of the change on the judged files and the settings.
    #[must_use]
    pub fn scope_changes(&self, measurer: &Measurer, impact: &Impact) -> ScopeChanges {
        let contents = self.after.iter();
        self.scope
            .with_contents(measurer, contents, impact, &self.below)
    }
}
