//! Reads answers: JSONL, one object per line.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use slope_problem::Error as Fault;
use slope_problem::next_edit::{Edit, Task, TaskSet};

use super::score::{Score, score};
use crate::Error;

/// The answer to one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The complete file after the edit.
    Text(String),
    /// The edit.
    Edit(Edit),
    /// The file as it is.
    NoEdit,
    /// Missing, and why.
    Missing(String),
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    text: Option<String>,
    edit: Option<Edit>,
    #[serde(default)]
    no_edit: bool,
    missing: Option<String>,
}

/// The form of a line.
const REMEDY: &str = "write {\"id\": …, \"text\": the whole file}, {\"id\": …, \"edit\": {\"line\": …, \"lines\": …, \
                      \"replacement\": …}}, {\"id\": …, \"no_edit\": true} or {\"id\": …, \"missing\": why}, one per line";

/// Reads answers to the tasks of `set`, by their ids. Empty lines are skipped.
///
/// # Errors
/// With file, line and remedy, if the file cannot be read, a line is invalid, or an id is unknown
/// or repeated.
pub fn read(path: &Path, set: &TaskSet) -> Result<BTreeMap<String, Answer>, Error> {
    let unreadable = |source: std::io::Error| {
        let path = path.display();
        let what = format!(
            "{path}: cannot read the answers\nhelp: pass a text file of answers, and {REMEDY}"
        );
        Error::Io { what, source }
    };
    let text = fs::read_to_string(path).map_err(unreadable)?;
    let mut answers = BTreeMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let fault = |what: String, remedy: &str| Fault::Malformed {
            path: path.to_owned(),
            line: Some(line),
            what,
            remedy: remedy.to_owned(),
        };
        let (id, answer) = parse(text).map_err(|what| fault(what, REMEDY))?;
        if !set.tasks.iter().any(|task| task.id == id) {
            let remedy = "score with the tasks that the prompts came from";
            return Err(fault(format!("no task has the id {id}"), remedy).into());
        }
        if answers.contains_key(&id) {
            let remedy = "keep one answer to each task";
            return Err(fault(format!("task {id} is answered twice"), remedy).into());
        }
        answers.insert(id, answer);
    }
    Ok(answers)
}

/// Id and answer of a line.
fn parse(text: &str) -> Result<(String, Answer), String> {
    let line: Line = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let answers = [
        line.text.map(Answer::Text),
        line.edit.map(Answer::Edit),
        line.no_edit.then_some(Answer::NoEdit),
        line.missing.map(Answer::Missing),
    ];
    let mut given = answers.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(answer), None) => Ok((line.id, answer)),
        _ => Err("the answer is not one of `text`, `edit`, `no_edit` and `missing`".to_owned()),
    }
}

/// Result of a task.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Answered; the note says why an unusable answer counts as wrong.
    Scored(Score, Option<&'static str>),
    /// Not answered, for this reason.
    Missing(String),
}

/// Scores the answer to a task.
#[must_use]
pub fn judge(task: &Task, answer: Option<&Answer>) -> Outcome {
    let answered = match answer {
        None => return Outcome::Missing("no answer".to_owned()),
        Some(Answer::Missing(why)) => return Outcome::Missing(why.clone()),
        Some(Answer::Text(text)) => Some(text.clone()),
        Some(Answer::Edit(edit)) => edit.apply(&task.text),
        Some(Answer::NoEdit) => Some(task.text.clone()),
    };
    // A task that was loaded has its edit in its text.
    let expected = task.after().unwrap_or_default();
    match answered {
        Some(answered) => Outcome::Scored(score(&task.text, &expected, &answered), None),
        None => Outcome::Scored(Score::NOTHING, Some("the edit's lines are not in the file")),
    }
}
