//! Walk over the commits of a history.

use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use crate::repo::one_line;
use crate::{Commit, Error, Id, Reader};

/// Largest [sequence](Reader::sequence).
const MAX_SEQUENCE: u32 = 10_000;

/// Selection of walked commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Line {
    /// First parents only: the branch itself, where each merge is one step.
    #[default]
    FirstParent,
    /// Every ancestor of the newest commit, parents before children.
    All,
}

/// Commits, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Walk {
    /// The commits.
    pub commits: Vec<Commit>,
    /// Whether the oldest has parents that a shallow clone lacks.
    pub is_cut_off: bool,
}

impl Reader {
    /// The ancestors of `newest`, oldest first. With `since`, only those committed at that time
    /// (seconds since 1970) or later.
    ///
    /// # Errors
    /// If a commit is missing, except beyond the border of a shallow clone.
    pub fn walk(&self, newest: Id, line: Line, since: Option<i64>) -> Result<Walk, Error> {
        match line {
            Line::FirstParent => self.first_parents(newest, since),
            Line::All => self.ancestors(newest, since),
        }
    }

    fn first_parents(&self, newest: Id, since: Option<i64>) -> Result<Walk, Error> {
        let mut walk = Walk::default();
        let mut next = Some(newest);
        while let Some(id) = next {
            let commit = self.commit(id)?;
            if since.is_some_and(|since| commit.committer.seconds < since) {
                break;
            }
            next = commit.parents.first().copied();
            walk.commits.push(commit);
            if next.is_some() && self.is_border(id) {
                walk.is_cut_off = true;
                break;
            }
        }
        walk.commits.reverse();
        Ok(walk)
    }

    /// The commits that `head` has and `base` does not, newest first. The border of a shallow clone ends the walk.
    ///
    /// # Errors
    /// If a commit is missing or broken.
    pub fn between(&self, base: Id, head: Id) -> Result<Vec<Commit>, Error> {
        let failed = |error: gix::Error| {
            let message = one_line(&error);
            self.broken("history".to_owned(), head, message)
        };
        let walk = self.repo.rev_walk([head.0]).with_hidden([base.0]).all();
        let mut commits = Vec::new();
        for found in walk.map_err(|error| failed(gix::Error::from_error(error)))? {
            let found = found.map_err(|error| failed(gix::Error::from_error(error)))?;
            commits.push(self.commit(Id(found.id))?);
        }
        Ok(commits)
    }

    /// The number of ancestors of a commit in the same second, on the longest line of parents: commits of one second have
    /// no order by time. At most 10,000. Missing commits, as at the border of a shallow clone, end a line.
    #[must_use]
    pub fn sequence(&self, commit: &Commit) -> u32 {
        let second = commit.committer.seconds;
        let mut generation: BTreeSet<Id> = commit.parents.iter().copied().collect();
        for sequence in 0..MAX_SEQUENCE {
            let known = generation.iter().filter_map(|id| self.commit(*id).ok());
            let same: Vec<Commit> = known.filter(|it| it.committer.seconds == second).collect();
            if same.is_empty() {
                return sequence;
            }
            generation = same.into_iter().flat_map(|it| it.parents).collect();
        }
        MAX_SEQUENCE
    }

    /// The newest of some commits that is `head` or one of its ancestors. `None` if a shallow clone lacks the commits
    /// between.
    ///
    /// # Errors
    /// If a commit is missing or broken.
    pub fn newest_of(&self, commits: &HashSet<Id>, head: Id) -> Result<Option<Id>, Error> {
        if commits.is_empty() {
            return Ok(None);
        }
        let failed = |error: gix::Error| {
            let message = one_line(&error);
            self.broken("history".to_owned(), head, message)
        };
        let newest_first = Sorting::ByCommitTime(CommitTimeOrder::NewestFirst);
        let walk = self.repo.rev_walk([head.0]).sorting(newest_first).all();
        for found in walk.map_err(|error| failed(gix::Error::from_error(error)))? {
            let found = found.map_err(|error| failed(gix::Error::from_error(error)))?;
            if commits.contains(&Id(found.id)) {
                return Ok(Some(Id(found.id)));
            }
        }
        Ok(None)
    }

