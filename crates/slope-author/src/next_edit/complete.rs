//! Tasks in which the change is complete, at a place that invites another edit.

use std::collections::BTreeSet;

use slope_problem::next_edit::{Language, Source, Task, check};

use super::cut::{cursor, recent, sizes};
use super::hunks::Hunks;
use super::reasons::{form, listed, names};

/// Maximum number of lines that still have a replaced name. A name on more is a keyword, or too
/// common for a missed place.
const MAX_USES: usize = 3;

/// The task at the place that one change makes inviting, or why it gives no task.
///
/// All changes of the file are made, so the file is that of the later snapshot.
pub(super) fn task(language: Language, source: Source, found: &Hunks<'_>) -> Result<Task, String> {
    let (text, starts) = found.with(|_| true);
    let place = Place {
        found,
        lines: text.lines().collect(),
        index: source.hunk - 1,
    };
    let Some((line, reason)) = place.find() else {
        return Err("no place invites an edit after the last".to_owned());
    };
    let task = Task {
        id: source.id(),
        language,
        source,
        reasons: vec![reason],
        cursor: cursor(&text, line + 1),
        recent: recent(found, &starts, |_| true),
        expected: None,
        text,
    };
    sizes(&task)?;
    check(&task)?;
    Ok(task)
}

/// A change in a file whose changes are all made.
struct Place<'a> {
    found: &'a Hunks<'a>,
    /// Lines of the file.
    lines: Vec<&'a str>,
    /// The change among all.
    index: usize,
}

impl Place<'_> {
    /// Index of a line that the change makes look unfinished, and why.
    fn find(&self) -> Option<(usize, String)> {
        self.replaced_name()
            .or_else(|| self.like_changed_line())
            .or_else(|| self.end_of_row())
    }

    /// Number of the change's first line.
    fn number(&self) -> usize {
        self.found.all[self.index].new.start + 1
    }

    /// Lines outside of every change, the nearest first.
    fn unchanged(&self) -> Vec<usize> {
        let runs = &self.found.all;
        let outside = |at: &usize| !runs.iter().any(|run| run.new.contains(at));
        let mut lines: Vec<usize> = (0..self.lines.len()).filter(outside).collect();
        let own = &runs[self.index].new;
        lines.sort_by_key(|at| at.abs_diff(own.start).min(at.abs_diff(own.end)));
        lines
    }

    /// A line with a name that the change took away from where it was.
    fn replaced_name(&self) -> Option<(usize, String)> {
        let run = &self.found.all[self.index];
        let [removed, added] = [self.found.removed(run), self.found.added(run)];
        if added.is_empty() {
            return None;
        }
        let unchanged = self.unchanged();
        let uses = |name: &&&str| {
            let uses = unchanged
                .iter()
                .filter(|at| names(self.lines[**at]).contains(**name));
            uses.count() <= MAX_USES
        };
        let gone = &names(&removed) - &names(&added);
        let gone: BTreeSet<&str> = gone.iter().filter(uses).copied().collect();
        unchanged.iter().copied().find_map(|at| {
            let still = listed(&(&names(self.lines[at]) & &gone))?;
            let number = self.number();
            Some((
                at,
                format!("has {still}, which the recent edit at line {number} replaced"),
            ))
        })
    }

    /// A line of the form that a changed line had before.
    fn like_changed_line(&self) -> Option<(usize, String)> {
        let run = &self.found.all[self.index];
        if run.new.is_empty() {
            return None;
        }
        let removed = self.found.removed(run);
        let forms: Vec<String> = removed.lines().filter_map(form).collect();
        let alike = |at: &usize| form(self.lines[*at]).is_some_and(|form| forms.contains(&form));
        let at = self.unchanged().into_iter().find(alike)?;
        let number = self.number();
        Some((
            at,
            format!("has the form of a line that the recent edit at line {number} changed"),
        ))
    }

    /// The line after a row of lines of one form that the change continued.
    fn end_of_row(&self) -> Option<(usize, String)> {
        let run = &self.found.all[self.index];
        let last = run.new.end.checked_sub(1).filter(|_| !run.new.is_empty())?;
        let form_at = |at: usize| self.lines.get(at).and_then(|line| form(line));
        let row = form_at(last)?;
        let is_longer = form_at(last.checked_sub(1)?).is_some_and(|before| before == row);
        let ends = form_at(run.new.end).is_none_or(|after| after != row);
        (is_longer && ends).then(|| {
            let number = self.number();
            (
                run.new.end,
                format!("follows lines of one form, of which the recent edit at line {number} added some"),
            )
        })
    }
}
