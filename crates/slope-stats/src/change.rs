//! Change points: positions at which the level of a series changes permanently.

use crate::{all_finite, float, median};

/// Penalty for one more segment, times the noise's variance and the logarithm of the number of
/// values. Above 2 (the level's own degree of freedom) because the position is also searched.
const PENALTY: f64 = 4.0;

/// Minimum number of values of a segment.
const MIN_SEGMENT: usize = 5;

/// Maximum number of values used; the time is quadratic in them.
const MAX_VALUES: usize = 4000;

/// Scale of the median absolute deviation to the standard deviation of normal noise.
const MAD_TO_SD: f64 = 1.4826;

/// Ordered positions at which a new segment begins, so that the mean of the values differs from
/// segment to segment: the segmentation with the least squared error plus a penalty for each
/// segment (optimal partitioning, Jackson et al. 2005).
///
/// The noise is the median absolute difference of neighbours, so that neither levels nor single
/// outliers affect it; for the same reason values are cut off at 4 such deviations from the running
/// median of five. Empty if there is no noise, with fewer than ten values, with more than 4000, or
/// with one that is not finite.
#[must_use]
pub fn change_points(values: &[f64]) -> Vec<usize> {
    let n = values.len();
    if !(2 * MIN_SEGMENT..=MAX_VALUES).contains(&n) || !all_finite(values.iter().copied()) {
        return Vec::new();
    }
    let steps: Vec<f64> = values.windows(2).map(|w| (w[1] - w[0]).abs()).collect();
    let Some(noise) = median(&steps).map(|m| m * MAD_TO_SD / 2f64.sqrt()) else {
        return Vec::new();
    };
    if noise <= 0.0 {
        return Vec::new();
    }
    let tame = tamed(values, 4.0 * noise);
    let sums = Sums::new(&tame);
    let penalty = PENALTY * noise * noise * float(n).ln();
    // Best cost of the first values, and where their last segment begins.
    let mut best = vec![f64::INFINITY; n + 1];
    let mut last = vec![0; n + 1];
    best[0] = -penalty;
    for end in MIN_SEGMENT..=n {
        for start in 0..=end - MIN_SEGMENT {
            let cost = best[start] + sums.error(start, end) + penalty;
            if cost < best[end] {
                (best[end], last[end]) = (cost, start);
            }
        }
    }
    let mut found = Vec::new();
    let mut end = n;
    while last[end] > 0 {
        end = last[end];
        found.push(end);
    }
    found.reverse();
    found
}

/// Values cut off at a distance from the median of the five around them.
fn tamed(values: &[f64], most: f64) -> Vec<f64> {
    let around = |at: usize| {
        let first = at.saturating_sub(2).min(values.len().saturating_sub(5));
        median(&values[first..(first + 5).min(values.len())])
    };
    let tame = |(at, &value): (usize, &f64)| match around(at) {
        Some(centre) => value.clamp(centre - most, centre + most),
        None => value,
    };
    values.iter().enumerate().map(tame).collect()
}

/// Sums and sums of squares of all beginnings.
struct Sums {
    values: Vec<f64>,
    squares: Vec<f64>,
}

impl Sums {
    fn new(values: &[f64]) -> Self {
        // About the mean, so that squares stay small.
        let centre = values.iter().sum::<f64>() / float(values.len());
        let (mut sums, mut squares) = (vec![0.0], vec![0.0]);
        for (index, value) in values.iter().enumerate() {
            sums.push(sums[index] + (value - centre));
            squares.push(squares[index] + (value - centre).powi(2));
        }
        Self {
            values: sums,
            squares,
        }
    }

    /// Squared error of a segment around its mean.
    fn error(&self, start: usize, end: usize) -> f64 {
        let sum = self.values[end] - self.values[start];
        let squares = self.squares[end] - self.squares[start];
        (squares - sum * sum / float(end - start)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise without a generator: fractional parts of multiples of an irrational number.
    fn noise(n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| (float(i) * 0.618_033_988_749).fract() - 0.5)
            .collect()
    }

    #[test]
    fn level_change_is_located() {
        let mut values = noise(60);
        for value in &mut values[25..] {
            *value += 2.0;
        }
        assert_eq!(change_points(&values), [25]);
    }

    #[test]
    fn noise_and_outliers_are_not_change() {
        let mut values = noise(200);
        assert_eq!(change_points(&values), []);
        values[100] = 40.0;
        assert_eq!(change_points(&values), []);
    }

    #[test]
    fn constant_short_or_nan_gives_none() {
        assert_eq!(change_points(&[1.0; 50]), []);
        assert_eq!(change_points(&noise(9)), []);
        assert_eq!(change_points(&[f64::NAN; 20]), []);
    }
}
