//! Similarity of clones: the same code, or only the same form.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use slope_measure::{ClonePlace, FileView, MIN_COPY_LINES};
use slope_model::ledger::{LedgerPlace, Likeness};
use slope_model::measurement::Callable;

use super::own::{Place, Units, place_in, place_in_ledger};

/// Clone lines of a unit of code, by similarity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// Lines with the same calls as other code.
    pub(super) same: i64,
    /// Lines with the form of other code, but different calls.
    pub(super) form: i64,
}

impl std::iter::Sum for Lines {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            same: sum.same + one.same,
            form: sum.form + one.form,
        })
    }
}

/// Clone lines of the units of changed files, by similarity.
pub(super) struct Alike<'a> {
    lines: BTreeMap<Place<'a>, Lines>,
}

/// Rows of a file, each with its longest clone, which decides the similarity of the row. A clone with the same calls
/// that is long enough to be a copy on its own comes first.
type Rows = BTreeMap<u32, (bool, u32, Reverse<Likeness>)>;

impl<'a> Alike<'a> {
    /// Counts the lines of new clone classes.
    pub(super) fn of(
        classes: &'a [Vec<ClonePlace>],
        views: impl Iterator<Item = &'a FileView>,
    ) -> Self {
        let mut files: BTreeMap<&str, Rows> = BTreeMap::new();
        for class in classes {
            let others = Others::of(class);
            for place in class {
                let likeness = others.likeness(place);
                let is_copy = likeness.is_same() && place.lines >= MIN_COPY_LINES;
                let this = (is_copy, place.lines, Reverse(likeness));
                let rows = files.entry(&place.path).or_default();
                for row in place.first_row..=place.last_row {
                    let longest = rows.entry(row).or_insert(this);
                    *longest = this.max(*longest);
                }
            }
        }
        let mut lines = BTreeMap::new();
        for view in views {
            if let Some(rows) = files.get(view.path()) {
                count(view, rows, &mut lines);
            }
        }
        Self { lines }
    }

    /// The lines of a unit.
    pub(super) fn lines(&self, unit: &LedgerPlace) -> Lines {
        let lines = self.lines.get(&place_in_ledger(unit));
        lines.copied().unwrap_or_default()
    }
}

/// Counts the rows of a file's units.
fn count<'a>(view: &'a FileView, rows: &Rows, lines: &mut BTreeMap<Place<'a>, Lines>) {
    let units = Units::of(view);
    for (&row, &(_, _, Reverse(likeness))) in rows {
        if view.cloned().contains(row) && view.source().contains(row) {
            let callable = units.at(row).and_then(|index| view.callables().get(index));
            let is_table = callable.is_some_and(is_table);
            let lines = lines.entry(place_in(view, callable)).or_default();
            match likeness {
                Likeness::Same => lines.same += 1,
                // A table with different values is not a copy.
                Likeness::Table => {}
                _ if is_table => {}
                Likeness::Literals => lines.same += 1,
                Likeness::Form => lines.form += 1,
            }
        }
    }
}

/// Minimum rows of a function that is a table.
const MIN_ROWS: u32 = 3;

/// Maximum lines of a function that is a table, per row and around the rows.
const LINES_OF_ROW: u32 = 2;
const LINES_AROUND: u32 = 8;

/// Whether a function consists of little more than the rows of a table, for example a `match` over
/// all variants.
fn is_table(callable: &Callable) -> bool {
    let rows = callable.tables.rows;
    rows >= MIN_ROWS
        && callable.judged_complexity() == 1
        && callable.sloc <= rows * LINES_OF_ROW + LINES_AROUND
}

/// Number of places of a class with the same text, and with the same calls.
struct Others {
    same: HashMap<(u32, u32), usize>,
    calls: HashMap<u32, usize>,
}

impl Others {
    fn of(class: &[ClonePlace]) -> Self {
        let (mut same, mut calls) = (HashMap::new(), HashMap::new());
        for place in class {
            let wording = &place.wording;
            *same.entry((wording.names, wording.texts)).or_default() += 1;
            *calls.entry(wording.names).or_default() += 1;
        }
        Self { same, calls }
    }

    /// Similarity of a place to the most similar other place.
    fn likeness(&self, place: &ClonePlace) -> Likeness {
        let wording = &place.wording;
        let have_same = self.same.get(&(wording.names, wording.texts)) > Some(&1);
        let call_same = self.calls.get(&wording.names) > Some(&1);
        match (have_same, call_same) {
            (true, _) => Likeness::Same,
            _ if place.is_table => Likeness::Table,
            (_, true) => Likeness::Literals,
            _ => Likeness::Form,
        }
    }
}