    /// Calls `each` with the commits that each merge of a line of first parents brings in: those
    /// reachable from its other parents and not from its first, each with the merge's position on
    /// the line. A commit is read once, however many merges there are.
    ///
    /// # Errors
    /// If a commit is missing, except beyond the border of a shallow clone.
    pub fn merged(
        &self,
        line: &[Commit],
        mut each: impl FnMut(usize, &Commit),
    ) -> Result<(), Error> {
        if !line.iter().any(|commit| commit.parents.len() > 1) {
            return Ok(());
        }
        let mut seen = HashSet::new();
        let mut own = &[][..];
        for (index, commit) in line.iter().enumerate() {
            let parents = match self.is_border(commit.id) {
                true => &[][..],
                false => &commit.parents[..],
            };
            let (first, others) = parents.split_at(parents.len().min(1));
            // Commits before the start of the line existed already; on the line, a commit's own
            // ones are new.
            if index == 0 {
                own = first;
            }
            if !others.is_empty() {
                self.unseen(std::mem::take(&mut own), &mut seen, |_| {})?;
                self.unseen(others, &mut seen, |commit| each(index, commit))?;
            }
            seen.insert(commit.id);
        }
        Ok(())
    }

    /// The given commits and their ancestors, without those in `seen`.
    fn unseen(
        &self,
        from: &[Id],
        seen: &mut HashSet<Id>,
        mut each: impl FnMut(&Commit),
    ) -> Result<(), Error> {
        let mut open = from.to_vec();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let commit = self.commit(id)?;
            if !self.is_border(id) {
                open.extend(&commit.parents);
            }
            each(&commit);
        }
        Ok(())
    }

    fn ancestors(&self, newest: Id, since: Option<i64>) -> Result<Walk, Error> {
        let mut walk = Walk::default();
        let mut seen = HashSet::from([newest]);
        let mut open = vec![newest];
        while let Some(id) = open.pop() {
            let commit = self.commit(id)?;
            if since.is_some_and(|since| commit.committer.seconds < since) {
                continue;
            }
            if !commit.parents.is_empty() && self.is_border(id) {
                walk.is_cut_off = true;
            } else {
                open.extend(commit.parents.iter().filter(|parent| seen.insert(**parent)));
            }
            walk.commits.push(commit);
        }
        walk.commits = parents_first(walk.commits);
        Ok(walk)
    }
}

/// Orders commits so that parents come before children, and otherwise by time.
fn parents_first(commits: Vec<Commit>) -> Vec<Commit> {
    let mut waiting: HashMap<Id, usize> = HashMap::new();
    let mut children: HashMap<Id, Vec<usize>> = HashMap::new();
    let known: HashSet<Id> = commits.iter().map(|c| c.id).collect();
    for (index, commit) in commits.iter().enumerate() {
        let parents = commit.parents.iter().filter(|p| known.contains(*p));
        let mut count = 0;
        for parent in parents {
            children.entry(*parent).or_default().push(index);
            count += 1;
        }
        waiting.insert(commit.id, count);
    }
    let key = |index: usize| {
        let commit = &commits[index];
        std::cmp::Reverse((commit.committer.seconds, commit.id, index))
    };
    let roots = (0..commits.len()).filter(|&i| waiting[&commits[i].id] == 0);
    let mut ready: BinaryHeap<_> = roots.map(key).collect();
    let mut order = Vec::with_capacity(commits.len());
    while let Some(std::cmp::Reverse((_, id, index))) = ready.pop() {
        order.push(index);
        for &child in children.get(&id).into_iter().flatten() {
            if let Some(count) = waiting.get_mut(&commits[child].id) {
                *count -= 1;
                if *count == 0 {
                    ready.push(key(child));
                }
            }
        }
    }
    let mut commits: Vec<Option<Commit>> = commits.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|i| commits[i].take())
        .collect()
}
