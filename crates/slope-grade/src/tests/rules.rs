//! What an operator allows, and the tests of a request by these rules.

use std::borrow::Cow;
use std::collections::BTreeMap;

use slope_model::grade::Fault;
use slope_model::grade_request::{ReportFormat, TestCommand, TestSuite, Tests};

use crate::base::Base;
use crate::edit::{bad_path, fault};

/// What an operator allows.
#[derive(Debug, Clone, PartialEq)]
pub struct TestRules {
    /// Whether commands of requests are run.
    pub from_requests: bool,
    /// The tests of requests that have no command of their own and no results.
    pub own: Option<OwnTests>,
    /// Problems whose tests requests may name, with the numbers of their checkpoints.
    pub problems: BTreeMap<String, u32>,
    /// Runs at the same time.
    pub jobs: usize,
    /// Time limit of a run in seconds. Requests may only shorten it.
    pub timeout_s: f64,
}

/// Tests that an operator gives.
#[derive(Debug, Clone, PartialEq)]
pub enum OwnTests {
    /// A command, and the format of its report.
    Command(TestCommand, Option<ReportFormat>),
    /// Tests of a problem.
    Suite(TestSuite),
}

impl OwnTests {
    /// Whether the report is a file, and the command does not name it.
    #[must_use]
    pub fn lacks_report_place(&self) -> bool {
        matches!(self, Self::Command(command, Some(ReportFormat::Junit)) if !names_report(command))
    }

    /// Fills in what a request leaves out.
    fn complete(&self, tests: &mut Tests) {
        match self {
            Self::Command(command, report) => {
                tests.command = Some(command.clone());
                tests.report = tests.report.or(*report);
            }
            Self::Suite(suite) => tests.suite = Some(suite.clone()),
        }
    }
}

/// Whether a command has the place of the report.
fn names_report(command: &TestCommand) -> bool {
    match command {
        TestCommand::Line(line) => line.contains(REPORT),
        TestCommand::Words(words) => words.iter().any(|word| word.contains(REPORT)),
    }
}

/// The tests of a request, with the operator's command where it has none, and with the files of its command among those
/// that the edit may not change. `None` if there are no tests.
pub(crate) fn effective<'t>(
    tests: Option<&'t Tests>,
    rules: Option<&TestRules>,
    base: &Base,
) -> Result<Option<Cow<'t, Tests>>, Fault> {
    let asked = tests.and_then(Tests::asks_for_run);
    let has_results = tests.is_some_and(|tests| !tests.is_empty());
    let own = rules.and_then(|rules| rules.own.as_ref());
    if asked.is_none() && (has_results || own.is_none()) {
        return Ok(tests.map(Cow::Borrowed));
    }
    if let (Some(field), true) = (asked, has_results) {
        return Err(fault(
            field,
            "the request has results of tests, and tests to run",
            "give one of them",
        ));
    }
    let mut tests = tests.cloned().unwrap_or_default();
    if tests.command.is_some() && !rules.is_some_and(|rules| rules.from_requests) {
        return Err(fault(
            "tests.command",
            "this grader does not run commands of requests",
            "start it with --run-tests if you trust those who send requests, or give results of tests",
        ));
    }
    if tests.command.is_none() && tests.suite.is_none() {
        let Some(own) = own else {
            return Err(fault(
                asked.unwrap_or("tests"),
                "the request has no command that runs its tests",
                "give `tests.command`, or start the grader with --test-command",
            ));
        };
        own.complete(&mut tests);
    }
    if let Some(suite) = &tests.suite {
        check_suite(&tests, suite, rules)?;
        return Ok(Some(Cow::Owned(tests)));
    }
    if tests.report_folder.is_some() {
        tests.report.get_or_insert(ReportFormat::Junit);
    }
    check(&tests)?;
    let words = tests.command.as_ref().map(words).unwrap_or_default();
    tests.files.extend(files_of(&words, base));
    Ok(Some(Cow::Owned(tests)))
}

/// Programs that run commands from a file of the base, with its names.
pub(crate) const SCRIPTED: [(&str, &[&str]); 3] = [
    ("make", &["Makefile", "makefile", "GNUmakefile"]),
    ("just", &["justfile", "Justfile", ".justfile"]),
    ("rake", &["Rakefile", "rakefile"]),
];

/// Files of the base that the words of a command name, also in a folder that another word names.
fn files_of(words: &[String], base: &Base) -> Vec<String> {
    let scripts = SCRIPTED
        .iter()
        .filter(|(program, _)| words.iter().any(|word| word == program));
    let scripts = scripts.flat_map(|(_, files)| files.iter().map(|file| (*file).to_owned()));
    let names: Vec<String> = words.iter().cloned().chain(scripts).collect();
    let folders = words
        .iter()
        .filter(|word| !base.has(word) && base.has_below(word));
    let below = folders.flat_map(|folder| names.iter().map(move |name| format!("{folder}/{name}")));
    names
        .iter()
        .cloned()
        .chain(below)
        .filter(|path| base.has(path))
        .collect()
}

