//! Reading and writing of task sets.

use std::collections::BTreeSet;
use std::path::Path;

use rust_embed::RustEmbed;

use super::{CANARY, SCHEMA, SCHEMA_BEFORE, Task, TaskSet, check};
use crate::{Error, cases, yaml};

const REMEDY: &str = "see docs/next-edit.md for the form of a task set";

/// The sets that ship with slope.
#[derive(RustEmbed)]
#[folder = "../../next-edit/"]
struct Embedded;

/// Reads a task set and checks every task.
///
/// # Errors
/// [`Error`] with file, line and remedy: the file is missing or not such YAML, has another schema,
/// an id is repeated, or a task breaks a rule (for example a range outside the file, or an answer
/// that is already in the file).
pub fn load(path: &Path) -> Result<TaskSet, Error> {
    let text = yaml::read_text(
        path,
        "a task set",
        "name a file that `slope problem next-edit cut` wrote",
    )?;
    parse(path, &text)
}

/// The tasks that ship with slope, in order of their files' names.
///
/// # Errors
/// As [`load`]; a test ensures that it succeeds.
pub fn shipped() -> Result<TaskSet, Error> {
    let mut files: Vec<_> = Embedded::iter()
        .filter(|name| name.ends_with(".yaml"))
        .collect();
    files.sort();
    let mut tasks = Vec::new();
    for name in &files {
        let data = Embedded::get(name)
            .map(|file| file.data)
            .unwrap_or_default();
        let path = Path::new("next-edit").join(&**name);
        tasks.extend(parse(&path, &String::from_utf8_lossy(&data))?.tasks);
    }
    Ok(set(tasks))
}

/// The text of a file with `tasks`.
///
/// # Errors
/// Faults that [`load`] would refuse: the message names `path`.
pub fn write(path: &Path, tasks: Vec<Task>) -> Result<String, Error> {
    let set = set(tasks);
    let text = serde_saphyr::to_string(&set)
        .map_err(|e| Error::malformed(path, None, e.to_string(), REMEDY))?;
    if parse(path, &text)? == set {
        Ok(text)
    } else {
        Err(Error::malformed(
            path,
            None,
            "the tasks cannot be written as YAML",
            "choose files of plain text",
        ))
    }
}

fn set(tasks: Vec<Task>) -> TaskSet {
    TaskSet {
        schema: SCHEMA.to_owned(),
        canary: Some(CANARY.to_owned()),
        tasks,
    }
}

fn parse(path: &Path, text: &str) -> Result<TaskSet, Error> {
    let set: TaskSet = yaml::parse(path, text, REMEDY)?;
    if ![SCHEMA, SCHEMA_BEFORE].contains(&set.schema.as_str()) {
        let line = yaml::line_where(text, |line| line.starts_with("schema:"));
        let what = format!("the schema is {}, not {SCHEMA}", set.schema);
        return Err(Error::malformed(
            path,
            line,
            what,
            "cut the tasks again with this version of slope",
        ));
    }
    let mut seen = BTreeSet::new();
    for task in &set.tasks {
        let fault = |what: &str, remedy: &str| {
            let what = format!("task {}: {what}", task.id);
            Error::malformed(path, cases::line_of_case(text, &task.id), what, remedy)
        };
        if task.id.trim().is_empty() || !seen.insert(&task.id) {
            return Err(fault(
                "the id is empty or comes twice",
                "give each task an id of its own",
            ));
        }
        check::task(task).map_err(|found| fault(&found.what, found.remedy))?;
    }
    Ok(set)
}
