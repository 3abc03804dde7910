//! Simulated years of a daily series: how often it alarms without cause, and how soon with one.
//!
//! A day's mean difference from the baseline is normal. Its variance is V/(n·k) + D for n tasks with
//! k runs each, a variance V between runs of a task, and a variance D that all runs of a day share.
//! The baseline has an error of its own, V/(n·R) + D/R for R runs. The alarm is the weighted scan of
//! [`slope_stats::monitor::Scan`], and k follows yesterday's value of it.

use std::thread;

use serde::Serialize;
use slope_stats::monitor::Scan;
use slope_stats::random::SplitMix64;
use slope_stats::{float, float_u64, quantile_of_sorted};

/// Days of a simulated year.
pub const YEAR: usize = 365;
/// Days before a simulated drop.
const QUIET: usize = 60;
/// Days after a drop that a simulation waits for an alarm.
const PATIENCE: usize = 300;

/// The design of a daily benchmark.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Design {
    /// Tasks.
    pub tasks: u32,
    /// Runs of each task behind the baseline.
    pub baseline_runs: u32,
    /// Variance of a task's outcome from run to run.
    pub within_variance: f64,
    /// Variance of a day's mean that all runs of the day share.
    pub day_variance: f64,
    /// Value of the scan that raises an alarm.
    pub threshold: f64,
    /// Value of the scan from which the next day has `replicates` runs of each task.
    pub watch_at: f64,
    /// Runs of each task on a day after a value of at least `watch_at`.
    pub replicates: u32,
    /// Whether a rise alarms, too.
    pub two_sided: bool,
}

impl Default for Design {
    fn default() -> Self {
        Self {
            tasks: 50,
            baseline_runs: 30,
            within_variance: 0.162,
            day_variance: 0.0,
            threshold: crate::monitor::SUSPECTED,
            watch_at: crate::monitor::WATCH,
            replicates: 4,
            two_sided: false,
        }
    }
}

/// Results of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Simulated {
    /// The design.
    pub design: Design,
    /// Simulated paths.
    pub paths: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Drop of the mean, in points of 0.01.
    pub drop_points: f64,
    /// Share of quiet years with at least one alarm.
    pub false_alarms_per_year: f64,
    /// Standard error of that share.
    pub false_alarms_se: f64,
    /// Mean runs on a quiet day.
    pub runs_per_day: f64,
    /// Days from the drop to the alarm, among paths without an earlier alarm; `None` if fewer than
    /// half alarm within 300 days, or without a drop.
    pub median_days_to_alarm: Option<f64>,
    /// Quantiles of the days to the alarm by their level; `None` where the alarm takes longer than
    /// 300 days.
    pub quantiles: Vec<Quantile>,
    /// Difference between the estimated and the true first day of the drop, at the alarm.
    pub median_dating_error_days: Option<f64>,
    /// Mean runs from the drop to the alarm, or to day 300.
    pub runs_to_alarm: Option<f64>,
}

/// A quantile of the days to the alarm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quantile {
    /// Level, from 0 to 1.
    pub level: f64,
    /// Days.
    pub days: Option<f64>,
}

/// A path that has ended.
#[derive(Debug, Clone, Copy)]
struct Path {
    /// Day of the first alarm, from 0, and the estimated first day of the change.
    alarm: Option<(usize, usize)>,
    /// Runs of all days before the change, and since.
    runs: (u64, u64),
    /// Days before the change.
    days: usize,
    /// Largest value of the scan.
    largest: f64,
}

/// Simulates `paths` quiet years, and as many with a drop of `drop_points` after 60 days.
///
/// The same seed gives the same result, on any number of threads. `None` for a design without
/// variance, tasks, runs or paths, or with a value that is not finite.
#[must_use]
pub fn simulate(design: &Design, drop_points: f64, paths: u32, seed: u64) -> Option<Simulated> {
    if !usable(design) || !drop_points.is_finite() || paths == 0 {
        return None;
    }
    let quiet = many(paths, |number| {
        path(
            design,
            YEAR,
            None,
            stream(seed, number),
            Some(design.threshold),
        )
    });
    let alarmed = quiet.iter().filter(|path| path.alarm.is_some()).count();
    let rate = float(alarmed) / f64::from(paths);
    let days: usize = quiet.iter().map(|path| path.days).sum();
    let runs: u64 = quiet.iter().map(|path| path.runs.0).sum();
    let mut result = Simulated {
        design: design.clone(),
        paths,
        seed,
        drop_points,
        false_alarms_per_year: rate,
        false_alarms_se: (rate * (1.0 - rate) / f64::from(paths)).sqrt(),
        runs_per_day: float_u64(runs) / float(days.max(1)),
        median_days_to_alarm: None,
        quantiles: Vec::new(),
        median_dating_error_days: None,
        runs_to_alarm: None,
    };
    if drop_points != 0.0 {
        let length = QUIET + PATIENCE;
        let dropped = many(paths, |number| {
            let random = stream(seed ^ 0x5EED, number);
            path(
                design,
                length,
                Some(-drop_points / 100.0),
                random,
                Some(design.threshold),
            )
        });
        describe(&mut result, &dropped);
    }
    Some(result)
}

