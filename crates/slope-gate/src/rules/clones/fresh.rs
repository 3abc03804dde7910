//! Clone lines of new statements.

use std::collections::{BTreeMap, HashMap, HashSet};

use similar::{Algorithm, DiffOp, capture_diff_slices};
use slope_change::ledger::{Followed, UnitAt};
use slope_measure::FileView;
use slope_model::ledger::LedgerPlace;

use super::own::{Place, Units, place_in, place_in_ledger};
use crate::rules::compared::Compared;

/// Clone lines by unit, without statements that existed before the change.
///
/// A statement existed if the unit had it in the same order, or if another unit lost it together with adjacent
/// statements. Moved and indented code is not new, and neither is code that a deletion makes equal to other code.
pub(super) struct Fresh<'a> {
    lines: BTreeMap<Place<'a>, i64>,
}

/// Length of a run of statements that proves a move.
const RUN: usize = 3;

/// Minimum number of adjacent statements that count as kept. Copies share single statements by chance.
const MIN_TOGETHER: usize = 2;

/// Maximum number of statements of a unit that are compared in order. In a longer unit, all of them
/// count as new.
const MAX_STATEMENTS: usize = 4_000;

/// The first row of a statement, and a hash of its text.
type Statement = (u32, u32);

/// Number of occurrences of runs of statements in code that units lost.
type Lost = HashMap<[u32; RUN], usize>;

/// Statements of a file, by unit.
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

    /// Counts the clone lines of each unit outside of old statements. `old` has the first rows of those.
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

/// Statements of the files on one side of a change, by file index.
struct Side<'a>(Vec<Option<File<'a>>>);

impl<'a> Side<'a> {
    fn of(views: impl Iterator<Item = Option<&'a FileView>>) -> Self {
        Self(views.map(|view| view.map(File::of)).collect())
    }

    fn statements(&self, at: UnitAt) -> &[Statement] {
        let file = self.0.get(at.file).and_then(Option::as_ref);
        file.map_or(&[], |file| file.statements(at.callable))
    }
}

/// Statements sorted by position, and whether each has a partner on the other side.
struct Matched {
    statements: Vec<Statement>,
    has_partner: Vec<bool>,
}

impl Matched {
    fn none(statements: Vec<Statement>) -> Self {
        let has_partner = vec![false; statements.len()];
        Self {
            statements,
            has_partner,
        }
    }

    /// The statements without a partner.
    fn open(&self) -> impl Iterator<Item = (usize, Statement)> {
        let all = self.statements.iter().enumerate();
        all.filter(|(at, _)| !self.has_partner[*at])
            .map(|(at, statement)| (at, *statement))
    }

    /// Pairs statements that both sides have in the same order.
    fn pair(&mut self, other: &mut Self) {
        let own: Vec<(usize, Statement)> = self.open().collect();
        let others: Vec<(usize, Statement)> = other.open().collect();
        if own.len().max(others.len()) > MAX_STATEMENTS {
            return;
        }
        let hashes = |all: &[(usize, Statement)]| all.iter().map(|(_, (_, hash))| *hash).collect();
        let (old, new): (Vec<u32>, Vec<u32>) = (hashes(&own), hashes(&others));
        if old == new {
            own.iter().for_each(|(at, _)| self.has_partner[*at] = true);
            others
                .iter()
                .for_each(|(at, _)| other.has_partner[*at] = true);
            return;
        }
        for operation in capture_diff_slices(Algorithm::Patience, &old, &new) {
            if let DiffOp::Equal {
                old_index,
                new_index,
                len,
            } = operation
                && len >= MIN_TOGETHER.min(old.len())
            {
                for at in 0..len {
                    self.has_partner[own[old_index + at].0] = true;
                    other.has_partner[others[new_index + at].0] = true;
                }
            }
        }
    }

    /// Starts of runs without a partner, with their hashes.
    fn runs(&self) -> impl Iterator<Item = (usize, [u32; RUN])> {
        let all = self.statements.windows(RUN).enumerate();
        all.filter_map(|(at, run)| {
            let is_open = !self.has_partner[at..at + RUN].contains(&true);
            let hashes = [run[0].1, run[1].1, run[2].1];
            is_open.then_some((at, hashes))
        })
    }
}

/// The units of a change whose statements are compared.
struct Compare<'a, 'b> {
    before: &'b Side<'a>,
    after: &'b Side<'a>,
    /// The statements of units after the change.
    units: Vec<(UnitAt, Matched)>,
    lost: Lost,
}

impl Compare<'_, '_> {
    /// Pairs statements that a unit kept, and saves the ones that it lost.
    fn own(&mut self, followed: &Followed) {
        let from = followed.from.iter();
        let had = from.flat_map(|&at| self.before.statements(at).iter().copied());
        let mut had = Matched::none(had.collect());
        for &at in &followed.to {
            let mut unit = Matched::none(self.after.statements(at).to_vec());
            had.pair(&mut unit);
            self.units.push((at, unit));
        }
        for (_, run) in had.runs() {
            *self.lost.entry(run).or_default() += 1;
        }
    }

    /// Pairs runs that other units lost.
    fn moved(&mut self) {
        for (_, unit) in &mut self.units {
            let runs: Vec<(usize, [u32; RUN])> = unit.runs().collect();
            for (at, run) in runs {
                if let Some(left) = self.lost.get_mut(&run).filter(|left| **left > 0) {
                    *left -= 1;
                    unit.has_partner[at..at + RUN].fill(true);
                }
            }
        }
    }
}

impl<'a> Fresh<'a> {
    pub(super) fn of(compared: &Compared<'a>) -> Self {
        let files = &compared.impact.step.files;
        let has_clones = |view: &FileView| view.cloned().count_common(view.source()) > 0;
        if !files
            .iter()
            .any(|file| file.after.as_ref().is_some_and(has_clones))
        {
            return Self {
                lines: BTreeMap::new(),
            };
        }
        let before = Side::of(files.iter().map(|file| file.before.as_ref()));
        let after = Side::of(files.iter().map(|file| file.after.as_ref()));
        let mut compare = Compare {
            before: &before,
            after: &after,
            units: Vec::new(),
            lost: Lost::new(),
        };
        for followed in &compared.impact.followed {
            compare.own(followed);
        }
        compare.moved();
        let mut old: Vec<HashSet<u32>> = vec![HashSet::new(); files.len()];
        for (at, unit) in &compare.units {
            let paired = unit.statements.iter().zip(&unit.has_partner);
            let rows = paired.filter(|(_, has)| **has).map(|((row, _), _)| *row);
            old[at.file].extend(rows);
        }
        let mut lines = BTreeMap::new();
        for (file, old) in after.0.iter().zip(&old) {
            if let Some(file) = file {
                file.count(old, &mut lines);
            }
        }
        Self { lines }
    }

    /// New clone lines of a unit.
    pub(super) fn lines(&self, unit: &LedgerPlace) -> i64 {
        let lines = self.lines.get(&place_in_ledger(unit));
        lines.copied().unwrap_or(unit.amounts.clone_lines)
    }
}
