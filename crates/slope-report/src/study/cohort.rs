//! A cohort: all trials of one agent, model and arm.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use slope_model::run::{CheckpointReport, RunReport, TrialReport};
use slope_stats::{Bootstrap, Interval};

use super::members::{StudyOptions, narrow};
use super::phases::{self, PhaseRow};
use crate::arms::TRACKED;
use crate::metric::Metric;
use crate::rates::{self, CheckpointRate, Coverage, Proportion, Rule, Tally, TrialRate};

/// Metrics in the main table, per checkpoint.
const PER_CHECKPOINT: [Metric; 5] = [
    Metric::COST,
    Metric::AGENT_TIME,
    Metric::TOKENS,
    Metric::EROSION,
    Metric::VERBOSITY,
];

/// All trials of one agent, model and arm; or all of a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cohort {
    /// The model; `None` where the cohort is all of the study.
    pub model: Option<String>,
    /// The agent and its version; `None` as above.
    pub agent: Option<String>,
    /// The arm; `None` as above.
    pub arm: Option<String>,
    /// Runs.
    pub runs: u32,
    /// Trials in their reports.
    pub trials: u32,
    /// Problems of those trials.
    pub problems: u32,
    /// Number of expected checkpoints, by what happened to them.
    pub coverage: Coverage,
    /// Checkpoints where every stable test passed.
    pub strict: CohortRate,
    /// Checkpoints where every stable test outside the regression group passed.
    pub isolated: CohortRate,
    /// Checkpoints where every stable core test passed.
    pub core: CohortRate,
    /// Trials with every checkpoint strictly solved.
    pub solved: TrialRate,
    /// Trials with at least one checkpoint strictly solved.
    pub partial: TrialRate,
    /// Cost, time, tokens and quality of a checkpoint.
    pub per_checkpoint: Vec<MetricMean>,
    /// Values by phase.
    pub phases: Vec<PhaseRow>,
    /// Number of rising trajectories.
    pub rising: Vec<Rising>,
}

/// Rate of checkpoints with its uncertainty over problems.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CohortRate {
    /// The rate, with Wilson's interval of independent checkpoints.
    #[serde(flatten)]
    pub rate: CheckpointRate,
    /// Percentile interval of the rate of graded checkpoints over resampled problems; `None`
    /// with fewer than two problems.
    pub by_problem: Option<Interval>,
}

/// A metric over checkpoints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricMean {
    /// The metric.
    pub metric: Metric,
    /// Checkpoints that have a value.
    pub n: u32,
    /// Checkpoints of the reports without a value; not included in the numbers here.
    pub missing: u32,
    /// Mean.
    pub mean: Option<f64>,
    /// Standard deviation over checkpoints (divisor n − 1).
    pub deviation: Option<f64>,
}

/// Trajectories of a metric that end above where they began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rising {
    /// The metric.
    pub metric: Metric,
    /// Trials whose last value is above the first, of those with at least two values.
    pub share: Proportion,
    /// Trials without two values.
    pub missing: u32,
}

/// The cohort of `runs`; `name` is model, agent and arm.
pub(crate) fn cohort(
    name: [Option<String>; 3],
    runs: &[&RunReport],
    options: &StudyOptions,
) -> Cohort {
    let trials: Vec<&TrialReport> = runs.iter().flat_map(|run| &run.trials).collect();
    let problems: BTreeSet<&str> = trials.iter().map(|t| t.problem.as_str()).collect();
    let coverage = runs
        .iter()
        .map(|run| rates::run_coverage(&run.config, &run.trials))
        .fold(Coverage::default(), Coverage::plus);
    let expected = runs
        .iter()
        .map(|run| rates::expected_trials(&run.config, &run.trials))
        .sum();
    let of_trials = |holds: fn(&TrialReport) -> Option<bool>| {
        rates::trial_rate(trials.iter().map(|trial| holds(trial)), expected)
    };
    let rate = |rule| cohort_rate(&trials, rule, options);
    let [model, agent, arm] = name;
    Cohort {
        model,
        agent,
        arm,
        runs: narrow(runs.len()),
        trials: narrow(trials.len()),
        problems: narrow(problems.len()),
        coverage,
        strict: rate(Rule::Strict),
        isolated: rate(Rule::Isolated),
        core: rate(Rule::Core),
        solved: of_trials(rates::solved),
        partial: of_trials(rates::partly_solved),
        per_checkpoint: PER_CHECKPOINT.map(|m| metric_mean(&trials, m)).to_vec(),
        phases: phases::rows(&trials, options),
        rising: TRACKED.map(|m| rising(&trials, m)).to_vec(),
    }
}

/// A rate over trials, with both its intervals.
pub(super) fn cohort_rate(
    trials: &[&TrialReport],
    rule: Rule,
    options: &StudyOptions,
) -> CohortRate {
    let mut by_problem: BTreeMap<&str, Tally> = BTreeMap::new();
    for trial in trials {
        let tally = by_problem.entry(&trial.problem).or_default();
        *tally = tally.plus(rates::tally(trial, rule));
    }
    let clusters: Vec<Tally> = by_problem.into_values().collect();
    rate_of_problems(&clusters, &options.bootstrap)
}

/// The rate of the tallies of problems, with both its intervals.
pub(crate) fn rate_of_problems(clusters: &[Tally], bootstrap: &Bootstrap) -> CohortRate {
    let share = |drawn: &[&Tally]| {
        let sum = drawn.iter().fold((0, 0), |(solved, graded), tally| {
            (solved + tally.solved, graded + tally.graded)
        });
        (sum.1 > 0).then(|| f64::from(sum.0) / f64::from(sum.1))
    };
    let resampled = (clusters.len() > 1)
        .then(|| bootstrap.run(clusters, share))
        .flatten();
    let all = clusters.iter().copied().fold(Tally::default(), Tally::plus);
    CohortRate {
        rate: all.rate(),
        by_problem: resampled.and_then(|r| r.percentile()),
    }
}

fn metric_mean(trials: &[&TrialReport], metric: Metric) -> MetricMean {
    let checkpoints: Vec<&CheckpointReport> = trials.iter().flat_map(|t| &t.checkpoints).collect();
    let values: Vec<f64> = checkpoints
        .iter()
        .filter_map(|checkpoint| metric.value(checkpoint).ok())
        .collect();
    MetricMean {
        metric,
        n: narrow(values.len()),
        missing: narrow(checkpoints.len() - values.len()),
        mean: slope_stats::mean(&values),
        deviation: slope_stats::stddev(&values),
    }
}

fn rising(trials: &[&TrialReport], metric: Metric) -> Rising {
    let (mut up, mut of) = (0, 0);
    for trial in trials {
        let along = trial.checkpoints.iter();
        let values: Vec<f64> = along.filter_map(|c| metric.value(c).ok()).collect();
        if let [first, .., last] = values.as_slice() {
            of += 1;
            up += u32::from(last > first);
        }
    }
    Rising {
        metric,
        share: Proportion::new(up, of),
        missing: narrow(trials.len()) - of,
    }
}
