//! Values computed independently with SciPy 1.17.1 and NumPy 2.4.6.

use slope_stats::{Z95, mean, ols, stddev, theil_sen, wilson};

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
fn a_slope_with_gaps() {
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
