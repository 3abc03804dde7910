//! Bootstrap intervals: percentile, basic, and bias-corrected and accelerated (BCa).
//!
//! *Clusters* are drawn with replacement, each with all its observations. Independent observations
//! are clusters of one. Draws come from [`SplitMix64`]: the same seed gives the same draws
//! everywhere, see [`Bootstrap::run`] for details.

use serde::{Deserialize, Serialize};

use crate::proportion::Interval;
use crate::random::SplitMix64;
use crate::special::{normal_cdf, normal_quantile};
use crate::{float, mean, stddev};

/// Values this near to the estimate are equal to it where BCa counts those below.
const EQUAL: f64 = 1e-12;

/// Options of resampling.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bootstrap {
    /// Resamples.
    pub resamples: usize,
    /// Seed of the generator.
    pub seed: u64,
    /// Confidence of intervals, above 0 and below 1.
    pub confidence: f64,
}

impl Default for Bootstrap {
    /// 10 000 resamples, seed 42, 95 %.
    fn default() -> Self {
        Self {
            resamples: 10_000,
            seed: 42,
            confidence: 0.95,
        }
    }
}

/// A statistic over all clusters and over resamples of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Resampled {
    /// The statistic over all clusters as they are.
    pub estimate: f64,
    /// The statistic of each resample that has one, ascending.
    pub sorted: Vec<f64>,
    /// Number of resamples without the statistic (for example a correlation of constants).
    pub undefined: usize,
    /// The statistic with each cluster left out in turn, for BCa; `None` if one has none.
    jackknife: Option<Vec<f64>>,
    confidence: f64,
}

/// Correction terms of BCa.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correction {
    /// Median bias, in normal units.
    pub bias: f64,
    /// Acceleration: how the standard error changes with the estimate.
    pub acceleration: f64,
    /// Quantile levels of the resamples that give the interval's limits.
    pub levels: (f64, f64),
}

impl Bootstrap {
    /// Resamples `clusters` and computes `statistic` of each resample.
    ///
    /// For each resample, as many indices as there are clusters are drawn by [`SplitMix64::index`]
    /// from one generator, and the clusters are passed to `statistic` in the order of the draws.
    /// `None` without clusters, without resamples, with a confidence outside 0 to 1, or if the
    /// statistic of the original clusters does not exist.
    #[must_use]
    pub fn run<T>(
        &self,
        clusters: &[T],
        statistic: impl Fn(&[&T]) -> Option<f64>,
    ) -> Option<Resampled> {
        let usable = self.resamples > 0 && self.confidence > 0.0 && self.confidence < 1.0;
        if clusters.is_empty() || !usable {
            return None;
        }
        let statistic = |drawn: &[&T]| statistic(drawn).filter(|value| value.is_finite());
        let all: Vec<&T> = clusters.iter().collect();
        let estimate = statistic(&all)?;
        let mut random = SplitMix64::new(self.seed);
        let mut drawn = all.clone();
        let mut sorted = Vec::with_capacity(self.resamples);
        for _ in 0..self.resamples {
            for place in &mut drawn {
                *place = all[random.index(all.len())];
            }
            sorted.extend(statistic(&drawn));
        }
        sorted.sort_unstable_by(f64::total_cmp);
        let without = |left_out: usize| {
            let mut others = all.clone();
            others.remove(left_out);
            statistic(&others)
        };
        Some(Resampled {
            estimate,
            undefined: self.resamples - sorted.len(),
            sorted,
            jackknife: (all.len() > 1)
                .then(|| (0..all.len()).map(without).collect())
                .flatten(),
            confidence: self.confidence,
        })
    }
}

impl Resampled {
    /// Whether few enough resamples lack the statistic (at most one in twenty) for a valid
    /// interval.
    fn is_whole(&self) -> bool {
        !self.sorted.is_empty() && self.undefined * 20 <= self.sorted.len() + self.undefined
    }

    /// Standard deviation over resamples (divisor n − 1): the standard error of the estimate.
    #[must_use]
    pub fn se(&self) -> Option<f64> {
        stddev(&self.sorted)
    }

