//! Alarms that are open: their level, the way back from it, and further changes beyond it.

use slope_stats::monitor::{Scan, Scanned};

use super::surprise;
use crate::daily::Difference;
use crate::measure::Measure;

/// An alarm that is open.
pub(super) struct Open {
    /// Number of the alarm in its series.
    pub(super) alarm: usize,
    pub(super) is_fall: bool,
    /// Mean difference between the change and the alarm.
    level: f64,
    /// Weight of that mean.
    weight: f64,
    /// Sum of values and number of runs of these days.
    pub(super) events: (f64, f64),
    /// Scan from that level, for the way back.
    back: Scan,
    /// Scan from that level, for a change beyond it.
    further: Scan,
    /// First day that the scans have.
    pub(super) first: usize,
    /// Differences times weights of more days at the level, and the weights.
    learned: (f64, f64),
    /// Variance of days at this level, as a multiple of that in the baseline.
    spread: Spread,
}

/// Days whose worth the expected spread has.
const EXPECTED_DAYS: f64 = 10.0;

/// How much more days differ than the baseline says. A change of level often changes that, too.
struct Spread {
    /// What the level itself leads to expect.
    expected: f64,
    /// Sum over pairs of successive days: the square of their difference by its variance.
    sum: f64,
    /// Pairs of days.
    pairs: f64,
}

impl Spread {
    /// Adds a pair of successive days. A further change between others does not matter to it.
    fn add(&mut self, earlier: &Difference, later: &Difference) {
        let moved = later.difference - earlier.difference;
        self.sum += moved * moved / (earlier.variance + later.variance);
        self.pairs += 1.0;
    }

    /// At least 1: fewer differences may be luck.
    fn factor(&self) -> f64 {
        let prior = EXPECTED_DAYS * self.expected;
        ((prior + self.sum) / (EXPECTED_DAYS + self.pairs)).max(self.expected)
    }
}

/// Variance of a rate as a multiple of that of another, at least 1; 1 if either is not known.
fn more_variance(level: (f64, f64), baseline: (f64, f64)) -> f64 {
    let variance = |(sum, runs): (f64, f64)| {
        let rate = sum / runs;
        rate * (1.0 - rate)
    };
    let more = variance(level) / variance(baseline);
    if more.is_finite() { more.max(1.0) } else { 1.0 }
}

impl Open {
    /// An alarm of which `since` are the days from the change on; `None` if they have no weight. `baseline` has the sum
    /// of values and the number of runs of the baseline of a rate, and is `None` for other measures.
    pub(super) fn new(
        alarm: usize,
        is_fall: bool,
        since: &[Difference],
        first: usize,
        baseline: Option<(f64, f64)>,
    ) -> Option<Self> {
        let events = super::sum(since);
        let expected = baseline.map_or(1.0, |baseline| more_variance(events, baseline));
        let precision: f64 = since.iter().map(|day| 1.0 / day.variance).sum();
        let moved: f64 = since.iter().map(|day| day.difference / day.variance).sum();
        let weight = precision / expected;
        Some(Self {
            alarm,
            is_fall,
            level: moved / precision,
            weight,
            events,
            learned: (0.0, 0.0),
            spread: Spread {
                expected,
                sum: 0.0,
                pairs: 0.0,
            },
            back: Scan::new(weight)?,
            further: Scan::new(weight)?,
            first,
        })
    }

    /// Difference from the level, positive if it is towards the baseline.
    fn back_by(&self, day: &Difference) -> f64 {
        let moved = day.difference - self.level;
        if self.is_fall { moved } else { -moved }
    }

    /// The scan for the way back, with a day more.
    pub(super) fn back(&mut self, day: &Difference) -> Option<Scanned> {
        let variance = day.variance * self.spread.factor();
        self.back.add(-self.back_by(day), 1.0 / variance)
    }

    /// The scan for a change beyond the level, with the day `at` more.
    pub(super) fn further(&mut self, measure: Measure, days: &[Difference], at: usize) -> Scanned {
        let day = &days[at];
        let nothing = Scanned { z: 0.0, start: 0 };
        let by = self.back_by(day);
        if at > self.first {
            self.spread.add(&days[at - 1], day);
        }
        let variance = day.variance * self.spread.factor();
        let mut found = self.further.add(by, 1.0 / variance).unwrap_or(nothing);
        let start = self.first + found.start;
        let before = super::both(self.events, super::sum(&days[self.first..start]));
        let surprise = surprise(measure, before, super::sum(&days[start..=at]));
        found.z = found.z.min(surprise.unwrap_or(found.z));
        found
    }

    pub(super) fn further_scan(&self) -> &Scan {
        &self.further
    }

    /// Takes note of more days at its level, before a further change. They count from the next start of its scans on.
    pub(super) fn learn(&mut self, days: &[Difference]) {
        for day in days {
            self.learned.0 += day.difference / (day.variance * self.spread.expected);
            self.learned.1 += 1.0 / (day.variance * self.spread.expected);
        }
    }

    /// Starts its scans again with the day `first`.
    pub(super) fn restart(&mut self, first: usize) {
        self.first = first;
        let (moved, weight) = std::mem::take(&mut self.learned);
        self.level = (self.level * self.weight + moved) / (self.weight + weight);
        self.weight += weight;
        if let (Some(back), Some(further)) = (Scan::new(self.weight), Scan::new(self.weight)) {
            (self.back, self.further) = (back, further);
        }
    }
}
