//! Text of one measurement and of one graded directory.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;

use common::HOSTILE;
use slope_model::finding::{Finding, Severity, Span};
use slope_model::measurement::{
    Callable, Definitions, FileMeasurement, Measurement, Totals, Unmeasured,
};
use slope_model::problem::Group;
use slope_model::verdict::{Outcome, State, TestResult, Verdict};
use slope_report::{render_evaluation, render_measurement};

fn span(line: u32) -> Span {
    Span {
        start_line: line,
        start_column: 1,
        end_line: line + 4,
        end_column: 9,
    }
}

fn callable(name: &str, line: u32, complexity: u32, mass: f64) -> Callable {
    Callable {
        name: name.into(),
        span: span(line),
        complexity,
        sloc: 16,
        mass,
        nesting: 2,
        ..Callable::default()
    }
}

fn finding(rule: &str, line: u32, message: &str) -> Finding {
    Finding {
        rule: rule.into(),
        category: "verbosity".into(),
        severity: Severity::Warning,
        path: "pantry.py".into(),
        span: span(line),
        message: message.into(),
        fingerprint: format!("{rule}-{line}"),
    }
}

fn measurement() -> Measurement {
    let file = FileMeasurement {
        path: "pantry.py".into(),
        language: "python".into(),
        lines: 1_204,
        sloc: 980,
        flagged_lines: 12,
        clone_lines: 40,
        verbose_lines: 50,
        callables: vec![
            callable("small", 3, 1, 4.0),
            callable("handle_everything", 20, 31, 124.0),
        ],
        ..FileMeasurement::default()
    };
    Measurement {
        schema: slope_model::schema::MEASUREMENT.into(),
        definitions: Definitions {
            version: "1".into(),
            hash: "b3:33".into(),
            grammars: BTreeMap::new(),
            rules: BTreeMap::new(),
        },
        totals: Totals {
            files: 1,
            unmeasured_files: 1,
            lines: 1_204,
            sloc: 980,
            callables: 2,
            high_complexity_callables: 1,
            max_complexity: Some(31),
            mass: Some(128.0),
            high_complexity_mass: Some(124.0),
            erosion: Some(0.968_75),
            flagged_lines: Some(12),
            clone_lines: Some(40),
            verbose_lines: Some(50),
            verbosity: Some(0.051_02),
            missing: BTreeMap::new(),
            ..Totals::default()
        },
        files: vec![file],
        unmeasured: vec![Unmeasured {
            path: format!("{HOSTILE}.py"),
            reason: "it does not parse".into(),
        }],
        findings: vec![
            finding("len-compared-to-zero", 5, "the length is compared to zero"),
            finding("len-compared-to-zero", 9, "the length is compared to zero"),
            finding("bare-except", 30, HOSTILE),
        ],
        ..Measurement::default()
    }
}

/// A folder without a file that could be measured.
fn nothing() -> Measurement {
    let why = "no file could be measured".to_owned();
    let ratios = ["erosion", "verbosity", "mass"];
    Measurement {
        totals: Totals {
            missing: ratios.map(|name| (name.to_owned(), why.clone())).into(),
            ..Totals::default()
        },
        files: Vec::new(),
        unmeasured: Vec::new(),
        findings: Vec::new(),
        ..measurement()
    }
}

fn test(id: &str, group: Group, outcome: Outcome, message: Option<&str>) -> TestResult {
    TestResult {
        id: id.into(),
        checkpoint: "checkpoint_2".into(),
        group,
        outcome,
        repeats: Vec::new(),
        duration_s: 0.25,
        message: message.map(str::to_owned),
    }
}

#[test]
fn totals_callables_and_rules() {
    insta::assert_snapshot!(render_measurement(&measurement(), false));
}

#[test]
fn every_finding_on_a_line_of_its_own() {
    let text = render_measurement(&measurement(), true);
    let (_, findings) = text.split_once("\n\npantry.py:5").unwrap();
    insta::assert_snapshot!(findings);
}

#[test]
fn what_is_missing_is_no_zero() {
    insta::assert_snapshot!(render_measurement(&nothing(), false));
}

#[test]
fn a_verdict_lists_what_did_not_pass_and_why() {
    let mut verdict = Verdict::from_tests(
        "checkpoint_2",
        vec![
            test("adds", Group::Core, Outcome::Passed, None),
            test(
                "takes",
                Group::Core,
                Outcome::Failed,
                Some("exit code 1, expected 0\nstderr: only 1000 g"),
            ),
            test("flickers", Group::Error, Outcome::Unstable, None),
            test(HOSTILE, Group::Regression, Outcome::Missing, Some(HOSTILE)),
        ],
    );
    verdict
        .integrity
        .push("sitecustomize.py was ignored".into());
    insta::assert_snapshot!(render_evaluation(&verdict, &measurement()));
}

#[test]
fn a_verdict_without_tests_says_why() {
    let verdict = Verdict::without_tests("checkpoint_1", State::Infrastructure, "no interpreter");
    let text = render_evaluation(&verdict, &nothing());
    assert!(
        text.starts_with("checkpoint_1: infrastructure\n  no interpreter\n"),
        "{text}"
    );
}

#[test]
fn foreign_text_never_reaches_the_terminal_as_it_is() {
    let verdict = Verdict::without_tests(HOSTILE, State::Ungraded, HOSTILE);
    for text in [
        render_measurement(&measurement(), true),
        render_evaluation(&verdict, &measurement()),
    ] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
}
