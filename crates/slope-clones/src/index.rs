//! Clones of a changing set of files, updated incrementally.
//!
//! The rows of clones of types 1 and 2 are those of [`crate::classes`], whatever the order of
//! changes; only the affected parts are recomputed. A group's classes depend on its members and on
//! the groups around them in their blocks, so a change invalidates the groups of the added or
//! removed statements, and the groups in the blocks of their other members. Near misses are not
//! maintained.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::RandomState;
use slope_syntax::{LineSet, Profile};

use crate::file::{CloneUnit, FileClones, Statement};
use crate::grow::{Groups, Growth, Start, overlaps};
use crate::place::Place;
use crate::stream::narrow;

/// Data that contains a file's facts for clone detection.
pub trait HasClones {
    /// The facts.
    fn clones(&self) -> &FileClones;
}

impl HasClones for FileClones {
    fn clones(&self) -> &FileClones {
        self
    }
}

impl<T: HasClones + ?Sized> HasClones for std::sync::Arc<T> {
    fn clones(&self) -> &FileClones {
        (**self).clones()
    }
}

/// Effects of a change.
#[derive(Debug, Clone, Default)]
pub struct Update {
    /// Files that existed before and after, were not replaced, and have different rows of clones;
    /// ascending.
    pub changed: Vec<u32>,
    /// Classes that are new or have other members now.
    pub added: Vec<Vec<Place>>,
    /// Classes that were removed or had other members; places of replaced files refer to the old
    /// file.
    pub removed: Vec<Vec<Place>>,
}

/// The clones of a set of files.
#[derive(Debug, Clone)]
pub struct Index<F> {
    files: Vec<Option<Held<F>>>,
    /// Group of each form of a run.
    forms: Map<u64, u32>,
    runs: Vec<RunGroup>,
    free: Vec<u32>,
    /// Constructs by renamed hash: file and unit, in order.
    units: Map<Key, Vec<(u32, u32)>>,
    profile: Profile,
}

/// A map of many small keys that are hashes of code, which may be crafted to collide: each process
/// has a different seed. Its order is never used.
type Map<K, V> = HashMap<K, V, RandomState>;

/// The same without values.
type Set<K> = HashSet<K, RandomState>;

/// The identity of a construct: its renamed hash, and in the paper's profile its file.
type Key = (u128, u32);

#[derive(Debug, Clone)]
struct Held<F> {
    facts: F,
    /// For each statement, its group from 1 if it is a kept start; else 0.
    numbers: Vec<u32>,
    /// For each row, how many places of classes cover it.
    covers: Vec<u32>,
    rows: LineSet,
}

#[derive(Debug, Clone, Default)]
struct RunGroup {
    form: u64,
    starts: Vec<Start>,
    classes: Vec<Vec<Place>>,
}

/// The stale parts after a change.
#[derive(Default)]
struct Dirty {
    /// Run groups; sorted and unique when they are read.
    runs: Vec<u32>,
    /// Members of run groups before, for the groups that changed.
    sizes: Map<u32, usize>,
}

impl Dirty {
    fn note(&mut self, number: u32, size: usize) {
        self.sizes.entry(number).or_insert_with(|| {
            self.runs.push(number);
            size
        });
    }
}

