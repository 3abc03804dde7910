//! Which commits are a session's, and what they were built on.
//!
//! git's log of what was checked out tells how each commit came about: made here,
//! carried over from elsewhere (cherry-pick, `am`, rebase), merged, or only gone to. A session's own
//! commits are followed from what is checked out now down to what is not its own.

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
    /// Rows that the log had.
    log: usize,
    /// Its last row then, since git takes out old rows in front.
    row: String,
}

/// The action in a row of git's log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    /// A commit was made.
    Made,
    /// A change that was there already was made a commit again.
    Carried,
    /// Lines were joined, or what is checked out went on to the other's end.
    Joined,
    /// Something that was there was checked out.
    Moved,
}

impl Since {
    /// The current position in the log of this repository; none without one.
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

    /// The bases of a session that began with `base`: all that it was built on. Only code that is
    /// worse than each of these is the session's.
    pub(crate) fn bases(&self, top: &Path, base: &Base) -> Result<Vec<Base>, String> {
        let only = || Ok(vec![base.clone()]);
        if matches!(base, Base::Dir(_)) {
            return only();
        }
        let repo = Repo::open(top).map_err(|error| one_line(&error))?;
        let reader = repo.reader();
        // A branch without a commit is work that goes on.
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
        // Without a log that leads to the checkout nothing can be reported, and nobody can drop
        // commits by deleting its rows.
        let log = reader.head_log();
        let leads_here = log.last().map(|last| last.to) == Some(head);
        let Some(rows) = self.rows(&log).filter(|_| leads_here) else {
            return only();
        };
        let own = self.own(&reader, rows);
        let grounds = grounds(&reader, head, begun, &own)?;
        let mut bases: Vec<Id> = Vec::new();
        for ground in grounds.into_iter().chain(begun) {
            if !bases.iter().any(|known| holds(&reader, *known, ground)) {
                bases.push(ground);
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

    /// The rows that were written since; `None` if the log no longer tells where that was.
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

    /// The session's own commits, and those that carry them on.
    fn own(&self, reader: &Reader, rows: &[HeadMove]) -> HashSet<Id> {
        let author = |commit: &Commit| (commit.author.email.clone(), commit.author.seconds);
        let mut authors = HashSet::new();
        let mut own = HashSet::new();
        for row in rows {
            let deed = deed(&row.action);
            if deed == Deed::Moved {
                continue;
            }
            // Commits that git has thrown away since are not checked out.
            let Ok(commit) = reader.commit(row.to) else {
                continue;
            };
            let is_own = match deed {
                Deed::Made => {
                    authors.insert(author(&commit));
                    true
                }
                Deed::Carried => {
                    commit.author.seconds >= self.at || authors.contains(&author(&commit))
                }
                Deed::Joined | Deed::Moved => false,
            };
            if is_own || commit.parents.iter().any(|parent| own.contains(parent)) {
                own.insert(commit.id);
            }
        }
        own
    }
}

/// Bases of own commits: those below them that are not own. The nearest come first.
fn grounds(
    reader: &Reader,
    head: Id,
    begun: Option<Id>,
    own: &HashSet<Id>,
) -> Result<Vec<Id>, String> {
    let mut grounds = Vec::new();
    let mut seen = HashSet::from([head]);
    let mut open = VecDeque::from([head]);
    while let Some(id) = open.pop_front() {
        if begun == Some(id) || !own.contains(&id) {
            grounds.push(id);
            continue;
        }
        let commit = reader.commit(id).map_err(|error| one_line(&error))?;
        open.extend(commit.parents.into_iter().filter(|id| seen.insert(*id)));
    }
    Ok(grounds)
}

/// Whether the line of `commit` has `other` on it.
fn holds(reader: &Reader, commit: Id, other: Id) -> bool {
    commit == other || reader.merge_base(commit, other).is_ok_and(|id| id == other)
}

fn deed(action: &str) -> Deed {
    let (first, rest) = action.split_once(' ').unwrap_or((action, ""));
    match first {
        "commit" => Deed::Made,
        "checkout" | "reset" | "clone" | "branch" => Deed::Moved,
        // `rebase (pick)`, `pull --rebase (pick)`
        _ if ["(start)", "(finish)", "(abort)"]
            .iter()
            .any(|end| rest.ends_with(end)) =>
        {
            Deed::Moved
        }
        "merge" | "pull" if !rest.ends_with(')') => Deed::Joined,
        _ => Deed::Carried,
    }
}
