//! Lines of files before and after an edit.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use foldhash::fast::RandomState;

use slope_change::ledger::UnitAt;
use slope_measure::FileView;
use slope_model::measurement::Callable;

use crate::edit::{Edit, Text};

/// A line with its number from 1.
pub(crate) type Line<'t> = (u32, Cow<'t, str>);

/// Lines that the files of an edit gain and lose, so that they are looked for once.
pub(crate) struct ChangedLines<'e>(BTreeMap<&'e str, FileLines<'e>>);

struct FileLines<'e> {
    new: Vec<Line<'e>>,
    gone: Vec<Line<'e>>,
}

impl<'e> ChangedLines<'e> {
    pub(crate) fn of(edit: &'e Edit) -> Self {
        let files = edit.files.iter();
        let files = files.map(|(path, (before, after))| {
            let gone = after.as_ref().map(|_| added(after, before));
            let lines = FileLines {
                new: added(before, after),
                gone: gone.unwrap_or_default(),
            };
            (path.as_str(), lines)
        });
        Self(files.collect())
    }

    /// Lines that a file gains; none if the edit does not change it.
    pub(crate) fn gained(&self, path: &str) -> &[Line<'e>] {
        self.0.get(path).map_or(&[], |lines| &lines.new)
    }

    /// Lines that a file loses; none if the edit does not change or removes it.
    pub(crate) fn lost(&self, path: &str) -> &[Line<'e>] {
        self.0.get(path).map_or(&[], |lines| &lines.gone)
    }
}

/// Lines of a text that another one does not have, with their numbers from 1.
pub(crate) fn added<'t>(before: &Text, after: &'t Text) -> Vec<Line<'t>> {
    let (old, text): (&[u8], &[u8]) = (
        before.as_deref().unwrap_or_default(),
        after.as_deref().unwrap_or_default(),
    );
    // Lines that both begin with cancel each other.
    let same = same_lines(old, text);
    let (head, text) = text.split_at(same);
    let first = 1 + memchr::memchr_iter(b'\n', head).count();
    let old = String::from_utf8_lossy(&old[same..]);
    // Seeded anew in each process: the lines are anybody's.
    let mut counts: HashMap<&str, usize, RandomState> = HashMap::default();
    for line in old.lines() {
        *counts.entry(line.trim()).or_default() += 1;
    }
    let mut found = Vec::new();
    for (number, line) in (u32::try_from(first).unwrap_or(u32::MAX)..).zip(text.split(is_end)) {
        let line = match std::str::from_utf8(line) {
            Ok(line) => Cow::Borrowed(line),
            Err(_) => String::from_utf8_lossy(line),
        };
        match counts.get_mut(line.trim()) {
            Some(left) if *left > 0 => *left -= 1,
            _ => found.push((number, line)),
        }
    }
    found
}

fn is_end(byte: &u8) -> bool {
    *byte == b'\n'
}

/// Bytes of the whole lines that two texts begin with.
pub(crate) fn same_lines(one: &[u8], other: &[u8]) -> usize {
    let pairs = one.iter().zip(other);
    let same = pairs.take_while(|(one, other)| one == other).count();
    memchr::memrchr(b'\n', &one[..same]).map_or(0, |end| end + 1)
}

/// Most rows of what is written before a function.
const MAX_HEAD: usize = 60;

/// The row at which the decorators, attributes or annotations of a function begin.
fn head(lines: &[&str], function: usize) -> usize {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let Some(own) = lines.get(function).map(|line| depth(line)) else {
        return function;
    };
    let mut top = function;
    for row in (function.saturating_sub(MAX_HEAD)..function).rev() {
        let line = lines[row];
        let code = line.trim_start();
        if code.is_empty() || depth(line) < own {
            break;
        }
        if depth(line) == own {
            if code.starts_with(['@', '#']) {
                top = row;
            } else if !code.starts_with([')', ']', '}']) {
                break;
            }
        }
    }
    top
}

/// Rows of a unit.
struct UnitRows {
    /// Those in the file.
    rows: Range<usize>,
    /// Those of callables inside it, counted from its first.
    inner: Vec<Range<usize>>,
}

