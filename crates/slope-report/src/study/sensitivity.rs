//! Sensitivity of results to erosion's definition: correlations of other cut-offs and weights with
//! the next checkpoint's values.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use slope_model::detail::FunctionFact;
use slope_model::run::CheckpointReport;
use slope_stats::{Correlation, Interval, spearman};

use super::members::{Members, StudyOptions, narrow};
use crate::metric::Metric;
use crate::rates;
use crate::rates::Standing;

/// Complexities above which a function counts as of high complexity.
const CUT_OFFS: [u32; 3] = [8, 10, 12];

/// Weight of a function's size in its mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SizeWeight {
    /// Mass is complexity.
    None,
    /// Mass is complexity times the square root of source lines: the paper's.
    SquareRoot,
    /// Mass is complexity times source lines.
    Linear,
}

impl SizeWeight {
    const ALL: [Self; 3] = [Self::None, Self::SquareRoot, Self::Linear];

    fn mass(self, function: &FunctionFact) -> f64 {
        let (complexity, sloc) = (f64::from(function.complexity), f64::from(function.sloc));
        match self {
            Self::None => complexity,
            Self::SquareRoot => complexity * sloc.sqrt(),
            Self::Linear => complexity * sloc,
        }
    }
}

/// The next value that erosion at a checkpoint is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Share of all stable tests that pass.
    PassRate,
    /// US dollars of the attempt.
    Cost,
}

/// A correlation of erosion at a checkpoint with a value at the next one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// Place in the study's cohorts, from 0.
    pub cohort: usize,
    /// Functions above this complexity are of high complexity.
    pub cut_off: u32,
    /// Weight of the size.
    pub weight: SizeWeight,
    /// Other variable.
    pub next: Next,
    /// Pairs of checkpoints.
    pub pairs: u32,
    /// Problems that they are of.
    pub problems: u32,
    /// Pearson's r; `None` where a side is constant or there are fewer than two pairs.
    pub pearson: Option<f64>,
    /// Percentile interval of it over resampled problems.
    pub interval: Option<Interval>,
    /// Spearman's ρ.
    pub spearman: Option<f64>,
    /// Pearson's r of the differences from the problem's means, which removes differences in
    /// difficulty between problems.
    pub within: Option<f64>,
    /// Percentile interval of that.
    pub within_interval: Option<Interval>,
}

/// Erosion, 0 to 1, by another cut-off and weight: the share of mass in functions above the
/// cut-off, over functions with source lines; `None` without any mass.
#[must_use]
pub fn erosion_by(functions: &[FunctionFact], cut_off: u32, weight: SizeWeight) -> Option<f64> {
    let (mut high, mut all) = (0.0, 0.0);
    for function in functions.iter().filter(|function| function.sloc > 0) {
        let mass = weight.mass(function);
        all += mass;
        high += if function.complexity > cut_off {
            mass
        } else {
            0.0
        };
    }
    (all > 0.0).then(|| high / all)
}

/// Erosion by cut-off and weight.
pub(super) type Erosions = [[Option<f64>; 3]; 3];

/// Erosion by every cut-off and weight.
pub(super) fn erosions(functions: &[FunctionFact]) -> Erosions {
    CUT_OFFS.map(|cut_off| SizeWeight::ALL.map(|weight| erosion_by(functions, cut_off, weight)))
}

/// A checkpoint that has a next one.
struct Step<'a> {
    problem: &'a str,
    erosions: Erosions,
    pass_rate: Option<f64>,
    cost: Option<f64>,
}

/// All correlations of each cohort with known functions; the last cohort is the one of all runs.
pub(super) fn sensitivities(members: &[Members<'_>], options: &StudyOptions) -> Vec<Sensitivity> {
    let all = members.par_iter().enumerate();
    all.flat_map_iter(|(cohort, own)| of_cohort(cohort, &steps(own), options))
        .collect()
}

fn steps<'a>(members: &Members<'a>) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for (trial, digest) in members.digests() {
        let standings = rates::standings(trial);
        let along = trial.checkpoints.iter().zip(standings).skip(1);
        for ((next, standing), before) in along.zip(&digest.checkpoints) {
            let Some(erosions) = before.erosions else {
                continue;
            };
            steps.push(Step {
                problem: &trial.problem,
                erosions,
                pass_rate: pass_rate(next, standing),
                cost: Metric::COST.value(next).ok(),
            });
        }
    }
    steps
}

