//! Which callable after a change is which before it.
//!
//! In order: the same form (apart from name and layout) at the same path and name, at the same
//! path, by the same name, anywhere; then path and name alone; then likeness of statements,
//! the most alike first. What is left over is held against what pairs lost or gained: code that
//! was distributed over several functions, or put together in one.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use super::units::{Side, Unit};

/// Share of common statements, in thousandths, from which two callables are the same.
const ALIKE: u32 = 500;
/// The same for callables of the same name.
const ALIKE_BY_NAME: u32 = 300;
/// Statements that callables of different names share at least.
const MIN_COMMON: usize = 2;
/// Share of a callable's statements that come from another one, in thousandths, from which it
/// is a piece of that.
const PIECE: usize = 600;
/// A statement that stands in more callables than this tells nothing of them.
const MAX_HOLDERS: usize = 40;

/// Units before that are units after.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) from: Vec<usize>,
    pub(crate) to: Vec<usize>,
    /// Whether it is one unit on either side, and the same apart from name and layout.
    pub(crate) is_same: bool,
}

/// Follows the units of a step.
pub(crate) fn follow(before: &Side<'_>, after: &Side<'_>) -> Vec<Group> {
    let mut follower = Follower {
        before: &before.units,
        after: &after.units,
        after_of: vec![None; before.units.len()],
        before_of: vec![None; after.units.len()],
    };
    follower.unchanged_files();
    follower.callables();
    follower.rests();
    follower.groups()
}

struct Follower<'a, 's> {
    before: &'a [Unit<'s>],
    after: &'a [Unit<'s>],
    after_of: Vec<Option<usize>>,
    before_of: Vec<Option<usize>>,
}

/// What a unit is of: path and form and name, as far as a round asks for them.
type Key<'a> = (Option<&'a str>, Option<u64>, Option<&'a str>);

