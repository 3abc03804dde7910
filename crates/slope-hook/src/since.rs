//! Commits of a session, and their bases.
//!
//! git's log of HEAD shows the origin of each commit: made here, copied from elsewhere (cherry-pick, `am`, rebase),
//! merged, or only checked out. slope follows the session's own commits from HEAD down to the first commits that are
//! not its own.

use std::collections::{HashSet, VecDeque};
use std::path::Path;

use serde::{Deserialize, Serialize};
use slope_git::{Commit, HeadMove, Id, Reader, Repo};
use slope_model::error_text::one_line;

use crate::Base;

/// Position in git's log when a session began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Since {
    /// Seconds since 1970.
    at: i64,
    /// Number of rows of the log.
    log: usize,
    /// Last row of the log, because git removes old rows at the front.
    row: String,
}

/// The action in a row of git's log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    /// A new commit.
    Commit,
    /// A copy of an existing change.
    Copy,
    /// A merge or a fast-forward.
    Merge,
    /// A checkout of an existing commit.
    Checkout,
}

impl Since {
    /// The current position in the log of the repository; the default without a log.
    pub(crate) fn now(top: &Path) -> Self {
        let repo = Repo::open(top).ok();
        let log = repo.map(|repo| repo.reader().head_log());
        let log = log.unwrap_or_default();
        Self {
            at: jiff::Timestamp::now().as_second(),
            log: log.len(),
            row: log
                .into_iter()
                .next_back()
                .map(|row| row.text)
                .unwrap_or_default(),
        }
    }

    /// All bases of a session that began with `base`. A problem is the session's own only if no
    /// base has it.
    pub(crate) fn bases(&self, top: &Path, base: &Base) -> Result<Vec<Base>, String> {
        let only = || Ok(vec![base.clone()]);
        if matches!(base, Base::Dir(_)) {
            return only();
        }
        let repo = Repo::open(top).map_err(|error| one_line(&error))?;
        let reader = repo.reader();
        // A branch without commits has no other bases.
        let Ok(head) = reader.head() else {
            return only();
        };
        let begun = match base {
            Base::Commit(id) => reader.resolve(id).ok(),
            _ => None,
        };
        if begun == Some(head) {
            return only();
        }
        // If the log does not lead to HEAD, only the start is a base. Deleting rows of the log must
        // not excuse commits.
        let log = reader.head_log();
        let leads_here = log.last().map(|last| last.to) == Some(head);
        let Some(rows) = self.rows(&log).filter(|_| leads_here) else {
            return only();
        };
        let own = self.own(&reader, rows);
        let nearest_bases = nearest_bases(&reader, head, begun, &own)?;
        let mut bases: Vec<Id> = Vec::new();
        for below in nearest_bases.into_iter().chain(begun) {
            if !bases
                .iter()
                .any(|known| is_ancestor(&reader, *known, below))
            {
                bases.push(below);
            }
        }
        let bases: Vec<Base> = bases
            .into_iter()
            .map(|id| Base::Commit(id.to_string()))
            .collect();
        if bases.is_empty() {
            return only();
        }
        Ok(bases)
    }

    /// Rows since the start of the session; `None` if the start is no longer in the log.
    fn rows<'l>(&self, log: &'l [HeadMove]) -> Option<&'l [HeadMove]> {
        if self.row.is_empty() {
            return Some(log);
        }
        let is_last = |row: &HeadMove| row.text == self.row;
        match log.get(..self.log) {
            Some(then) if then.last().is_some_and(is_last) => log.get(self.log..),
            _ => log.get(log.iter().rposition(is_last)? + 1..),
        }
    }

    /// The session's own commits, and their copies.
    fn own(&self, reader: &Reader, rows: &[HeadMove]) -> HashSet<Id> {
        let author = |commit: &Commit| (commit.author.email.clone(), commit.author.seconds);
        let mut authors = HashSet::new();
        let mut own = HashSet::new();
        for row in rows {
            let action = action_of(&row.action);
            if action == Action::Checkout {
                continue;
            }
            // git may have deleted commits that are no longer checked out.
            let Ok(commit) = reader.commit(row.to) else {
                continue;
            };
            let is_own = match action {
                Action::Commit => {
                    authors.insert(author(&commit));
                    true
                }
                Action::Copy => {
                    commit.author.seconds >= self.at || authors.contains(&author(&commit))
                }
                Action::Merge | Action::Checkout => false,
            };
            if is_own || commit.parents.iter().any(|parent| own.contains(parent)) {
                own.insert(commit.id);
            }
        }
        own
    }
}

/// Bases of own commits: their nearest ancestors that are not own.
fn nearest_bases(
    reader: &Reader,
    head: Id,
    begun: Option<Id>,
    own: &HashSet<Id>,
) -> Result<Vec<Id>, String> {
    let mut nearest_bases = Vec::new();
    let mut seen = HashSet::from([head]);
    let mut open = VecDeque::from([head]);
    while let Some(id) = open.pop_front() {
        if begun == Some(id) || !own.contains(&id) {
            nearest_bases.push(id);
            continue;
        }
        let commit = reader.commit(id).map_err(|error| one_line(&error))?;
        open.extend(commit.parents.into_iter().filter(|id| seen.insert(*id)));
    }
    Ok(nearest_bases)
}

/// Whether `other` is `commit` or one of its ancestors.
fn is_ancestor(reader: &Reader, commit: Id, other: Id) -> bool {
    commit == other || reader.merge_base(commit, other).is_ok_and(|id| id == other)
}

fn action_of(action: &str) -> Action {
    let (first, rest) = action.split_once(' ').unwrap_or((action, ""));
    match first {
        "commit" => Action::Commit,
        "checkout" | "reset" | "clone" | "branch" => Action::Checkout,
        // `rebase (pick)`, `pull --rebase (pick)`
        _ if ["(start)", "(finish)", "(abort)"]
            .iter()
            .any(|end| rest.ends_with(end)) =>
        {
            Action::Checkout
        }
        "merge" | "pull" if !rest.ends_with(')') => Action::Merge,
        _ => Action::Copy,
    }
}
