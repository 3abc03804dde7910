//! One measurement, and one verdict with its measurement, as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use slope_model::finding::Finding;
use slope_model::measurement::{Callable, Measurement, Totals};
use slope_model::problem::Group;
use slope_model::verdict::{Count, Outcome, TestResult, Verdict};

use crate::format::{self, MISSING, clean};

/// Callables that are listed.
const MOST_CALLABLES: usize = 10;
/// Rules and unmeasured files that are listed.
const MOST_ROWS: usize = 12;
/// Tests that are listed.
const MOST_TESTS: usize = 60;

/// Renders a measurement as text: totals, the heaviest callables, findings by rule or one by one.
#[must_use]
pub fn render_measurement(measurement: &Measurement, all_findings: bool) -> String {
    let mut out = String::new();
    totals(&mut out, &measurement.totals);
    callables(&mut out, measurement);
    if all_findings {
        findings(&mut out, &measurement.findings);
    } else {
        rules(&mut out, &measurement.findings);
    }
    if !measurement.unmeasured.is_empty() {
        line(&mut out, "\nnot measured");
        for file in measurement.unmeasured.iter().take(MOST_ROWS) {
            line(
                &mut out,
                &format!("  {}: {}", clean(&file.path), clean(&file.reason)),
            );
        }
        rest(&mut out, measurement.unmeasured.len(), MOST_ROWS);
    }
    out
}

/// Renders what one graded directory got.
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
    for test in failing.iter().take(MOST_TESTS) {
        test_lines(&mut out, test);
    }
    rest(&mut out, failing.len(), MOST_TESTS);
    for note in &verdict.integrity {
        line(&mut out, &format!("  noticed: {}", clean(note)));
    }
    out.push('\n');
    totals(&mut out, &measurement.totals);
    out
}

fn group_line(group: Group, count: Count) -> String {
    format!("  {:<14} {}", group.name(), format::count(&count))
}

/// A test that did not pass, with the first lines of why.
fn test_lines(out: &mut String, test: &TestResult) {
    let place = format!("{}::{}", clean(&test.checkpoint), clean(&test.id));
    line(out, &format!("  {} {place}", test.outcome.name()));
    for said in test
        .message
        .iter()
        .flat_map(|message| message.lines())
        .take(6)
    {
        line(out, &format!("      {}", clean(said)));
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}

fn rest(out: &mut String, all: usize, shown: usize) {
    if all > shown {
        line(out, &format!("  … and {} more", all - shown));
    }
}

fn totals(out: &mut String, totals: &Totals) {
    let whole = |value: Option<u64>| value.map(|v| v.to_string());
    let ratio = |value: Option<f64>| value.map(|v| format!("{v:.4}"));
    let mass = |value: Option<f64>| value.map(|v| format!("{v:.1}"));
    let rows: [(&str, &str, Option<String>); 14] = [
        ("files", "", Some(totals.files.to_string())),
        ("lines", "", Some(totals.lines.to_string())),
        ("source lines", "", Some(totals.sloc.to_string())),
        ("callables", "", Some(totals.callables.to_string())),
        (
            "high-complexity callables",
            "",
            Some(totals.high_complexity_callables.to_string()),
        ),
        (
            "max complexity",
            "max_complexity",
            whole(totals.max_complexity.map(u64::from)),
        ),
        ("complexity mass", "mass", mass(totals.mass)),
        (
            "high-complexity mass",
            "high_complexity_mass",
            mass(totals.high_complexity_mass),
        ),
        ("erosion", "erosion", ratio(totals.erosion)),
        (
            "flagged lines",
            "flagged_lines",
            whole(totals.flagged_lines),
        ),
        ("clone lines", "clone_lines", whole(totals.clone_lines)),
        (
            "verbose lines",
            "verbose_lines",
            whole(totals.verbose_lines),
        ),
        ("verbosity", "verbosity", ratio(totals.verbosity)),
        (
            "files not measured",
            "",
            Some(totals.unmeasured_files.to_string()),
        ),
    ];
    for (name, key, value) in rows {
        let value = value.unwrap_or_else(|| {
            let why = totals.missing.get(key).map_or("", String::as_str);
            format!("{MISSING} {}", clean(why)).trim_end().to_owned()
        });
        line(out, &format!("{name:<26} {value:>12}"));
    }
}

fn callables(out: &mut String, measurement: &Measurement) {
    let mut all: Vec<(&str, &Callable)> = measurement
        .files
        .iter()
        .flat_map(|file| file.callables.iter().map(|c| (file.path.as_str(), c)))
        .collect();
    all.sort_by(|a, b| b.1.mass.total_cmp(&a.1.mass).then_with(|| a.0.cmp(b.0)));
    if all.is_empty() {
        return;
    }
    line(out, "\nheaviest callables");
    line(out, "     mass  complexity  sloc");
    for (path, callable) in all.iter().take(MOST_CALLABLES) {
        let place = format!("{}:{}", clean(path), callable.span.start_line);
        line(
            out,
            &format!(
                "  {:>7.1}  {:>10}  {:>4}  {} {place}",
                callable.mass,
                callable.complexity,
                callable.sloc,
                clean(&callable.name)
            ),
        );
    }
}

fn rules(out: &mut String, findings: &[Finding]) {
    let mut by_rule: BTreeMap<&str, (usize, &Finding)> = BTreeMap::new();
    for finding in findings {
        by_rule.entry(&finding.rule).or_insert((0, finding)).0 += 1;
    }
    let mut rows: Vec<_> = by_rule.into_iter().collect();
    rows.sort_by_key(|(rule, (count, _))| (std::cmp::Reverse(*count), *rule));
    if rows.is_empty() {
        return;
    }
    line(
        out,
        &format!("\nfindings: {} (list them with --findings)", findings.len()),
    );
    for (rule, (count, first)) in rows.iter().take(MOST_ROWS) {
        line(
            out,
            &format!("  {count:>5}  {rule}: {}", clean(&first.message)),
        );
    }
    rest(out, rows.len(), MOST_ROWS);
}

fn findings(out: &mut String, findings: &[Finding]) {
    if !findings.is_empty() {
        out.push('\n');
    }
    for finding in findings {
        line(
            out,
            &format!(
                "{}:{}:{}: {} [{}]",
                clean(&finding.path),
                finding.span.start_line,
                finding.span.start_column,
                clean(&finding.message),
                finding.rule
            ),
        );
    }
}
