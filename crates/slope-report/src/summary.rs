//! Summaries: numbers from a run's trajectories.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use slope_model::run::{CheckpointReport, RunReport, TrialReport};

use crate::metric::Metric;
use crate::rates::{self, Coverage, GroupTests, Rates};

/// Summary of a run, computed from its report alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Label of the run.
    pub label: String,
    /// Directory of the run.
    pub run: PathBuf,
    /// Number of expected checkpoints, by what happened to them.
    pub coverage: Coverage,
    /// Rates with counts and intervals.
    pub rates: Rates,
    /// Tests by group.
    pub tests: Vec<GroupTests>,
    /// Usage of the run.
    pub spent: Spent,
    /// Each metric over all trials.
    pub metrics: Vec<RunMetric>,
    /// Each trial.
    pub trials: Vec<TrialSummary>,
    /// Observations that cast doubt on the honesty of verdicts, violations first.
    pub integrity: Vec<Note>,
    /// Tests found unstable.
    pub unstable: Vec<Note>,
}

/// One trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialSummary {
    /// Problem name.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// Coverage of its checkpoints.
    pub coverage: Coverage,
    /// Whether every checkpoint is strictly solved; `None` while that is open.
    pub solved: Option<bool>,
    /// Whether some checkpoint is strictly solved; `None` while that is open.
    pub partial: Option<bool>,
    /// Each metric along the trial.
    pub metrics: Vec<TrialMetric>,
}

/// A metric along a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialMetric {
    /// The metric.
    pub metric: Metric,
    /// Its value at each checkpoint.
    pub points: Vec<Point>,
    /// Checkpoints that have a value.
    pub n: u32,
    /// Least-squares slope per checkpoint; `None` with fewer than two values.
    pub slope: Option<f64>,
    /// Standard error of the slope; `None` with fewer than three values.
    pub slope_se: Option<f64>,
    /// Theil–Sen slope per checkpoint; `None` with fewer than two values.
    pub theil_sen: Option<f64>,
}

/// A metric at a checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Checkpoint name.
    pub checkpoint: String,
    /// Position, from 1.
    pub index: u32,
    /// The value.
    pub value: Option<f64>,
    /// The reason that it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A metric over the trials of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunMetric {
    /// The metric.
    pub metric: Metric,
    /// Trials that have a slope.
    pub n: u32,
    /// Trials in the report.
    pub of: u32,
    /// Mean of the trials' least-squares slopes.
    pub slope: Option<f64>,
    /// Standard error of `slope`: of the single trial's fit if `n` is 1, else of the mean.
    pub slope_se: Option<f64>,
    /// Mean over trials of the first value.
    pub first: Option<f64>,
    /// Mean over trials of the last value.
    pub last: Option<f64>,
    /// Trials with a missing value, whose first or last value may be at a checkpoint other than the
    /// first or last.
    pub with_gaps: u32,
}

/// Usage of a run. A sum over the attempts that report the quantity, and how many do not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Attempts: checkpoints and refactoring passes with usage or agent time.
    pub attempts: u32,
    /// US dollars; `None` where no attempt has a cost.
    pub cost_usd: Option<f64>,
    /// Attempts without a known cost.
    pub cost_missing: u32,
    /// Tokens; `None` where no attempt has usage.
    pub tokens: Option<f64>,
    /// Attempts without usage.
    pub tokens_missing: u32,
    /// Responses without usage; `tokens` and `cost_usd` are too low by their share.
    pub unreported_responses: u64,
    /// Seconds of the agent; `None` where no attempt has them.
    pub agent_s: Option<f64>,
    /// Attempts without agent time.
    pub agent_s_missing: u32,
}

/// A line about one checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Problem name.
    pub problem: String,
    /// Number of the trial.
    pub trial: u32,
    /// Checkpoint name.
    pub checkpoint: String,
    /// The test id, or the observation and its weight.
    pub text: String,
    /// Kind of the observation; empty for tests.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its evidence, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

/// Summarises a run.
#[must_use]
pub fn summary(report: &RunReport) -> RunSummary {
    let trials: Vec<TrialSummary> = report.trials.iter().map(trial_summary).collect();
    RunSummary {
        label: report.config.label.clone(),
        run: report.run.clone(),
        coverage: rates::run_coverage(&report.config, &report.trials),
        rates: rates::rates(&report.config, &report.trials),
        tests: rates::group_tests(&report.trials),
        spent: spent(&report.trials),
        metrics: Metric::all()
            .map(|metric| run_metric(metric, &trials))
            .collect(),
        integrity: notes(&report.trials, sightings),
        unstable: notes(&report.trials, unstable),
        trials,
    }
}

fn trial_summary(trial: &TrialReport) -> TrialSummary {
    TrialSummary {
        problem: trial.problem.clone(),
        trial: trial.trial,
        coverage: rates::trial_coverage(trial),
        solved: rates::solved(trial),
        partial: rates::partly_solved(trial),
        metrics: Metric::all()
            .map(|metric| trial_metric(metric, trial))
            .collect(),
    }
}

