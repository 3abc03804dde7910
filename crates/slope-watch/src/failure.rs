//! How runs failed before a change and since, by class.

use std::collections::{BTreeMap, BTreeSet};

use slope_model::watch::{ArmDay, TaskOutcome, WatchDay};
use slope_model::watch_status::ClassShift;
use slope_stats::float;

use crate::monitor::Alarm;

/// Classes of failures before an alarm's change and since, those that changed most first. Days whose classes come from
/// other rules than the last one's are left out. Empty without any class.
#[must_use]
pub(crate) fn shifts(alarm: &Alarm, days: &[WatchDay]) -> Vec<ClassShift> {
    let rules = days.iter().rev().find_map(|day| day.class_rules.as_ref());
    let is_over = |day: &WatchDay| {
        alarm
            .recovered
            .as_ref()
            .is_some_and(|over| day.date >= *over)
    };
    let mut counts: [BTreeMap<&str, u32>; 2] = Default::default();
    let mut runs = [0_u32; 2];
    for day in days {
        if day.invalid.is_some() || day.class_rules.as_ref() != rules || is_over(day) {
            continue;
        }
        let Some(arm) = day.arms.get(&alarm.arm) else {
            continue;
        };
        let side = usize::from(day.date >= alarm.began);
        for class in classes(arm) {
            runs[side] += 1;
            if let Some(class) = class {
                *counts[side].entry(class).or_default() += 1;
            }
        }
    }
    let [before, since] = runs;
    if rules.is_none() || before == 0 || since == 0 {
        return Vec::new();
    }
    let names: BTreeSet<&str> = counts.iter().flat_map(BTreeMap::keys).copied().collect();
    let level = slope_stats::normal_quantile(1.0 - 0.025 / float(names.len().max(1)));
    let shift = |class: &str| {
        let count = |side: usize| counts[side].get(class).copied().unwrap_or(0);
        let sides = [(count(0), before), (count(1), since)];
        ClassShift {
            class: class.to_owned(),
            before: sides[0],
            since: sides[1],
            interval: interval(sides, level.unwrap_or(1.96)),
        }
    };
    let mut shifts = Vec::from_iter(names.into_iter().map(shift));
    shifts.sort_by(|a, b| {
        difference(b)
            .abs()
            .total_cmp(&difference(a).abs())
            .then_with(|| a.class.cmp(&b.class))
    });
    shifts
}

/// The class of each run with a result, without its kind; `None` for one that passed.
fn classes(arm: &ArmDay) -> impl Iterator<Item = Option<&str>> {
    let runs = arm
        .tasks
        .iter()
        .filter(|run| run.outcome != TaskOutcome::Missing);
    runs.map(|run| Some(run.class.as_deref()?.split('/').next().unwrap_or_default()))
}

fn rate((count, runs): (u32, u32)) -> f64 {
    f64::from(count) / f64::from(runs.max(1))
}

fn difference(shift: &ClassShift) -> f64 {
    rate(shift.since) - rate(shift.before)
}

/// Interval of the difference of two shares (Agresti and Caffo 2000: one success and one failure more on each side).
fn interval(sides: [(u32, u32); 2], level: f64) -> (f64, f64) {
    let adjusted = sides.map(|(count, runs)| (f64::from(count) + 1.0, f64::from(runs) + 2.0));
    let shares = adjusted.map(|(count, runs)| (count / runs, runs));
    let [(before, n), (since, m)] = shares;
    let se = (before * (1.0 - before) / n + since * (1.0 - since) / m).sqrt();
    (since - before - level * se, since - before + level * se)
}
