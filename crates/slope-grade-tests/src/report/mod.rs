//! Reports of test runners: the ids of tests with their outcomes.
//!
//! A program under test can write to the same places as its runner. A report is therefore refused rather than guessed at:
//! if it is cut off, or its own counts do not fit, it cannot be read.

mod cargo;
mod go;
mod junit;
mod pytest;
mod tap;
mod unittest;

use slope_grade::{Case, Report};
use slope_model::grade::TestOutcome;
use slope_model::grade_request::ReportFormat;

/// The report in the output of a runner.
pub(crate) fn of_output(format: ReportFormat, text: &str) -> Report {
    match format {
        ReportFormat::Junit => of_junit(&[text.to_owned()]),
        ReportFormat::Pytest => pytest::read(text),
        ReportFormat::Unittest => unittest::read(text),
        ReportFormat::Cargo => cargo::read(text),
        ReportFormat::Go => go::read(text),
        ReportFormat::Tap => tap::read(text),
    }
}

/// The report in JUnit files.
pub(crate) fn of_junit(files: &[String]) -> Report {
    if files.is_empty() {
        return Report::Missing;
    }
    let mut cases = Vec::new();
    for text in files {
        match junit::read(text) {
            Ok(more) => cases.extend(more),
            Err(why) => return Report::Unreadable(why),
        }
    }
    Report::Cases(cases)
}

fn case(id: impl Into<String>, outcome: TestOutcome) -> Case {
    Case {
        id: id.into(),
        outcome,
    }
}
