//! Wilcoxon's signed-rank test of paired differences.

use serde::{Deserialize, Serialize};

use crate::special::normal_two_sided;
use crate::{all_finite, float, float_u64, median, ranks};

/// Maximum number of differences other than zero for which the exact distribution is enumerated.
pub const EXACT_UP_TO: usize = 60;

/// Resolution of differences; otherwise rounding would break ties such as 0.3 − 0.2 and 0.2 − 0.1.
const RESOLUTION: f64 = 1e-12;

/// Treatment of zero differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Zeros {
    /// Drop them before ranking (Wilcoxon 1945).
    Wilcoxon,
    /// Rank them, then drop their ranks (Pratt 1959).
    Pratt,
    /// Rank them, and count half of their ranks to each side.
    Split,
}

/// The result of the test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignedRank {
    /// Differences.
    pub n: usize,
    /// Differences other than zero.
    pub nonzero: usize,
    /// Sum of the ranks of positive differences.
    pub plus: f64,
    /// Sum of the ranks of negative differences.
    pub minus: f64,
    /// Probabilities by enumeration of all signs of the existing ranks, including ties; `None`
    /// above [`EXACT_UP_TO`] and for [`Zeros::Split`], which has no such distribution.
    pub exact: Option<Exactly>,
    /// Standardised `plus` by the normal approximation, corrected for ties, without continuity
    /// correction; `None` where all differences are zero.
    pub z: Option<f64>,
    /// Two-sided p of `z`.
    pub p_normal: Option<f64>,
    /// Two-sided p with continuity correction.
    pub p_normal_continuity: Option<f64>,
    /// The Hodges–Lehmann shift: the median of the means of all pairs of differences, each with
    /// itself included.
    pub shift: f64,
}

/// Exact probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Exactly {
    /// Twice the smaller tail, at most 1.
    pub two_sided: f64,
    /// Probability of a sum of positive ranks at least as large: small if differences are above 0.
    pub greater: f64,
    /// Probability of a sum at most as large.
    pub less: f64,
}

impl SignedRank {
    /// The two-sided p to print: the exact one if there is one, else the normal one.
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        self.exact.map(|exact| exact.two_sided).or(self.p_normal)
    }
}

/// Tests whether paired `differences` are symmetric around 0.
///
/// Differences that agree to 1e-12 are ties and get their mean rank. `None` without differences or
/// with one that is not finite.
#[must_use]
pub fn wilcoxon(differences: &[f64], zeros: Zeros) -> Option<SignedRank> {
    if differences.is_empty() || !all_finite(differences.iter().copied()) {
        return None;
    }
    let rounded = |d: &f64| (d / RESOLUTION).round() * RESOLUTION;
    let kept: Vec<f64> = differences
        .iter()
        .map(rounded)
        .filter(|d| zeros != Zeros::Wilcoxon || *d != 0.0)
        .collect();
    let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
    let doubled = ranks::doubled(&sizes);
    let of = |holds: fn(f64) -> bool| -> Vec<u64> {
        let ranked = kept.iter().zip(&doubled);
        ranked
            .filter(|(d, _)| holds(**d))
            .map(|(_, r)| *r)
            .collect()
    };
    let (up, down, none) = (of(|d| d > 0.0), of(|d| d < 0.0), of(|d| d == 0.0));
    let total = |ranks: &[u64]| float_u64(ranks.iter().sum()) / 2.0;
    let shared = match zeros {
        Zeros::Split => total(&none) / 2.0,
        Zeros::Wilcoxon | Zeros::Pratt => 0.0,
    };
    let (plus, minus) = (total(&up) + shared, total(&down) + shared);
    let nonzero = up.len() + down.len();
    let normal = (nonzero > 0).then(|| normal(plus, &sizes, none.len(), zeros));
    let enumerated = zeros != Zeros::Split && (1..=EXACT_UP_TO).contains(&nonzero);
    Some(SignedRank {
        n: differences.len(),
        nonzero,
        plus,
        minus,
        exact: enumerated.then(|| exact(&up, &down)),
        z: normal.map(|(z, _)| z),
        p_normal: normal.map(|(z, _)| normal_two_sided(z)),
        p_normal_continuity: normal.map(|(_, z)| normal_two_sided(z)),
        shift: shift(differences)?,
    })
}

