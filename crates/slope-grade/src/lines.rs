//! Lines of files before and after an edit.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use slope_change::ledger::UnitAt;
use slope_measure::FileView;
use slope_model::measurement::Callable;

use crate::edit::Text;

/// A line with its number from 1.
pub(crate) type Line<'t> = (u32, Cow<'t, str>);

/// Lines of a text that another one does not have, with their numbers from 1.
pub(crate) fn added<'t>(before: &Text, after: &'t Text) -> Vec<Line<'t>> {
    let old = String::from_utf8_lossy(before.as_deref().unwrap_or_default()).into_owned();
    let mut old: HashMap<&str, usize> = old.lines().fold(HashMap::new(), |mut counts, line| {
        *counts.entry(line.trim()).or_default() += 1;
        counts
    });
    let text: &[u8] = after.as_deref().unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n');
    let mut found = Vec::new();
    for (number, line) in (1..).zip(lines) {
        let line = String::from_utf8_lossy(line);
        match old.get_mut(line.trim()) {
            Some(left) if *left > 0 => *left -= 1,
            _ => found.push((number, line)),
        }
    }
    found
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
        let callables = self.view.callables();
        let own = at.callable.and_then(|at| callables.get(at));
        let (first, end) = self.range(own);
        let mut is_inner = vec![false; end.saturating_sub(first)];
        for one in callables {
            let start = one.span.start_line.saturating_sub(1) as usize;
            let is_within = (first..end).contains(&start);
            if !is_within || own.is_some_and(|own| own.span == one.span) {
                continue;
            }
            // A row at which an inner callable begins is of both.
            let start = start + usize::from(own.is_some()) - first;
            let stop = (one.span.end_line as usize).min(end) - first;
            if let Some(rows) = is_inner.get_mut(start..stop) {
                rows.fill(true);
            }
        }
        let mut counts = BTreeMap::new();
        for (row, line) in self.lines.iter().enumerate().take(end).skip(first) {
            let is_code = u32::try_from(row).is_ok_and(|row| self.view.source().contains(row));
            if is_code && !is_inner[row - first] {
                *counts.entry(line.trim()).or_default() += 1;
            }
        }
        counts
    }
}
