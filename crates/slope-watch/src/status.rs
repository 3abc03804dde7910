//! What to say today: the state, the alarms with their evidence, and what could have been seen.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan;
use jiff::civil::Date;
use slope_model::watch::{Role, TaskOutcome, WatchDay};
pub use slope_model::watch_status::{
    AlarmReport, Flip, InvalidDay, Sensitivity, Slice, Status, TaskDays, WatchedArm,
};

use crate::attribution::{Attribution, attribute};
use slope_stats::float;

use crate::daily::{Baseline, counted, daily};
use crate::failure::shifts;
use crate::measure::Measure;
use crate::monitor::{Alarm, Limits, Monitored, State, monitor};
use crate::simulate::{Design, simulate};
use crate::words;

/// Drop for which the status says how soon it would show, in points.
const DROP: f64 = 4.0;
/// Simulated years behind that.
const PATHS: u32 = 400;
/// Flipped tasks of an alarm.
const MOST_FLIPS: usize = 20;
/// Least change of a task's rate that is a flip.
const FLIP: f64 = 0.25;

/// The state of a watch after some days, in order.
#[must_use]
pub fn status(days: &[WatchDay], limits: Limits) -> Status {
    let targets = targets(days);
    // The stated rate is for all watched arms together.
    let share = Limits {
        false_alarms_per_year: limits.false_alarms_per_year / float(targets.len().max(1)),
        ..limits
    };
    let series = Vec::from_iter(targets.iter().flat_map(|arm| monitor(days, arm, share)));
    let alarms = reports(&series, days, limits);
    let state = state(&series, &alarms);
    let sensitivity = targets
        .first()
        .and_then(|arm| sensitivity(days, arm, limits));
    let invalid = days.iter().filter_map(|day| {
        let reason = day.invalid.clone()?;
        Some(InvalidDay {
            date: day.date.clone(),
            reason,
        })
    });
    let mut found = Status {
        schema: slope_model::schema::WATCH_STATUS.to_owned(),
        date: days.last().map(|day| day.date.clone()),
        sentence: String::new(),
        state,
        simulated: days.iter().any(|day| day.simulated),
        false_alarms_per_year: limits.false_alarms_per_year,
        valid_days: days.iter().filter(|day| day.invalid.is_none()).count(),
        baseline_days: counted(days).count().min(limits.baseline_days),
        invalid_days: invalid.collect(),
        missing_days: missing(days),
        suite: counted(days).next_back().map(|day| day.suite.clone()),
        arms: arms(days),
        sensitivity,
        alarms,
        series,
        dates: days.iter().map(|day| day.date.clone()).collect(),
        tasks: targets
            .first()
            .map(|arm| tasks(days, arm))
            .unwrap_or_default(),
    };
    found.sentence = sentence(&found, days, limits);
    found
}

/// Alarms with what explains them: open ones first, then those of the pass rate, then the newest.
fn reports(series: &[Monitored], days: &[WatchDay], limits: Limits) -> Vec<AlarmReport> {
    let alarms = series.iter().flat_map(|one| &one.alarms);
    let mut reports = Vec::from_iter(alarms.map(|alarm| report(alarm, days, limits)));
    reports.sort_by_key(|report| {
        let is_rate = report.alarm.measure == Measure::PassRate.name();
        let is_open = report.alarm.recovered.is_none();
        let newest = std::cmp::Reverse(report.alarm.raised.clone());
        (!is_open, !is_rate, newest)
    });
    reports
}

/// State of an open alarm, or of the pass rate.
fn state(series: &[Monitored], alarms: &[AlarmReport]) -> State {
    let open = alarms
        .iter()
        .find(|report| report.alarm.recovered.is_none());
    if let Some(report) = open {
        return match report.alarm.confirmed {
            Some(_) => State::Confirmed,
            None => State::Suspected,
        };
    }
    let mut rates = series
        .iter()
        .filter(|one| one.measure == Measure::PassRate.name());
    rates.next().map_or(State::Baseline, |rate| rate.state)
}

/// Names of the watched arms of the last day that has any.
fn targets(days: &[WatchDay]) -> Vec<String> {
    let of = |day: &WatchDay| {
        let arms = day.arms.iter().filter(|(_, arm)| arm.role == Role::Target);
        Vec::from_iter(arms.map(|(name, _)| name.clone()))
    };
    let last = days.iter().rev().map(of).find(|names| !names.is_empty());
    last.unwrap_or_default()
}

