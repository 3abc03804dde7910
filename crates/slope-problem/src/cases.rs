//! Reading and checking slope's own declarative suites.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use slope_model::cases::{Case, CaseFile, Expect, FileExpect, Step, TextExpect};
use slope_model::problem::{Group, Problem, SuiteKind};
use slope_model::schema;

use crate::assets::stays_inside;
use crate::{Error, yaml};

const REMEDY: &str = "see the case format in docs/problems.md";

/// Where the suite of `checkpoint` is.
pub(crate) fn path(root: &Path, checkpoint: &str) -> PathBuf {
    root.join("suite").join(format!("{checkpoint}.yaml"))
}

/// Reads and checks the declarative suite of `checkpoint`.
///
/// # Errors
/// [`Error`] when the problem has no declarative suite, does not know `checkpoint`, or the
/// file is missing or malformed: an unknown schema or key, a repeated id, a path that leaves
/// the case's directory, a regular expression that does not compile, a case that checks nothing.
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

/// Reads and checks one suite file.
pub(crate) fn read(path: &Path) -> Result<CaseFile, Error> {
    let remedy = "write the checkpoint's cases, or take the checkpoint out of config.yaml";
    let text = yaml::read_text(path, "the suite of a checkpoint", remedy)?;
    let file: CaseFile = yaml::parse(path, &text, REMEDY)?;
    check(&file).map_err(|problem| {
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

/// What is wrong with a suite, before file and line are known.
struct Fault {
    case: Option<String>,
    what: String,
    remedy: String,
}

fn fault(what: impl Into<String>, remedy: &str) -> Fault {
    Fault {
        case: None,
        what: what.into(),
        remedy: remedy.to_owned(),
    }
}

fn check(file: &CaseFile) -> Result<(), Fault> {
    if file.schema != schema::CASES {
        let what = format!("unknown schema {:?}", file.schema);
        return Err(fault(
            what,
            &format!("this version reads {}", schema::CASES),
        ));
    }
    if file.cases.is_empty() {
        return Err(fault("the suite has no cases", "add at least one case"));
    }
    check_timeout(Some(file.timeout_s))?;
    let mut seen = BTreeSet::new();
    for case in &file.cases {
        let owned = |f: Fault| Fault {
            case: Some(case.id.clone()),
            ..f
        };
        if !seen.insert(case.id.as_str()) {
            return Err(owned(fault(
                "the id is used twice",
                "give every case its own id",
            )));
        }
        check_case(case).map_err(owned)?;
    }
    Ok(())
}

fn check_case(case: &Case) -> Result<(), Fault> {
    if case.id.trim() != case.id || case.id.is_empty() || case.id.contains(['\n', '\r']) {
        return Err(fault(
            "the id is empty or has space around it",
            "use a short name",
        ));
    }
    if case.group == Group::Regression {
        let remedy =
            "give the group at the case's own checkpoint; regression follows from later ones";
        return Err(fault("the group regression is never written", remedy));
    }
    if case.steps.is_empty() {
        return Err(fault(
            "the case has no steps",
            "run the program at least once",
        ));
    }
    check_timeout(case.timeout_s)?;
    check_paths(case.files.keys())?;
    case.steps.iter().try_for_each(check_step)
}

fn check_step(step: &Step) -> Result<(), Fault> {
    let Expect {
        stdout,
        stderr,
        files,
        exit: _,
    } = &step.expect;
    check_paths(files.keys())?;
    for text in stdout.iter().chain(stderr) {
        check_text(text)?;
    }
    for file in files.values() {
        if let FileExpect::Text(text) = file {
            check_text(text)?;
        }
    }
    Ok(())
}

fn check_text(text: &TextExpect) -> Result<(), Fault> {
    if *text == TextExpect::default() {
        let remedy = "give equals, contains, matches or json, or leave the expectation out";
        return Err(fault("an expectation on a text checks nothing", remedy));
    }
    if let Some(pattern) = &text.matches {
        regex::RegexBuilder::new(pattern)
            .multi_line(true)
            .build()
            .map_err(|e| {
                fault(
                    format!("the pattern {pattern:?} does not compile: {e}"),
                    "repair the pattern",
                )
            })?;
    }
    Ok(())
}

fn check_paths<'a>(mut paths: impl Iterator<Item = &'a String>) -> Result<(), Fault> {
    match paths.find(|p| !stays_inside(Path::new(p))) {
        Some(path) => {
            let what = format!("the path {path:?} leaves the case's directory");
            Err(fault(what, "use a relative path without .."))
        }
        None => Ok(()),
    }
}

fn check_timeout(timeout: Option<f64>) -> Result<(), Fault> {
    match timeout {
        Some(t) if !(t.is_finite() && t > 0.0) => Err(fault(
            format!("timeout_s is {t}"),
            "give a positive number of seconds",
        )),
        _ => Ok(()),
    }
}

/// The line on which a case with this id is (last) written: for a repeated id, the repetition.
fn line_of_case(text: &str, id: &str) -> Option<u64> {
    let is_id = |line: &str| {
        let line = line.trim_start().trim_start_matches("- ").trim_start();
        line.strip_prefix("id:")
            .is_some_and(|v| v.trim().trim_matches(['"', '\'']) == id)
    };
    let from_end = text.lines().rev().position(is_id)?;
    u64::try_from(text.lines().count() - from_end).ok()
}
