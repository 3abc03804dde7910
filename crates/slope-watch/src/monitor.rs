//! Monitors: the state of each series, and its alarms.
//!
//! A scan of the series raises an alarm when it reaches its threshold. While an alarm is open, a
//! second scan looks for a recovery from the level since the change, and a third for a further change beyond it. After
//! a recovery the first scan starts again, with the baseline as its reference. Rare events are counted instead.

pub(crate) mod counter;
mod open;
mod watcher;

use slope_model::sent_watch::SentWatch;
use slope_model::watch::WatchDay;
pub use slope_model::watch_status::{Alarm, Monitored, State, Watched};
use slope_stats::float;

use crate::certainty::Detector;
use crate::daily::{Baseline, Daily, Difference, daily};
use crate::measure::{Direction, Measure};
use crate::threshold::{threshold, threshold_of_counts};
use watcher::Watcher;

/// Value of the scan from which the next day has more runs.
pub const WATCH: f64 = 2.5;
/// Threshold of the pass rate's scan with which 5 % of quiet years have a false alarm.
pub const SUSPECTED: f64 = 4.06;
/// Distance between the thresholds of a suspected and a confirmed change: from 5 % to 0.5 % of quiet
/// years.
const UNTIL_CONFIRMED: f64 = 0.6;

/// Expected number of rare events from which a scan may take differences for normal.
const ENOUGH: f64 = 10.0;

/// Largest share of the baseline's runs with an event that is counted rather than scanned.
const RARE: f64 = 0.02;

/// Settings of monitors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Valid days of a baseline.
    pub baseline_days: usize,
    /// Share of quiet years with a false alarm in anything that is watched.
    pub false_alarms_per_year: f64,
}

impl From<&SentWatch> for Limits {
    fn from(sent: &SentWatch) -> Self {
        Self {
            baseline_days: sent.baseline_days as usize,
            false_alarms_per_year: sent.false_alarms_per_year,
        }
    }
}

/// Monitors each measure of an arm that has values.
#[must_use]
pub fn monitor(days: &[WatchDay], arm: &str, limits: Limits) -> Vec<Monitored> {
    let monitored = Measure::all().map(|measure| monitor_measure(days, arm, measure, limits));
    monitored.flatten().collect()
}

/// Monitors a measure of an arm; `None` without values, unless it is the pass rate.
#[must_use]
pub fn monitor_measure(
    days: &[WatchDay],
    arm: &str,
    measure: Measure,
    limits: Limits,
) -> Option<Monitored> {
    let series = daily(days, arm, measure, limits.baseline_days);
    if series.baseline.is_none() && measure != Measure::PassRate {
        return None;
    }
    let detector = match (measure, &series.baseline) {
        (Measure::PassRate, Some(baseline)) => Detector::new(days, arm, baseline),
        _ => None,
    };
    let rate = rate_of(measure, limits.false_alarms_per_year);
    Some(of_series(&series, arm, rate, detector))
}

/// The part of the rate of false alarms that a measure has: half is for the pass rate, a quarter for rare events and
/// classes of failures together, and a quarter for all other measures. The parts do not depend on which of them have
/// values, so that thresholds stay.
fn rate_of(measure: Measure, whole: f64) -> f64 {
    if measure == Measure::PassRate {
        return whole / 2.0;
    }
    let alike =
        |other: &Measure| *other != Measure::PassRate && other.is_event() == measure.is_event();
    whole / 4.0 / float(Measure::all().filter(alike).count())
}

/// Whether the events of a series are so rare that they are counted.
fn is_counted(measure: Measure, baseline: &Baseline) -> bool {
    measure.is_event() && baseline.sum.0 <= RARE * baseline.sum.1
}

fn of_series(series: &Daily, arm: &str, rate: f64, detector: Option<Detector>) -> Monitored {
    let measure = series.measure;
    let counts = series.baseline.as_ref();
    let threshold = if counts.is_some_and(|baseline| is_counted(measure, baseline)) {
        threshold_of_counts(rate)
    } else {
        threshold(rate, measure.direction() != Direction::Both)
    };
    let mut found = Monitored {
        arm: arm.to_owned(),
        measure: measure.name().to_owned(),
        title: measure.title().to_owned(),
        is_ratio: measure.is_log(),
        state: State::Baseline,
        threshold,
        baseline: None,
        baseline_se: None,
        days: Vec::new(),
        alarms: Vec::new(),
    };
    let Some(baseline) = &series.baseline else {
        return found;
    };
    found.baseline = Some(baseline.mean);
    found.baseline_se = Some((1.0 / baseline.weight()).sqrt());
    found.state = State::Steady;
    let Some(mut watcher) = Watcher::new(series, baseline, arm, threshold, detector) else {
        return found;
    };
    for (at, day) in series.days.iter().enumerate() {
        let (z, e_detector, state) = watcher.add(at);
        found.days.push(Watched {
            date: day.date.clone(),
            difference: day.difference,
            se: day.variance.sqrt(),
            tasks: day.tasks,
            z,
            e_detector,
            state,
        });
        found.state = state;
    }
    found.alarms = watcher.alarms;
    found
}

/// Sum of values and number of runs of some days.
fn sum(days: &[Difference]) -> (f64, f64) {
    let add = |(a, b): (f64, f64), day: &Difference| (a + day.sum.0, b + day.sum.1);
    days.iter().fold((0.0, 0.0), add)
}

fn both(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 + b.0, a.1 + b.1)
}

/// How surprising some runs are after those before, if what is counted is rare: then a scan, which takes differences
/// for normal, is too sure. For the pass rate failures are counted, for events those with it. `None` if they are not
/// rare.
fn surprise(measure: Measure, before: (f64, f64), since: (f64, f64)) -> Option<f64> {
    let count = |(sum, runs): (f64, f64)| match measure {
        Measure::PassRate => runs - sum,
        _ => sum,
    };
    if !measure.is_event() && measure != Measure::PassRate {
        return None;
    }
    let rate = count(before) / before.1;
    let expected = since.1 * rate.min(1.0 - rate);
    if expected >= ENOUGH || rate > 0.5 {
        return None;
    }
    slope_stats::surprise_of_rare(count(since), since.1, count(before), before.1)
}
