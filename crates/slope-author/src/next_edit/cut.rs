//! Tasks from the changes between two successive snapshots of a lineage.
//!
//! Each change of a file can become a task. Either the changes above it or those below it are
//! already applied; the others are not. A task is accepted if the edit has a sensible size, follows
//! from the applied changes ([`reasons`](Task::reasons)), and is not revealed by the file
//! ([`leaks`]). If all changes are applied, a place that invites another one can become a task
//! without an edit. The same snapshots give the same tasks.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use slope_problem::next_edit::{Cursor, Edit, Hunk, Language, Made, Source, Task, check, leaks};
use slope_problem::{Problem, solution_in};

use super::complete;
use super::hunks::{Hunks, hunks};
use super::reasons::reasons;
use crate::Error;
use crate::workspace::Workspace;

/// Maximum number of lines of a file.
pub const MAX_FILE_LINES: usize = 400;
/// Maximum number of lines that an expected edit removes, and that it inserts.
pub const MAX_EDIT_LINES: usize = 12;
/// Minimum number of letters and digits in the lines that an expected edit removes and inserts.
pub const MIN_EDIT_LETTERS: usize = 8;
/// Maximum number of lines that the recent edits of a task remove and insert.
pub const MAX_RECENT_LINES: usize = 150;

/// Cut tasks.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Tasks, by checkpoint, path and place.
    pub tasks: Vec<Task>,
    /// Edits that make no task, by why.
    pub left_out: BTreeMap<String, usize>,
}

