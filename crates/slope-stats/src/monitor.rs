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
    // Sums of weights and of weighted differences up to each day.
    let mut sums = vec![(0.0, 0.0)];
    let mut scanned = Vec::with_capacity(days.len());
    for (mean, k) in days {
        let weight = 1.0 / (variance(*k) + spread.day);
        let (weights, moved) = sums[sums.len() - 1];
        sums.push((weights + weight, moved + weight * (mean - baseline)));
        scanned.push(most_likely(&sums, base));
    }
    Some(scanned)
}

fn most_likely(sums: &[(f64, f64)], base: f64) -> Scanned {
    let today = sums.len() - 1;
    let (weights, moved) = sums[today];
    let z = |start: usize| {
        let (before, reference) = (base + sums[start].0, sums[start].1);
        let since = weights - sums[start].0;
        let apart = reference / before - (moved - reference) / since;
        apart / (1.0 / since + 1.0 / before).sqrt()
    };
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
    let usable = rates.iter().all(|p| *p > 0.0 && *p < 1.0) && all_finite(shifts.iter().copied());
    if !usable || shifts.is_empty() || days.iter().any(|day| day.len() != rates.len()) {
        return None;
    }
    let fallen = |p: f64, shift: f64| 1.0 / (1.0 + (shift - (p / (1.0 - p)).ln()).exp());
    let mut states = vec![(1.0, 0.0, 0.0); shifts.len()];
    let mut found = Vec::with_capacity(days.len());
    for day in days {
        for (state, shift) in states.iter_mut().zip(shifts) {
            let factors = rates.iter().zip(day).map(|(p, passed)| {
                let q = fallen(*p, *shift);
                if *passed {
                    q / p
                } else {
                    (1.0 - q) / (1.0 - p)
                }
            });
            let ratio: f64 = factors.product();
            state.0 *= ratio;
            state.1 = ratio * (1.0 + state.1);
            state.2 = ratio * f64::max(1.0, state.2);
        }
        let mean = |of: fn(&(f64, f64, f64)) -> f64| {
            states.iter().map(of).sum::<f64>() / float(shifts.len())
        };
        found.push(EValues {
            process: mean(|s| s.0),
            detector: mean(|s| s.1),
            cusum: mean(|s| s.2),
        });
    }
    Some(found)
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