/// z without and with continuity correction.
fn normal(plus: f64, sizes: &[f64], none: usize, zeros: Zeros) -> (f64, f64) {
    let mean = |n: f64| n * (n + 1.0) / 4.0;
    let variance = |n: f64| n * (n + 1.0) * (2.0 * n + 1.0) / 24.0;
    let n = float(sizes.len());
    // Pratt's dropped ranks are the first ones; the zeros do not tie the remaining ones.
    let (without, ties) = match zeros {
        Zeros::Pratt => {
            let stay: Vec<f64> = sizes.iter().copied().filter(|d| *d != 0.0).collect();
            (float(none), ranks::tie_term(&stay))
        }
        Zeros::Wilcoxon | Zeros::Split => (0.0, ranks::tie_term(sizes)),
    };
    let off = plus - (mean(n) - mean(without));
    let spread = (variance(n) - variance(without) - ties / 48.0).sqrt();
    let nearer = if off == 0.0 { 0.0 } else { 0.5 * off.signum() };
    (off / spread, (off - nearer) / spread)
}

/// Enumerates the sums of all subsets of the ranks. Each sign is a fair coin.
fn exact(up: &[u64], down: &[u64]) -> Exactly {
    let ranks = || up.iter().chain(down).map(|rank| *rank as usize);
    let most: usize = ranks().sum();
    let mut probability = vec![0.0; most + 1];
    probability[0] = 1.0;
    let mut reached = 0;
    for rank in ranks() {
        reached += rank;
        for sum in (0..=reached).rev() {
            let with = if sum >= rank {
                probability[sum - rank]
            } else {
                0.0
            };
            probability[sum] = 0.5 * (probability[sum] + with);
        }
    }
    let seen = up.iter().sum::<u64>() as usize;
    let less: f64 = probability[..=seen].iter().sum::<f64>().min(1.0);
    let greater: f64 = probability[seen..].iter().sum::<f64>().min(1.0);
    Exactly {
        two_sided: (2.0 * less.min(greater)).min(1.0),
        greater,
        less,
    }
}

fn shift(differences: &[f64]) -> Option<f64> {
    let mut means = Vec::new();
    for (place, a) in differences.iter().enumerate() {
        means.extend(differences[place..].iter().map(|b| f64::midpoint(*a, *b)));
    }
    median(&means)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_zero_differences_have_no_p() {
        let test = wilcoxon(&[0.0, 0.0], Zeros::Wilcoxon).unwrap();
        assert_eq!((test.n, test.nonzero, test.p()), (2, 0, None));
        assert_eq!(wilcoxon(&[], Zeros::Pratt), None);
        assert_eq!(wilcoxon(&[1.0, f64::NAN], Zeros::Pratt), None);
    }

    #[test]
    fn nearly_equal_differences_are_ties() {
        let apart = [0.3 - 0.2, 0.2 - 0.1, 0.1];
        assert!(apart[0] != apart[1]);
        let test = wilcoxon(&apart, Zeros::Wilcoxon).unwrap();
        let same = wilcoxon(&[1.0, 1.0, 1.0], Zeros::Wilcoxon).unwrap();
        assert_eq!(test.z, same.z);
    }

    #[test]
    fn many_differences_have_no_exact_p() {
        let many: Vec<f64> = (1..=61).map(f64::from).collect();
        let test = wilcoxon(&many, Zeros::Wilcoxon).unwrap();
        assert_eq!((test.exact, test.p()), (None, test.p_normal));
    }
}
