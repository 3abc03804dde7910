//! Attribution of clones.
//!
//! When code is copied, the lines of the original become clones as well, although they did not
//! change. The copy gets that effect. When a copy is removed, the changes in its old place get it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use slope_measure::{ClonePlace, MIN_COPY_LINES, Step};

use super::follow::Group;
use super::units::{Side, Unit};

/// Maximum number of places of a class among which an original is searched.
const MAX_OTHERS: usize = 200;

/// Lines of an unchanged unit that a changed group is responsible for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) clone: i64,
    pub(crate) verbose: i64,
}

/// Finds the causes of added and removed clone classes.
pub(crate) struct Blame<'a, 's> {
    step: &'s Step,
    files: HashMap<&'s str, usize>,
    groups: &'a [Group],
    before: &'a Side<'s>,
    after: &'a Side<'s>,
    of_before: &'a [usize],
    of_after: &'a [usize],
    /// New classes by the files of their places, and removed classes.
    added: HashMap<&'s str, Vec<(usize, usize)>>,
    removed: HashMap<&'s str, Vec<(usize, usize)>>,
    /// For each new place, the last row of that place and all earlier ones.
    reach: HashMap<&'s str, Vec<u32>>,
}

impl<'a, 's> Blame<'a, 's> {
    pub(crate) fn new(
        step: &'s Step,
        groups: &'a [Group],
        sides: (&'a Side<'s>, &'a Side<'s>),
        of: (&'a [usize], &'a [usize]),
    ) -> Self {
        let path = |(index, file): (usize, &'s slope_measure::FileStep)| {
            let view = file.after.as_ref().or(file.before.as_ref())?;
            Some((view.path(), index))
        };
        let added = by_path(&step.added);
        let reach = added.iter().map(|(&path, places)| {
            let mut last = 0;
            let reach = places.iter().map(|&(class, place)| {
                last = step.added[class][place].last_row.max(last);
                last
            });
            (path, reach.collect())
        });
        Self {
            reach: reach.collect(),
            step,
            files: step.files.iter().enumerate().filter_map(path).collect(),
            groups,
            before: sides.0,
            after: sides.1,
            of_before: of.0,
            of_after: of.1,
            added,
            removed: by_path(&step.removed),
        }
    }

    /// For an unchanged group: the groups that turned its lines into clones or ended them, with
    /// signed numbers of lines.
    pub(crate) fn of(&self, group: &Group) -> BTreeMap<usize, Lines> {
        let mut found = BTreeMap::new();
        let (Some(&from), Some(&to)) = (group.from.first(), group.to.first()) else {
            return found;
        };
        let (from, to) = (&self.before.units[from], &self.after.units[to]);
        let change = to.amounts.clone_lines - from.amounts.clone_lines;
        if change > 0 {
            let rows = self
                .rows(to, self.after)
                .filter(|&row| !was_cloned(row, to, from));
            self.distribute(rows.collect(), to, true, change, &mut found);
        } else if change < 0 {
            let rows = self
                .rows(from, self.before)
                .filter(|&row| !was_cloned(row, from, to));
            self.distribute(rows.collect(), from, false, -change, &mut found);
            for lines in found.values_mut() {
                (lines.clone, lines.verbose) = (-lines.clone, -lines.verbose);
            }
        }
        found
    }