    /// Mean over resamples.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        mean(&self.sorted)
    }

    /// The percentile interval: quantiles of the resamples. `None` if more than one resample in
    /// twenty lacks the statistic.
    #[must_use]
    pub fn percentile(&self) -> Option<Interval> {
        let tail = (1.0 - self.confidence) / 2.0;
        self.between(tail, 1.0 - tail)
    }

    /// The basic interval: the percentile interval mirrored at the estimate.
    #[must_use]
    pub fn basic(&self) -> Option<Interval> {
        let Interval { low, high } = self.percentile()?;
        Some(Interval {
            low: 2.0 * self.estimate - high,
            high: 2.0 * self.estimate - low,
        })
    }

    /// The bias-corrected and accelerated interval (Efron 1987). `None` also if the correction does
    /// not exist.
    #[must_use]
    pub fn bca(&self) -> Option<Interval> {
        let (low, high) = self.correction()?.levels;
        self.between(low, high)
    }

    /// The correction of [`Self::bca`]; `None` if all resamples are on one side of the estimate,
    /// with a single cluster, or if leaving one out leaves no statistic.
    #[must_use]
    pub fn correction(&self) -> Option<Correction> {
        if !self.is_whole() {
            return None;
        }
        let near = |value: f64| (value - self.estimate).abs() <= EQUAL;
        let below = self
            .sorted
            .iter()
            .filter(|v| **v < self.estimate && !near(**v));
        let equal = self.sorted.iter().filter(|v| near(**v));
        let share = (float(below.count()) + float(equal.count()) / 2.0) / float(self.sorted.len());
        let bias = normal_quantile(share)?;
        let acceleration = acceleration(self.jackknife.as_deref()?)?;
        let tail = normal_quantile((1.0 - self.confidence) / 2.0)?;
        let level = |z: f64| normal_cdf(bias + (bias + z) / (1.0 - acceleration * (bias + z)));
        Some(Correction {
            bias,
            acceleration,
            levels: (level(tail), level(-tail)),
        })
    }

    fn between(&self, low: f64, high: f64) -> Option<Interval> {
        if !self.is_whole() {
            return None;
        }
        Some(Interval {
            low: quantile_of_sorted(&self.sorted, low)?,
            high: quantile_of_sorted(&self.sorted, high)?,
        })
    }
}

fn acceleration(jackknife: &[f64]) -> Option<f64> {
    let centre = mean(jackknife)?;
    let off = || jackknife.iter().map(|value| centre - value);
    let squares: f64 = off().map(|d| d * d).sum();
    if squares <= 0.0 {
        // Every cluster moves the estimate equally: nothing to correct.
        return Some(0.0);
    }
    Some(off().map(|d| d * d * d).sum::<f64>() / (6.0 * squares.powf(1.5)))
}

/// The quantile of ascending `values` at `level`, 0 to 1, by linear interpolation between order
/// statistics (type 7 of Hyndman and Fan 1996); `None` without values or for another level.
#[must_use]
pub fn quantile_of_sorted(values: &[f64], level: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    if !(0.0..=1.0).contains(&level) {
        return None;
    }
    let at = level * float(last);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last index"
    )]
    let below = at.floor() as usize;
    let low = *values.get(below)?;
    let high = *values.get((below + 1).min(last))?;
    Some(low + (at - at.floor()) * (high - low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(drawn: &[&f64]) -> Option<f64> {
        mean(&drawn.iter().map(|v| **v).collect::<Vec<_>>())
    }

    #[test]
    fn invalid_bootstrap_inputs_give_none() {
        let usual = Bootstrap::default();
        assert_eq!(usual.run(&[] as &[f64], means), None);
        let none = Bootstrap {
            resamples: 0,
            ..usual
        };
        assert_eq!(none.run(&[1.0], means), None);
        let sure = Bootstrap {
            confidence: 1.0,
            ..usual
        };
        assert_eq!(sure.run(&[1.0], means), None);
    }

    #[test]
    fn undefined_resamples_give_no_interval() {
        let few = Bootstrap {
            resamples: 200,
            ..Bootstrap::default()
        };
        // Defined only if both clusters were drawn: half of the time.
        let both = |drawn: &[&f64]| means(drawn).filter(|_| drawn.first() != drawn.last());
        let resampled = few.run(&[1.0, 2.0], both).unwrap();
        assert!(resampled.undefined > 50);
        assert_eq!(resampled.percentile(), None);
        assert_eq!(resampled.bca(), None);
    }

    #[test]
    fn single_cluster_has_no_bca_interval() {
        let one = Bootstrap::default().run(&[0.5], means).unwrap();
        assert_eq!(
            one.percentile(),
            Some(Interval {
                low: 0.5,
                high: 0.5
            })
        );
        assert_eq!(one.bca(), None);
    }
}
