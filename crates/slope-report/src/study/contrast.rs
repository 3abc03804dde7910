//! Arms versus the baseline of the same model and agent, paired by problem.

use serde::{Deserialize, Serialize};
use slope_model::run::TrialReport;
use slope_stats::{Interval, SignedRank, Z95, Zeros, holm, newcombe, wilcoxon};

use super::members::{Members, StudyOptions, narrow};
use super::phases;
use crate::arms::{BASELINE, TRACKED};
use crate::metric::Metric;
use crate::rates::{self, Proportion, Rule, Tally};

/// Spent on a trial, and compared as a ratio.
const SPENT: [Metric; 3] = [Metric::COST, Metric::TOKENS, Metric::AGENT_TIME];

/// An arm versus the baseline of the same model and agent. Differences are the arm's value minus
/// the baseline's, over problems with a value in both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// Place of the baseline in the study's cohorts, from 0.
    pub baseline: usize,
    /// Place of the arm.
    pub arm: usize,
    /// Problems with trials in both.
    pub problems: u32,
    /// Levels, starts and slopes of metrics.
    pub shifts: Vec<Shift>,
    /// Rates of solved checkpoints.
    pub rates: Vec<RateContrast>,
    /// Spending.
    pub ratios: Vec<SpentRatio>,
}

/// Compared property of a metric's trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Mean over the problem's checkpoints.
    Level,
    /// The line through the phases, at the first phase.
    Start,
    /// The least-squares slope per phase; of problems with values in three phases.
    Slope,
}

impl Aspect {
    /// The name in rows.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Start => "start",
            Self::Slope => "slope",
        }
    }
}

/// An aspect of a metric in two arms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    /// The metric.
    pub metric: Metric,
    /// Its aspect.
    pub aspect: Aspect,
    /// Problems with a value in both arms; all numbers below are about these.
    pub pairs: u32,
    /// Mean over problems in the baseline.
    pub baseline: Option<f64>,
    /// Mean over problems in the arm.
    pub arm: Option<f64>,
    /// Mean difference.
    pub difference: Option<f64>,
    /// Percentile interval of the mean difference over resampled problems; `None` with fewer
    /// than two.
    pub interval: Option<Interval>,
    /// Wilcoxon's signed-rank test of the differences, zeros dropped. Of levels and slopes; a
    /// start follows from the two.
    pub test: Option<SignedRank>,
    /// The test's p adjusted by Holm's method over all such tests of arms, or of versions.
    pub holm: Option<f64>,
}

/// A rate of solved checkpoints in two arms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RateContrast {
    /// `strict`, `isolated` or `core`.
    pub rate: String,
    /// Of graded checkpoints in the baseline.
    pub baseline: Proportion,
    /// Of graded checkpoints in the arm.
    pub arm: Proportion,
    /// The arm's rate less the baseline's.
    pub difference: Option<f64>,
    /// Newcombe's 95 % interval of the difference, which takes checkpoints to be independent.
    pub newcombe: Option<Interval>,
    /// Percentile interval over resampled problems, each with its checkpoints in both arms.
    pub by_problem: Option<Interval>,
}

/// An arm's spending for each unit that the baseline spends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpentRatio {
    /// Cost, tokens or agent time.
    pub metric: Metric,
    /// Problems for which both arms have a trial with the value at every checkpoint.
    pub pairs: u32,
    /// Sum over problems of the mean over trials, arm over baseline.
    pub ratio: Option<f64>,
    /// Percentile interval over resampled problems; `None` with fewer than two.
    pub interval: Option<Interval>,
}

/// The trials of a problem in the baseline and in the arm.
pub(super) struct Pair<'a> {
    baseline: Vec<&'a TrialReport>,
    arm: Vec<&'a TrialReport>,
}

