//! Counters of rare events over one and seven days.
//!
//! A count is as surprising as its probability after all runs before, whose own luck counts, too. The quantile of the
//! normal distribution with that probability stands for it, so that counters have thresholds as scans do.

use slope_stats::monitor::Scanned;

use super::{both, sum};
use crate::daily::Difference;

/// Days of the counters.
const WINDOWS: [usize; 2] = [1, 7];
/// Days after an alarm that may show that it is over.
const QUIET: [usize; 2] = [14, 28];
/// Largest probability of so few events at the raised rate, from which the change is over.
const UNLIKELY: f64 = 0.01;
/// Largest surprise of as many events at the rate before, so that the change is over.
const USUAL: f64 = 1.645;

/// The most surprising count on the day `at`, of days from `first` on. The start is the first day with an event.
pub(super) fn scan(days: &[Difference], baseline: (f64, f64), first: usize, at: usize) -> Scanned {
    let none = Scanned {
        z: 0.0,
        start: at - first,
    };
    let counted = WINDOWS.into_iter().filter_map(|window| {
        let from = first.max((at + 1).saturating_sub(window));
        let before = both(baseline, sum(&days[first..from]));
        let since = sum(&days[from..=at]);
        let z = slope_stats::surprise_of_rare(since.0, since.1, before.0, before.1)?;
        let start = (from..=at).find(|day| days[*day].sum.0 > 0.0)?;
        Some(Scanned {
            z,
            start: start - first,
        })
    });
    counted.fold(none, |most, one| if one.z > most.z { one } else { most })
}

/// The day from which the events are as rare as before, if the days since `first` show that. `raised` has the events
/// and runs between the change and its alarm.
pub(super) fn over(
    days: &[Difference],
    before: (f64, f64),
    raised: (f64, f64),
    first: usize,
    at: usize,
) -> Option<usize> {
    QUIET.into_iter().find_map(|window| {
        let from = (at + 1).checked_sub(window).filter(|from| *from >= first)?;
        let (events, runs) = sum(&days[from..=at]);
        let surprise = slope_stats::surprise_of_rare(events, runs, before.0, before.1)?;
        let so_few = at_most(events, runs * raised.0 / raised.1);
        (so_few <= UNLIKELY && surprise <= USUAL).then_some(from)
    })
}

/// Probability of at most `events` if `expected` are expected (Poisson).
pub(crate) fn at_most(events: f64, expected: f64) -> f64 {
    let (mut term, mut sum, mut count) = ((-expected).exp(), 0.0, 0.0);
    while count <= events {
        sum += term;
        count += 1.0;
        term *= expected / count;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(events: &[f64]) -> Vec<Difference> {
        let day = |events: &f64| Difference {
            date: String::new(),
            difference: 0.0,
            variance: 1.0,
            tasks: 50,
            sum: (*events, 50.0),
        };
        events.iter().map(day).collect()
    }

    #[test]
    fn week_of_events_surprises_more_than_day() {
        let quiet = days(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let one = scan(&quiet, (1.0, 1500.0), 0, 6);
        assert!(one.z < 3.0, "{one:?}");
        let week = days(&[0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
        let many = scan(&week, (1.0, 1500.0), 0, 6);
        assert!(many.z > one.z + 1.0, "{many:?}");
        assert_eq!(many.start, 1);
        assert_eq!(scan(&days(&[0.0]), (1.0, 1500.0), 0, 0).z, 0.0);
    }

    #[test]
    fn probabilities_are_those_of_poisson() {
        assert!((at_most(0.0, 2.0) - 0.135_335).abs() < 1e-6);
        assert!((at_most(2.0, 2.0) - 0.676_676).abs() < 1e-6);
    }

    #[test]
    fn quiet_fortnight_ends_change() {
        let mut events = vec![3.0; 4];
        events.extend([0.0; 14]);
        let days = days(&events);
        let over = |at| over(&days, (1.0, 1500.0), (12.0, 200.0), 4, at);
        assert_eq!(over(16), None, "13 days");
        assert_eq!(over(17), Some(4));
    }
}
