//! Correlations of pairs.

use crate::bootstrap::{Bootstrap, Resampled};
use crate::proportion::{Interval, Z95};
use crate::special::t_two_sided;
use crate::{all_finite, float, float_u64, ranks};

/// Which correlation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correlation {
    /// Of the values.
    Pearson,
    /// Of their ranks, ties with their mean rank.
    Spearman,
}

impl Correlation {
    /// The correlation of `pairs`; `None` as for [`pearson`].
    #[must_use]
    pub fn of(self, pairs: &[(f64, f64)]) -> Option<f64> {
        match self {
            Self::Pearson => pearson(pairs),
            Self::Spearman => spearman(pairs),
        }
    }

    /// The correlation of all pairs of all clusters, resampled by cluster.
    #[must_use]
    pub fn clustered(
        self,
        clusters: &[Vec<(f64, f64)>],
        bootstrap: &Bootstrap,
    ) -> Option<Resampled> {
        bootstrap.run(clusters, |drawn| {
            let pairs: Vec<(f64, f64)> = drawn.iter().copied().flatten().copied().collect();
            self.of(&pairs)
        })
    }
}

/// Pearson's r; `None` with fewer than two pairs, where one side is constant, or with a value
/// that is not finite.
#[must_use]
pub fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 2 || !all_finite(pairs.iter().flat_map(|(x, y)| [*x, *y])) {
        return None;
    }
    let n = float(pairs.len());
    let mean_x = pairs.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = pairs.iter().map(|(_, y)| y).sum::<f64>() / n;
    let (mut sxx, mut syy, mut sxy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        let (dx, dy) = (x - mean_x, y - mean_y);
        sxx += dx * dx;
        syy += dy * dy;
        sxy += dx * dy;
    }
    let scale = sxx.sqrt() * syy.sqrt();
    let r = sxy / scale;
    (scale > 0.0 && r.is_finite()).then(|| r.clamp(-1.0, 1.0))
}

/// Spearman's ρ: [`pearson`] of the ranks.
#[must_use]
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    if !all_finite(pairs.iter().flat_map(|(x, y)| [*x, *y])) {
        return None;
    }
    let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let ranked = ranks::doubled(&xs).into_iter().zip(ranks::doubled(&ys));
    pearson(
        &ranked
            .map(|(x, y)| (float_u64(x), float_u64(y)))
            .collect::<Vec<_>>(),
    )
}

/// Kendall's τ_b: concordant less discordant pairs of pairs, over the geometric mean of those
/// untied on each side. Takes time quadratic in the number of pairs; `None` as for [`pearson`].
#[must_use]
pub fn kendall(pairs: &[(f64, f64)]) -> Option<f64> {
    if !all_finite(pairs.iter().flat_map(|(x, y)| [*x, *y])) {
        return None;
    }
    let (mut agree, mut untied_x, mut untied_y) = (0.0, 0.0, 0.0);
    for (place, (x1, y1)) in pairs.iter().enumerate() {
        for (x2, y2) in &pairs[place + 1..] {
            let sign = |a: f64, b: f64| if a == b { 0.0 } else { (a - b).signum() };
            let (dx, dy) = (sign(*x1, *x2), sign(*y1, *y2));
            agree += dx * dy;
            untied_x += dx * dx;
            untied_y += dy * dy;
        }
    }
    let scale: f64 = untied_x * untied_y;
    (scale > 0.0).then(|| agree / scale.sqrt())
}

/// Two-sided p of a correlation `r` of `n` independent pairs, by Student's t with n − 2 degrees
/// of freedom; `None` with fewer than three pairs or where `r` is no correlation.
#[must_use]
pub fn correlation_p(r: f64, n: usize) -> Option<f64> {
    let df = float(n.checked_sub(2).filter(|df| *df > 0)?);
    if !(-1.0..=1.0).contains(&r) {
        return None;
    }
    let rest = 1.0 - r * r;
    if rest <= 0.0 {
        return Some(0.0);
    }
    Some(t_two_sided(r * (df / rest).sqrt(), df))
}

/// Fisher's 95 % interval of Pearson's `r` of `n` independent pairs; `None` with fewer than four
/// pairs, or where `r` is not strictly between −1 and 1.
#[must_use]
pub fn fisher_interval(r: f64, n: usize) -> Option<Interval> {
    let weight = float(n.checked_sub(3).filter(|weight| *weight > 0)?);
    if !(r > -1.0 && r < 1.0) {
        return None;
    }
    let (centre, half) = (r.atanh(), Z95 / weight.sqrt());
    Some(Interval {
        low: (centre - half).tanh(),
        high: (centre + half).tanh(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_no_correlation() {
        let flat = [(1.0, 2.0), (1.0, 3.0), (1.0, 5.0)];
        assert_eq!(
            (pearson(&flat), spearman(&flat), kendall(&flat)),
            (None, None, None)
        );
        assert_eq!(pearson(&[(1.0, 1.0)]), None);
        assert_eq!(correlation_p(0.5, 2), None);
        assert_eq!(correlation_p(1.0, 5), Some(0.0));
        assert_eq!(fisher_interval(0.5, 3), None);
        assert_eq!(fisher_interval(1.0, 9), None);
    }
}
