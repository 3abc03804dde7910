//! Text of one graded directory.

use crate::common::measured::{NAME, measurement, nothing};
use slope_model::problem::Group;
use slope_model::verdict::{Outcome, State, TestResult, Verdict};
use slope_report::render_evaluation;

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
fn verdict_lists_failures_with_reasons() {
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
            test(NAME, Group::Regression, Outcome::Missing, Some(NAME)),
        ],
    );
    verdict
        .integrity
        .push("sitecustomize.py was ignored".into());
    insta::assert_snapshot!(render_evaluation(&verdict, &measurement()));
}

#[test]
fn verdict_without_tests_gives_reason() {
    let verdict = Verdict::without_tests("checkpoint_1", State::Infrastructure, "no interpreter");
    let text = render_evaluation(&verdict, &nothing());
    assert!(
        text.starts_with("checkpoint_1: infrastructure\n  no interpreter\n"),
        "{text}"
    );
}

#[test]
fn hostile_text_is_escaped_for_terminal() {
    let verdict = Verdict::without_tests(NAME, State::Ungraded, NAME);
    let text = render_evaluation(&verdict, &measurement());
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text}");
}
