//! Prompt for a person or a model.

use std::fmt::Write;

use slope_problem::next_edit::{Hunk, Task};

/// Marks the cursor in the file.
pub const CURSOR: &str = "<|cursor|>";

/// Prompt of a task: the recent edits, the file with numbered lines and the cursor, and the format
/// of the answer.
#[must_use]
pub fn prompt(task: &Task) -> String {
    let path = &task.source.path;
    let mut text = format!(
        "Somebody is changing the {} file {path}. They have just made these edits (line numbers are \
         those of the file as it is now):\n",
        task.language
    );
    for (number, hunk) in (1..).zip(&task.recent) {
        let _ = write!(text, "\n{number}. at line {}\n{}", hunk.line, told(hunk));
    }
    let _ = write!(
        text,
        "\nThis is the file as it is now. Each line has its number and `|` before it; {CURSOR} is the cursor.\n\n{}\n\
         What is their next edit in this file? It replaces, inserts or deletes one run of lines at the cursor. If the \
         change is complete, nothing is left to edit. Answer with one line of JSON \
         and nothing else:\n\n\
         {{\"id\": {}, \"edit\": {{\"line\": FIRST, \"lines\": COUNT, \"replacement\": TEXT}}}}\n\n\
         FIRST is the number of the first line that is replaced, COUNT how many are (0 inserts before FIRST), TEXT \
         the new lines without numbers, each with its line end (empty to delete). If you would rather give the \
         whole file after the edit, answer {{\"id\": …, \"text\": TEXT}}. If nothing is left to edit, answer \
         {{\"id\": …, \"no_edit\": true}}.\n",
        numbered(task),
        serde_json::Value::from(task.id.as_str()),
    );
    text
}

/// A hunk as lines with `-` and `+`.
fn told(hunk: &Hunk) -> String {
    let signed = |sign: char, text: &str| -> String {
        let lines = text.lines().map(|line| format!("{sign}{line}\n"));
        lines.collect()
    };
    [signed('-', &hunk.removed), signed('+', &hunk.added)].concat()
}

/// The file with line numbers and the cursor's mark.
fn numbered(task: &Task) -> String {
    let mut text = String::new();
    // A file ends behind its last line, where the cursor may be.
    let end = (task.cursor.line > task.text.lines().count()).then_some("");
    for (number, line) in (1..).zip(task.text.lines().chain(end)) {
        let marked = if number == task.cursor.line {
            with_cursor(line, task.cursor.column)
        } else {
            line.to_owned()
        };
        let _ = writeln!(text, "{number:>4}| {marked}");
    }
    text
}

fn with_cursor(line: &str, column: usize) -> String {
    let at = line
        .char_indices()
        .nth(column - 1)
        .map_or(line.len(), |(at, _)| at);
    let (before, after) = line.split_at(at);
    format!("{before}{CURSOR}{after}")
}
