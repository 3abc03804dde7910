//! Monitors: statistics that watch a daily series and detect changes.
//!
//! All take the series so far and return a value for each day, so that a chart and an alarm use the
//! same numbers. If a direction matters, a *fall* raises the statistic.

use serde::{Deserialize, Serialize};

use crate::proportion::Interval;
use crate::special::{bisect, ln_beta};
use crate::{all_finite, float, float_u64};

/// Longest change that the scan tests for, in days.
const LONGEST: usize = 90;

/// The 0.95 quantile of χ² with one degree of freedom.
const CHI2_95: f64 = 3.841_458_820_694_124;

/// Variance components of a daily mean over tasks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Variance of a task's outcome from run to run.
    pub run: f64,
    /// Variance of a day's mean that all of its runs share.
    pub day: f64,
    /// Tasks.
    pub tasks: u32,
    /// Runs of each task behind the baseline.
    pub baseline_runs: u32,
}

/// A day of the scan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scanned {
    /// The statistic: standard errors by which the days since the change fall short of those
    /// before.
    pub z: f64,
    /// First day after the change that fits best, from 0.
    pub start: usize,
}

/// The weighted generalised likelihood ratio scan for a fall of daily means below their baseline.
///
/// A day is its mean and the runs of each task, and weighs 1 / (run/(tasks·runs) + day); the
/// baseline weighs 1 / (run/(tasks·`baseline_runs`) + day/`baseline_runs`). Of all changes up to
/// 90 days ago the largest standardised difference is taken; all before the change is reference.
/// `None` with a value that is not finite, a day without runs, or without any variance.
#[must_use]
pub fn scan(days: &[(f64, u32)], baseline: f64, spread: &Spread) -> Option<Vec<Scanned>> {
    let runs = |runs: u32| f64::from(runs);
    let variance = |k: u32| spread.run / (f64::from(spread.tasks) * runs(k));
    let whole = all_finite(
        days.iter()
            .map(|day| day.0)
            .chain([baseline, spread.run, spread.day]),
    );
    let counted = days.iter().all(|day| day.1 > 0) && spread.baseline_runs > 0 && spread.tasks > 0;
    let usable = whole && counted && spread.run >= 0.0 && spread.day >= 0.0;
    if !usable || spread.run + spread.day <= 0.0 {
        return None;
    }
    let base = 1.0 / (variance(spread.baseline_runs) + spread.day / runs(spread.baseline_runs));
    let mut scan = Scan::new(base)?;
    let weighted = days.iter().map(|(mean, k)| {
        let weight = 1.0 / (variance(*k) + spread.day);
        scan.add(mean - baseline, weight)
    });
    weighted.collect()
}

/// The scan of [`scan`], one day at a time: differences from a baseline with their weights.
///
/// The weight of a day is 1 over the variance of its difference. Takes at most 90 steps a day.
#[derive(Debug, Clone)]
pub struct Scan {
    base: f64,
    /// Sums of weights and of weighted differences up to each day.
    sums: Vec<(f64, f64)>,
}

impl Scan {
    /// A scan without days. `base` is the weight of the baseline; `None` unless it is positive and finite.
    #[must_use]
    pub fn new(base: f64) -> Option<Self> {
        (base > 0.0 && base.is_finite()).then(|| Self {
            base,
            sums: vec![(0.0, 0.0)],
        })
    }

    /// Adds a day, and returns its statistic: a fall of the differences is positive. `None`, and the
    /// day is not added, with a difference that is not finite or a weight that is not positive.
    pub fn add(&mut self, difference: f64, weight: f64) -> Option<Scanned> {
        if !(difference.is_finite() && weight.is_finite() && weight > 0.0) {
            return None;
        }
        let (weights, moved) = self.sums[self.sums.len() - 1];
        self.sums
            .push((weights + weight, moved + weight * difference));
        Some(most_likely(&self.sums, self.base))
    }

    /// Number of days.
    #[must_use]
    pub fn days(&self) -> usize {
        self.sums.len() - 1
    }

    /// First and last start of the change that the data do not exclude at 95 %: all whose statistic
    /// squared is within 3.84 of the largest. `None` without days.
    #[must_use]
    pub fn starts(&self) -> Option<(usize, usize)> {
        let (days, best) = (self.days(), most_likely(&self.sums, self.base));
        let at = |start: usize| standardised(&self.sums, self.base, start);
        let near = |start: &usize| {
            let z = at(*start);
            z > 0.0 && best.z * best.z - z * z <= CHI2_95
        };
        let mut fitting = (days.saturating_sub(LONGEST)..days).filter(near);
        let first = fitting.next()?;
        Some((first, fitting.next_back().unwrap_or(first)))
    }

