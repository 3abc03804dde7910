//! Reports at the edges: nothing panics, nothing is drawn that is not a number, whatever the
//! reports hold.

use crate::common;
use slope_model::run::{CheckpointReport, RunReport};
use slope_model::verdict::State;
use slope_report::{TerminalOptions, render_json, render_markdown, render_terminal};

/// Renders in every format; returns terminal and HTML.
fn render(reports: &[RunReport]) -> (String, String) {
    for width in [0, 1, 20, 59, 60, 500] {
        let options = TerminalOptions {
            color: width % 2 == 0,
            width,
        };
        assert!(!render_terminal(reports, &options).is_empty());
    }
    assert!(!render_markdown(reports).is_empty());
    assert!(!render_json(reports).expect("JSON").is_empty());
    let terminal = render_terminal(
        reports,
        &TerminalOptions {
            color: false,
            width: 120,
        },
    );
    let html = common::before_scripts(reports);
    for text in [&terminal, &html] {
        let words = text.split(|c: char| !c.is_alphanumeric());
        assert_eq!(
            words.filter(|w| ["NaN", "nan", "inf"].contains(w)).count(),
            0
        );
    }
    (terminal, html)
}

fn one(checkpoints: Vec<CheckpointReport>) -> Vec<RunReport> {
    vec![common::run("one", vec![common::trial(1, checkpoints)])]
}

#[test]
fn trials_of_any_length_render() {
    for length in [0, 1, 2, 3, 60] {
        let (terminal, html) = render(&one((1..=length).map(|i| common::solved(i, 0.7)).collect()));
        assert_eq!(terminal.contains("checkpoint_1 "), length > 0);
        assert_eq!(html.contains("data-plot="), length > 0);
    }
}

#[test]
fn every_state_order_renders_consistently() {
    let states = [
        State::Passed,
        State::Failed,
        State::AgentError,
        State::Budget,
        State::Timeout,
        State::Infrastructure,
        State::Ungraded,
    ];
    for first in states {
        for second in states {
            for third in states {
                let checkpoints: Vec<CheckpointReport> = (1..)
                    .zip([first, second, third])
                    .map(|(i, state)| common::bare(i, state, None))
                    .collect();
                let mut runs = one(checkpoints);
                runs[0].config = common::config("one", 1, 3);
                let summary = slope_report::summary(&runs[0]);
                let c = summary.coverage;
                assert_eq!(c.graded + c.lost + c.infrastructure + c.ungraded, 3);
                assert_eq!(c.expected, 3);
                let strict = summary.rates.strict;
                assert_eq!(strict.graded.of, c.graded);
                assert_eq!(strict.conservative.of, c.graded + c.lost);
                assert_eq!(strict.conservative.of + c.missing(), c.expected);
                assert_eq!(strict.graded.count, strict.conservative.count);
            }
        }
    }
}

#[test]
fn non_finite_and_huge_numbers_render() {
    for value in [f64::NAN, f64::INFINITY, -3.0, 1e300, 1e-300, 0.0] {
        let mut checkpoints: Vec<_> = (1..=3).map(|i| common::solved(i, 0.5)).collect();
        let second = &mut checkpoints[1];
        second.agent_s = Some(value);
        let totals = second.totals.as_mut().expect("totals");
        totals.mass = Some(value);
        totals.erosion = Some(value);
        totals.sloc = u64::MAX;
        second.usage.as_mut().expect("usage").cost_usd = Some(value);
        let report = one(checkpoints);
        if value.is_finite() {
            render(&report);
        } else {
            // JSON has no such number: it becomes null, with a reason.
            let (terminal, _) = render(&report);
            assert!(
                terminal.contains("mass is not a finite number"),
                "{terminal}"
            );
        }
    }
}

#[test]
fn same_label_runs_are_numbered() {
    let trials =
        |n| (1..=n).map(|i| common::trial(i, vec![common::solved(1, 0.1), common::solved(2, 0.1)]));
    let runs: Vec<RunReport> = (0..3)
        .map(|_| common::run("same", trials(12).collect()))
        .collect();
    let (terminal, html) = render(&runs);
    for label in ["same #1", "same #2", "same #3"] {
        assert!(terminal.contains(label) && html.contains(label));
    }
}

#[test]
fn longest_names_fit_the_width() {
    let mut run = common::trouble();
    run.config.label = "a-label-without-any-end-".repeat(9);
    for trial in &mut run.trials {
        trial.problem = "problem-".repeat(30);
        for checkpoint in &mut trial.checkpoints {
            checkpoint.checkpoint = format!("{}{}", "検査".repeat(30), checkpoint.index);
            checkpoint.reason = Some("x".repeat(5000));
        }
    }
    for width in [40, 60, 80, 120] {
        let text = render_terminal(
            std::slice::from_ref(&run),
            &TerminalOptions {
                color: false,
                width,
            },
        );
        for line in text.lines() {
            // Wide characters take two columns.
            let columns: usize = line
                .chars()
                .map(|c| if c > '\u{2e80}' { 2 } else { 1 })
                .sum();
            assert!(columns <= usize::from(width), "{width}: {columns}: {line}");
        }
    }
    render(&[run]);
}
