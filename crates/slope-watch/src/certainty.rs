//! The e-detector of the pass rate: a certificate that holds at any time.

use slope_model::watch::{TaskOutcome, WatchDay};
use slope_stats::monitor::Evidence;

use crate::daily::{Baseline, float};

/// Value that confirms a fall. Without one, it is reached within a year with a probability of at most
/// 365/7300 = 5 %.
pub(crate) const CERTAIN: f64 = 7300.0;

/// Falls on the logit scale that the detector looks for together.
const SHIFTS: [f64; 6] = [0.1, 0.2, 0.35, 0.6, 1.0, 1.6];

/// Standard errors of the baseline by which its rates are lowered, so that an error of the baseline
/// is not taken for a fall.
const MARGIN: f64 = 1.5;

/// The detector's value on each day after the baseline that counts, with its date.
pub(crate) fn detector(days: &[WatchDay], arm: &str, baseline: &Baseline) -> Vec<(String, f64)> {
    let tasks = Vec::from_iter(baseline.tasks.keys());
    let runs = baseline.runs;
    let rates = baseline.tasks.values();
    let rates = Vec::from_iter(rates.map(|rate| (rate * runs + baseline.mean) / (runs + 1.0)));
    let margin = MARGIN * (baseline.within / (float(tasks.len()) * runs)).sqrt();
    let Some(mut evidence) = Evidence::new(&lowered(&rates, margin), &SHIFTS) else {
        return Vec::new();
    };
    let suite = days.last().map(|day| &day.suite);
    let counted = days
        .iter()
        .filter(|day| day.invalid.is_none() && Some(&day.suite) == suite)
        .filter(|day| day.arms.get(arm).is_some_and(|arm| !arm.tasks.is_empty()));
    let mut values = Vec::new();
    for day in counted.skip(baseline.days) {
        let runs = day.arms.get(arm).into_iter().flat_map(|arm| &arm.tasks);
        let outcomes = runs.filter(|run| run.outcome != TaskOutcome::Missing);
        let outcomes = outcomes.filter_map(|run| {
            let task = tasks.binary_search(&&run.task).ok()?;
            Some((task, run.outcome == TaskOutcome::Passed))
        });
        if let Some(value) = evidence.add(outcomes) {
            values.push((day.date.clone(), value.detector));
        }
    }
    values
}

/// The rates, lowered on the logit scale so that their mean falls by `margin`.
fn lowered(rates: &[f64], margin: f64) -> Vec<f64> {
    let least = 1e-4;
    let rates = Vec::from_iter(rates.iter().map(|rate| rate.clamp(least, 1.0 - least)));
    let by = |shift: f64| {
        let lower = |p: &f64| 1.0 / (1.0 + (shift - (p / (1.0 - p)).ln()).exp());
        Vec::from_iter(rates.iter().map(lower))
    };
    let mean = |rates: &[f64]| rates.iter().sum::<f64>() / float(rates.len().max(1));
    let goal = mean(&rates) - margin;
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if mean(&by(middle)) > goal {
            low = middle;
        } else {
            high = middle;
        }
    }
    by(high)
}

#[cfg(test)]
mod tests {
    use super::lowered;

    #[test]
    fn lowered_rates_keep_their_margin() {
        let rates = [0.9, 0.5, 0.2];
        let mean = |rates: &[f64]| rates.iter().sum::<f64>() / 3.0;
        let low = lowered(&rates, 0.02);
        assert!((mean(&rates) - mean(&low) - 0.02).abs() < 1e-9);
        assert!(low.iter().zip(rates).all(|(low, rate)| *low < rate));
    }
}