/// Words of a command that can name files of the base.
fn words(command: &TestCommand) -> Vec<String> {
    let clean = |word: &str| {
        let word = word.trim_matches(['\'', '"', ';', '(', ')', '&', '|']);
        word.trim_start_matches("./")
            .trim_end_matches('/')
            .to_owned()
    };
    match command {
        TestCommand::Line(line) => line.split_whitespace().map(clean).collect(),
        TestCommand::Words(words) => words.iter().map(|word| clean(word)).collect(),
    }
}

/// Refuses a suite that this grader does not have, and fields that only commands need.
fn check_suite(tests: &Tests, suite: &TestSuite, rules: Option<&TestRules>) -> Result<(), Fault> {
    let problems: Vec<(&String, u32)> = rules
        .iter()
        .flat_map(|rules| &rules.problems)
        .map(|(name, count)| (name, *count))
        .collect();
    let found = problems.iter().find(|(name, _)| **name == suite.problem);
    let Some((_, count)) = found else {
        let known: Vec<&str> = problems.iter().map(|(name, _)| name.as_str()).collect();
        let help = match known.is_empty() {
            true => "start the grader with --test-suite PROBLEM".to_owned(),
            false => format!("name one of its problems: {}", known.join(", ")),
        };
        let message = format!("this grader has no problem {:?}", suite.problem);
        return Err(fault("tests.suite.problem", message, &help));
    };
    if !(1..=*count).contains(&suite.checkpoint) {
        let message = format!("{} has no checkpoint {}", suite.problem, suite.checkpoint);
        let help = format!("give a number from 1 to {count}");
        return Err(fault("tests.suite.checkpoint", message, &help));
    }
    let others = [
        ("tests.command", tests.command.is_some()),
        ("tests.report", tests.report.is_some()),
        ("tests.report_folder", tests.report_folder.is_some()),
        ("tests.patch", tests.patch.is_some()),
        ("tests.env", !tests.env.is_empty()),
        ("tests.must_fail", !tests.must_fail.is_empty()),
    ];
    match others.into_iter().find(|(_, is_given)| *is_given) {
        Some((field, _)) => Err(fault(
            field,
            "a suite has its own tests and runs them itself",
            "leave the field out, or leave `tests.suite` out",
        )),
        None => check_limit(tests),
    }
}

/// Refuses settings that cannot work.
fn check(tests: &Tests) -> Result<(), Fault> {
    if tests.command.as_ref().is_some_and(TestCommand::is_blank) {
        return Err(fault(
            "tests.command",
            "the command is empty",
            "name the program that runs the tests",
        ));
    }
    let required = [
        ("tests.fail_to_pass", &tests.fail_to_pass),
        ("tests.pass_to_pass", &tests.pass_to_pass),
        ("tests.must_fail", &tests.must_fail),
    ];
    let named = required.into_iter().find(|(_, ids)| !ids.is_empty());
    if let (Some((field, _)), None) = (named, tests.report) {
        return Err(fault(
            field,
            "single tests are required, and there is no report that names tests",
            "give `tests.report`",
        ));
    }
    if let Some(folder) = &tests.report_folder {
        let is_bad = tests.report != Some(ReportFormat::Junit);
        let folder = folder.trim_end_matches('/');
        if let Some(why) = bad_path(folder).or(is_bad.then_some("is only for JUnit")) {
            return Err(fault(
                "tests.report_folder",
                format!("the folder {folder:?} {why}"),
                "name a folder below the top of the base that the runner writes JUnit files to",
            ));
        }
    }
    let is_named = tests.command.as_ref().is_none_or(names_report);
    if tests.report == Some(ReportFormat::Junit) && tests.report_folder.is_none() && !is_named {
        return Err(fault(
            "tests.command",
            "the command does not say where the report goes",
            "use {report} for the file in the command, or give `tests.report_folder`",
        ));
    }
    check_limit(tests)
}

fn check_limit(tests: &Tests) -> Result<(), Fault> {
    let limit = tests.timeout_s.unwrap_or(1.0);
    if !(limit.is_finite() && limit > 0.0) {
        return Err(fault(
            "tests.timeout_s",
            format!("{limit} is not a time limit"),
            "give seconds above 0",
        ));
    }
    Ok(())
}

/// The placeholder of the report's path in a command.
pub(super) const REPORT: &str = "{report}";
