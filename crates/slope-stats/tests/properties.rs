//! Properties that hold for any input.

use proptest::prelude::*;
use slope_stats::{Z95, mean, median, ols, stddev, theil_sen, wilson};

/// Values, ties and the extremes included; also what must be refused.
fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -1e6..1e6,
        2 => (-3i32..4).prop_map(f64::from),
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => Just(f64::MAX),
        1 => Just(f64::MIN_POSITIVE),
    ]
}

fn points(range: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec(-1e3..1e3, range).prop_map(|ys| (1..).map(f64::from).zip(ys).collect())
}

proptest! {
    #[test]
    fn nothing_panics_and_nothing_is_nan(
        values in prop::collection::vec(any_value(), 0..12),
        pairs in prop::collection::vec((any_value(), any_value()), 0..8),
        x in any::<u64>(), n in any::<u64>(), z in any_value(),
    ) {
        let statistics = [mean(&values), stddev(&values), median(&values), theil_sen(&pairs)];
        for value in statistics.into_iter().flatten() {
            prop_assert!(value.is_finite());
        }
        if let Some(fit) = ols(&pairs) {
            prop_assert!(fit.slope.is_finite() && fit.intercept.is_finite());
            prop_assert!(fit.slope_se.is_none_or(f64::is_finite));
        }
        if let Some(interval) = wilson(x, n, z) {
            prop_assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0);
        }
    }

    #[test]
    fn wilson_holds_the_rate_and_mirrors(n in 1u64..5000, share in 0.0f64..=1.0) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let x = ((n as f64) * share).floor() as u64;
        let interval = wilson(x, n, Z95).unwrap();
        #[expect(clippy::cast_precision_loss)]
        let rate = x as f64 / n as f64;
        prop_assert!(interval.low <= rate + 1e-12 && rate <= interval.high + 1e-12);
        let mirrored = wilson(n - x, n, Z95).unwrap();
        prop_assert!((mirrored.low - (1.0 - interval.high)).abs() < 1e-9);
    }

    #[test]
    fn a_straight_line_is_found(slope in -100.0f64..100.0, start in -1e3..1e3, n in 2i32..30) {
        let points: Vec<_> = (1..=n).map(f64::from).map(|x| (x, start + slope * x)).collect();
        let fit = ols(&points).unwrap();
        prop_assert!((fit.slope - slope).abs() < 1e-8);
        prop_assert!((theil_sen(&points).unwrap() - slope).abs() < 1e-8);
        prop_assert!(fit.slope_se.is_none_or(|se| se < 1e-8));
        prop_assert_eq!(fit.slope_se.is_some(), n >= 3);
    }

    #[test]
    fn slopes_scale_and_ignore_shifts(points in points(2..12), factor in -10.0f64..10.0, shift in -1e3f64..1e3) {
        let moved: Vec<_> = points.iter().map(|(x, y)| (*x, y * factor + shift)).collect();
        let (before, after) = (ols(&points).unwrap(), ols(&moved).unwrap());
        prop_assert!((after.slope - before.slope * factor).abs() < 1e-6);
        let (before, after) = (theil_sen(&points).unwrap(), theil_sen(&moved).unwrap());
        prop_assert!((after - before * factor).abs() < 1e-6);
    }

    #[test]
    fn reading_backwards_turns_the_slope(points in points(2..12)) {
        let back: Vec<_> = points.iter().map(|(x, y)| (-x, *y)).collect();
        let (there, back) = (ols(&points).unwrap(), ols(&back).unwrap());
        prop_assert!((there.slope + back.slope).abs() < 1e-6);
    }

    #[test]
    fn the_middle_lies_between_the_ends(values in prop::collection::vec(-1e6..1e6, 1..30)) {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for middle in [mean(&values).unwrap(), median(&values).unwrap()] {
            prop_assert!(low - 1e-6 <= middle && middle <= high + 1e-6);
        }
    }
}