impl<'a> Follower<'a, '_> {
    fn pair(&mut self, before: usize, after: usize) {
        self.after_of[before] = Some(after);
        self.before_of[after] = Some(before);
    }

    /// Pairs units that are not paired yet and agree in a key, in order of position.
    fn pair_by<K: Hash + Eq>(
        &mut self,
        of_before: impl Fn(&'a Unit<'_>) -> Option<K>,
        of_after: impl Fn(&'a Unit<'_>) -> Option<K>,
    ) {
        let mut open: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (index, unit) in self.before.iter().enumerate() {
            if self.after_of[index].is_none()
                && let Some(key) = of_before(unit)
            {
                open.entry(key).or_default().push_back(index);
            }
        }
        for (index, unit) in self.after.iter().enumerate() {
            if self.before_of[index].is_some() {
                continue;
            }
            let waiting = of_after(unit).and_then(|key| open.get_mut(&key));
            if let Some(before) = waiting.and_then(VecDeque::pop_front) {
                self.pair(before, index);
            }
        }
    }

    fn pair_callables(&mut self, key: impl Fn(&'a Unit<'_>) -> Key<'a>) {
        let of = |unit: &'a Unit<'_>| unit.callable.is_some().then(|| key(unit));
        self.pair_by(of, of);
    }

    /// The rests of files, which stand for the files, by file.
    fn files(units: &'a [Unit<'_>]) -> HashMap<usize, &'a Unit<'a>> {
        let rests = units.iter().filter(|unit| unit.callable.is_none());
        rests.map(|unit| (unit.file, unit)).collect()
    }

    /// Files whose content did not change.
    fn unchanged_files(&mut self) {
        let before = Self::files(self.before);
        let unchanged: HashSet<usize> = Self::files(self.after)
            .into_iter()
            .filter(|(file, new)| {
                before
                    .get(file)
                    .is_some_and(|old| old.view.is_same_content(new.view))
            })
            .map(|(file, _)| file)
            .collect();
        let key = |unit: &Unit<'_>| {
            unchanged
                .contains(&unit.file)
                .then_some((unit.file, unit.callable))
        };
        self.pair_by(key, key);
    }

    fn callables(&mut self) {
        self.pair_callables(|u| (Some(u.view.path()), Some(u.form), u.name()));
        self.pair_callables(|u| (None, Some(u.form), u.name()));
        self.pair_callables(|u| (Some(u.view.path()), Some(u.form), None));
        self.pair_callables(|u| (None, Some(u.form), u.own_name()));
        self.pair_callables(|u| (None, Some(u.form), None));
        self.pair_callables(|u| (Some(u.view.path()), None, u.name()));
        let renamed = self.renamed_files();
        let path = |unit: &'a Unit<'_>| renamed.get(unit.view.path()).copied();
        self.pair_by(
            |u| u.callable.and_then(|_| Some((path(u)?, u.name()))),
            |u| u.callable.map(|_| (u.view.path(), u.name())),
        );
        self.alike();
    }

    /// For each file that is gone, the new file that most of its callables went to, or the one
    /// with the same content.
    fn renamed_files(&self) -> HashMap<&'a str, &'a str> {
        let (before, after) = (Self::files(self.before), Self::files(self.after));
        let mut votes: HashMap<(&str, &str), usize> = HashMap::new();
        let mut vote = |old: &'a Unit<'_>, new: &'a Unit<'_>| {
            if !after.contains_key(&old.file) && !before.contains_key(&new.file) {
                *votes.entry((old.view.path(), new.view.path())).or_default() += 1;
            }
        };
        for (old, new) in self.after_of.iter().enumerate() {
            if let Some(new) = *new {
                vote(&self.before[old], &self.after[new]);
            }
        }
        let gone = self
            .before
            .iter()
            .filter(|u| u.callable.is_none() && !after.contains_key(&u.file));
        for old in gone {
            let same = |new: &&Unit<'_>| new.view.is_same_content(old.view);
            for new in self
                .after
                .iter()
                .filter(|u| u.callable.is_none())
                .filter(same)
            {
                vote(old, new);
            }
        }
        let mut votes: Vec<_> = votes.into_iter().collect();
        votes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut renamed = HashMap::new();
        let mut taken: HashSet<&str> = HashSet::new();
        for ((old, new), _) in votes {
            if !renamed.contains_key(old) && taken.insert(new) {
                renamed.insert(old, new);
            }
        }
        renamed
    }

    /// Pairs callables by their statements, the most alike first.
    fn alike(&mut self) {
        let before = self.open_statements(self.before, &self.after_of);
        let after = self.open_statements(self.after, &self.before_of);
        let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, (_, statements)) in before.iter().enumerate() {
            for statement in distinct(statements) {
                holders.entry(statement).or_default().push(index);
            }
        }
        let mut candidates: Vec<(u32, usize, usize)> = Vec::new();
        for (unit, statements) in &after {
            let near = distinct(statements).filter_map(|s| holders.get(&s));
            let near = near.filter(|holders| holders.len() <= MAX_HOLDERS);
            let mut near: Vec<usize> = near.flatten().copied().collect();
            near.sort_unstable();
            near.dedup();
            for index in near {
                let (other, others) = &before[index];
                let score = self.likeness(*other, others, *unit, statements);
                candidates.extend(score.map(|score| (score, *other, *unit)));
            }
        }
        candidates.sort_by_key(|&(score, b, a)| (std::cmp::Reverse(score), b, a));
        for (_, before, after) in candidates {
            if self.after_of[before].is_none() && self.before_of[after].is_none() {
                self.pair(before, after);
            }
        }
    }

    /// How alike two callables are, in thousandths and more for the same name or file; `None`
    /// if not enough.
    fn likeness(&self, before: usize, a: &[u32], after: usize, b: &[u32]) -> Option<u32> {
        let common = common(a, b);
        let (before, after) = (&self.before[before], &self.after[after]);
        let named = before.own_name() == after.own_name();
        let share = u32::try_from(2000 * common / (a.len() + b.len()).max(1)).ok()?;
        let enough = (share >= ALIKE && common >= MIN_COMMON) || (named && share >= ALIKE_BY_NAME);
        let file = before.view.path() == after.view.path();
        enough.then(|| share + 100 * u32::from(named) + 50 * u32::from(file))
    }

    /// The callables without a partner that have statements.
    fn open_statements(
        &self,
        units: &[Unit<'_>],
        partners: &[Option<usize>],
    ) -> Vec<(usize, Vec<u32>)> {
        let open = units
            .iter()
            .enumerate()
            .filter(|(index, unit)| partners[*index].is_none() && unit.callable.is_some());
        open.map(|(index, unit)| (index, unit.statements()))
            .filter(|(_, statements)| !statements.is_empty())
            .collect()
    }

    /// Pairs the rests of files: by path, then of renamed files, then by their form.
    fn rests(&mut self) {
        let rest = |unit: &Unit<'_>| unit.callable.is_none();
        let path = |unit: &'a Unit<'_>| rest(unit).then(|| unit.view.path());
        self.pair_by(path, path);
        let renamed = self.renamed_files();
        self.pair_by(|u| path(u).and_then(|p| renamed.get(p).copied()), path);
        let form = |unit: &Unit<'_>| rest(unit).then_some(unit.form);
        self.pair_by(form, form);
    }

    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        // Group of each unit before and after.
        let mut of_before = vec![usize::MAX; self.before.len()];
        let mut of_after = vec![usize::MAX; self.after.len()];
        for (index, partner) in self.after_of.iter().enumerate() {
            of_before[index] = groups.len();
            if let Some(after) = *partner {
                of_after[after] = groups.len();
            }
            groups.push(Group {
                from: vec![index],
                to: partner.iter().copied().collect(),
                is_same: partner.is_some_and(|a| self.after[a].form == self.before[index].form),
            });
        }
        for (index, group) in of_after.iter_mut().enumerate() {
            if *group == usize::MAX {
                *group = groups.len();
                groups.push(Group {
                    to: vec![index],
                    ..Group::default()
                });
            }
        }
        self.join_pieces(&mut groups);
        groups.retain(|group| !group.from.is_empty() || !group.to.is_empty());
        groups
    }

    /// Puts new callables with those that their code was in, and gone ones with those that
    /// took theirs.
    fn join_pieces(&self, groups: &mut [Group]) {
        let is_new = |g: &Group| g.from.is_empty() && self.after[g.to[0]].callable.is_some();
        let is_gone = |g: &Group| g.to.is_empty() && self.before[g.from[0]].callable.is_some();
        if groups.iter().any(is_new) {
            let pieces = self.pieces(groups, is_new, |group| self.lost(group));
            for (piece, source) in pieces {
                let to = std::mem::take(&mut groups[piece].to);
                groups[source].to.extend(to);
                groups[source].is_same = false;
            }
        }
        let is_gone_still = |g: &Group| !g.from.is_empty() && is_gone(g);
        if groups.iter().any(is_gone_still) {
            let pieces = self.pieces(groups, is_gone_still, |group| self.gained(group));
            for (piece, target) in pieces {
                let from = std::mem::take(&mut groups[piece].from);
                groups[target].from.extend(from);
                groups[target].is_same = false;
            }
        }
    }

    /// Statements of a group's callable before that it has no more.
    fn lost(&self, group: &Group) -> Vec<u32> {
        only_here((self.before, &group.from), (self.after, &group.to))
    }

    /// Statements of a group's callable after that it did not have.
    fn gained(&self, group: &Group) -> Vec<u32> {
        only_here((self.after, &group.to), (self.before, &group.from))
    }

    /// For each group that is a piece, the group whose statements most of its own are among.
    fn pieces(
        &self,
        groups: &[Group],
        is_piece: impl Fn(&Group) -> bool,
        statements: impl Fn(&Group) -> Vec<u32>,
    ) -> Vec<(usize, usize)> {
        let mut sources: Vec<(usize, Vec<u32>)> = Vec::new();
        for (index, group) in groups.iter().enumerate().filter(|(_, g)| !g.is_same) {
            if !is_piece(group) {
                let statements = statements(group);
                if statements.len() >= MIN_COMMON {
                    sources.push((index, statements));
                }
            }
        }
        let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, (_, statements)) in sources.iter().enumerate() {
            for statement in distinct(statements) {
                holders.entry(statement).or_default().push(index);
            }
        }
        let mut found = Vec::new();
        for (index, group) in groups.iter().enumerate().filter(|(_, g)| is_piece(g)) {
            let own = match (group.from.first(), group.to.first()) {
                (Some(&before), _) => self.before[before].statements(),
                (None, Some(&after)) => self.after[after].statements(),
                (None, None) => continue,
            };
            let mut near: Vec<usize> = distinct(&own)
                .filter_map(|s| holders.get(&s))
                .flatten()
                .copied()
                .collect();
            near.sort_unstable();
            near.dedup();
            let scored = near
                .into_iter()
                .map(|at| (common(&own, &sources[at].1), at));
            let best = scored.max_by_key(|&(score, at)| (score, std::cmp::Reverse(at)));
            if let Some((score, at)) = best
                && score >= MIN_COMMON
                && score * 1000 >= PIECE * own.len()
            {
                found.push((index, sources[at].0));
            }
        }
        found
    }
}

/// Each of some ascending values once.
fn distinct(values: &[u32]) -> impl Iterator<Item = u32> + '_ {
    values.chunk_by(|a, b| a == b).map(|chunk| chunk[0])
}

/// How many values two ascending lists share.
fn common(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                (i, j, count) = (i + 1, j + 1, count + 1);
            }
        }
    }
    count
}

/// Statements of the first unit of a group on one side, if it is a callable, that the first
/// on the other side has not.
fn only_here(
    (units, here): (&[Unit<'_>], &[usize]),
    (others, there): (&[Unit<'_>], &[usize]),
) -> Vec<u32> {
    let callable = here.first().map(|&unit| &units[unit]);
    let Some(callable) = callable.filter(|unit| unit.callable.is_some()) else {
        return Vec::new();
    };
    let known = there.first().map(|&unit| others[unit].statements());
    less(&callable.statements(), &known.unwrap_or_default())
}

/// The values of an ascending list that another one has not.
fn less(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut rest = b.iter().copied().peekable();
    let mut left = Vec::new();
    for &value in a {
        while rest.next_if(|&other| other < value).is_some() {}
        if rest.next_if(|&other| other == value).is_none() {
            left.push(value);
        }
    }
    left
}
