//! The e-detector of the pass rate: a certificate that holds at any time.

use std::collections::BTreeMap;

use slope_model::watch::{TaskOutcome, WatchDay};
use slope_stats::monitor::Evidence;

use slope_stats::float;

use crate::daily::{Baseline, counted};

/// Value that confirms a fall. Without one, it is reached within a year with a probability of at most
/// 365/7300 = 5 %.
pub(crate) const CERTAIN: f64 = 7300.0;

/// Falls on the logit scale that the detector looks for together.
const SHIFTS: [f64; 6] = [0.1, 0.2, 0.35, 0.6, 1.0, 1.6];

/// Standard errors of the baseline by which its rates are lowered, so that an error of the baseline
/// is not taken for a fall.
const MARGIN: f64 = 1.5;

/// The detector of an arm's pass rate, and the outcomes of its days.
#[derive(Debug, Clone)]
pub(crate) struct Detector {
    none: Evidence,
    now: Evidence,
    /// Number of the task and whether it passed, for each run of each day.
    days: BTreeMap<String, Vec<(usize, bool)>>,
}

impl Detector {
    /// The detector after the baseline; `None` if the rates allow none.
    pub(crate) fn new(days: &[WatchDay], arm: &str, baseline: &Baseline) -> Option<Self> {
        let tasks = Vec::from_iter(baseline.tasks.keys());
        let runs = baseline.runs;
        let rates = baseline.tasks.values();
        let rates = Vec::from_iter(rates.map(|rate| (rate * runs + baseline.mean) / (runs + 1.0)));
        let margin = MARGIN * (baseline.within / (float(tasks.len()) * runs)).sqrt();
        let none = Evidence::new(&lowered(&rates, margin), &SHIFTS)?;
        let outcomes = |day: &WatchDay| {
            let runs = day.arms.get(arm).into_iter().flat_map(|arm| &arm.tasks);
            let valid = runs.filter(|run| run.outcome != TaskOutcome::Missing);
            let known = valid.filter_map(|run| {
                let task = tasks.binary_search(&&run.task).ok()?;
                Some((task, run.outcome == TaskOutcome::Passed))
            });
            (day.date.clone(), Vec::from_iter(known))
        };
        Some(Self {
            days: counted(days).map(outcomes).collect(),
            now: none.clone(),
            none,
        })
    }

    /// The detector's value with a day more.
    pub(crate) fn add(&mut self, date: &str) -> Option<f64> {
        let outcomes = self.days.get(date)?;
        let values = self.now.add(outcomes.iter().copied())?;
        Some(values.detector)
    }

    /// Forgets all evidence.
    pub(crate) fn restart(&mut self) {
        self.now = self.none.clone();
    }
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
