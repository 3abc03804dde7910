//! Arms of a study versus the baseline, paired by problem.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use slope_model::run::{RunReport, TrialReport};

use crate::metric::Metric;
use crate::rates;
use crate::summary::{RunSummary, TrialMetric, TrialSummary};

/// Name of the arm that others are compared with.
pub const BASELINE: &str = "none";

/// Display order of arms; others follow by name.
const ORDER: [&str; 4] = [BASELINE, "anti-slop", "plan-first", "hooks"];

/// Metrics with compared trajectories: absolute ones first.
pub(crate) const TRACKED: [Metric; 4] = [
    Metric::MASS,
    Metric::CLONE_LINES,
    Metric::EROSION,
    Metric::VERBOSITY,
];

/// Compared quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Least-squares slope of the metric per checkpoint.
    Slope,
    /// The least-squares line's value at the first checkpoint: where the trial starts.
    Intercept,
    /// Share of checkpoints that are strictly solved, 0 to 1.
    Correctness,
    /// US dollars of a trial.
    Cost,
    /// Tokens of a trial.
    Tokens,
}

/// One quantity over the arms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArmRow {
    /// Quantity.
    pub quantity: Quantity,
    /// The metric; `None` for correctness, cost and tokens.
    pub metric: Option<Metric>,
    /// The arms in their order.
    pub arms: Vec<ArmValue>,
}

/// A quantity in one arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArmValue {
    /// Mean over problems of the mean over trials.
    pub mean: Option<f64>,
    /// Problems that have a value.
    pub problems: u32,
    /// The arm less the baseline; `None` for the baseline itself.
    pub difference: Option<Paired>,
}

/// Differences of pairs, a problem each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// Problems with a value in both arms.
    pub pairs: u32,
    /// Mean difference; `None` without pairs.
    pub mean: Option<f64>,
    /// Ends of the 95 % interval by Student's t over problems; `None` with fewer than two pairs.
    pub interval: Option<(f64, f64)>,
    /// Problems where the arm is lower.
    pub lower: u32,
    /// Problems where it is higher.
    pub higher: u32,
}

/// Arms versus the baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arms {
    /// Names of the arms, the baseline first.
    pub names: Vec<String>,
    /// Trials of each arm.
    pub trials: Vec<u32>,
    /// The quantities.
    pub rows: Vec<ArmRow>,
    /// Other differences of arms, which may cause a difference.
    pub warnings: Vec<String>,
}

/// The arm of a run: its intervention, or a prompt that is one of the arms.
#[must_use]
pub fn arm(report: &RunReport) -> String {
    let said = report.config.options.get("intervention");
    let said = said.and_then(serde_json::Value::as_str);
    match (said, report.config.prompt.as_str()) {
        (Some(arm), _) if arm != BASELINE => arm.to_owned(),
        // Runs from before there were arms, or planned by the prompt alone.
        (_, prompt) if ORDER.contains(&prompt) => prompt.to_owned(),
        _ => BASELINE.to_owned(),
    }
}

/// The comparison, if the runs have several arms and one of them is the baseline.
#[must_use]
pub(crate) fn arms(reports: &[RunReport], summaries: &[RunSummary]) -> Option<Arms> {
    let of: Vec<String> = reports.iter().map(arm).collect();
    let place = |name: &str| ORDER.iter().position(|known| *known == name);
    let mut names: Vec<String> = of
        .iter()
        .cloned()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    names.sort_by_key(|name| place(name).unwrap_or(ORDER.len()));
    if names.len() < 2 || names[0] != BASELINE {
        return None;
    }
    let trials: Vec<Vec<Trial<'_>>> = names
        .iter()
        .map(|name| {
            let all = reports.iter().zip(summaries).zip(&of);
            let own = all.filter(|(_, of)| *of == name);
            own.flat_map(|((report, summary), _)| report.trials.iter().zip(&summary.trials))
                .collect()
        })
        .collect();
    let tracked = [Quantity::Slope, Quantity::Intercept]
        .into_iter()
        .flat_map(|quantity| TRACKED.map(|metric| (quantity, Some(metric))));
    let plain = [Quantity::Correctness, Quantity::Cost, Quantity::Tokens].map(|q| (q, None));
    let rows = tracked
        .chain(plain)
        .map(|(quantity, metric)| row(quantity, metric, &trials))
        .collect();
    Some(Arms {
        trials: trials.iter().map(|trials| narrow(trials.len())).collect(),
        rows,
        warnings: warnings(reports, &of, &names),
        names,
    })
}

type Trial<'a> = (&'a TrialReport, &'a TrialSummary);

