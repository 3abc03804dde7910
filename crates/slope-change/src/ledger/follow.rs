//! Matches the callables before and after a change.
//!
//! Callables with the same form (without name and layout) are matched first: at the same path and
//! name, at the same path, with the same name, anywhere. Then follow callables with the same path
//! and name, the most similar of several first, and then callables with similar statements. The
//! rest is compared with statements that matched pairs lost or gained. This finds code that was
//! split into several functions, or merged into one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::Hash;

use super::units::{Side, Unit};

/// Minimum share of common statements, in thousandths, of callables that count as the same.
const ALIKE: u32 = 500;
/// The same for callables with the same name.
const ALIKE_BY_NAME: u32 = 300;
/// Minimum number of statements that callables with different names share.
const MIN_COMMON: usize = 2;
/// Minimum share of a callable's statements, in thousandths, that come from another callable if it
/// is a piece of it.
const PIECE: usize = 600;
/// Maximum number of callables with a statement that counts as evidence.
const MAX_HOLDERS: usize = 40;
/// Minimum number of statements of a callable whose shape is distinctive.
const MIN_SHAPE: usize = 8;
/// Maximum number of pairs with the same name in a file that are compared one by one. A file of
/// tests or closures may have thousands of callables with the same name.
const MAX_PAIRS: usize = 4096;

/// Units before that became units after.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) from: Vec<usize>,
    pub(crate) to: Vec<usize>,
    /// Whether both sides are one unit, equal except for name and layout.
    pub(crate) is_same: bool,
}

/// Follows units through a step.
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

/// Number of statements, cyclomatic and cognitive complexity.
type Shape = (usize, (u32, u32));

/// Identity of a unit in a round of matching: path, form and name, if the round compares them.
type Key<'a> = (Option<&'a str>, Option<u64>, Option<&'a str>);

