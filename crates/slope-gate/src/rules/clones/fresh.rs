//! Which clone lines are of statements that a change brought, and which were there before it.

use std::collections::{BTreeMap, HashMap, HashSet};

use slope_history::ledger::{Followed, UnitAt};
use slope_measure::FileView;
use slope_model::ledger::LedgerPlace;

use super::own::{Place, Units, place_in, place_in_ledger};
use crate::rules::Compared;

/// Clone lines by unit, without the lines of statements that were there before the change.
///
/// A statement was there if the unit had it, or if another unit lost it and few had it. So code is not new because it was moved or
/// indented, or because a change made other code equal to it.
pub(super) struct Fresh<'a> {
    lines: BTreeMap<Place<'a>, i64>,
}

/// A statement that more places had, such as `return err`, is no sign that code was moved.
const MOST_PLACES: usize = 2;

/// The first row of a statement, and a hash of its text.
type Statement = (u32, u32);

/// For each hash, how many statements have no partner.
type Pool = HashMap<u32, usize>;

/// The statements of a file by the unit that they are in.
struct File<'a> {
    view: &'a FileView,
    units: Units<'a>,
    statements: HashMap<Option<usize>, Vec<Statement>>,
}

impl<'a> File<'a> {
    fn of(view: &'a FileView) -> Self {
        let units = Units::of(view);
        let mut statements: HashMap<_, Vec<Statement>> = HashMap::new();
        for &(row, hash) in view.statements() {
            let unit = statements.entry(units.at(row)).or_default();
            unit.push((row, hash));
        }
        Self {
            view,
            units,
            statements,
        }
    }

    fn statements(&self, callable: Option<usize>) -> &[Statement] {
        self.statements.get(&callable).map_or(&[], Vec::as_slice)
    }

    /// Counts the clone lines of each unit that are in no old statement. `old` holds the first rows of those.
    fn count(&self, old: &HashSet<u32>, lines: &mut BTreeMap<Place<'a>, i64>) {
        let cloned = self.view.cloned().rows();
        for row in cloned.filter(|&row| self.view.source().contains(row)) {
            let unit = self.units.at(row);
            let statements = self.statements(unit);
            let after = statements.partition_point(|&(first, _)| first <= row);
            let around = after.checked_sub(1).map(|index| statements[index].0);
            let is_fresh = around.is_none_or(|first| !old.contains(&first));
            let callable = unit.and_then(|index| self.view.callables().get(index));
            *lines.entry(place_in(self.view, callable)).or_default() += i64::from(is_fresh);
        }
    }
}

/// The statements of the files on one side of a change, by the index of the file.
struct Side<'a>(Vec<Option<File<'a>>>);

impl<'a> Side<'a> {
    fn of(views: impl Iterator<Item = Option<&'a FileView>>) -> Self {
        Self(views.map(|view| view.map(File::of)).collect())
    }

    fn statements(&self, at: UnitAt) -> &[Statement] {
        let file = self.0.get(at.file).and_then(Option::as_ref);
        file.map_or(&[], |file| file.statements(at.callable))
    }

    fn pool(&self, units: &[UnitAt]) -> Pool {
        pool_of(units.iter().flat_map(|&at| self.statements(at)))
    }

    /// The statements of all files.
    fn all(&self) -> Pool {
        let units = self.0.iter().flatten();
        pool_of(units.flat_map(|file| file.statements.values().flatten()))
    }
}

fn pool_of<'s>(statements: impl Iterator<Item = &'s Statement>) -> Pool {
    let mut pool = Pool::new();
    for (_, hash) in statements {
        *pool.entry(*hash).or_default() += 1;
    }
    pool
}

/// A statement that its unit did not have: the index of its file, its first row, its hash.
type Open = (usize, u32, u32);

/// The first rows of statements that were there, by file.
struct Old(Vec<HashSet<u32>>);

impl Old {
    /// Gives each unit what it had before.
    fn take_own(
        &mut self,
        followed: &Followed,
        before: &Side<'_>,
        after: &Side<'_>,
    ) -> (Pool, Vec<Open>) {
        let mut had = before.pool(&followed.from);
        let mut open = Vec::new();
        for &at in &followed.to {
            for &(row, hash) in after.statements(at) {
                if take(&mut had, hash) {
                    self.0[at.file].insert(row);
                } else {
                    open.push((at.file, row, hash));
                }
            }
        }
        (had, open)
    }

    /// Gives units what others lost.
    fn take_moved(&mut self, lost: &mut Pool, open: Vec<Open>) {
        for (file, row, hash) in open {
            if take(lost, hash) {
                self.0[file].insert(row);
            }
        }
    }
}

impl<'a> Fresh<'a> {
    pub(super) fn of(compared: &Compared<'a>) -> Self {
        let files = &compared.full.step.files;
        let before = Side::of(files.iter().map(|file| file.before.as_ref()));
        let after = Side::of(files.iter().map(|file| file.after.as_ref()));
        let mut old = Old(vec![HashSet::new(); files.len()]);
        let (mut lost, mut open) = (Pool::new(), Vec::new());
        for followed in &compared.full.followed {
            let (had, new) = old.take_own(followed, &before, &after);
            open.extend(new);
            for (hash, left) in had {
                *lost.entry(hash).or_default() += left;
            }
        }
        let places = before.all();
        let is_telling = |hash: &u32| places.get(hash).is_none_or(|&n| n <= MOST_PLACES);
        lost.retain(|hash, _| is_telling(hash));
        old.take_moved(&mut lost, open);
        let mut lines = BTreeMap::new();
        for (file, old) in after.0.iter().zip(&old.0) {
            if let Some(file) = file {
                file.count(old, &mut lines);
            }
        }
        Self { lines }
    }

    /// The clone lines of a unit that are new.
    pub(super) fn lines(&self, unit: &LedgerPlace) -> i64 {
        let lines = self.lines.get(&place_in_ledger(unit));
        lines.copied().unwrap_or(unit.amounts.clone_lines)
    }
}

/// Takes a statement out of a pool, if it is there.
fn take(pool: &mut Pool, hash: u32) -> bool {
    match pool.get_mut(&hash) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    }
}