/// The assistants as of their last day with results, by their roles and names. Controls are left out.
fn arms(days: &[WatchDay]) -> Vec<WatchedArm> {
    let mut arms: BTreeMap<(Role, &str), WatchedArm> = BTreeMap::new();
    for day in days {
        let known = day.arms.iter().filter(|(_, arm)| {
            // An arm whose run did not begin has no agent.
            !arm.role.is_control() && !arm.agent.is_empty()
        });
        for (name, arm) in known {
            let mut found = WatchedArm {
                name: name.clone(),
                role: arm.role,
                agent: arm.agent.clone(),
                agent_version: arm.agent_version.clone(),
                model: arm.model.clone(),
                since: day.date.clone(),
                last: day.date.clone(),
                efficiency: crate::efficiency::of_day(arm),
            };
            let before = arms.get(&(arm.role, name.as_str()));
            if let Some(before) = before.filter(|before| before.title() == found.title()) {
                found.since.clone_from(&before.since);
            }
            arms.insert((arm.role, name), found);
        }
    }
    arms.into_values().collect()
}

/// Results of each task of an arm on each day, those that pass most often first.
fn tasks(days: &[WatchDay], arm: &str) -> Vec<TaskDays> {
    let mut tasks: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
    for (at, day) in days.iter().enumerate() {
        let runs = day.arms.get(arm).into_iter().flat_map(|arm| &arm.tasks);
        for run in runs.filter(|run| run.outcome != TaskOutcome::Missing) {
            let row = tasks
                .entry(&run.task)
                .or_insert_with(|| vec![(0, 0); days.len()]);
            row[at].0 += u32::from(run.outcome == TaskOutcome::Passed);
            row[at].1 += 1;
        }
    }
    let rows = tasks.into_iter().map(|(task, days)| TaskDays {
        task: task.to_owned(),
        days,
    });
    let mut rows = Vec::from_iter(rows);
    let rate = |row: &TaskDays| {
        let passed: u32 = row.days.iter().map(|day| day.0).sum();
        let all: u32 = row.days.iter().map(|day| day.1).sum();
        f64::from(passed) / f64::from(all.max(1))
    };
    rows.sort_by(|a, b| {
        rate(b)
            .total_cmp(&rate(a))
            .then_with(|| a.task.cmp(&b.task))
    });
    rows
}

/// Dates without results between the first and the last.
fn missing(days: &[WatchDay]) -> Vec<String> {
    let date = |day: Option<&WatchDay>| day.and_then(|day| day.date.parse::<Date>().ok());
    let (Some(first), Some(last)) = (date(days.first()), date(days.last())) else {
        return Vec::new();
    };
    let dates = BTreeSet::from_iter(days.iter().map(|day| day.date.as_str()));
    let known = |date: &Date| dates.contains(date.to_string().as_str());
    first
        .series(1.day())
        .take_while(|date| *date < last)
        .filter(|date| !known(date))
        .map(|date| date.to_string())
        .collect()
}

fn sensitivity(days: &[WatchDay], arm: &str, limits: Limits) -> Option<Sensitivity> {
    let series = daily(days, arm, Measure::PassRate, limits.baseline_days);
    let baseline: Baseline = series.baseline?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a mean of small counts, at least 2"
    )]
    let design = Design {
        tasks: u32::try_from(baseline.tasks.len()).ok()?,
        baseline_runs: baseline.runs.round() as u32,
        within_variance: baseline.within,
        day_variance: series.day_variance,
        threshold: crate::threshold(limits.false_alarms_per_year / 2.0, true),
        ..Design::default()
    };
    let simulated = simulate(&design, DROP, PATHS, 1)?;
    let last = simulated
        .quantiles
        .iter()
        .find(|quantile| quantile.level > 0.8);
    Some(Sensitivity {
        drop_points: DROP,
        half: simulated.median_days_to_alarm,
        nine_of_ten: last.and_then(|quantile| quantile.days),
    })
}

fn report(alarm: &Alarm, days: &[WatchDay], limits: Limits) -> AlarmReport {
    let attribution = attribute(alarm, days, limits);
    AlarmReport {
        id: alarm.id(),
        acknowledged: None,
        sentence: alarm_sentence(alarm, &attribution),
        attribution,
        flips: flips(alarm, days),
        slices: slices(alarm, days),
        classes: shifts(alarm, days),
        alarm: alarm.clone(),
    }
}

