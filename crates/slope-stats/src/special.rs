//! Distributions, as thin wrappers around `statrs`: total, with `None` or a clamped value where it
//! panics.

use statrs::function::beta::{checked_beta_reg, ln_beta as statrs_ln_beta};
use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::factorial::ln_binomial;

use crate::float_u64;

/// Steps of a bisection; a double has 53 digits and an exponent to find.
const STEPS: u32 = 200;

/// Probability that a standard normal value is at most `z`.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// Probability that a standard normal value is at least as far from 0 as `z`.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// The `p` quantile of the standard normal distribution; `None` unless `p` is between 0 and 1.
#[must_use]
pub fn normal_quantile(p: f64) -> Option<f64> {
    (p > 0.0 && p < 1.0).then(|| -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p))
}

/// The regularised incomplete beta function I_x(a, b), for positive `a` and `b`.
pub(crate) fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        checked_beta_reg(a, b, x).unwrap_or(f64::NAN)
    }
}

/// The logarithm of the beta function, for positive `a` and `b`.
pub(crate) fn ln_beta(a: f64, b: f64) -> f64 {
    statrs_ln_beta(a, b)
}

/// The `p` quantile of a beta distribution.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    bisect(0.0, 1.0, |x| beta(a, b, x) < p)
}

/// Probability that Student's t with `df` degrees of freedom is at least as far from 0 as `t`.
pub(crate) fn t_two_sided(t: f64, df: f64) -> f64 {
    beta(df / 2.0, 0.5, df / (df + t * t))
}

/// Probability of at most `k` heads in `n` throws of a fair coin.
pub(crate) fn coin_at_most(k: u64, n: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    beta(float_u64(n - k), float_u64(k) + 1.0, 0.5)
}

/// Probability of exactly `k` heads in `n` throws of a fair coin.
pub(crate) fn coin_exactly(k: u64, n: u64) -> f64 {
    (ln_binomial(n, k) - float_u64(n) * std::f64::consts::LN_2).exp()
}

/// The point between `low` and `high` at which `is_left` changes from true to false.
pub(crate) fn bisect(mut low: f64, mut high: f64, is_left: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if is_left(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}
