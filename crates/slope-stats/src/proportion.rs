//! Intervals of rates, and tests of them.

use serde::{Deserialize, Serialize};

use crate::float_u64;
use crate::special::{beta, beta_quantile, normal_quantile, normal_two_sided};

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
/// It never leaves 0 to 1 and has a positive width at 0 of n and at n of n, where the interval that
/// most tools print (Wald's) has none. `None` if `n` is 0, `successes` exceed `n`, or `z` is
/// negative or not finite.
#[must_use]
pub fn wilson(successes: u64, n: u64, z: f64) -> Option<Interval> {
    if n == 0 || successes > n || !z.is_finite() || z < 0.0 {
        return None;
    }
    let (x, n) = (float_u64(successes), float_u64(n));
    let p = x / n;
    let z2 = z * z;
    let scale = 1.0 + z2 / n;
    let centre = p + z2 / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At 0 and n one limit is exactly 0 or 1; rounding would give 1e-17.
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

/// Whether a confidence or level is between 0 and 1.
pub(crate) fn is_level(level: f64) -> bool {
    level > 0.0 && level < 1.0
}

/// Clopper's and Pearson's interval (1934): the rates that a two-sided binomial test of level 1 −
/// `confidence` would not reject. Its coverage is at least the nominal one, so it is wide.
///
/// `None` if `n` is 0, `successes` exceed `n`, or `confidence` is not between 0 and 1.
#[must_use]
pub fn clopper_pearson(successes: u64, n: u64, confidence: f64) -> Option<Interval> {
    if n == 0 || successes > n || !is_level(confidence) {
        return None;
    }
    let tail = (1.0 - confidence) / 2.0;
    let (x, rest) = (float_u64(successes), float_u64(n - successes));
    let low = (successes > 0).then(|| beta_quantile(tail, x, rest + 1.0));
    let high = (successes < n).then(|| beta_quantile(1.0 - tail, x + 1.0, rest));
    Some(Interval {
        low: low.unwrap_or(0.0),
        high: high.unwrap_or(1.0),
    })
}

/// Jeffreys' interval: equal tails of the posterior under the prior Beta(½, ½), with the limit 0
/// at no success and 1 at successes only (Brown, Cai and DasGupta 2001). `None` as for
/// [`clopper_pearson`].
#[must_use]
pub fn jeffreys(successes: u64, n: u64, confidence: f64) -> Option<Interval> {
    if n == 0 || successes > n || !is_level(confidence) {
        return None;
    }
    let tail = (1.0 - confidence) / 2.0;
    let (a, b) = (float_u64(successes) + 0.5, float_u64(n - successes) + 0.5);
    let low = (successes > 0).then(|| beta_quantile(tail, a, b));
    let high = (successes < n).then(|| beta_quantile(1.0 - tail, a, b));
    Some(Interval {
        low: low.unwrap_or(0.0),
        high: high.unwrap_or(1.0),
    })
}

/// Newcombe's interval of a difference of two independent rates, x1/n1 − x2/n2, from their
/// [`wilson`] intervals (his method 10, 1998). `None` if one of those does not exist.
#[must_use]
pub fn newcombe(x1: u64, n1: u64, x2: u64, n2: u64, z: f64) -> Option<Interval> {
    let (one, two) = (wilson(x1, n1, z)?, wilson(x2, n2, z)?);
    let p1 = float_u64(x1) / float_u64(n1);
    let p2 = float_u64(x2) / float_u64(n2);
    let difference = p1 - p2;
    Some(Interval {
        low: difference - (p1 - one.low).hypot(two.high - p2),
        high: difference + (one.high - p1).hypot(p2 - two.low),
    })
}

/// A z test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ZTest {
    /// Standardised difference.
    pub z: f64,
    /// Two-sided p.
    pub p: f64,
}

/// The pooled z test of x1/n1 against x2/n2, independent observations; `None` with impossible
/// counts, or if all observations succeeded or all failed.
#[must_use]
pub fn two_rates(x1: u64, n1: u64, x2: u64, n2: u64) -> Option<ZTest> {
    if n1 == 0 || n2 == 0 || x1 > n1 || x2 > n2 {
        return None;
    }
    let (x1, n1, x2, n2) = (float_u64(x1), float_u64(n1), float_u64(x2), float_u64(n2));
    let pooled = (x1 + x2) / (n1 + n2);
    let se = (pooled * (1.0 - pooled) * (1.0 / n1 + 1.0 / n2)).sqrt();
    let z = (x1 / n1 - x2 / n2) / se;
    (se > 0.0).then(|| ZTest {
        z,
        p: normal_two_sided(z),
    })
}

