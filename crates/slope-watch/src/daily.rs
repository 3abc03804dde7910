//! The daily series of a measure: weighted differences of each task from its own baseline.
//!
//! Day t has the difference d = Σ_i (x̄_i − b_i) / |S| over the tasks S with a result on that day, and
//! the variance V·Σ_i (1/k_i)/|S|² + D. V is the mean variance between runs of a task in the
//! baseline, and D the variance of days beyond that.

use std::collections::BTreeMap;

use slope_model::watch::{ArmDay, WatchDay};
use slope_stats::float;

use crate::measure::Measure;

/// The daily series of a measure in an arm.
#[derive(Debug, Clone, PartialEq)]
pub struct Daily {
    /// The measure.
    pub measure: Measure,
    /// The baseline; `None` as long as there are too few days.
    pub baseline: Option<Baseline>,
    /// The days after the baseline that have results, in order.
    pub days: Vec<Difference>,
}

/// The baseline of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// Mean of each task.
    pub tasks: BTreeMap<String, f64>,
    /// Mean number of runs of a task.
    pub runs: f64,
    /// Number of days.
    pub days: usize,
    /// Mean of all tasks.
    pub mean: f64,
    /// Variance between runs of a task.
    pub within: f64,
    /// Variance of days beyond that.
    pub day: f64,
    /// Its last day.
    pub last: String,
    /// Sum of the values of all runs, and the number of runs.
    pub sum: (f64, f64),
}

impl Baseline {
    /// Weight of the baseline in a scan: 1 over its variance.
    #[must_use]
    pub fn weight(&self) -> f64 {
        let tasks = float(self.tasks.len());
        1.0 / (self.within / (tasks * self.runs) + self.day / float(self.days))
    }
}

/// A day of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The day.
    pub date: String,
    /// Mean difference from the baseline.
    pub difference: f64,
    /// Its variance.
    pub variance: f64,
    /// Tasks with a result.
    pub tasks: usize,
    /// Sum of the values of all runs, and the number of runs.
    pub sum: (f64, f64),
}

/// The series of `measure` in the arm `name`, with the first `baseline_days` valid days as its
/// baseline. Days that do not count, and days of other tasks than the last day's, are left out.
#[must_use]
pub fn daily(days: &[WatchDay], name: &str, measure: Measure, baseline_days: usize) -> Daily {
    let counted = counted(days).filter_map(|day| Some((day, day.arms.get(name)?)));
    let valued = counted.map(|(day, arm)| (day.date.as_str(), values(arm, measure)));
    let valued = Vec::from_iter(valued.filter(|(_, values)| !values.is_empty()));
    if valued.len() < baseline_days.max(2) {
        return Daily {
            measure,
            baseline: None,
            days: Vec::new(),
        };
    }
    let (before, after) = valued.split_at(baseline_days.max(2));
    let baseline = baseline(measure, before);
    let days = baseline.iter().flat_map(|baseline| {
        after
            .iter()
            .filter_map(|(date, values)| difference(baseline, date, values))
    });
    Daily {
        measure,
        days: days.collect(),
        baseline,
    }
}

/// The days that count, with the tasks of the last such day.
pub(crate) fn counted(days: &[WatchDay]) -> impl DoubleEndedIterator<Item = &WatchDay> {
    let valid = || days.iter().filter(|day| day.invalid.is_none());
    let suite = valid().next_back().map(|day| &day.suite);
    valid().filter(move |day| Some(&day.suite) == suite)
}

/// Values of all runs of a day, by task.
type Values = BTreeMap<String, Vec<f64>>;

fn values(arm: &ArmDay, measure: Measure) -> Values {
    let mut values = Values::new();
    for run in &arm.tasks {
        if let Some(value) = measure.of(run) {
            values.entry(run.task.clone()).or_default().push(value);
        }
    }
    values
}

/// The baseline of some days; `None` if no task has two runs.
fn baseline(measure: Measure, days: &[(&str, Values)]) -> Option<Baseline> {
    let mut all = Values::new();
    for (task, values) in days.iter().flat_map(|(_, values)| values) {
        all.entry(task.clone()).or_default().extend(values);
    }
    all.retain(|_, values| values.len() >= 2);
    if all.is_empty() {
        return None;
    }
    let tasks = BTreeMap::from_iter(
        all.iter()
            .map(|(task, values)| (task.clone(), mean(values))),
    );
    let runs = float(all.values().map(Vec::len).sum()) / float(all.len());
    let variances = Vec::from_iter(all.values().map(|values| variance(values)));
    let within = mean(&variances).max(measure.least_variance(runs));
    let mut found = Baseline {
        mean: mean(&Vec::from_iter(tasks.values().copied())),
        tasks,
        runs,
        days: days.len(),
        within,
        day: 0.0,
        last: days
            .last()
            .map(|(date, _)| (*date).to_owned())
            .unwrap_or_default(),
        sum: total(all.values()),
    };
    let daily = days
        .iter()
        .filter_map(|(date, values)| difference(&found, date, values));
    let daily = Vec::from_iter(daily);
    let spread = variance(&Vec::from_iter(daily.iter().map(|day| day.difference)));
    let sampled = mean(&Vec::from_iter(daily.iter().map(|day| day.variance)));
    let least = measure.least_day_deviation();
    found.day = (spread - sampled).max(least * least);
    Some(found)
}

fn difference(baseline: &Baseline, date: &str, values: &Values) -> Option<Difference> {
    let known = values
        .iter()
        .filter_map(|(task, values)| Some((baseline.tasks.get(task)?, values)));
    let known = Vec::from_iter(known);
    if known.is_empty() {
        return None;
    }
    let count = float(known.len());
    let sum: f64 = known
        .iter()
        .map(|(base, values)| mean(values) - *base)
        .sum();
    let runs: f64 = known
        .iter()
        .map(|(_, values)| 1.0 / float(values.len()))
        .sum();
    Some(Difference {
        date: date.to_owned(),
        difference: sum / count,
        variance: baseline.within * runs / (count * count) + baseline.day,
        tasks: known.len(),
        sum: total(known.iter().map(|(_, values)| *values)),
    })
}

fn total<'a>(tasks: impl Iterator<Item = &'a Vec<f64>>) -> (f64, f64) {
    tasks.fold((0.0, 0.0), |(sum, count), values| {
        (
            sum + values.iter().sum::<f64>(),
            count + float(values.len()),
        )
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / float(values.len().max(1))
}

/// Variance without bias; 0 for fewer than two values.
fn variance(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let centre = mean(values);
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    squares / float(values.len() - 1)
}