fn pass_rate(checkpoint: &CheckpointReport, standing: Standing) -> Option<f64> {
    let counts = checkpoint.counts.values();
    let (passed, stable) = counts.fold((0, 0), |(passed, stable), count| {
        let own = count.total.saturating_sub(count.unstable);
        (passed + count.passed, stable + own)
    });
    let graded = standing == Standing::Graded && stable > 0;
    graded.then(|| f64::from(passed) / f64::from(stable))
}

fn of_cohort(cohort: usize, steps: &[Step<'_>], options: &StudyOptions) -> Vec<Sensitivity> {
    let mut found = Vec::new();
    if steps.is_empty() {
        return found;
    }
    for next in [Next::PassRate, Next::Cost] {
        for (row, cut_off) in CUT_OFFS.into_iter().enumerate() {
            for (column, weight) in SizeWeight::ALL.into_iter().enumerate() {
                let clusters = clusters(steps, |step| {
                    let then = match next {
                        Next::PassRate => step.pass_rate,
                        Next::Cost => step.cost,
                    };
                    step.erosions[row][column].zip(then)
                });
                found.push(Sensitivity {
                    cohort,
                    cut_off,
                    weight,
                    next,
                    ..correlated(&clusters, options)
                });
            }
        }
    }
    found
}

type Cluster = Vec<(f64, f64)>;

fn clusters<'a>(
    steps: &[Step<'a>],
    pair: impl Fn(&Step<'a>) -> Option<(f64, f64)>,
) -> Vec<Cluster> {
    let mut clusters: BTreeMap<&str, Cluster> = BTreeMap::new();
    for step in steps {
        if let Some(pair) = pair(step) {
            clusters.entry(step.problem).or_default().push(pair);
        }
    }
    clusters.into_values().collect()
}

/// The numbers of a correlation; the caller names it.
fn correlated(clusters: &[Cluster], options: &StudyOptions) -> Sensitivity {
    let pairs: Vec<(f64, f64)> = clusters.iter().flatten().copied().collect();
    let centred: Vec<Cluster> = clusters.iter().map(centred).collect();
    let resampled = |clusters: &[Cluster]| {
        let resampled = Correlation::Pearson.clustered(clusters, &options.bootstrap)?;
        let interval = resampled.percentile().filter(|_| clusters.len() > 1);
        Some((resampled.estimate, interval))
    };
    let (plain, within) = (resampled(clusters), resampled(&centred));
    Sensitivity {
        cohort: 0,
        cut_off: 0,
        weight: SizeWeight::None,
        next: Next::PassRate,
        pairs: narrow(pairs.len()),
        problems: narrow(clusters.len()),
        pearson: plain.map(|(r, _)| r),
        interval: plain.and_then(|(_, interval)| interval),
        spearman: spearman(&pairs),
        within: within.map(|(r, _)| r),
        within_interval: within.and_then(|(_, interval)| interval),
    }
}

/// The pairs less their means.
fn centred(cluster: &Cluster) -> Cluster {
    let mean = |of: fn(&(f64, f64)) -> f64| {
        let values: Vec<f64> = cluster.iter().map(of).collect();
        slope_stats::mean(&values).unwrap_or_default()
    };
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    cluster
        .iter()
        .map(|pair| (pair.0 - x, pair.1 - y))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six functions, with the erosions that were computed for them independently.
    #[test]
    fn erosion_by_cut_off_and_weight() {
        let functions: Vec<FunctionFact> = [12, 3, 25, 7, 11, 1]
            .into_iter()
            .zip([40, 9, 120, 25, 16, 4])
            .map(|(complexity, sloc)| FunctionFact {
                path: "a.py".to_owned(),
                name: "f".to_owned(),
                line: 1,
                end_line: sloc,
                complexity,
                sloc,
            })
            .collect();
        let expected = [
            [0.8135593220338984, 0.8953965244258347, 0.9466597617814604],
            [0.8135593220338984, 0.8953965244258347, 0.9466597617814604],
            [0.423728813559322, 0.6227574257109888, 0.7767995857068877],
        ];
        for (cut_off, row) in CUT_OFFS.into_iter().zip(expected) {
            for (weight, expected) in SizeWeight::ALL.into_iter().zip(row) {
                let found = erosion_by(&functions, cut_off, weight).unwrap();
                assert!((found - expected).abs() < 1e-9, "{cut_off} {weight:?}");
            }
        }
        assert_eq!(erosion_by(&[], 10, SizeWeight::Linear), None);
    }
}