/// The rows of a file.
pub(crate) struct Rows<'t> {
    view: &'t FileView,
    lines: Vec<&'t str>,
}

impl<'t> Rows<'t> {
    pub(crate) fn of(view: &'t FileView, text: &'t Text) -> Self {
        let text = text
            .as_deref()
            .and_then(|text| std::str::from_utf8(text).ok());
        Self {
            view,
            lines: text.unwrap_or("").lines().collect(),
        }
    }

    /// Number of blank lines of a unit.
    pub(crate) fn blank_lines(&self, at: UnitAt) -> usize {
        let own = at.callable.and_then(|at| self.view.callables().get(at));
        let (first, end) = self.range(own);
        let lines = self.lines.iter().take(end).skip(first);
        lines.filter(|line| line.trim().is_empty()).count()
    }

    /// The measured file.
    pub(crate) fn view(&self) -> &'t FileView {
        self.view
    }

    /// How often each line is before a function: its decorators, attributes or annotations.
    pub(crate) fn head_lines(&self, at: UnitAt) -> BTreeMap<&'t str, usize> {
        let own = at.callable.and_then(|at| self.view.callables().get(at));
        let first = own.map_or(0, |own| own.span.start_line.saturating_sub(1) as usize);
        let rows = self.lines.iter().take(first).skip(head(&self.lines, first));
        rows.fold(BTreeMap::new(), |mut counts, line| {
            *counts.entry(line.trim()).or_default() += 1;
            counts
        })
    }

    /// Whether a unit has the same lines as one of other rows, and the same of them are code of its own.
    pub(crate) fn is_same(&self, at: UnitAt, other: &Self, there: UnitAt) -> bool {
        let (one, two) = (self.rows_of(at), other.rows_of(there));
        let is_code = |rows: &Self, row: usize| {
            u32::try_from(row).is_ok_and(|row| rows.view.source().contains(row))
        };
        let mut rows = one.rows.clone().zip(two.rows.clone());
        one.rows.len() == two.rows.len()
            && one.inner == two.inner
            && rows.all(|(row, own)| {
                self.lines[row] == other.lines[own] && is_code(self, row) == is_code(other, own)
            })
    }

    /// Rows of a unit, from 0, the end left out.
    fn range(&self, own: Option<&Callable>) -> (usize, usize) {
        own.map_or((0, self.lines.len()), |own| {
            // Rows are from 0, lines from 1.
            let first = own.span.start_line.saturating_sub(1) as usize;
            let first = head(&self.lines, first);
            (first, (own.span.end_line as usize).min(self.lines.len()))
        })
    }

    /// How often each code line is in a unit and in no callable inside it, without space around it.
    pub(crate) fn code_lines(&self, at: UnitAt) -> BTreeMap<&'t str, usize> {
        let own = self.rows_of(at);
        let mut is_inner = vec![false; own.rows.len()];
        for inner in own.inner {
            if let Some(rows) = is_inner.get_mut(inner) {
                rows.fill(true);
            }
        }
        let mut counts = BTreeMap::new();
        for (row, is_inner) in own.rows.zip(is_inner) {
            let is_code = u32::try_from(row).is_ok_and(|row| self.view.source().contains(row));
            if is_code && !is_inner {
                *counts.entry(self.lines[row].trim()).or_default() += 1;
            }
        }
        counts
    }

    fn rows_of(&self, at: UnitAt) -> UnitRows {
        let callables = self.view.callables();
        let own = at.callable.and_then(|at| callables.get(at));
        let (first, end) = self.range(own);
        let start = |one: &Callable| one.span.start_line.saturating_sub(1) as usize;
        debug_assert!(callables.is_sorted_by_key(start));
        let from = callables.partition_point(|one| start(one) < first);
        let within = callables[from..].iter().take_while(|one| start(one) < end);
        let inner = within.filter(|one| own.is_none_or(|own| own.span != one.span));
        UnitRows {
            inner: inner
                .map(|one| {
                    // A row at which an inner callable begins is of both.
                    let start = start(one) + usize::from(own.is_some()) - first;
                    start..(one.span.end_line as usize).min(end) - first
                })
                .collect(),
            rows: first..end.max(first),
        }
    }
}