/// An alarm in words.
fn alarm_sentence(alarm: &Alarm, attribution: &Attribution) -> String {
    let measure = Measure::by_name(&alarm.measure);
    let title = measure.map_or(alarm.measure.as_str(), |it| it.title());
    let effect = measure.map_or_else(String::new, |measure| {
        words::effect(measure, alarm.effect, alarm.effect_se)
    });
    let verb = if alarm.is_fall { "fell" } else { "rose" };
    let further = if alarm.deepens.is_some() {
        " further"
    } else {
        ""
    };
    let (first, last) = &alarm.began_between;
    let range = if first == last {
        String::new()
    } else {
        format!(" ({first} to {last})")
    };
    let certainty = match alarm.confirmed {
        Some(_) => "",
        None => " Suspected, not yet confirmed.",
    };
    let over = match &alarm.recovered {
        Some(date) => format!(" Recovered on {date}."),
        None => String::new(),
    };
    format!(
        "The {title} of {} {verb}{further} on {}{range}: {effect}. Layer: {}.{certainty}{over}",
        alarm.arm,
        alarm.began,
        attribution.layer.title()
    )
}

fn sentence(status: &Status, days: &[WatchDay], limits: Limits) -> String {
    let Some(date) = &status.date else {
        return "No day has results yet. Run `slope watch tick`.".to_owned();
    };
    let open = status
        .alarms
        .iter()
        .find(|report| report.alarm.recovered.is_none());
    if let Some(last) = days.last().and_then(|day| day.invalid.as_ref()) {
        let then = match open {
            Some(report) => format!("An alarm is open: {}", report.sentence),
            None => "No alarm is raised from it.".to_owned(),
        };
        return format!("{date} does not count: {last}. {then}");
    }
    if let Some(report) = open {
        return report.sentence.clone();
    }
    if let Some(stale) = stale(days) {
        return stale;
    }
    if status.state == State::Baseline {
        let left = limits.baseline_days.saturating_sub(status.baseline_days) + 1;
        return format!(
            "{}The baseline has {} of {} days. Alarms are possible in {}.",
            tasks_changed(days),
            status.baseline_days,
            limits.baseline_days,
            slope_model::plural(u32::try_from(left).unwrap_or(u32::MAX), "day")
        );
    }
    let recovered = status
        .alarms
        .iter()
        .filter_map(|report| report.alarm.recovered.as_ref());
    let since = match recovered.max() {
        Some(date) => format!("since the recovery on {date}"),
        None => {
            let days = status.series.first().map_or(0, |one| one.days.len());
            format!("in {}", slope_model::plural(days as u64, "day"))
        }
    };
    let seen = status.sensitivity.and_then(|it| {
        let half = it.half?;
        let later = match it.nine_of_ten {
            Some(days) => format!("{} in nine of ten cases", whole_days(days)),
            None => "more than 300 days in one of ten cases".to_owned(),
        };
        Some(format!(
            " A drop of {} points would show within {} in half of all cases, and {later}.",
            it.drop_points,
            whole_days(half)
        ))
    });
    format!("No change {since}.{}", seen.unwrap_or_default())
}

/// Says when the tasks changed, if they did.
fn tasks_changed(days: &[WatchDay]) -> String {
    let first = counted(days).next();
    let before = days
        .iter()
        .any(|day| day.invalid.is_none() && Some(&day.suite) != first.map(|it| &it.suite));
    match first.filter(|_| before) {
        Some(day) => format!(
            "The tasks changed on {}, so earlier results do not compare. ",
            day.date
        ),
        None => String::new(),
    }
}

fn whole_days(days: f64) -> String {
    if days < 1.5 {
        return "1 day".to_owned();
    }
    format!("{days:.0} days")
}

/// Says so if the last day has no results of a watched arm.
fn stale(days: &[WatchDay]) -> Option<String> {
    let has_target = |day: &&WatchDay| {
        let mut arms = day.arms.values();
        arms.any(|arm| arm.role == Role::Target && !arm.tasks.is_empty())
    };
    if days.last().is_some_and(|last| has_target(&last)) {
        return None;
    }
    let last = days.iter().rfind(has_target)?;
    Some(format!(
        "The last results of a watched arm are of {}. Whether anything changed since is not known.",
        last.date
    ))
}

