//! Reading and checking slope's own declarative suites.

use std::path::{Path, PathBuf};

use slope_model::cases::CaseFile;
use slope_model::problem::{Problem, SuiteKind};

use crate::{Error, case_check, yaml};

const REMEDY: &str = "see the case format in docs/problems.md";

/// Path of the suite of `checkpoint`.
pub(crate) fn path(root: &Path, checkpoint: &str) -> PathBuf {
    root.join("suite").join(format!("{checkpoint}.yaml"))
}

/// Reads and checks the declarative suite of `checkpoint`.
///
/// # Errors
/// [`Error`] if the problem has no declarative suite or no such checkpoint, or the file is missing
/// or malformed: an unknown schema or key, a repeated id, a path that leaves the case's directory,
/// a regular expression that does not compile, a case without any check.
pub fn load_cases(problem: &Problem, checkpoint: &str) -> Result<CaseFile, Error> {
    let config = problem.root.join("config.yaml");
    if problem.suite != SuiteKind::Cases {
        let what = "the problem's suite is pytest, it has no declarative cases";
        return Err(Error::malformed(
            &config,
            None,
            what,
            "set `suite: cases` and add suite/",
        ));
    }
    if !problem.checkpoints.iter().any(|c| c.name == checkpoint) {
        let known: Vec<&str> = problem
            .checkpoints
            .iter()
            .map(|c| c.name.as_str())
            .collect();
        let what = format!("there is no checkpoint {checkpoint:?}");
        return Err(Error::malformed(
            &config,
            None,
            what,
            format!("use one of {}", known.join(", ")),
        ));
    }
    read(&path(&problem.root, checkpoint))
}

/// The place of a case: its file relative to the problem's folder, and its line from 1, if found.
///
/// # Errors
/// [`Error`] if the suite of `checkpoint` cannot be read.
pub fn place_of_case(
    problem: &Problem,
    checkpoint: &str,
    id: &str,
) -> Result<(PathBuf, Option<u64>), Error> {
    let file = path(Path::new(""), checkpoint);
    let text = yaml::read_text(&problem.root.join(&file), "a suite", "restore the file")?;
    Ok((file, line_of_case(&text, id)))
}

/// Reads and checks one suite file.
pub(crate) fn read(path: &Path) -> Result<CaseFile, Error> {
    let remedy = "write the checkpoint's cases, or take the checkpoint out of config.yaml";
    let text = yaml::read_text(path, "the suite of a checkpoint", remedy)?;
    let file: CaseFile = yaml::parse(path, &text, REMEDY)?;
    case_check::check(&file, path.parent().unwrap_or(path)).map_err(|problem| {
        let line = problem
            .case
            .as_deref()
            .and_then(|id| line_of_case(&text, id));
        let owner = problem
            .case
            .map(|id| format!("case {id}: "))
            .unwrap_or_default();
        Error::malformed(
            path,
            line,
            format!("{owner}{}", problem.what),
            problem.remedy,
        )
    })?;
    Ok(file)
}

/// The line on which a case with this id is (last) written: for a repeated id, the repetition.
pub(crate) fn line_of_case(text: &str, id: &str) -> Option<u64> {
    let is_id = |line: &str| {
        let line = line.trim_start().trim_start_matches("- ").trim_start();
        line.strip_prefix("id:")
            .is_some_and(|v| v.trim().trim_matches(['"', '\'']) == id)
    };
    let from_end = text.lines().rev().position(is_id)?;
    u64::try_from(text.lines().count() - from_end).ok()
}