/// The z test of x/n against a known rate `against`; `None` with impossible counts or if `against`
/// is not between 0 and 1.
#[must_use]
pub fn one_rate(x: u64, n: u64, against: f64) -> Option<ZTest> {
    if n == 0 || x > n || !is_level(against) {
        return None;
    }
    let n_observed = float_u64(n);
    let z = (float_u64(x) / n_observed - against) / (against * (1.0 - against) / n_observed).sqrt();
    Some(ZTest {
        z,
        p: normal_two_sided(z),
    })
}

/// The standard normal quantile of how surprising at least `x` rare events in `n` trials are, after
/// `known` events in `trials`: that of the negative binomial distribution which predicts them, with
/// half an event of doubt. Approximations by the normal distribution are too sure of rare events.
/// `None` without trials, or with counts that are not finite or negative.
#[must_use]
pub fn surprise_of_rare(x: f64, n: f64, known: f64, trials: f64) -> Option<f64> {
    let counts = [x, n, known, trials];
    if counts
        .iter()
        .any(|count| !count.is_finite() || *count < 0.0)
        || n <= 0.0
        || trials <= 0.0
    {
        return None;
    }
    if x <= 0.0 {
        return Some(f64::NEG_INFINITY);
    }
    // P(X ≥ x) = I(n / (n + trials); x, known + ½).
    let tail = beta(x, known + 0.5, n / (n + trials));
    normal_quantile(tail.max(f64::MIN_POSITIVE)).map(|z| -z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_events_surprise_less_than_normal() {
        // 9 failures in 300 runs, then 3 in 10: by the normal distribution 5 standard errors.
        let z = surprise_of_rare(3.0, 10.0, 9.0, 300.0).unwrap();
        assert!((2.2..3.0).contains(&z), "{z}");
        let certain = surprise_of_rare(10.0, 10.0, 9.0, 300.0).unwrap();
        assert!(certain > 6.0, "{certain}");
        assert_eq!(
            surprise_of_rare(0.0, 10.0, 9.0, 300.0),
            Some(f64::NEG_INFINITY)
        );
        assert_eq!(surprise_of_rare(1.0, 0.0, 9.0, 300.0), None);
    }

    #[test]
    fn other_intervals_refuse_impossible_counts() {
        assert_eq!(clopper_pearson(0, 0, 0.95), None);
        assert_eq!(jeffreys(3, 2, 0.95), None);
        assert_eq!(clopper_pearson(1, 2, 1.0), None);
        assert_eq!(newcombe(1, 2, 3, 0, Z95), None);
        assert_eq!(two_rates(2, 2, 3, 3), None);
        assert_eq!(one_rate(1, 2, 1.0), None);
        for interval in [clopper_pearson(0, 4, 0.95), jeffreys(0, 4, 0.95)] {
            assert_eq!(interval.unwrap().low, 0.0);
        }
    }

    #[test]
    fn newcombe_matches_published_interval() {
        // Newcombe 1998, table II, (a) by method 10: 56/70 less 48/80.
        let interval = newcombe(56, 70, 48, 80, Z95).unwrap();
        assert!((interval.low - 0.0524).abs() < 5e-5, "{interval:?}");
        assert!((interval.high - 0.3339).abs() < 5e-5, "{interval:?}");
    }

    #[test]
    fn impossible_counts_have_no_interval() {
        assert_eq!(wilson(0, 0, Z95), None);
        assert_eq!(wilson(3, 2, Z95), None);
        assert_eq!(wilson(1, 2, f64::NAN), None);
        assert_eq!(wilson(1, 2, -1.0), None);
    }

    #[test]
    fn wilson_is_exact_at_the_ends() {
        let none = wilson(0, 4, Z95).unwrap();
        assert_eq!(none.low, 0.0);
        assert!(none.high > 0.4 && none.high < 0.5);
        let all = wilson(4, 4, Z95).unwrap();
        assert_eq!(all.high, 1.0);
        assert!((all.low - (1.0 - none.high)).abs() < 1e-12);
    }
}
