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
}

impl Open {
    /// An alarm of which `since` are the days from the change on; `None` if they have no weight.
    pub(super) fn new(
        alarm: usize,
        is_fall: bool,
        since: &[Difference],
        first: usize,
    ) -> Option<Self> {
        let weight: f64 = since.iter().map(|day| 1.0 / day.variance).sum();
        let moved: f64 = since.iter().map(|day| day.difference / day.variance).sum();
        Some(Self {
            alarm,
            is_fall,
            level: moved / weight,
            weight,
            events: super::sum(since),
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
        self.back.add(-self.back_by(day), 1.0 / day.variance)
    }

    /// The scan for a change beyond the level, with the day `at` more.
    pub(super) fn further(&mut self, measure: Measure, days: &[Difference], at: usize) -> Scanned {
        let day = &days[at];
        let nothing = Scanned { z: 0.0, start: 0 };
        let by = self.back_by(day);
        let mut found = self.further.add(by, 1.0 / day.variance).unwrap_or(nothing);
        let start = self.first + found.start;
        let before = super::both(self.events, super::sum(&days[self.first..start]));
        let surprise = surprise(measure, before, super::sum(&days[start..=at]));
        found.z = found.z.min(surprise.unwrap_or(found.z));
        found
    }

    pub(super) fn further_scan(&self) -> &Scan {
        &self.further
    }

    /// Starts its scans again with the day `first`.
    pub(super) fn restart(&mut self, first: usize) {
        self.first = first;
        if let (Some(back), Some(further)) = (Scan::new(self.weight), Scan::new(self.weight)) {
            (self.back, self.further) = (back, further);
        }
    }
}
