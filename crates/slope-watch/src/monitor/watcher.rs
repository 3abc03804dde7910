//! Follows a series from day to day.

use slope_stats::monitor::{Scan, Scanned};

use super::open::Open;
use super::{Alarm, State, UNTIL_CONFIRMED, WATCH, both, counter, is_counted, sum, surprise};
use crate::certainty::{CERTAIN, Detector};
use crate::daily::{Baseline, Daily, Difference};
use crate::measure::{Direction, Measure};

/// Follows a series from day to day.
pub(super) struct Watcher<'a> {
    series: &'a Daily,
    baseline: &'a Baseline,
    arm: &'a str,
    detector: Option<Detector>,
    weight: f64,
    threshold: f64,
    /// Whether rare events are counted.
    is_counted: bool,
    /// First day that the scans have.
    first: usize,
    fall: Scan,
    rise: Scan,
    /// Alarms that are open: the first one, and those that go further than the one before.
    open: Vec<Open>,
    recovered: bool,
    /// All alarms so far.
    pub(super) alarms: Vec<Alarm>,
}

/// Values of a day: the scan or count, the e-detector and the state.
type Value = (f64, Option<f64>, State);

impl<'a> Watcher<'a> {
    pub(super) fn new(
        series: &'a Daily,
        baseline: &'a Baseline,
        arm: &'a str,
        threshold: f64,
        detector: Option<Detector>,
    ) -> Option<Self> {
        let weight = baseline.weight();
        Some(Self {
            is_counted: is_counted(series.measure, baseline),
            series,
            baseline,
            arm,
            detector,
            weight,
            threshold,
            first: 0,
            fall: Scan::new(weight)?,
            rise: Scan::new(weight)?,
            open: Vec::new(),
            recovered: false,
            alarms: Vec::new(),
        })
    }

