//! Intervals of rates.

use serde::{Deserialize, Serialize};

/// The standard normal quantile of a two-sided 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower limit.
    pub low: f64,
    /// Upper limit.
    pub high: f64,
}

/// Wilson's score interval of `successes` out of `n` independent observations (Wilson 1927),
/// without continuity correction; `z` is the normal quantile, [`Z95`] for 95 %.
///
/// It never leaves 0 to 1 and keeps a width at 0 of n and at n of n, where the interval that
/// most tools print (Wald's) has none. `None` where `n` is 0, `successes` exceed `n`, or `z` is
/// negative or not finite.
#[must_use]
pub fn wilson(successes: u64, n: u64, z: f64) -> Option<Interval> {
    if n == 0 || successes > n || !z.is_finite() || z < 0.0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let (x, n) = (successes as f64, n as f64);
    let p = x / n;
    let z2 = z * z;
    let scale = 1.0 + z2 / n;
    let centre = p + z2 / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At 0 and n one limit is exactly 0 or 1; rounding would leave 1e-17 there.
    let low = if x == 0.0 {
        0.0
    } else {
        ((centre - half) / scale).clamp(0.0, 1.0)
    };
    let high = if x >= n {
        1.0
    } else {
        ((centre + half) / scale).clamp(0.0, 1.0)
    };
    (low.is_finite() && high.is_finite()).then_some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_counts_have_no_interval() {
        assert_eq!(wilson(0, 0, Z95), None);
        assert_eq!(wilson(3, 2, Z95), None);
        assert_eq!(wilson(1, 2, f64::NAN), None);
        assert_eq!(wilson(1, 2, -1.0), None);
    }

    #[test]
    fn the_ends_are_exact_and_have_a_width() {
        let none = wilson(0, 4, Z95).unwrap();
        assert_eq!(none.low, 0.0);
        assert!(none.high > 0.4 && none.high < 0.5);
        let all = wilson(4, 4, Z95).unwrap();
        assert_eq!(all.high, 1.0);
        assert!((all.low - (1.0 - none.high)).abs() < 1e-12);
    }
}
