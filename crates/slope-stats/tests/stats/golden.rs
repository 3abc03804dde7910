//! Values computed independently with SciPy 1.17.1 and NumPy 2.4.6.

use slope_stats::wilcoxon::Exactly;
use slope_stats::{
    Bootstrap, Interval, Item, SignedRank, SplitMix64, Z95, Zeros, ability_eap, ability_map,
    benjamini_hochberg, clopper_pearson, cluster_mean, correlation_p, equate, fisher_interval,
    gini, holm, jeffreys, kendall, mcnemar, mean, monitor, ols, one_rate, paired_mean, pass_at_k,
    pass_hat_k, pearson, quantile_of_sorted, spearman, stddev, theil_sen, two_rates, wilcoxon,
    wilson,
};

const TOLERANCE: f64 = 1e-9;

#[track_caller]
fn close(got: f64, expected: f64) {
    assert!(
        (got - expected).abs() < TOLERANCE,
        "got {got}, expected {expected}"
    );
}

#[test]
fn slopes_of_five_points() {
    let points = [
        (1.0, 0.412),
        (2.0, 0.455),
        (3.0, 0.471),
        (4.0, 0.533),
        (5.0, 0.56),
    ];
    let fit = ols(&points).unwrap();
    close(fit.slope, 0.037_400_000_000_000_02);
    close(fit.intercept, 0.374);
    close(fit.slope_se.unwrap(), 0.003_460_250_472_629_621_4);
    let interval = fit.slope_interval().unwrap();
    close(interval.low, 0.026_387_938_668_023_674);
    close(interval.high, 0.048_412_061_331_976_355);
    close(theil_sen(&points).unwrap(), 0.038_000_000_000_000_01);
}

#[test]
fn slope_with_gaps() {
    let fit = ols(&[(1.0, 0.30), (2.0, 0.41), (5.0, 0.52)]).unwrap();
    close(fit.slope, 0.050_769_230_769_230_775);
}

#[test]
fn wilson_interval_of_29_of_50() {
    let interval = wilson(29, 50, Z95).unwrap();
    close(interval.low, 0.442_334_417_685_782_24);
    close(interval.high, 0.706_249_966_452_880_1);
}

#[test]
fn moments_of_paired_differences() {
    let a = [0.9, 0.4, 1.0, 0.0, 0.7, 0.2, 0.6, 0.8];
    let b = [0.7, 0.5, 0.8, 0.0, 0.5, 0.3, 0.4, 0.8];
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    close(mean(&differences).unwrap(), 0.075);
    // The file gives the standard error, sd / sqrt(n).
    close(
        stddev(&differences).unwrap() / 8f64.sqrt(),
        0.049_099_025_303_098_29,
    );
}

#[track_caller]
fn between(got: Option<Interval>, low: f64, high: f64) {
    let got = got.unwrap();
    close(got.low, low);
    close(got.high, high);
}

#[track_caller]
fn signed_rank(differences: &[f64], zeros: Zeros) -> SignedRank {
    wilcoxon(differences, zeros).unwrap()
}

#[test]
fn signed_ranks_without_ties() {
    let test = signed_rank(
        &[1.83, -0.5, 1.62, 2.48, -1.68, 1.88, 1.55, 3.06, -1.3, 0.27],
        Zeros::Wilcoxon,
    );
    assert_eq!((test.plus, test.minus), (44.0, 11.0));
    let Exactly {
        two_sided, greater, ..
    } = test.exact.unwrap();
    close(two_sided, 0.10546875);
    close(greater, 0.052734375);
    close(test.z.unwrap(), 1.6818357317441643);
    close(test.p_normal.unwrap(), 0.09260069782067576);
    close(test.p_normal_continuity.unwrap(), 0.10291753940285298);
}

#[test]
fn signed_ranks_with_zeros_and_ties() {
    let differences = [
        0.0, 0.05, -0.05, 0.1, 0.0, 0.05, -0.1, 0.15, 0.05, -0.05, 0.2, 0.0, -0.15, 0.1, 0.05,
        0.25, -0.05, 0.1, 0.0, 0.3,
    ];
    let dropped = signed_rank(&differences, Zeros::Wilcoxon);
    assert_eq!((dropped.n, dropped.nonzero), (20, 16));
    assert_eq!((dropped.plus, dropped.minus), (102.0, 34.0));
    close(dropped.z.unwrap(), 1.7781196252528686);
    close(dropped.p_normal.unwrap(), 0.0753842098602491);
    close(dropped.p_normal_continuity.unwrap(), 0.07977882778456415);
    close(dropped.p().unwrap(), 0.0789794921875);
    let pratt = signed_rank(&differences, Zeros::Pratt);
    assert_eq!(pratt.minus, 54.0);
    close(pratt.z.unwrap(), 1.7366220223350084);
    close(pratt.p_normal.unwrap(), 0.08245390973856517);
    close(pratt.p_normal_continuity.unwrap(), 0.08584301045105149);
    let split = signed_rank(&differences, Zeros::Split);
    assert_eq!((split.minus, split.exact), (59.0, None));
    close(split.z.unwrap(), 1.728938496364108);
    close(split.p_normal.unwrap(), 0.0838201032476921);
    close(split.p_normal_continuity.unwrap(), 0.08723893628614306);
}