    /// Source rows of a unit that are in clones.
    fn rows<'u>(
        &'u self,
        unit: &'u Unit<'s>,
        side: &'u Side<'s>,
    ) -> impl Iterator<Item = u32> + 'u {
        let own = side
            .units
            .iter()
            .position(|other| std::ptr::eq(other, unit));
        let view = unit.view;
        view.cloned()
            .rows()
            .filter(move |&row| view.source().contains(row) && side.unit_at(unit.file, row) == own)
    }

    /// Attributes at most `most` rows to the responsible groups.
    fn distribute(
        &self,
        rows: Vec<u32>,
        unit: &Unit<'s>,
        came: bool,
        most: i64,
        found: &mut BTreeMap<usize, Lines>,
    ) {
        let (classes, places) = match came {
            true => (&self.step.added, &self.added),
            false => (&self.step.removed, &self.removed),
        };
        let own = places.get(unit.view.path()).map_or(&[][..], Vec::as_slice);
        let mut answers: HashMap<usize, Option<usize>> = HashMap::new();
        let mut left = most;
        for row in rows {
            if left == 0 {
                return;
            }
            let covering = own.iter().filter(|&&(class, place)| {
                let place = &classes[class][place];
                (place.first_row..=place.last_row).contains(&row)
            });
            let answerable = covering.filter_map(|&(class, _)| {
                *answers
                    .entry(class)
                    .or_insert_with(|| self.answerable(&classes[class], came))
            });
            // Prefer new code to changed code, then the first group.
            let best = answerable.min_by_key(|&group| (!self.is_one_sided(group), group));
            if let Some(group) = best {
                let lines = found.entry(group).or_default();
                lines.clone += 1;
                lines.verbose += i64::from(!unit.view.flagged().contains(row));
                left -= 1;
            }
        }
    }

    /// The changed group among a class's places.
    fn answerable(&self, class: &[ClonePlace], came: bool) -> Option<usize> {
        let (side, of) = match came {
            true => (self.after, self.of_after),
            false => (self.before, self.of_before),
        };
        let groups = class.iter().flat_map(|place| {
            let file = self.files.get(&*place.path).copied();
            // A place with several methods has also changed if a method in its middle has.
            (place.first_row..=place.last_row)
                .filter_map(move |row| Some(of[side.unit_at(file?, row)?]))
        });
        groups
            .filter(|&group| !self.groups[group].is_same)
            .min_by_key(|&group| (!self.is_one_sided(group), group))
    }

    fn is_one_sided(&self, group: usize) -> bool {
        self.groups[group].from.is_empty() || self.groups[group].to.is_empty()
    }

    /// The longest new clone of a unit, with another place of its class: in an unchanged unit,
    /// which could be called instead, or in a changed one. Long places come first, so that a
    /// function is reported at its own line rather than at a loop inside it, then places with the
    /// same calls.
    pub(crate) fn original(
        &self,
        unit: &Unit<'s>,
        is_same: bool,
    ) -> Option<(&'s ClonePlace, usize, &'s ClonePlace)> {
        let own = self.added.get(unit.view.path())?;
        let step = self.step;
        let at = |&(class, place): &(usize, usize)| (class, &step.added[class][place]);
        // Places are sorted by first row, and no earlier one reaches the unit.
        let (mut start, mut end) = (0, own.len());
        if unit.callable.is_some() {
            let reach = self.reach.get(unit.view.path())?;
            end = own.partition_point(|one| at(one).1.first_row <= unit.last_row);
            start = reach
                .partition_point(|&last| last < unit.first_row)
                .min(end);
        }
        let places = own[start..end].iter().map(at);
        let places = places.filter(|(_, at)| self.is_at(unit, at));
        let found = places.filter_map(|(class, at)| {
            let others = step.added[class].iter().take(MAX_OTHERS);
            let others = others.filter(|other| *other != at);
            let wanted = others.filter_map(|other| {
                let file = self.files.get(&*other.path).copied()?;
                let found = self.after.unit_at(file, other.first_row)?;
                let is_wanted = self.groups[self.of_after[found]].is_same == is_same;
                is_wanted.then_some((at, found, other))
            });
            wanted.min_by_key(|(at, _, other)| (at.likeness(other), other.first_row))
        });
        found.min_by_key(|(at, _, other)| {
            let is_inside = unit.first_row <= at.first_row && at.last_row <= unit.last_row;
            let is_same = at.likeness(other).is_same();
            let is_copy = is_same && at.lines >= MIN_COPY_LINES;
            (!is_inside, !is_copy, Reverse(at.last_row - at.first_row))
        })
    }

    /// Whether a place of a class has rows of a unit after the change. Code outside functions has no
    /// contiguous range of rows.
    fn is_at(&self, unit: &Unit<'s>, place: &ClonePlace) -> bool {
        if unit.callable.is_some() {
            return place.first_row <= unit.last_row && unit.first_row <= place.last_row;
        }
        let mut rows = place.first_row..=place.last_row;
        let rest = |row| {
            self.after
                .unit_at(unit.file, row)
                .map(|at| &self.after.units[at])
        };
        rows.any(|row| rest(row).is_some_and(|unit| unit.callable.is_none()))
    }
}

/// Whether the row at the same distance from the start of another unit is cloned.
fn was_cloned(row: u32, unit: &Unit<'_>, other: &Unit<'_>) -> bool {
    let same = unit.amounts.sloc == other.amounts.sloc
        && unit.last_row - unit.first_row == other.last_row - other.first_row;
    // After reformatting, rows do not correspond. Then only the count decides.
    same && other
        .view
        .cloned()
        .contains(row - unit.first_row + other.first_row)
}

/// Places of classes by file, sorted by first row.
fn by_path(classes: &[Vec<ClonePlace>]) -> HashMap<&str, Vec<(usize, usize)>> {
    let mut found: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
    for (class, places) in classes.iter().enumerate() {
        for (index, place) in places.iter().enumerate() {
            found.entry(&place.path).or_default().push((class, index));
        }
    }
    for places in found.values_mut() {
        places.sort_by_key(|&(class, place)| classes[class][place].first_row);
    }
    found
}
