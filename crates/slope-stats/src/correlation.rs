//! Correlations of pairs.

use crate::bootstrap::{Bootstrap, Resampled};
use crate::proportion::{Interval, Z95};
use crate::special::t_two_sided;
use crate::{all_finite, float, float_u64, ranks};

/// Kind of correlation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correlation {
    /// Correlation of the values.
    Pearson,
    /// Correlation of their ranks, ties with their mean rank.
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
        if self == Self::Pearson {
            return by_sums(clusters, bootstrap);
        }
        bootstrap.run(clusters, |drawn| {
            let pairs: Vec<(f64, f64)> = drawn.iter().copied().flatten().copied().collect();
            self.of(&pairs)
        })
    }
}

/// Variances below this share of the mean square are rounding, not spread.
const NO_SPREAD: f64 = 1e-13;

/// Sums over a cluster's pairs for Pearson's r.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn plus(self, other: &Self) -> Self {
        Self {
            n: self.n + other.n,
            x: self.x + other.x,
            y: self.y + other.y,
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            xy: self.xy + other.xy,
        }
    }

    fn correlation(self) -> Option<f64> {
        let spread = |square: f64, sum: f64| square - sum * sum / self.n;
        let (sxx, syy) = (spread(self.xx, self.x), spread(self.yy, self.y));
        let varies = sxx > NO_SPREAD * self.xx && syy > NO_SPREAD * self.yy;
        let r = (self.xy - self.x * self.y / self.n) / (sxx.sqrt() * syy.sqrt());
        (self.n > 1.0 && varies && r.is_finite()).then(|| r.clamp(-1.0, 1.0))
    }
}

/// Pearson's r resampled by cluster, each cluster summed once: the work of a resample is in
/// clusters, not in pairs.
fn by_sums(clusters: &[Vec<(f64, f64)>], bootstrap: &Bootstrap) -> Option<Resampled> {
    let all: Vec<(f64, f64)> = clusters.iter().flatten().copied().collect();
    pearson(&all)?;
    let n = float(all.len());
    // Relative to the means, to lose little where values are far from 0.
    let centre = |of: fn(&(f64, f64)) -> f64| all.iter().map(of).sum::<f64>() / n;
    let (x0, y0) = (centre(|pair| pair.0), centre(|pair| pair.1));
    let sums: Vec<Sums> = clusters
        .iter()
        .map(|cluster| {
            cluster.iter().fold(Sums::default(), |sums, (x, y)| {
                let (x, y) = (x - x0, y - y0);
                sums.plus(&Sums {
                    n: 1.0,
                    x,
                    y,
                    xx: x * x,
                    yy: y * y,
                    xy: x * y,
                })
            })
        })
        .collect();
    bootstrap.run(&sums, |drawn| {
        let sum = drawn.iter().fold(Sums::default(), |sum, own| sum.plus(own));
        sum.correlation()
    })
}

/// Pearson's r; `None` with fewer than two pairs, if one side is constant, or with a value that is
/// not finite.
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

/// Two-sided p of a correlation `r` of `n` independent pairs, by Student's t with n − 2 degrees of
/// freedom; `None` with fewer than three pairs or if `r` is invalid.
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
