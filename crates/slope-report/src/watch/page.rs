//! The state of a watch as one self-contained HTML page, which needs no script.

use minijinja::{Value, context};
use slope_model::plural;
use slope_model::watch_status::{Alarm, AlarmReport, ClassShift, Flip, Monitored, Slice, Status};

use super::drawing::{self, Dates};
use super::{difference, facts, is_clear, percent, rate, tone};
use crate::format::{clean, number, signed};
use crate::html::HtmlError;
use crate::sheet;

const TEMPLATE: &str = include_str!("../../templates/watch.html");
const STYLE: &str = concat!(
    include_str!("../../templates/report.css"),
    include_str!("../../templates/watch.css")
);

/// Name of the main measure.
const RATE: &str = "pass-rate";
/// Value of the scan from which a day is watched closely, as the page draws it.
const WATCH: f64 = 2.5;
/// Height of the main timeline, and of the others.
const TALL: f64 = 260.0;
const SHORT: f64 = 190.0;

/// Renders the state of a watch as one self-contained HTML file.
///
/// # Errors
/// [`HtmlError`], which never depends on the content of the state.
pub fn render_watch_page(title: &str, status: &Status) -> Result<String, HtmlError> {
    let mut env = sheet::environment()?;
    env.add_template("watch.html", TEMPLATE)?;
    let dates = Dates::of(status);
    let rate = status.series.iter().find(|one| one.measure == RATE);
    let rates = status.series.iter().filter(|one| one.measure == RATE);
    let timelines = rates.filter_map(|rate| {
        let dates = dates.as_ref()?;
        let alarms = alarms_of(status, rate);
        let line = drawing::timeline(status, dates, rate, &alarms, TALL);
        let scan = drawing::scan(status, dates, rate, WATCH);
        Some(context! {
            arm => clean(&rate.arm),
            line => Value::from_safe_string(line),
            scan => Value::from_safe_string(scan),
        })
    });
    let timelines = Vec::from_iter(timelines);
    let others = status.series.iter().filter(|one| one.measure != RATE);
    let others = others.filter_map(|series| Some(small(status, dates.as_ref()?, series)));
    let escape = |text: &str| minijinja::HtmlEscape(&clean(text)).to_string();
    let map = (!status.tasks.is_empty()).then(|| drawing::map(status, escape));
    // Those of the pass rate explain most. Without any, the first one does.
    let is_rate = |report: &&AlarmReport| report.alarm.measure == RATE;
    let (mut shown, mut also): (Vec<_>, Vec<_>) = status.alarms.iter().partition(is_rate);
    if shown.is_empty() && !also.is_empty() {
        shown.push(also.remove(0));
    }
    let page = env.get_template("watch.html")?.render(context! {
        title => clean(title),
        style => Value::from_safe_string(STYLE.to_owned()),
        version => env!("CARGO_PKG_VERSION"),
        state => status.state.name(),
        tone => tone(status.state),
        sentence => clean(&status.sentence),
        facts => facts(status),
        date => status.date.as_deref().map(clean),
        simulated => status.simulated,
        alarms => shown.iter().copied().map(alarm).collect::<Vec<_>>(),
        also => also.iter().copied().map(short_alarm).collect::<Vec<_>>(),
        timelines,
        threshold => rate.map(|rate| number(rate.threshold, 2)),
        others => others.collect::<Vec<_>>(),
        map => map.map(Value::from_safe_string),
        invalid => status.invalid_days.iter().map(|day| context! {
            date => clean(&day.date), reason => clean(&day.reason),
        }).collect::<Vec<_>>(),
        missing => status.missing_days.iter().map(|date| clean(date)).collect::<Vec<_>>(),
        rate_of_alarms => percent(status.false_alarms_per_year),
        half_rate => percent(status.false_alarms_per_year / 2.0),
        tasks => plural(status.tasks.len() as u64, "task"),
    })?;
    Ok(page + "\n")
}

fn alarms_of<'a>(status: &'a Status, series: &Monitored) -> Vec<&'a Alarm> {
    let alarms = status.alarms.iter().map(|report| &report.alarm);
    alarms
        .filter(|alarm| alarm.measure == series.measure && alarm.arm == series.arm)
        .collect()
}

fn small(status: &Status, dates: &Dates, series: &Monitored) -> Value {
    let alarms = alarms_of(status, series);
    let line = drawing::timeline(status, dates, series, &alarms, SHORT);
    let last = series.days.last();
    context! {
        title => series.title.clone(),
        arm => clean(&series.arm),
        state => series.state.name(),
        tone => tone(series.state),
        last => last.map(|day| difference(series, day.difference)),
        line => Value::from_safe_string(line),
    }
}

fn alarm(report: &AlarmReport) -> Value {
    context! {
        sentence => clean(&report.sentence),
        is_open => report.alarm.recovered.is_none(),
        raised => clean(&report.alarm.raised),
        evidence => report.attribution.evidence.iter().map(|line| clean(line)).collect::<Vec<_>>(),
        flips => report.flips.iter().map(flip).collect::<Vec<_>>(),
        slices => report.slices.iter().map(slice).collect::<Vec<_>>(),
        classes => report.classes.iter().map(class_shift).collect::<Vec<_>>(),
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

/// An alarm in a row of a table.
fn short_alarm(report: &AlarmReport) -> Value {
    let alarm = &report.alarm;
    context! {
        sentence => clean(&report.sentence),
        raised => clean(&alarm.raised),
        is_open => alarm.recovered.is_none(),
    }
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