#[test]
fn exact_signed_ranks_with_ties() {
    let test = signed_rank(
        &[0.5, -0.5, 1.0, 1.0, -1.5, 2.0, 2.0, 2.0, -0.5, 3.0],
        Zeros::Wilcoxon,
    );
    assert_eq!(test.plus, 45.0);
    close(test.p().unwrap(), 0.083984375);
}

/// Of the mean of ten values, 2000 resamples.
fn resampled() -> slope_stats::Resampled {
    let data = [0.62, 0.55, 0.71, 0.48, 0.9, 0.33, 0.58, 0.66, 0.41, 0.77];
    let bootstrap = Bootstrap {
        resamples: 2000,
        seed: 42,
        confidence: 0.95,
    };
    let of = |drawn: &[&f64]| mean(&drawn.iter().map(|v| **v).collect::<Vec<_>>());
    bootstrap.run(&data, of).unwrap()
}

#[test]
fn generator_matches_published_values() {
    let mut random = SplitMix64::new(42);
    let first = [(); 3].map(|()| random.next_u64());
    assert_eq!(
        first,
        [
            13679457532755275413,
            2949826092126892291,
            5139283748462763858
        ]
    );
}

#[test]
fn bootstrap_intervals_of_a_mean() {
    let resampled = resampled();
    close(resampled.estimate, 0.601);
    close(resampled.mean().unwrap(), 0.602389);
    close(resampled.se().unwrap(), 0.05048153000292006);
    between(resampled.percentile(), 0.504975, 0.704025);
    between(resampled.basic(), 0.497975, 0.697025);
    let correction = resampled.correction().unwrap();
    close(correction.bias, 0.0031332904701324546);
    close(correction.acceleration, 0.005342222444182198);
    close(correction.levels.0, 0.026590228931357634);
    close(correction.levels.1, 0.9765408159738037);
    between(resampled.bca(), 0.507, 0.707);
}

#[test]
fn every_resample_of_four_values() {
    let data = [0.2, 0.5, 0.9, 0.4];
    let mut means: Vec<f64> = (0..256usize)
        .map(|code| {
            (0..4)
                .map(|place| data[code >> (2 * place) & 3])
                .sum::<f64>()
                / 4.0
        })
        .collect();
    means.sort_by(f64::total_cmp);
    close(quantile_of_sorted(&means, 0.025).unwrap(), 0.275);
    close(quantile_of_sorted(&means, 0.975).unwrap(), 0.775);
    // The file gives the deviation with divisor n.
    close(
        stddev(&means).unwrap() * (255f64 / 256.0).sqrt(),
        0.12747548783981963,
    );
}

#[test]
fn correlations_of_ten_pairs() {
    let a = [0.1, 0.25, 0.25, 0.4, 0.55, 0.6, 0.6, 0.75, 0.8, 0.95];
    let b = [1.2, 0.9, 1.6, 1.6, 2.4, 1.9, 2.8, 2.8, 3.9, 3.1];
    let pairs: Vec<(f64, f64)> = a.into_iter().zip(b).collect();
    let r = pearson(&pairs).unwrap();
    close(r, 0.883890396536099);
    close(correlation_p(r, 10).unwrap(), 0.0006896339968551705);
    between(
        fisher_interval(r, 10),
        0.5733391883922672,
        0.972371748705797,
    );
    let rho = spearman(&pairs).unwrap();
    close(rho, 0.932515337423313);
    close(correlation_p(rho, 10).unwrap(), 8.359628526206175e-05);
    close(kendall(&pairs).unwrap(), 0.8139534883720931);
}