/// Every arm against its baseline.
pub(super) fn contrasts(members: &[Members<'_>], options: &StudyOptions) -> Vec<Contrast> {
    let mut contrasts = Vec::new();
    for (baseline, base) in members.iter().enumerate() {
        if base.name.arm != BASELINE {
            continue;
        }
        let others = members.iter().enumerate().filter(|(place, other)| {
            *place != baseline
                && other.name.model == base.name.model
                && other.name.agent == base.name.agent
        });
        for (arm, other) in others {
            let pairs = pairs(base, other);
            contrasts.push(Contrast {
                baseline,
                arm,
                problems: narrow(pairs.len()),
                shifts: shifts(&pairs, options),
                rates: Rule::ALL.map(|rule| rate(&pairs, rule, options)).to_vec(),
                ratios: SPENT.map(|metric| ratio(&pairs, metric, options)).to_vec(),
            });
        }
    }
    adjust(contrasts.iter_mut().flat_map(|own| &mut own.shifts));
    contrasts
}

/// The problems that both have trials of.
fn pairs<'a>(base: &Members<'a>, arm: &Members<'a>) -> Vec<Pair<'a>> {
    pairs_of(base, arm, |_| true)
}

/// The pairs that `is_wanted`.
pub(super) fn pairs_of<'a>(
    base: &Members<'a>,
    arm: &Members<'a>,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<Pair<'a>> {
    let mut of_arm = arm.by_problem();
    let of_base = base.by_problem().into_iter();
    of_base
        .filter(|(problem, _)| is_wanted(problem))
        .filter_map(|(problem, baseline)| {
            let arm = of_arm.remove(problem)?;
            Some(Pair { baseline, arm })
        })
        .collect()
}

/// Holm's method over the tests of all `shifts`.
pub(super) fn adjust<'a>(shifts: impl Iterator<Item = &'a mut Shift>) {
    let mut tested: Vec<(&mut Option<f64>, f64)> = shifts
        .filter_map(|shift| {
            let p = shift.test.as_ref()?.p()?;
            Some((&mut shift.holm, p))
        })
        .collect();
    let p: Vec<f64> = tested.iter().map(|(_, p)| *p).collect();
    for ((place, _), adjusted) in tested.iter_mut().zip(holm(&p).unwrap_or_default()) {
        **place = Some(adjusted);
    }
}