    /// The mean difference of the days from `start` on, relative to all before, and its standard
    /// error. `None` if there are no such days.
    #[must_use]
    pub fn effect(&self, start: usize) -> Option<(f64, f64)> {
        let (weights, moved) = self.sums[self.days()];
        let at = self.sums.get(start).filter(|_| start < self.days())?;
        let (before, since) = (self.base + at.0, weights - at.0);
        let mean = (moved - at.1) / since - at.1 / before;
        Some((mean, (1.0 / since + 1.0 / before).sqrt()))
    }
}

/// The statistic of a change that begins on the day `start`.
fn standardised(sums: &[(f64, f64)], base: f64, start: usize) -> f64 {
    let (weights, moved) = sums[sums.len() - 1];
    let (before, reference) = (base + sums[start].0, sums[start].1);
    let since = weights - sums[start].0;
    let apart = reference / before - (moved - reference) / since;
    apart / (1.0 / since + 1.0 / before).sqrt()
}

fn most_likely(sums: &[(f64, f64)], base: f64) -> Scanned {
    let today = sums.len() - 1;
    let z = |start: usize| standardised(sums, base, start);
    let starts = today.saturating_sub(LONGEST)..today;
    let best = starts.map(|start| Scanned { z: z(start), start });
    let larger = |a: Scanned, b: Scanned| if b.z > a.z { b } else { a };
    best.reduce(larger).unwrap_or(Scanned { z: 0.0, start: 0 })
}

/// Evidence of a fall, by outcomes of single tasks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EValues {
    /// The e-process: without a fall it ever exceeds 1/α with probability at most α.
    pub process: f64,
    /// Shiryaev's and Roberts's e-detector: under no change the mean time until it exceeds A is
    /// A at least.
    pub detector: f64,
    /// The same by cumulated sums.
    pub cusum: f64,
}

/// Daily e-values of outcomes against `rates`, the previous pass rates of the tasks, each above 0
/// and below 1. A fall lowers every rate by one of `shifts` on the logit scale; each e-value is a
/// mean over them. `None` without shifts, with invalid rates, or with a day that has a different
/// number of tasks.
#[must_use]
pub fn e_values(rates: &[f64], shifts: &[f64], days: &[Vec<bool>]) -> Option<Vec<EValues>> {
    if days.iter().any(|day| day.len() != rates.len()) {
        return None;
    }
    let mut evidence = Evidence::new(rates, shifts)?;
    let each = days.iter().map(|day| {
        let outcomes = day.iter().copied().enumerate();
        evidence.add(outcomes)
    });
    each.collect()
}

/// The e-values of [`e_values`], one day at a time. A day may lack tasks, or have several runs of one.
#[derive(Debug, Clone)]
pub struct Evidence {
    rates: Vec<f64>,
    shifts: Vec<f64>,
    states: Vec<EValues>,
}

impl Evidence {
    /// No evidence yet, as in [`e_values`].
    #[must_use]
    pub fn new(rates: &[f64], shifts: &[f64]) -> Option<Self> {
        let usable =
            rates.iter().all(|p| *p > 0.0 && *p < 1.0) && all_finite(shifts.iter().copied());
        let none = EValues {
            process: 1.0,
            detector: 0.0,
            cusum: 0.0,
        };
        (usable && !shifts.is_empty()).then(|| Self {
            rates: rates.to_vec(),
            shifts: shifts.to_vec(),
            states: vec![none; shifts.len()],
        })
    }

    /// Adds the outcomes of a day: the number of a task, and whether it passed. `None`, and nothing is
    /// added, if there is no such task.
    pub fn add(&mut self, outcomes: impl Iterator<Item = (usize, bool)>) -> Option<EValues> {
        let outcomes = outcomes.map(|(task, passed)| Some((*self.rates.get(task)?, passed)));
        let outcomes: Vec<(f64, bool)> = outcomes.collect::<Option<_>>()?;
        for (state, shift) in self.states.iter_mut().zip(&self.shifts) {
            let factors = outcomes.iter().map(|(p, passed)| {
                let q = 1.0 / (1.0 + (shift - (p / (1.0 - p)).ln()).exp());
                if *passed {
                    q / p
                } else {
                    (1.0 - q) / (1.0 - p)
                }
            });
            let ratio = bounded(factors.product());
            state.process = bounded(state.process * ratio);
            state.detector = bounded(ratio * (1.0 + state.detector));
            state.cusum = bounded(ratio * f64::max(1.0, state.cusum));
        }
        let mean = |of: fn(&EValues) -> f64| {
            self.states.iter().map(of).sum::<f64>() / float(self.states.len())
        };
        Some(EValues {
            process: mean(|s| s.process),
            detector: mean(|s| s.detector),
            cusum: mean(|s| s.cusum),
        })
    }
}