#[test]
fn means_of_clusters_and_pairs() {
    let clusters = [
        vec![1.0, 1.0, 0.0],
        vec![1.0, 0.0],
        vec![0.0, 0.0, 0.0, 1.0],
        vec![1.0, 1.0, 1.0],
        vec![0.0, 1.0],
        vec![1.0, 1.0, 0.0, 0.0],
    ];
    let found = cluster_mean(&clusters).unwrap();
    close(found.mean, 0.5555555555555556);
    close(found.se_independent.unwrap(), 0.12051692101036454);
    close(found.se.unwrap(), 0.10329136130050316);
    let a = [0.9, 0.4, 1.0, 0.0, 0.7, 0.2, 0.6, 0.8];
    let b = [0.7, 0.5, 0.8, 0.0, 0.5, 0.3, 0.4, 0.8];
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let paired = paired_mean(&differences).unwrap();
    close(paired.mean, 0.075);
    close(paired.se, 0.04909902530309829);
    close(paired.t.unwrap(), 1.5275252316519468);
    close(paired.p.unwrap(), 0.1704706607870538);
    let unpaired = (stddev(&a).unwrap().powi(2) / 8.0 + stddev(&b).unwrap().powi(2) / 8.0).sqrt();
    close(unpaired, 0.15669579263200217);
    let pairs: Vec<(f64, f64)> = a.into_iter().zip(b).collect();
    close(pearson(&pairs).unwrap(), 0.9298372927094182);
}

#[test]
fn pairs_that_differ() {
    let test = mcnemar(14, 5).unwrap();
    close(test.exact, 0.063568115234375);
    close(test.mid_p, 0.04138946533203125);
    close(test.one_sided, 0.0317840576171875);
    close(test.chi2, 3.3684210526315788);
    close(test.p_chi2, 0.0664574200169312);
    close(test.z, 2.0647416048350555);
}

#[test]
fn rates_and_their_tests() {
    between(
        clopper_pearson(29, 50, 0.95),
        0.4320604350653683,
        0.7181177588761135,
    );
    between(jeffreys(29, 50, 0.95), 0.4418998332930942, 0.7091326233146);
    let two = two_rates(870, 1500, 354, 655).unwrap();
    close(two.z, 1.7044443710244468);
    close(two.p, 0.08829810041321964);
    let one = one_rate(354, 655, 0.58).unwrap();
    close(one.z, -2.0504088708560935);
    close(one.p, 0.04032454826052427);
}

#[test]
fn several_tests_at_once() {
    let p = [0.003, 0.021, 0.045, 0.0009, 0.2, 0.031];
    let all = |got: Option<Vec<f64>>, expected: [f64; 6]| {
        for (got, expected) in got.unwrap().into_iter().zip(expected) {
            close(got, expected);
        }
    };
    all(holm(&p), [0.015, 0.084, 0.093, 0.0054, 0.2, 0.093]);
    all(
        benjamini_hochberg(&p),
        [0.009000000000000001, 0.042, 0.054, 0.0054, 0.2, 0.0465],
    );
    assert_eq!(holm(&[0.5, 1.5]), None);
    assert_eq!(benjamini_hochberg(&[f64::NAN]), None);
}

#[test]
fn rates_of_several_attempts() {
    // Of 5 attempts 2 passed: C(3,2)/C(5,2) = 3/10 of the pairs have none, C(2,2)/C(5,2) only passed.
    close(pass_at_k(5, 2, 2).unwrap(), 0.7);
    close(pass_hat_k(5, 2, 2).unwrap(), 0.1);
    assert_eq!(
        (pass_at_k(5, 2, 6), pass_at_k(5, 6, 2), pass_hat_k(5, 2, 0)),
        (None, None, None)
    );
    assert_eq!(
        (pass_at_k(5, 4, 2), pass_hat_k(5, 1, 2)),
        (Some(1.0), Some(0.0))
    );
}

#[test]
fn inequality_of_shares() {
    close(gini(&[1.0, 1.0, 1.0]).unwrap(), 0.0);
    close(gini(&[0.0, 0.0, 0.0, 1.0]).unwrap(), 0.75);
    close(gini(&[1.0, 2.0, 3.0, 4.0]).unwrap(), 0.25);
    assert_eq!(
        (gini(&[]), gini(&[0.0]), gini(&[-1.0, 2.0])),
        (None, None, None)
    );
}

#[test]
fn scan_for_a_fall() {
    let days = [
        (0.60, 1),
        (0.55, 1),
        (0.50, 1),
        (0.515, 4),
        (0.52, 4),
        (0.54, 1),
    ];
    let spread = monitor::Spread {
        run: 0.16,
        day: 0.0001,
        tasks: 50,
        baseline_runs: 30,
    };
    let found = monitor::scan(&days, 0.58, &spread).unwrap();
    let expected = [
        (-0.342_493_872_625_371_2, 0),
        (0.525_062_254_838_890_9, 1),
        (1.366_001_736_383_106_5, 2),
        (2.385_431_171_181_188_5, 2),
        (2.877_543_355_030_494_5, 2),
        (2.884_907_233_006_402_7, 2),
    ];
    for (day, (z, start)) in found.iter().zip(expected) {
        close(day.z, z);
        assert_eq!(day.start, start);
    }
    assert_eq!(monitor::scan(&[(0.5, 0)], 0.58, &spread), None);
}