/// Folders of a problem with a lineage: solutions of at least two checkpoints.
///
/// # Errors
/// If the problem's folder cannot be listed.
pub fn lineages(problem: &Problem) -> Result<Vec<String>, Error> {
    let root = &problem.root;
    let mut found = Vec::new();
    for entry in fs::read_dir(root).map_err(Error::io("list", root))? {
        let name = entry.map_err(Error::io("list", root))?.file_name();
        let name = name.to_string_lossy().into_owned();
        let steps = problem.checkpoints.iter();
        if steps
            .filter(|step| solution_in(problem, &name, &step.name).is_some())
            .count()
            > 1
        {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// Creates every task of a lineage, or of its changes to the checkpoint with this number, from 2.
///
/// # Errors
/// If the problem has no such lineage, or a file cannot be read.
pub fn cut(problem: &Problem, lineage: &str, checkpoint: Option<u32>) -> Result<Cuts, Error> {
    let known = lineages(problem)?;
    if !known.iter().any(|name| name == lineage) {
        let what = format!(
            "{} has no lineage {lineage}: it has {}",
            problem.root.display(),
            known.join(", ")
        );
        return Err(Error::Request(what));
    }
    let mut cuts = Cuts::default();
    for pair in problem.checkpoints.windows(2) {
        let [from, to] = [&pair[0].name, &pair[1].name];
        if checkpoint.is_some_and(|number| number != pair[1].index) {
            continue;
        }
        let folders = [from, to].map(|name| solution_in(problem, lineage, name));
        let [Some(old), Some(new)] = folders else {
            continue;
        };
        let step = Step {
            problem: &problem.name,
            lineage,
            from,
            to,
        };
        step.cut(&Workspace::read(&old)?, &Workspace::read(&new)?, &mut cuts);
    }
    Ok(cuts)
}

/// Two successive snapshots.
struct Step<'a> {
    problem: &'a str,
    lineage: &'a str,
    from: &'a str,
    to: &'a str,
}

impl Step<'_> {
    /// Tasks of every file that both snapshots have.
    fn cut(&self, old: &Workspace, new: &Workspace, cuts: &mut Cuts) {
        for (path, after) in &new.files {
            let Some(before) = old.files.get(path) else {
                continue;
            };
            let texts = [&before.bytes, &after.bytes].map(|bytes| std::str::from_utf8(bytes));
            let (Some(language), [Ok(before), Ok(after)]) = (Language::of_path(path), texts) else {
                continue;
            };
            self.cut_file(language, path, [before, after], cuts);
        }
    }

    /// Tasks of the changes of a file.
    fn cut_file(&self, language: Language, path: &Path, texts: [&str; 2], cuts: &mut Cuts) {
        let [before, after] = texts;
        let found = hunks(before, after);
        let ways = [Made::Above, Made::Below, Made::All];
        let all = (0..found.all.len()).flat_map(|index| ways.map(|made| (index, made)));
        for (index, made) in all {
            let source = self.source(path, index, made);
            let task = match made {
                Made::All => complete::task(language, source, &found),
                Made::Above | Made::Below => task(language, source, &found, before),
            };
            match task {
                Ok(task) => cuts.tasks.push(task),
                Err(why) => *cuts.left_out.entry(why).or_default() += 1,
            }
        }
    }

    fn source(&self, path: &Path, index: usize, made: Made) -> Source {
        Source {
            problem: self.problem.to_owned(),
            lineage: self.lineage.to_owned(),
            from: self.from.to_owned(),
            to: self.to.to_owned(),
            path: path.to_string_lossy().into_owned(),
            hunk: index + 1,
            made,
        }
    }
}

/// The task of one change, or why it gives no task.
fn task(language: Language, source: Source, found: &Hunks<'_>, old: &str) -> Result<Task, String> {
    let (index, made) = (source.hunk - 1, source.made);
    let is_made = |other: usize| match made {
        Made::Above => other < index,
        Made::Below => other > index,
        Made::All => true,
    };
    let (text, starts) = found.with(is_made);
    let run = &found.all[index];
    let expected = Edit {
        line: starts[index] + 1,
        lines: run.old.len(),
        replacement: found.added(run),
    };
    let mut task = Task {
        id: source.id(),
        language,
        source,
        reasons: Vec::new(),
        cursor: cursor(&text, expected.line),
        recent: recent(found, &starts, is_made),
        expected: Some(expected.clone()),
        text,
    };
    sizes(&task)?;
    edit_sizes(&expected, &task.text)?;
    task.reasons = reasons(&task, &expected, old)?;
    if let Some(why) = leaks(&task) {
        return Err(why);
    }
    check(&task)?;
    Ok(task)
}

/// The changes that satisfy `is_made`; `starts` has the index of the line at which each begins.
pub(super) fn recent(
    found: &Hunks<'_>,
    starts: &[usize],
    is_made: impl Fn(usize) -> bool,
) -> Vec<Hunk> {
    let recent = (0..found.all.len()).filter(|other| is_made(*other));
    let recent = recent.map(|other| Hunk {
        line: starts[other] + 1,
        removed: found.removed(&found.all[other]),
        added: found.added(&found.all[other]),
    });
    recent.collect()
}

/// The place in a line behind its indentation.
pub(super) fn cursor(text: &str, line: usize) -> Cursor {
    let there = text.lines().nth(line - 1).unwrap_or_default();
    let indentation = there.chars().take_while(|c| c.is_whitespace()).count();
    Cursor {
        line,
        column: indentation + 1,
    }
}

/// Whether the file of a task and its recent edits are of sensible size.
pub(super) fn sizes(task: &Task) -> Result<(), &'static str> {
    let recent = task.recent.iter();
    let recent: usize = recent
        .map(|hunk| hunk.removed.lines().count() + hunk.added.lines().count())
        .sum();
    if task.text.lines().count() > MAX_FILE_LINES {
        Err("the file is too long")
    } else if task.recent.is_empty() {
        Err("there are no earlier edits")
    } else if recent > MAX_RECENT_LINES {
        Err("the earlier edits are too long")
    } else {
        Ok(())
    }
}

/// Whether an expected edit is of sensible size.
fn edit_sizes(expected: &Edit, text: &str) -> Result<(), &'static str> {
    let removed = expected.removed(text);
    let inserted = &expected.replacement;
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    if expected.lines.max(inserted.lines().count()) > MAX_EDIT_LINES {
        Err("the edit is too long")
    } else if letters(&removed) + letters(inserted) < MIN_EDIT_LETTERS {
        Err("the edit is too short")
    } else {
        Ok(())
    }
}
