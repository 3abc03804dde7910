//! Two cohorts head to head: which checkpoints each solved.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use slope_stats::{Interval, McNemar, mcnemar};

use super::members::{Members, StudyOptions, narrow};
use crate::rates::{self, Rule};

/// Pairs of cohorts that are compared at most.
pub(super) const MAX_PAIRS: usize = 66;

/// Two cohorts on the same checkpoints. With several trials of a problem, the first trial of one
/// cohort is paired with the first of the other, the second with the second, and so on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Place of the first in the study's cohorts, from 0.
    pub first: usize,
    /// Place of the second.
    pub second: usize,
    /// Problems with checkpoints known in both.
    pub problems: u32,
    /// Agreement by rate: strict, isolated, core.
    pub agreements: Vec<Agreement>,
    /// Checkpoints that only the first solved strictly.
    pub only_first: Vec<Solved>,
    /// Checkpoints that only the second solved strictly.
    pub only_second: Vec<Solved>,
}

/// Agreement of two cohorts on solved checkpoints; lost ones are unsolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// `strict`, `isolated` or `core`.
    pub rate: String,
    /// Solved by both.
    pub both: u32,
    /// Solved by the first only.
    pub only_first: u32,
    /// Solved by the second only.
    pub only_second: u32,
    /// Solved by neither.
    pub neither: u32,
    /// Known in only one of the two; not included in the numbers here.
    pub unpaired: u32,
    /// McNemar's test, which assumes independent checkpoints; `None` if none differs.
    pub test: Option<McNemar>,
    /// The first's rate less the second's.
    pub difference: Option<f64>,
    /// Percentile interval of it over resampled problems; `None` with fewer than two.
    pub by_problem: Option<Interval>,
}

/// A checkpoint of a trial.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Solved {
    /// Problem name.
    pub problem: String,
    /// The how-manieth trial of the problem in the cohort, from 1.
    pub trial: u32,
    /// Checkpoint name.
    pub checkpoint: String,
}

/// Known outcomes of a cohort: whether each checkpoint is solved.
type Outcomes = BTreeMap<Solved, bool>;

/// Outcomes of a problem's checkpoints in both.
type Cluster = Vec<(bool, bool)>;

/// Every pair of cohorts with common checkpoints; `Err` with their number if that is too large to
/// read.
pub(super) fn pairs(
    members: &[Members<'_>],
    options: &StudyOptions,
) -> Result<Vec<HeadToHead>, usize> {
    let all = members.len() * members.len().saturating_sub(1) / 2;
    if all > MAX_PAIRS {
        return Err(all);
    }
    let known: Vec<[Outcomes; 3]> = members
        .iter()
        .map(|own| Rule::ALL.map(|rule| outcomes(own, rule)))
        .collect();
    let places: Vec<(usize, usize)> = (0..known.len())
        .flat_map(|first| (first + 1..known.len()).map(move |second| (first, second)))
        .collect();
    let pairs = places.into_par_iter().filter_map(|(first, second)| {
        pair((first, &known[first]), (second, &known[second]), options)
    });
    Ok(pairs.collect())
}

fn outcomes(members: &Members<'_>, rule: Rule) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for (problem, trials) in members.by_problem() {
        for (trial, report) in (1..).zip(trials) {
            let verdicts = rates::verdicts(report, rule);
            for (checkpoint, solved) in report.checkpoints.iter().zip(verdicts) {
                let place = Solved {
                    problem: problem.to_owned(),
                    trial,
                    checkpoint: checkpoint.checkpoint.clone(),
                };
                outcomes.extend(solved.map(|solved| (place, solved)));
            }
        }
    }
    outcomes
}

fn pair(
    first: (usize, &[Outcomes; 3]),
    second: (usize, &[Outcomes; 3]),
    options: &StudyOptions,
) -> Option<HeadToHead> {
    let both = first.1.iter().zip(second.1);
    let agreements: Vec<Agreement> = Rule::ALL
        .into_iter()
        .zip(both)
        .map(|(rule, (a, b))| agreement(rule, a, b, options))
        .collect();
    let (a, b) = (&first.1[0], &second.1[0]);
    let problems = clusters(a, b).len();
    let only = |a: &Outcomes, b: &Outcomes| {
        let solved = a
            .iter()
            .filter(|(place, solved)| **solved && b.get(*place) == Some(&false));
        solved.map(|(place, _)| place.clone()).collect()
    };
    (problems > 0).then(|| HeadToHead {
        first: first.0,
        second: second.0,
        problems: narrow(problems),
        agreements,
        only_first: only(a, b),
        only_second: only(b, a),
    })
}

fn agreement(rule: Rule, a: &Outcomes, b: &Outcomes, options: &StudyOptions) -> Agreement {
    let clusters: Vec<Cluster> = clusters(a, b).into_values().collect();
    let all = clusters.iter().flatten();
    let count = |outcome: (bool, bool)| narrow(all.clone().filter(|c| **c == outcome).count());
    let (only_first, only_second) = (count((true, false)), count((false, true)));
    // Each problem summed once: the work of a resample is in problems, not in checkpoints.
    let sums: Vec<Lead> = clusters.iter().map(Lead::of).collect();
    let resampled = options.bootstrap.run(&sums, |drawn| {
        let sum = drawn.iter().fold(Lead::default(), |sum, own| sum.plus(own));
        sum.share()
    });
    let paired = all.clone().count();
    Agreement {
        rate: rule.name().to_owned(),
        both: count((true, true)),
        only_first,
        only_second,
        neither: count((false, false)),
        unpaired: narrow(a.len() + b.len() - 2 * paired),
        test: mcnemar(only_first.into(), only_second.into()),
        difference: resampled.as_ref().map(|r| r.estimate),
        by_problem: resampled
            .filter(|_| clusters.len() > 1)
            .and_then(|r| r.percentile()),
    }
}

/// Checkpoints known in both, by problem.
fn clusters<'a>(a: &'a Outcomes, b: &Outcomes) -> BTreeMap<&'a str, Cluster> {
    let mut clusters: BTreeMap<&str, Cluster> = BTreeMap::new();
    for (place, solved) in a {
        if let Some(other) = b.get(place) {
            let cluster = clusters.entry(&place.problem).or_default();
            cluster.push((*solved, *other));
        }
    }
    clusters
}

/// By how many checkpoints the first is ahead, of how many.
#[derive(Debug, Clone, Copy, Default)]
struct Lead {
    checkpoints: u32,
    ahead: i32,
}

impl Lead {
    fn of(cluster: &Cluster) -> Self {
        let ahead = |(first, second): &(bool, bool)| i32::from(*first) - i32::from(*second);
        Self {
            checkpoints: narrow(cluster.len()),
            ahead: cluster.iter().map(ahead).sum(),
        }
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            checkpoints: self.checkpoints + other.checkpoints,
            ahead: self.ahead + other.ahead,
        }
    }

    fn share(self) -> Option<f64> {
        (self.checkpoints > 0).then(|| f64::from(self.ahead) / f64::from(self.checkpoints))
    }
}