#[test]
fn e_values_of_a_fall() {
    let day = |passed: [u8; 3]| passed.map(|p| p == 1).to_vec();
    let days = [[1, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 0, 0]].map(day);
    let found = monitor::e_values(&[0.9, 0.6, 0.3], &[0.2, 0.5, 1.0], &days).unwrap();
    let expected = [
        [0.806_644_951_306_407_9; 3],
        [
            1.113_482_927_273_158,
            2.530_544_206_231_503_3,
            1.417_061_278_958_345_4,
        ],
        [
            1.573_146_243_183_132_7,
            5.046_359_604_044_345,
            2.056_152_081_902_867_6,
        ],
        [
            1.242_277_016_749_089_7,
            4.735_551_138_511_789,
            1.573_146_243_183_133,
        ],
        [
            3.362_192_812_291_302_5,
            15.870_433_448_796_655,
            4.624_615_001_803_719,
        ],
    ];
    for (day, [process, detector, cusum]) in found.iter().zip(expected) {
        close(day.process, process);
        close(day.detector, detector);
        close(day.cusum, cusum);
    }
}

#[test]
fn running_sums_and_averages() {
    let z = [0.3, -0.2, 1.1, 0.8, -0.5, 1.7, 1.2, 0.9];
    let sums = [0.0, 0.0, 0.6, 0.9, 0.0, 1.2, 1.9, 2.3];
    for (got, expected) in monitor::cusum(&z, 0.5).iter().zip(sums) {
        close(*got, expected);
    }
    let averages = monitor::ewma(&z, 0.1).unwrap();
    close(averages[3], 1.066_629_972_243_548_2);
    close(averages[7], 2.030_268_940_712_702_4);
    let falling = [0.58, 0.60, 0.56, 0.58, 0.50, 0.48, 0.52, 0.46, 0.48, 0.44];
    let tests = monitor::page_hinkley(&falling, 0.005);
    close(tests[2], 0.014_999_999_999_999_906);
    close(tests[9], 0.343_603_174_603_174_47);
    // A rise is no fall.
    let rising: Vec<f64> = falling.iter().rev().copied().collect();
    assert!(
        monitor::page_hinkley(&rising, 0.005)
            .iter()
            .all(|s| *s < 0.03)
    );
}

#[test]
fn confidence_sequences() {
    for (t, width) in [
        (10, 1.001_935_692_073_029_1),
        (30, 0.554_150_810_257_184_8),
        (100, 0.310_735_847_149_240_8),
    ] {
        close(monitor::sequence_half_width(t, 30, 0.05).unwrap(), width);
    }
    close(
        monitor::log_e_of_rate(354, 655, 0.58).unwrap(),
        -0.934_642_668_257_026_8,
    );
    let sequence = monitor::rate_sequence(354, 655, 0.05).unwrap();
    close(sequence.low, 0.472_724_750_720_540_77);
    close(sequence.high, 0.607_205_694_276_947_6);
}

#[test]
fn abilities_and_scales() {
    let items = [(1.2, -1.0), (0.8, -0.3), (1.5, 0.2), (1.0, 0.8), (0.6, 1.5)];
    let items = items.map(|(slope, difficulty)| Item { slope, difficulty });
    let outcomes: Vec<(Item, bool)> = items
        .into_iter()
        .zip([true, true, false, true, false])
        .collect();
    let likely = ability_map(&outcomes).unwrap();
    close(likely.value, 0.225_830_585_118_343_92);
    close(likely.se, 0.667_756_798_192_810_6);
    let expected = ability_eap(&outcomes, 81).unwrap();
    close(expected.value, 0.238_185_936_068_758_74);
    close(expected.se, 0.689_112_228_577_880_7);
    let known = [
        0.256_167_994_531_400_3,
        0.157_717_939_258_364_6,
        0.550_031_201_304_178_2,
        0.213_909_696_520_294_43,
        0.073_980_110_643_214_83,
    ];
    for (item, known) in items.iter().zip(known) {
        close(item.information(0.0), known);
    }
    let scale = equate(&[-1.1, -0.2, 0.4, 1.3], &[-0.9, 0.05, 0.55, 1.6]).unwrap();
    close(scale.slope, 0.969_956_059_766_912_8);
    close(scale.shift, -0.215_235_719_424_246_7);
    close(scale.rasch, -0.225);
}
