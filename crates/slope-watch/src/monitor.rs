//! Monitors: the state of each series, and its alarms.
//!
//! A scan of the series raises an alarm when it reaches its threshold. While an alarm is open, a
//! second scan looks for a recovery from the level since the change. After a recovery the first scan
//! starts again, with the baseline as its reference.

use slope_model::sent_watch::SentWatch;
use slope_model::watch::WatchDay;
pub use slope_model::watch_status::{Alarm, Monitored, State, Watched};
use slope_stats::monitor::{Scan, Scanned};

use crate::certainty::{CERTAIN, Detector};
use crate::daily::{Baseline, Daily, Difference, daily};
use crate::measure::Measure;
use crate::threshold::threshold;

/// Value of the scan from which the next day has more runs.
pub const WATCH: f64 = 2.5;
/// Threshold of the pass rate's scan with which 5 % of quiet years have a false alarm.
pub const SUSPECTED: f64 = 4.06;
/// Distance between the thresholds of a suspected and a confirmed change: from 5 % to 0.5 % of quiet
/// years.
const UNTIL_CONFIRMED: f64 = 0.6;

/// Expected number of rare events from which the scan of the pass rate may take differences for normal.
const ENOUGH: f64 = 10.0;

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

/// Monitors each measure of an arm that has values. Half of the rate of false alarms is for the pass
/// rate, and the other half for all other measures together.
#[must_use]
pub fn monitor(days: &[WatchDay], arm: &str, limits: Limits) -> Vec<Monitored> {
    let series = Measure::ALL.map(|measure| daily(days, arm, measure, limits.baseline_days));
    let others = series
        .iter()
        .filter(|one| one.measure != Measure::PassRate && one.baseline.is_some())
        .count();
    let half = limits.false_alarms_per_year / 2.0;
    let rate = |measure: Measure| match measure {
        Measure::PassRate => half,
        _ => half / slope_stats::float(others.max(1)),
    };
    let watched = series
        .iter()
        .filter(|one| one.measure == Measure::PassRate || one.baseline.is_some());
    watched
        .map(|one| {
            let threshold = threshold(rate(one.measure), one.measure.is_one_sided());
            let detector = match (one.measure, &one.baseline) {
                (Measure::PassRate, Some(baseline)) => Detector::new(days, arm, baseline),
                _ => None,
            };
            of_series(one, arm, threshold, detector)
        })
        .collect()
}

