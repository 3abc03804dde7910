//! The clone lines that code itself has, before a change and after it.

use std::collections::{BTreeMap, BTreeSet};

use slope_measure::{ClonePlace, FileView};
use slope_model::ledger::{EntryKind, LedgerEntry, LedgerPlace};
use slope_model::measurement::Callable;

use crate::rules::Compared;

/// Where a unit of code stands: its file, its function, its first line.
type Place<'a> = (&'a str, Option<&'a str>, u32);

/// Tells how many clone lines entries of the ledger have.
pub(super) struct Own<'a> {
    /// Clone lines that code had in the other part of the code base before it was moved to this one. A
    /// ledger books each part by itself, as if it were new in one and gone from the other.
    brought: BTreeMap<Place<'a>, i64>,
    before: Repeats<'a>,
    after: Repeats<'a>,
}

impl<'a> Own<'a> {
    pub(super) fn of(compared: &Compared<'a>) -> Self {
        let step = &compared.full.step;
        let files = || step.files.iter();
        let before = files().filter_map(|file| file.before.as_ref());
        let after = files().filter_map(|file| file.after.as_ref());
        Self {
            brought: brought(compared),
            before: Repeats::of(&step.removed, before),
            after: Repeats::of(&step.added, after),
        }
    }

    /// Clone lines of an entry's own places before and after. Of what is repeated in one place only,
    /// the first one is no clone of anything else.
    pub(super) fn own(&self, entry: &LedgerEntry) -> (i64, i64) {
        let sum = |places: &[LedgerPlace], repeats: &Repeats<'_>| -> i64 {
            let lines = |place: &LedgerPlace| place.amounts.clone_lines - repeats.first_ones(place);
            places.iter().map(lines).sum()
        };
        let brought = entry.to.iter().filter(|_| entry.from.is_empty());
        let brought = brought.filter_map(|place| self.brought.get(&place_in_ledger(place)));
        let before = sum(&entry.from, &self.before) + brought.sum::<i64>();
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
}

fn brought<'a>(compared: &Compared<'a>) -> BTreeMap<Place<'a>, i64> {
    let entries = compared.full.change.accounts.entries.iter();
    let gone = entries.filter(|booked| booked.entry.to.is_empty());
    let gone = gone.flat_map(|booked| &booked.entry.from);
    let gone: BTreeMap<Place<'_>, i64> = gone
        .map(|place| (place_in_ledger(place), place.amounts.clone_lines))
        .collect();
    let mut brought = BTreeMap::new();
    for followed in &compared.full.followed {
        let from = followed.from.iter().filter_map(|&at| compared.before(at));
        let from = from.filter_map(|(view, callable)| gone.get(&place_in(view, callable)));
        let lines: i64 = from.sum();
        let mut places = followed.to.iter().filter_map(|&at| compared.after(at));
        if let Some((view, callable)) = places.next().filter(|_| lines > 0) {
            brought.insert(place_in(view, callable), lines);
        }
    }
    brought
}

fn place_in_ledger(place: &LedgerPlace) -> Place<'_> {
    (&place.path, place.function.as_deref(), place.start_line)
}

fn place_in<'a>(view: &'a FileView, callable: Option<&'a Callable>) -> Place<'a> {
    let line = callable.map_or(1, |callable| callable.span.start_line);
    (view.path(), callable.map(|callable| &*callable.name), line)
}

/// Classes of clones that came or went, by the files of their places.
struct Repeats<'a> {
    views: BTreeMap<&'a str, &'a FileView>,
    classes: BTreeMap<&'a str, Vec<&'a [ClonePlace]>>,
}

impl<'a> Repeats<'a> {
    fn of(classes: &'a [Vec<ClonePlace>], views: impl Iterator<Item = &'a FileView>) -> Self {
        let mut by_path: BTreeMap<&str, Vec<&[ClonePlace]>> = BTreeMap::new();
        for class in classes {
            let paths: BTreeSet<&str> = class.iter().map(|place| &*place.path).collect();
            for path in paths {
                by_path.entry(path).or_default().push(class);
            }
        }
        Self {
            views: views.map(|view| (view.path(), view)).collect(),
            classes: by_path,
        }
    }

    /// Clone lines of a unit that are the first ones of what stands in that unit only.
    fn first_ones(&self, unit: &LedgerPlace) -> i64 {
        let path = unit.path.as_str();
        let (Some(view), Some(classes)) = (self.views.get(path), self.classes.get(path)) else {
            return 0;
        };
        let is_inside = |place: &ClonePlace| &*place.path == path && is_in(unit, view, place);
        let mut first: BTreeSet<u32> = BTreeSet::new();
        let mut others: BTreeSet<u32> = BTreeSet::new();
        for class in classes {
            let is_own = class.iter().all(is_inside);
            let here = class.iter().filter(|place| &*place.path == path);
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
        let rows = first.difference(&others);
        let rows = rows.filter(|&&row| view.cloned().contains(row) && view.source().contains(row));
        let lines = i64::try_from(rows.count()).unwrap_or(i64::MAX);
        lines.min(unit.amounts.clone_lines / 2)
    }
}

/// Whether a place of a clone lies in a unit of code as a whole.
fn is_in(unit: &LedgerPlace, view: &FileView, place: &ClonePlace) -> bool {
    let (first, last) = (place.first_row + 1, place.last_row + 1);
    if unit.function.is_some() {
        return unit.start_line <= first && last <= unit.end_line;
    }
    let callables = view.callables().iter();
    let mut spans = callables.map(|callable| &callable.span);
    !spans.any(|span| span.start_line <= last && first <= span.end_line)
}