fn row(quantity: Quantity, metric: Option<Metric>, arms: &[Vec<Trial<'_>>]) -> ArmRow {
    let values: Vec<BTreeMap<&str, f64>> = arms
        .iter()
        .map(|trials| by_problem(trials, |trial| value(quantity, metric, trial)))
        .collect();
    let arms = values.iter().enumerate().map(|(number, own)| {
        let all: Vec<f64> = own.values().copied().collect();
        ArmValue {
            mean: slope_stats::mean(&all),
            problems: narrow(all.len()),
            difference: (number > 0).then(|| paired(&values[0], own)),
        }
    });
    ArmRow {
        quantity,
        metric,
        arms: arms.collect(),
    }
}

/// Means over the trials of each problem; problems without a value are absent.
fn by_problem<'a>(
    trials: &[Trial<'a>],
    value: impl Fn(&Trial<'a>) -> Option<f64>,
) -> BTreeMap<&'a str, f64> {
    let mut values: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for trial in trials {
        if let Some(value) = value(trial) {
            values.entry(&trial.0.problem).or_default().push(value);
        }
    }
    let means = values.into_iter();
    means
        .filter_map(|(problem, values)| Some((problem, slope_stats::mean(&values)?)))
        .collect()
}

fn value(quantity: Quantity, metric: Option<Metric>, trial: &Trial<'_>) -> Option<f64> {
    let (report, summary) = trial;
    let along = |metric: Metric| summary.metrics.iter().find(|m| m.metric == metric);
    match quantity {
        Quantity::Slope => along(metric?)?.slope,
        Quantity::Intercept => start(along(metric?)?),
        Quantity::Correctness => rates::share_solved(report),
        Quantity::Cost => total(along(Metric::COST)?),
        Quantity::Tokens => total(along(Metric::TOKENS)?),
    }
}

/// The fitted line at the first checkpoint; the value itself if there is only one.
fn start(metric: &TrialMetric) -> Option<f64> {
    let points = metric.points.iter();
    let known: Vec<(f64, f64)> = points
        .filter_map(|point| Some((f64::from(point.index), point.value?)))
        .collect();
    match slope_stats::ols(&known) {
        Some(fit) => Some(fit.intercept + fit.slope),
        None => known
            .iter()
            .find(|(at, _)| *at == 1.0)
            .map(|(_, value)| *value),
    }
}

/// The sum along a trial; `None` if a part is unknown.
fn total(metric: &TrialMetric) -> Option<f64> {
    let values: Option<Vec<f64>> = metric.points.iter().map(|point| point.value).collect();
    values.filter(|v| !v.is_empty()).map(|v| v.iter().sum())
}

fn paired(base: &BTreeMap<&str, f64>, arm: &BTreeMap<&str, f64>) -> Paired {
    let differences: Vec<f64> = arm
        .iter()
        .filter_map(|(problem, value)| Some(value - base.get(problem)?))
        .collect();
    let mean = slope_stats::mean(&differences);
    let n = differences.len() as f64;
    let spread = slope_stats::stddev(&differences);
    let half = spread.and_then(|sd| Some(slope_stats::t_quantile(0.025, n - 1.0)? * sd / n.sqrt()));
    let count = |holds: fn(f64) -> bool| narrow(differences.iter().filter(|d| holds(**d)).count());
    Paired {
        pairs: narrow(differences.len()),
        mean,
        interval: mean
            .zip(half)
            .map(|(mean, half)| (mean - half, mean + half)),
        lower: count(|d| d < 0.0),
        higher: count(|d| d > 0.0),
    }
}

/// Warnings before believing a difference.
fn warnings(reports: &[RunReport], of: &[String], names: &[String]) -> Vec<String> {
    let mut warnings = Vec::new();
    let differ = |what: fn(&RunReport) -> String| {
        reports.iter().map(what).collect::<BTreeSet<_>>().len() > 1
    };
    if differ(|r| format!("{} {}", r.config.agent, r.config.agent_version)) {
        warnings.push("The arms were run by different agents or versions of them.".to_owned());
    }
    if differ(|r| r.config.model.clone()) {
        warnings.push("The arms used different models.".to_owned());
    }
    let problems = |name: &String| -> BTreeSet<(&String, &String)> {
        let own = reports.iter().zip(of).filter(|(_, of)| *of == name);
        own.flat_map(|(r, _)| r.config.problems.iter().map(|(n, p)| (n, &p.hash)))
            .collect()
    };
    let first = problems(&names[0]);
    if names.iter().any(|name| problems(name) != first) {
        warnings.push(
            "The arms do not have the same problems. Only common problems are paired.".to_owned(),
        );
    }
    warnings
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
