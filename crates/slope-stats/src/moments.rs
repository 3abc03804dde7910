//! Mean, standard deviation and median.

use crate::{all_finite, float};

/// Arithmetic mean; `None` without values or with one that is not finite.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() || !all_finite(values.iter().copied()) {
        return None;
    }
    // Divided before summing only if the plain sum would overflow.
    let n = float(values.len());
    let sum: f64 = values.iter().sum();
    let mean = if sum.is_finite() {
        sum / n
    } else {
        values.iter().map(|v| v / n).sum()
    };
    mean.is_finite().then_some(mean)
}

/// Sample standard deviation (divisor n − 1); `None` with fewer than two values, or with one
/// that is not finite.
#[must_use]
pub fn stddev(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let deviation = (squares / float(values.len() - 1)).sqrt();
    deviation.is_finite().then_some(deviation)
}

/// Median, the mean of the two middle values if their number is even; `None` without values or with
/// one that is not finite.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    if values.is_empty() || !all_finite(values.iter().copied()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted.get(middle).copied()
    } else {
        Some(f64::midpoint(
            *sorted.get(middle - 1)?,
            *sorted.get(middle)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_or_infinite_input_has_no_moments() {
        assert_eq!(mean(&[]), None);
        assert_eq!(stddev(&[1.0]), None);
        assert_eq!(median(&[]), None);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(mean(&[1.0, bad]), None);
            assert_eq!(stddev(&[1.0, bad]), None);
            assert_eq!(median(&[1.0, bad]), None);
        }
    }

    #[test]
    fn medians_of_odd_and_even_counts() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
    }

    #[test]
    fn mean_survives_overflowing_sum() {
        assert_eq!(mean(&[f64::MAX, f64::MAX]), Some(f64::MAX));
    }
}
