//! Properties for any input.

use proptest::prelude::*;
use slope_stats::{
    Bootstrap, SplitMix64, Z95, Zeros, benjamini_hochberg, clopper_pearson, cluster_mean, gini,
    holm, jeffreys, kendall, mcnemar, mean, median, newcombe, ols, paired_mean, pass_at_k,
    pass_hat_k, pearson, power_of_rates, quantile_of_sorted, spearman, stddev, theil_sen, wilcoxon,
    wilson,
};

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
    fn statistics_never_panic_or_give_nan(
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
    fn wilson_contains_rate_and_mirrors(n in 1u64..5000, share in 0.0f64..=1.0) {
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
    fn straight_line_slope_is_found(slope in -100.0f64..100.0, start in -1e3..1e3, n in 2i32..30) {
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
    fn reversed_points_negate_the_slope(points in points(2..12)) {
        let back: Vec<_> = points.iter().map(|(x, y)| (-x, *y)).collect();
        let (there, back) = (ols(&points).unwrap(), ols(&back).unwrap());
        prop_assert!((there.slope + back.slope).abs() < 1e-6);
    }

    #[test]
    fn mean_and_median_are_within_range(values in prop::collection::vec(-1e6..1e6, 1..30)) {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for middle in [mean(&values).unwrap(), median(&values).unwrap()] {
            prop_assert!(low - 1e-6 <= middle && middle <= high + 1e-6);
        }
    }
}

/// Small whole differences, so that ties and zeros are frequent.
fn differences(most: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-4i32..5).prop_map(f64::from), 1..most)
}

/// Mean rank of each value by its definition: how many are below, and half of how many are equal.
fn ranks_by_count(values: &[f64]) -> Vec<f64> {
    let count = |holds: &dyn Fn(f64) -> bool| -> f64 {
        values.iter().map(|v| f64::from(u8::from(holds(*v)))).sum()
    };
    let rank = |value: &f64| count(&|v| v < *value) + (count(&|v| v == *value) + 1.0) / 2.0;
    values.iter().map(rank).collect()
}

/// Two-sided p by going through all signs.
fn signed_rank_by_enumeration(nonzero: &[f64], ranks: &[f64]) -> f64 {
    let plus = |positive: &dyn Fn(usize) -> bool| -> f64 {
        let ranked = ranks.iter().enumerate();
        ranked
            .filter(|(place, _)| positive(*place))
            .map(|(_, rank)| rank)
            .sum()
    };
    let seen = plus(&|place| nonzero[place] > 0.0);
    let all = 1u32 << nonzero.len();
    let (mut at_most, mut at_least) = (0, 0);
    for signs in 0..all {
        let sum = plus(&|place| signs >> place & 1 == 1);
        at_most += u32::from(sum <= seen);
        at_least += u32::from(sum >= seen);
    }
    (2.0 * f64::from(at_most.min(at_least)) / f64::from(all)).min(1.0)
}

