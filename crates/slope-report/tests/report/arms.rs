//! Arms of a study: paired by problem, with intervals by hand.

use crate::common::{self, bare, config, run, solved, trial};
use serde_json::json;
use slope_model::run::{RunReport, TrialReport};
use slope_model::verdict::State;
use slope_report::{ArmRow, Arms, Metric, Quantity, TerminalOptions, arm, envelope};

/// A run of an arm: a trial of three checkpoints for each problem, by how fast slop grows in it.
fn study(name: &str, growths: &[(&str, f64)]) -> RunReport {
    let of = |(number, (problem, growth)): (usize, &(&str, f64))| TrialReport {
        problem: (*problem).to_owned(),
        ..trial(
            u32::try_from(number).unwrap() + 1,
            (1..=3).map(|i| solved(i, *growth)).collect(),
        )
    };
    let mut report = run(name, growths.iter().enumerate().map(of).collect());
    let options = &mut report.config.options;
    options.insert("intervention".to_owned(), json!(name));
    report
}

fn arms(reports: &[RunReport]) -> Arms {
    envelope(reports).arms.unwrap()
}

fn row(arms: &Arms, quantity: Quantity, metric: Option<Metric>) -> &ArmRow {
    let wanted = |row: &&ArmRow| row.quantity == quantity && row.metric == metric;
    arms.rows.iter().find(wanted).unwrap()
}

fn near(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-6, "{one} is not {other}");
}

const NONE: &[(&str, f64)] = &[("a", 1.0), ("b", 0.8), ("c", 0.6)];

#[test]
fn paired_differences_use_student_t_interval() {
    let hooks = study("hooks", &[("c", 0.2), ("a", 0.2), ("b", 0.2)]);
    let arms = arms(&[hooks, study("none", NONE)]);
    assert_eq!(arms.names, ["none", "hooks"]);
    let slope = row(&arms, Quantity::Slope, Some(Metric::MASS));
    // The mass grows by 30 + 55 g a checkpoint.
    near(slope.arms[0].mean.unwrap(), 74.0);
    near(slope.arms[1].mean.unwrap(), 41.0);
    assert_eq!(slope.arms[0].difference, None);
    let paired = slope.arms[1].difference.clone().unwrap();
    assert_eq!((paired.pairs, paired.lower, paired.higher), (3, 3, 0));
    near(paired.mean.unwrap(), -33.0);
    // -44, -33 and -22: a deviation of 11, and t(0.975; 2) = 4.302652730.
    let (low, high) = paired.interval.unwrap();
    near(low, -33.0 - 4.302_652_730 * 11.0 / 3.0_f64.sqrt());
    near(high, -33.0 + 4.302_652_730 * 11.0 / 3.0_f64.sqrt());
    let start = row(&arms, Quantity::Intercept, Some(Metric::MASS));
    near(start.arms[1].mean.unwrap(), 70.0 + 55.0 * 0.2);
    let correct = row(&arms, Quantity::Correctness, None);
    near(correct.arms[1].mean.unwrap(), 1.0);
    // 0.0123 (1 + g) times the checkpoint's number.
    let cost = row(&arms, Quantity::Cost, None);
    near(cost.arms[0].mean.unwrap(), 0.0123 * 6.0 * 1.8);
}

#[test]
fn only_shared_problems_are_paired() {
    let hooks = study("hooks", &[("a", 0.2), ("z", 5.0)]);
    let arms = arms(&[study("none", NONE), hooks]);
    let slope = row(&arms, Quantity::Slope, Some(Metric::MASS));
    let paired = slope.arms[1].difference.clone().unwrap();
    assert_eq!((paired.pairs, paired.interval), (1, None));
    near(paired.mean.unwrap(), -44.0);
}

#[test]
fn arm_runs_are_pooled_without_missing() {
    let mut broken = study("hooks", &[("a", 0.2)]);
    broken.trials[0].checkpoints[2] = bare(3, State::Infrastructure, Some("lost"));
    let more = study("hooks", &[("a", 0.4)]);
    let arms = arms(&[study("none", &[("a", 1.0)]), broken, more]);
    assert_eq!(arms.trials, [1, 2]);
    let slope = row(&arms, Quantity::Slope, Some(Metric::MASS));
    near(slope.arms[1].mean.unwrap(), 30.0 + 55.0 * 0.3);
    // The cost of a trial with a missing checkpoint is not known: that of the other remains.
    let cost = row(&arms, Quantity::Cost, None);
    near(cost.arms[1].mean.unwrap(), 0.0123 * 6.0 * 1.4);
}

#[test]
fn arms_need_a_baseline_and_another() {
    let hooks = study("hooks", NONE);
    assert_eq!(
        envelope(&[hooks.clone(), study("anti-slop", NONE)]).arms,
        None
    );
    assert_eq!(envelope(&[hooks.clone(), hooks]).arms, None);
    let mut prompt = study("none", NONE);
    prompt.config.prompt = "plan-first".to_owned();
    assert_eq!(arm(&prompt), "plan-first");
    let mut old = prompt;
    old.config = config("old", 1, 3);
    assert_eq!(arm(&old), "none");
}

#[test]
fn arms_table_appears_in_every_format() {
    let mut hooks = study("hooks", NONE);
    hooks.config.model = "another".to_owned();
    let reports = [study("none", NONE), hooks];
    let told = [
        slope_report::render_terminal(&reports, &TerminalOptions::default()),
        slope_report::render_markdown(&reports),
        common::page(&reports, &[]),
    ];
    for text in told {
        assert!(text.contains("hooks − none"), "{text}");
        assert!(text.contains("The arms used different models."), "{text}");
    }
}