impl<'a> Follower<'a, '_> {
    fn pair(&mut self, before: usize, after: usize) {
        self.after_of[before] = Some(after);
        self.before_of[after] = Some(before);
    }

    /// Pairs unmatched units with equal keys, in order of position.
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

    /// The code outside of callables, which represents each file, by file.
    fn files(units: &'a [Unit<'_>]) -> HashMap<usize, &'a Unit<'a>> {
        let rests = units.iter().filter(|unit| unit.is_file());
        rests.map(|unit| (unit.file, unit)).collect()
    }

    /// Pairs the units of files with unchanged content.
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
                .then_some((unit.file, unit.place_in_file()))
        };
        self.pair_by(key, key);
    }

    fn callables(&mut self) {
        self.pair_callables(|u| (Some(u.view.path()), Some(u.form), u.name()));
        self.pair_callables(|u| (None, Some(u.form), u.name()));
        self.pair_callables(|u| (Some(u.view.path()), Some(u.form), None));
        self.pair_callables(|u| (None, Some(u.form), u.own_name()));
        self.pair_callables(|u| (None, Some(u.form), None));
        self.pair_namesakes(|unit| Some(unit.view.path()));
        let renamed = self.renamed_files();
        self.pair_namesakes(|unit| renamed.get(unit.view.path()).copied());
        self.alike();
        self.pair_by_shape(&renamed);
    }

    /// Pairs callables with the same name. `path` maps files before to files after. Overloads,
    /// methods of several traits and closures share names, and any of them may be new or moved.
    /// Their content is better evidence than their position.
    fn pair_namesakes(&mut self, path: impl Fn(&'a Unit<'_>) -> Option<&'a str>) {
        type Sides = (Vec<usize>, Vec<usize>);
        let mut groups: BTreeMap<(&str, Option<&str>), Sides> = BTreeMap::new();
        for (index, unit) in self.before.iter().enumerate() {
            if self.after_of[index].is_none()
                && unit.callable.is_some()
                && let Some(path) = path(unit)
            {
                let group = groups.entry((path, unit.shared_name())).or_default();
                group.0.push(index);
            }
        }
        for (index, unit) in self.after.iter().enumerate() {
            let is_open = self.before_of[index].is_none() && unit.callable.is_some();
            let group = groups.get_mut(&(unit.view.path(), unit.shared_name()));
            if let Some(group) = group.filter(|_| is_open) {
                group.1.push(index);
            }
        }
        for (before, after) in groups.into_values() {
            match (&before[..], &after[..]) {
                (_, []) => {}
                (&[before], &[after]) => self.pair(before, after),
                (before, after) => self.pair_group(before, after),
            }
        }
    }

    /// Pairs callables with the same name and file: the most similar first, then equal sizes, then
    /// by position.
    fn pair_group(&mut self, before: &[usize], after: &[usize]) {
        let old = with_statements(self.before, before.iter().copied());
        let new = with_statements(self.after, after.iter().copied());
        let is_few = before.len().saturating_mul(after.len()) <= MAX_PAIRS;
        let candidates = match is_few {
            true => every_pair(&old, &new),
            false => pairs_by_rare_statements(&old, &new),
        };
        let mut candidates: Vec<_> = candidates
            .into_iter()
            .map(|(share, before, after)| {
                let (old, new) = (&self.before[before], &self.after[after]);
                (Reverse(share), old.size_apart(new), before, after)
            })
            .collect();
        candidates.sort_unstable();
        for (_, _, before, after) in candidates {
            self.pair_if_open(before, after);
        }
        if !is_few {
            self.pair_in_order(before, after, |unit| unit.size());
            self.pair_in_order(before, after, |_| ());
        }
    }

    fn pair_if_open(&mut self, before: usize, after: usize) {
        if self.after_of[before].is_none() && self.before_of[after].is_none() {
            self.pair(before, after);
        }
    }

    /// Pairs unmatched units that agree in a key, by position.
    fn pair_in_order<K: Hash + Eq>(
        &mut self,
        before: &[usize],
        after: &[usize],
        key: impl Fn(&Unit<'_>) -> K,
    ) {
        let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::new();
        for &index in before {
            if self.after_of[index].is_none() {
                let same = waiting.entry(key(&self.before[index])).or_default();
                same.push_back(index);
            }
        }
        for &index in after {
            if self.before_of[index].is_none()
                && let Some(same) = waiting.get_mut(&key(&self.after[index]))
                && let Some(before) = same.pop_front()
            {
                self.pair(before, index);
            }
        }
    }

    /// For each removed file, the new file with the same content or with most of its callables.
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
            .filter(|u| u.is_file() && !after.contains_key(&u.file));
        for old in gone {
            let same = |new: &&Unit<'_>| new.view.is_same_content(old.view);
            for new in self.after.iter().filter(|u| u.is_file()).filter(same) {
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

    /// Pairs callables by their statements, the most similar first.
    fn alike(&mut self) {
        let before = self.open_statements(self.before, &self.after_of);
        let after = self.open_statements(self.after, &self.before_of);
        let holders = holders(&before);
        let mut candidates: Vec<(u32, usize, usize)> = Vec::new();
        for (unit, statements) in &after {
            let mut near = near(&holders, statements);
            near.dedup();
            for index in near {
                let (other, others) = &before[index];
                let score = self.likeness(*other, others, *unit, statements);
                candidates.extend(score.map(|score| (score, *other, *unit)));
            }
        }
        candidates.sort_by_key(|&(score, b, a)| (Reverse(score), b, a));
        for (_, before, after) in candidates {
            self.pair_if_open(before, after);
        }
    }

    /// Pairs callables of a renamed file with a unique number of statements and complexity, because
    /// every name in it may have changed.
    fn pair_by_shape(&mut self, renamed: &HashMap<&'a str, &'a str>) {
        let before = self.shapes(self.before, &self.after_of, |path| {
            renamed.get(path).copied().unwrap_or(path)
        });
        let after = self.shapes(self.after, &self.before_of, |path| path);
        for (shape, unit) in before {
            if let (Some(before), Some(Some(after))) = (unit, after.get(&shape)) {
                self.pair(before, *after);
            }
        }
    }

    /// Unmatched callables by file and shape; `None` if several share a shape. Small callables are
    /// left out, because they share shapes by chance.
    fn shapes(
        &self,
        units: &'a [Unit<'_>],
        partners: &[Option<usize>],
        path: impl Fn(&'a str) -> &'a str,
    ) -> BTreeMap<(&'a str, Shape), Option<usize>> {
        let mut shapes = BTreeMap::new();
        for (unit, statements) in self.open_statements(units, partners) {
            let Some(shape) = units[unit]
                .shape()
                .filter(|_| statements.len() >= MIN_SHAPE)
            else {
                continue;
            };
            let key = (path(units[unit].view.path()), (statements.len(), shape));
            let entry = shapes.entry(key);
            entry.and_modify(|of| *of = None).or_insert(Some(unit));
        }
        shapes
    }

    /// Similarity of two callables, in thousandths, raised for equal names or files; `None` if it
    /// is too low.
    fn likeness(&self, before: usize, a: &[u32], after: usize, b: &[u32]) -> Option<u32> {
        let common = common(a, b);
        let (before, after) = (&self.before[before], &self.after[after]);
        let named = before.own_name() == after.own_name();
        let share = share(common, a, b);
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
        let mut found = with_statements(units, open.map(|(index, _)| index));
        found.retain(|(_, statements)| !statements.is_empty());
        found
    }

    /// Pairs the code outside of callables: by path, then by renamed file, then by form.
    fn rests(&mut self) {
        let rest = |unit: &Unit<'_>| unit.callable.is_none();
        let path = |unit: &'a Unit<'_>| rest(unit).then(|| (unit.view.path(), unit.is_file()));
        self.pair_by(path, path);
        let renamed = self.renamed_files();
        let new_path = |unit: &'a Unit<'_>| {
            let (path, is_file) = path(unit)?;
            Some((renamed.get(path).copied()?, is_file))
        };
        self.pair_by(new_path, path);
        let form = |unit: &Unit<'_>| rest(unit).then_some((unit.form, unit.is_file()));
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

    /// Joins new callables with those that contained their code, and removed callables with those
    /// that now contain their code.
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

    /// Statements that a group's callable lost.
    fn lost(&self, group: &Group) -> Vec<u32> {
        only_here((self.before, &group.from), (self.after, &group.to))
    }

    /// Statements that a group's callable gained.
    fn gained(&self, group: &Group) -> Vec<u32> {
        only_here((self.after, &group.to), (self.before, &group.from))
    }

    /// For each group that is a piece of another one, that other group.
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
        let holders = holders(&sources);
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
            let best = scored.max_by_key(|&(score, at)| (score, Reverse(at)));
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

/// Units with their statements.
fn with_statements(units: &[Unit<'_>], of: impl Iterator<Item = usize>) -> Vec<(usize, Vec<u32>)> {
    of.map(|unit| (unit, units[unit].statements())).collect()
}

/// By statement, the indices of the units that contain it.
fn holders(units: &[(usize, Vec<u32>)]) -> HashMap<u32, Vec<usize>> {
    let mut holders: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, (_, statements)) in units.iter().enumerate() {
        for statement in distinct(statements) {
            holders.entry(statement).or_default().push(index);
        }
    }
    holders
}

/// Indices of units that contain one of the rare statements, sorted, repeated for each common
/// statement.
fn near(holders: &HashMap<u32, Vec<usize>>, statements: &[u32]) -> Vec<usize> {
    let near = distinct(statements).filter_map(|s| holders.get(&s));
    let near = near.filter(|holders| holders.len() <= MAX_HOLDERS);
    let mut near: Vec<usize> = near.flatten().copied().collect();
    near.sort_unstable();
    near
}

/// Share of common statements, in thousandths.
fn share(common: usize, a: &[u32], b: &[u32]) -> u32 {
    let share = 2000 * common / (a.len() + b.len()).max(1);
    u32::try_from(share).unwrap_or(u32::MAX)
}

/// Each pair of two lists, with the share of statements in common.
fn every_pair(
    before: &[(usize, Vec<u32>)],
    after: &[(usize, Vec<u32>)],
) -> Vec<(u32, usize, usize)> {
    let pairs = before
        .iter()
        .flat_map(|old| after.iter().map(move |new| (old, new)));
    pairs
        .map(|(old, new)| (share(common(&old.1, &new.1), &old.1, &new.1), old.0, new.0))
        .collect()
}

/// Pairs of two long lists that share rare statements, with the share: at most [`MAX_HOLDERS`]
/// pairs per statement.
fn pairs_by_rare_statements(
    before: &[(usize, Vec<u32>)],
    after: &[(usize, Vec<u32>)],
) -> Vec<(u32, usize, usize)> {
    let holders = holders(before);
    let mut pairs = Vec::new();
    for (unit, statements) in after {
        for same in near(&holders, statements).chunk_by(|a, b| a == b) {
            let (other, others) = &before[same[0]];
            pairs.push((share(same.len(), others, statements), *other, *unit));
        }
    }
    pairs
}

/// Removes repeated values from a sorted list.
fn distinct(values: &[u32]) -> impl Iterator<Item = u32> + '_ {
    values.chunk_by(|a, b| a == b).map(|chunk| chunk[0])
}

/// Number of common values of two sorted lists.
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

/// Statements of a group's first unit on one side, if it is a callable, that the first unit on the
/// other side lacks.
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

/// Values of a sorted list that another one lacks.
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
