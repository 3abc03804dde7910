//! The daily series of a measure: weighted differences of each task from its own baseline.
//!
//! Day t has the difference d = Σ_i (x̄_i − b_i) / |S| over the tasks S with a result on that day, and
//! the variance V·Σ_i (1/k_i)/|S|² + D. V is the mean variance between runs of a task in the
//! baseline, and D the variance of days beyond that, from all days before t.

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
    /// Variance of days beyond that of runs, by all days.
    pub day_variance: f64,
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
    /// Variance of days beyond that, as of the baseline.
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
    // Classes of different rules are not comparable.
    let rules = days.iter().rev().find_map(|day| day.class_rules.as_ref());
    let is_comparable = |day: &&WatchDay| {
        !matches!(measure, Measure::Class(_))
            || rules.is_some() && day.class_rules.as_ref() == rules
    };
    let counted = counted(days).filter(is_comparable);
    let counted = counted.filter_map(|day| Some((day, day.arms.get(name)?)));
    let valued = counted.map(|(day, arm)| (day.date.as_str(), values(arm, measure)));
    let valued = Vec::from_iter(valued.filter(|(_, values)| !values.is_empty()));
    if valued.len() < baseline_days.max(2) {
        return Daily {
            measure,
            baseline: None,
            days: Vec::new(),
            day_variance: 0.0,
        };
    }
    let (before, after) = valued.split_at(baseline_days.max(2));
    let least = measure.least_day_deviation().powi(2);
    let mut found = Daily {
        measure,
        baseline: None,
        days: Vec::new(),
        day_variance: least,
    };
    let Some(mut baseline) = baseline(measure, before) else {
        return found;
    };
    let mut between = BetweenDays::new(least);
    for day in before
        .iter()
        .filter_map(|(date, values)| difference(&baseline, date, values))
    {
        between.add(&day);
    }
    baseline.day = between.variance;
    for (date, values) in after {
        if let Some(day) = difference(&baseline, date, values) {
            let variance = day.variance + between.variance;
            between.add(&day);
            found.days.push(Difference { variance, ..day });
        }
    }
    found.day_variance = between.variance;
    found.baseline = Some(baseline);
    found
}

/// Largest squared standardised difference of two days that counts in full: the 0.95 quantile of χ² with one degree
/// of freedom. A change of level, or a day of outage, is larger.
const LARGEST: f64 = 3.841;
/// Mean of such squares of normal values, with those above counted as [`LARGEST`].
const MEAN_OF_CAPPED: f64 = 0.9132;

/// The variance of days beyond that of their runs, from differences of successive days.
///
/// A lasting change of level concerns only one of these differences. The estimate of a day takes all days before it, so
/// that it gets better with time: fifteen days of baseline say little.
struct BetweenDays {
    least: f64,
    variance: f64,
    /// Sums of weights, and of weighted estimates.
    sums: (f64, f64),
    /// Difference of the day before, and its variance by runs.
    before: Option<(f64, f64)>,
}

impl BetweenDays {
    fn new(least: f64) -> Self {
        Self {
            least,
            variance: least,
            sums: (0.0, 0.0),
            before: None,
        }
    }

    /// Takes a day whose variance is that of its runs.
    fn add(&mut self, day: &Difference) {
        let (value, by_runs) = (day.difference, day.variance);
        let Some((value_before, by_runs_before)) = self.before.replace((value, by_runs)) else {
            return;
        };
        let by_runs = f64::midpoint(by_runs_before, by_runs);
        let expected = by_runs + self.variance;
        let squared = 0.5 * (value - value_before).powi(2) / expected;
        let weight = 1.0 / (expected * expected);
        self.sums.0 += weight;
        self.sums.1 += weight * (expected * squared.min(LARGEST) / MEAN_OF_CAPPED - by_runs);
        self.variance = (self.sums.1 / self.sums.0).max(self.least);
    }
}

/// The days that count, with the tasks of the last such day.
pub(crate) fn counted(days: &[WatchDay]) -> impl DoubleEndedIterator<Item = &WatchDay> {
    let valid = || days.iter().filter(|day| day.invalid.is_none());
    let suite = valid().next_back().map(|day| &day.suite);
    valid().filter(move |day| Some(&day.suite) == suite)
}

/// Values of all runs of a day, by task.
type Values<'a> = BTreeMap<&'a str, Vec<f64>>;

fn values(arm: &ArmDay, measure: Measure) -> Values<'_> {
    let mut values = Values::new();
    for run in &arm.tasks {
        if let Some(value) = measure.of(run) {
            values.entry(&run.task).or_default().push(value);
        }
    }
    values
}

/// The baseline of some days; `None` if no task has two runs.
fn baseline(measure: Measure, days: &[(&str, Values<'_>)]) -> Option<Baseline> {
    let mut all = Values::new();
    for (task, values) in days.iter().flat_map(|(_, values)| values) {
        all.entry(*task).or_default().extend(values);
    }
    all.retain(|_, values| values.len() >= 2);
    if all.is_empty() {
        return None;
    }
    let tasks = BTreeMap::from_iter(
        all.iter()
            .map(|(task, values)| ((*task).to_owned(), mean(values))),
    );
    let runs = float(all.values().map(Vec::len).sum()) / float(all.len());
    let variances = Vec::from_iter(all.values().map(|values| variance(values)));
    let within = mean(&variances).max(measure.least_variance(runs));
    Some(Baseline {
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
    })
}

/// A day with the variance of its runs alone.
fn difference(baseline: &Baseline, date: &str, values: &Values<'_>) -> Option<Difference> {
    let known = values
        .iter()
        .filter_map(|(task, values)| Some((baseline.tasks.get(*task)?, values)));
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
        variance: baseline.within * runs / (count * count),
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
