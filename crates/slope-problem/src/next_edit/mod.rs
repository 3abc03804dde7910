//! Next-edit tasks: one file in the middle of a change, and the next edit.
//!
//! A [`TaskSet`] is a YAML file of schema [`SCHEMA`]; [`load`] reads and checks it, [`shipped`]
//! returns the sets that ship with slope. `slope-author` creates and scores tasks;
//! `docs/next-edit.md` describes the format.

mod check;
mod leak;
mod load;

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use check::{MAX_LINES, MAX_REPLACEMENT_LINES};
pub use leak::leaks;
pub use load::{load, shipped, write};

/// Version of the file's form.
pub const SCHEMA: &str = "slope.next-edit/2";
/// The version before: sets in which each task has an edit to make. They are still read.
pub const SCHEMA_BEFORE: &str = "slope.next-edit/1";
/// Part of every set that slope cuts: a text with it belongs to a benchmark and must not be trained on.
pub const CANARY: &str = "next-edit-5b0e7c36-28d1-4f6a-93c4-e1a7d20f9b58";

/// Tasks of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSet {
    /// [`SCHEMA`].
    pub schema: String,
    /// A text for finding copies of the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<String>,
    /// The tasks; ids are unique.
    pub tasks: Vec<Task>,
}

/// One file, the recent edits in it, and the next edit.
///
/// Lines count from 1 and refer to [`Task::text`], unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Unique in its set.
    pub id: String,
    /// Language of the file.
    pub language: Language,
    /// Source of the task.
    pub source: Source,
    /// Reasons that the edit follows from the recent ones and the file. If the change is complete,
    /// reasons that an edit seems to be missing.
    pub reasons: Vec<String>,
    /// Position where the user is about to type.
    pub cursor: Cursor,
    /// The recent edits, from the top of the file to its end; `text` includes all of them.
    pub recent: Vec<Hunk>,
    /// The next edit; `None` if the change is complete, and any edit is wrong.
    pub expected: Option<Edit>,
    /// The complete file, before the expected edit.
    pub text: String,
}

impl Task {
    /// The file as it should be in the end, or `None` where the edit's lines are not all in it.
    #[must_use]
    pub fn after(&self) -> Option<String> {
        match &self.expected {
            Some(edit) => edit.apply(&self.text),
            None => Some(self.text.clone()),
        }
    }
}

/// Languages of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// `.py`
    Python,
    /// `.rs`
    Rust,
    /// `.ts`
    Typescript,
    /// `.go`
    Go,
    /// `.java`
    Java,
    /// `.cpp` and `.hpp`
    Cpp,
}

/// Source of a task: one change between two successive snapshots of a lineage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Name of the problem.
    pub problem: String,
    /// Folder of the lineage in the problem's, such as `solutions` or `sloppy`.
    pub lineage: String,
    /// Checkpoint of the snapshot before.
    pub from: String,
    /// Checkpoint of the snapshot after.
    pub to: String,
    /// The file, relative to the snapshot.
    pub path: String,
    /// Number of the change in the file, from 1 at the top.
    pub hunk: usize,
    /// Other changes of the file that were made before this one.
    pub made: Made,
}

/// Changes of a file that were made before the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Made {
    /// Changes above it.
    Above,
    /// Changes below it.
    Below,
    /// All changes, this one too: there is nothing left to edit.
    All,
}

/// A place between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cursor {
    /// Line; the number of lines plus one is the end of the file.
    pub line: usize,
    /// Characters before it in the line, plus 1.
    pub column: usize,
}

/// A change that is already made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hunk {
    /// First line of `added`; if nothing was added, the line after `removed`.
    pub line: usize,
    /// Lines that were there before, each with its end; empty for an insertion.
    pub removed: String,
    /// Lines that are there now.
    pub added: String,
}

/// Lines that are replaced by others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// First line that is replaced; of an insertion, the line before which it is made.
    pub line: usize,
    /// Number of replaced lines; 0 for an insertion.
    pub lines: usize,
    /// The new lines, each with its end; empty for a deletion.
    pub replacement: String,
}

impl Edit {
    /// The text with the edit made, or `None` where the edit's lines are not all in it.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<String> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let first = self.line.checked_sub(1)?;
        let end = first.checked_add(self.lines)?;
        let before = lines.get(..first)?.concat();
        let after = lines.get(end..)?.concat();
        Some([before.as_str(), &self.replacement, &after].concat())
    }

    /// The lines that the edit takes out of `text`, as far as they are in it.
    #[must_use]
    pub fn removed(&self, text: &str) -> String {
        let lines = text.split_inclusive('\n');
        lines
            .skip(self.line.saturating_sub(1))
            .take(self.lines)
            .collect()
    }
}

/// Every language: its name, and the endings of its files.
const LANGUAGES: [(Language, &str, &[&str]); 6] = [
    (Language::Python, "python", &["py"]),
    (Language::Rust, "rust", &["rs"]),
    (Language::Typescript, "typescript", &["ts"]),
    (Language::Go, "go", &["go"]),
    (Language::Java, "java", &["java"]),
    (Language::Cpp, "cpp", &["cpp", "hpp"]),
];

impl Language {
    /// The language of a file, by the ending of its name.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        let found = LANGUAGES
            .iter()
            .find(|(_, _, known)| known.contains(&ending))?;
        Some(found.0)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = LANGUAGES.iter().find(|(known, _, _)| known == self);
        f.write_str(found.map_or("", |(_, name, _)| name))
    }
}

impl Source {
    /// The id of the task that is cut here: `problem/lineage/checkpoint/path#hunk`, with `^` behind it where
    /// the changes below were made first, and `=` where all are made.
    #[must_use]
    pub fn id(&self) -> String {
        let made = match self.made {
            Made::Above => "",
            Made::Below => "^",
            Made::All => "=",
        };
        let Self {
            problem,
            lineage,
            to,
            path,
            hunk,
            ..
        } = self;
        format!("{problem}/{lineage}/{to}/{path}#{hunk}{made}")
    }
}

/// Checks a task by the rules of [`load`].
///
/// # Errors
/// Its first fault.
pub fn check(task: &Task) -> Result<(), String> {
    check::task(task).map_err(|fault| fault.what)
}

/// Removes parts that scores ignore: white space at the ends of lines, and empty lines at the end
/// of the text.
///
/// White space is the space, the tab and the carriage return. A non-empty text ends with one line
/// end.
#[must_use]
pub fn normal(text: &str) -> String {
    let blank = [' ', '\t', '\r'];
    let lines: Vec<&str> = text
        .split('\n')
        .map(|line| line.trim_end_matches(blank))
        .collect();
    let kept = lines.iter().rposition(|line| !line.is_empty());
    let kept = &lines[..kept.map_or(0, |last| last + 1)];
    kept.iter().flat_map(|line| [*line, "\n"]).collect()
}
