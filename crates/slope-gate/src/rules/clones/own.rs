//! Clone lines of code itself, before and after a change.

use std::collections::{BTreeMap, BTreeSet};

use slope_measure::{ClonePlace, FileView};
use slope_model::ledger::{EntryKind, LedgerEntry, LedgerPlace};
use slope_model::measurement::Callable;

use super::alike::{Alike, Lines};
use super::fresh::Fresh;
use crate::rules::compared::Compared;

/// Place of a unit of code: file, function, first line.
pub(super) type Place<'a> = (&'a str, Option<&'a str>, u32);

/// Counts clone lines of ledger entries.
pub(super) struct Own<'a> {
    /// Clone lines that code had before it moved here from the other part of the code base. A ledger has separate
    /// entries for both parts, as if the code were new in one and removed from the other.
    from_other_part: BTreeMap<Place<'a>, i64>,
    before: Repeats<'a>,
    after: Repeats<'a>,
    alike: Alike<'a>,
    fresh: Fresh<'a>,
}

impl<'a> Own<'a> {
    pub(super) fn of(compared: &Compared<'a>) -> Self {
        let step = &compared.impact.step;
        let files = || step.files.iter();
        let before = files().filter_map(|file| file.before.as_ref());
        let after = || files().filter_map(|file| file.after.as_ref());
        Self {
            from_other_part: from_other_part(compared),
            before: Repeats::of(&step.removed, before),
            after: Repeats::of(&step.added, after()),
            alike: Alike::of(&step.added, after()),
            fresh: Fresh::of(compared),
        }
    }

    /// Clone lines of an entry's own places before and after. If code is repeated only within one place, its first copy
    /// does not count.
    pub(super) fn own(&self, entry: &LedgerEntry) -> (i64, i64) {
        let sum = |places: &[LedgerPlace], repeats: &Repeats<'_>| -> i64 {
            let lines = |place: &LedgerPlace| place.amounts.clone_lines - repeats.first_ones(place);
            places.iter().map(lines).sum()
        };
        let from_other_part = entry.to.iter().filter(|_| entry.from.is_empty());
        let from_other_part =
            from_other_part.filter_map(|place| self.from_other_part.get(&place_in_ledger(place)));
        let before = sum(&entry.from, &self.before) + from_other_part.sum::<i64>();
        (before, sum(&entry.to, &self.after))
    }

    /// Clone lines that changed code gained.
    pub(super) fn gained(&self, entry: &LedgerEntry) -> i64 {
        let (before, after) = self.own(entry);
        match entry.kind {
            EntryKind::Affected | EntryKind::Removed | EntryKind::Layout => 0,
            _ => after - before,
        }
    }

    /// Gained lines with the same calls as other code, and gained lines with at least its form.
    pub(super) fn gained_alike(&self, entry: &LedgerEntry) -> (i64, i64) {
        let fresh = entry.to.iter().map(|at| self.fresh.lines(at)).sum();
        let gained = self.gained(entry).min(fresh);
        let Lines { same, form } = entry.to.iter().map(|at| self.alike.lines(at)).sum();
        (gained.min(same), gained.min(same + form))
    }
}

fn from_other_part<'a>(compared: &Compared<'a>) -> BTreeMap<Place<'a>, i64> {
    let entries = compared.impact.change.accounts.entries.iter();
    let gone = entries.filter(|booked| booked.entry.to.is_empty());
    let gone = gone.flat_map(|booked| &booked.entry.from);
    let gone: BTreeMap<Place<'_>, i64> = gone
        .map(|place| (place_in_ledger(place), place.amounts.clone_lines))
        .collect();
    let mut from_other_part = BTreeMap::new();
    for followed in &compared.impact.followed {
        let from = followed.from.iter().filter_map(|&at| compared.before(at));
        let from = from.filter_map(|(view, callable)| gone.get(&place_in(view, callable)));
        let lines: i64 = from.sum();
        let mut places = followed.to.iter().filter_map(|&at| compared.after(at));
        if let Some((view, callable)) = places.next().filter(|_| lines > 0) {
            from_other_part.insert(place_in(view, callable), lines);
        }
    }
    from_other_part
}

pub(super) fn place_in_ledger(place: &LedgerPlace) -> Place<'_> {
    (&place.path, place.function.as_deref(), place.start_line)
}

