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

/// How often each code line is in a unit and in no callable inside it, without space around it.
pub(crate) fn code_lines<'t>(
    view: &FileView,
    at: UnitAt,
    text: &'t Text,
) -> BTreeMap<&'t str, usize> {
    let text = text
        .as_deref()
        .and_then(|text| std::str::from_utf8(text).ok())
        .unwrap_or("");
    let own = at.callable.and_then(|at| view.callables().get(at));
    let has =
        |one: &Callable, row: u32| (one.span.start_line..=one.span.end_line).contains(&(row + 1));
    let is_inner = |one: &&Callable| match own {
        Some(own) => one.span != own.span && has(own, one.span.start_line.saturating_sub(1)),
        None => true,
    };
    let inner: Vec<&Callable> = view.callables().iter().filter(is_inner).collect();
    // A row at which an inner callable begins is of both.
    let is_inside = |row: u32| {
        own.is_none_or(|own| has(own, row))
            && !inner
                .iter()
                .any(|one| has(one, row) && (own.is_none() || one.span.start_line != row + 1))
    };
    let lines = text.lines().zip(0..);
    let code = lines.filter(|(_, row)| view.source().contains(*row) && is_inside(*row));
    code.fold(BTreeMap::new(), |mut counts, (line, _)| {
        *counts.entry(line.trim()).or_default() += 1;
        counts
    })
}
