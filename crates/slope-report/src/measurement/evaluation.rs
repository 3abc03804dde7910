//! A verdict with its measurement, as text.

use std::fmt::Write;

use slope_model::measurement::{Measurement, Totals};
use slope_model::metrics::MEASURE;
use slope_model::problem::Group;
use slope_model::verdict::{Count, Outcome, TestResult, Verdict};

use super::digest;
use crate::format::{self, clean};

/// Tests that are listed.
const MAX_TESTS: usize = 60;

/// Renders the verdict and measurement of one graded directory.
#[must_use]
pub fn render_evaluation(verdict: &Verdict, measurement: &Measurement) -> String {
    let mut out = String::new();
    let checkpoint = clean(&verdict.checkpoint);
    line(&mut out, &format!("{checkpoint}: {}", verdict.state.name()));
    if let Some(reason) = &verdict.reason {
        line(&mut out, &format!("  {}", clean(reason)));
    }
    for group in Group::ALL {
        if let Some(count) = verdict.counts.get(&group) {
            line(&mut out, &group_line(group, *count));
        }
    }
    let all = verdict.tests.iter();
    let failing: Vec<_> = all.filter(|t| t.outcome != Outcome::Passed).collect();
    for test in failing.iter().take(MAX_TESTS) {
        test_lines(&mut out, test);
    }
    if failing.len() > MAX_TESTS {
        let rest = failing.len() - MAX_TESTS;
        line(&mut out, &format!("  … and {rest} more"));
    }
    for note in &verdict.integrity {
        line(&mut out, &format!("  {}", clean(&note.to_string())));
    }
    out.push('\n');
    totals(&mut out, &measurement.totals);
    out
}

fn group_line(group: Group, count: Count) -> String {
    format!("  {:<14} {}", group.name(), format::count(&count))
}

/// A test that did not pass, with the first lines of its message.
fn test_lines(out: &mut String, test: &TestResult) {
    let place = format!("{}::{}", clean(&test.checkpoint), clean(&test.id));
    line(out, &format!("  {} {place}", test.outcome.name()));
    let message = test.message.iter().flat_map(|message| message.lines());
    for said in message.take(6) {
        line(out, &format!("      {}", clean(said)));
    }
}

fn totals(out: &mut String, totals: &Totals) {
    for metric in MEASURE {
        let why = digest::missing(metric, totals)
            .map(clean)
            .unwrap_or_default();
        let value = digest::figure(metric, totals);
        let text = format!("{:<33} {value:>12} {why}", metric.title);
        line(out, text.trim_end());
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}