impl<F: HasClones> Index<F> {
    /// An index without files, for facts of a profile.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self {
            files: Vec::new(),
            forms: Map::default(),
            runs: Vec::new(),
            free: Vec::new(),
            units: Map::default(),
            profile,
        }
    }

    /// The rows of clones of types 1 and 2 of a file, of any kind of row.
    #[must_use]
    pub fn rows(&self, file: u32) -> Option<&LineSet> {
        let held = self.files.get(file as usize)?.as_ref()?;
        Some(&held.rows)
    }

    /// For each row of a file, how many places of classes cover it; rows at the end may be left
    /// out.
    pub(crate) fn counts(&self, file: u32) -> &[u32] {
        let held = self.files.get(file as usize).and_then(Option::as_ref);
        held.map_or(&[], |held| &held.covers)
    }

    /// Replaces a file's own counts, and the rows that they cover.
    pub(crate) fn set_counts(&mut self, file: u32, covers: Vec<u32>, rows: LineSet) {
        if let Some(held) = self.files.get_mut(file as usize).and_then(Option::as_mut) {
            held.covers = covers;
            held.rows = rows;
        }
    }

    /// Replaces, adds and takes out files, by numbers of the caller's choice; each number once.
    pub fn update(&mut self, changes: Vec<(u32, Option<F>)>) -> Update {
        let mut dirty = Dirty::default();
        let replaced: Set<u32> = changes.iter().map(|(file, _)| *file).collect();
        let keys = self.keys_of_change(&changes);
        let removed_units = self.unit_classes(&keys);
        for &(file, _) in &changes {
            self.take_out(file, &mut dirty);
        }
        self.make_room(&changes);
        for (file, facts) in changes {
            if self.files.len() <= file as usize {
                self.files.resize_with(file as usize + 1, || None);
            }
            if let Some(facts) = facts {
                self.put_in(file, facts, &mut dirty);
            }
        }
        self.add_neighbours(&mut dirty, &replaced);
        let added_units = self.unit_classes(&keys);
        let mut update = Update::default();
        let mut touched = BTreeSet::new();
        for (old, new) in pair(removed_units, added_units) {
            self.exchange(old, new, &replaced, &mut touched, &mut update);
        }
        for group in dirty.runs {
            let old = std::mem::take(&mut self.runs[group as usize - 1].classes);
            let new = match self.runs[group as usize - 1].starts.len() {
                0 | 1 => Vec::new(),
                _ => Growth(self).places(group),
            };
            self.runs[group as usize - 1].classes.clone_from(&new);
            self.exchange(old, new, &replaced, &mut touched, &mut update);
            self.forget_if_empty(group);
        }
        self.refresh_rows(touched, &replaced, &mut update);
        update
    }

    fn key(&self, file: u32, unit: &CloneUnit) -> Key {
        let scope = match self.profile {
            Profile::Slope => 0,
            Profile::Paper => file,
        };
        (u128::from_le_bytes(unit.renamed.0), scope)
    }

    /// The constructs that a change removes or adds.
    fn keys_of_change(&self, changes: &[(u32, Option<F>)]) -> Vec<Key> {
        let mut keys = Vec::new();
        for (file, facts) in changes {
            let old = self.files.get(*file as usize).and_then(Option::as_ref);
            let old = old.map(|held| &held.facts).into_iter();
            let units = old.chain(facts).flat_map(|facts| &facts.clones().units);
            keys.extend(units.map(|unit| self.key(*file, unit)));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Reserves memory for a first change, which is usually the largest.
    fn make_room(&mut self, changes: &[(u32, Option<F>)]) {
        if !self.runs.is_empty() {
            return;
        }
        let new = || {
            changes
                .iter()
                .filter_map(|(_, facts)| Some(facts.as_ref()?.clones()))
        };
        let starts = |clones: &FileClones| clones.statements.iter().filter(|s| s.run > 0).count();
        let starts: usize = new().map(starts).sum();
        self.forms.reserve(starts);
        self.runs.reserve(starts);
        self.units
            .reserve(new().map(|clones| clones.units.len()).sum());
    }

    /// The places of each of these constructs that has two or more.
    fn unit_classes(&self, keys: &[Key]) -> Map<Key, Vec<Place>> {
        let place = |&(file, unit): &(u32, u32)| {
            let held = self.files[file as usize].as_ref()?;
            let unit = held.facts.clones().units.get(unit as usize)?;
            Some(unit.place(file, 1000))
        };
        let class = |key: &Key| {
            let members = self.units.get(key).filter(|members| members.len() > 1)?;
            Some((*key, members.iter().filter_map(place).collect()))
        };
        keys.iter().filter_map(class).collect()
    }

    fn take_out(&mut self, file: u32, dirty: &mut Dirty) {
        let Some(held) = self.files.get_mut(file as usize).and_then(Option::take) else {
            return;
        };
        for unit in &held.facts.clones().units {
            let key = self.key(file, unit);
            if let Some(members) = self.units.get_mut(&key) {
                members.retain(|member| member.0 != file);
                if members.is_empty() {
                    self.units.remove(&key);
                }
            }
        }
        let numbers: BTreeSet<u32> = held.numbers.into_iter().filter(|&n| n > 0).collect();
        for number in numbers {
            let group = &mut self.runs[number as usize - 1];
            dirty.note(number, group.starts.len());
            group.starts.retain(|start| start.file != file);
        }
    }

    fn put_in(&mut self, file: u32, facts: F, dirty: &mut Dirty) {
        let clones = facts.clones();
        for (unit, found) in (0..).zip(&clones.units) {
            let key = self.key(file, found);
            let members = self.units.entry(key).or_default();
            let at = members.partition_point(|member| *member < (file, unit));
            members.insert(at, (file, unit));
        }
        let mut numbers = vec![0; clones.statements.len()];
        for (statement, found) in (0..).zip(&clones.statements).filter(|(_, s)| s.run > 0) {
            let start = Start {
                form: found.renamed,
                file,
                statement,
            };
            let number = self.number(start.form);
            let starts = &mut self.runs[number as usize - 1].starts;
            let at = starts.partition_point(|other| *other < start);
            if overlaps(starts[..at].last(), start, &clones.statements) {
                continue;
            }
            dirty.note(number, starts.len());
            // Most forms occur once.
            if starts.is_empty() {
                starts.reserve_exact(1);
            }
            starts.insert(at, start);
            numbers[statement as usize] = number;
        }
        self.files[file as usize] = Some(Held {
            facts,
            numbers,
            covers: Vec::new(),
            rows: LineSet::default(),
        });
    }

    /// The number of a form's group, which is made if missing.
    fn number(&mut self, form: u64) -> u32 {
        if let Some(&number) = self.forms.get(&form) {
            return number;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.runs.push(RunGroup::default());
            narrow(self.runs.len())
        });
        self.runs[number as usize - 1].form = form;
        self.forms.insert(form, number);
        number
    }

    fn forget_if_empty(&mut self, number: u32) {
        let group = &self.runs[number as usize - 1];
        if group.starts.is_empty() && group.classes.is_empty() {
            self.forms.remove(&group.form);
            self.free.push(number);
        }
    }

    /// Adds the groups in a block with a member of a changed group.
    fn add_neighbours(&self, dirty: &mut Dirty, replaced: &Set<u32>) {
        let mut near = BTreeSet::new();
        let mut seen: Set<(u32, u32)> = Set::default();
        for &number in &dirty.runs {
            let group = &self.runs[number as usize - 1];
            let before = dirty.sizes.get(&number).copied().unwrap_or(0);
            if before < 2 && group.starts.len() < 2 {
                continue;
            }
            // In replaced files every group is dirty already.
            for start in group.starts.iter().filter(|s| !replaced.contains(&s.file)) {
                self.add_block(start, &mut near, &mut seen);
            }
        }
        dirty.runs.extend(near);
        dirty.runs.sort_unstable();
        dirty.runs.dedup();
    }

    /// Adds the groups of a start's block.
    fn add_block(&self, start: &Start, near: &mut BTreeSet<u32>, seen: &mut Set<(u32, u32)>) {
        let statements = self.statements(start.file);
        let mut first = start.statement as usize;
        while first > 0 && statements[first - 1].continues {
            first -= 1;
        }
        if !seen.insert((start.file, narrow(first))) {
            return;
        }
        for (at, statement) in statements.iter().enumerate().skip(first) {
            let number = self.number_of(start.file, narrow(at));
            if number > 0 {
                near.insert(number);
            }
            if !statement.continues {
                break;
            }
        }
    }

    /// Replaces classes, and updates the counts of covered rows.
    fn exchange(
        &mut self,
        mut old: Vec<Vec<Place>>,
        mut new: Vec<Vec<Place>>,
        replaced: &Set<u32>,
        touched: &mut BTreeSet<u32>,
        update: &mut Update,
    ) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        // A class with a replaced file is a different one even at the same place.
        let is_kept = |class: &Vec<Place>| class.iter().all(|p| !replaced.contains(&p.file));
        let same: Set<Vec<Place>> = old.iter().filter(|c| is_kept(c)).cloned().collect();
        let kept: Set<Vec<Place>> = new.iter().filter(|c| same.contains(*c)).cloned().collect();
        old.retain(|class| !kept.contains(class));
        new.retain(|class| !kept.contains(class));
        for place in old.iter().flatten().filter(|p| !replaced.contains(&p.file)) {
            self.cover_place(place, -1, touched);
        }
        for place in new.iter().flatten() {
            self.cover_place(place, 1, touched);
        }
        update.removed.append(&mut old);
        update.added.append(&mut new);
    }

    fn cover_place(&mut self, place: &Place, by: i32, touched: &mut BTreeSet<u32>) {
        let Some(held) = self.files[place.file as usize].as_mut() else {
            return;
        };
        let end = place.last_row as usize + 1;
        if held.covers.len() < end {
            held.covers.resize(end, 0);
        }
        for count in &mut held.covers[place.first_row as usize..end] {
            *count = count.saturating_add_signed(by);
        }
        touched.insert(place.file);
    }

    fn refresh_rows(&mut self, touched: BTreeSet<u32>, replaced: &Set<u32>, update: &mut Update) {
        for file in touched {
            let Some(held) = self.files[file as usize].as_mut() else {
                continue;
            };
            let mut rows = LineSet::with_rows(narrow(held.covers.len()));
            for (row, _) in (0..).zip(&held.covers).filter(|(_, count)| **count > 0) {
                rows.insert(row);
            }
            if rows.rows().ne(held.rows.rows()) {
                held.rows = rows;
                if !replaced.contains(&file) {
                    update.changed.push(file);
                }
            }
        }
    }
}