/// C(n, k) as a float, factor by factor.
fn choose(n: u64, k: u64) -> f64 {
    (0..k).map(|i| float(n - i) / float(i + 1)).product()
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn float(n: u64) -> f64 {
    n as f64
}

proptest! {
    #[test]
    fn exact_signed_ranks_match_enumeration(values in differences(10)) {
        let nonzero: Vec<f64> = values.iter().copied().filter(|d| *d != 0.0).collect();
        let sizes: Vec<f64> = nonzero.iter().map(|d| d.abs()).collect();
        let test = wilcoxon(&values, Zeros::Wilcoxon).unwrap();
        if nonzero.is_empty() {
            prop_assert_eq!(test.exact, None);
        } else {
            let expected = signed_rank_by_enumeration(&nonzero, &ranks_by_count(&sizes));
            prop_assert!((test.p().unwrap() - expected).abs() < 1e-12);
        }
        let every: Vec<f64> = values.iter().map(|d| d.abs()).collect();
        let ranks = ranks_by_count(&every);
        let kept: Vec<f64> = ranks.iter().zip(&values).filter(|(_, d)| **d != 0.0).map(|(r, _)| *r).collect();
        let pratt = wilcoxon(&values, Zeros::Pratt).unwrap();
        if !kept.is_empty() {
            let expected = signed_rank_by_enumeration(&nonzero, &kept);
            prop_assert!((pratt.exact.unwrap().two_sided - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn signed_ranks_mirror_with_sign(values in differences(40)) {
        let back: Vec<f64> = values.iter().map(|d| -d).collect();
        for zeros in [Zeros::Wilcoxon, Zeros::Pratt, Zeros::Split] {
            let (there, back) = (wilcoxon(&values, zeros).unwrap(), wilcoxon(&back, zeros).unwrap());
            prop_assert_eq!(there.plus, back.minus);
            prop_assert!((there.shift + back.shift).abs() < 1e-12);
            if let (Some(a), Some(b)) = (there.p_normal, back.p_normal) {
                prop_assert!((a - b).abs() < 1e-12);
                prop_assert!(there.p_normal_continuity.unwrap() >= a - 1e-12);
            }
        }
    }

    #[test]
    fn mcnemar_is_the_sum_of_its_tails(b in 0u64..18, c in 0u64..18) {
        prop_assume!(b + c > 0);
        let n = b + c;
        let share = |k: u64| choose(n, k) * 0.5f64.powi(i32::try_from(n).unwrap());
        let tail: f64 = (0..=b.min(c)).map(share).sum();
        let test = mcnemar(b, c).unwrap();
        prop_assert!((test.exact - (2.0 * tail).min(1.0)).abs() < 1e-10);
        prop_assert!((test.mid_p - (2.0 * tail - share(b.min(c)))).abs() < 1e-10);
        prop_assert!(test.mid_p <= test.exact + 1e-12);
    }

    #[test]
    fn clopper_pearson_inverts_the_binomial(n in 1u64..25, share in 0.0f64..=1.0) {
        let x = (0..=n).rfind(|x| float(*x) <= share * float(n)).unwrap();
        let interval = clopper_pearson(x, n, 0.95).unwrap();
        let chance = |p: f64, k: u64| {
            let power = |base: f64, k: u64| base.powi(i32::try_from(k).unwrap());
            choose(n, k) * power(p, k) * power(1.0 - p, n - k)
        };
        if x > 0 {
            let above: f64 = (x..=n).map(|k| chance(interval.low, k)).sum();
            prop_assert!((above - 0.025).abs() < 1e-9);
        }
        if x < n {
            let below: f64 = (0..=x).map(|k| chance(interval.high, k)).sum();
            prop_assert!((below - 0.025).abs() < 1e-9);
        }
        // The exact interval is the widest of the three around the rate.
        let middle = jeffreys(x, n, 0.95).unwrap();
        prop_assert!(interval.low <= middle.low + 1e-12 && middle.high <= interval.high + 1e-12);
    }

    #[test]
    fn newcombe_contains_difference_and_mirrors(x1 in 0u64..20, n1 in 20u64..40, x2 in 0u64..20, n2 in 20u64..40) {
        let interval = newcombe(x1, n1, x2, n2, Z95).unwrap();
        let difference = float(x1) / float(n1) - float(x2) / float(n2);
        prop_assert!(interval.low <= difference && difference <= interval.high);
        prop_assert!(-1.0 <= interval.low && interval.high <= 1.0);
        let back = newcombe(x2, n2, x1, n1, Z95).unwrap();
        prop_assert!((interval.low + back.high).abs() < 1e-12);
    }

    #[test]
    fn pass_rates_match_all_draws(n in 1u64..8, c in 0u64..8, k in 1u64..8) {
        prop_assume!(c <= n && k <= n);
        let draws = (0u64..1 << n).filter(|draw| u64::from(draw.count_ones()) == k);
        let passed = (1u64 << c) - 1;
        let (mut all, mut some, mut only) = (0.0, 0.0, 0.0);
        for draw in draws {
            all += 1.0;
            some += f64::from(u8::from(draw & passed != 0));
            only += f64::from(u8::from(draw & !passed == 0));
        }
        prop_assert!((pass_at_k(n, c, k).unwrap() - some / all).abs() < 1e-12);
        prop_assert!((pass_hat_k(n, c, k).unwrap() - only / all).abs() < 1e-12);
    }

    #[test]
    fn gini_matches_mean_difference_formula(values in prop::collection::vec(0.0f64..100.0, 1..12)) {
        let sum: f64 = values.iter().sum();
        prop_assume!(sum > 1e-6);
        let apart: f64 = values.iter().flat_map(|a| values.iter().map(move |b| (a - b).abs())).sum();
        let n = float(values.len() as u64);
        prop_assert!((gini(&values).unwrap() - apart / (2.0 * n * sum)).abs() < 1e-9);
    }

    #[test]
    fn adjusted_p_values_follow_their_definitions(p in prop::collection::vec(0.0f64..=1.0, 1..9)) {
        let m = float(p.len() as u64);
        let (holm, bh) = (holm(&p).unwrap(), benjamini_hochberg(&p).unwrap());
        for (own, (holm, bh)) in p.iter().zip(holm.iter().zip(&bh)) {
            // Step down: the largest of (number of p at least this one) × p over smaller ones.
            let scaled = |q: &f64| (q * p.iter().filter(|o| *o >= q).count() as f64).min(1.0);
            let expected = p.iter().filter(|q| *q <= own).map(scaled).fold(0.0, f64::max);
            prop_assert!((holm - expected).abs() < 1e-12);
            let scaled = |q: &f64| q * m / p.iter().filter(|o| *o <= q).count() as f64;
            let expected = p.iter().filter(|q| *q >= own).map(scaled).fold(1.0, f64::min);
            prop_assert!((bh - expected).abs() < 1e-12);
            prop_assert!(*own <= bh + 1e-12 && *bh <= holm + 1e-12);
        }
    }

    #[test]
    fn correlations_respect_scale_order_sign(pairs in prop::collection::vec((-9i32..9, -9i32..9), 3..15)) {
        let pairs: Vec<(f64, f64)> = pairs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
        let cubed: Vec<(f64, f64)> = pairs.iter().map(|(x, y)| (x.powi(3), 2.0 * y - 7.0)).collect();
        let turned: Vec<(f64, f64)> = pairs.iter().map(|(x, y)| (3.0 * x + 1.0, -y)).collect();
        let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-9,
            (a, b) => a == b,
        };
        prop_assert!(near(spearman(&pairs), spearman(&cubed)));
        prop_assert!(near(kendall(&pairs), kendall(&cubed)));
        prop_assert!(near(pearson(&pairs).map(|r| -r), pearson(&turned)));
        let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let ranked: Vec<(f64, f64)> = ranks_by_count(&xs).into_iter().zip(ranks_by_count(&ys)).collect();
        prop_assert!(near(spearman(&pairs), pearson(&ranked)));
    }

    #[test]
    fn bootstrap_depends_only_on_seed(values in prop::collection::vec(-5.0f64..5.0, 2..9), seed in any::<u64>()) {
        let bootstrap = Bootstrap { resamples: 300, seed, confidence: 0.9 };
        let of = |drawn: &[&f64]| mean(&drawn.iter().map(|v| **v).collect::<Vec<_>>());
        let (one, two) = (bootstrap.run(&values, of).unwrap(), bootstrap.run(&values, of).unwrap());
        prop_assert_eq!(&one, &two);
        // The resamples are those that the generator's documented indices give.
        let mut random = SplitMix64::new(seed);
        let mut expected: Vec<f64> = (0..300)
            .map(|_| mean(&values.iter().map(|_| values[random.index(values.len())]).collect::<Vec<_>>()).unwrap())
            .collect();
        expected.sort_by(f64::total_cmp);
        prop_assert_eq!(&one.sorted, &expected);
        let (low, high) = (expected[0], expected[299]);
        for interval in [one.percentile(), one.bca()].into_iter().flatten() {
            prop_assert!(low <= interval.low && interval.low <= interval.high && interval.high <= high);
        }
    }

    #[test]
    fn quantiles_are_bounded_and_monotonic(values in prop::collection::vec(-9.0f64..9.0, 1..9), a in 0.0f64..=1.0, b in 0.0f64..=1.0) {
        let mut sorted = values;
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (a.min(b), a.max(b));
        let at = |level| quantile_of_sorted(&sorted, level).unwrap();
        prop_assert!(sorted[0] <= at(low) && at(low) <= at(high) + 1e-12 && at(high) <= sorted[sorted.len() - 1]);
        prop_assert_eq!(quantile_of_sorted(&sorted, 1.5), None);
    }

    #[test]
    fn clusters_of_one_are_independent_observations(values in prop::collection::vec(-5.0f64..5.0, 2..12)) {
        let alone: Vec<Vec<f64>> = values.iter().map(|v| vec![*v]).collect();
        let n = float(values.len() as u64);
        let found = cluster_mean(&alone).unwrap();
        let (independent, clustered) = (found.se_independent.unwrap(), found.se.unwrap());
        prop_assert!((clustered - independent * ((n - 1.0) / n).sqrt()).abs() < 1e-9);
        prop_assert!((found.mean - paired_mean(&values).unwrap().mean).abs() < 1e-12);
    }

    #[test]
    fn power_grows_with_effect_and_size(p in 0.3f64..0.9, n in 20u64..500) {
        let power = |drop: f64, n: u64| power_of_rates(p, n, p - drop, n, 0.05).unwrap();
        prop_assert!(power(0.1, n) <= power(0.2, n) + 1e-12);
        prop_assert!(power(0.1, n) <= power(0.1, 2 * n) + 1e-12);
        prop_assert!(power(0.0, n) < 0.0501);
    }
}