fn trial_metric(metric: Metric, trial: &TrialReport) -> TrialMetric {
    let points: Vec<Point> = trial
        .checkpoints
        .iter()
        .map(|checkpoint| {
            let (value, reason) = match metric.value(checkpoint) {
                Ok(value) => (Some(value), None),
                Err(reason) => (None, Some(reason)),
            };
            let name = checkpoint.checkpoint.clone();
            Point {
                checkpoint: name,
                index: checkpoint.index,
                value,
                reason,
            }
        })
        .collect();
    let known: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|p| Some((f64::from(p.index), p.value?)))
        .collect();
    let fit = slope_stats::ols(&known);
    TrialMetric {
        metric,
        n: narrow(known.len()),
        slope: fit.map(|f| f.slope),
        slope_se: fit.and_then(|f| f.slope_se),
        theil_sen: slope_stats::theil_sen(&known),
        points,
    }
}

impl TrialMetric {
    /// The values there are, in order.
    fn known(&self) -> impl DoubleEndedIterator<Item = f64> + '_ {
        self.points.iter().filter_map(|p| p.value)
    }
}

fn run_metric(metric: Metric, trials: &[TrialSummary]) -> RunMetric {
    let along: Vec<&TrialMetric> = trials
        .iter()
        .flat_map(|t| &t.metrics)
        .filter(|m| m.metric == metric)
        .collect();
    let with_slope: Vec<&&TrialMetric> = along.iter().filter(|m| m.slope.is_some()).collect();
    let slopes: Vec<f64> = with_slope.iter().filter_map(|m| m.slope).collect();
    let slope_se = match with_slope.as_slice() {
        [only] => only.slope_se,
        _ => slope_stats::stddev(&slopes).map(|sd| sd / f64::from(narrow(slopes.len())).sqrt()),
    };
    let firsts: Vec<f64> = along.iter().filter_map(|m| m.known().next()).collect();
    let lasts: Vec<f64> = along.iter().filter_map(|m| m.known().next_back()).collect();
    let gaps = along
        .iter()
        .filter(|m| m.points.iter().any(|p| p.value.is_none()));
    RunMetric {
        metric,
        n: narrow(slopes.len()),
        of: narrow(along.len()),
        slope: slope_stats::mean(&slopes),
        slope_se,
        first: slope_stats::mean(&firsts),
        last: slope_stats::mean(&lasts),
        with_gaps: narrow(gaps.count()),
    }
}

fn spent(trials: &[TrialReport]) -> Spent {
    let attempts: Vec<&CheckpointReport> = trials
        .iter()
        .flat_map(|t| &t.checkpoints)
        .flat_map(|c| std::iter::once(c).chain(c.after_pass.as_deref()))
        .filter(|c| c.usage.is_some() || c.agent_s.is_some())
        .collect();
    let sum = |metric: Metric| {
        let values: Vec<f64> = attempts
            .iter()
            .filter_map(|c| metric.value(c).ok())
            .collect();
        let missing = narrow(attempts.len() - values.len());
        (
            (!values.is_empty()).then(|| values.iter().sum::<f64>()),
            missing,
        )
    };
    let (cost_usd, cost_missing) = sum(Metric::COST);
    let (tokens, tokens_missing) = sum(Metric::TOKENS);
    let (agent_s, agent_s_missing) = sum(Metric::AGENT_TIME);
    let usages = attempts.iter().filter_map(|c| c.usage.as_ref());
    Spent {
        attempts: narrow(attempts.len()),
        cost_usd,
        cost_missing,
        tokens,
        tokens_missing,
        unreported_responses: usages.map(|u| u.unreported).sum(),
        agent_s,
        agent_s_missing,
    }
}

/// A note's text, its kind, and its evidence.
type Said = (String, String, Vec<String>);

fn sightings(checkpoint: &CheckpointReport) -> Vec<Said> {
    let mut seen: Vec<_> = checkpoint.integrity.iter().collect();
    seen.sort_by_key(|sighting| std::cmp::Reverse(sighting.weight));
    let said = seen.into_iter();
    said.map(|s| (s.to_string(), s.kind.clone(), s.evidence.clone()))
        .collect()
}

fn unstable(checkpoint: &CheckpointReport) -> Vec<Said> {
    let tests = checkpoint.unstable.iter();
    tests
        .map(|id| (id.clone(), String::new(), Vec::new()))
        .collect()
}

fn notes(trials: &[TrialReport], of: fn(&CheckpointReport) -> Vec<Said>) -> Vec<Note> {
    let checkpoints = trials
        .iter()
        .flat_map(|t| t.checkpoints.iter().map(move |c| (t, c)));
    checkpoints
        .flat_map(|(trial, checkpoint)| {
            of(checkpoint)
                .into_iter()
                .map(|(text, kind, evidence)| Note {
                    problem: trial.problem.clone(),
                    trial: trial.trial,
                    checkpoint: checkpoint.checkpoint.clone(),
                    text,
                    kind,
                    evidence,
                })
        })
        .collect()
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
