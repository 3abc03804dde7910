//! Size of the effects that a comparison can detect.
//!
//! All by the normal approximation, two-sided. `alpha` is the level of the test and `power` the
//! probability of detecting an existing effect; both are between 0 and 1.

use crate::float_u64;
use crate::proportion::is_level;
use crate::special::{bisect, normal_cdf, normal_quantile};

/// Power of the pooled z test to distinguish rate `p1` of `n1` from rate `p2` of `n2` independent
/// observations. `None` with a rate outside 0 to 1, without observations, or with an invalid level.
#[must_use]
pub fn power_of_rates(p1: f64, n1: u64, p2: f64, n2: u64, alpha: f64) -> Option<f64> {
    let rate = |p: f64| (0.0..=1.0).contains(&p);
    if !rate(p1) || !rate(p2) || n1 == 0 || n2 == 0 || !is_level(alpha) {
        return None;
    }
    let z = -normal_quantile(alpha / 2.0)?;
    let (a, b) = (float_u64(n1), float_u64(n2));
    let pooled = (p1 * a + p2 * b) / (a + b);
    let se_none = (pooled * (1.0 - pooled) * (1.0 / a + 1.0 / b)).sqrt();
    let se = (p1 * (1.0 - p1) / a + p2 * (1.0 - p2) / b).sqrt();
    let apart = (p1 - p2).abs();
    if se <= 0.0 {
        // Both rates are certain: the test always detects the difference, or there is none.
        return Some(if apart > z * se_none { 1.0 } else { 0.0 });
    }
    let tail = |sign: f64| normal_cdf((sign * apart - z * se_none) / se);
    Some((tail(1.0) + tail(-1.0)).min(1.0))
}

/// The smallest drop from rate `p1` of `n1` observations that `n2` observations detect with
/// `power`, as a positive difference; `None` if even a drop to 0 would not be detected with it, or
/// as for [`power_of_rates`].
#[must_use]
pub fn detectable_drop(p1: f64, n1: u64, n2: u64, alpha: f64, power: f64) -> Option<f64> {
    let seen = |drop: f64| power_of_rates(p1, n1, p1 - drop, n2, alpha);
    if !is_level(power) || seen(p1)? < power {
        return None;
    }
    // Power grows with the drop, so the solution is unique.
    Some(bisect(0.0, p1, |drop| {
        seen(drop).is_some_and(|p| p < power)
    }))
}

/// Power to distinguish a mean paired difference of `effect` from 0, over `n` pairs whose
/// differences have standard deviation `sd`. `None` unless `sd` is above 0, `effect` finite and `n`
/// above 0.
#[must_use]
pub fn power_of_pairs(effect: f64, sd: f64, n: u64, alpha: f64) -> Option<f64> {
    let usable = sd > 0.0 && sd.is_finite() && effect.is_finite() && n > 0;
    if !usable || !is_level(alpha) {
        return None;
    }
    let z = -normal_quantile(alpha / 2.0)?;
    let shift = effect.abs() / (sd / float_u64(n).sqrt());
    Some((normal_cdf(shift - z) + normal_cdf(-shift - z)).min(1.0))
}

/// The smallest mean paired difference that `n` pairs show with `power`: (z_α/2 + z_β)·sd/√n.
/// `None` as for [`power_of_pairs`].
#[must_use]
pub fn detectable_shift(sd: f64, n: u64, alpha: f64, power: f64) -> Option<f64> {
    let usable = sd > 0.0 && sd.is_finite() && n > 0;
    if !usable || !is_level(alpha) || !is_level(power) {
        return None;
    }
    let z = normal_quantile(power)? - normal_quantile(alpha / 2.0)?;
    Some(z * sd / float_u64(n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_matches_textbook_sample_size() {
        // Fleiss, Levin and Paik 2003: 388 in each group distinguish 0.5 from 0.6 with power 0.8.
        let power = |n| power_of_rates(0.5, n, 0.6, n, 0.05).unwrap();
        assert!(power(388) >= 0.8 && power(386) < 0.8, "{}", power(388));
    }

    #[test]
    fn detectable_effect_reaches_its_power() {
        let drop = detectable_drop(0.58, 1500, 655, 0.05, 0.8).unwrap();
        let power = power_of_rates(0.58, 1500, 0.58 - drop, 655, 0.05).unwrap();
        assert!((power - 0.8).abs() < 1e-9);
        let shift = detectable_shift(0.4, 20, 0.05, 0.8).unwrap();
        let power = power_of_pairs(shift, 0.4, 20, 0.05).unwrap();
        assert!((power - 0.8).abs() < 1e-4, "{power}");
    }

    #[test]
    fn impossible_parameters_give_none() {
        assert_eq!(detectable_drop(0.02, 10, 10, 0.05, 0.8), None);
        assert_eq!(power_of_rates(1.2, 5, 0.5, 5, 0.05), None);
        assert_eq!(power_of_rates(0.5, 0, 0.5, 5, 0.05), None);
        assert_eq!(power_of_pairs(1.0, 0.0, 5, 0.05), None);
        assert_eq!(detectable_shift(1.0, 5, 0.05, 1.0), None);
        assert_eq!(power_of_rates(1.0, 5, 0.0, 5, 0.05), Some(1.0));
    }
}
