//! Faults of a declarative suite.

use std::collections::BTreeSet;
use std::path::Path;

use slope_model::cases::{Case, CaseFile, Generate, TextExpect};
use slope_model::problem::Group;
use slope_model::schema;

use crate::assets::stays_inside;
use crate::case_steps;

/// A fault of a suite, without file and line.
pub(crate) struct Fault {
    pub(crate) case: Option<String>,
    pub(crate) what: String,
    pub(crate) remedy: String,
}

pub(crate) fn fault(what: impl Into<String>, remedy: &str) -> Fault {
    Fault {
        case: None,
        what: what.into(),
        remedy: remedy.to_owned(),
    }
}

/// Checks a whole file in the folder `suite`.
pub(crate) fn check(file: &CaseFile, suite: &Path) -> Result<(), Fault> {
    if file.schema != schema::CASES {
        let what = format!("unknown schema {:?}", file.schema);
        return Err(fault(what, &format!("set it to {}", schema::CASES)));
    }
    if file.cases.is_empty() {
        return Err(fault("the suite has no cases", "add at least one case"));
    }
    check_timeout(Some(file.timeout_s))?;
    check_timeout(file.reference_s)?;
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
        check_case(file, case, suite).map_err(owned)?;
    }
    Ok(())
}

fn check_case(file: &CaseFile, case: &Case, suite: &Path) -> Result<(), Fault> {
    if case.id.trim() != case.id || case.id.is_empty() || case.id.contains(['\n', '\r']) {
        return Err(fault(
            "the id is empty or has space around it",
            "use a short name",
        ));
    }
    if case.group == Group::Regression {
        let remedy =
            "give the group at the case's own checkpoint, since regression follows from later ones";
        return Err(fault("the group regression is never written", remedy));
    }
    check_timeout(case.timeout_s)?;
    check_paths(case.files.keys().chain(case.bytes.keys()))?;
    if let Some(check) = &case.check {
        check_program(suite, &check.program)?;
        check_paths(check.files.iter())?;
    }
    if let Some(generate) = &case.generate {
        return check_generate(case, generate, suite);
    }
    if case.steps.is_empty() {
        return Err(fault(
            "the case has no steps",
            "run the program at least once",
        ));
    }
    let service = case.service.as_ref().or(file.service.as_ref());
    case_steps::check(case, service)
}

fn check_generate(case: &Case, generate: &Generate, suite: &Path) -> Result<(), Fault> {
    check_program(suite, &generate.program)?;
    if !(case.steps.is_empty() && case.files.is_empty() && case.bytes.is_empty()) {
        let what = "the case has a generator and files or steps of its own";
        return Err(fault(what, "let the generator print all of them"));
    }
    if generate.count.is_some() != generate.seeds.is_empty() {
        let what = "a generator needs either seeds or a count";
        return Err(fault(what, "give `seeds: [1, 2]` or `count: 20`"));
    }
    let most = Generate::MOST;
    let count = generate.count.and_then(|n| usize::try_from(n).ok());
    if !(1..=most).contains(&count.unwrap_or(generate.seeds.len())) {
        let what = format!("a generator has from 1 to {most} seeds");
        return Err(fault(what, "give a number in this range"));
    }
    Ok(())
}

fn check_program(suite: &Path, program: &str) -> Result<(), Fault> {
    check_paths(std::iter::once(&program.to_owned()))?;
    if !(program.ends_with(".py") && suite.join(program).is_file()) {
        let what = format!("there is no Python file {program:?} in the suite's folder");
        return Err(fault(what, "put it next to the suite"));
    }
    Ok(())
}

pub(crate) fn check_text(text: &TextExpect) -> Result<(), Fault> {
    if text.checks_nothing() {
        let remedy = "give equals, contains, matches or json, or leave the expectation out";
        return Err(fault("an expectation on a text checks nothing", remedy));
    }
    for pattern in text.matches.iter().chain(&text.not_matches) {
        // Values are filled in verbatim, so any text can replace one here.
        let filled = pattern.replace("${", "{").replace('{', "\\{");
        let pattern = if pattern.contains("${") {
            &filled
        } else {
            pattern
        };
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
    let tolerance = text.compare.tolerance;
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        let what = format!("the tolerance is {tolerance}");
        return Err(fault(what, "give a number that is 0 or more"));
    }
    Ok(())
}

pub(crate) fn check_paths<'a>(mut paths: impl Iterator<Item = &'a String>) -> Result<(), Fault> {
    match paths.find(|p| !stays_inside(Path::new(p))) {
        Some(path) => {
            let what = format!("the path {path:?} leaves the case's directory");
            Err(fault(what, "use a relative path without .."))
        }
        None => Ok(()),
    }
}

pub(crate) fn check_timeout(timeout: Option<f64>) -> Result<(), Fault> {
    match timeout {
        Some(t) if !(t.is_finite() && t > 0.0) => Err(fault(
            format!("a time is {t}"),
            "give a positive number of seconds",
        )),
        _ => Ok(()),
    }
}