fn of_series(series: &Daily, arm: &str, threshold: f64, detector: Option<Detector>) -> Monitored {
    let mut found = Monitored {
        arm: arm.to_owned(),
        measure: series.measure.name().to_owned(),
        title: series.measure.title().to_owned(),
        is_ratio: series.measure.is_log(),
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
    let Some(mut watcher) = Watcher::new(series, baseline, threshold, detector) else {
        return found;
    };
    for (at, day) in series.days.iter().enumerate() {
        let (z, e_detector, state) = watcher.add(at, arm, &mut found.alarms);
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
    found
}

/// Follows a series from day to day.
struct Watcher<'a> {
    series: &'a Daily,
    baseline: &'a Baseline,
    detector: Option<Detector>,
    weight: f64,
    threshold: f64,
    /// First day that the scans have.
    first: usize,
    fall: Scan,
    rise: Scan,
    open: Option<Open>,
    recovered: bool,
}

/// An alarm that is open.
struct Open {
    is_fall: bool,
    /// Mean difference between the change and the alarm.
    level: f64,
    /// Scan from that level, for the way back.
    back: Scan,
    /// First day that it has.
    first: usize,
}

impl<'a> Watcher<'a> {
    fn new(
        series: &'a Daily,
        baseline: &'a Baseline,
        threshold: f64,
        detector: Option<Detector>,
    ) -> Option<Self> {
        let weight = baseline.weight();
        Some(Self {
            series,
            baseline,
            detector,
            weight,
            threshold,
            first: 0,
            fall: Scan::new(weight)?,
            rise: Scan::new(weight)?,
            open: None,
            recovered: false,
        })
    }

    fn day(&self, at: usize) -> &'a Difference {
        &self.series.days[at]
    }

    /// Adds a day. Returns the scan, the detector and the state.
    fn add(&mut self, at: usize, arm: &str, alarms: &mut Vec<Alarm>) -> (f64, Option<f64>, State) {
        let (fall, rise) = self.scan(at);
        let is_fall = self.series.measure.is_one_sided() || fall.z >= rise.z;
        let scanned = if is_fall { fall } else { rise };
        let date = &self.day(at).date;
        let e_detector = self
            .detector
            .as_mut()
            .and_then(|detector| detector.add(date));
        let is_certain = |z: f64, is_fall: bool| {
            z >= self.threshold + UNTIL_CONFIRMED
                || is_fall && e_detector.is_some_and(|value| value >= CERTAIN)
        };
        if let (Some(open), Some(alarm)) = (&self.open, alarms.last_mut()) {
            let of_alarm = if open.is_fall { fall } else { rise };
            let is_confirmed = is_certain(of_alarm.z, open.is_fall);
            let (z, state) = self.follow(at, of_alarm, is_confirmed, alarm);
            return (z, e_detector, state);
        }
        if scanned.z >= self.threshold {
            let is_confirmed = is_certain(scanned.z, is_fall);
            let alarm = self.raise(at, is_fall, scanned, arm, is_confirmed);
            alarms.push(alarm);
            return (scanned.z, e_detector, alarm_state(is_confirmed));
        }
        let state = if scanned.z >= WATCH {
            State::Watching
        } else if self.recovered {
            State::Recovered
        } else {
            State::Steady
        };
        (scanned.z, e_detector, state)
    }

    /// Brings the open alarm up to date with a day more.
    fn follow(
        &mut self,
        at: usize,
        scanned: Scanned,
        is_confirmed: bool,
        alarm: &mut Alarm,
    ) -> (f64, State) {
        if is_confirmed && alarm.confirmed.is_none() {
            alarm.confirmed = Some(self.day(at).date.clone());
        }
        let scan = if alarm.is_fall {
            &self.fall
        } else {
            &self.rise
        };
        let is_fall = alarm.is_fall;
        update(alarm, scan, self.series, self.first, is_fall, scanned);
        let Some(over) = self.back(at) else {
            return (scanned.z, alarm_state(alarm.confirmed.is_some()));
        };
        alarm.recovered = Some(self.day(over).date.clone());
        self.restart(over, at);
        (0.0, State::Recovered)
    }

    /// The scans for a fall and for a rise with a day more.
    fn scan(&mut self, at: usize) -> (Scanned, Scanned) {
        let day = self.day(at);
        let weight = 1.0 / day.variance;
        let nothing = Scanned { z: 0.0, start: 0 };
        let mut fall = self.fall.add(day.difference, weight).unwrap_or(nothing);
        let rise = self.rise.add(-day.difference, weight).unwrap_or(nothing);
        if self.series.measure == Measure::PassRate {
            fall.z = fall.z.min(self.surprise(at, fall.start).unwrap_or(fall.z));
        }
        (fall, rise)
    }

    /// How surprising the failures since a day are, if failures or passes are rare: then the scan, which takes
    /// differences for normal, is too sure.
    fn surprise(&self, at: usize, start: usize) -> Option<f64> {
        let days = &self.series.days;
        let add = |(a, b): (f64, f64), (c, d): (f64, f64)| (a + c, b + d);
        let sum = |days: &[Difference]| days.iter().map(|day| day.sum).fold((0.0, 0.0), add);
        let before = add(
            self.baseline.sum,
            sum(&days[self.first..self.first + start]),
        );
        let since = sum(&days[self.first + start..=at]);
        let rate = before.0 / before.1;
        let expected = since.1 * rate.min(1.0 - rate);
        if expected >= ENOUGH || rate < 0.5 {
            return None;
        }
        slope_stats::surprise_of_rare(since.1 - since.0, since.1, before.1 - before.0, before.1)
    }

    fn raise(
        &mut self,
        at: usize,
        is_fall: bool,
        scanned: Scanned,
        arm: &str,
        is_confirmed: bool,
    ) -> Alarm {
        let today = self.day(at).date.clone();
        let mut alarm = Alarm {
            arm: arm.to_owned(),
            measure: self.series.measure.name().to_owned(),
            is_fall,
            raised: today.clone(),
            confirmed: is_confirmed.then(|| today.clone()),
            began: today.clone(),
            began_between: (today.clone(), today),
            effect: 0.0,
            effect_se: 0.0,
            z: 0.0,
            recovered: None,
        };
        let scan = if is_fall { &self.fall } else { &self.rise };
        update(&mut alarm, scan, self.series, self.first, is_fall, scanned);
        let since = &self.series.days[self.first + scanned.start..=at];
        let weight: f64 = since.iter().map(|day| 1.0 / day.variance).sum();
        let sum: f64 = since.iter().map(|day| day.difference / day.variance).sum();
        let back = Scan::new(weight);
        self.open = back.map(|back| Open {
            is_fall,
            level: sum / weight,
            back,
            first: at + 1,
        });
        alarm
    }

    /// The day from which the open change is over, if the days since show that.
    fn back(&mut self, at: usize) -> Option<usize> {
        let day = self.day(at);
        let threshold = self.threshold;
        let open = self.open.as_mut()?;
        let moved = day.difference - open.level;
        let towards = if open.is_fall { -moved } else { moved };
        let scanned = open.back.add(towards, 1.0 / day.variance)?;
        (scanned.z >= threshold).then_some(open.first + scanned.start)
    }

    /// Starts the scans again with the days from `over` to `at`.
    fn restart(&mut self, over: usize, at: usize) {
        self.open = None;
        self.recovered = true;
        self.first = over;
        if let Some(detector) = &mut self.detector {
            detector.restart();
        }
        let scans = (Scan::new(self.weight), Scan::new(self.weight));
        if let (Some(fall), Some(rise)) = scans {
            (self.fall, self.rise) = (fall, rise);
        }
        for day in over..=at {
            self.scan(day);
            let date = &self.series.days[day].date;
            self.detector
                .as_mut()
                .and_then(|detector| detector.add(date));
        }
    }
}

fn alarm_state(is_confirmed: bool) -> State {
    if is_confirmed {
        State::Confirmed
    } else {
        State::Suspected
    }
}

/// Brings an alarm up to date with the scan that raised it.
fn update(
    alarm: &mut Alarm,
    scan: &Scan,
    series: &Daily,
    first: usize,
    is_fall: bool,
    scanned: Scanned,
) {
    let date = |at: usize| series.days[first + at].date.clone();
    // A later change does not move the begin of this one.
    if scanned.z <= alarm.z || date(scanned.start) > alarm.raised {
        return;
    }
    alarm.z = scanned.z;
    alarm.began = date(scanned.start);
    if let Some((earliest, latest)) = scan.starts() {
        alarm.began_between = (date(earliest), date(latest));
    }
    if let Some((effect, se)) = scan.effect(scanned.start) {
        alarm.effect = if is_fall { effect } else { -effect };
        alarm.effect_se = se;
    }
}
