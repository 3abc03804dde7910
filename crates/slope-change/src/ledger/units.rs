//! Splits files into units of a ledger: callables, and the rest of each file.

use slope_measure::{FileStep, FileView, Step, Tracker};
use slope_model::ledger::LedgerPlace;
use slope_model::measurement::Part;

use super::UnitAt;
use crate::amounts::{ExactAmounts, exact_mass};

/// A callable, or code of a file outside of callables: one unit for production code, and one for
/// tests in production code.
pub(crate) struct Unit<'s> {
    /// Index of its file in the step.
    pub(crate) file: usize,
    pub(crate) view: &'s FileView,
    /// Index of the callable; `None` for the rest of the file.
    pub(crate) callable: Option<usize>,
    /// Whether it is the rest of the tests in production code.
    is_test_rest: bool,
    /// First row, from 0.
    pub(crate) first_row: u32,
    /// Last row.
    pub(crate) last_row: u32,
    /// Hash of the form, without name and layout.
    pub(crate) form: u64,
    pub(crate) amounts: ExactAmounts,
}

/// The files before or after a step.
pub(crate) struct Side<'s> {
    pub(crate) units: Vec<Unit<'s>>,
    /// For each file, the index of its first unit (the rest of the file), and the unit of each row
    /// relative to it.
    files: Vec<Option<(usize, Vec<u32>)>>,
}

impl<'s> Side<'s> {
    pub(crate) fn new(
        files: &'s [FileStep],
        view: impl Fn(&'s FileStep) -> Option<&'s FileView>,
    ) -> Self {
        let mut side = Self {
            units: Vec::new(),
            files: Vec::with_capacity(files.len()),
        };
        for (file, step) in files.iter().enumerate() {
            let entry = view(step).map(|view| {
                let first = side.units.len();
                let rows = add_units(file, view, &mut side.units);
                (first, rows)
            });
            side.files.push(entry);
        }
        side
    }

    /// The unit of a row.
    pub(crate) fn unit_at(&self, file: usize, row: u32) -> Option<usize> {
        let (first, rows) = self.files.get(file)?.as_ref()?;
        let unit = rows.get(row as usize).copied().unwrap_or(0);
        Some(first + unit as usize)
    }
}

/// Adds the units of a file. Returns the unit of each row: the innermost callable, or the rest.
fn add_units<'s>(file: usize, view: &'s FileView, units: &mut Vec<Unit<'s>>) -> Vec<u32> {
    let first = units.len();
    let rest = |is_test_rest| Unit {
        file,
        view,
        callable: None,
        is_test_rest,
        first_row: 0,
        last_row: 0,
        form: view.form_of_rest(),
        amounts: ExactAmounts::default(),
    };
    units.push(rest(false));
    let mut rows: Vec<u32> = Vec::new();
    if view.has_inline_tests() {
        units.push(rest(true));
        let last_row = view.source().rows().last().unwrap_or(0);
        let of_tests = |row| u32::from(view.part_at(row) == Part::Tests);
        rows.extend((0..=last_row).map(of_tests));
    }
    let rests = units.len() - first;
    for (index, (callable, form)) in view.callables().iter().zip(view.forms()).enumerate() {
        let first_row = callable.span.start_line.saturating_sub(1);
        let last_row = callable.span.end_line.saturating_sub(1);
        if rows.len() <= last_row as usize {
            rows.resize(last_row as usize + 1, 0);
        }
        // Outer callables come first, so inner ones overwrite them.
        rows[first_row as usize..=last_row as usize].fill(narrow(index + rests));
        units.push(Unit {
            file,
            view,
            callable: Some(index),
            is_test_rest: false,
            first_row,
            last_row,
            form: *form,
            amounts: ExactAmounts {
                mass: exact_mass(callable.mass),
                ..ExactAmounts::default()
            },
        });
    }
    let unit_of = |row: u32| rows.get(row as usize).map_or(0, |&unit| unit as usize);
    for row in view.source().rows() {
        let amounts = &mut units[first + unit_of(row)].amounts;
        let (cloned, flagged) = (view.cloned().contains(row), view.flagged().contains(row));
        amounts.sloc += 1;
        amounts.clone_lines += i64::from(cloned);
        amounts.flagged_lines += i64::from(flagged);
        amounts.verbose_lines += i64::from(cloned || flagged);
    }
    for dead in view.dead_code() {
        units[first + unit_of(dead.row)].amounts.dead_code += 1;
    }
    rows
}

fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl Unit<'_> {
    pub(crate) fn part(&self) -> Part {
        match self.callable {
            Some(_) => self.view.part_at(self.first_row),
            None if self.is_test_rest => Part::Tests,
            None => self.view.part(),
        }
    }

    /// Whether it is the rest of a file, which represents the file.
    pub(crate) fn is_file(&self) -> bool {
        self.callable.is_none() && !self.is_test_rest
    }

    /// Key that is unique within the file.
    pub(crate) fn place_in_file(&self) -> (Option<usize>, bool) {
        (self.callable, self.is_test_rest)
    }

    pub(crate) fn at(&self) -> UnitAt {
        UnitAt {
            file: self.file,
            callable: self.callable,
        }
    }

    /// Dotted name of the callable.
    pub(crate) fn name(&self) -> Option<&str> {
        let callable = self.view.callables().get(self.callable?)?;
        Some(&callable.name)
    }

    /// Name without the number of an anonymous callable, which changes when one is inserted above.
    pub(crate) fn shared_name(&self) -> Option<&str> {
        let name = self.name()?;
        match name.rsplit_once('#') {
            Some((shared, number)) if number.bytes().all(|b| b.is_ascii_digit()) => Some(shared),
            _ => Some(name),
        }
    }

    /// Last part of the name.
    pub(crate) fn own_name(&self) -> Option<&str> {
        self.shared_name()
            .map(|name| name.rsplit('.').next().unwrap_or(name))
    }

    /// Line of the name, from 1.
    pub(crate) fn line(&self) -> u32 {
        self.first_row + 1
    }

    /// Hashes of the statements, sorted.
    pub(crate) fn statements(&self) -> Vec<u32> {
        let all = self.view.statements();
        let first = all.partition_point(|&(row, _)| row < self.first_row);
        let inside = all[first..]
            .iter()
            .take_while(|&&(row, _)| row <= self.last_row);
        let mut hashes: Vec<u32> = inside.map(|(_, hash)| *hash).collect();
        hashes.sort_unstable();
        hashes
    }

    /// Complexity and rows.
    pub(crate) fn size(&self) -> (u32, u32) {
        let callable = self
            .callable
            .and_then(|index| self.view.callables().get(index));
        let complexity = callable.map_or(0, |callable| callable.complexity);
        (complexity, self.last_row - self.first_row)
    }

    /// Cyclomatic and cognitive complexity of a callable with branches.
    pub(crate) fn shape(&self) -> Option<(u32, u32)> {
        let callable = self.view.callables().get(self.callable?)?;
        (callable.complexity > 1).then_some((callable.complexity, callable.cognitive))
    }

    /// Differences of two units in complexity and in rows.
    pub(crate) fn size_apart(&self, other: &Unit<'_>) -> (u32, u32) {
        let (one, two) = (self.size(), other.size());
        (one.0.abs_diff(two.0), one.1.abs_diff(two.1))
    }

    pub(crate) fn place(&self) -> LedgerPlace {
        let callable = self
            .callable
            .and_then(|index| self.view.callables().get(index));
        LedgerPlace {
            path: self.view.path().to_owned(),
            function: callable.map(|c| c.name.clone()),
            start_line: callable.map_or(1, |c| c.span.start_line),
            end_line: callable.map_or(0, |c| c.span.end_line),
            complexity: callable.map(|c| c.complexity),
            amounts: self.amounts.rounded(),
        }
    }
}

/// Amounts of all files, without rounding.
#[must_use]
pub fn whole(tracker: &Tracker<'_>) -> ExactAmounts {
    let views = tracker.paths().filter_map(|path| tracker.view(path));
    views.map(|view| of_file(&view)).sum()
}

/// Amounts of the files of a step, before and after.
#[must_use]
pub fn whole_of_step(step: &Step) -> (ExactAmounts, ExactAmounts) {
    let sum = |view: fn(&FileStep) -> Option<&FileView>| {
        let views = step.files.iter().filter_map(view);
        views.map(of_file).sum()
    };
    (
        sum(|file| file.before.as_ref()),
        sum(|file| file.after.as_ref()),
    )
}

/// Amounts of one file.
pub(crate) fn of_file(view: &FileView) -> ExactAmounts {
    let source = view.source();
    let count = |n: u32| i64::from(n);
    let mut verbose = view.flagged().clone();
    verbose.union_with(view.cloned());
    ExactAmounts {
        mass: view.callables().iter().map(|c| exact_mass(c.mass)).sum(),
        clone_lines: count(view.cloned().count_common(source)),
        flagged_lines: count(view.flagged().count_common(source)),
        verbose_lines: count(verbose.count_common(source)),
        dead_code: i64::try_from(view.dead_code().len()).unwrap_or(i64::MAX),
        sloc: count(source.count()),
    }
}