/// The threshold with which a share `rate` of quiet periods of `days` has an alarm, by simulation.
/// `None` as for [`simulate`], or for a rate that is not between 0 and 1.
#[must_use]
pub fn threshold(design: &Design, days: usize, rate: f64, paths: u32, seed: u64) -> Option<f64> {
    if !usable(design) || paths == 0 || !(rate > 0.0 && rate < 1.0) || days == 0 {
        return None;
    }
    let quiet = many(paths, |number| {
        path(design, days, None, stream(seed, number), None)
    });
    let mut largest = Vec::from_iter(quiet.iter().map(|path| path.largest));
    largest.sort_by(f64::total_cmp);
    quantile_of_sorted(&largest, 1.0 - rate)
}

fn usable(design: &Design) -> bool {
    let numbers = [
        design.within_variance,
        design.day_variance,
        design.threshold,
        design.watch_at,
    ];
    numbers.iter().all(|number| number.is_finite())
        && design.within_variance >= 0.0
        && design.day_variance >= 0.0
        && design.within_variance + design.day_variance > 0.0
        && design.tasks > 0
        && design.baseline_runs > 0
        && design.replicates > 0
}

/// The generator of a path.
fn stream(seed: u64, number: u32) -> SplitMix64 {
    let mut mixed = SplitMix64::new(seed ^ (u64::from(number) << 20));
    SplitMix64::new(mixed.next_u64())
}

