//! Checks of a task.

use super::{Cursor, Edit, Hunk, Made, Task, leaks, normal};

/// Maximum number of lines of a task's file.
pub const MAX_LINES: usize = 2_000;
/// Maximum number of lines that an expected edit inserts.
pub const MAX_REPLACEMENT_LINES: usize = 100;
/// Maximum number of bytes of a line.
const MAX_LINE_BYTES: usize = 1_000;

/// A fault of a task, and its remedy.
pub(super) struct Fault {
    pub(super) what: String,
    pub(super) remedy: &'static str,
}

/// Returns a fault unless `holds`.
fn must(holds: bool, what: impl Into<String>, remedy: &'static str) -> Result<(), Fault> {
    let what = what.into();
    if holds {
        Ok(())
    } else {
        Err(Fault { what, remedy })
    }
}

/// The first fault of a task.
pub(super) fn task(task: &Task) -> Result<(), Fault> {
    let lines: Vec<&str> = task.text.split_inclusive('\n').collect();
    file(&task.text, &lines)?;
    cursor(task.cursor, &lines)?;
    for hunk in &task.recent {
        recent(hunk, &lines)?;
    }
    must(
        task.expected.is_none() == (task.source.made == Made::All),
        "`expected` and `made` contradict each other",
        "leave `expected` empty if `made` is `all`, and only then",
    )?;
    if let Some(edit) = &task.expected {
        expected(edit, &task.text)?;
    }
    match leaks(task) {
        Some(why) => must(
            false,
            format!("the task gives its answer away: {why}"),
            "choose another edit",
        ),
        None => Ok(()),
    }
}

fn file(text: &str, lines: &[&str]) -> Result<(), Fault> {
    must(
        !text.is_empty() && text.ends_with('\n'),
        "`text` is empty, or its last line has no end",
        "give the whole file, each line with its end",
    )?;
    let short = lines.iter().all(|line| line.len() <= MAX_LINE_BYTES);
    must(
        lines.len() <= MAX_LINES && short,
        format!("`text` has over {MAX_LINES} lines, or one of over {MAX_LINE_BYTES} bytes"),
        "choose a smaller file",
    )
}

fn cursor(cursor: Cursor, lines: &[&str]) -> Result<(), Fault> {
    let line = cursor.line.checked_sub(1);
    let columns = line.and_then(|line| match lines.get(line) {
        Some(text) => Some(text.trim_end_matches('\n').chars().count() + 1),
        None => (line == lines.len()).then_some(1),
    });
    must(
        columns.is_some_and(|columns| (1..=columns).contains(&cursor.column)),
        format!(
            "line {}, column {} is not in `text`",
            cursor.line, cursor.column
        ),
        "put `cursor` where the edit begins, counting lines and columns from 1",
    )
}

fn recent(hunk: &Hunk, lines: &[&str]) -> Result<(), Fault> {
    let whole = |text: &str| text.is_empty() || text.ends_with('\n');
    must(
        whole(&hunk.removed) && whole(&hunk.added) && hunk.removed != hunk.added,
        format!(
            "the recent edit at line {} changes nothing, or one of its lines has no end",
            hunk.line
        ),
        "give the lines before and after, each with its end",
    )?;
    let first = hunk.line.checked_sub(1);
    let count = hunk.added.split_inclusive('\n').count();
    let there = first.and_then(|first| lines.get(first..first.checked_add(count)?));
    must(
        there.is_some_and(|lines| lines.concat() == hunk.added),
        format!(
            "what the recent edit at line {} added is not in `text` there",
            hunk.line
        ),
        "set `text` to the file after the recent edits, and `line` to where `added` begins in it",
    )
}

fn expected(edit: &Edit, text: &str) -> Result<(), Fault> {
    let whole = edit.replacement.is_empty() || edit.replacement.ends_with('\n');
    must(
        whole,
        "the last line of `expected.replacement` has no end",
        "write it as a block with `|`",
    )?;
    let count = edit.replacement.lines().count();
    let short = edit
        .replacement
        .lines()
        .all(|line| line.len() < MAX_LINE_BYTES);
    must(
        count <= MAX_REPLACEMENT_LINES && short,
        format!(
            "`expected` inserts over {MAX_REPLACEMENT_LINES} lines, or one of over {MAX_LINE_BYTES} bytes"
        ),
        "choose a smaller edit",
    )?;
    let Some(after) = edit.apply(text) else {
        let what = format!(
            "`expected` replaces {} lines from line {}, which are not in `text`",
            edit.lines, edit.line
        );
        return must(
            false,
            what,
            "count lines from 1, and replace 0 lines for an insertion",
        );
    };
    must(
        normal(&after) != normal(text),
        "`expected` changes nothing but white space at ends",
        "choose another edit",
    )
}
