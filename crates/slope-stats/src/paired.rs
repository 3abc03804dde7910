//! Comparisons of pairs: McNemar's test, the paired t test, and means of clusters.

use serde::{Deserialize, Serialize};

use crate::special::{coin_at_most, coin_exactly, normal_two_sided, t_two_sided};
use crate::{all_finite, float, float_u64, mean, stddev};

/// McNemar's test: of the pairs that differ, `b` went one way and `c` the other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct McNemar {
    /// Exact two-sided p: twice the smaller tail of the fair coin, at most 1.
    pub exact: f64,
    /// Two-sided mid-p: the observed count's own probability counts half.
    pub mid_p: f64,
    /// Exact one-sided p of at least as many of the more frequent kind.
    pub one_sided: f64,
    /// χ² with continuity correction, one degree of freedom; at least 0.
    pub chi2: f64,
    /// p of `chi2`.
    pub p_chi2: f64,
    /// (b − c) / √(b + c).
    pub z: f64,
}

/// Tests whether `b` and `c`, counts of pairs that differ one way and the other, are consistent
/// with a fair coin; `None` if no pair differs.
#[must_use]
pub fn mcnemar(b: u64, c: u64) -> Option<McNemar> {
    let n = b.checked_add(c).filter(|n| *n > 0)?;
    let fewer = b.min(c);
    let tail = coin_at_most(fewer, n);
    let apart = float_u64(b.abs_diff(c));
    let chi2 = (apart - 1.0).max(0.0).powi(2) / float_u64(n);
    let size = apart / float_u64(n).sqrt();
    Some(McNemar {
        exact: (2.0 * tail).min(1.0),
        mid_p: (2.0 * tail - coin_exactly(fewer, n)).clamp(0.0, 1.0),
        one_sided: tail,
        chi2,
        p_chi2: normal_two_sided(chi2.sqrt()),
        z: if b >= c { size } else { -size },
    })
}

/// A mean of paired differences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairedMean {
    /// Pairs.
    pub n: usize,
    /// Mean difference.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Student's t with n − 1 degrees of freedom; `None` where all differences are equal.
    pub t: Option<f64>,
    /// Two-sided p of `t`.
    pub p: Option<f64>,
}

/// The mean of paired differences with its t test; `None` with fewer than two, or with one that
/// is not finite.
#[must_use]
pub fn paired_mean(differences: &[f64]) -> Option<PairedMean> {
    let n = float(differences.len());
    let mean = mean(differences)?;
    let se = stddev(differences)? / n.sqrt();
    let t = (se > 0.0).then(|| mean / se);
    Some(PairedMean {
        n: differences.len(),
        mean,
        se,
        t,
        p: t.map(|t| t_two_sided(t, n - 1.0)),
    })
}

/// A mean of observations that come in clusters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClusterMean {
    /// Observations.
    pub n: usize,
    /// Clusters.
    pub clusters: usize,
    /// Mean of all observations.
    pub mean: f64,
    /// Standard error as if observations were independent; `None` with fewer than two.
    pub se_independent: Option<f64>,
    /// Standard error from the clusters' sums of residuals (Liang and Zeger 1986), without
    /// correction for few clusters; `None` with fewer than two clusters.
    pub se: Option<f64>,
}

/// The mean over all observations of `clusters`, with a standard error that assumes only
/// independent clusters; `None` without observations or with one that is not finite.
#[must_use]
pub fn cluster_mean(clusters: &[Vec<f64>]) -> Option<ClusterMean> {
    let all: Vec<f64> = clusters.iter().flatten().copied().collect();
    if !all_finite(all.iter().copied()) {
        return None;
    }
    let mean = mean(&all)?;
    let n = float(all.len());
    let filled = clusters.iter().filter(|c| !c.is_empty()).count();
    let squares: f64 = clusters
        .iter()
        .map(|cluster| cluster.iter().map(|v| v - mean).sum::<f64>().powi(2))
        .sum();
    Some(ClusterMean {
        n: all.len(),
        clusters: filled,
        mean,
        se_independent: stddev(&all).map(|sd| sd / n.sqrt()),
        se: (filled > 1).then(|| squares.sqrt() / n),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_paired_statistics_are_none() {
        assert_eq!(mcnemar(0, 0), None);
        assert_eq!(mcnemar(u64::MAX, 1), None);
        assert_eq!(paired_mean(&[1.0]), None);
        assert_eq!(paired_mean(&[1.0, 1.0]).unwrap().t, None);
        assert_eq!(cluster_mean(&[vec![], vec![]]), None);
        assert_eq!(cluster_mean(&[vec![1.0, 2.0], vec![]]).unwrap().se, None);
    }

    #[test]
    fn even_split_gives_p_one() {
        let even = mcnemar(4, 4).unwrap();
        assert_eq!((even.exact, even.chi2, even.z), (1.0, 0.0, 0.0));
        assert!((even.mid_p - 1.0).abs() < 1e-12);
    }
}
