//! What the page of a watch shows, for the page of its own and for the site.

use minijinja::{Value, context};
use slope_model::plural;
use slope_model::watch_notes::Acknowledgement;
use slope_model::watch_status::{
    AlarmReport, ClassShift, Flip, Monitored, Slice, Status, WatchedArm,
};

use super::drawing::{self, Canvas};
use super::task_map::{self, MapSize};
use super::{difference, facts, is_clear, percent, rate, tone};
use crate::format::{MISSING, capitalised, clean, number, signed};

/// Name and text of the template with the parts.
pub(crate) const TEMPLATE: (&str, &str) = (
    "watch_parts.html",
    include_str!("../../templates/watch_parts.html"),
);

/// Name of the main measure.
const RATE: &str = "pass-rate";
/// Value of the scan from which a day is watched closely.
const WATCH: f64 = 2.5;
/// Missing and invalid days that a page names, the last ones.
const MOST_DAYS: usize = 40;
/// Height of a scan.
const SCAN: f64 = 150.0;

/// What a page shows of a watch.
pub(crate) fn parts(status: &Status) -> Value {
    let rate = status.series.iter().find(|one| one.measure == RATE);
    let rates = status.series.iter().filter(|one| one.measure == RATE);
    let others = status.series.iter();
    let others = others.filter(|one| one.measure != RATE && !one.is_empty());
    // Those of the pass rate explain most. Without any, the first one does.
    let is_rate = |report: &&AlarmReport| report.alarm.measure == RATE;
    let (mut shown, mut also): (Vec<_>, Vec<_>) = status.alarms.iter().partition(is_rate);
    if shown.is_empty() && !also.is_empty() {
        shown.push(also.remove(0));
    }
    let maps = [MapSize::WIDE, MapSize::NARROW].map(|size| task_map::map(status, &size));
    let maps = (!status.tasks.is_empty()).then(|| maps.map(Value::from_safe_string).to_vec());
    let missing = status.missing_days.iter().rev().take(MOST_DAYS).rev();
    let invalid = status.invalid_days.iter().rev().take(MOST_DAYS).rev();
    context! {
        state => status.state.name(),
        tone => tone(status.state),
        is_acknowledged => status.state.is_alarm() && !status.needs_attention(),
        sentence => clean(&status.sentence),
        facts => facts(status),
        date => status.date.as_deref().map(clean),
        simulated => status.simulated,
        arms => status.arms.iter().map(arm).collect::<Vec<_>>(),
        alarms => shown.iter().copied().map(alarm).collect::<Vec<_>>(),
        also => also.iter().copied().map(alarm).collect::<Vec<_>>(),
        timelines => rates.filter_map(|rate| timelines(status, rate)).collect::<Vec<_>>(),
        threshold => rate.map(|rate| number(rate.threshold, 2)),
        others => others.filter_map(|series| small(status, series)).collect::<Vec<_>>(),
        maps,
        invalid => invalid.map(|day| context! {
            date => clean(&day.date), reason => clean(&day.reason),
        }).collect::<Vec<_>>(),
        missing => missing.map(|date| clean(date)).collect::<Vec<_>>(),
        more_missing => status.missing_days.len().saturating_sub(MOST_DAYS),
        more_invalid => status.invalid_days.len().saturating_sub(MOST_DAYS),
        rate_of_alarms => percent(status.false_alarms_per_year),
        half_rate => percent(status.false_alarms_per_year / 2.0),
        tasks => plural(status.tasks.len() as u64, "task"),
    }
}

fn timelines(status: &Status, rate: &Monitored) -> Option<Value> {
    let mut lines = Vec::new();
    let mut scans = Vec::new();
    for canvas in [Canvas::WIDE, Canvas::NARROW] {
        lines.push(drawing::timeline(status, rate, canvas)?);
        scans.push(drawing::scan(status, rate, WATCH, canvas.high(SCAN))?);
    }
    let safe = |all: Vec<String>| all.into_iter().map(Value::from_safe_string).collect();
    let (lines, scans): (Vec<Value>, Vec<Value>) = (safe(lines), safe(scans));
    Some(context! { arm => clean(&rate.arm), lines, scans })
}

fn small(status: &Status, series: &Monitored) -> Option<Value> {
    let line = drawing::timeline(status, series, Canvas::SMALL)?;
    let last = series.days.last();
    Some(context! {
        title => capitalised(&series.title),
        arm => clean(&series.arm),
        state => series.state.name(),
        tone => tone(series.state),
        last => last.map(|day| difference(series, day.difference)),
        line => Value::from_safe_string(line),
    })
}

fn arm(arm: &WatchedArm) -> Value {
    context! {
        name => clean(&arm.name),
        role => arm.role.name(),
        agent => clean(&arm.agent),
        version => clean(&arm.agent_version),
        model => if arm.model.is_empty() { MISSING.to_owned() } else { clean(&arm.model) },
        since => clean(&arm.since),
        last => clean(&arm.last),
        efficiency => arm.efficiency.map(|efficiency| efficiency.words()),
    }
}

fn alarm(report: &AlarmReport) -> Value {
    context! {
        id => clean(&report.id),
        sentence => clean(&report.sentence),
        is_open => report.alarm.recovered.is_none(),
        raised => clean(&report.alarm.raised),
        confirmed => report.alarm.confirmed.as_deref().map(clean),
        acknowledged => report.acknowledged.as_ref().map(acknowledged),
        evidence => report.attribution.evidence.iter().map(|line| clean(line)).collect::<Vec<_>>(),
        flips => report.flips.iter().map(flip).collect::<Vec<_>>(),
        slices => report.slices.iter().map(slice).collect::<Vec<_>>(),
        classes => report.classes.iter().map(class_shift).collect::<Vec<_>>(),
    }
}

/// An acknowledgement in a sentence.
pub(crate) fn acknowledged(note: &Acknowledgement) -> String {
    let until = note.until.as_deref().map(clean);
    let until = until.map_or(String::new(), |day| format!(", until {day}"));
    let day = clean(note.at.get(..10).unwrap_or_default());
    let (who, why) = (clean(&note.who), clean(&note.why));
    format!("Acknowledged by {who} on {day}{until}: {why}")
}

fn flip(flip: &Flip) -> Value {
    let of = |(passed, all): (u32, u32)| format!("{passed} of {all}");
    context! {
        task => clean(&flip.task),
        before => of(flip.before),
        since => of(flip.since),
        example => flip.example.as_ref().map(|(date, trial)| format!("{}, run {trial}", clean(date))),
        tests => flip.not_passed.iter().map(|test| clean(test)).collect::<Vec<_>>(),
    }
}

fn class_shift(shift: &ClassShift) -> Value {
    let points = |value: f64| signed(value * 100.0, 1);
    context! {
        name => clean(&shift.class),
        before => percent(rate(shift.before)),
        since => percent(rate(shift.since)),
        effect => points(rate(shift.since) - rate(shift.before)),
        low => points(shift.interval.0),
        high => points(shift.interval.1),
        is_clear => is_clear(shift),
    }
}

fn slice(slice: &Slice) -> Value {
    let points = |value: f64| signed(value * 100.0, 1);
    context! {
        name => clean(&slice.name),
        tasks => slice.tasks,
        effect => points(slice.effect),
        low => points(slice.interval.0),
        high => points(slice.interval.1),
        is_clear => slice.interval.1 < 0.0 || slice.interval.0 > 0.0,
    }
}
