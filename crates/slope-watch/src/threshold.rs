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

#[cfg(test)]
mod tests {
    use super::threshold;

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