impl<F: HasClones> Groups for Index<F> {
    fn statements(&self, file: u32) -> &[Statement] {
        let held = self.files.get(file as usize).and_then(Option::as_ref);
        held.map_or(&[], |held| &held.facts.clones().statements)
    }

    fn number_of(&self, file: u32, statement: u32) -> u32 {
        let held = self.files.get(file as usize).and_then(Option::as_ref);
        let number = held.and_then(|held| held.numbers.get(statement as usize));
        let number = number.copied().unwrap_or(0);
        let grouped = number > 0 && self.runs[number as usize - 1].starts.len() > 1;
        if grouped { number } else { 0 }
    }

    fn members(&self, number: u32) -> &[Start] {
        &self.runs[number as usize - 1].starts
    }
}

type Classes = Vec<Vec<Place>>;

/// Old and new classes of constructs by their hash, in a deterministic order.
fn pair(mut old: Map<Key, Vec<Place>>, new: Map<Key, Vec<Place>>) -> Vec<(Classes, Classes)> {
    let mut pairs: Vec<(Key, (Classes, Classes))> = Vec::new();
    for (key, class) in new {
        let before = old.remove(&key);
        pairs.push((key, (before.into_iter().collect(), vec![class])));
    }
    pairs.extend(
        old.into_iter()
            .map(|(key, class)| (key, (vec![class], Vec::new()))),
    );
    pairs.sort_by_key(|(key, _)| *key);
    pairs.into_iter().map(|(_, pair)| pair).collect()
}
