//! Slopes of a value along a trajectory.

use serde::{Deserialize, Serialize};

use crate::proportion::{Interval, Z95};
use crate::student::t_quantile;
use crate::{all_finite, float, median};

/// A straight line fitted by least squares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Points that the line was fitted to.
    pub n: usize,
    /// Change of the value for each unit of the position.
    pub slope: f64,
    /// Value at position 0.
    pub intercept: f64,
    /// Standard error of the slope from the residuals, with n − 2 degrees of freedom; `None`
    /// with fewer than three points.
    pub slope_se: Option<f64>,
}

/// Fits a line to `points` (position, value) by ordinary least squares.
///
/// `None` with fewer than two points, with all points at one position, with a coordinate that is
/// not finite, or if the numbers are so large that the slope is not finite.
#[must_use]
pub fn ols(points: &[(f64, f64)]) -> Option<Fit> {
    let n = points.len();
    if n < 2 || !all_finite(points.iter().flat_map(|(x, y)| [*x, *y])) {
        return None;
    }
    // Centred sums: the textbook form with raw sums loses digits where values are large.
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / float(n);
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / float(n);
    let sxx: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let sxy: f64 = points
        .iter()
        .map(|(x, y)| (x - mean_x) * (y - mean_y))
        .sum();
    if sxx <= 0.0 {
        return None;
    }
    let slope = sxy / sxx;
    let intercept = mean_y - slope * mean_x;
    if !slope.is_finite() || !intercept.is_finite() {
        return None;
    }
    let slope_se = (n >= 3)
        .then(|| {
            let residuals: f64 = points
                .iter()
                .map(|(x, y)| ((y - mean_y) - slope * (x - mean_x)).powi(2))
                .sum();
            (residuals / float(n - 2) / sxx).sqrt()
        })
        .filter(|se| se.is_finite());
    Some(Fit {
        n,
        slope,
        intercept,
        slope_se,
    })
}

/// The Theil–Sen slope: the median of the slopes through all pairs of points at different
/// positions. Unlike for [`ols`], one outlier does not move it.
///
/// Takes time and memory quadratic in the number of points. `None` as for [`ols`].
#[must_use]
pub fn theil_sen(points: &[(f64, f64)]) -> Option<f64> {
    if !all_finite(points.iter().flat_map(|(x, y)| [*x, *y])) {
        return None;
    }
    let mut slopes = Vec::new();
    for (i, (x1, y1)) in points.iter().enumerate() {
        for (x2, y2) in points.iter().skip(i + 1) {
            let run = x2 - x1;
            if run != 0.0 {
                slopes.push((y2 - y1) / run);
            }
        }
    }
    median(&slopes)
}

impl Fit {
    /// The interval that contains the slope with a confidence of 95 %, by Student's t; `None` with
    /// fewer than three points.
    #[must_use]
    pub fn slope_interval(&self) -> Option<Interval> {
        let t = t_quantile(0.025, float(self.n.checked_sub(2)?))?;
        let half = t * self.slope_se?;
        let (low, high) = (self.slope - half, self.slope + half);
        (low.is_finite() && high.is_finite()).then_some(Interval { low, high })
    }
}

/// The Theil–Sen slope with its 95 % interval (Sen 1968): order statistics of the slopes through
/// pairs, at distances from the normal approximation of Kendall's statistic, with ties of positions
/// and values corrected for. The interval is `None` with fewer than four points or where it would
/// reach beyond the slopes there are.
#[must_use]
pub fn theil_sen_interval(points: &[(f64, f64)]) -> Option<(f64, Option<Interval>)> {
    if !all_finite(points.iter().flat_map(|(x, y)| [*x, *y])) {
        return None;
    }
    let mut slopes = Vec::new();
    for (i, (x1, y1)) in points.iter().enumerate() {
        for (x2, y2) in points.iter().skip(i + 1).filter(|(x2, _)| x2 != x1) {
            slopes.push((y2 - y1) / (x2 - x1));
        }
    }
    slopes.sort_unstable_by(f64::total_cmp);
    let middle = median_of_sorted(&slopes)?;
    let spread = Z95 * kendall_deviation(points);
    let count = float(slopes.len());
    let rank = |at: f64| {
        let inside = at >= 0.0 && at < count;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "in range"
        )]
        inside.then(|| slopes.get(at as usize).copied()).flatten()
    };
    let low = rank(((count - spread) / 2.0).round() - 1.0);
    let high = rank(((count + spread) / 2.0).round());
    let interval = low.zip(high).map(|(low, high)| Interval { low, high });
    Some((middle, interval.filter(|_| points.len() >= 4)))
}

fn median_of_sorted(values: &[f64]) -> Option<f64> {
    let upper = *values.get(values.len() / 2)?;
    let lower = *values.get((values.len() - 1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

/// Standard deviation of Kendall's S under independence, ties corrected for.
fn kendall_deviation(points: &[(f64, f64)]) -> f64 {
    let term = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let ties = |mut values: Vec<f64>| -> f64 {
        values.sort_unstable_by(f64::total_cmp);
        let groups = values.chunk_by(|a, b| a == b);
        groups.map(|group| term(float(group.len()))).sum()
    };
    let xs = ties(points.iter().map(|p| p.0).collect());
    let ys = ties(points.iter().map(|p| p.1).collect());
    ((term(float(points.len())) - xs - ys).max(0.0) / 18.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_position_has_no_slope() {
        assert_eq!(ols(&[]), None);
        assert_eq!(ols(&[(1.0, 2.0)]), None);
        assert_eq!(ols(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(theil_sen(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(theil_sen(&[]), None);
    }

    #[test]
    fn values_that_are_not_finite_are_refused() {
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(ols(&[(1.0, 2.0), (2.0, bad)]), None);
            assert_eq!(ols(&[(1.0, 2.0), (bad, 1.0)]), None);
            assert_eq!(theil_sen(&[(1.0, 2.0), (2.0, bad)]), None);
        }
        assert_eq!(ols(&[(0.0, f64::MAX), (1.0, -f64::MAX)]), None);
    }

    #[test]
    fn two_points_have_slope_without_error() {
        let fit = ols(&[(1.0, 2.0), (3.0, 8.0)]).unwrap();
        assert_eq!((fit.slope, fit.slope_se, fit.n), (3.0, None, 2));
    }

    #[test]
    fn slope_intervals_need_enough_points() {
        let points: Vec<(f64, f64)> = (0..12)
            .map(|i| (f64::from(i), 2.0 * f64::from(i) + f64::from(i % 3)))
            .collect();
        let (slope, interval) = theil_sen_interval(&points).unwrap();
        assert_eq!(Some(slope), theil_sen(&points));
        let interval = interval.unwrap();
        assert!(interval.low <= slope && slope <= interval.high);
        assert!(interval.low > 1.5 && interval.high < 2.5, "{interval:?}");
        assert_eq!(theil_sen_interval(&points[..3]).unwrap().1, None);
        assert_eq!(ols(&points[..2]).unwrap().slope_interval(), None);
    }

    #[test]
    fn outlier_moves_only_least_squares() {
        let points = [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0), (5.0, 50.0)];
        assert_eq!(theil_sen(&points), Some(1.0));
        assert!(ols(&points).unwrap().slope > 5.0);
    }
}