fn shifts(pairs: &[Pair<'_>], options: &StudyOptions) -> Vec<Shift> {
    let mut shifts = Vec::new();
    for aspect in [Aspect::Level, Aspect::Start, Aspect::Slope] {
        shifts.extend(TRACKED.map(|metric| shift(pairs, metric, aspect, options)));
    }
    shifts
}

pub(super) fn shift(
    pairs: &[Pair<'_>],
    metric: Metric,
    aspect: Aspect,
    options: &StudyOptions,
) -> Shift {
    let value = |trials: &[&TrialReport]| value(trials, metric, aspect, options);
    let values: Vec<(f64, f64)> = pairs
        .iter()
        .filter_map(|pair| Some((value(&pair.baseline)?, value(&pair.arm)?)))
        .collect();
    let differences: Vec<f64> = values
        .iter()
        .map(|(baseline, arm)| arm - baseline)
        .collect();
    let mean_of = |of: fn(&(f64, f64)) -> f64| {
        let all: Vec<f64> = values.iter().map(of).collect();
        slope_stats::mean(&all)
    };
    Shift {
        metric,
        aspect,
        pairs: narrow(values.len()),
        baseline: mean_of(|(baseline, _)| *baseline),
        arm: mean_of(|(_, arm)| *arm),
        difference: slope_stats::mean(&differences),
        interval: phases::interval(&differences, options),
        test: (aspect != Aspect::Start)
            .then(|| wilcoxon(&differences, Zeros::Wilcoxon))
            .flatten(),
        holm: None,
    }
}

/// An aspect of a metric over the trials of a problem.
pub(super) fn value(
    trials: &[&TrialReport],
    metric: Metric,
    aspect: Aspect,
    options: &StudyOptions,
) -> Option<f64> {
    if aspect == Aspect::Level {
        let checkpoints = trials.iter().flat_map(|trial| &trial.checkpoints);
        let values: Vec<f64> = checkpoints.filter_map(|c| metric.value(c).ok()).collect();
        return slope_stats::mean(&values);
    }
    let fit = phases::fit_of(trials, metric, options.binning)?;
    Some(match aspect {
        Aspect::Slope => fit.slope,
        // Phases are 1 to 5.
        Aspect::Level | Aspect::Start => fit.intercept + fit.slope,
    })
}

pub(super) fn rate(pairs: &[Pair<'_>], rule: Rule, options: &StudyOptions) -> RateContrast {
    let tally = |trials: &[&TrialReport]| {
        let tallies = trials.iter().map(|trial| rates::tally(trial, rule));
        tallies.fold(Tally::default(), Tally::plus)
    };
    let clusters: Vec<(Tally, Tally)> = pairs
        .iter()
        .map(|pair| (tally(&pair.baseline), tally(&pair.arm)))
        .collect();
    let sum = |of: fn(&(Tally, Tally)) -> Tally| {
        clusters.iter().map(of).fold(Tally::default(), Tally::plus)
    };
    let (baseline, arm) = (sum(|c| c.0), sum(|c| c.1));
    let difference = |base: Tally, arm: Tally| {
        let share = |t: Tally| (t.graded > 0).then(|| f64::from(t.solved) / f64::from(t.graded));
        Some(share(arm)? - share(base)?)
    };
    let resampled = (clusters.len() > 1).then(|| {
        options.bootstrap.run(&clusters, |drawn| {
            let sum = drawn.iter().fold(
                (Tally::default(), Tally::default()),
                |(base, arm), cluster| (base.plus(cluster.0), arm.plus(cluster.1)),
            );
            difference(sum.0, sum.1)
        })
    });
    let wide = |t: Tally| (u64::from(t.solved), u64::from(t.graded));
    let ((x2, n2), (x1, n1)) = (wide(baseline), wide(arm));
    RateContrast {
        rate: rule.name().to_owned(),
        baseline: Proportion::new(baseline.solved, baseline.graded),
        arm: Proportion::new(arm.solved, arm.graded),
        difference: difference(baseline, arm),
        newcombe: newcombe(x1, n1, x2, n2, Z95),
        by_problem: resampled.flatten().and_then(|r| r.percentile()),
    }
}

fn ratio(pairs: &[Pair<'_>], metric: Metric, options: &StudyOptions) -> SpentRatio {
    let values: Vec<(f64, f64)> = pairs
        .iter()
        .filter_map(|pair| Some((spent(&pair.baseline, metric)?, spent(&pair.arm, metric)?)))
        .collect();
    let resampled = options.bootstrap.run(&values, |drawn| {
        let sums = drawn
            .iter()
            .fold((0.0, 0.0), |sum, value| (sum.0 + value.0, sum.1 + value.1));
        (sums.0 > 0.0).then(|| sums.1 / sums.0)
    });
    SpentRatio {
        metric,
        pairs: narrow(values.len()),
        ratio: resampled.as_ref().map(|r| r.estimate),
        interval: resampled
            .filter(|_| values.len() > 1)
            .and_then(|r| r.percentile()),
    }
}

/// Mean over trials of a trial's total, for trials with the value at every checkpoint.
fn spent(trials: &[&TrialReport], metric: Metric) -> Option<f64> {
    let sums: Vec<f64> = trials
        .iter()
        .filter_map(|trial| {
            let along = trial.checkpoints.iter();
            let all: Result<Vec<f64>, String> = along.map(|c| metric.value(c)).collect();
            all.ok().map(|all| all.iter().sum())
        })
        .collect();
    slope_stats::mean(&sums)
}