/// Keeps evidence finite: beyond every threshold, its size does not matter.
fn bounded(evidence: f64) -> f64 {
    evidence.clamp(1e-250, 1e250)
}

/// Page's cumulative sums: S = max(0, S + z − k), for standardised values whose rise counts.
#[must_use]
pub fn cusum(z: &[f64], k: f64) -> Vec<f64> {
    let mut sum: f64 = 0.0;
    z.iter()
        .map(|z| {
            sum = (sum + z - k).max(0.0);
            sum
        })
        .collect()
}

/// The exponentially weighted moving average of standardised values, over its own standard
/// deviation on that day; `lambda` is the weight of the newest. `None` outside of 0 to 1.
#[must_use]
pub fn ewma(z: &[f64], lambda: f64) -> Option<Vec<f64>> {
    if !(lambda > 0.0 && lambda <= 1.0) {
        return None;
    }
    let (mut average, mut left) = (0.0, 1.0);
    let values = z.iter().map(|z| {
        average = (1.0 - lambda) * average + lambda * z;
        left *= (1.0 - lambda) * (1.0 - lambda);
        average / (lambda / (2.0 - lambda) * (1.0 - left)).sqrt()
    });
    Some(values.collect())
}

/// Page's and Hinkley's test for a fall of the mean: the sum of the differences between the running
/// mean and the values, minus `slack` a day, relative to its lowest value.
#[must_use]
pub fn page_hinkley(values: &[f64], slack: f64) -> Vec<f64> {
    let (mut mean, mut sum, mut lowest) = (0.0, 0.0, 0.0_f64);
    let step = |(number, value): (usize, &f64)| {
        mean += (value - mean) / float(number);
        sum += mean - value - slack;
        lowest = lowest.min(sum);
        sum - lowest
    };
    (1..).zip(values).map(step).collect()
}

/// Half the width, in standard deviations of one observation, of an asymptotic confidence sequence
/// after `t` observations, narrowest at `tightest`; it is valid at all times at once with
/// probability 1 − `alpha`. `None` if a number of observations is 0, or `alpha` outside of 0 to 1.
#[must_use]
pub fn sequence_half_width(t: u64, tightest: u64, alpha: f64) -> Option<f64> {
    if t == 0 || tightest == 0 || !(alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    let twice = -2.0 * alpha.ln();
    let rho2 = (twice + (twice + 1.0).ln()) / float_u64(tightest);
    let t = float_u64(t);
    let grown = t * rho2 + 1.0;
    Some((2.0 * grown / (t * t * rho2) * (grown.sqrt() / alpha).ln()).sqrt())
}

/// Logarithm of the e-value of `x` of `n` against the rate `p`: a uniform mixture of all rates
/// over it. `None` for `x` above `n` or a rate that is not between 0 and 1.
#[must_use]
pub fn log_e_of_rate(x: u64, n: u64, p: f64) -> Option<f64> {
    if x > n || !(p > 0.0 && p < 1.0) {
        return None;
    }
    let (x, n) = (float_u64(x), float_u64(n));
    Some(ln_beta(1.0 + x, 1.0 + n - x) - x * p.ln() - (n - x) * (1.0 - p).ln())
}

/// The confidence sequence of a rate: all rates whose e-value is below 1/`alpha`. It is valid at
/// all times at once. `None` as for [`log_e_of_rate`], or with `alpha` outside of 0 to 1.
#[must_use]
pub fn rate_sequence(x: u64, n: u64, alpha: f64) -> Option<Interval> {
    if x > n || n == 0 || !(alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    let inside = |p: f64| log_e_of_rate(x, n, p).is_some_and(|e| e < -alpha.ln());
    let centre = float_u64(x) / float_u64(n);
    let low = if x == 0 {
        0.0
    } else {
        bisect(0.0, centre, |p| !inside(p))
    };
    let high = if x == n {
        1.0
    } else {
        bisect(centre, 1.0, inside)
    };
    Some(Interval { low, high })
}