    fn day(&self, at: usize) -> &'a Difference {
        &self.series.days[at]
    }

    /// Adds a day. Returns the scan, the detector and the state.
    pub(super) fn add(&mut self, at: usize) -> Value {
        let (fall, rise) = self.scan(at);
        let is_fall = match self.series.measure.direction() {
            Direction::Fall => true,
            Direction::Rise => false,
            Direction::Both => fall.z >= rise.z,
        };
        let scanned = if is_fall { fall } else { rise };
        let date = &self.day(at).date;
        let e_detector = self
            .detector
            .as_mut()
            .and_then(|detector| detector.add(date));
        if let Some(first) = self.open.first() {
            let of_alarm = if first.is_fall { fall } else { rise };
            let (z, state) = self.follow(at, of_alarm, e_detector);
            return (z, e_detector, state);
        }
        if scanned.z >= self.threshold {
            self.raise(at, is_fall, scanned);
            let state = self.confirm(at, scanned.z, e_detector.filter(|_| is_fall));
            return (scanned.z, e_detector, state);
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

    /// The scans for a fall and for a rise with a day more. Of rare events, the count is that for a rise.
    fn scan(&mut self, at: usize) -> (Scanned, Scanned) {
        let day = self.day(at);
        let weight = 1.0 / day.variance;
        let nothing = Scanned { z: 0.0, start: 0 };
        let mut fall = self.fall.add(day.difference, weight).unwrap_or(nothing);
        let mut rise = self.rise.add(-day.difference, weight).unwrap_or(nothing);
        if self.is_counted {
            let days = &self.series.days;
            rise = counter::scan(days, self.baseline.sum, self.first, at);
            return (fall, rise);
        }
        let bad = match self.series.measure {
            Measure::PassRate => &mut fall,
            measure if measure.is_event() => &mut rise,
            _ => return (fall, rise),
        };
        let start = self.first + bad.start;
        let days = &self.series.days;
        let before = both(self.baseline.sum, sum(&days[self.first..start]));
        let surprise = surprise(self.series.measure, before, sum(&days[start..=at]));
        bad.z = bad.z.min(surprise.unwrap_or(bad.z));
        (fall, rise)
    }

    /// Confirms the newest open alarm, if it is certain. Returns the state.
    fn confirm(&mut self, at: usize, z: f64, e_detector: Option<f64>) -> State {
        let is_certain = z >= self.threshold + UNTIL_CONFIRMED
            || e_detector.is_some_and(|value| value >= CERTAIN);
        let today = &self.series.days[at].date;
        if let Some(alarm) = self.open.last().map(|open| open.alarm)
            && is_certain
        {
            self.alarms[alarm]
                .confirmed
                .get_or_insert_with(|| today.clone());
        }
        let mut open = self.open.iter();
        let is_confirmed = open.any(|open| self.alarms[open.alarm].confirmed.is_some());
        if is_confirmed {
            State::Confirmed
        } else {
            State::Suspected
        }
    }

    /// Raises the first alarm.
    fn raise(&mut self, at: usize, is_fall: bool, scanned: Scanned) {
        let alarm = self.new_alarm(at, is_fall, None);
        self.push(alarm, self.first + scanned.start, at);
        self.update_first(scanned);
    }

    fn new_alarm(&self, at: usize, is_fall: bool, deepens: Option<String>) -> Alarm {
        let today = self.day(at).date.clone();
        Alarm {
            arm: self.arm.to_owned(),
            measure: self.series.measure.name().to_owned(),
            is_fall,
            raised: today.clone(),
            confirmed: None,
            began: today.clone(),
            began_between: (today.clone(), today),
            effect: 0.0,
            effect_se: 0.0,
            z: 0.0,
            recovered: None,
            deepens,
        }
    }

    /// Opens an alarm of a change on the day `start`.
    fn push(&mut self, alarm: Alarm, start: usize, at: usize) {
        let since = &self.series.days[start..=at];
        let measure = self.series.measure;
        let is_rate = measure == Measure::PassRate || measure.is_event();
        let baseline = is_rate.then_some(self.baseline.sum);
        let open = Open::new(self.alarms.len(), alarm.is_fall, since, at + 1, baseline);
        self.open.extend(open);
        self.alarms.push(alarm);
    }

    /// Brings the first open alarm up to date with the scan that raised it.
    fn update_first(&mut self, scanned: Scanned) {
        let Some(open) = self.open.first() else {
            return;
        };
        let scan = if open.is_fall { &self.fall } else { &self.rise };
        let alarm = &mut self.alarms[open.alarm];
        if !update(alarm, scan, &self.series.days[self.first..], scanned) {
            return;
        }
        if self.is_counted {
            // The scan takes the events for normal, and so cannot say when they began.
            alarm.began_between = (alarm.began.clone(), alarm.raised.clone());
        }
    }

    /// Brings the open alarms up to date with a day more.
    fn follow(&mut self, at: usize, of_first: Scanned, e_detector: Option<f64>) -> (f64, State) {
        let mut shown = of_first.z;
        let mut e_detector = e_detector;
        match self.open.len() {
            1 => self.update_first(of_first),
            _ => {
                shown = self.update_further(at);
                e_detector = None;
            }
        }
        let is_fall = self.open.first().is_some_and(|open| open.is_fall);
        let state = self.confirm(at, shown, e_detector.filter(|_| is_fall));
        if let Some(over) = self.back(at) {
            return self.recover(over, at);
        }
        self.deepen(at);
        (of_first.z, state)
    }

    /// Brings the newest of several open alarms up to date. Returns its scan, which is that of the one before.
    fn update_further(&mut self, at: usize) -> f64 {
        let days = &self.series.days;
        let outer = self.open.len() - 1;
        let mut z = 0.0;
        for place in 0..outer {
            let found = self.open[place].further(self.series.measure, days, at);
            if place + 1 == outer {
                let (open, newest) = (&self.open[place], &self.open[outer]);
                let alarm = &mut self.alarms[newest.alarm];
                update(alarm, open.further_scan(), &days[open.first..], found);
                z = found.z;
            }
        }
        z
    }

    /// Raises another alarm if the value went beyond the level of the newest open one.
    fn deepen(&mut self, at: usize) {
        let Some(newest) = self.open.last_mut().filter(|open| open.first <= at) else {
            return;
        };
        let found = newest.further(self.series.measure, &self.series.days, at);
        if found.z < self.threshold {
            return;
        }
        let (first, is_fall, parent) = (newest.first, newest.is_fall, newest.alarm);
        newest.learn(&self.series.days[first..first + found.start]);
        let alarm = self.new_alarm(at, is_fall, Some(self.alarms[parent].id()));
        self.push(alarm, first + found.start, at);
        let place = self.open.len();
        if place >= 2 {
            let scan = self.open[place - 2].further_scan();
            let alarm = &mut self.alarms[self.open[place - 1].alarm];
            update(alarm, scan, &self.series.days[first..], found);
        }
        self.confirm(at, found.z, None);
    }

    /// The day from which the newest open change is over, if the days since show that.
    fn back(&mut self, at: usize) -> Option<usize> {
        let day = self.day(at);
        let is_counted = self.is_counted && self.open.len() == 1;
        let open = self.open.last_mut().filter(|open| open.first <= at)?;
        let scanned = open.back(day)?;
        if is_counted {
            let days = &self.series.days;
            return counter::over(days, self.baseline.sum, open.events, open.first, at);
        }
        (scanned.z >= self.threshold).then_some(open.first + scanned.start)
    }

    /// Ends the newest open alarm, from the day `over` on.
    fn recover(&mut self, over: usize, at: usize) -> (f64, State) {
        if let Some(ended) = self.open.pop() {
            self.alarms[ended.alarm].recovered = Some(self.day(over).date.clone());
        }
        let Some(outer) = self.open.last_mut() else {
            self.restart(over, at);
            return (0.0, State::Recovered);
        };
        // The value is back at the level of the alarm before, or beyond it: the same days say whether that is over, too.
        outer.restart(over);
        for day in over..=at {
            if let Some(over) = self.back(day) {
                return self.recover(over, at);
            }
            let measure = self.series.measure;
            if let Some(outer) = self.open.last_mut() {
                outer.further(measure, &self.series.days, day);
            }
        }
        let state = self.confirm(at, 0.0, None);
        (0.0, state)
    }

    /// Starts the scans again with the days from `over` to `at`.
    fn restart(&mut self, over: usize, at: usize) {
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

/// Brings an alarm up to date with the scan that raised it, whose days are `days`. Returns whether it changed.
fn update(alarm: &mut Alarm, scan: &Scan, days: &[Difference], scanned: Scanned) -> bool {
    let date = |at: usize| days[at].date.clone();
    // A later change does not move the begin of this one.
    if scanned.z <= alarm.z || date(scanned.start) > alarm.raised {
        return false;
    }
    alarm.z = scanned.z;
    alarm.began = date(scanned.start);
    if let Some((earliest, latest)) = scan.starts() {
        alarm.began_between = (date(earliest), date(latest));
    }
    if let Some((effect, se)) = scan.effect(scanned.start) {
        alarm.effect = if alarm.is_fall { effect } else { -effect };
        alarm.effect_se = se;
    }
    true
}
