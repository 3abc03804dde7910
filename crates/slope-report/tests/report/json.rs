//! The JSON report and the numbers in it.

use crate::common;
use slope_model::run::RunReport;
use slope_model::verdict::State;
use slope_report::{Envelope, Metric, RunSummary, TrialMetric, envelope, render_json, summary};

fn metric(summary: &RunSummary, trial: usize, metric: Metric) -> &TrialMetric {
    summary.trials[trial]
        .metrics
        .iter()
        .find(|m| m.metric == metric)
        .expect("every trial has every metric")
}

#[test]
fn json_output_matches_snapshot() {
    let mut run = common::sloppy();
    run.config = common::config("sloppy", 1, 2);
    run.trials[0].checkpoints.truncate(2);
    insta::assert_snapshot!(render_json(&[run]).unwrap());
}

#[test]
fn trouble_summaries_match_snapshot() {
    let mut summaries = envelope(&[common::trouble(), common::empty()]).summaries;
    summaries.iter_mut().for_each(|s| s.trials.clear());
    insta::assert_json_snapshot!(summaries);
}

#[test]
fn json_output_round_trips() {
    let text = render_json(&common::all()).unwrap();
    let back: Envelope = serde_json::from_str(&text).unwrap();
    assert_eq!(back, envelope(&common::all()));
    assert_eq!(text, render_json(&back.runs).unwrap());
    for metric in Metric::all() {
        assert_eq!(serde_json::to_value(metric).unwrap(), metric.key());
        assert!(back.definitions.contains_key(metric.key()));
    }
}

#[test]
fn slopes_are_per_checkpoint() {
    let tidy = summary(&common::tidy());
    let mass = metric(&tidy, 0, Metric::MASS);
    assert_eq!(mass.n, 4);
    assert!((mass.slope.unwrap() - 30.0).abs() < 1e-9);
    assert!((mass.theil_sen.unwrap() - 30.0).abs() < 1e-9);
}

#[test]
fn only_agent_death_loses_checkpoints() {
    let trouble = summary(&common::trouble());
    let dead_agent = trouble.trials[0].coverage;
    assert_eq!(
        (dead_agent.expected, dead_agent.graded, dead_agent.lost),
        (4, 2, 2)
    );
    assert_eq!(dead_agent.missing(), 0);
    let dead_harness = trouble.trials[1].coverage;
    assert_eq!((dead_harness.graded, dead_harness.lost), (2, 0));
    assert_eq!((dead_harness.infrastructure, dead_harness.ungraded), (1, 1));

    // Graded: 1 of 2, 2 of 2, 3 of 4; the conservative rate adds the two that are lost.
    let strict = trouble.rates.strict;
    assert_eq!((strict.graded.count, strict.graded.of), (6, 8));
    assert_eq!((strict.conservative.count, strict.conservative.of), (6, 10));
    // An unsolved checkpoint decides trials 1 and 3; trial 2 could still be solved.
    assert_eq!(
        (
            trouble.rates.solved.known.count,
            trouble.rates.solved.known.of
        ),
        (0, 2)
    );
    assert_eq!(trouble.rates.solved.expected, 3);
    assert_eq!(
        (
            trouble.rates.partial.known.count,
            trouble.rates.partial.known.of
        ),
        (3, 3)
    );
}

#[test]
fn unstarted_checkpoints_count_as_missing() {
    let empty = summary(&common::empty());
    assert_eq!((empty.coverage.expected, empty.coverage.ungraded), (8, 8));
    assert_eq!(empty.rates.strict.graded.rate, None);
    assert_eq!(empty.rates.strict.graded.interval, None);
    assert_eq!(empty.spent.cost_usd, None);
    assert!(empty.metrics.iter().all(|m| m.slope.is_none() && m.of == 0));
}

#[test]
fn regressions_count_only_in_strict_rate() {
    let one = |change: fn(&mut slope_model::run::CheckpointReport)| {
        let mut checkpoint = common::solved(2, 0.0);
        checkpoint.state = State::Failed;
        change(&mut checkpoint);
        let mut run: RunReport = common::run("one", vec![common::trial(1, vec![checkpoint])]);
        run.config = common::config("one", 1, 1);
        summary(&run).rates
    };
    use slope_model::problem::Group;
    let regression = one(|c| c.counts.get_mut(&Group::Regression).unwrap().passed -= 1);
    assert_eq!(regression.strict.graded.count, 0);
    assert_eq!(regression.isolated.graded.count, 1);
    let functionality = one(|c| c.counts.get_mut(&Group::Functionality).unwrap().passed -= 1);
    assert_eq!(functionality.isolated.graded.count, 0);
    assert_eq!(functionality.core.graded.count, 1);
    let unstable = one(|c| {
        let core = c.counts.get_mut(&Group::Core).unwrap();
        core.passed -= 1;
        core.unstable = 1;
    });
    assert_eq!(unstable.core.graded.count, 1);
    // A checkpoint without core tests is in neither denominator, and is counted.
    let coreless = one(|c| {
        c.counts.remove(&Group::Core);
    });
    assert_eq!((coreless.core.graded.of, coreless.core.undefined), (0, 1));
}

#[test]
fn missing_values_are_null_with_reason() {
    let trouble = summary(&common::trouble());
    let unparsable = |m| {
        let point = &metric(&trouble, 2, m).points[2];
        (point.value, point.reason.clone().unwrap())
    };
    for m in [Metric::MASS, Metric::CLONE_LINES, Metric::EROSION] {
        let (value, reason) = unparsable(m);
        assert_eq!(value, None);
        assert!(reason.contains("line 14"), "{reason}");
    }
    // These are plain integers in the totals, 0 if nothing was read.
    let source = unparsable(Metric::SLOC);
    assert_eq!(source, (None, "no file could be measured".to_owned()));
    let callables = unparsable(Metric::HIGH_COMPLEXITY_CALLABLES);
    assert_eq!((callables.0, callables.1.contains("line 14")), (None, true));
    let cost = &metric(&trouble, 0, Metric::COST).points;
    assert_eq!(
        cost[1].reason.as_deref(),
        Some("no price is known for the model")
    );
    assert_eq!(
        cost[2].reason.as_deref(),
        Some("ungraded: the agent ended the trial at checkpoint_2")
    );
}
