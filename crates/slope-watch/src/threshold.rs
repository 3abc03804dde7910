//! Thresholds of the scan by the rate of false alarms.

/// Share of quiet years with a false alarm, and the threshold for it, of a scan for a fall. From 20,000
/// simulated years with a look each day and 30 runs of baseline (`slope watch simulate` recomputes them).
const ONE_SIDED: [(f64, f64); 7] = [
    (0.2, 3.65),
    (0.1, 3.86),
    (0.05, 4.06),
    (0.02, 4.31),
    (0.01, 4.48),
    (0.005, 4.66),
    (0.001, 5.06),
];

/// The same for falls and rises.
const TWO_SIDED: [(f64, f64); 7] = [
    (0.2, 3.85),
    (0.1, 4.06),
    (0.05, 4.25),
    (0.02, 4.48),
    (0.01, 4.66),
    (0.005, 4.83),
    (0.001, 5.19),
];

/// The threshold with which a share `rate` of quiet years has a false alarm, interpolated over the
/// logarithm of the rate. Rates outside of 0.001 to 0.2 continue the nearest line.
#[must_use]
pub fn threshold(rate: f64, is_one_sided: bool) -> f64 {
    let table = if is_one_sided { &ONE_SIDED } else { &TWO_SIDED };
    let below = table.iter().position(|(known, _)| *known <= rate);
    let at = below.unwrap_or(table.len() - 1).clamp(1, table.len() - 1);
    let ((p0, h0), (p1, h1)) = (table[at - 1], table[at]);
    h0 + (h1 - h0) * (p0.ln() - rate.ln()) / (p0.ln() - p1.ln())
}

/// Looks of a year at counts: over one and over seven days, each day.
const LOOKS: f64 = 2.0 * 365.0;

/// The threshold of counts of rare events, as a quantile of the normal distribution: each of a year's looks has the
/// same share of `rate` (Bonferroni).
#[must_use]
pub fn threshold_of_counts(rate: f64) -> f64 {
    // A quantile exists for each level between 0 and 1.
    slope_stats::normal_quantile(rate / LOOKS).map_or(f64::INFINITY, |z| -z)
}

#[cfg(test)]
mod tests {
    use super::{threshold, threshold_of_counts};

    /// Limits of seven days of 50 runs for 5 % of quiet years, known for some base rates by simulation.
    #[test]
    fn limits_of_counts_are_those_simulated() {
        let known = [
            (0.0005, 4.0),
            (0.001, 5.0),
            (0.002, 6.0),
            (0.005, 9.0),
            (0.01, 13.0),
            (0.02, 19.0),
        ];
        let threshold = threshold_of_counts(0.05);
        for (rate, limit) in known {
            let surprise = |events: f64| {
                slope_stats::surprise_of_rare(events, 350.0, rate * 1e7, 1e7).unwrap()
            };
            let first = (1..40)
                .map(f64::from)
                .find(|events| surprise(*events) >= threshold);
            // One event more is the price of a bound that holds for each rate.
            let more = first.unwrap() - limit;
            assert!((0.0..=1.0).contains(&more), "{rate}: {first:?}");
        }
    }

    #[test]
    fn thresholds_follow_the_table() {
        assert!((threshold(0.05, true) - 4.06).abs() < 1e-9);
        assert!((threshold(0.005, false) - 4.83).abs() < 1e-9);
        let between = threshold(0.03, true);
        assert!(between > 4.06 && between < 4.31);
        assert!(threshold(0.0005, false) > 5.19);
        assert!(threshold(0.4, true) < 3.65);
    }
}
