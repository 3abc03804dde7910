//! Reads and checks a suite's files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use slope_model::cases::{Case, CaseFile};
use slope_model::data_words::yaml_in_words;
use slope_model::problem::{Checkpoint, Group, Problem};

use super::check;
use super::payload::Task;
use crate::archive::Packer;
use crate::error::Error;
use crate::stability::Expected;

/// A case, with its expectations and limit.
#[derive(Clone)]
pub(super) struct Planned {
    pub(super) expected: Expected,
    pub(super) task: Task,
}

/// The cases of `suite`, as they count at `current`.
pub(super) fn read_suite(
    problem: &Problem,
    suite: &Checkpoint,
    current: &Checkpoint,
    hasher: &mut blake3::Hasher,
) -> Result<Vec<Planned>, Error> {
    let path = problem
        .root
        .join("suite")
        .join(format!("{}.yaml", suite.name));
    let file = read_file(&path, hasher)?;
    let mut ids = BTreeSet::new();
    let mut planned = Vec::with_capacity(file.cases.len());
    for case in &file.cases {
        let case = whole(&file, case);
        check::suite_mistakes(&case)
            .map_err(|what| Error::suite(&path, format!("case `{}`: {what}", case.id)))?;
        if !ids.insert(case.id.clone()) {
            let what = format!("case `{}` occurs twice", case.id);
            return Err(Error::suite(&path, what));
        }
        let timeout_s = case.timeout_s.unwrap_or(file.timeout_s);
        let times = (timeout_s, file.reference_s);
        planned.push(plan(case, times, suite, current));
    }
    if planned.is_empty() {
        return Err(Error::suite(&path, "has no cases"));
    }
    Ok(planned)
}

fn read_file(path: &Path, hasher: &mut blake3::Hasher) -> Result<CaseFile, Error> {
    let text = fs::read_to_string(path).map_err(Error::io("read", path))?;
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
    let file: CaseFile = serde_saphyr::from_str(&text)
        .map_err(|e| Error::suite(path, yaml_in_words(&e.to_string())))?;
    if file.schema == slope_model::schema::CASES {
        return Ok(file);
    }
    let (got, wanted) = (&file.schema, slope_model::schema::CASES);
    let what = format!("schema is `{got}`, expected `{wanted}`");
    Err(Error::suite(path, what))
}

/// The case with the defaults of its file.
fn whole(file: &CaseFile, case: &Case) -> Case {
    let mut case = case.clone();
    // A generator's steps may need a service, which is not known yet.
    if (case.needs_service() || case.generate.is_some()) && case.service.is_none() {
        case.service.clone_from(&file.service);
    }
    case
}

fn plan(
    case: Case,
    (timeout_s, reference_s): (f64, Option<f64>),
    suite: &Checkpoint,
    current: &Checkpoint,
) -> Planned {
    let key = format!("{}::{}", suite.name, case.id);
    let own = suite.index == current.index;
    let expected = Expected {
        key: key.clone(),
        id: case.id.clone(),
        checkpoint: suite.name.clone(),
        // A refactoring starts from code that passes all cases.
        group: match current.goals {
            None if own => case.group,
            _ => Group::Regression,
        },
    };
    let task = Task {
        key,
        timeout_s: timeout_s.clamp(0.1, 86_400.0),
        reference_s: reference_s.filter(|s| *s > 0.0),
        case,
    };
    Planned { expected, task }
}

/// Packs the suite's programs, if any case has one: the suite's folder without the case files,
/// which are not read inside.
pub(super) fn pack_programs(
    problem: &Problem,
    cases: &[Planned],
    tar: &Path,
    hasher: &mut blake3::Hasher,
) -> Result<bool, Error> {
    let has_program = |c: &Planned| c.task.case.generate.is_some() || c.task.case.check.is_some();
    if !cases.iter().any(has_program) {
        return Ok(false);
    }
    let folder = problem.root.join("suite");
    let mut packer = Packer::create(tar)?;
    let entries = fs::read_dir(&folder).map_err(Error::io("list", &folder))?;
    let mut names = entries
        .map(|entry| entry.map(|e| e.file_name()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Error::io("list", &folder))?;
    names.sort();
    for name in names {
        let name = Path::new(&name);
        let left_out = name.extension().is_some_and(|e| e == "yaml") || name == "__pycache__";
        if !left_out {
            packer.tree(name, &folder.join(name))?;
        }
    }
    hasher.update(packer.finish()?.as_bytes());
    Ok(true)
}
