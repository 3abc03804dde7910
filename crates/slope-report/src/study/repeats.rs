//! Variation of rates between several trials of the same problems in one cohort.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slope_model::run::TrialReport;
use slope_stats::{pass_at_k, pass_hat_k};

use super::members::{Members, narrow};
use crate::rates::{self, Rule};

/// Repeats of the problems of a cohort.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repeats {
    /// Place in the study's cohorts, from 0.
    pub cohort: usize,
    /// Trials of the problem that has the most.
    pub trials: u32,
    /// Problems with two trials or more.
    pub problems: u32,
    /// Rates of solved checkpoints, repeat by repeat.
    pub rates: Vec<RepeatedRate>,
    /// The chance that some, and that all, of k attempts at a checkpoint solve it strictly.
    pub checkpoints: Vec<PassK>,
    /// The same of trials that solve every checkpoint.
    pub whole: Vec<PassK>,
    /// Variance of a checkpoint's strict outcome from trial to trial: the mean over checkpoints
    /// known in n ≥ 2 trials of c(n − c) / (n(n − 1)), where c is the number of solved ones.
    pub variance: Option<f64>,
}

/// A rate over repeats. A repeat is the first trial of every problem, or the second, and so on;
/// only problems in all repeats count, so that repeats differ by chance alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepeatedRate {
    /// `strict`, `isolated` or `core`.
    pub rate: String,
    /// Problems in every repeat.
    pub problems: u32,
    /// The rate of graded checkpoints in each repeat, in order; those without any are left out.
    pub values: Vec<f64>,
    /// Mean over repeats.
    pub mean: Option<f64>,
    /// Standard deviation between repeats (divisor n − 1).
    pub deviation: Option<f64>,
}

/// pass@k and pass^k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PassK {
    /// Attempts.
    pub k: u32,
    /// Checkpoints, or problems, known in at least k trials; the mean is over them.
    pub n: u32,
    /// Probability that at least one of k attempts passes (pass@k).
    pub some: Option<f64>,
    /// Chance that all of k attempts pass (pass^k).
    pub all: Option<f64>,
}

/// The repeats of each cohort that has any.
pub(super) fn repeats(members: &[Members<'_>]) -> Vec<Repeats> {
    let all = members.iter().enumerate();
    all.filter_map(|(cohort, own)| of_cohort(cohort, own))
        .collect()
}

fn of_cohort(cohort: usize, members: &Members<'_>) -> Option<Repeats> {
    let mut problems = members.by_problem();
    problems.retain(|_, trials| trials.len() > 1);
    let trials = problems.values().map(Vec::len).max()?;
    let checkpoints: Vec<(u64, u64)> = problems.values().flat_map(|t| at_checkpoints(t)).collect();
    let whole: Vec<(u64, u64)> = problems
        .values()
        .map(|trials| counted(trials.iter().map(|trial| rates::solved(trial))))
        .collect();
    Some(Repeats {
        cohort,
        trials: narrow(trials),
        problems: narrow(problems.len()),
        rates: Rule::ALL.map(|rule| repeated(&problems, rule)).to_vec(),
        checkpoints: pass(&checkpoints),
        whole: pass(&whole),
        variance: variance(&checkpoints),
    })
}

/// For each checkpoint, the number of trials in which it is known, and the number that solve it.
fn at_checkpoints(trials: &[&TrialReport]) -> Vec<(u64, u64)> {
    let mut known: BTreeMap<&str, Vec<Option<bool>>> = BTreeMap::new();
    for trial in trials {
        let verdicts = rates::verdicts(trial, Rule::Strict);
        for (checkpoint, solved) in trial.checkpoints.iter().zip(verdicts) {
            known
                .entry(&checkpoint.checkpoint)
                .or_default()
                .push(solved);
        }
    }
    known
        .into_values()
        .map(|o| counted(o.into_iter()))
        .collect()
}

/// Number of known outcomes, and of true ones.
fn counted(outcomes: impl Iterator<Item = Option<bool>>) -> (u64, u64) {
    outcomes.flatten().fold((0, 0), |(known, solved), holds| {
        (known + 1, solved + u64::from(holds))
    })
}

fn pass(counts: &[(u64, u64)]) -> Vec<PassK> {
    let most = counts.iter().map(|(n, _)| *n).max().unwrap_or(0);
    (1..=most)
        .map(|k| {
            let of = |estimate: fn(u64, u64, u64) -> Option<f64>| -> Vec<f64> {
                let all = counts.iter();
                all.filter_map(|(n, c)| estimate(*n, *c, k)).collect()
            };
            let some = of(pass_at_k);
            PassK {
                k: u32::try_from(k).unwrap_or(u32::MAX),
                n: narrow(some.len()),
                some: slope_stats::mean(&some),
                all: slope_stats::mean(&of(pass_hat_k)),
            }
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of trials are small")]
fn variance(counts: &[(u64, u64)]) -> Option<f64> {
    let repeated = counts.iter().filter(|(n, _)| *n > 1);
    let each: Vec<f64> = repeated
        .map(|(n, c)| (c * (n - c)) as f64 / (n * (n - 1)) as f64)
        .collect();
    slope_stats::mean(&each)
}

fn repeated(problems: &BTreeMap<&str, Vec<&TrialReport>>, rule: Rule) -> RepeatedRate {
    let repeats = problems.values().map(Vec::len).max().unwrap_or(0);
    let whole: Vec<&Vec<&TrialReport>> = problems.values().filter(|t| t.len() == repeats).collect();
    let values: Vec<f64> = (0..repeats)
        .filter_map(|repeat| {
            let tallies = whole
                .iter()
                .map(|trials| rates::tally(trials[repeat], rule));
            let sum = tallies.fold(rates::Tally::default(), rates::Tally::plus);
            (sum.graded > 0).then(|| f64::from(sum.solved) / f64::from(sum.graded))
        })
        .collect();
    RepeatedRate {
        rate: rule.name().to_owned(),
        problems: narrow(whole.len()),
        mean: slope_stats::mean(&values),
        deviation: slope_stats::stddev(&values),
        values,
    }
}