/// Results of `one` for each number, in order, worked out on all processors.
fn many(paths: u32, one: impl Fn(u32) -> Path + Sync) -> Vec<Path> {
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = (paths as usize).div_ceil(threads).max(1);
    let numbers = Vec::from_iter(0..paths);
    let one = &one;
    thread::scope(|scope| {
        let working = Vec::from_iter(
            numbers
                .chunks(share)
                .map(|some| scope.spawn(move || Vec::from_iter(some.iter().map(|n| one(*n))))),
        );
        let done = working.into_iter().map(thread::ScopedJoinHandle::join);
        done.flat_map(|paths| paths.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// One path. It ends at the first value of at least `threshold`, if there is one.
fn path(
    design: &Design,
    days: usize,
    change: Option<f64>,
    mut random: SplitMix64,
    threshold: Option<f64>,
) -> Path {
    let tasks = f64::from(design.tasks);
    let baseline_runs = f64::from(design.baseline_runs);
    let baseline_variance =
        design.within_variance / (tasks * baseline_runs) + design.day_variance / baseline_runs;
    let error = normal(&mut random) * baseline_variance.sqrt();
    let mut found = Path {
        alarm: None,
        runs: (0, 0),
        days: 0,
        largest: f64::NEG_INFINITY,
    };
    let scans = [
        Scan::new(1.0 / baseline_variance),
        Scan::new(1.0 / baseline_variance),
    ];
    let [Some(mut fall), Some(mut rise)] = scans else {
        return found;
    };
    let mut runs = 1;
    for day in 0..days {
        let since = change.filter(|_| day >= QUIET);
        let variance = design.within_variance / (tasks * f64::from(runs)) + design.day_variance;
        let difference = since.unwrap_or(0.0) - error + normal(&mut random) * variance.sqrt();
        let Some(mut today) = fall.add(difference, 1.0 / variance) else {
            return found;
        };
        if design.two_sided
            && let Some(up) = rise.add(-difference, 1.0 / variance)
            && up.z > today.z
        {
            today = up;
        }
        let made = u64::from(design.tasks) * u64::from(runs);
        if since.is_some() {
            found.runs.1 += made;
        } else {
            found.runs.0 += made;
            found.days += 1;
        }
        found.largest = found.largest.max(today.z);
        if threshold.is_some_and(|threshold| today.z >= threshold) {
            found.alarm = Some((day, today.start));
            return found;
        }
        runs = if today.z >= design.watch_at {
            design.replicates
        } else {
            1
        };
    }
    found
}

/// A standard normal value, by the polar method's basic form (Box and Muller 1958).
fn normal(random: &mut SplitMix64) -> f64 {
    // Never 0, whose logarithm does not exist.
    let mut uniform = || random.fraction() + 2f64.powi(-54);
    let (radius, angle) = (uniform(), uniform());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Fills in what paths with a drop show.
fn describe(result: &mut Simulated, dropped: &[Path]) {
    let early = |path: &&Path| path.alarm.is_none_or(|(day, _)| day >= QUIET);
    let counted = Vec::from_iter(dropped.iter().filter(early));
    if counted.is_empty() {
        return;
    }
    let mut delays = Vec::from_iter(counted.iter().map(|path| {
        path.alarm
            .map_or(f64::INFINITY, |(day, _)| float(day + 1 - QUIET))
    }));
    delays.sort_by(f64::total_cmp);
    let at = |level: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a level between 0 and 1 of a length"
        )]
        let index = (level * float(delays.len())) as usize;
        let days = delays[index.min(delays.len() - 1)];
        days.is_finite().then_some(days)
    };
    result.median_days_to_alarm = at(0.5);
    result.quantiles = [0.1, 0.25, 0.5, 0.75, 0.9]
        .map(|level| Quantile {
            level,
            days: at(level),
        })
        .to_vec();
    let dating = counted.iter().filter_map(|path| path.alarm);
    let mut errors = Vec::from_iter(dating.map(|(_, start)| float(start) - float(QUIET)));
    errors.sort_by(f64::total_cmp);
    result.median_dating_error_days = quantile_of_sorted(&errors, 0.5);
    let runs: u64 = counted.iter().map(|path| path.runs.1).sum();
    result.runs_to_alarm = Some(float_u64(runs) / float(counted.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Medians and rates of the design's table: 50 tasks, 30 runs of baseline, variance 0.162.
    #[test]
    fn drop_of_eight_points_takes_a_week() {
        let fixed = Design {
            replicates: 1,
            threshold: 4.0,
            ..Design::default()
        };
        let found = simulate(&fixed, 8.0, 400, 1).unwrap();
        let days = found.median_days_to_alarm.unwrap();
        assert!((7.0..=9.0).contains(&days), "{days}");
        assert!(
            found.false_alarms_per_year < 0.09,
            "{}",
            found.false_alarms_per_year
        );
    }

    #[test]
    fn replicates_shorten_time_to_alarm() {
        let fixed = Design {
            replicates: 1,
            ..Design::default()
        };
        let slow = simulate(&fixed, 4.0, 200, 1).unwrap();
        let fast = simulate(&Design::default(), 4.0, 200, 1).unwrap();
        assert!(fast.median_days_to_alarm < slow.median_days_to_alarm);
        assert!(fast.runs_per_day > slow.runs_per_day);
    }

    #[test]
    fn rise_raises_no_alarm_one_sided() {
        let risen = simulate(&Design::default(), -8.0, 100, 1).unwrap();
        assert_eq!(risen.median_days_to_alarm, None);
        let both = Design {
            two_sided: true,
            ..Design::default()
        };
        assert!(
            simulate(&both, -8.0, 100, 1)
                .unwrap()
                .median_days_to_alarm
                .is_some()
        );
    }

    #[test]
    fn same_seed_gives_same_result() {
        let once = simulate(&Design::default(), 4.0, 50, 7);
        assert_eq!(once, simulate(&Design::default(), 4.0, 50, 7));
        assert_ne!(once, simulate(&Design::default(), 4.0, 50, 8));
    }

    #[test]
    fn threshold_grows_as_rate_falls() {
        let design = Design {
            replicates: 1,
            ..Design::default()
        };
        let [often, rarely] = [0.2, 0.05].map(|rate| threshold(&design, 90, rate, 400, 3).unwrap());
        assert!(
            often < rarely && (2.8..3.5).contains(&often),
            "{often} {rarely}"
        );
    }

    #[test]
    fn design_without_variance_is_refused() {
        let still = Design {
            within_variance: 0.0,
            ..Design::default()
        };
        assert_eq!(simulate(&still, 1.0, 10, 1), None);
        assert_eq!(
            simulate(
                &Design {
                    tasks: 0,
                    ..Design::default()
                },
                1.0,
                10,
                1
            ),
            None
        );
    }
}