/// Runs of each task with their results: before a day, and from it on.
fn split<'a>(alarm: &Alarm, days: &'a [WatchDay]) -> BTreeMap<&'a str, [(u32, u32); 2]> {
    let mut tasks: BTreeMap<&str, [(u32, u32); 2]> = BTreeMap::new();
    for day in days.iter().filter(|day| day.invalid.is_none()) {
        let is_over = alarm
            .recovered
            .as_ref()
            .is_some_and(|date| day.date >= *date);
        let Some(arm) = day.arms.get(&alarm.arm).filter(|_| !is_over) else {
            continue;
        };
        let side = usize::from(day.date >= alarm.began);
        for run in arm
            .tasks
            .iter()
            .filter(|run| run.outcome != TaskOutcome::Missing)
        {
            let counts = &mut tasks.entry(&run.task).or_default()[side];
            counts.0 += u32::from(run.outcome == TaskOutcome::Passed);
            counts.1 += 1;
        }
    }
    tasks
}

fn flips(alarm: &Alarm, days: &[WatchDay]) -> Vec<Flip> {
    let rate = |(passed, all): (u32, u32)| f64::from(passed) / f64::from(all.max(1));
    let mut flips = Vec::new();
    for (task, [before, since]) in split(alarm, days) {
        let change = rate(since) - rate(before);
        if before.1 == 0 || since.1 == 0 || change.abs() < FLIP {
            continue;
        }
        let failed = days
            .iter()
            .rev()
            .filter(|day| day.date >= alarm.began)
            .find_map(|day| {
                let runs = &day.arms.get(&alarm.arm)?.tasks;
                let failed = runs
                    .iter()
                    .find(|run| run.task == task && run.outcome == TaskOutcome::Failed)?;
                Some((day.date.clone(), failed))
            });
        let failed = failed.filter(|_| change < 0.0);
        flips.push((
            change,
            Flip {
                task: task.to_owned(),
                before,
                since,
                example: failed.as_ref().map(|(date, run)| (date.clone(), run.trial)),
                not_passed: failed
                    .map(|(_, run)| run.not_passed.clone())
                    .unwrap_or_default(),
            },
        ));
    }
    flips.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.task.cmp(&b.1.task)));
    flips
        .into_iter()
        .map(|(_, flip)| flip)
        .take(MOST_FLIPS)
        .collect()
}

/// Effects by language and by problem. They are opened only by an alarm of the pass rate, so they
/// raise no false alarm of their own.
fn slices(alarm: &Alarm, days: &[WatchDay]) -> Vec<Slice> {
    if alarm.measure != Measure::PassRate.name() {
        return Vec::new();
    }
    let tasks = split(alarm, days);
    let mut groups: BTreeMap<String, Vec<[(u32, u32); 2]>> = BTreeMap::new();
    for (task, counts) in &tasks {
        let mut parts = task.split('/');
        for part in [parts.next(), parts.next()].into_iter().flatten() {
            groups.entry(part.to_owned()).or_default().push(*counts);
        }
    }
    let count = groups.len();
    let level = slope_stats::normal_quantile(1.0 - 0.025 / float(count.max(1))).unwrap_or(1.96);
    let effects = groups.into_iter().filter_map(|(name, tasks)| {
        let known = Vec::from_iter(tasks.iter().filter(|[a, b]| a.1 > 0 && b.1 > 0));
        if known.is_empty() {
            return None;
        }
        let n = float(known.len());
        let (mut sum, mut variance) = (0.0, 0.0);
        for [before, since] in known.iter().copied() {
            for (sign, (passed, all)) in [(-1.0, before), (1.0, since)] {
                let all = f64::from(*all);
                // Half a run on each side keeps the variance of a constant task above 0.
                let rate = (f64::from(*passed) + 0.5) / (all + 1.0);
                sum += sign * f64::from(*passed) / all;
                variance += rate * (1.0 - rate) / all;
            }
        }
        let (effect, se) = (sum / n, variance.sqrt() / n);
        Some(Slice {
            name,
            tasks: known.len(),
            effect,
            interval: (effect - level * se, effect + level * se),
        })
    });
    effects.collect()
}
