//! Rates over several attempts, and inequality.

use crate::{all_finite, float, float_u64};

/// pass@k: the probability that of `k` attempts drawn without replacement from `n`, of which
/// `c` passed, at least one passed (Chen et al. 2021); the unbiased estimate of the rate of
/// *some of k*. `None` where `k` is 0 or above `n`, or `c` above `n`.
#[must_use]
pub fn pass_at_k(n: u64, c: u64, k: u64) -> Option<f64> {
    if c > n {
        return None;
    }
    Some(1.0 - all_of(n, n - c, k)?)
}

/// pass^k: the probability that all of `k` attempts drawn without replacement from `n`, of which
/// `c` passed, passed (Yao et al. 2024); the unbiased estimate of the rate of *all of k*. `None`
/// as for [`pass_at_k`].
#[must_use]
pub fn pass_hat_k(n: u64, c: u64, k: u64) -> Option<f64> {
    if c > n {
        return None;
    }
    all_of(n, c, k)
}

/// C(of, k) / C(n, k), factor by factor.
fn all_of(n: u64, of: u64, k: u64) -> Option<f64> {
    if k == 0 || k > n {
        return None;
    }
    if k > of {
        return Some(0.0);
    }
    let factors = (0..k).map(|i| float_u64(of - i) / float_u64(n - i));
    Some(factors.product())
}

/// Gini's coefficient of non-negative values: 0 if all are equal, near 1 if one has everything.
/// `None` without values, with a negative or infinite one, or if all are 0.
#[must_use]
pub fn gini(values: &[f64]) -> Option<f64> {
    let usable = all_finite(values.iter().copied()) && values.iter().all(|v| *v >= 0.0);
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let sum: f64 = sorted.iter().sum();
    if !usable || sum <= 0.0 || !sum.is_finite() {
        return None;
    }
    let n = float(sorted.len());
    let weighted: f64 = sorted
        .iter()
        .enumerate()
        .map(|(place, value)| (2.0 * float(place + 1) - n - 1.0) * value)
        .sum();
    Some((weighted / (n * sum)).max(0.0))
}