pub(super) fn place_in<'a>(view: &'a FileView, callable: Option<&'a Callable>) -> Place<'a> {
    let line = callable.map_or(1, |callable| callable.span.start_line);
    (view.path(), callable.map(|callable| &*callable.name), line)
}

/// Clone lines, by unit, of the first place of code that is repeated only within that unit.
struct Repeats<'a> {
    first_ones: BTreeMap<Place<'a>, i64>,
}

impl<'a> Repeats<'a> {
    /// Added or removed clone classes whose places are all in one unit.
    fn of(classes: &'a [Vec<ClonePlace>], views: impl Iterator<Item = &'a FileView>) -> Self {
        let mut by_path: BTreeMap<&str, Vec<&[ClonePlace]>> = BTreeMap::new();
        for class in classes {
            let paths: BTreeSet<&str> = class.iter().map(|place| &*place.path).collect();
            for path in paths {
                by_path.entry(path).or_default().push(class);
            }
        }
        let mut first_ones = BTreeMap::new();
        for view in views {
            if let Some(classes) = by_path.get(view.path()) {
                count_first_ones(view, classes, &mut first_ones);
            }
        }
        Self { first_ones }
    }

    /// Clone lines of a unit that are the first place of code repeated only in that unit.
    fn first_ones(&self, unit: &LedgerPlace) -> i64 {
        let lines = self.first_ones.get(&place_in_ledger(unit));
        let lines = lines.copied().unwrap_or(0);
        lines.min(unit.amounts.clone_lines / 2)
    }
}

/// Counts rows of a file that are in the first place of such a class, and in no other place.
fn count_first_ones<'a>(
    view: &'a FileView,
    classes: &[&[ClonePlace]],
    counts: &mut BTreeMap<Place<'a>, i64>,
) {
    let units = Units::of(view);
    let is_here = |place: &&ClonePlace| &*place.path == view.path();
    let (mut first, mut others) = (BTreeSet::new(), BTreeSet::new());
    for class in classes {
        let mut around: Vec<Option<usize>> = class
            .iter()
            .filter(is_here)
            .map(|p| units.around(p))
            .collect();
        around.dedup();
        let is_own = around.len() == 1 && class.iter().all(|place| is_here(&place));
        let here = class.iter().filter(is_here);
        let first_row = here.clone().map(|place| place.first_row).min();
        for place in here {
            let rows = place.first_row..=place.last_row;
            if is_own && Some(place.first_row) == first_row {
                first.extend(rows);
            } else {
                others.extend(rows);
            }
        }
    }
    for &row in first.difference(&others) {
        if view.cloned().contains(row) && view.source().contains(row) {
            let callable = units.at(row).and_then(|index| view.callables().get(index));
            *counts.entry(place_in(view, callable)).or_default() += 1;
        }
    }
}

/// Innermost callable of each row of a file.
pub(super) struct Units<'a> {
    callables: &'a [Callable],
    /// Number of the callable for each row, from 1; 0 outside of callables.
    rows: Vec<usize>,
    /// Enclosing callable of each callable.
    parents: Vec<Option<usize>>,
}

impl<'a> Units<'a> {
    pub(super) fn of(view: &'a FileView) -> Self {
        let callables = view.callables();
        let mut rows = Vec::new();
        let mut parents = Vec::with_capacity(callables.len());
        // Outer callables come first.
        for (index, callable) in callables.iter().enumerate() {
            let last = callable.span.end_line as usize;
            let first = (callable.span.start_line as usize)
                .saturating_sub(1)
                .min(last);
            if rows.len() < last {
                rows.resize(last, 0);
            }
            parents.push(
                rows.get(first)
                    .and_then(|&around: &usize| around.checked_sub(1)),
            );
            rows[first..last].fill(index + 1);
        }
        Self {
            callables,
            rows,
            parents,
        }
    }

    pub(super) fn at(&self, row: u32) -> Option<usize> {
        self.rows.get(row as usize)?.checked_sub(1)
    }

    /// The innermost callable that contains a whole place.
    fn around(&self, place: &ClonePlace) -> Option<usize> {
        let parent = |&index: &usize| self.parents[index];
        let mut around = std::iter::successors(self.at(place.first_row), parent);
        around.find(|&index| place.last_row < self.callables[index].span.end_line)
    }
}
